package rating

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// jointFit is the state of a maximum likelihood fit of all players.
// The parameters are the players' strengths, then the advantage
// of moving first, then the logarithm of v where there are draws.
type jointFit struct {
	players   int // number of players
	advantage int // index of the parameter
	draws     int // index of the parameter, -1 without draws
	prior     float64
	cells     []*cell
	shared    [][]sharedPair // by opening
	x         []float64      // the parameters
	gauge     float64        // weight that holds the mean strength at 0 without a prior
}

// newFit returns a fit at its starting point: equal
// players, no advantage, the observed rate of draws.
func newFit(prior float64, t *Tournament) *jointFit {
	f := &jointFit{players: len(t.names), advantage: len(t.names), draws: -1, prior: prior, cells: t.sorted(), shared: t.shared}
	k := f.advantage + 1
	var all Games
	for _, c := range f.cells {
		all = all.Plus(t.Games(c.x, c.y))
	}
	if all.Draws > 0 {
		f.draws = k
		k++
	}
	f.x = make([]float64, k)
	if f.draws >= 0 { // the rate of draws between equals, pulled off 1
		share := float64(all.Draws) / (float64(all.N()) + 1)
		f.x[f.draws] = math.Log(2 * share / (1 - share))
	}
	if prior == 0 {
		f.gauge = max(1, float64(all.N())) / float64(f.players*f.players)
	}
	return f
}

// difference returns the strength of first less that of second plus the advantage: d of newChances.
func (j *jointFit) difference(first, second int) float64 {
	return j.x[first] - j.x[second] + j.x[j.advantage]
}

// chances returns the chances of a game at a difference d, with the fitted rate of draws.
func (j *jointFit) chances(d float64) chances { return newChances(d, j.logDraw()) }

// logDraw returns the fitted log v, -Inf without draws.
func (j *jointFit) logDraw() float64 {
	if j.draws < 0 {
		return math.Inf(-1)
	}
	return j.x[j.draws]
}

// spread returns the parameters of a game between x and y: for each its index (-1 if it is
// not fitted), the coordinate of the slope (difference, advantage, log v) and the sign.
func (j *jointFit) spread(x, y int) (index [4]int, coordinate [4]int, sign [4]float64) {
	return [4]int{x, y, j.advantage, j.draws}, [4]int{0, 0, 1, 2}, [4]float64{1, -1, 1, 1}
}

// addVector adds the weighted slope g of a game between x and y to v.
func (j *jointFit) addVector(v []float64, x, y int, g [3]float64, weight float64) {
	index, coordinate, sign := j.spread(x, y)
	for k, i := range index {
		if i >= 0 {
			v[i] += float64(weight * sign[k] * g[coordinate[k]])
		}
	}
}

// addMatrix adds the weighted matrix of a game between
// x and y, in the coordinates of a slope, to m.
func (j *jointFit) addMatrix(m *mat.SymDense, x, y int, local *[3][3]float64, weight float64) {
	index, coordinate, sign := j.spread(x, y)
	for k, a := range index {
		for l, b := range index {
			if a >= 0 && b >= a {
				v := float64(weight * sign[k] * sign[l] * local[coordinate[k]][coordinate[l]])
				m.SetSym(a, b, m.At(a, b)+v)
			}
		}
	}
}

// evaluate returns the log-likelihood including prior and
// gauge, its gradient, and minus its second derivatives.
func (j *jointFit) evaluate() (sum float64, gradient []float64, information *mat.SymDense) {
	gradient = make([]float64, len(j.x))
	information = mat.NewSymDense(len(j.x), nil)
	j.addPrior(&sum, gradient, information)
	for _, c := range j.cells {
		first, second := c.games()
		for _, side := range []struct {
			a, b  int
			games Games
		}{{c.x, c.y, first}, {c.y, c.x, second.reversed()}} {
			if side.games.N() == 0 {
				continue
			}
			p := j.chances(j.difference(side.a, side.b))
			for points, n := range []int{side.games.Losses, side.games.Draws, side.games.Wins} {
				if n > 0 {
					sum += float64(float64(n) * p.log[points])
					j.addVector(gradient, side.a, side.b, p.slope(points), float64(n))
				}
			}
			local := p.information()
			j.addMatrix(information, side.a, side.b, &local, float64(side.games.N()))
		}
	}
	return sum, gradient, information
}

