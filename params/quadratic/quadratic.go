// Package quadratic tunes by a quadratic fitted to self-play in pairs. The points c + w and c -
// w around a centre c play each other, a logistic regression reads all games near the centre as
// log-odds q(A) - q(B) with a full quadratic q, and the centre moves to the highest point of q.
// It is related to CLOP (Coulom, Advances in Computer Games 13, 2011), which fits the same
// model to games against a fixed reference. It has no gains, step sizes or budget to set, may
// be stopped, inspected and extended at any time, and plays nothing itself.
//
// Its probes lose about 0.7 s log-odds in every direction, where s is the smallest difference
// that the counted games show. They shrink by themselves with more games, and balance noise
// against the bias of a peak that is not a parabola. Directions that do not matter widen to
// half the range.
//
// Six parameters or more are sounded first: wide probes play the start. If they lose little, as
// those of a strong engine do, games cannot show the second order, and the tuner walks by the
// first order; see walk.
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

// Version numbers the tuner's behaviour. A run records it, and only this version continues the
// run. Any change that proposes other trials or recommends other values, from the same
// settings, seed and scores, must raise it.
const Version = 2

// Settings are the parameters to tune and the budget. New keeps their slices.
type Settings struct {
	Space params.Space  // of all parameters
	Start params.Vector // first point and reference, a point of Space
	// Active are the indices of the parameters to tune, each once. Parameters that choose among
	// names or between two whole numbers stay at Start, because there is nothing between their
	// values. At least one other parameter must be active, and at most MaxParams.
	Active []int
	Seed   uint64 // of the probes
	// Pairs is the budget in pairs of games; 0 means no end. It changes no proposal except the
	// size of the last one, and SetPairs can change it later.
	Pairs int
}

// MaxParams is the maximum number of tuned parameters.
const MaxParams = 1000

// MaxFit is the maximum number of fitted parameters: a fit of them takes a quarter of a second
// after 64,000 games, and its time grows with the cube. More are tuned by a walk alone.
const MaxFit = 200

// fewWalking is the number of parameters from which they are sounded or walk; with fewer, the
// first fits suffice.
const fewWalking = 6

// fullCross is the maximum number of parameters for which every cross term is fitted; with
// more, only those that the data require.
const fullCross = 20

// Tuner is the paired quadratic as a params.Tuner. One goroutine at a time may use it.
type Tuner struct {
	learner
	set     Settings
	leftOut []error // reasons for parameters that stay at the start

	stage   stage
	walk    *walk         // nil while fits draw the trials
	queue   []queued      // trials not told, oldest first, in their sizes without a budget
	checked []checkResult // scores of recommendations against the start

	proposed, told int // numbers of trials
	ahead, planned int // numbers of pairs, without a budget: of drawn trials, and of told ones
	from           int // drawn before the first trial of the fits
	short          int // pairs by which told trials were smaller than planned, at the end of a budget or of a log

	latest   state // after the last fit
	shown    state // the state around which claims are made
	best     []float64
	vectored params.Vector // best as a vector; nil until the first request
}

// New returns a tuner. An error names the unusable setting.
func New(set Settings) (*Tuner, error) {
	t := &Tuner{set: set}
	err := t.prepare()
	if err == nil {
		err = t.begin()
	}
	if err != nil {
		return nil, fmt.Errorf("quadratic: %w", err)
	}
	t.refill()
	return t, nil
}

// begin sets the first state and stage.
func (t *Tuner) begin() error {
	d := len(t.axes)
	s := state{m: make([]float64, d), scales: firstScales, dispersion: 1}
	for j := range t.axes {
		s.m[j] = min(max(t.axes[j].coordinate(t.set.Start[t.axes[j].index]), -1), 1)
	}
	if d <= MaxFit {
		if err := s.setWidth(box/math.Pow(float64(d), .25), t.axes); err != nil {
			return err
		}
	}
	s.start = s.m
	t.latest, t.shown, t.best = s, s, s.m
	ratios := slices.ContainsFunc(declaredRatios(t.set.Space, t.axes), func(g []int) bool { return len(g) == d })
	switch {
	case d < fewWalking:
		t.stage = fitting
	case ratios:
		t.stage, t.walk = walking, newWalk(s.m, true)
	default:
		t.walk = newWalk(s.m, false)
	}
	return nil
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
	case len(t.axes) > MaxParams:
		return fmt.Errorf("%d parameters: want at most %d; choose those that matter", len(t.axes), MaxParams)
	}
	return nil
}

// SetPairs changes the budget in pairs; 0 removes it. A run that has ended continues with the
// next Ask.
func (t *Tuner) SetPairs(pairs int) { t.set.Pairs = max(pairs, 0) }

