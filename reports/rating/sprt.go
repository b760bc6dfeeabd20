package rating

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"selfplaylab/reports/text"
)

// Model is the unit of an SPRT's bounds.
type Model uint8

// The models.
const (
	Logistic   Model = iota // logistic Elo: the score alone
	Normalized              // normalized Elo: the score in units of its deviation
)

// String returns "logistic" or "normalized".
func (m Model) String() string {
	if m == Normalized {
		return "normalized"
	}
	return "logistic"
}

// MaxBound is the largest Elo bound an SPRT takes, and maxGap the largest
// distance between its bounds: beyond them a test is over after so few pairs
// that no error rate can be promised.
const (
	MaxBound = 400
	maxGap   = 200
)

// MarshalText returns String, for JSON.
func (m Model) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads "logistic" or "normalized".
func (m *Model) UnmarshalText(text []byte) error {
	for _, model := range []Model{Logistic, Normalized} {
		if model.String() == string(text) {
			*m = model
			return nil
		}
	}
	return fmt.Errorf("unknown model %q: want logistic or normalized", text)
}

// SPRT is a sequential probability ratio test of H0, "A is at most Elo0 better",
// against H1, "A is at least Elo1 better". It is the generalised test (GSPRT):
// the other parameters of the results' distribution are replaced by their
// maximum likelihood estimates under each hypothesis. (Van den Bergh, "The
// generalized maximum likelihood ratio for the expectation value of a
// distribution" and "Normalized Elo, practical", cantate.be/Fishtest; Li, Liu
// and Ying, "Generalized sequential probability ratio test for separate
// families of hypotheses", Sequential Analysis 33, 2014.)
//
// The error rates hold for results consumed in schedule order, one pair at a
// time. Taking games as they finish favours whatever is decided by short games.
type SPRT struct {
	Model Model   `json:"model"`
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`  // above Elo0
	Alpha float64 `json:"alpha"` // chance of accepting H1 when A is Elo0 better; 0 means 0.05
	Beta  float64 `json:"beta"`  // chance of accepting H0 when A is Elo1 better; 0 means 0.05
}

// check returns an error that names what makes no sense and what would.
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

func (s SPRT) withDefaults() SPRT {
	s.Alpha, s.Beta = cmp.Or(s.Alpha, 0.05), cmp.Or(s.Beta, 0.05)
	return s
}

// wald returns Wald's bounds of the log-likelihood ratio, ln(beta/(1-alpha)) and
// ln((1-beta)/alpha): the ones usually quoted, which bounds improves on. (Wald,
// "Sequential Analysis", 1947.)
func (s SPRT) wald() (lower, upper float64) {
	s = s.withDefaults()
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// bounds returns the bounds after n observations. They are ln beta and
// ln 1/alpha, with which each error rate is at most alpha or beta by itself
// (Ville's inequality; Wald's bounds promise that of their sum only, and in
// draw-heavy matches one of the rates does reach alpha/(1-beta)),
//
//   - widened by the factor 1 + 2/n, since the rest of the distribution is
//     estimated from the same n observations;
//   - narrowed by the mean overshoot, as fishtest does, so that the walk is not
//     stopped too late: half the bound at most.
//
// Simulated on pairs of nine shapes with bounds 30 to 200 Elo apart, no error
// rate is above 5 % by more than its own uncertainty where 5 % is asked; with
// Wald's bounds some reach 5.9 %. It costs 1 % more pairs than those.
func (s SPRT) bounds(n int, r ratio) (lower, upper float64) {
	allow := allowance(float64(n))
	low, high := float64(math.Log(s.Beta)*allow), float64(-math.Log(s.Alpha)*allow)
	up, down := r.overshoot()
	return low + min(down, -low/2), high - min(up, high/2)
}

// allowance is the factor by which bounds are widened after n observations.
func allowance(n float64) float64 { return 1 + 2/n }

// State tells whether a test goes on.
type State int8

// The states.
const (
	AcceptH0 State = iota - 1
	Continue
	AcceptH1
)

// String returns "H0", "continue" or "H1".
func (s State) String() string { return [...]string{"H0", "continue", "H1"}[s+1] }

// MarshalText returns String, for JSON.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Progress is where an SPRT stands.
type Progress struct {
	Test  SPRT    `json:"test"`
	N     int     `json:"n"`
	Unit  string  `json:"unit"`  // "pair" or "game"
	LLR   float64 `json:"llr"`   // log-likelihood ratio of H1 to H0
	Lower float64 `json:"lower"` // H0 is accepted at or below it
	Upper float64 `json:"upper"` // H1 is accepted at or above it
	State State   `json:"state"`
}

// PairsToEnd returns about how many pairs in all accept H1, if they go on as they have gone so
// far; 0 where the test has ended or the ratio does not rise.
func (p *Progress) PairsToEnd() int {
	if p.State != Continue || !(p.LLR > 0) {
		return 0
	}
	return int(min(math.Ceil(float64(p.N)*p.Upper/p.LLR), maxPlanned))
}

// Pairs returns where the test stands after these pairs, the first ones in
// schedule order. Whoever calls it after every pair must stop at the first State
// that is not Continue. It panics where check fails.
func (s SPRT) Pairs(p Pairs) Progress { return s.progress(p[:], "pair") }

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
	r := m.ratio(s)
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

// String reads such as "LLR 1.23 in -2.99..2.98, 1,234 pairs".
func (p Progress) String() string {
	return fmt.Sprintf("LLR %s in %.2f..%.2f, %s", text.Fixed(p.LLR, 2), p.Lower, p.Upper, text.Plural(p.N, p.Unit))
}

// Bounds explains the bounds where they print otherwise than Wald's, which people
// know from other tools (±2.94 at 5 %); "" where they print alike.
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

// Verdict says in words what the test shows about A, with the numbers.
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

// walk returns the Brownian motion that the ratio is taken for. Its variance is twice the
// drift at either hypothesis, so that the chances of an end are those of the test, and its
// bounds are those after as many pairs as it takes.
func (s SPRT) walk(elo, variance float64) walk {
	if err := s.check(); err != nil {
		panic("rating: " + err.Error())
	}
	if !(variance > 0 && variance <= 0.25) {
		panic(fmt.Sprintf("rating: variance %v of a pair's mean score, want above 0 and at most 1/4", variance))
	}
	s = s.withDefaults()
	score := Score
	if s.Model == Normalized {
		score = func(nelo float64) float64 { return 0.5 + float64(nelo/normalizedUnit*math.Sqrt(2*variance)) } // see normalizedElo
	}
	s0, s1, x := score(s.Elo0), score(s.Elo1), score(elo)
	drift := math.Log((variance+float64((x-s0)*(x-s0)))/(variance+float64((x-s1)*(x-s1)))) / 2
	w := walk{drift, math.Log1p((s1 - s0) * (s1 - s0) / variance), math.Log(s.Beta), -math.Log(s.Alpha)}
	mean, _ := brownian(w.drift, w.variance, w.low, w.high)
	w.low, w.high = w.low*allowance(mean), w.high*allowance(mean)
	return w
}

// brownian returns the mean time at which Brownian motion from 0 leaves
// low..high, and the chance that it leaves upwards.
func brownian(drift, variance, low, high float64) (time, up float64) {
	k := 2 * drift / variance
	if k < 0 { // mirrored, so that nothing overflows
		time, up = brownian(-drift, variance, -high, -low)
		return time, 1 - up
	}
	if k*(high-low) < 1e-6 {
		return -low * high / variance, -low / (high - low)
	}
	up = math.Expm1(k*low) / math.Expm1(k*(low-high))
	return (float64(up*high) + float64((1-up)*low)) / drift, up
}

// ParseSPRT reads "elo0=0,elo1=5" with any of alpha=0.05, beta=0.05 and
// model=logistic or model=normalized, and checks it.
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

// String returns what ParseSPRT reads.
func (s SPRT) String() string {
	s = s.withDefaults()
	return fmt.Sprintf("elo0=%v,elo1=%v,alpha=%v,beta=%v,model=%v", s.Elo0, s.Elo1, s.Alpha, s.Beta, s.Model)
}
