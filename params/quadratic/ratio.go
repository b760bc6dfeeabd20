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
	// nullShare is the curvature along a ray, in the mean curvature of the group's
	// parameters on their own, below which it counts as none.
	nullShare = .05
	// heldScale is the deviation of the common scale in the probes of a held
	// group: a twentieth, enough for its curvature to stay known.
	heldScale = .05
)

// rays returns how far each axis of a group moves when all its values grow by a
// fraction of themselves.
func (t *Tuner) rays(group []int, m []float64) []float64 {
	r := make([]float64, len(group))
	for n, j := range group {
		r[n] = t.axes[j].ray(m[j])
	}
	return r
}

// ratios looks for groups that matter only by their ratios. A group found in two
// fits running is held from then on.
func (t *Tuner) ratios(s *state, f *fit) (suspects, held [][]int) {
	held = s.groups
	for _, g := range t.findRatios(s, f) {
		free := !slices.ContainsFunc(g, func(j int) bool { return inAny(held, j) })
		if !free {
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

func inAny(groups [][]int, j int) bool {
	return slices.ContainsFunc(groups, func(g []int) bool { return slices.Contains(g, j) })
}

// findRatios returns the groups whose rays have no curvature in this fit though
// their members have, each on its own, beyond doubt.
func (t *Tuner) findRatios(s *state, f *fit) [][]int {
	var members []int
	var own []float64
	for j := range t.axes {
		if math.Abs(t.axes[j].ray(s.m[j])) < 1e-6 {
			continue
		}
		c, se := f.curvatureAlong(s, []int{j}, t.rays([]int{j}, s.m))
		if c > 2*se {
			members, own = append(members, j), append(own, c)
		}
	}
	if len(members) < 2 {
		return nil
	}
	groups := t.cluster(s, f, members)
	return slices.DeleteFunc(groups, func(g []int) bool {
		mean := 0.0
		for _, j := range g {
			mean += own[slices.Index(members, j)] / float64(len(g))
		}
		c, se := f.curvatureAlong(s, g, t.rays(g, s.m))
		return len(g) < 2 || c+2*se > nullShare*mean*float64(len(g))
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
	features(white.RawVector().Data, f.cross, row)
	clear(row[:f.d])
	c, se = f.combination(row)
	return -2 * c, 2 * se
}

// combination returns the posterior mean and deviation of a linear combination
// of the coefficients.
func (f *fit) combination(row []float64) (mean, se float64) {
	v := mat.NewVecDense(len(row), row)
	var solved mat.VecDense
	if err := f.chol.SolveVecTo(&solved, v); err != nil {
		return mat.Dot(v, f.beta), math.Inf(1)
	}
	return mat.Dot(v, f.beta), math.Sqrt(max(mat.Dot(v, &solved), 0))
}

// hold takes the common scale of a group out of a covariance, but for heldScale.
func hold(covariance *mat.SymDense, group []int, rays []float64) {
	d := covariance.SymmetricDim()
	project := mat.NewDense(d, d, nil)
	for j := range d {
		project.Set(j, j, 1)
	}
	ray := mat.NewVecDense(d, nil)
	for n, j := range group {
		ray.SetVec(j, rays[n])
		for k, i := range group {
			project.Set(j, i, project.At(j, i)-rays[n]/rays[k]/float64(len(group)))
		}
	}
	var root mat.Dense
	root.Mul(project, covariance)
	root.Mul(&root, project.T())
	for i := range d {
		for j := i; j < d; j++ {
			covariance.SetSym(i, j, (root.At(i, j)+root.At(j, i))/2)
		}
	}
	covariance.SymRankOne(covariance, heldScale*heldScale, ray)
}
