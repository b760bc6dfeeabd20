package rating

import (
	"fmt"
	"math"
	"selfplaylab/reports/text"
	"slices"
)

// BradleyTerry says how to rate all players of a tournament together.
//
// The model is that of Bradley and Terry with the draws of Davidson ("On
// extending the Bradley-Terry model to accommodate ties in paired comparison
// experiments", JASA 65, 1970) and an advantage h of moving first that adds to
// strength (after Davidson and Beaver, Biometrics 33, 1977). With d = strength of
// the first player - strength of the second + h,
//
//	win : draw : loss of the first player = e^(d/2) : v : e^(-d/2).
//
// Davidson's draws are preferred to Rao and Kupper's because a draw then counts
// exactly as half a win and half a loss (points are what the fit looks at), the
// likelihood is concave, and of the models Shawul and Coulom compared on games
// between chess programs ("Paired comparisons with ties: modeling game outcomes in
// chess", 2013) it fits best.
//
// Ratings are in Elo on the scale of expected scores: strengths are multiplied
// by 400/ln 10 and by 2/(2 + v), the share of decisive games between equals, so
// that near equality a difference means the score that Score gives. (Exactly so at
// any difference when v is 0 or 2.) That agrees with Estimate; the bare
// strengths do not, they compare wins with losses only.
//
// The covariance allows for the dependence of the two games of a pair: it is the
// sandwich estimate with the pairs as clusters (Liang and Zeger, Biometrika 73,
// 1986), each two players' share drawn towards the model's own by two pairs so
// that few pairs do not look like certainty.
type BradleyTerry struct {
	// Anchor names the player whose rating is 0; all errors are then relative to that
	// player. "" puts the mean of all ratings there.
	Anchor string

	// Prior is the weight, in games, of the belief that players are alike: as if
	// each had scored half of that many games against an average player, and as many
	// games had shown no advantage of moving first and half draws. With it every
	// tournament has ratings, those with perfect scores and players who never
	// met included. 0 is none; 1 or 2 disturb little.
	Prior float64
}

// Fit rates the players. It is an error when the results do not determine the
// ratings: when some players never lost a point to the others, or when the
// advantage or the draws cannot be told from the strengths. A Prior prevents both.
func (b BradleyTerry) Fit(t *Tournament) (*Ratings, error) {
	anchor, err := b.check(t)
	if err != nil {
		return nil, err
	}
	f := newFit(b, t)
	if b.Prior == 0 {
		// What can be told about the existence of a maximum beforehand.
		if ahead, behind := t.split(); ahead != nil {
			return nil, fmt.Errorf("ratings are not determined: %s never lost a point to %s: %w", t.list(ahead), t.list(behind), errUndetermined)
		}
	}
	information, err := f.maximise()
	if err != nil {
		return nil, err
	}
	covariance, err := f.covariance(information)
	if err != nil {
		return nil, err
	}
	return newRatings(t, f, anchor, covariance), nil
}

// check returns the anchor's index, -1 for the mean.
func (b BradleyTerry) check(t *Tournament) (int, error) {
	switch {
	case len(t.names) < 2:
		return 0, fmt.Errorf("ratings of %s: want at least 2", text.Plural(len(t.names), "player"))
	case !(b.Prior >= 0) || math.IsInf(b.Prior, 0):
		return 0, fmt.Errorf("ratings: prior %v: want 0 for none or a number of games, such as 2", b.Prior)
	case b.Anchor == "":
		return -1, nil
	}
	i := slices.Index(t.names, b.Anchor)
	if i < 0 {
		return 0, fmt.Errorf("ratings: the anchor %q did not play: want one of %s", b.Anchor, t.list(nil))
	}
	return i, nil
}
