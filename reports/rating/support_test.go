package rating

import "math"

// Methods that only tests need: numbers that other programs
// and papers publish about single games, and sums of matches.

// Estimate is Pairs.Estimate for independent games. The games of a pair are not independent.
func (g Games) Estimate(level float64) Estimate { return estimate(g.sample(), level) }

// Normal returns the interval that fishtest, fastchess and cutechess print: Score ± z SE.
// It covers less often than Level says where pairs are few or their results lopsided.
func (e Estimate) Normal() Interval { return around(e.Score, float64(quantile(e.Level)*e.SE)) }

// Contains reports whether Low <= x <= High.
func (i Interval) Contains(x float64) bool { return i.Low <= x && x <= i.High }

// Covariance returns the covariance of two players'
// ratings, in Elo squared, relative to the anchor.
func (r *Ratings) Covariance(i, j int) float64 { return r.covariance.At(i, j) }

// Predict returns the chances of the results of one game for the player who moves first.
func (r *Ratings) Predict(first, second int) (win, draw, loss float64) {
	unit := 400 / math.Ln10 * (1 - r.DrawRate)
	d := (r.Players[first].Elo - r.Players[second].Elo + r.Advantage) / unit
	c := newChances(d, math.Log(2*r.DrawRate/(1-r.DrawRate)))
	return c.p[2], c.p[1], c.p[0]
}

// Games is Pairs for independent games. The games of a pair are not independent.
func (s SPRT) Games(g Games) Progress {
	return s.progress([]int{g.Losses, g.Draws, g.Wins}, "game")
}

// Variance returns the variance of a game's score, between 0 and 1/4, as Pairs.Variance does.
func (g Games) Variance() float64 { return g.sample().variance }

// Pairs returns the tally of the pairs of x and y, as x's points.
func (t *Tournament) Pairs(x, y int) Pairs {
	var p Pairs
	c, ok := t.cells[[2]int{min(x, y), max(x, y)}]
	if !ok {
		return p
	}
	for first, row := range c.pairs {
		for second, n := range row {
			p[first+second] += n
		}
	}
	if x > y {
		return p.Reversed()
	}
	return p
}

// Plus returns the tally of both matches together.
func (p PairMatrix) Plus(u PairMatrix) PairMatrix {
	for i := range p {
		for j := range p[i] {
			p[i][j] += u[i][j]
		}
	}
	return p
}