// addPrior adds the prior's share.
// Without a prior it adds the gauge, which keeps the mean strength at 0 and changes no result.
func (j *jointFit) addPrior(sum *float64, gradient []float64, information *mat.SymDense) {
	add := func(a, b int, v float64) { information.SetSym(a, b, information.At(a, b)+v) }
	if j.prior == 0 {
		total := 0.0
		for _, x := range j.x[:j.players] {
			total += x
		}
		*sum -= float64(j.gauge * total * total / 2)
		for i := range j.players {
			gradient[i] -= float64(j.gauge * total)
			for k := i; k < j.players; k++ {
				add(i, k, j.gauge)
			}
		}
		return
	}
	for i, x := range j.x {
		if i == j.draws { // half draws between equals
			c := newChances(0, x)
			*sum += float64(j.prior * (c.log[1] + c.log[0]) / 2)
			gradient[i] += float64(j.prior * (0.5 - c.p[1]))
			add(i, i, float64(j.prior*c.p[1]*(1-c.p[1])))
			continue
		}
		c := newChances(x, math.Inf(-1)) // won half without draws
		*sum += float64(j.prior * (c.log[0] + c.log[2]) / 2)
		gradient[i] += float64(j.prior * (0.5 - c.p[2]))
		add(i, i, float64(j.prior*c.p[2]*c.p[0]))
	}
}

