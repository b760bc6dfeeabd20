package rating

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
)

// warning is a reason to read a number with care.
type warning uint8

// The warnings. Those up to oneSided are found by the functions that make an
// Estimate, fewPointsWarning by BradleyTerry.Fit. Only a caller can know the others,
// and adds them with Estimate.Warn.
const (
	// tooFew: fewer than MinSample pairs or games.
	tooFew warning = iota
	// noIntervalYet: fewer pairs than a Sequence has an interval for.
	noIntervalYet
	// allAlike: every pair or game had the same result.
	allAlike
	// sparse: fewer than minUnlike pairs or games, but some, had another result
	// than the commonest.
	sparse
	// oneSided: an end of the interval, or the Elo itself, is cut at MaxElo.
	oneSided
	// fewPointsWarning: the player or all its opponents together scored fewer than
	// fewPoints points, so the interval of a joint Rating covers less than it says.
	fewPointsWarning
	// repeatedOpenings: openings came more than once, so pairs are fewer
	// observations than they seem.
	repeatedOpenings
	// stoppedEarly: the match ended when a sequential test decided, which an
	// interval for a fixed length does not allow for.
	stoppedEarly

	warningKinds // how many there are
)

// minUnlike is the number of results unlike the commonest below which an
// estimate is marked sparse: the spread then rests on a handful of results.
const minUnlike = 5

// fewPoints is the number of points, the player's or its opponents', below which
// a joint rating's interval is not to be trusted. The likelihood is then lopsided
// and the interval is not: two players 520 Elo apart who never draw are covered in
// 84 % where 95 % is said after 60 pairs, when the weaker has some 6 points, and in
// 94 to 96 % after 200. Pairs as few as 8 do no harm between near equals.
const fewPoints = 10

// words are the warnings' text forms and sentences, in their order.
var words = [warningKinds]struct{ name, sentence string }{
	tooFew:        {"too-few", fmt.Sprintf("There are fewer than %d results, too few to rely on.", MinSample)},
	noIntervalYet: {"no-interval-yet", "There are too few games yet for an interval that may be looked at at any time."},
	allAlike: {"all-alike",
		"All results are alike, so how much they vary is not known: the interval is that of results that could still turn up."},
	sparse: {"sparse", fmt.Sprintf("Fewer than %d results differ from the commonest, so the estimate rests on a handful of them.",
		minUnlike)},
	oneSided: {"one-sided", "One side wins nearly always; a match cannot tell how far beyond 1200 Elo it is."},
	fewPointsWarning: {"few-points",
		fmt.Sprintf("One side scored fewer than %d points, so the interval is too narrow: where it says 95 %%, simulated tournaments gave 84 "+
			"to 92 %%.", fewPoints)},
	repeatedOpenings: {"repeated-openings", "Openings were played more than once, so the intervals are too narrow."},
	stoppedEarly: {"stopped-early",
		"The match stopped as soon as a test decided, which biases its Elo estimate away from zero; the test's verdict is not affected."},
}

// String returns the warning's name, such as "too-few".
func (w warning) String() string {
	if w >= warningKinds {
		return fmt.Sprintf("warning-%d", uint8(w))
	}
	return words[w].name
}

// Sentence says what to be careful about, in a whole sentence.
func (w warning) Sentence() string {
	if w >= warningKinds {
		return w.String()
	}
	return words[w].sentence
}

// MarshalText returns the warning's name.
func (w warning) MarshalText() ([]byte, error) {
	if w >= warningKinds {
		return nil, fmt.Errorf("%v has no name", w)
	}
	return []byte(w.String()), nil
}

// UnmarshalText reads a warning's name.
func (w *warning) UnmarshalText(text []byte) error {
	for i := range words {
		if words[i].name == string(text) {
			*w = warning(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no warning: want one of %v", text, warnings(1<<warningKinds-1))
}

// warnings is a set of warnings. The zero value is empty.
type warnings uint16

// With returns the set with more warnings in it.
func (s warnings) With(more ...warning) warnings {
	for _, w := range more {
		s |= 1 << w
	}
	return s
}

// Has reports whether a warning is in the set.
func (s warnings) Has(w warning) bool { return s>>w&1 == 1 }

// Len returns the number of warnings.
func (s warnings) Len() int { return bits.OnesCount16(uint16(s)) }

// All returns the warnings in the order of the constants.
func (s warnings) All() iter.Seq[warning] {
	return func(yield func(warning) bool) {
		for w := range warningKinds {
			if s.Has(w) && !yield(w) {
				return
			}
		}
	}
}

// Sentences returns a sentence for each warning, in the order of the constants.
func (s warnings) Sentences() []string {
	var list []string
	for w := range s.All() {
		list = append(list, w.Sentence())
	}
	return list
}

// String lists the names, such as "too-few,all-alike".
func (s warnings) String() string {
	var list []string
	for w := range s.All() {
		list = append(list, w.String())
	}
	return strings.Join(list, ",")
}

// MarshalText returns String.
func (s warnings) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what String writes; an empty text is no warning.
func (s *warnings) UnmarshalText(text []byte) error {
	var read warnings
	for name := range strings.SplitSeq(string(text), ",") {
		var w warning
		if name == "" && len(text) == 0 {
			break
		}
		if err := w.UnmarshalText([]byte(name)); err != nil {
			return err
		}
		read = read.With(w)
	}
	*s = read
	return nil
}
