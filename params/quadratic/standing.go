package quadratic

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Standing compares the recommendation with the start by the games. Its prior favours neither:
// the slopes halfway between them may as likely lead to one as to the other, and are as steep
// as the evidence shows.
type Standing struct {
	Gain Estimate // Elo of the recommendation over the start
	// High is the upper end of the 95 % interval of Gain; the lower end follows from Gain's
	// error. High is at least the upper end under vague priors, because the priors of Gain,
	// which keep noise from being called a gain, pull it to 0.
	High float64
	// Reliable reports whether the 95 % interval of Gain excludes 0. Otherwise the games
	// recommend the start.
	Reliable bool
	// MoreGames is about the number of games of the recommendation against the start that show
	// the gain with a probability of 95 %, if Gain is the truth, as in the plan of a match. It
	// is 0 if Reliable or Far, or if nothing suggests a gain. If Few, it is the least number of
	// games of the tuning for any claim.
	//
	// It is not a number of games of the tuning: probes narrow with the games, so 16 times the
	// games only halve the error of Gain.
	MoreGames int
	// Few reports whether there are too few games for a claim. The prior then determines Gain
	// more than the games do, and the recommendation is the luckiest of many directions.
	Few bool
	// Played is the Elo that recommendations scored over the start in games between them, as a
	// mean over PlayedPairs pairs of the later half of the games. If it shows a gain at any
	// time with 95 % confidence, Gain is Reliable, too.
	Played      Estimate
	PlayedPairs int
	// Far reports whether hardly a game compares the recommendation with the start: both are far apart,
	// or a walk tunes, whose games tell slopes alone. Gain then says too little, or nothing, and
	// MoreGames is 0: a quadratic from one to the other rests on the games near the recommendation. Of
	// 4 copies of LOG, 500 games and the start halfway to a bound, 3 probes away, it says 29 ± 63 Elo,
	// the truth is 200; after walks of 20,000 games with 16 Elo gained, 2 ± 5.
	Far bool
}

// claimGames is the number of games for each parameter below which they are Few.
const claimGames = 40

// farProbes is the distance that counts as Far, in probes, by the root of the mean square over
// the axes.
const farProbes = 1

// ShownGain is the number of standard errors above 0 from which a gain is shown: the 95 %
// interval excludes 0.
const ShownGain = 1.96

const (
	// power is the additional number of standard errors at which a gain is shown with a
	// probability of 95 %.
	power = 1.645
	// anyTime is the factor by which an interval that holds at any time is wider, as in a
	// verification.
	anyTime = 1.5
	// ShownAnyTime replaces ShownGain for an estimate that is tested repeatedly.
	ShownAnyTime = anyTime * ShownGain
)

// Standing fits the games between the start and the recommendation. It takes as long as a fit,
// and changes nothing. It must not be called during other methods.
func (t *Tuner) Standing() Standing {
	standing := t.fitted()
	standing.Played, standing.PlayedPairs = t.playedGain()
	if standing.Played.Value > ShownAnyTime*standing.Played.SE {
		standing.Reliable, standing.Few, standing.MoreGames = true, false, 0
	}
	return standing
}

// assumedEven is the number of pairs with an even score, half of them decided, that are assumed
// in addition to those played.
const assumedEven = 2

// playedGain returns the Elo that recommendations of the later half of the games scored over
// the start, and the pairs behind it.
func (t *Tuner) playedGain() (gain Estimate, pairs int) {
	n, points, square := float64(assumedEven), .5*assumedEven, .125*assumedEven
	for _, p := range t.checked {
		if p.before > t.planned/2 {
			n, points, pairs = n+p.pairs, points+float64(p.pairs*p.mean), pairs+int(p.pairs)
		}
	}
	mean := points / n
	for _, p := range t.checked {
		if p.before > t.planned/2 {
			square += p.square + float64(p.pairs*(p.mean-mean)*(p.mean-mean))
		}
	}
	if pairs == 0 {
		return gain, 0
	}
	return Estimate{eloUnit * math.Log(mean/(1-mean)), eloUnit * math.Sqrt(square) / n / (mean * (1 - mean))}, pairs
}

