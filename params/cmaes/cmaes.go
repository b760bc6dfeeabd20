// Package cmaes tunes against one given opponent by the evolution strategy with
// covariance matrix adaptation (Hansen, "The CMA Evolution Strategy: A Tutorial",
// arXiv:1604.00772, 2016; the equations named below are its). It is for opponents
// that do not change, such as programs from outside: what beats one opponent need
// not be strong, and tuners that play against themselves need far fewer games. It
// plays nothing itself.
package cmaes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"selfplaylab/params"
)

// Settings say what to tune.
type Settings struct {
	Space params.Space
	Start params.Vector
	// Opponent is what every trial is played against; nil means Start.
	Opponent params.Vector
	// Active are the indices of the parameters to tune, each once. None may choose
	// among names.
	Active []int
	Seed   uint64
	Pairs  int // the budget in pairs; a generation that it does not cover is not begun
}

// maxParams is how many parameters can be tuned at once: the adaptation of a full
// covariance needs ten times their square in trials.
const maxParams = 100

// tuner is the strategy behind the ask / tell interface.
type tuner struct {
	set  Settings
	axes []axis
	w    weights

	generation         int
	first, asked, told int // first is the generation's first ID
	pairs              int // of all generations begun
	over               bool

	mean         []float64 // in [-1, 1] an axis
	sigma        float64
	cov          *mat.SymDense
	pathS, pathC []float64
	root, back   *mat.SymDense // square root of cov and its inverse

	points [][]float64 // of the generation, as played
	scores []float64
	means  [][]float64 // after every generation; the start first
}

// axis is one parameter and the map of its coordinate to [-1, 1].
type axis struct {
	index     int
	param     params.Param
	mid, half float64
}

// New returns a tuner, or an error that names the unusable setting.
func New(set Settings) (*tuner, error) {
	if set.Opponent == nil {
		set.Opponent = set.Start
	}
	t := &tuner{set: set, sigma: .3}
	if err := t.prepare(); err != nil {
		return nil, fmt.Errorf("cmaes: %w", err)
	}
	d := len(t.axes)
	t.w = newWeights(d)
	t.mean, t.pathS, t.pathC = make([]float64, d), make([]float64, d), make([]float64, d)
	t.cov = mat.NewSymDense(d, nil)
	for j := range t.axes {
		t.mean[j] = t.axes[j].coordinate(set.Start[t.axes[j].index])
		t.cov.SetSym(j, j, 1)
	}
	t.means = append(t.means, slices.Clone(t.mean))
	if err := t.decompose(); err != nil {
		return nil, fmt.Errorf("cmaes: %w", err)
	}
	if t.begin(); t.over {
		return nil, fmt.Errorf("cmaes: a budget of %d pairs: want %d at least, one generation", set.Pairs, t.w.lambda*t.trialPairs())
	}
	return t, nil
}

func (t *tuner) prepare() error {
	s := &t.set
	for _, v := range []params.Vector{s.Start, s.Opponent} {
		if err := s.Space.Check(v); err != nil {
			return err
		}
	}
	seen := map[int]bool{}
	for _, i := range s.Active {
		if i < 0 || i >= len(s.Space) || seen[i] {
			return fmt.Errorf("active parameter %d: want indices of the space, 0 to %d, each once", i, len(s.Space)-1)
		}
		seen[i] = true
		p := s.Space[i]
		lo, hi := p.Bounds()
		if len(p.Labels) > 0 || !(hi > lo) {
			return fmt.Errorf("%s has no range to tune in (%s)", p.Name, p.Range())
		}
		t.axes = append(t.axes, axis{i, p, lo + (hi-lo)/2, (hi - lo) / 2})
	}
	switch n := len(t.axes); {
	case n == 0:
		return errors.New("no parameter to tune: all are frozen")
	case n > maxParams:
		return fmt.Errorf("%d parameters: want at most %d", n, maxParams)
	}
	return nil
}

func (a *axis) coordinate(x float64) float64 { return (a.param.Coordinate(x) - a.mid) / a.half }

func (a *axis) value(y float64) float64 {
	return a.param.Clip(a.param.Value(a.mid + float64(a.half*min(max(y, -1), 1))))
}

