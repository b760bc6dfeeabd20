package quadratic

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Parameters often matter only by their ratios: multiply all weights of an
// evaluation by two and the same moves are played. The common scale then drifts
// with the noise and takes the weights to their bounds. It shows in the fit as a
// direction without curvature that is a ray: every parameter of a group changes
// by the same fraction of itself.

const (
	// nullShare is the curvature along a ray, in the sum of the curvatures of the
	// group's parameters on their own, below which it counts as none.
	nullShare = .4
	// One fit in ratioEvery looks for groups.
	ratioEvery = 4
	// smallestRatio is the least size of a group that is found without being
	// declared: a ridge over two parameters often happens to point at zero.
	smallestRatio = 3
	// heldScale is the deviation of the common scale in the probes of a held
	// group: a twentieth, enough for its curvature to stay known.
	heldScale = .05
	// heldSpread is the widest deviation of a held group's probes, in its length. On
	// Quoridor from final, where the ranges are five times as wide as the values are
	// large, 1,000 games gain 58 Elo with 1, 66 with 1.5 and lose 94 with 2.5.
	heldSpread = 1.25
)

// rays returns how far each axis of a group moves when all its values grow by a
// fraction of themselves.
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

// boxes returns the widest deviation of probes of every axis: box or, in a held
// group, less where the group as a whole would be probed at more than heldSpread of its
// own length. Only directions count there, and a range may be many times as wide as
// the values are large.
func (t *Tuner) boxes(s *state) []float64 {
	list := make([]float64, len(s.m))
	for j := range list {
		list[j] = box
	}
	for _, g := range s.groups {
		square := 0.0
		for n, r := range t.rays(g, s.m) {
			if t.axes[g[n]].param.Log {
				square = math.Inf(1) // a fraction of the value is one of the coordinate
			}
			square += float64(r * r)
		}
		w := min(box, heldSpread*math.Sqrt(square/float64(len(g))))
		for _, j := range g {
			list[j] = max(w, 1e-6)
		}
	}
	return list
}

// declared returns the groups that the space declares and that are tuned whole: a
// parameter that stays as it is holds the scale of its group.
func (t *Tuner) declared() (groups [][]int) {
	var names []string
	whole := map[string]int{}
	for _, p := range t.set.Space {
		whole[p.Ratio]++
	}
	for j := range t.axes {
		name := t.axes[j].param.Ratio
		if name == "" {
			continue
		}
		n := slices.Index(names, name)
		if n < 0 {
			n, names, groups = len(names), append(names, name), append(groups, nil)
		}
		groups[n] = append(groups[n], j)
	}
	return slices.DeleteFunc(groups, func(g []int) bool {
		return len(g) < max(2, whole[t.axes[g[0]].param.Ratio])
	})
}

// ratios looks for groups that matter only by their ratios. A group found in two
// looks running is held from then on.
func (t *Tuner) ratios(s *state) (suspects, held [][]int) {
	held = s.groups
	if s.fits%ratioEvery != 0 || len(s.m) < smallestRatio {
		return s.suspects, held
	}
	free := len(s.m)
	for _, g := range held {
		free -= len(g)
	}
	if free < smallestRatio { // no group is left to be found; looking takes longer than a fit
		return nil, held
	}
	for _, g := range t.lookAround(s) {
		if slices.ContainsFunc(g, func(j int) bool { return inAny(held, j) }) {
			continue
		}
		if slices.ContainsFunc(s.suspects, func(h []int) bool { return slices.Equal(g, h) }) {
			held = append(slices.Clip(held), g)
		} else {
			suspects = append(suspects, g)
		}
	}
	return suspects, held
}

// ratioWindows are how much wider than the probes games reach to be looked at:
// curvatures are known better there, by the square.
var ratioWindows = [...]float64{2, 4, 8}

// lookAround returns the groups found in the narrowest window that shows any.
func (t *Tuner) lookAround(s *state) [][]int {
	for _, w := range ratioWindows {
		wide := *s
		wide.root, wide.back = scaled(s.root, w), scaled(s.back, 1/w)
		f, err := newFit(&wide, t.data, &vagueScales)
		if err != nil {
			continue // too few games there to tell
		}
		if groups := t.findRatios(&wide, f); len(groups) > 0 {
			return groups
		}
	}
	return nil
}

// scaleModel is a group of parameters along whose common scale the fit is flat,
// though it is curved along each of them: they act only by their ratios.
type scaleModel struct {
	Names []string
	Index []int // in the space
	// Declared groups are the space's (params.Param.Ratio); the others were found in
	// the games. Held is whether the tuner keeps their common scale.
	Declared, Held bool
	// Elo lost, by curvature, where all values grow by a tenth of themselves, and
	// where each does so alone, summed.
	Together, Alone Estimate
}

// scaleShare is the growth that a scaleModel is about.
const scaleShare = .1

