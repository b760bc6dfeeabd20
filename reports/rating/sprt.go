package rating

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"selfplaylab/reports/text"
)

// MaxBound is the largest Elo bound of an SPRT, and maxGap the largest distance between its bounds.
// Beyond them a test ends after so few pairs that no error rate can be promised.
const (
	MaxBound = 400
	maxGap   = 200
)

// SPRT is a sequential probability ratio test of H0, "A is at
// most Elo0 better", against H1, "A is at least Elo1 better".
//
// It is the generalised test (GSPRT): the other parameters of the results'
// distribution have their maximum likelihood estimates under each hypothesis.
// (Van den Bergh, "The generalized maximum likelihood ratio for the expectation
// value of a distribution" and "Normalized Elo, practical", cantate.be/Fishtest;
// Li, Liu and Ying, "Generalized sequential probability ratio test for separate
// families of hypotheses", Sequential Analysis 33, 2014.)
//
// The error rates hold for results taken in schedule order, one pair at a time.
// Taking games as they finish favours results of short games.
type SPRT struct {
	Model Model   `json:"model"` // unit of the bounds
	Elo0  float64 `json:"elo0"`  // bound of H0
	Elo1  float64 `json:"elo1"`  // bound of H1, above Elo0
	Alpha float64 `json:"alpha"` // probability of accepting H1 when A is Elo0 better; 0 means 0.05
	Beta  float64 `json:"beta"`  // probability of accepting H0 when A is Elo1 better; 0 means 0.05
}

// check returns an error that names the wrong setting and gives a right one.
func (s SPRT) check() error {
	s = s.withDefaults()
	switch gap := s.Elo1 - s.Elo0; {
	case s.Model != Logistic && s.Model != Normalized:
		return fmt.Errorf("unknown model %d: want Logistic or Normalized", s.Model)
	case !(math.Abs(s.Elo0) <= MaxBound && math.Abs(s.Elo1) <= MaxBound):
		return fmt.Errorf("bounds elo0=%v elo1=%v: want both between -%d and %d", s.Elo0, s.Elo1, MaxBound, MaxBound)
	case gap == 0:
		return fmt.Errorf("bounds elo0=%v and elo1=%v are equal: nothing to tell apart, want elo0 < elo1, such as elo0=0 elo1=5", s.Elo0,
			s.Elo1)
	case gap < 0:
		return fmt.Errorf("bounds elo0=%v elo1=%v are reversed: want elo0 < elo1", s.Elo0, s.Elo1)
	case gap < 0.01:
		return fmt.Errorf("bounds elo0=%v elo1=%v are only %.2g Elo apart and the test would hardly ever end: want 0.01 or more", s.Elo0,
			s.Elo1, gap)
	case gap > maxGap:
		return fmt.Errorf("bounds elo0=%v elo1=%v are too far apart for the error rates to hold: want at most %d Elo", s.Elo0, s.Elo1,
			maxGap)
	case !(s.Alpha > 0 && s.Alpha < 0.5):
		return fmt.Errorf("alpha=%v: want between 0 and 0.5, such as 0.05", s.Alpha)
	case !(s.Beta > 0 && s.Beta < 0.5):
		return fmt.Errorf("beta=%v: want between 0 and 0.5, such as 0.05", s.Beta)
	}
	return nil
}

// withDefaults returns s with its defaults filled in.
func (s SPRT) withDefaults() SPRT {
	s.Alpha, s.Beta = cmp.Or(s.Alpha, 0.05), cmp.Or(s.Beta, 0.05)
	return s
}