// weights are the constants of the strategy (table 1 of the tutorial, positive
// weights only).
type weights struct {
	lambda                      int
	w                           []float64
	mu, cs, ds, cc, c1, cm, chi float64
}

func newWeights(d int) weights {
	n := float64(d)
	// Twice the usual population: ranks are noisy.
	w := weights{lambda: 2 * (4 + int(3*math.Log(n)))}
	sum, squares := 0.0, 0.0
	for i := range w.lambda / 2 {
		v := math.Log(float64(w.lambda+1)/2) - math.Log(float64(i+1))
		w.w = append(w.w, v)
		sum += v
	}
	for i := range w.w {
		w.w[i] /= sum
		squares += float64(w.w[i] * w.w[i])
	}
	w.mu = 1 / squares
	w.cs = (w.mu + 2) / (n + w.mu + 5)
	w.ds = 1 + float64(2*max(0, math.Sqrt((w.mu-1)/(n+1))-1)) + w.cs
	w.cc = (4 + w.mu/n) / (n + 4 + float64(2*w.mu/n))
	w.c1 = 2 / (float64((n+1.3)*(n+1.3)) + w.mu)
	w.cm = min(1-w.c1, 2*(w.mu-2+1/w.mu)/(float64((n+2)*(n+2))+w.mu))
	w.chi = math.Sqrt(n) * (1 - 1/(4*n) + 1/(21*n*n))
	return w
}

// trialPairs is the size of a trial: it grows with the generations, because steps
// shrink and differences with them. (Small trials, and more generations, were
// measured to be worse on all four problems of the test: ranks drown in noise.)
func (t *tuner) trialPairs() int { return firstPairs + t.generation }

// firstPairs is the size of a trial of the first generation.
const firstPairs = 8

// begin starts the next generation if the budget covers it.
func (t *tuner) begin() {
	cost := t.w.lambda * t.trialPairs()
	if t.over = t.pairs+cost > t.set.Pairs; t.over {
		return
	}
	t.pairs += cost
	t.first, t.points, t.scores = t.told, nil, nil
}

// Ask returns the rest of the generation: all of it may be in flight, and the
// next one waits for its last score.
func (t *tuner) Ask() []params.Trial {
	var trials []params.Trial
	for ; !t.over && t.asked < t.first+t.w.lambda; t.asked++ {
		trials = append(trials, params.Trial{
			ID: t.asked, A: t.sample(t.asked), B: t.set.Opponent.Clone(),
			Pairs: t.trialPairs(), Openings: uint64(t.generation),
		})
	}
	return trials
}

// sample draws a point. Each trial has random numbers of its own.
func (t *tuner) sample(id int) params.Vector {
	r := rand.New(rand.NewPCG(t.set.Seed, 0x636d6165<<32|uint64(id)))
	d := len(t.axes)
	z := mat.NewVecDense(d, nil)
	for j := range d {
		z.SetVec(j, r.NormFloat64())
	}
	var y mat.VecDense
	y.MulVec(t.root, z)
	x := t.set.Start.Clone()
	for j := range t.axes {
		x[t.axes[j].index] = t.axes[j].value(t.mean[j] + float64(t.sigma*y.AtVec(j)))
	}
	return x
}

// Tell takes a score, and adapts after a generation's last.
func (t *tuner) Tell(trial params.Trial, s params.Score) error {
	if t.over {
		return fmt.Errorf("cmaes: trial %d, but the run ended with %d", trial.ID, t.told-1)
	}
	if err := trial.Check(t.set.Space, t.told); err != nil {
		return fmt.Errorf("cmaes: %w", err)
	}
	if !slices.Equal(trial.B, t.set.Opponent) {
		return fmt.Errorf("cmaes: trial %d was played against %v, not against the opponent of this run", trial.ID, trial.B)
	}
	y := make([]float64, len(t.axes))
	for j := range t.axes {
		y[j] = t.axes[j].coordinate(trial.A[t.axes[j].index])
	}
	t.points, t.scores = append(t.points, y), append(t.scores, s.Mean())
	t.told++
	t.asked = max(t.asked, t.told)
	if t.told == t.first+t.w.lambda {
		if err := t.adapt(); err != nil {
			return fmt.Errorf("cmaes: after trial %d: %w", trial.ID, err)
		}
		t.generation++
		t.begin()
	}
	return nil
}

