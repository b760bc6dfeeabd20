package rating

import (
	"fmt"
	"slices"
	"strings"
)

// warnings is a set of reasons to read a number with care. The zero value is empty.
type warnings uint8

// The warnings.
// BradleyTerry.Fit gives fewPointsWarning, and the functions that make an Estimate all others.
const (
	// tooFew: fewer than MinSample pairs or games.
	tooFew warnings = 1 << iota
	// noIntervalYet: fewer pairs than MinSequence.
	noIntervalYet
	// allAlike: every pair or game had the same result.
	allAlike
	// sparse: fewer than minUnlike pairs or games, but some, had another result than the commonest.
	sparse
	// oneSided: an end of the interval, or the Elo itself, is cut at MaxElo.
	oneSided
	// fewPointsWarning: the player won, or lost, fewer than fewPoints games, and less than a share
	// uneven of the decided ones, so the interval of a joint Rating covers less often than it says.
	fewPointsWarning
)

// warningNames are the warnings' text forms, in the order of the constants.
var warningNames = []string{"too-few", "no-interval-yet", "all-alike", "sparse", "one-sided", "few-points"}

// minUnlike is the number of results unlike the commonest below which an estimate
// has the warning sparse: the spread then rests on a handful of results.
const minUnlike = 5

// fewPoints is the number of games won, or lost, below which a joint rating's
// interval is unreliable: the likelihood is lopsided and the interval is not.
// Where half the games are drawn and one player wins the others,
// the fit cannot even tell the rate of draws between equals.
// Near equality few games do no harm.
// TestFewPointsWarnsOfLopsidedResults has the cases.
const fewPoints = 10

// uneven is the share of the decided games below which a player has won, or lost, few of them.
const uneven = 0.2

// Has reports whether the set contains one of these warnings.
func (w warnings) Has(any warnings) bool { return w&any != 0 }

// String returns the names, such as "too-few,all-alike".
func (w warnings) String() string {
	var list []string
	for i, name := range warningNames {
		if w.Has(1 << i) {
			list = append(list, name)
		}
	}
	return strings.Join(list, ",")
}

// MarshalText returns the text of String.
func (w warnings) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the form of String. An empty text is the empty set.
func (w *warnings) UnmarshalText(text []byte) error {
	*w = 0
	if len(text) == 0 {
		return nil
	}
	for name := range strings.SplitSeq(string(text), ",") {
		i := slices.Index(warningNames, name)
		if i < 0 {
			return fmt.Errorf("%q is no warning: want one of %v", name, warningNames)
		}
		*w |= 1 << i
	}
	return nil
}

// few reports whether the sample variance is too weak to be used.
func (w warnings) few() bool { return w.Has(tooFew | noIntervalYet | allAlike) }