// wald returns Wald's bounds of the log-likelihood ratio: ln(beta/(1-alpha)) and
// ln((1-beta)/alpha). Other tools quote these; bounds returns tighter guarantees. (Wald,
// "Sequential Analysis", 1947.)
func (s SPRT) wald() (lower, upper float64) {
	s = s.withDefaults()
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// bounds returns the bounds after n observations.
// They start from ln beta and ln 1/alpha, which keep each error
// rate at or below alpha or beta by itself (Ville's inequality).
// Wald's bounds promise the sum of both only: with many
// draws one of the rates does reach alpha/(1-beta).
// The bounds are then
//
//   - widened by the factor 1 + 2/n, because the rest of the distribution is estimated from the same n observations;
//   - narrowed by the mean overshoot, by half the bound at most, so that the walk does not stop too late (as in
//     fishtest).
//
// TestSPRTKeepsErrorRates simulates the error rates.
func (s SPRT) bounds(n int, r ratio) (lower, upper float64) {
	allow := allowance(float64(n))
	low, high := float64(math.Log(s.Beta)*allow), float64(-math.Log(s.Alpha)*allow)
	up, down := r.overshoot()
	return low + min(down, -low/2), high - min(up, high/2)
}

// allowance returns the factor by which bounds are widened after n observations.
func allowance(n float64) float64 { return 1 + 2/n }

// State is the decision of a test so far.
type State int8

// The states.
const (
	AcceptH0 State = iota - 1
	Continue
	AcceptH1
)

// String returns "H0", "continue" or "H1".
func (s State) String() string { return [...]string{"H0", "continue", "H1"}[s+1] }

// MarshalText returns the text of String, for JSON.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Progress is the state of an SPRT after some pairs.
type Progress struct {
	Test  SPRT    `json:"test"`  // with its defaults filled in
	N     int     `json:"n"`     // observations so far
	Unit  string  `json:"unit"`  // "pair" or "game"
	LLR   float64 `json:"llr"`   // log-likelihood ratio of H1 to H0
	Lower float64 `json:"lower"` // H0 is accepted at or below it
	Upper float64 `json:"upper"` // H1 is accepted at or above it
	State State   `json:"state"` // decision so far
}

// PairsToEnd returns the approximate total number of pairs at which H1 is accepted if the ratio
// keeps rising at its mean rate. It is 0 if the test has ended or the ratio is not above 0.
func (p *Progress) PairsToEnd() int {
	if p.State != Continue || !(p.LLR > 0) {
		return 0
	}
	return int(min(math.Ceil(float64(p.N)*p.Upper/p.LLR), maxPlanned))
}

// Pairs returns the state of the test after these pairs, the first ones in schedule order. A
// caller who looks after every pair must stop at the first State other than Continue. It panics
// if check fails.
func (s SPRT) Pairs(p Pairs) Progress { return s.progress(p[:], "pair") }

// progress returns the state of the test after these observations. It panics if check fails.
func (s SPRT) progress(counts []int, unit string) Progress {
	if err := s.check(); err != nil {
		panic("rating: " + err.Error())
	}
	s = s.withDefaults()
	m := newMultinomial(counts)
	at := Progress{Test: s, N: m.n, Unit: unit, Lower: math.Log(s.Beta), Upper: -math.Log(s.Alpha)}
	if at.N == 0 {
		return at
	}
	r := m.ratio(s.Model, s.Elo0, s.Elo1)
	at.LLR = r.sum
	at.Lower, at.Upper = s.bounds(at.N, r)
	switch {
	case at.LLR >= at.Upper:
		at.State = AcceptH1
	case at.LLR <= at.Lower:
		at.State = AcceptH0
	}
	return at
}

// String returns text such as "LLR 1.23 in -2.99..2.98, 1,234 pairs".
func (p Progress) String() string {
	return fmt.Sprintf("LLR %s in %.2f..%.2f, %s", text.Fixed(p.LLR, 2), p.Lower, p.Upper, text.Plural(p.N, p.Unit))
}

// Bounds explains bounds that print differently from Wald's, which people know from other tools
// (±2.94 at 5 %). It returns "" if they print alike.
func (p Progress) Bounds() string {
	lower, upper := p.Test.wald()
	if near := func(x, y float64) bool { return math.Abs(x-y) < 0.005 }; near(lower, p.Lower) && near(upper, p.Upper) {
		return ""
	}
	line := fmt.Sprintf("The test ends at %.2f and %.2f rather than at Wald's %.2f and %.2f: each error rate is kept by itself, not only "+
		"their sum", p.Lower, p.Upper, lower, upper)
	if p.N > 0 {
		line += fmt.Sprintf(", with an allowance for what is estimated from the same %s and for how far the ratio jumps past a bound",
			text.Plural(p.N, p.Unit))
	}
	return line + "."
}

// Verdict returns the conclusion of the test about A in words, with the numbers.
func (p Progress) Verdict() string {
	h0 := EloText(p.Test.Elo0) + " Elo or less"
	h1 := EloText(p.Test.Elo1) + " Elo or more"
	if p.Test.Model == Normalized {
		h0, h1 = "normalized "+h0, "normalized "+h1
	}
	switch p.State {
	case AcceptH1:
		return fmt.Sprintf("passed: %s accepted against %s, wrong in %s at most (%v)", h1, h0, text.Level(p.Test.Alpha), p)
	case AcceptH0:
		return fmt.Sprintf("failed: %s accepted against %s, wrong in %s at most (%v)", h0, h1, text.Level(p.Test.Beta), p)
	}
	return fmt.Sprintf("undecided between %s and %s (%v)", h0, h1, p)
}

// ParseSPRT reads "elo0=0,elo1=5" with any of alpha=0.05,
// beta=0.05 and model=logistic or model=normalized.
// It returns an error for a setting that is unknown, set twice, missing or out of range.
func ParseSPRT(text string) (SPRT, error) {
	const want = "want elo0=N,elo1=N with any of alpha=P, beta=P, model=logistic|normalized"
	var s SPRT
	seen := map[string]bool{}
	for field := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(field), "=")
		if !ok {
			return SPRT{}, fmt.Errorf("sprt %q: %q is not name=value: %s", text, field, want)
		}
		if seen[key] {
			return SPRT{}, fmt.Errorf("sprt %q: %s is set twice", text, key)
		}
		seen[key] = true
		if err := s.set(key, value); err != nil {
			return SPRT{}, fmt.Errorf("sprt %q: %w: %s", text, err, want)
		}
	}
	if !seen["elo0"] || !seen["elo1"] {
		return SPRT{}, fmt.Errorf("sprt %q: elo0 or elo1 is missing: %s", text, want)
	}
	return s.withDefaults(), s.check()
}

// set sets the named setting from its text.
func (s *SPRT) set(key, value string) error {
	if key == "model" {
		return s.Model.UnmarshalText([]byte(value))
	}
	target := map[string]*float64{"elo0": &s.Elo0, "elo1": &s.Elo1, "alpha": &s.Alpha, "beta": &s.Beta}[key]
	if target == nil {
		return fmt.Errorf("unknown setting %q", key)
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return fmt.Errorf("%s=%q is not a number", key, value)
	}
	if x == 0 && (key == "alpha" || key == "beta") {
		return fmt.Errorf("%s=0 would never decide", key)
	}
	*target = x
	return nil
}

// String returns the form that ParseSPRT reads, with all settings.
func (s SPRT) String() string {
	s = s.withDefaults()
	return fmt.Sprintf("elo0=%v,elo1=%v,alpha=%v,beta=%v,model=%v", s.Elo0, s.Elo1, s.Alpha, s.Beta, s.Model)
}
