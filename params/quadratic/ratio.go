package quadratic

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Parameters often matter only by their ratios: if all weights of an evaluation are doubled,
// the same moves are played. In a fit this is a direction without curvature that is a ray:
// every parameter of a group changes by the same fraction of itself. A model names such groups.
// A tuner leaves their scale free (see move).

const (
	// nullShare is the curvature along a ray, relative to the sum of the curvatures of the
	// group's single parameters, below which it counts as none.
	nullShare = .4
	// smallestRatio is the least size of a group that is found without a declaration, because a
	// ridge over two parameters often points at zero by chance.
	smallestRatio = 3
)

// rays returns the change of each axis of a group when all its values grow by a fraction of
// themselves.
func (t *Tuner) rays(group []int, m []float64) []float64 {
	r := make([]float64, len(group))
	for n, j := range group {
		r[n] = t.axes[j].ray(m[j])
		if math.Abs(r[n]) < 1e-6 { // at zero, where a value has no fraction of itself
			r[n] = math.Copysign(1e-6, r[n])
		}
	}
	return r
}

// ratioWindows are the widths of windows around the recommendation, relative to the probes. In
// a wider window curvatures are more precise, by the square.
var ratioWindows = [...]float64{2, 4, 8}

// window is a fit to the games around the recommendation, with its state.
type window struct {
	state
	fit *fit // nil with too few games
}

// within returns the fit that is width times as wide as the probes. Each fit is made once.
func (m *Model) within(width float64) *window {
	if w := m.windows[width]; w != nil {
		return w
	}
	w := &window{state: m.tuner.shown}
	w.root, w.back = scaled(w.root, width), scaled(w.back, 1/width)
	w.fit, _ = newFit(&w.state, m.tuner.data, &vagueScales)
	m.windows[width] = w
	return w
}

// lookAround returns the groups found in the narrowest window that shows any.
func (m *Model) lookAround() [][]int {
	for _, width := range ratioWindows {
		w := m.within(width)
		if w.fit == nil {
			continue
		}
		if groups := m.tuner.findRatios(&w.state, w.fit); len(groups) > 0 {
			return groups
		}
	}
	return nil
}

// scaleModel is a group of parameters along whose common scale the fit is flat, although it is
// curved along each of them: only their ratios matter.
type scaleModel struct {
	Names []string
	Index []int // in the space
	// Declared says that the space declares the group (params.Param.Ratio); other groups were
	// found in the games.
	Declared bool
	// Together and Alone are the Elo lost, by curvature, when all values grow by a tenth of
	// themselves: all at once, and each alone, summed.
	Together, Alone Estimate
}

// scaleShare is the growth in a scaleModel.
const scaleShare = .1

// flatScales returns the declared groups, and others found around the recommendation.
func (m *Model) flatScales() (list []scaleModel) {
	declared := declaredRatios(m.tuner.set.Space, m.tuner.axes)
	for _, g := range declared {
		list = append(list, m.scale(g, true))
	}
	for _, g := range m.lookAround() {
		if !slices.ContainsFunc(g, func(j int) bool { return inAny(declared, j) }) {
			list = append(list, m.scale(g, false))
		}
	}
	return list
}

// scale measures a group in the narrowest window that shows it to be flat or, if none does, in
// the one with the most precise values of its members.
func (m *Model) scale(g []int, declared bool) scaleModel {
	t := m.tuner
	out := scaleModel{Names: t.names(g), Declared: declared}
	for _, j := range g {
		out.Index = append(out.Index, t.axes[j].index)
	}
	unit := eloUnit * scaleShare * scaleShare / 2
	sure := 0.0
	for _, width := range append([]float64{1}, ratioWindows[:]...) {
		w := m.within(width)
		if w.fit == nil {
			continue
		}
		c, se := w.fit.curvatureAlong(&w.state, g, t.rays(g, w.m))
		alone, square := 0.0, 0.0
		for _, j := range g {
			c, se := w.fit.curvatureAlong(&w.state, []int{j}, t.rays([]int{j}, w.m))
			alone, square = alone+c, square+float64(se*se)
		}
		flat := c+2*se <= nullShare*alone
		if known := alone / math.Sqrt(square); known > sure || flat {
			out.Together, out.Alone, sure = Estimate{unit * c, unit * se}, Estimate{unit * alone, unit * math.Sqrt(square)}, known
		}
		if flat {
			break
		}
	}
	return out
}

