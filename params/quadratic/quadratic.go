// Package quadratic tunes by a quadratic fitted to self-play in pairs: the points
// c + w and c - w around a centre play each other, a logistic regression reads
// all games near the centre as log-odds q(A) - q(B) with q a full quadratic,
// and the centre moves to where q is highest. It is kin of CLOP (Coulom, Advances
// in Computer Games 13, 2011), which fits the same model to games against a fixed
// reference. It has no gains, step sizes or budget to set, may be stopped, looked
// at and extended at any time, and plays nothing itself.
//
// Its probes lose about 0.7 s log-odds in every direction, where s is what can
// just be told apart with the games that count: they shrink by themselves as
// games come in, and balance noise against the bias of a peak that is no
// parabola. Directions that do not matter widen to half the range.
package quadratic

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

// Version of the tuner. A run records it and is continued by this version alone, so any
// change that asks for other trials or recommends other values, from the same settings, seed
// and scores, raises it.
const Version = 1

// Settings say what to tune.
type Settings struct {
	Space params.Space
	Start params.Vector
	// Active are the indices of the parameters to tune, each once. Parameters
	// that choose among names or between two whole numbers stay at Start: nothing
	// lies between their values. At least one other must be active, and maxParams
	// at most.
	Active []int
	Seed   uint64 // of the probes
	// Pairs is the budget in pairs of games; 0 means that the tuner goes on for
	// as long as it is asked. It changes no proposal but the size of the last
	// one, and SetPairs can change it later.
	Pairs int
}

// maxParams is how many parameters can be tuned at once: a fit takes a quarter of a second
// there after 64,000 games, and grows with the cube.
const maxParams = 200

// fullCross is the most parameters for which every cross term is fitted; above
// it only those the data ask for.
const fullCross = 20

// Tuner is the paired quadratic behind the ask / tell interface.
type Tuner struct {
	set     Settings
	axes    []axis
	leftOut []error // parameters that stay at the start, and why
	plan    schedule
	reach   float64 // of a step, in probes

	asked, told int
	short       int // pairs that trials told had fewer than planned: the last of a budget, or of a log
	data        []observation

	latest   state // after the last batch: what the one that is being told is drawn from
	shown    state // what claims are made around: latest, or after a walk's last fit
	best     []float64
	vectored params.Vector // best as a vector; nil until somebody asks
	walk     walk

	fits, failed, heldBack int
}

// state is what proposals are drawn from, and what the next fit starts at.
type state struct {
	m          []float64  // the centre, in [-1, 1] an axis
	root, back *mat.Dense // symmetric root of the probes' covariance, and its inverse
	scales     scales
	dispersion float64
	start      []float64 // the point that priors may take for the best; nil for none
	loose      float64   // least deviation of the vague priors, in log-odds; 0 in a tuner of its own probes
}

// New returns a tuner, or an error that names the unusable setting.
func New(set Settings) (*Tuner, error) {
	t := &Tuner{set: set, reach: reach}
	if err := t.prepare(); err != nil {
		return nil, fmt.Errorf("quadratic: %w", err)
	}
	d := len(t.axes)
	covariance := mat.NewSymDense(d, nil)
	width := box / math.Pow(float64(d), .25)
	s := state{m: make([]float64, d), scales: firstScales, dispersion: 1}
	for j := range t.axes {
		s.m[j] = min(max(t.axes[j].coordinate(set.Start[t.axes[j].index]), -1), 1)
		covariance.SetSym(j, j, width*width)
	}
	if err := s.setProbes(covariance, t.axes); err != nil {
		return nil, fmt.Errorf("quadratic: %w", err)
	}
	s.start = s.m
	t.latest, t.shown, t.best, t.walk = s, s, s.m, walk{s.m}
	return t, nil
}