// Ask returns the trials that may start. A batch of fits is drawn only after the games of the
// batch before it are fitted: drawn a batch earlier, the centre would be up to two steps beyond
// its games, which costs much strength.
func (t *Tuner) Ask() []params.Trial {
	var trials []params.Trial
	left := math.MaxInt
	if t.set.Pairs > 0 {
		left = t.set.Pairs - t.planned + t.short
	}
	for _, d := range t.queue {
		trial := d.Trial
		if trial.Pairs = min(trial.Pairs, left); trial.Pairs < 1 {
			break
		}
		left -= trial.Pairs
		if trial.ID >= t.proposed {
			trials = append(trials, trial)
			t.proposed++
		}
	}
	return trials
}

// centreSpread is the deviation of a trial's centre around that of the state, in probes. It
// must be above 0, because curvature shows only if probes are not centred on the optimum;
// larger values cost regret.
const centreSpread = .3

// queued is a trial of the queue.
type queued struct {
	params.Trial
	kind kind
}

// kind is the purpose of a trial.
type kind int

const (
	mirrored kind = iota // two probes around a centre
	probing              // a sounding: a probe against its centre
	checking             // the recommendation against the start
)

// kindOf returns the kind of the next trial.
func (t *Tuner) kindOf(id int) kind {
	switch {
	case t.stage == sounding || t.walk != nil && id%soundEvery == 0:
		return probing
	case id%checkEvery == checkEvery/2+1 && t.ahead >= firstCheck && !slices.Equal(t.Recommend(), t.set.Start):
		return checking
	}
	return mirrored
}

// draw adds a trial to the queue. Each trial has its own stream of random numbers.
func (t *Tuner) draw() {
	trial := params.Trial{ID: t.told + len(t.queue), A: t.set.Start.Clone(), B: t.set.Start.Clone(), Pairs: t.trialPairs(t.ahead)}
	trial.Openings = uint64(trial.ID)
	r := rand.New(rand.NewPCG(t.set.Seed, 0x71756164<<32|uint64(trial.ID)))
	kind := t.kindOf(trial.ID)
	switch {
	case kind == checking:
		trial.A = t.Recommend()
	case t.stage == fitting:
		t.drawAround(&t.latest, r, trial.A, trial.B)
	default:
		t.drawWalk(r, trial.A, trial.B, kind == probing)
	}
	t.queue, t.ahead = append(t.queue, queued{trial, kind}), t.ahead+trial.Pairs
}

// drawAround sets the two vectors of a trial around a state.
func (t *Tuner) drawAround(s *state, r *rand.Rand, x, other params.Vector) {
	d := len(t.axes)
	z, g := mat.NewVecDense(d, nil), mat.NewVecDense(d, nil)
	for j := range d {
		z.SetVec(j, sign(r))
		g.SetVec(j, centreSpread*r.NormFloat64())
	}
	z.MulVec(s.root, mat.VecDenseCopyOf(z))
	g.MulVec(s.root, mat.VecDenseCopyOf(g))
	for j := range t.axes {
		a := &t.axes[j]
		x[a.index], other[a.index] = a.probes(s.m[j]+g.AtVec(j), z.AtVec(j), r.Float64())
	}
}

// drawWalk sets the two vectors of a trial of the walk: mirror images or, for a sounding, a
// probe and the centre.
func (t *Tuner) drawWalk(r *rand.Rand, x, other params.Vector, sounding bool) {
	for j := range t.axes {
		a := &t.axes[j]
		centre := t.walk.centre(j)
		width := t.walk.halfWidth(centre) * sign(r)
		common := r.Float64()
		if sounding {
			width *= []float64{shortShare, longShare}[r.Uint64()&1]
		}
		x[a.index], other[a.index] = a.probes(centre, width, common)
		if sounding {
			other[a.index] = a.at(min(max(centre, -1+math.Abs(width)), 1-math.Abs(width)), common)
		}
	}
}

func sign(r *rand.Rand) float64 { return float64(2*int(r.Uint64()&1) - 1) }

// Tell learns from a trial, even if this tuner did not propose it.
func (t *Tuner) Tell(trial params.Trial, s params.Score) error {
	if err := trial.Check(t.set.Space, t.told); err != nil {
		return fmt.Errorf("quadratic: %w", err)
	}
	if slices.Min(s.Pairs[:]) < 0 {
		return fmt.Errorf("quadratic: the score of trial %d counts %v pairs", trial.ID, s.Pairs)
	}
	o := t.observe(trial.A, trial.B, s)
	planned, kind := t.queue[0].Pairs, t.queue[0].kind
	t.queue, t.planned, t.short = t.queue[1:], t.planned+planned, t.short+planned-s.N()
	if kind == checking {
		t.check(o)
	}
	if t.walk != nil {
		if kind != checking { // the slope between two distant points is not that at the centre
			t.walk.tell(o, kind == probing)
		}
		t.best, t.vectored = t.walk.recommended(), nil
		if t.stage == walking {
			t.walk.review()
		}
	} else if len(t.queue) == 0 {
		t.latest = t.advance(t.latest)
		t.shown, t.best, t.vectored = t.latest, t.latest.m, nil
	} else if t.set.Pairs > 0 && t.set.Pairs == t.planned-t.short {
		// The end of the budget is seldom the end of a batch. This fit only serves the
		// recommendation, so that a longer budget changes no proposal.
		t.best, t.vectored = t.advance(t.latest).m, nil
	}
	t.told++
	t.proposed = max(t.proposed, t.told)
	t.refill()
	return nil
}

