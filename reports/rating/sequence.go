package rating

import (
	"cmp"
	"fmt"
	"math"
	"sort"
)

// MinSequence is the number of pairs below which a Sequence has no interval.
const MinSequence = 64

// Sequence is a confidence sequence for A's score: intervals
// that all hold together with probability 1 - Alpha.
// So a match may be looked at after every batch of pairs and stopped when
// the interval excludes 1/2; the interval at that moment is still valid.
// The price is an interval about half as wide again as in a match of fixed length.
//
// It is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha,
// Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
// confidence sequences", Annals of Statistics 52 (2024), Theorem 2.2:
//
//	mean ± sigma sqrt( 2 (n rho^2 + 1) / (n^2 rho^2) · log( sqrt(n rho^2 + 1) / alpha ) )
//
// It is asymptotic, so the first look must not be too early (MinSequence),
// and the variance must not be near 0 by luck (see variance).
type Sequence struct {
	// Alpha is the probability that the interval is ever wrong. 0 means 0.05.
	Alpha float64
	// Tightest is the number of pairs at which the interval is narrowest
	// relative to other choices, about the expected length of the match.
	// It must be fixed before the first look.
	// 0 means 1,000.
	Tightest int
}

// check returns an error that names the first invalid field.
func (s Sequence) check() error {
	switch {
	case s.Alpha != 0 && !(s.Alpha > 0 && s.Alpha < 0.5):
		return fmt.Errorf("alpha of a confidence sequence is %v: want between 0 and 1/2, such as 0.05", s.Alpha)
	case s.Tightest < 0:
		return fmt.Errorf("a confidence sequence tightest at %d pairs: want a positive number, such as 1000", s.Tightest)
	}
	return nil
}

// withDefaults returns s with its defaults filled in. It panics if check fails.
func (s Sequence) withDefaults() Sequence {
	if err := s.check(); err != nil {
		panic("rating: " + err.Error())
	}
	s.Alpha = cmp.Or(s.Alpha, 0.05)
	s.Tightest = cmp.Or(s.Tightest, 1000)
	return s
}

// interval returns the interval of A's expected score after these pairs, the first ones in
// schedule order. Before MinSequence pairs it is 0..1 and false. It panics if check fails.
func (s Sequence) interval(p Pairs) (Interval, bool) {
	s = s.withDefaults()
	if p.N() < MinSequence {
		return Interval{0, 1}, false
	}
	x := p.sample()
	return around(x.mean, s.margin(x)), true
}

// Estimate returns the interval and all numbers that follow from it, after the first pairs in
// schedule order. Before MinSequence pairs it has the warning noIntervalYet. It panics if check
// fails.
func (s Sequence) Estimate(p Pairs) Estimate {
	s = s.withDefaults()
	r, ok := s.interval(p)
	x := p.sample()
	e := Estimate{Level: 1 - s.Alpha, AnyTime: true}
	if !ok {
		e.Warnings |= noIntervalYet
	}
	return newEstimate(x, s.variance(x), r, e)
}

// PairsFor returns the approximate total number of pairs that show with a probability of 95 %
// that A is better, at the score and variance of these pairs. It is 0 if A's score is not above
// 1/2.
func (s Sequence) PairsFor(p Pairs) int {
	s = s.withDefaults()
	x := p.sample()
	gain, power := x.mean-0.5, quantile(0.9)
	if !(gain > 0) {
		return 0
	}
	return sort.Search(maxPlanned, func(n int) bool {
		x.n = max(n, MinSequence)
		return s.margin(x)+float64(power*math.Sqrt(s.variance(x)/float64(x.n))) <= gain
	})
}

// Finds returns the smallest difference in Elo, to a tenth, that a match of at most a number of pairs shows in nine of ten
// matches, if the games of a pair are independent and never drawn. It is 0 for none up to MaxElo.
func (s Sequence) Finds(pairs int) float64 {
	const many = 1_000_000 // for the shares of independent pairs
	return smallest(pairs, func(elo float64) (int, error) {
		p := Score(elo)
		lost, won := int(many*(1-p)*(1-p)), int(many*p*p)
		return max(MinSequence, s.PairsFor(Pairs{0: lost, 2: many - lost - won, 4: won})), nil
	})
}

// margin returns the half-width of the interval; in Sequence's formula u = n rho^2.
func (s Sequence) margin(x sample) float64 {
	n := float64(x.n)
	u := float64(n * s.rho2())
	return math.Sqrt(s.variance(x) * (u + 1) / (u * n) * (math.Log1p(u) - float64(2*math.Log(s.Alpha))))
}

// variance returns the sample's variance, widened as if 2
// log(2/alpha) pairs more had been lost and as many won.
// They stand for results not seen yet: a class of probability q stays unseen for log(2/alpha)/q
// pairs with probability alpha/2, and the margin must cover the mean all that time.
// Without them a player who wins all but 1 % of the pairs is missed
// more often than alpha allows (TestSequenceHoldsAtAllLooks).
// The addition fades as 1/n.
func (s Sequence) variance(x sample) float64 {
	return x.widened(2 * math.Log(2/s.Alpha))
}

// rho2 returns the rho^2 with the smallest margin at n = Tightest.
// The derivative by u vanishes where y - log y = 1 - 2 log alpha
// with y = u + 1, so y = -W(-alpha^2/e) on Lambert's lower branch.
// Newton's iteration has converged to the last digit after 4 steps for every alpha below 1/2.
func (s Sequence) rho2() float64 {
	c := 1 - 2*math.Log(s.Alpha)
	y := c
	for range 6 {
		y -= (y - c - math.Log(y)) / (1 - 1/y)
	}
	return (y - 1) / float64(s.Tightest)
}
