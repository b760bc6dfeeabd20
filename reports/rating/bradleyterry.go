package rating

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
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
	// Anchor names the player whose rating is AnchorElo; all errors are then
	// relative to that player. "" puts the mean of all ratings there.
	Anchor    string
	AnchorElo float64

	// NoAdvantage is for games in which nobody moves first, or it is not known
	// who did.
	NoAdvantage bool

	// Prior is the weight, in games, of the belief that players are alike: as if
	// each had scored half of so many games against an average player, and as many
	// games had shown no advantage of moving first and half draws. With it every
	// tournament has ratings, those with perfect scores and players who never
	// met included. 0 is none; 1 or 2 disturb little.
	Prior float64
}

// Fit rates the players. It is an error when the results do not determine the
// ratings: when some players never lost a point to the others, or when the
// advantage or the draws cannot be told from the strengths. A Prior mends both.
func (b BradleyTerry) Fit(t *Tournament) (*Ratings, error) {
	anchor, err := b.check(t)
	if err != nil {
		return nil, err
	}
	f := newFit(b, t)
	if b.Prior == 0 {
		if err := f.determined(t); err != nil {
			return nil, err
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
	return newRatings(b, t, f, anchor, covariance), nil
}

// check returns the anchor's index, -1 for the mean.
func (b BradleyTerry) check(t *Tournament) (int, error) {
	switch {
	case len(t.names) < 2:
		return 0, fmt.Errorf("ratings of %s: want at least 2", count(len(t.names), "player"))
	case !(b.Prior >= 0) || math.IsInf(b.Prior, 0):
		return 0, fmt.Errorf("ratings: prior %v: want 0 for none or a number of games, such as 2", b.Prior)
	case math.IsNaN(b.AnchorElo) || math.IsInf(b.AnchorElo, 0):
		return 0, fmt.Errorf("ratings: the anchor's Elo is %v: want a number", b.AnchorElo)
	case b.Anchor == "":
		return -1, nil
	}
	i := slices.Index(t.names, b.Anchor)
	if i < 0 {
		return 0, fmt.Errorf("ratings: the anchor %q did not play: want one of %s", b.Anchor, t.list(nil))
	}
	return i, nil
}

// list writes the names of some players, all when nil, not more than 8.
func (t *Tournament) list(players []int) string {
	names := t.names
	if players != nil {
		names = make([]string, len(players))
		for k, i := range players {
			names[k] = t.names[i]
		}
	}
	if len(names) > 8 {
		return strings.Join(names[:7], ", ") + fmt.Sprintf(" and %d more", len(names)-7)
	}
	return strings.Join(names, ", ")
}

// jointFit is a fit under way. Parameters are the players' strengths, then the
// advantage and the logarithm of v where they are estimated.
type jointFit struct {
	players   int
	advantage int // index of the parameter, -1 if fixed at 0
	draws     int // index of the parameter, -1 if there are no draws
	prior     float64
	cells     []*cell
	x         []float64
	gauge     float64 // weight that holds the mean strength at 0 without a prior
}

func newFit(b BradleyTerry, t *Tournament) *jointFit {
	f := &jointFit{players: len(t.names), advantage: -1, draws: -1, prior: b.Prior, cells: t.sorted()}
	k := f.players
	if !b.NoAdvantage {
		f.advantage = k
		k++
	}
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
	if b.Prior == 0 {
		f.gauge = max(1, float64(all.N())) / float64(f.players*f.players)
	}
	return f
}

var errUndetermined = errors.New("play more games or give the ratings a prior")

// determined is what can be told about the existence of a maximum beforehand.
func (f *jointFit) determined(t *Tournament) error {
	ahead, behind := t.split()
	if ahead != nil {
		return fmt.Errorf("ratings are not determined: %s never lost a point to %s: %w", t.list(ahead), t.list(behind), errUndetermined)
	}
	return nil
}

// difference returns d for a game between first and second.
func (f *jointFit) difference(first, second int) float64 {
	d := f.x[first] - f.x[second]
	if f.advantage >= 0 {
		d += f.x[f.advantage]
	}
	return d
}

// chances are those of one game's results for the player who moves first.
type chances struct {
	p   [3]float64 // loss, draw, win
	log [3]float64
}

func (f *jointFit) chances(d float64) chances { return newChances(d, f.draws >= 0, f.logDraw()) }

func (f *jointFit) logDraw() float64 {
	if f.draws < 0 {
		return math.Inf(-1)
	}
	return f.x[f.draws]
}

func newChances(d float64, draws bool, logDraw float64) chances {
	c := chances{log: [3]float64{-d / 2, logDraw, d / 2}}
	likeliest := 0
	if d > 0 {
		likeliest = 2
	}
	if draws && logDraw > math.Abs(d)/2 {
		likeliest = 1
	}
	top, rest := c.log[likeliest], 0.0
	for i, l := range c.log {
		c.p[i] = math.Exp(l - top)
		if i != likeliest {
			rest += c.p[i]
		}
	}
	shift := top + math.Log1p(rest) // exact where the result is almost certain
	for i := range c.p {
		c.p[i] /= 1 + rest
		c.log[i] -= shift
	}
	c.log[likeliest] = -math.Log1p(rest)
	return c
}

// score is the first player's expected score.
func (c *chances) score() float64 { return c.p[2] + c.p[1]/2 }

// slope returns the gradient of the log-likelihood of one result by d, the
// advantage and the logarithm of v.
func (c *chances) slope(points int) [3]float64 {
	s := float64(points)/2 - c.score()
	g := [3]float64{s, s, -c.p[1]}
	if points == 1 {
		g[2]++
	}
	return g
}

// information returns the variance of slope, which is also minus the second
// derivative of the log-likelihood, whatever the result.
func (c *chances) information() (m [3][3]float64) {
	for points, p := range c.p {
		addOuter(&m, c.slope(points), p)
	}
	return m
}

func addOuter(m *[3][3]float64, g [3]float64, weight float64) {
	for i := range g {
		for j := range g {
			m[i][j] += weight * g[i] * g[j]
		}
	}
}

// spread returns the parameters a game between x and y depends on, each with
// the coordinate of a slope it takes and the sign.
func (f *jointFit) spread(x, y int) (index [4]int, coordinate [4]int, sign [4]float64) {
	return [4]int{x, y, f.advantage, f.draws}, [4]int{0, 0, 1, 2}, [4]float64{1, -1, 1, 1}
}

func (f *jointFit) addVector(v []float64, x, y int, g [3]float64, weight float64) {
	index, coordinate, sign := f.spread(x, y)
	for k, i := range index {
		if i >= 0 {
			v[i] += weight * sign[k] * g[coordinate[k]]
		}
	}
}

func (f *jointFit) addMatrix(m *mat.SymDense, x, y int, local *[3][3]float64, weight float64) {
	index, coordinate, sign := f.spread(x, y)
	for k, i := range index {
		for l, j := range index {
			if i >= 0 && j >= i {
				v := weight * sign[k] * sign[l] * local[coordinate[k]][coordinate[l]]
				m.SetSym(i, j, m.At(i, j)+v)
			}
		}
	}
}

// evaluate returns the log-likelihood (with prior and gauge), its gradient and
// minus its second derivatives.
func (f *jointFit) evaluate() (sum float64, gradient []float64, information *mat.SymDense) {
	gradient = make([]float64, len(f.x))
	information = mat.NewSymDense(len(f.x), nil)
	f.addPrior(&sum, gradient, information)
	for _, c := range f.cells {
		first, second := c.games()
		for _, side := range []struct {
			a, b  int
			games Games
		}{{c.x, c.y, first}, {c.y, c.x, second.Reversed()}} {
			if side.games.N() == 0 {
				continue
			}
			p := f.chances(f.difference(side.a, side.b))
			for points, n := range []int{side.games.Losses, side.games.Draws, side.games.Wins} {
				if n > 0 {
					sum += float64(n) * p.log[points]
					f.addVector(gradient, side.a, side.b, p.slope(points), float64(n))
				}
			}
			local := p.information()
			f.addMatrix(information, side.a, side.b, &local, float64(side.games.N()))
		}
	}
	return sum, gradient, information
}

// addPrior adds what the prior knows, or the gauge that keeps the mean strength
// at 0, which no result depends on.
func (f *jointFit) addPrior(sum *float64, gradient []float64, information *mat.SymDense) {
	add := func(i, j int, v float64) { information.SetSym(i, j, information.At(i, j)+v) }
	if f.prior == 0 {
		total := 0.0
		for _, x := range f.x[:f.players] {
			total += x
		}
		*sum -= f.gauge * total * total / 2
		for i := range f.players {
			gradient[i] -= f.gauge * total
			for j := i; j < f.players; j++ {
				add(i, j, f.gauge)
			}
		}
		return
	}
	for i, x := range f.x {
		if i == f.draws { // half draws between equals
			c := newChances(0, true, x)
			*sum += f.prior * (c.log[1] + c.log[0]) / 2
			gradient[i] += f.prior * (0.5 - c.p[1])
			add(i, i, f.prior*c.p[1]*(1-c.p[1]))
			continue
		}
		c := newChances(x, false, math.Inf(-1)) // won half without draws
		*sum += f.prior * (c.log[0] + c.log[2]) / 2
		gradient[i] += f.prior * (0.5 - c.p[2])
		add(i, i, f.prior*c.p[2]*c.p[0])
	}
}

// maximise climbs to the maximum by Newton's method, halving steps that
// overshoot, and returns the information there (factorised). The log-likelihood is concave,
// so there is one summit or none.
func (f *jointFit) maximise() (*factor, error) {
	value, gradient, information := f.evaluate()
	for range 200 {
		factor, err := newFactor(information, f.prior)
		if err != nil {
			return nil, err
		}
		step, err := factor.solve(gradient)
		if err != nil {
			return nil, err
		}
		gain, longest := 0.0, 0.0
		for i := range step {
			gain += step[i] * gradient[i]
			longest = max(longest, math.Abs(step[i]))
		}
		if gain < 1e-12+1e-14*math.Abs(value) { // 1e-5 standard errors from it
			return factor, f.finite()
		}
		from, before := slices.Clone(f.x), value
		// A step of 2 multiplies odds by 7: what is farther, the curvature here does
		// not know.
		for scale := min(1, 2/longest); ; scale /= 2 {
			for i := range f.x {
				f.x[i] = from[i] + scale*step[i]
			}
			value, gradient, information = f.evaluate()
			// Near the summit Newton's step is right, and the sum's rounding hides
			// what it gains.
			if value >= before+1e-4*scale*gain || longest < 1e-3 || scale < 1e-9 {
				break
			}
		}
		if err := f.finite(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("ratings did not settle in 200 steps: %w", errUndetermined)
}

// finite returns an error when the advantage or the draws run off to infinity,
// as without a prior they do when the results are too uniform to tell them from
// the strengths. e^15 games would be needed for such a value to be real.
func (f *jointFit) finite() error {
	const limit = 15
	if f.prior > 0 {
		return nil
	}
	if f.advantage >= 0 && math.Abs(f.x[f.advantage]) > limit {
		return fmt.Errorf("ratings are not determined: the results allow any advantage of moving first: %w", errUndetermined)
	}
	if f.draws >= 0 && math.Abs(f.x[f.draws]) > limit {
		return fmt.Errorf("ratings are not determined: the results allow any tendency to draw: %w", errUndetermined)
	}
	return nil
}

// factor is the Cholesky factor of a matrix scaled to a diagonal of 1, which
// keeps millions of games beside a handful solvable.
type factor struct {
	chol  mat.Cholesky
	scale []float64 // 1/sqrt of the diagonal
}

// errSingular is what a matrix without an inverse means.
var errSingular = fmt.Errorf("ratings are not determined: the results do not tell strengths, advantage of moving first and draws apart: %w", errUndetermined)

// worstCondition is the condition number beyond which a matrix counts as
// singular without a prior.
const worstCondition = 1e13

// newFactor returns an error for a singular matrix. With a prior there are none,
// only some that rounding has made so, after millions of equal results: the
// smallest ridge that helps is added to these.
func newFactor(m *mat.SymDense, prior float64) (*factor, error) {
	n := m.SymmetricDim()
	f := &factor{scale: make([]float64, n)}
	for i := range n {
		f.scale[i] = 1 / math.Sqrt(m.At(i, i))
	}
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			scaled.SetSym(i, j, m.At(i, j)*f.scale[i]*f.scale[j])
		}
	}
	if prior == 0 {
		if !f.chol.Factorize(scaled) || f.chol.Cond() > worstCondition {
			return nil, errSingular
		}
		return f, nil
	}
	for ridge := 1e-14; !f.chol.Factorize(scaled); ridge *= 10 {
		if ridge > 1 {
			return nil, errSingular // not a number
		}
		for i := range n {
			scaled.SetSym(i, i, 1+ridge)
		}
	}
	return f, nil
}

// tolerable passes on errors other than a warning of bad conditioning, which
// newFactor has judged.
func tolerable(err error) error {
	var warning mat.Condition
	if errors.As(err, &warning) && !math.IsInf(float64(warning), 1) {
		return nil
	}
	return err
}

// solve returns the solution of m x = v.
func (f *factor) solve(v []float64) ([]float64, error) {
	x := mat.NewVecDense(len(v), nil)
	for i, s := range f.scale {
		x.SetVec(i, s*v[i])
	}
	if err := tolerable(f.chol.SolveVecTo(x, x)); err != nil {
		return nil, err
	}
	for i, s := range f.scale {
		x.SetVec(i, s*x.AtVec(i))
	}
	return x.RawVector().Data, nil
}

// inverse returns the inverse of m.
func (f *factor) inverse() (*mat.SymDense, error) {
	inverse := new(mat.SymDense)
	if err := tolerable(f.chol.InverseTo(inverse)); err != nil {
		return nil, err
	}
	for i, s := range f.scale {
		for j := i; j < len(f.scale); j++ {
			inverse.SetSym(i, j, inverse.At(i, j)*s*f.scale[j])
		}
	}
	return inverse, nil
}

// covariance returns the sandwich estimate I^-1 M I^-1, where M is the sum of
// the outer products of the slopes of independent results: pairs, or single
// games. The prior counts as results that fell out as it says.
func (f *jointFit) covariance(information *factor) (*mat.Dense, error) {
	inverse, err := information.inverse()
	if err != nil {
		return nil, err
	}
	meat := mat.NewSymDense(len(f.x), nil)
	var unused float64
	f.addPrior(&unused, make([]float64, len(f.x)), meat)
	for _, c := range f.cells {
		f.addMeat(meat, c)
	}
	n := len(f.x)
	half, full := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	half.Mul(inverse, meat)
	full.Mul(half, inverse)
	return full, nil
}

// addMeat adds the outer products of one cell's results, in the coordinates (x's
// strength over y's, advantage, draws).
func (f *jointFit) addMeat(meat *mat.SymDense, c *cell) {
	first := f.chances(f.difference(c.x, c.y))
	second := f.chances(f.difference(c.y, c.x))
	model := second.information()
	model = mirrored(model)
	own := first.information()

	var pairs [3][3]float64
	n := 0
	for a, row := range c.pairs {
		for b, k := range row {
			g, h := first.slope(a), second.slope(2-b)
			addOuter(&pairs, [3]float64{g[0] - h[0], g[1] + h[1], g[2] + h[2]}, float64(k))
			n += k
		}
	}
	var both [3][3]float64
	for i := range both {
		for j := range both {
			both[i][j] = own[i][j] + model[i][j]
		}
	}
	f.addShrunk(meat, c, &pairs, &both, n)

	f.addSingles(meat, c, &first, &own, c.first, 1)
	f.addSingles(meat, c, &second, &model, c.second.Reversed(), -1)
}

// addSingles adds single games as seen by who moved first; sign is -1 when that
// was y.
func (f *jointFit) addSingles(meat *mat.SymDense, c *cell, p *chances, model *[3][3]float64, g Games, sign float64) {
	var sum [3][3]float64
	for points, n := range []int{g.Losses, g.Draws, g.Wins} {
		s := p.slope(points)
		s[0] *= sign
		addOuter(&sum, s, float64(n))
	}
	f.addShrunk(meat, c, &sum, model, g.N())
}

// addShrunk adds the observed sum over n results, drawn towards the model's
// expectation by two of them.
func (f *jointFit) addShrunk(meat *mat.SymDense, c *cell, observed, model *[3][3]float64, n int) {
	if n == 0 {
		return
	}
	const extra = 2
	weight := float64(n) / float64(n+extra)
	f.addMatrix(meat, c.x, c.y, observed, weight)
	f.addMatrix(meat, c.x, c.y, model, weight*extra)
}

// mirrored turns the coordinate of the first player's strength over the
// second's into its opposite.
func mirrored(m [3][3]float64) [3][3]float64 {
	for i := 1; i < 3; i++ {
		m[0][i], m[i][0] = -m[0][i], -m[i][0]
	}
	return m
}
