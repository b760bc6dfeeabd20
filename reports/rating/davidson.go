package rating

import "math"

// chances are the probabilities of one game's results for the player who moves first.
type chances struct {
	p   [3]float64 // of loss, draw and win
	log [3]float64 // natural logarithms of p
}

// newChances returns the chances by Davidson's model (see BradleyTerry).
// d is the difference of strengths plus the advantage of moving
// first; logDraw is the logarithm of v, -Inf without draws.
func newChances(d, logDraw float64) chances {
	c := chances{log: [3]float64{-d / 2, logDraw, d / 2}}
	likeliest := 0
	if d > 0 {
		likeliest = 2
	}
	if logDraw > math.Abs(d)/2 {
		likeliest = 1
	}
	top, rest := c.log[likeliest], 0.0
	for i, l := range c.log {
		c.p[i] = math.Exp(l - top)
		if i != likeliest {
			rest += c.p[i]
		}
	}
	shift := top + math.Log1p(rest) // exact even if the result is almost certain
	for i := range c.p {
		c.p[i] /= 1 + rest
		c.log[i] -= shift
	}
	c.log[likeliest] = -math.Log1p(rest)
	return c
}

// score returns the expected score of the player who moves first.
func (c *chances) score() float64 { return c.p[2] + float64(c.p[1]/2) }

// slope returns the gradient of one result's log-likelihood
// by the difference of strengths, the advantage and log v.
func (c *chances) slope(points int) [3]float64 {
	s := float64(float64(points)/2) - c.score()
	g := [3]float64{s, s, -c.p[1]}
	if points == 1 {
		g[2]++
	}
	return g
}

// information returns the variance of slope.
// It equals minus the second derivative of the log-likelihood for any result.
func (c *chances) information() (m [3][3]float64) {
	for points, p := range c.p {
		addOuter(&m, c.slope(points), p)
	}
	return m
}

// addOuter adds the weighted outer product of g with itself to m.
func addOuter(m *[3][3]float64, g [3]float64, weight float64) {
	for i := range g {
		for j := range g {
			m[i][j] += float64(weight * g[i] * g[j])
		}
	}
}
