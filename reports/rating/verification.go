package rating

import "fmt"

// Verification watches a match that should show whether A is better.
// It looks by a Sequence and may give up early where a worthwhile gain is out of reach.
// All settings must be fixed before the first look.
// Giving up can only make "better" rarer, so the Sequence's promise still
// holds: "better" and "worse" are wrong with probability Alpha at most.
type Verification struct {
	Sequence Sequence // looks by this sequence
	// Most is the number of pairs after which the match ends. 0 means no end; Power must then be 0.
	Most int
	// MinGain is the least worthwhile gain in logistic Elo, above 0.
	// The match ends when the interval excludes it, and Power refers to it.
	// 0 means never to give up.
	MinGain float64
	// Power is the conditional power below which the match is given up: the chance of being
	// shown better by pair Most if A is truly MinGain better, given the pairs so far.
	// Giving up below g raises the chance of missing such a gain from b to b/(1
	// - g) at most (Lan, Simon and Halperin, "Stochastically curtailed tests in
	// long-term clinical trials", Communications in Statistics C
	// 1, 1982). 0 turns the rule off; the common value is 0.1.
	Power float64
}

// outcome is the decision of a Verification so far.
type outcome uint8

// The outcomes. All but Undecided end the match.
const (
	Undecided    outcome = iota // continue
	better                      // the interval lies above 1/2
	worse                       // the interval lies below 1/2
	GainTooSmall                // the interval excludes MinGain
	Hopeless                    // the conditional power is below Power
	Exhausted                   // Most pairs are played without a decision
)

var outcomes = [...]string{"undecided", "better", "worse", "gain-too-small", "hopeless", "exhausted"}

// String returns the outcome's name, such as "gain-too-small".
func (o outcome) String() string { return outcomes[o] }

// MarshalText returns the outcome's name.
func (o outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// look is the result of one look at a verification.
type look struct {
	Outcome  outcome  `json:"outcome"`
	Estimate Estimate `json:"estimate"`
	// Power is the conditional power, in 0..1; it is 1 if the rule is off.
	Power   float64 `json:"power"`
	MinGain float64 `json:"min_gain"`
}

// check returns an error that names the wrong setting and gives a right one.
func (v Verification) check() error {
	switch {
	case v.Most < 0:
		return fmt.Errorf("a verification of at most %d pairs: want a positive number, or 0 for no end", v.Most)
	case !(v.MinGain >= 0 && v.MinGain <= MaxBound):
		return fmt.Errorf("the least gain worth showing is %v Elo: want 0 for none, or up to %d", v.MinGain, MaxBound)
	case !(v.Power >= 0 && v.Power < 0.5):
		return fmt.Errorf("a verification is given up below a conditional power of %v: want at least 0 and below 0.5, such as 0.1", v.Power)
	case v.Power > 0 && (v.MinGain == 0 || v.Most == 0):
		return fmt.Errorf("a conditional power requires a least gain and a last pair")
	}
	return v.Sequence.check()
}

// At returns the state of the verification after these pairs, the first ones in schedule order.
// It panics if check fails.
func (v Verification) At(p Pairs) look {
	if err := v.check(); err != nil {
		panic("rating: " + err.Error())
	}
	l := look{Estimate: v.Sequence.Estimate(p), Power: 1, MinGain: v.MinGain}
	interval := !l.Estimate.Warnings.Has(noIntervalYet)
	if v.Power > 0 && interval {
		l.Power = v.conditionalPower(p.sample())
	}
	switch d := l.Estimate.Decided(); {
	case interval && d > 0:
		l.Outcome = better
	case interval && d < 0:
		l.Outcome = worse
	case interval && v.MinGain > 0 && l.Estimate.ScoreRange.High < Score(v.MinGain):
		l.Outcome = GainTooSmall
	case v.Most > 0 && p.N() >= v.Most:
		l.Outcome = Exhausted
	case l.Power < v.Power:
		l.Outcome = Hopeless
	}
	return l
}

// conditionalPower returns the probability that the lower end of the interval rises above 1/2
// between now and pair Most if A is MinGain better. The points above 1/2 are approximated by
// Brownian motion, and the bound they must cross, n times the margin, by its chord from now to
// the end. The bound is concave, so the chord is crossed too often, and the match is given up
// too late rather than too early. See passage.
func (v Verification) conditionalPower(x sample) float64 {
	left := float64(v.Most - x.n)
	if left <= 0 {
		return 0
	}
	s := v.Sequence.withDefaults()
	end := x
	end.n = v.Most
	now := float64(x.n)
	bound, last := float64(now*s.margin(x)), float64(float64(v.Most)*s.margin(end))
	away := bound - float64(now*(x.mean-0.5))
	if away <= 0 {
		return 1
	}
	drift := Score(v.MinGain) - 0.5 - (last-bound)/left
	variance := s.variance(x)
	return min(1, passage(left, drift, variance, away))
}

// String returns the outcome in words, with the numbers.
func (l look) String() string {
	e := l.Estimate.String()
	switch l.Outcome {
	case better:
		return "better: " + e
	case worse:
		return "worse: " + e
	case GainTooSmall:
		return fmt.Sprintf("given up: a gain of %s Elo or more is excluded: %s", EloText(l.MinGain), e)
	case Hopeless:
		return fmt.Sprintf("given up: even a true gain of %s Elo would be shown with a chance of only %s: %s", EloText(l.MinGain),
			Chance(l.Power), e)
	case Exhausted:
		return "not shown to be better: " + e
	}
	return "undecided: " + e
}
