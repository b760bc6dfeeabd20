package rating

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"selfplaylab/reports/text"

	"gonum.org/v1/gonum/mat"
)

// Rating is the result of one player. Elo, SE and intervals are relative to the anchor.
type Rating struct {
	Name  string  `json:"name"`  // as given to NewTournament
	Elo   float64 `json:"elo"`   // 0 for the anchor
	SE    float64 `json:"se"`    // standard error, 0 for the anchor itself
	Games int     `json:"games"` // number of games, in pairs or not
	Score float64 `json:"score"` // mean score over all games, 1/2 without any

	Warnings warnings `json:"warnings"` // reasons why the numbers are weak
}

// Interval returns the normal interval of the rating. level is the confidence, such as 0.95.
func (r Rating) Interval(level float64) Interval {
	d := float64(quantile(level) * r.SE)
	return Interval{r.Elo - d, r.Elo + d}
}

// Student returns Student's interval, cut at MaxElo, for errors that were estimated from few
// openings (see [Tournament.AddShared]). level is the confidence.
func (r Rating) Student(level float64, openings int) Interval {
	d := float64(r.SE * Student(openings, level))
	return Interval{max(r.Elo-d, -MaxElo), min(r.Elo+d, MaxElo)}
}

// FewPoints reports whether the player won, or lost, so
// few games that Interval covers less often than it says.
func (r Rating) FewPoints() bool { return r.Warnings.Has(fewPointsWarning) }

// Ratings holds the ratings of a tournament's players, in the order of their names.
type Ratings struct {
	Players []Rating // in the order of the tournament's names

	// Advantage is the advantage of moving first, in Elo, and AdvantageSE its standard error.
	Advantage, AdvantageSE float64

	// DrawRate is the probability of a draw between equal players without an advantage.
	DrawRate float64

	fit        *jointFit
	covariance *mat.SymDense
}

// newRatings converts the fitted strengths and their covariance to Elo.
func newRatings(t *Tournament, f *jointFit, anchor int, covariance *mat.Dense) *Ratings {
	n := f.players
	r := &Ratings{Players: make([]Rating, n), fit: f}
	v := math.Exp(f.logDraw())
	r.DrawRate = v / (2 + v)
	unit := float64(400 / math.Ln10 * (1 - r.DrawRate))
	zero := f.zero(anchor)
	origin := 0.0
	for i, w := range zero {
		origin += float64(w * f.x[i])
	}
	// Rows of the Jacobian are the players' Elo, then the advantage.
	jacobian := mat.NewDense(n+1, len(f.x), nil)
	byDraw := -unit * r.DrawRate // derivative of unit by log v
	for i := range n {
		for j, w := range zero {
			jacobian.Set(i, j, -float64(unit*w))
		}
		jacobian.Set(i, i, jacobian.At(i, i)+unit)
		r.Players[i] = Rating{Name: t.names[i], Elo: float64(unit * (f.x[i] - origin)), Score: 0.5}
		if f.draws >= 0 {
			jacobian.Set(i, f.draws, byDraw*(f.x[i]-origin))
		}
	}
	r.Advantage = unit * f.x[f.advantage]
	jacobian.Set(n, f.advantage, unit)
	if f.draws >= 0 {
		jacobian.Set(n, f.draws, byDraw*f.x[f.advantage])
	}
	r.covariance = propagate(jacobian, covariance)
	for i := range n {
		r.Players[i].SE = deviation(r.covariance.At(i, i))
	}
	if anchor >= 0 {
		r.Players[anchor].SE = 0
	}
	r.AdvantageSE = deviation(r.covariance.At(n, n))
	r.addScores(t)
	return r
}

// zero returns weights of the players' strengths.
// The weighted sum is the origin of the Elo scale: the
// anchor's strength, or the mean without an anchor.
func (j *jointFit) zero(anchor int) []float64 {
	w := make([]float64, j.players)
	for i := range w {
		if anchor < 0 {
			w[i] = 1 / float64(j.players)
		} else if i == anchor {
			w[i] = 1
		}
	}
	return w
}