// observe converts a trial to the form of fits, and stores it for them.
func (t *Tuner) observe(x, other params.Vector, s params.Score) *observation {
	n := float64(s.N())
	o := observation{x: t.coordinates(x), other: t.coordinates(other), pairs: n, mean: s.Mean(), square: n * s.Variance()}
	if len(t.axes) <= MaxFit {
		t.data = append(t.data, o)
	}
	return &o
}

func (t *Tuner) coordinates(v params.Vector) []float64 {
	y := make([]float64, len(t.axes))
	for j := range t.axes {
		y[j] = t.axes[j].coordinate(v[t.axes[j].index])
	}
	return y
}

// Recommend returns the mean of a walk, or the centre after the last fit, as a new vector. The
// mean of the centres of several fits is no better, because every fit uses all games near its
// centre.
func (t *Tuner) Recommend() params.Vector {
	if t.vectored == nil { // requested after every trial, and the same until the next fit
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

// Warnings returns sentences on failures and on what a reader of the recommendation should
// know: parameters that are not tuned, fits that failed.
func (t *Tuner) Warnings() []error {
	list := slices.Clone(t.leftOut)
	if t.failed > 0 {
		list = append(list, fmt.Errorf("%d of %d fits did not factor: centre and probes stayed until the next", t.failed, t.fits))
	}
	if t.heldBack > max(2, t.fits/4) { // the first fits know little; an occasional bold one is normal
		list = append(list, fmt.Errorf("%d of %d steps led away from the games played and were shortened: more games may lead further", t.heldBack, t.fits))
	}
	return list
}

// From firstCheck pairs on, one trial in checkEvery plays the recommendation against the start.
const checkEvery, firstCheck = 20, 50

// checkResult is the result of a check.
type checkResult struct {
	before              int // pairs planned before it
	pairs, mean, square float64
}

// check stores the score of a recommendation against the start.
func (t *Tuner) check(o *observation) {
	t.checked = append(t.checked, checkResult{t.planned, o.pairs, o.mean, o.square})
}

// stage is the way in which trials are drawn.
type stage int

const (
	sounding stage = iota // wide probes against the start
	walking
	leaving // a walk has ended, except for the trials in flight
	fitting
)

// trialPairs returns the size of a trial without a budget, by the number of pairs before it.
func (t *Tuner) trialPairs(before int) int {
	if t.stage != fitting {
		return walkPairs(before)
	}
	return rowPairs(before - t.from)
}

// refill draws the trials that the scores so far allow. It runs after every score, so that no
// trial depends on the number of scores between two calls of Ask.
func (t *Tuner) refill() {
	if t.stage == sounding && len(t.queue) == 0 && t.told > 0 {
		if decided, isSteep := t.walk.sounded(); decided {
			t.stage = walking
			switch {
			case isSteep && len(t.axes) <= MaxFit:
				t.data = nil // too far out
				t.beginFits()
			case isSteep:
				t.walk.setProbe(narrow)
			}
		}
	}
	if t.stage == walking && t.walk.isOver() && len(t.axes) <= MaxFit {
		t.stage = leaving
	}
	if t.stage == leaving && len(t.queue) == 0 {
		t.latest.m = t.walk.mean
		for range settlingFits {
			t.latest = t.advance(t.latest)
		}
		t.beginFits()
	}
	t.fill()
}

// settlingFits is the number of fits between a walk and the first batch, because the games of
// the walk lie all around.
const settlingFits = 4

// beginFits begins the stage of fits around the latest state.
func (t *Tuner) beginFits() {
	t.stage, t.from, t.walk = fitting, t.ahead, nil
	t.shown, t.best, t.vectored = t.latest, t.latest.m, nil
}

// fill draws trials: soundings, and those of fits by whole batches.
func (t *Tuner) fill() {
	switch {
	case t.stage == walking:
		for len(t.queue) < inFlight(t.ahead) {
			t.draw()
		}
	case len(t.queue) > 0 || t.stage == leaving:
	case t.stage == sounding:
		for range soundingBatch {
			t.draw()
		}
	default:
		for end := t.ahead + batchPairs(len(t.axes), t.ahead); t.ahead < end; {
			t.draw()
		}
	}
}
