package quadratic

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"selfplaylab/params"
)

// positive returns a matrix that can be factored: its lower half by rows, and the whole.
func positive(n int, r *rand.Rand) (factor, *mat.SymDense) {
	rows := n + 5
	if n%3 == 0 {
		rows += 2 * blockRows
	}
	columns, w := matrix(n, rows), make([]float64, rows)
	for k := range w {
		w[k] = .1 + r.Float64()
	}
	for i := range columns {
		for k := range columns[i] {
			columns[i][k] = r.NormFloat64()
		}
	}
	f, whole := newFactor(n), mat.NewSymDense(n, nil)
	crossProducts(f, columns, w)
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			for k := range w {
				sum += w[k] * columns[i][k] * columns[j][k]
			}
			whole.SetSym(i, j, sum)
		}
	}
	return f, whole
}

// TestDot8 compares the sums by this processor's instructions with those of plain Go, to the
// bit.
func TestDot8(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64}
	for n := range 2 * blockRows {
		lists := [][]float64{make([]float64, n), make([]float64, n+1), make([]float64, 4*n+3)}
		for _, list := range lists {
			for k := range list {
				list[k] = math.Ldexp(r.NormFloat64(), r.IntN(40))
			}
			if n > 0 && n%3 == 0 {
				list[r.IntN(n)] = special[r.IntN(len(special))]
			}
		}
		var fast, slow [8]float64
		dot8(&fast, lists[0], lists[1], lists[2])
		dot8Slowly(&slow, lists[0], lists[1], lists[2])
		for i := range fast {
			if math.Float64bits(fast[i]) != math.Float64bits(slow[i]) && !(math.IsNaN(fast[i]) && math.IsNaN(slow[i])) {
				t.Fatalf("%d rows, sum %d: %v, in plain Go %v", n, i, fast[i], slow[i])
			}
		}
	}
}

// TestFactor compares cross products, factors, solutions, determinants and inverses with
// gonum's, at every size around that of a block.
func TestFactor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	near := func(what string, n int, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-8*(1+math.Abs(want)) {
			t.Errorf("%d rows: %s is %v, want %v", n, what, got, want)
		}
	}
	for n := 1; n <= 23; n++ {
		f, whole := positive(n, r)
		for i := range n {
			for j, v := range f.row(i) {
				near("a cross product", n, v, whole.At(i, j))
			}
		}
		var want mat.Cholesky
		if !want.Factorize(whole) || !f.rows(0, n/2) || !f.rows(n/2, n) {
			t.Fatalf("%d rows do not factor", n)
		}
		near("the determinant", n, f.logDet(0, n), want.LogDet())
		b, solved := make([]float64, n), mat.NewVecDense(n, nil)
		for i := range b {
			b[i] = r.NormFloat64()
		}
		if err := want.SolveVecTo(solved, mat.NewVecDense(n, append([]float64(nil), b...))); err != nil {
			t.Fatal(err)
		}
		f.forward(b, n)
		f.backward(b)
		var inverse mat.SymDense
		if err := want.InverseTo(&inverse); err != nil {
			t.Fatal(err)
		}
		for i, v := range f.inverseDiagonal() {
			near("a solution", n, b[i], solved.AtVec(i))
			near("an inverse", n, v, inverse.At(i, i))
		}
	}
	f := newFactor(2)
	f.l = []float64{1, 0, 2, 1} // the matrix 1 2, 2 1
	if f.rows(0, 2) {
		t.Error("factored a matrix that is not positive definite")
	}
}

// played returns a tuner of d parameters after a number of pairs of a problem with cross terms
// and a bent peak, far from it.
func played(t *testing.T, pairs int) *Tuner {
	p := quadratic3()
	tuner := newTuner(t, settings(t, p, pairs))
	r := rand.New(rand.NewPCG(5, 1))
	play(t, tuner, pairs, func(trial params.Trial) params.Score { return p.Play(trial, r) })
	return tuner
}