// flatScales are the groups that are held or declared, and those found around the
// recommendation that are not.
func (m *Model) flatScales() (list []scaleModel) {
	t, s := m.tuner, &m.tuner.latest
	own := s.loose == 0 // the fit of another tuner's games holds nothing
	for n, g := range s.groups {
		list = append(list, m.scale(g, n < len(t.declared()), own))
	}
	for _, g := range t.lookAround(s) {
		if !slices.ContainsFunc(g, func(j int) bool { return inAny(s.groups, j) }) {
			list = append(list, m.scale(g, false, false))
		}
	}
	return list
}

// scale measures a group in the narrowest window that shows it to be flat or, where
// none does, in that which tells best what its members are worth.
func (m *Model) scale(g []int, declared, held bool) scaleModel {
	t := m.tuner
	out := scaleModel{Names: t.names(g), Declared: declared, Held: held}
	for _, j := range g {
		out.Index = append(out.Index, t.axes[j].index)
	}
	unit := eloUnit * scaleShare * scaleShare / 2
	sure := 0.0
	for _, w := range append([]float64{1}, ratioWindows[:]...) {
		wide := t.latest
		wide.root, wide.back = scaled(wide.root, w), scaled(wide.back, 1/w)
		f, err := newFit(&wide, t.data, &vagueScales)
		if err != nil {
			continue
		}
		c, se := f.curvatureAlong(&wide, g, t.rays(g, wide.m))
		alone, square := 0.0, 0.0
		for _, j := range g {
			c, se := f.curvatureAlong(&wide, []int{j}, t.rays([]int{j}, wide.m))
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

// findRatios returns the groups whose rays have no curvature in this fit though
// their members have, each on its own, beyond doubt.
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

// cluster splits axes by the null space of the curvature in relative changes: for
// groups that matter by ratios, it is spanned by the vectors that are one inside
// a group and zero outside, and the projector on it links members of one group.
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

// naturalCurvature is the curvature in axis coordinates.
func (f *fit) naturalCurvature(s *state) *mat.Dense {
	var left, a mat.Dense
	left.Mul(s.back.T(), f.curvature())
	a.Mul(&left, s.back)
	return &a
}

// curvatureAlong returns the second derivative of -q along a direction that is
// zero outside group, and its standard error.
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

// combination returns the posterior mean and deviation of a linear combination
// of the coefficients.
func (f *fit) combination(row []float64) (mean, se float64) {
	root := slices.Clone(row)
	f.chol.forward(root, len(root))
	return dot(row, f.beta.RawVector().Data), math.Sqrt(dot(root, root))
}

// hold takes the common scale of a group out of a covariance, but for heldScale.
func hold(covariance *mat.SymDense, group []int, rays []float64) {
	d := covariance.SymmetricDim()
	ray := mat.NewVecDense(d, nil)
	for n, j := range group {
		ray.SetVec(j, rays[n])
	}
	project := mat.NewSymDense(d, nil)
	for j := range d {
		project.SetSym(j, j, 1)
	}
	project.SymRankOne(project, -1/mat.Dot(ray, ray), ray)
	var left, both mat.Dense
	left.Mul(project, covariance)
	both.Mul(&left, project)
	for i := range d {
		for j := i; j < d; j++ {
			covariance.SetSym(i, j, (both.At(i, j)+both.At(j, i))/2)
		}
	}
	covariance.SymRankOne(covariance, heldScale*heldScale, ray)
}

// holdStep takes the common scale of a group out of a step.
func holdStep(delta *mat.VecDense, group []int, rays []float64) {
	dot, square := 0.0, 0.0
	for n, j := range group {
		dot += float64(delta.AtVec(j) * rays[n])
		square += float64(rays[n] * rays[n])
	}
	for n, j := range group {
		delta.SetVec(j, delta.AtVec(j)-float64(dot/square*rays[n]))
	}
}

// rescale gives a group at y the common scale that it has at before, where the
// bounds allow it: steps across the rays lengthen the group by and by. Only for
// parameters that are not logarithms; steps keep the scale of those exactly.
func (t *Tuner) rescale(y, before []float64, group []int) {
	if slices.ContainsFunc(group, func(j int) bool { return t.axes[j].param.Log }) {
		return
	}
	now, then := 0.0, 0.0
	for _, j := range group {
		a, b := t.axes[j].ray(y[j]), t.axes[j].ray(before[j])
		now, then = now+float64(a*a), then+float64(b*b)
	}
	if !(now > 0) {
		return
	}
	for _, j := range group {
		longer := (math.Sqrt(then/now) - 1) * t.axes[j].ray(y[j])
		y[j] = min(max(y[j]+longer, -1), 1)
	}
}

// scaled returns a matrix times a factor.
func scaled(a *mat.Dense, factor float64) *mat.Dense {
	var b mat.Dense
	b.Scale(factor, a)
	return &b
}