// prepare checks the settings and finds the axes.
func (t *Tuner) prepare() error {
	set := &t.set
	if err := set.Space.Check(set.Start); err != nil {
		return err
	}
	if set.Pairs < 0 {
		return fmt.Errorf("a budget of %d pairs: want 0 for none, or more", set.Pairs)
	}
	seen := map[int]bool{}
	for _, i := range set.Active {
		if i < 0 || i >= len(set.Space) || seen[i] {
			return fmt.Errorf("active parameter %d: want indices of the space, 0 to %d, each once", i, len(set.Space)-1)
		}
		seen[i] = true
		a, err := newAxis(i, set.Space[i])
		if err != nil {
			t.leftOut = append(t.leftOut, err)
			continue
		}
		t.axes = append(t.axes, a)
	}
	switch {
	case len(set.Active) == 0:
		return errors.New("no parameter to tune: all are frozen")
	case len(t.axes) == 0:
		return fmt.Errorf("no parameter to tune: %w", errors.Join(t.leftOut...))
	case len(t.axes) > maxParams:
		return fmt.Errorf("%d parameters: want at most %d; choose those that matter, or use spsa", len(t.axes), maxParams)
	}
	t.plan.axes, t.plan.walk = len(t.axes), t.walkLength()
	return nil
}

// SetPairs changes the budget in pairs; 0 lifts it. A run that has ended goes on
// with the next Ask.
func (t *Tuner) SetPairs(pairs int) { t.set.Pairs = max(pairs, 0) }

// Ask returns the trials that may start: the rest of the batch that is being told and, in
// a walk, those whose centre is known. After a walk no batch is drawn before the games of the
// one before it are fitted. (Drawn a batch earlier, so that workers never wait, the centre lies
// up to two steps beyond the games that it is derived from. Without a walk 1,000 games of Quoridor
// from its bad start then end at +36 ± 12 Elo over `final`, 15 of 75 below it; without that lag,
// and with slopes averaged over their scales, at +68 ± 4 (95 %), 3 of 160 below.)
func (t *Tuner) Ask() []params.Trial {
	end := t.plan.first(t.plan.batch(t.told) + 1)
	var trials []params.Trial
	for ; ; t.asked++ {
		limit := end
		if before := t.plan.before(t.asked); t.plan.walks(before) {
			limit = t.told + inFlight(before)
		}
		if t.asked >= limit {
			break
		}
		pairs := t.pairs(t.asked)
		if pairs < 1 {
			break
		}
		x, than := t.draw(&t.latest, t.asked)
		trials = append(trials, params.Trial{ID: t.asked, A: x, B: than, Pairs: pairs, Openings: uint64(t.asked)})
	}
	return trials
}

// TrialPairs is the size of a trial, by the pairs before it, where no budget ends it.
func (t *Tuner) TrialPairs(before int) int { return t.plan.trialPairs(before) }

// pairs is the size of a trial; 0 when the budget is spent before it.
func (t *Tuner) pairs(id int) int {
	before := t.plan.before(id)
	pairs := t.TrialPairs(before)
	if t.set.Pairs > 0 {
		pairs = max(min(pairs, t.set.Pairs-before+t.short), 0)
	}
	return pairs
}

// centreSpread is the deviation of a trial's centre around that of the state, in
// probes. Curvature shows only where probes are not centred on the optimum: .5
// costs a tenth more regret, .3 is as good as less.
const centreSpread = .3

// draw makes the probes of a trial. Each trial has its own stream of random
// numbers, so that it can be drawn without those before it.
func (t *Tuner) draw(s *state, id int) (x, than params.Vector) {
	r := rand.New(rand.NewPCG(t.set.Seed, 0x71756164<<32|uint64(id)))
	d := len(t.axes)
	z, g := mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
	for j := range d {
		z.SetVec(j, float64(2*int(r.Uint64()&1)-1))
		g.SetVec(j, centreSpread*r.NormFloat64())
	}
	m := s.m
	if before := t.plan.before(id); t.plan.walks(before) {
		m = t.walk.centre(id, before)
		z.ScaleVec(width, z)
		g.ScaleVec(scatter*width, g)
	} else {
		z.MulVec(s.root, mat.VecDenseCopyOf(z))
		g.MulVec(s.root, mat.VecDenseCopyOf(g))
	}
	x, than = t.set.Start.Clone(), t.set.Start.Clone()
	for j := range t.axes {
		a := &t.axes[j]
		x[a.index], than[a.index] = a.probes(m[j]+g.AtVec(j), z.AtVec(j), r.Float64())
	}
	return x, than
}