// TestFitEnds: a fit ends at the highest posterior, near and far from a peak, with wide priors
// and with chosen ones.
func TestFitEnds(t *testing.T) {
	for _, pairs := range []int{20, 200, 2000} {
		tuner := played(t, pairs)
		for _, given := range []*scales{nil, &vagueScales} {
			far := tuner.latest
			far.m = []float64{far.m[0] - .1, far.m[1] + .1, 0}
			far.root, far.back = scaled(far.root, 3), scaled(far.back, 1./3)
			for _, s := range []*state{&tuner.latest, &far} {
				f, err := newFit(s, tuner.data, given)
				if err != nil {
					t.Fatal(err)
				}
				g := newDesign(s, tuner.data)
				g.build(f.cross)
				if left := f.correct(g, g.linear(f.beta.RawVector().Data, s.dispersion)); left > .2 {
					t.Errorf("%d pairs, around %v: %v deviations from the highest posterior", pairs, s.m, left)
				}
			}
		}
	}
}

// TestAverage: the slopes of steps are the mean over the scales of their prior, weighted by
// evidence. If all scales but one are ruled out, they are the mean of this posterior.
func TestAverage(t *testing.T) {
	tuner := played(t, 300)
	s := &tuner.latest
	g := newDesign(s, tuner.data)
	g.build(allCross(3))
	f, err := g.solve(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	search := newSearch(g, g.linear(make([]float64, g.number()), s.dispersion))
	mean, total, best := make([]float64, 3), 0.0, 0.0
	for k, prior := range slopePriors {
		c := scales{k, f.scales.curve, f.scales.cross}
		m, precision := f.priors(c)
		p := search.under(c.cross, m, precision)
		if k == 0 {
			best = p.evidence
		}
		share := prior.weight * math.Exp(p.evidence-best)
		beta := search.mean(p)
		total += share
		for i := range mean {
			mean[i] += share * beta[f.slopes()+i]
		}
	}
	for i := range mean {
		if got := f.slope().AtVec(i); math.Abs(got-mean[i]/total) > .1*f.s {
			t.Errorf("slope %d is %v, the mean over the scales %v", i, got, mean[i]/total)
		}
	}
}

// TestSearch compares the evidence of every choice of scales, found with parts of a factor,
// with that of the whole normal equations.
func TestSearch(t *testing.T) {
	tuner := played(t, 300)
	s := &tuner.latest
	g := newDesign(s, tuner.data)
	g.build(allCross(3))
	f, err := g.solve(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := g.linear(f.beta.RawVector().Data, s.dispersion)
	search := newSearch(g, l)
	best := math.Inf(-1)
	for slope := range slopePriors {
		for curve := range curveScales {
			for cross := range crossScales {
				mean, precision := f.priors(scales{slope, curve, cross})
				p := search.under(cross, mean, precision)
				beta := search.mean(p)
				want, mode := evidence(t, g, l, mean, precision)
				if math.Abs(p.evidence-want) > 1e-8*math.Abs(want) {
					t.Errorf("scales %d %d %d: evidence %v, want %v", slope, curve, cross, p.evidence, want)
				}
				for i, b := range beta {
					if math.Abs(b-mode[i]) > 1e-8 {
						t.Errorf("scales %d %d %d: coefficient %d is %v, want %v", slope, curve, cross, i, b, mode[i])
					}
				}
				best = max(best, want+math.Log(slopePriors[slope].weight))
			}
		}
	}
	mean, precision := f.priors(f.scales)
	if got, _ := evidence(t, g, l, mean, precision); got+math.Log(slopePriors[f.scales.slope].weight) < best-.5 {
		t.Errorf("the scales chosen have evidence %v, others %v", got, best)
	}
}

// evidence computes the evidence with gonum from the rows.
func evidence(t *testing.T, g *design, l *linear, mean, precision []float64) (float64, []float64) {
	t.Helper()
	n := g.number()
	h, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	value := 0.0
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			for k, v := range l.info {
				sum += v * g.columns[i][k] * g.columns[j][k]
			}
			h.SetSym(i, j, sum)
		}
		sum := precision[i] * mean[i]
		for k, v := range l.info {
			sum += (v*l.logOdds[k] + l.pull[k]) * g.columns[i][k]
		}
		right.SetVec(i, sum)
		h.SetSym(i, i, h.At(i, i)+precision[i])
		value += .5*math.Log(precision[i]) - .5*mean[i]*mean[i]*precision[i]
	}
	var chol mat.Cholesky
	var beta mat.VecDense
	if !chol.Factorize(h) {
		t.Fatal("the normal equations do not factor")
	}
	if err := chol.SolveVecTo(&beta, right); err != nil {
		t.Fatal(err)
	}
	return value + .5*mat.Dot(right, &beta) - .5*chol.LogDet(), beta.RawVector().Data
}