// fitted is what a fit shows.
func (t *Tuner) fitted() Standing {
	missing := claimGames*len(t.axes) - 2*(t.planned-t.short)
	switch {
	case t.told == 0:
		return Standing{}
	case t.walk != nil && missing > 0:
		return Standing{Few: true, MoreGames: missing}
	case t.walk != nil:
		return Standing{Far: true}
	}
	s, err := t.between()
	if err != nil {
		return Standing{}
	}
	f, err := newFit(s, t.data, nil)
	if err != nil { // no game lies near
		return Standing{}
	}
	standing := newStanding(f.expectation(t.gain(f, s)), f.dispersion)
	standing.High = standing.Gain.Value + ShownGain*standing.Gain.SE
	switch standing.Far = t.probesMoved() > farProbes; {
	case standing.Far:
		standing.MoreGames = 0
	case !standing.Reliable && missing > 0:
		standing.Few, standing.MoreGames = true, missing
	default:
		if vague, err := newFit(s, t.data, &vagueScales); err == nil {
			mean, se := vague.combination(t.gain(vague, s))
			standing.High = max(standing.High, eloUnit*(mean+ShownGain*se))
		}
	}
	return standing
}

// gain returns the coefficients of the difference in strength between the recommendation and
// the start.
func (t *Tuner) gain(f *fit, s *state) []float64 {
	row, start := make([]float64, f.number()), make([]float64, f.number())
	f.features(s.whiten(t.best), row)
	f.features(s.whiten(t.coordinates(t.set.Start)), start)
	for i, v := range start {
		row[i] -= v
	}
	return row
}

// probesMoved returns the distance of the recommendation from the start, in probes.
func (t *Tuner) probesMoved() float64 {
	moved, sum := t.shown.whiten(t.best), 0.0
	for i, v := range t.shown.whiten(t.coordinates(t.set.Start)) {
		sum += float64((moved[i] - v) * (moved[i] - v))
	}
	return math.Sqrt(sum / float64(len(moved)))
}

// newStanding judges a gain in log-odds; dispersion is that of the points of games.
func newStanding(gain Estimate, dispersion float64) Standing {
	s := Standing{Gain: Estimate{eloUnit * gain.Value, eloUnit * gain.SE}, Reliable: gain.Value > ShownGain*gain.SE}
	if !s.Reliable && gain.Value > 0 { // the deviation of a game's points is sqrt(dispersion)/2, and a gain changes their mean by a quarter of it
		z := (ShownAnyTime + power) * 2 / gain.Value
		s.MoreGames = int(math.Ceil(min(z*z*dispersion, math.MaxInt32)))
	}
	return s
}

// between returns the state whose region reaches from the start to the recommendation.
func (t *Tuner) between() (*state, error) {
	s := t.shown
	start, d := t.coordinates(t.set.Start), len(s.m)
	middle, half := make([]float64, d), mat.NewVecDense(d, nil)
	for i := range d {
		middle[i] = (t.best[i] + start[i]) / 2
		half.SetVec(i, (t.best[i]-start[i])/2)
	}
	covariance := mat.NewSymDense(d, nil)
	covariance.SymOuterK(1, s.root)
	covariance.SymRankOne(covariance, 1, half)
	s.m, s.start = middle, nil
	return &s, s.setProbes(covariance, t.axes)
}

// expectation returns a combination of coefficients: its mean over the scales that the slopes
// may have, with its error under the largest scale, where the prior reduces it least.
func (f *fit) expectation(row []float64) (e Estimate) {
	for _, m := range f.mixture {
		e.Value += float64(m.share * dot(row, m.beta))
	}
	_, e.SE = f.widest().combination(row)
	return e
}

// widest returns the fit under the largest scale of the slopes.
func (f *fit) widest() *fit {
	wide, m := *f, f.mixture[len(f.mixture)-1]
	wide.beta, wide.chol = mat.NewVecDense(len(m.beta), m.beta), f.factor(f.wide)
	return &wide
}