// adapt moves mean, step size and covariance by the ranks of a generation
// (equations 41 to 47).
func (t *tuner) adapt() error {
	d, w := len(t.axes), &t.w
	order := make([]int, len(t.points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.scores[b], t.scores[a]) })
	step := mat.NewVecDense(d, nil)
	rank := mat.NewSymDense(d, nil)
	for i, weight := range w.w {
		y := mat.NewVecDense(d, nil)
		for j, x := range t.points[order[i]] {
			y.SetVec(j, (x-t.mean[j])/t.sigma)
		}
		step.AddScaledVec(step, weight, y)
		rank.SymRankOne(rank, weight, y)
	}
	var white mat.VecDense
	white.MulVec(t.back, step)
	length := 0.0
	for j := range d {
		t.mean[j] = min(max(t.mean[j]+float64(t.sigma*step.AtVec(j)), -1), 1)
		t.pathS[j] = float64((1-w.cs)*t.pathS[j]) + float64(math.Sqrt(w.cs*(2-w.cs)*w.mu)*white.AtVec(j))
		length += float64(t.pathS[j] * t.pathS[j])
	}
	length = math.Sqrt(length)
	moving := 0.0
	if length/math.Sqrt(1-math.Pow(1-w.cs, 2*float64(t.generation+1))) < (1.4+2/(float64(d)+1))*w.chi {
		moving = 1
	}
	for j := range d {
		t.pathC[j] = float64((1-w.cc)*t.pathC[j]) + float64(moving*math.Sqrt(w.cc*(2-w.cc)*w.mu)*step.AtVec(j))
	}
	keep := 1 - w.c1 - w.cm + float64((1-moving)*w.c1*w.cc*(2-w.cc))
	t.cov.ScaleSym(keep, t.cov)
	t.cov.SymRankOne(t.cov, w.c1, mat.NewVecDense(d, t.pathC))
	rank.ScaleSym(w.cm, rank)
	t.cov.AddSym(t.cov, rank)
	// Noise alone must neither blow the steps up beyond the range nor end them.
	t.sigma = min(max(t.sigma*math.Exp(min(w.cs/w.ds*(length/w.chi-1), 1)), 1e-3), 1)
	t.means = append(t.means, slices.Clone(t.mean))
	return t.decompose()
}

// decompose computes the square root of the covariance and its inverse, and keeps
// the covariance from degenerating.
func (t *tuner) decompose() error {
	d := len(t.axes)
	var e mat.EigenSym
	if !e.Factorize(t.cov, true) {
		return errors.New("the covariance has no eigenvalues")
	}
	var v mat.Dense
	e.VectorsTo(&v)
	values := e.Values(nil)
	top := values[d-1]
	if !(top > 0) || math.IsInf(top, 0) {
		return fmt.Errorf("the covariance is degenerate: largest eigenvalue %v", top)
	}
	t.root, t.back = mat.NewSymDense(d, nil), mat.NewSymDense(d, nil)
	cov := mat.NewSymDense(d, nil)
	for k, x := range values {
		// Scaled so that sigma alone is the size, and at most 1 to 1000 in length.
		x = max(x/top, 1e-6) * min(max(top, 1e-2), 1e2)
		cov.SymRankOne(cov, x, v.ColView(k))
		t.root.SymRankOne(t.root, math.Sqrt(x), v.ColView(k))
		t.back.SymRankOne(t.back, 1/math.Sqrt(x), v.ColView(k))
	}
	t.cov = cov
	return nil
}

// Recommend returns what the strategy estimates: the mean of its distribution,
// averaged over the last half of the generations. The point that scored best is
// the luckiest, not the best.
func (t *tuner) Recommend() params.Vector {
	n := len(t.means)
	last := t.means[n/2:]
	v := t.set.Start.Clone()
	for j := range t.axes {
		sum := 0.0
		for _, m := range last {
			sum += m[j]
		}
		v[t.axes[j].index] = t.axes[j].value(sum / float64(len(last)))
	}
	return v
}