func inAny(groups [][]int, j int) bool {
	return slices.ContainsFunc(groups, func(g []int) bool { return slices.Contains(g, j) })
}

// findRatios returns the groups whose rays have no curvature in this fit although each of their
// members certainly has.
func (t *Tuner) findRatios(s *state, f *fit) [][]int {
	var members []int
	var own []float64
	for j := range t.axes {
		if math.Abs(t.axes[j].ray(s.m[j])) < 1e-6 { // at zero
			continue
		}
		c, se := f.curvatureAlong(s, []int{j}, t.rays([]int{j}, s.m))
		if c > 2*se {
			members, own = append(members, j), append(own, c)
		}
	}
	if len(members) < smallestRatio {
		return nil
	}
	groups := t.cluster(s, f, members)
	return slices.DeleteFunc(groups, func(g []int) bool {
		sum := 0.0
		for _, j := range g {
			sum += own[slices.Index(members, j)]
		}
		c, se := f.curvatureAlong(s, g, t.rays(g, s.m))
		return len(g) < smallestRatio || c+2*se > nullShare*sum
	})
}

// cluster splits axes by the null space of the curvature in relative changes. For groups of
// ratios it is spanned by vectors that are one inside a group and zero outside, and its
// projector links members of one group.
func (t *Tuner) cluster(s *state, f *fit, members []int) [][]int {
	n := len(members)
	r := t.rays(members, s.m)
	e := mat.NewSymDense(n, nil)
	natural := f.naturalCurvature(s)
	trace := 0.0
	for a := range n {
		for b := a; b < n; b++ {
			e.SetSym(a, b, natural.At(members[a], members[b])*r[a]*r[b])
		}
		trace += e.At(a, a)
	}
	values, vectors, err := eigen(e)
	if err != nil {
		return nil
	}
	projector := mat.NewSymDense(n, nil)
	for k, v := range values {
		if v < nullShare*trace/float64(n) {
			projector.SymRankOne(projector, 1, vectors.ColView(k))
		}
	}
	done := make([]bool, n)
	var groups [][]int
	for a := range n {
		if done[a] || projector.At(a, a) < .02 {
			continue
		}
		var group []int
		for b := a; b < n; b++ {
			if !done[b] && projector.At(a, b) > .5*math.Sqrt(projector.At(a, a)*projector.At(b, b)) {
				done[b] = true
				group = append(group, members[b])
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// naturalCurvature returns the curvature in axis coordinates.
func (f *fit) naturalCurvature(s *state) *mat.Dense {
	var left, a mat.Dense
	left.Mul(s.back.T(), f.curvature())
	a.Mul(&left, s.back)
	return &a
}

// curvatureAlong returns the second derivative of -q along a direction that is zero outside
// group, and its standard error.
func (f *fit) curvatureAlong(s *state, group []int, direction []float64) (c, se float64) {
	y := make([]float64, f.d)
	for n, j := range group {
		y[j] = direction[n]
	}
	var white mat.VecDense
	white.MulVec(s.back, mat.NewVecDense(f.d, y))
	row := make([]float64, f.beta.Len())
	f.features(white.RawVector().Data, row)
	clear(row[f.slopes():])
	c, se = f.combination(row)
	return -2 * c, 2 * se
}

// combination returns the posterior mean and deviation of a linear combination of the
// coefficients.
func (f *fit) combination(row []float64) (mean, se float64) {
	root := slices.Clone(row)
	f.chol.forward(root, len(root))
	return dot(row, f.beta.RawVector().Data), math.Sqrt(dot(root, root))
}

// names lists parameters for people.
func (t *Tuner) names(group []int) (list []string) {
	for _, j := range group {
		list = append(list, t.axes[j].param.Name)
	}
	return list
}