// maximise climbs to the maximum by Newton's method and returns the factorised information there.
// Steps that overshoot are halved.
// The log-likelihood is concave, so there is at most one maximum.
func (j *jointFit) maximise() (*factor, error) {
	value, gradient, information := j.evaluate()
	for range 200 {
		factor, err := newFactor(information, j.prior)
		if err != nil {
			return nil, err
		}
		step, err := factor.solve(gradient)
		if err != nil {
			return nil, err
		}
		gain, longest := 0.0, 0.0
		for i := range step {
			gain += float64(step[i] * gradient[i])
			longest = max(longest, math.Abs(step[i]))
		}
		if gain < 1e-12+float64(1e-14*math.Abs(value)) { // 1e-5 standard errors from it
			return factor, j.finite()
		}
		from, before := slices.Clone(j.x), value
		// A step of 2 multiplies odds by 7. The local curvature says nothing about longer steps.
		for scale := min(1, 2/longest); ; scale /= 2 {
			for i := range j.x {
				j.x[i] = from[i] + float64(scale*step[i])
			}
			value, gradient, information = j.evaluate()
			// Near the maximum Newton's step is right, but rounding of the sum hides its gain.
			if value >= before+float64(1e-4*scale*gain) || longest < 1e-3 || scale < 1e-9 {
				break
			}
		}
		if err := j.finite(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("ratings did not settle in 200 steps: %w", errUndetermined)
}

// finite returns an error when the advantage or the draws run off to infinity.
// Without a prior they do if the results are too uniform to tell them from the strengths.
// A true value of 15 would need e^15 games to show.
func (j *jointFit) finite() error {
	const limit = 15
	if j.prior > 0 {
		return nil
	}
	if math.Abs(j.x[j.advantage]) > limit {
		return fmt.Errorf("ratings are not determined: the results allow any advantage of moving first: %w", errUndetermined)
	}
	if j.draws >= 0 && math.Abs(j.x[j.draws]) > limit {
		return fmt.Errorf("ratings are not determined: the results allow any tendency to draw: %w", errUndetermined)
	}
	return nil
}

// covariance returns the sandwich estimate I^-1 M I^-1.
// M is the sum of the outer products of the slopes of independent results:
// pairs, all pairs of an opening that several players had, and single games.
// The prior adds the results it stands for.
func (j *jointFit) covariance(information *factor) (*mat.Dense, error) {
	inverse, err := information.inverse()
	if err != nil {
		return nil, err
	}
	meat := mat.NewSymDense(len(j.x), nil)
	var unused float64
	j.addPrior(&unused, make([]float64, len(j.x)), meat)
	for _, c := range j.cells {
		j.addMeat(meat, c)
	}
	for _, pairs := range j.shared {
		j.addTogether(meat, pairs)
	}
	n := len(j.x)
	half, full := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	half.Mul(inverse, meat)
	full.Mul(half, inverse)
	return full, nil
}

// addMeat adds the outer products of one cell's results to M,
// in the coordinates x's strength over y's, advantage, log v.
func (j *jointFit) addMeat(meat *mat.SymDense, c *cell) {
	first := j.chances(j.difference(c.x, c.y))
	second := j.chances(j.difference(c.y, c.x))
	asFirst, asSecond := first.information(), mirrored(second.information())

	var pairs [3][3]float64
	n := 0
	for a, row := range c.pairs {
		for b, k := range row {
			addOuter(&pairs, pairSlope(&first, &second, a, b), float64(k))
			n += k
		}
	}
	var both [3][3]float64
	for i := range both {
		for k := range both {
			both[i][k] = asFirst[i][k] + asSecond[i][k]
		}
	}
	j.addShrunk(meat, c, &pairs, &both, n)

	j.addSingles(meat, c, &first, &asFirst, c.first, 1)
	j.addSingles(meat, c, &second, &asSecond, c.second.reversed(), -1)
}

// pairSlope returns the slope of a pair. a and b are x's half points when moving first and second.
func pairSlope(first, second *chances, a, b int) [3]float64 {
	g, h := first.slope(a), second.slope(2-b)
	return [3]float64{g[0] - h[0], g[1] + h[1], g[2] + h[2]}
}

// addTogether adds the covariance between the pairs of one opening: the outer product
// of the sum of their slopes, less the outer products of each, which addMeat has added.
// Sums of squares over n openings are n - 1 parts of n of their expectation,
// hence the factor (Mancl and DeRouen, Biometrics 57, 126-134, 2001).
func (j *jointFit) addTogether(meat *mat.SymDense, pairs []sharedPair) {
	if len(pairs) < 2 {
		return
	}
	sum := mat.NewVecDense(len(j.x), nil)
	for _, p := range pairs {
		c, slope := p.cell, mat.NewVecDense(len(j.x), nil)
		first := j.chances(j.difference(c.x, c.y))
		second := j.chances(j.difference(c.y, c.x))
		j.addVector(slope.RawVector().Data, c.x, c.y, pairSlope(&first, &second, p.first, p.second), math.Sqrt(shrunk(c.pairs.N())))
		sum.AddVec(sum, slope)
		meat.SymRankOne(meat, -1, slope)
	}
	n := float64(len(j.shared))
	meat.SymRankOne(meat, n/max(n-1, 1), sum)
}

// addSingles adds single games from the view of the player who moved first.
// sign is -1 when that player is y.
func (j *jointFit) addSingles(meat *mat.SymDense, c *cell, p *chances, model *[3][3]float64, g Games, sign float64) {
	var sum [3][3]float64
	for points, n := range []int{g.Losses, g.Draws, g.Wins} {
		s := p.slope(points)
		s[0] *= sign
		addOuter(&sum, s, float64(n))
	}
	j.addShrunk(meat, c, &sum, model, g.N())
}

// addShrunk adds the observed sum over n results, drawn
// towards the model's expectation by extra results.
func (j *jointFit) addShrunk(meat *mat.SymDense, c *cell, observed, model *[3][3]float64, n int) {
	if n == 0 {
		return
	}
	j.addMatrix(meat, c.x, c.y, observed, shrunk(n))
	j.addMatrix(meat, c.x, c.y, model, shrunk(n)*extra)
}

// extra is the number of results of the model that are added to the observed ones.
const extra = 2

// shrunk returns the weight of n observed results, to which extra ones of the model are added.
func shrunk(n int) float64 { return float64(n) / float64(n+extra) }

// mirrored returns m with the sign of the first coordinate, the difference of strengths, reversed.
func mirrored(m [3][3]float64) [3][3]float64 {
	for i := 1; i < 3; i++ {
		m[0][i], m[i][0] = -m[0][i], -m[i][0]
	}
	return m
}