// Tell learns from a trial, whoever proposed it.
func (t *Tuner) Tell(trial params.Trial, s params.Score) error {
	if err := trial.Check(t.set.Space, t.told); err != nil {
		return fmt.Errorf("quadratic: %w", err)
	}
	if slices.Min(s.Pairs[:]) < 0 {
		return fmt.Errorf("quadratic: the score of trial %d counts %v pairs", trial.ID, s.Pairs)
	}
	t.observe(trial.A, trial.B, s)
	before := t.plan.before(t.told)
	t.short += t.TrialPairs(before) - s.N()
	t.told++
	t.asked = max(t.asked, t.told)
	fit := t.advance
	if t.plan.walks(before) {
		t.walk.follow(&t.data[len(t.data)-1], before)
		fit = t.arrive
	}
	switch {
	case t.plan.first(t.plan.batch(t.told)) == t.told:
		t.latest = fit(t.latest)
		t.shown, t.best, t.vectored = t.latest, t.latest.m, nil
	case t.set.Pairs > 0 && t.set.Pairs == t.plan.before(t.told)-t.short:
		// The end of the budget is seldom that of a batch. This fit is for the
		// recommendation alone, so that a longer budget changes no proposal.
		end := fit(t.latest)
		if t.best, t.vectored = end.m, nil; t.plan.walks(before) {
			t.shown = end // up to a third of the games are new
		}
	}
	return nil
}

func (t *Tuner) observe(x, than params.Vector, s params.Score) {
	n := float64(s.N())
	t.data = append(t.data, observation{
		x: t.coordinates(x), than: t.coordinates(than), pairs: n, mean: s.Mean(), square: n * s.Variance(),
	})
}

func (t *Tuner) coordinates(v params.Vector) []float64 {
	y := make([]float64, len(t.axes))
	for j := range t.axes {
		y[j] = t.axes[j].coordinate(v[t.axes[j].index])
	}
	return y
}

// Recommend returns the centre after the last fit. The mean of the centres of several
// fits is no better, since every fit uses all games near its centre, not even in
// bent valleys. Regrets x 1000 of the last centre and of the means over the last 8
// fits, a third and half of them, in the same 30 runs (errors about a tenth):
// ROSENBROCK, 1,000 games 2.8, 3.3, 3.8, 5.4, 10,000 games .88, .66, .97, 1.14;
// ANGLE 11.3, 12.1, 12.6, 13.2 and 5.6, 6.1, 7.4, 8.5; CORRELATED 3.7, 4.1, 4.4, 4.7
// and 1.5, 1.5, 1.7, 2.0. Nor on Quoridor: the mean over the last 3 or 5 is .2 ± 2.7 and .1 ± 3.3
// Elo lower (50 seeds from bad), a second closing step 1.4 ± 1.1 higher (170 tunings, in 120 of
// them damped by s/4).
func (t *Tuner) Recommend() params.Vector {
	if t.vectored == nil { // asked for after every trial, and the same until the next fit
		t.vectored = t.vector(t.best)
	}
	return t.vectored.Clone()
}

func (t *Tuner) vector(y []float64) params.Vector {
	v := t.set.Start.Clone()
	for j := range t.axes {
		a := &t.axes[j]
		v[a.index] = a.param.Clip(a.value(y[j]))
	}
	return v
}

// BoundWarning says that a parameter is recommended at an end of its range.
type BoundWarning struct {
	Index int // in the space
	Param params.Param
	Upper bool // the upper end
}

// Error is the sentence.
func (b *BoundWarning) Error() string {
	end := "lower"
	if b.Upper {
		end = "upper"
	}
	return fmt.Sprintf("%s is recommended at the %s end of its range, %s", b.Param.Name, end, b.Param.Range())
}

// Warnings says in sentences what did not go as it should or what someone who
// reads the recommendation should know: parameters that are not tuned,
// fits that failed, recommendations at a bound.
func (t *Tuner) Warnings() []error {
	list := slices.Clone(t.leftOut)
	if t.failed > 0 {
		list = append(list, fmt.Errorf("%d of %d fits did not factor: centre and probes stayed until the next", t.failed, t.fits))
	}
	if t.heldBack > max(2, t.fits/4) { // the first fits know little; now and then one is too bold
		list = append(list, fmt.Errorf("%d of %d steps led away from the games played and were shortened: more games may lead further", t.heldBack, t.fits))
	}
	for j, y := range t.best {
		if side := cmp.Compare(y, 0); math.Abs(y) > .995 {
			list = append(list, &BoundWarning{Index: t.axes[j].index, Param: t.axes[j].param, Upper: side > 0})
		}
	}
	return list
}
