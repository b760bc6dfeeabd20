package rating

import (
	"cmp"
	"fmt"
	"math"
	"sort"
)

// Plan computes the length that a match of fixed length needs.
type Plan struct {
	// Variance is the variance of a pair's mean score, above 0 and at most 1/4.
	// It comes from an earlier match (Pairs.Variance) or from PairVariance.
	Variance float64
	// Level is the confidence of the interval; 0 means 0.95.
	Level float64
	// Power is the probability that the interval excludes equality when the difference is real;
	// 0 means 0.95.
	Power float64
}

// PairVariance returns the variance of a pair's mean
// score for two independent games: (s (1 - s) - d/4) / 2.
// elo is the logistic difference, which gives the score s, and draws the share d of draws.
// Equal players who never draw have 1/8.
// Where openings favour a side the true variance is smaller, as a short match shows.
// A share of draws too large for the difference leaves a variance of 1e-4.
func PairVariance(elo, draws float64) float64 {
	s := Score(elo)
	return max(1e-4, (float64(s*(1-s))-float64(draws/4))/2)
}

// ProfileVariance returns the variance of a pair's mean score from the share of even pairs (one
// point each) at a logistic Elo difference, if all other pairs are won or lost twice: (1 -
// even)/4, the second moment about 1/2, less the square of the score over 1/2. It returns an
// error if too few decided pairs are left for the difference.
func ProfileVariance(elo, even float64) (float64, error) {
	if !(even >= 0 && even <= 1) {
		return 0, fmt.Errorf("plan: %v of the pairs even: want a share from 0 to 1", even)
	}
	gap, most := math.Abs(Score(elo)-0.5), float64((1-even)/2)
	if !(gap <= most) {
		return 0, fmt.Errorf("plan: with %v of the pairs even no side is %v Elo better: want fewer of them, or %.0f Elo at most", even, elo,
			eloOf(0.5+most))
	}
	return max(1e-4, float64((1-even)/4)-float64(gap*gap)), nil
}

// check returns an error that names the first invalid field.
func (p Plan) check() error {
	p = p.withDefaults()
	switch {
	case !(p.Variance > 0 && p.Variance <= 0.25):
		return fmt.Errorf("plan: variance %v of a pair's mean score: want above 0 and at most 0.25, such as 0.06", p.Variance)
	case !(p.Level > 0 && p.Level < 1):
		return fmt.Errorf("plan: level %v: want between 0 and 1, such as 0.95", p.Level)
	case !(p.Power >= 0.5 && p.Power < 1):
		return fmt.Errorf("plan: power %v: want at least 0.5 and below 1, such as 0.95", p.Power)
	}
	return nil
}

// withDefaults returns p with its defaults filled in.
func (p Plan) withDefaults() Plan {
	p.Level, p.Power = cmp.Or(p.Level, 0.95), cmp.Or(p.Power, 0.95)
	return p
}

// PairsFor returns the number of pairs that show a true difference of elo, logistic and in
// either direction, with the plan's power. It is the n at which the expected score lies
// z(level) standard errors of equal players plus z(power) standard errors of unequal ones from
// 1/2, and at least MinSample. It returns an error if check fails, and for a difference of 0,
// which no match can show.
func (p Plan) PairsFor(elo float64) (int, error) {
	if err := p.check(); err != nil {
		return 0, err
	}
	p = p.withDefaults()
	gap := math.Abs(Score(elo) - 0.5)
	if !(gap > 0) {
		return 0, fmt.Errorf("plan: no match shows a difference of %v Elo: want one that is not 0, such as 5", elo)
	}
	z := float64(quantile(p.Level)*math.Sqrt(p.Variance+float64(gap*gap))) + float64(quantile(2*p.Power-1)*math.Sqrt(p.Variance))
	return pairsUp(z * z / (gap * gap)), nil
}

// PairsWithin returns the number of pairs, at least MinSample, that narrow the interval to ±
// halfWidth Elo around a true difference of about elo. It returns an error if check fails or
// halfWidth is not above 0.
func (p Plan) PairsWithin(halfWidth, elo float64) (int, error) {
	if err := p.check(); err != nil {
		return 0, err
	}
	p = p.withDefaults()
	switch {
	case !(halfWidth > 0):
		return 0, fmt.Errorf("plan: an interval of ± %v Elo: want a width above 0, such as 5", halfWidth)
	case math.IsNaN(elo):
		return 0, fmt.Errorf("plan: a difference of %v Elo: want a number, such as 0", elo)
	}
	z := quantile(p.Level) / scoreWithin(halfWidth, elo)
	return pairsUp(z * z * p.Variance), nil
}

// formPower is the power behind "finds a difference in 9 of 10 runs".
const formPower = 0.9

// Finds returns the smallest difference in Elo, to a tenth, that a match of a number of pairs shows in
// nine of ten matches, judged at a confidence level, if the games of a pair are independent and never drawn. It is 0 if
// the match is too short for any difference up to MaxElo.
func Finds(pairs int, level float64) float64 {
	return smallest(pairs, func(elo float64) (int, error) {
		return Plan{Variance: PairVariance(elo, 0), Level: level, Power: formPower}.PairsFor(elo)
	})
}

// smallest returns the smallest difference in Elo, to a tenth, for which need is at most a number of
// pairs; 0 for none up to MaxElo.
func smallest(pairs int, need func(elo float64) (int, error)) float64 {
	const tenths = 12_000 // up to MaxElo
	i := 1 + sort.Search(tenths, func(i int) bool {
		n, err := need(float64(i+1) / 10)
		return err == nil && n <= pairs
	})
	if i > tenths {
		return 0
	}
	return float64(i) / 10
}

// scoreWithin returns the half-width of the score's interval around the score of elo.
// The interval's ends lie two half-widths of Elo apart.
func scoreWithin(halfWidth, elo float64) float64 {
	s, t := Score(elo), math.Tanh(halfWidth*math.Ln10/400)
	q := float64(2 * s * (1 - s) * t)
	return q / (1 + math.Sqrt(1-float64(2*q*t)))
}

// maxPlanned is the largest number of pairs planned.
const maxPlanned = min(1e15, math.MaxInt)

// pairsUp rounds n up to a number of pairs between MinSample and maxPlanned.
func pairsUp(n float64) int { return int(min(max(math.Ceil(n), MinSample), maxPlanned)) }

// Pairs of a tuning for each worker, if workers are to be busy nearly always or most of the
// time. The tuner's steps lag behind their results by at most a thirtieth of the iterations,
// and every worker has a few pairs in flight. SPSA loses nothing by a lag of up to a 28th of
// the iterations on problem LOG, and diverges with longer ones.
const (
	pairsAWorkerWell     = 280
	pairsAWorkerPassably = 140
)

// Feeds returns the number of workers that a tuning of a number of pairs keeps busy: well
// (about 90 % of the time) and passably. Both are at least 1. The bound exists because the
// steps of a tuning build on each other. Matches, tournaments, screening and several seeds at
// once keep any number of workers busy.
func Feeds(pairs int) (well, passably int) {
	return max(1, pairs/pairsAWorkerWell), max(1, pairs/pairsAWorkerPassably)
}
