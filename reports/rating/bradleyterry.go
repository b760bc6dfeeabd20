package rating

import (
	"fmt"
	"math"
	"selfplaylab/reports/text"
	"slices"
)

// BradleyTerry rates all players of a tournament together.
//
// The model is that of Bradley and Terry with the draws of Davidson ("On
// extending the Bradley-Terry model to accommodate ties in paired comparison
// experiments", JASA 65, 1970) and an advantage h of moving first that adds
// to strength (after Davidson and Beaver, Biometrics 33, 1977).
// With d = strength of the first player - strength of the second + h,
//
//	win : draw : loss of the first player = e^(d/2) : v : e^(-d/2).
//
// Davidson's draws are preferred to Rao and Kupper's for three reasons: a draw counts exactly
// as half a win and half a loss, so the points alone determine the strengths; the likelihood
// is concave; and it fits best of the models that Shawul and Coulom compared on games between
// chess programs ("Paired comparisons with ties: modeling game outcomes in chess", 2013).
//
// Ratings are in Elo on the scale of expected scores: strengths are multiplied
// by 400/ln 10 and by 2/(2 + v), the share of decisive games between equals.
// Near equality a difference then means the score of function Score.
// The agreement is exact at any difference when v is 0 or 2.
// Bare strengths compare wins with losses only.
//
// The covariance allows for the dependence of the two games of a pair: it is the
// sandwich estimate with pairs as clusters (Liang and Zeger, Biometrika 73, 1986).
// The share of each two players is drawn towards the model's
// by two pairs, so that few pairs do not look like certainty.
type BradleyTerry struct {
	// Anchor names the player with rating 0.
	// All errors are then relative to this player.
	// With "" the mean of all ratings is 0.
	Anchor string

	// Prior is the weight, in games, of the belief that players are alike.
	// Each player counts as having scored half of these games against an average player;
	// as many games count as without an advantage of moving first, half of them drawn.
	// 0 is no prior; 1 or 2 change little.
	// With a prior every tournament has ratings, also
	// with perfect scores and with players who never met.
	Prior float64
}

// Fit rates the players. It returns an error if the results do not determine the ratings: some
// players never lost a point to the others, or the advantage or the draws cannot be separated
// from the strengths. A Prior prevents both. t is not changed.
func (b BradleyTerry) Fit(t *Tournament) (*Ratings, error) {
	anchor, err := b.check(t)
	if err != nil {
		return nil, err
	}
	f := newFit(b.Prior, t)
	if b.Prior == 0 {
		// Without a path of points between all players there is no maximum.
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
