package quadratic

import (
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
	Space  params.Space
	Start  params.Vector
	Active []int // indices of the parameters to tune; at least one
	Seed   uint64
	// Pairs is the budget in pairs of games; 0 means that the tuner goes on for
	// as long as it is asked. It changes no proposal but the size of the last
	// one, and SetPairs can change it later.
	Pairs int
}

// Tuner is the paired quadratic behind the ask / tell interface.
type Tuner struct {
	set  Settings
	axes []axis
	plan schedule

	asked, told int
	toldPairs   int
	data        []evidence

	proposals state // of the batch being proposed
	latest    state // after the last fit
	best      []float64
	fits      int
}

// state is what proposals are drawn from.
type state struct {
	m       []float64  // centre, in [-1, 1] an axis
	l, back *mat.Dense // root of the probes' covariance, and its inverse
	scales  scales
}

// schedule says when fits happen and how large trials are: by the ID of a trial
// alone.
type schedule struct {
	trials []int // first ID of every batch; a fit follows each batch
	pairs  []int // pairs planned before the first trial of that batch
}

var (
	batchGrowth = .05
	firstBatch  = 4
)

// extend plans batches until ID id is inside one.
func (s *schedule) extend(id int) {
	if len(s.trials) == 0 {
		s.trials, s.pairs = []int{0}, []int{0}
	}
	for s.trials[len(s.trials)-1] <= id {
		k, p := s.trials[len(s.trials)-1], s.pairs[len(s.pairs)-1]
		end := max(p+firstBatch, int(float64(p)*(1+batchGrowth)))
		for p < end {
			p += trialPairs(p)
			k++
		}
		s.trials, s.pairs = append(s.trials, k), append(s.pairs, p)
	}
}

func trialPairs(before int) int { return 1 + before/500 }

// batch returns the number of the batch that trial id is in.
func (s *schedule) batch(id int) int {
	s.extend(id)
	i, found := slices.BinarySearch(s.trials, id)
	if !found {
		i--
	}
	return i
}

// New returns a tuner, or an error that names the unusable setting.
func New(set Settings) (*Tuner, error) {
	if err := set.Space.Check(set.Start); err != nil {
		return nil, fmt.Errorf("quadratic: %w", err)
	}
	t := &Tuner{set: set}
	for _, i := range set.Active {
		p := set.Space[i]
		lo, hi := p.Bounds()
		if len(p.Labels) > 0 || !(hi > lo) {
			continue
		}
		t.axes = append(t.axes, axis{index: i, param: p, mid: (lo + hi) / 2, half: (hi - lo) / 2})
	}
	if len(t.axes) == 0 {
		return nil, errors.New("quadratic: no parameter to tune")
	}
	d := len(t.axes)
	m := make([]float64, d)
	l, back := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	width := box / math.Pow(float64(d), .25)
	for j, a := range t.axes {
		m[j] = a.coordinate(set.Start[a.index])
		l.Set(j, j, width)
		back.Set(j, j, 1/width)
	}
	t.latest = state{m: m, l: l, back: back, scales: scales{1, 1, 1}}
	t.proposals = t.latest
	t.best = slices.Clone(m)
	return t, nil
}

// box is the widest deviation of probes: a quarter of the range.
const box = .5

// Ask returns the trials that may start.
func (t *Tuner) Ask() []params.Trial {
	var trials []params.Trial
	limit := t.limit()
	for ; t.asked < limit; t.asked++ {
		if trial, ok := t.propose(t.asked); ok {
			trials = append(trials, trial)
			continue
		}
		break
	}
	return trials
}

// limit is the first ID that may not be asked yet: batches i and i + 1 may be in
// flight when batch i - 1 is told.
func (t *Tuner) limit() int {
	b := t.plan.batch(t.told)
	t.plan.extend(t.plan.trials[b+1])
	return t.plan.trials[b+2]
}

func (t *Tuner) propose(id int) (params.Trial, bool) {
	b := t.plan.batch(id)
	before := t.plan.pairs[b]
	for k := t.plan.trials[b]; k < id; k++ {
		before += trialPairs(before)
	}
	pairs := trialPairs(before)
	if t.set.Pairs > 0 {
		if pairs = min(pairs, t.set.Pairs-before); pairs < 1 {
			return params.Trial{}, false
		}
	}
	s := &t.latest
	if b <= t.plan.batch(t.told) {
		s = &t.proposals
	}
	x, than := t.draw(s, id)
	return params.Trial{ID: id, X: x, Than: than, Pairs: pairs, Openings: uint64(id)}, true
}

// draw makes the probes of a trial.
func (t *Tuner) draw(s *state, id int) (x, than params.Vector) {
	r := rand.New(rand.NewPCG(t.set.Seed, 0x71756164<<32|uint64(id)))
	d := len(t.axes)
	z, g := make([]float64, d), make([]float64, d)
	signs(z, r)
	for j := range g {
		g[j] = centreSpread * r.NormFloat64()
	}
	var w, c mat.VecDense
	w.MulVec(s.l, mat.NewVecDense(d, z))
	c.MulVec(s.l, mat.NewVecDense(d, g))
	x, than = t.set.Start.Clone(), t.set.Start.Clone()
	for j := range t.axes {
		a := &t.axes[j]
		x[a.index], than[a.index] = a.probes(s.m[j]+c.AtVec(j), w.AtVec(j), r.Float64())
	}
	return x, than
}

var centreSpread = .3

// Tell learns from a trial.
func (t *Tuner) Tell(trial params.Trial, s params.Score) error {
	if err := trial.Check(t.set.Space, t.told); err != nil {
		return fmt.Errorf("quadratic: %w", err)
	}
	e := evidence{x: t.coordinates(trial.X), t: t.coordinates(trial.Than), pairs: float64(s.N()), mean: s.Mean(), square: s.Variance() * float64(s.N())}
	t.data = append(t.data, e)
	t.toldPairs += s.N()
	t.told++
	t.asked = max(t.asked, t.told)
	if t.plan.trials[t.plan.batch(t.told)] == t.told {
		t.proposals = t.latest
		t.fit()
	}
	return nil
}

func (t *Tuner) coordinates(v params.Vector) []float64 {
	y := make([]float64, len(t.axes))
	for j := range t.axes {
		y[j] = t.axes[j].coordinate(v[t.axes[j].index])
	}
	return y
}

// Best returns the recommendation.
func (t *Tuner) Best() params.Vector { return t.vector(t.best) }

func (t *Tuner) vector(y []float64) params.Vector {
	v := t.set.Start.Clone()
	for j := range t.axes {
		a := &t.axes[j]
		v[a.index] = a.param.Clip(a.value(y[j]))
	}
	return v
}
