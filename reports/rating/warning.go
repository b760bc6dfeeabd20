package rating

import (
	"fmt"
	"slices"
	"strings"
)

// warnings are the reasons to read a number with care. The zero value is none.
type warnings uint8

// The warnings. fewPointsWarning is found by BradleyTerry.Fit, the others by the
// functions that make an Estimate.
const (
	// tooFew: fewer than MinSample pairs or games.
	tooFew warnings = 1 << iota
	// noIntervalYet: fewer pairs than a Sequence has an interval for.
	noIntervalYet
	// allAlike: every pair or game had the same result.
	allAlike
	// sparse: fewer than minUnlike pairs or games, but some, had another result
	// than the commonest.
	sparse
	// oneSided: an end of the interval, or the Elo itself, is cut at MaxElo.
	oneSided
	// fewPointsWarning: the player won, or lost, fewer than fewPoints games, and fewer than
	// uneven of those not drawn, so the interval of a joint Rating covers less than it says.
	fewPointsWarning
)

// warningNames are the warnings' text forms, in the order of the constants.
var warningNames = []string{"too-few", "no-interval-yet", "all-alike", "sparse", "one-sided", "few-points"}

// minUnlike is the number of results unlike the commonest below which an
// estimate is marked sparse: the spread then rests on a handful of results.
const minUnlike = 5

// fewPoints is the number of games won, or lost, below which a joint rating's interval is
// not to be trusted. The likelihood is then lopsided and the interval is not: two players
// 520 Elo apart who never draw are covered in 84 % where 95 % is said after 60 pairs, when
// the weaker has some 6 points, and in 94 to 96 % after 200. Where half the games are drawn
// and the others won by one of the two, the fit cannot tell how likely draws are between
// equals: 60 % are covered after 35 pairs, and 1 % after 100. Pairs as few as 8 do no harm
// between near equals.
const fewPoints = 10

// uneven is the share of the games not drawn below which a player has few of them won, or lost.
const uneven = 0.2

// Has reports whether one of these warnings is in the set.
func (s warnings) Has(w warnings) bool { return s&w != 0 }

// String lists the names, such as "too-few,all-alike".
func (w warnings) String() string {
	var list []string
	for i, name := range warningNames {
		if w.Has(1 << i) {
			list = append(list, name)
		}
	}
	return strings.Join(list, ",")
}

// MarshalText returns String.
func (w warnings) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads what String writes; an empty text is no warning.
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
