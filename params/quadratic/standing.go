package quadratic

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Standing is what the games show about the recommendation against the start. Its prior
// favours neither: the slopes halfway between them are as likely to lead to one as to the
// other, and as steep as the evidence has them.
type Standing struct {
	Gain Estimate // Elo of the recommendation over the start
	// High is the upper end of the 95 % interval of Gain, the lower one of which is that of Gain's error.
	// It is at least that under vague priors: those of Gain, which keep noise from being called a gain,
	// pull it to 0. In tunings of 3 parameters by 300 games, where the truth was 0.31 and 0.55
	// log-odds, the upper ends by Gain's error alone were below it in 8 of 29 and in 12 of 12, these in
	// 0 and 1.
	High float64
	// Reliable reports whether the 95 % interval of Gain excludes 0. Where it does not, the
	// start is what the games recommend.
	Reliable bool
	// MoreGames is about how many games of the recommendation against the start show the gain with
	// 95 % chance if it is what it seems, as in a plan of a match; 0 where Reliable, where nothing
	// suggests a gain and where that is Far. It is no number of games of the tuning: probes narrow as
	// games are played, so that 16 times the games only halve the error of Gain. (So planned, as many
	// as were said showed the gain in 18 of 127 tunings with 10 or 20 Elo of it.) Where Few it is the
	// least number of games of the tuning of which anything can be said.
	MoreGames int
	// Few reports whether there are too few games for a claim: Gain is then more the prior's than
	// theirs, and the recommendation the luckiest of many directions.
	Few bool
	// Played is the Elo that recommendations scored over the start in games between both, as a mean over
	// PlayedPairs pairs: those of the later half of the games told. It shows a gain, too, and then the
	// gain is Reliable: at any time, with 95 % chance.
	Played      Estimate
	PlayedPairs int
	// Far reports whether the recommendation is so far from the start that hardly a game compares
	// both. Gain then says too little and MoreGames is 0: a quadratic from one to the other rests
	// on the games near the recommendation. Of 4 copies of LOG, 500 games and the start halfway
	// to a bound, 3 probes away, it says 29 ± 63 Elo, the truth is 200.
	Far bool
}

// claimGames are the games a parameter below which they are Few. In tunings of 2 to 12 parameters of
// Quoridor from its good start, the interval of Gain missed the truth in 19 of 33 that had fewer,
// and in 1 of 7 that had more (matches of 400 to 1,000 pairs).
const claimGames = 40

// farProbes is how far that is, in probes, by the root of the mean square over the axes.
const farProbes = 1

// ShownGain is how many standard errors above 0 a gain is shown: the 95 % interval excludes 0.
const ShownGain = 1.96

const (
	// power is how many standard errors above what shows it a gain is that is shown with 95 % chance.
	power = 1.645
	// anyTime is how much wider an interval is that holds at any time, as a verification's.
	anyTime = 1.5
	// ShownAnyTime is ShownGain for an estimate that is looked at again and again.
	ShownAnyTime = anyTime * ShownGain
)

// Standing fits the games between the start and the recommendation. It takes as long as a
// fit, and changes nothing.
func (t *Tuner) Standing() Standing {
	standing := t.fitted()
	standing.Played, standing.PlayedPairs = t.playedGain()
	if standing.Played.Value > ShownAnyTime*standing.Played.SE {
		standing.Reliable, standing.Few, standing.MoreGames = true, false, 0
	}
	return standing
}

// assumedEven is how many pairs at even, half of which decide, are assumed in addition to those played.
const assumedEven = 2

// playedGain is the Elo that recommendations of the later half of the games scored over the start.
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
	if t.look() != nil {
		return Standing{}
	}
	s, err := t.between()
	if err != nil {
		return Standing{}
	}
	f, err := newFit(s, t.data, nil)
	if err != nil { // no game lies there
		return Standing{}
	}
	standing := newStanding(f.expectation(t.gain(f, s)), f.dispersion)
	standing.High = standing.Gain.Value + ShownGain*standing.Gain.SE
	missing := claimGames*len(t.axes) - 2*(t.planned-t.short)
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

// gain is the combination of a fit's coefficients that the recommendation is stronger by than the start.
func (t *Tuner) gain(f *fit, s *state) []float64 {
	row, start := make([]float64, f.number()), make([]float64, f.number())
	f.features(s.whiten(t.best), row)
	f.features(s.whiten(t.coordinates(t.set.Start)), start)
	for i, v := range start {
		row[i] -= v
	}
	return row
}

// probesMoved is how far the recommendation is from the start.
func (t *Tuner) probesMoved() float64 {
	moved, sum := t.shown.whiten(t.best), 0.0
	for i, v := range t.shown.whiten(t.coordinates(t.set.Start)) {
		sum += float64((moved[i] - v) * (moved[i] - v))
	}
	return math.Sqrt(sum / float64(len(moved)))
}

// newStanding judges a gain in log-odds, where the points of games scatter by a dispersion.
func newStanding(gain Estimate, dispersion float64) Standing {
	s := Standing{Gain: Estimate{eloUnit * gain.Value, eloUnit * gain.SE}, Reliable: gain.Value > ShownGain*gain.SE}
	if !s.Reliable && gain.Value > 0 { // a game's points deviate by sqrt(dispersion)/2, and a gain moves them by a quarter of it
		z := (ShownAnyTime + power) * 2 / gain.Value
		s.MoreGames = int(math.Ceil(min(z*z*dispersion, math.MaxInt32)))
	}
	return s
}

// between is the state whose region reaches from the start to the recommendation.
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

// expectation is a combination of coefficients: its mean over the scales that the slopes may
// have, with its error under the largest, which the prior makes no smaller than the games do.
func (f *fit) expectation(row []float64) (e Estimate) {
	for _, m := range f.mixture {
		e.Value += float64(m.share * dot(row, m.beta))
	}
	_, e.SE = f.widest().combination(row)
	return e
}

// widest is the fit under the largest scale of the slopes.
func (f *fit) widest() *fit {
	wide, m := *f, f.mixture[len(f.mixture)-1]
	wide.beta, wide.chol = mat.NewVecDense(len(m.beta), m.beta), f.factor(f.wide)
	return &wide
}