// propagate returns J C J^T, made symmetric.
func propagate(jacobian, covariance *mat.Dense) *mat.SymDense {
	rows, _ := jacobian.Dims()
	var half, full mat.Dense
	half.Mul(jacobian, covariance)
	full.Mul(&half, jacobian.T())
	sym := mat.NewSymDense(rows, nil)
	for i := range rows {
		for j := i; j < rows; j++ {
			sym.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return sym
}

// deviation returns the root of a variance that rounding may have made negative.
func deviation(variance float64) float64 { return math.Sqrt(max(0, variance)) }

// addScores sets the players' games, scores and warnings.
func (r *Ratings) addScores(t *Tournament) {
	all := make([]Games, len(r.Players))
	for _, c := range t.sorted() {
		g := t.Games(c.x, c.y)
		all[c.x] = all[c.x].Plus(g)
		all[c.y] = all[c.y].Plus(g.reversed())
	}
	for i, g := range all {
		p := &r.Players[i]
		p.Games, p.Score = g.N(), g.Score()
		few, decided := float64(min(g.Wins, g.Losses)), float64(g.Wins+g.Losses)
		if g.N() > 0 && few < fewPoints && few < max(1, uneven*decided) {
			p.Warnings |= fewPointsWarning
		}
	}
}

// Ranking returns the players' indices from the strongest to the weakest.
// Ratings equal to a millionth of an Elo are ordered by name, because
// smaller differences are rounding, which differs between processors.
func (r *Ratings) Ranking() []int {
	order := make([]int, len(r.Players))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := r.Players[a], r.Players[b]
		return cmp.Or(cmp.Compare(math.Round(1e6*y.Elo), math.Round(1e6*x.Elo)), cmp.Compare(x.Name, y.Name))
	})
	return order
}

// Difference returns player i's rating less player j's,
// in Elo, and the standard error of this difference.
func (r *Ratings) Difference(i, j int) (elo, se float64) {
	if i == j {
		return 0, 0
	}
	c := r.covariance
	return r.Players[i].Elo - r.Players[j].Elo, deviation(c.At(i, i) + c.At(j, j) - float64(2*c.At(i, j)))
}

// Expected returns the fitted score of player i against player j if neither moves first, and
// its Elo. It differs from Difference if draws stretch the scale: see BradleyTerry.
func (r *Ratings) Expected(i, j int) (score, elo float64) {
	c := r.fit.chances(r.fit.x[i] - r.fit.x[j])
	return c.score(), eloOf(c.score())
}

// PairScore returns the fitted score of player i against
// player j in pairs of games, in which each moves first once.
func (r *Ratings) PairScore(i, j int) float64 {
	first := r.fit.chances(r.fit.difference(i, j))
	second := r.fit.chances(r.fit.difference(j, i))
	return (1 + first.score() - second.score()) / 2
}

// Superiority returns the matrix of the chances that player
// i is stronger than player j, by the normal approximation.
// The diagonal is 1/2.
func (r *Ratings) Superiority() [][]float64 {
	m := make([][]float64, len(r.Players))
	for i := range m {
		m[i] = make([]float64, len(r.Players))
		for j := range m[i] {
			m[i][j] = 0.5
			if elo, se := r.Difference(i, j); se > 0 {
				m[i][j] = normal(elo / se)
			}
		}
	}
	return m
}

// Apart returns the sentence under a picture of ratings about intervals that do not overlap, at
// a level. The standard error of a difference is at most the sum of both errors, for any
// correlation. Two equal players chosen beforehand therefore have separate intervals with a
// probability of at most 1 - level.
func Apart(level float64) string {
	return fmt.Sprintf("Two players whose %s intervals lie apart probably differ: two equal ones, chosen before the games, lie apart in "+
		"%s of tournaments at most, but among many players some do by chance.",
		text.Level(level), text.Level(1-level))
}
