// Package spsa tunes by simultaneous perturbation stochastic approximation (Spall, IEEE Trans.
// Automatic Control 37, 1992). Every iteration moves all parameters at once by a step of random
// sign, plays the two mirror images against each other, and moves slightly towards the winner.
// The package plays nothing itself.
package spsa

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"selfplaylab/params"
)

// Version numbers the tuner's behaviour. A run records it, and only this version continues the
// run. Any change that proposes other trials or recommends other values, from the same
// settings, seed and scores, must raise it.
const Version = 2

// Settings are the parameters to tune and the iterations. The zero value of an optional field
// selects the default named there. New keeps their slices.
type Settings struct {
	Space  params.Space  // of all parameters
	Start  params.Vector // the first iterate, a point of Space
	Active []int         // indices of the parameters to tune; at least one

	Iterations int    // at least 1
	Pairs      int    // game pairs an iteration; 0 means 1, the most economical
	Seed       uint64 // of the perturbations

	// Delay is the number of iterations that may be in flight: iteration k starts from the
	// iterate after k-Delay scores, so that workers need not wait. It is at most MostDelay; 0
	// means MostDelay, but at most 1,024.
	Delay int
	// Schedule has the step sizes; its zero value means DefaultSchedule.
	Schedule Schedule
}

// MostDelay returns the largest delay for a number of iterations. A delay of up to a 28th of
// the iterations costs nothing; from about a twelfth on the iterate diverges.
func MostDelay(iterations int) int { return max(1, iterations/30) }

// tuner is SPSA as a params.Tuner.
type tuner struct {
	set     Settings
	rng     *rand.Rand
	iter    int            // next iteration to propose
	asked   int            // iterations handed out or told, at least told
	told    int            // number of scores received
	now     walk           // the walk after the last score
	half    walk           // the walk after half of the scores, which repeats their steps later
	signs   []int8         // of the played trials: 1 for A above B, -1 for below; a row for each score
	results []float64      // of each score, -1 to 1
	next    []params.Trial // proposed and not yet told, oldest first
}

// maxSigns bounds the signs for which memory is allocated at the start.
const maxSigns = 1 << 26

// walk is an iterate in motion. Two of them suffice for the mean over the later half: all
// iterates of 500 parameters would take half a gigabyte after 64,000 iterations, and their
// signs take a sixteenth of that.
type walk struct {
	k   int       // number of scores so far
	u   []float64 // the iterate, in steps, one value for each active parameter
	sum []float64 // sum of iterates 1 to k
}

// step moves a walk by the next score.
func (t *tuner) step(w *walk) {
	a, _ := t.set.Schedule.sizes(t.set.Iterations, t.set.Pairs, w.k)
	y, signs := t.results[w.k], t.signs[w.k*len(w.u):]
	for j, i := range t.set.Active {
		lo, hi := t.set.Space[i].Bounds()
		w.u[j] = min(max(w.u[j]+float64(float64(a*y)*float64(signs[j])), lo), hi)
		w.sum[j] += w.u[j]
	}
	w.k++
}

// New returns a tuner. An error names the unusable setting.
func New(set Settings) (*tuner, error) {
	if set.Schedule == (Schedule{}) {
		set.Schedule = DefaultSchedule()
	}
	set.Pairs = cmp.Or(set.Pairs, 1)
	if set.Delay == 0 {
		set.Delay = min(MostDelay(set.Iterations), 1024)
	}
	if err := set.check(); err != nil {
		return nil, fmt.Errorf("spsa: %w", err)
	}
	t := &tuner{set: set, rng: rand.New(rand.NewPCG(set.Seed, 0x5b5a))}
	for _, i := range set.Active {
		t.now.u = append(t.now.u, set.Space[i].Coordinate(set.Start[i]))
	}
	t.now.sum = make([]float64, len(t.now.u))
	t.half = walk{u: slices.Clone(t.now.u), sum: slices.Clone(t.now.sum)}
	t.signs = make([]int8, 0, min(set.Iterations, maxSigns/len(set.Active))*len(set.Active))
	t.propose()
	return t, nil
}

func (s *Settings) check() error {
	switch {
	case s.Iterations < 1:
		return fmt.Errorf("%d iterations: want at least 1", s.Iterations)
	case s.Pairs < 1:
		return fmt.Errorf("%d pairs an iteration: want at least 1", s.Pairs)
	case s.Delay < 1 || s.Delay > MostDelay(s.Iterations):
		return fmt.Errorf("%d iterations in flight: want 1 to %d, a 30th of the iterations, or the iterate diverges", s.Delay,
			MostDelay(s.Iterations))
	case !(min(s.Schedule.A, s.Schedule.Alpha, s.Schedule.Gamma, s.Schedule.CEnd, s.Schedule.REnd) > 0):
		return fmt.Errorf("the schedule %+v: want values above 0", s.Schedule)
	case len(s.Active) == 0:
		return errors.New("no parameter to tune: all are frozen")
	}
	for _, i := range s.Active {
		if len(s.Space[i].Labels) > 2 {
			return fmt.Errorf("%s chooses among names (%s): nothing lies between them; use grid search", s.Space[i].Name, s.Space[i].Range())
		}
	}
	return s.Space.Check(s.Start)
}

// propose draws the trials that the scores so far allow. It runs after every score, so that the
// start of an iteration does not depend on the number of scores between two calls of Ask.
func (t *tuner) propose() {
	for t.iter < t.set.Iterations && t.iter < t.told+t.set.Delay {
		t.next = append(t.next, t.trial())
		t.iter++
	}
}

// trial draws the probes of the next iteration.
func (t *tuner) trial() params.Trial {
	_, probe := t.set.Schedule.sizes(t.set.Iterations, t.set.Pairs, t.iter)
	up, down := t.set.Start.Clone(), t.set.Start.Clone()
	common := t.rng.Float64() // rounds both sides of every whole parameter
	for j, i := range t.set.Active {
		flip := 1.0
		if t.rng.Uint64()&1 == 0 {
			flip = -1
		}
		up[i], down[i] = probes(t.set.Space[i], t.now.u[j], probe, flip, common)
	}
	return params.Trial{ID: t.iter, A: up, B: down, Pairs: t.set.Pairs, Openings: uint64(t.iter)}
}

// probes returns the two values of one parameter around coordinate u. Near a bound the centre
// moves instead of one of the probes, because a clipped probe would bias the step.
func probes(p params.Param, u, c, flip, common float64) (up, down float64) {
	if p.Whole && !p.Log { // at least half a unit, because otherwise both sides might round alike
		c = max(c, p.Coordinate(0.5))
	}
	lo, hi := p.Bounds()
	if hi-lo <= 2*c {
		c = (hi - lo) / 2
	}
	u = min(max(u, lo+c), hi-c)
	up, down = p.Value(u+float64(flip*c)), p.Value(u-float64(flip*c))
	if p.Whole {
		up, down = p.Clip(math.Floor(up+common)), p.Clip(math.Floor(down+common))
	}
	return up, down
}

// Ask returns the iterations that may start.
func (t *tuner) Ask() []params.Trial {
	trials := slices.Clone(t.next[t.asked-t.told:])
	t.asked += len(trials)
	return trials
}

// Tell moves the iterate by the score of the next iteration, along the signs of the played
// trial.
func (t *tuner) Tell(trial params.Trial, s params.Score) error {
	if t.told == t.set.Iterations {
		return fmt.Errorf("spsa: trial %d, but the run has %d iterations", trial.ID, t.told)
	}
	if err := trial.Check(t.set.Space, t.told); err != nil {
		return fmt.Errorf("spsa: %w", err)
	}
	t.results = append(t.results, 2*s.Mean()-1)
	for _, i := range t.set.Active {
		t.signs = append(t.signs, int8(cmp.Compare(trial.A[i], trial.B[i])))
	}
	t.next = t.next[1:]
	t.step(&t.now)
	if t.half.k < t.now.k/2 {
		t.step(&t.half)
	}
	t.told++
	t.asked = max(t.asked, t.told)
	t.propose()
	return nil
}

// Recommend returns the mean of the iterates of the last half so far, because the last iterate
// alone has the noise of its last few steps (Polyak and Juditsky, SIAM J. Control and
// Optimization 30, 1992). The caller owns the vector.
func (t *tuner) Recommend() params.Vector { return t.average() }

// Iterate returns the iterate after the last score, in natural units.
func (t *tuner) Iterate() params.Vector { return t.vector(t.now.u) }

// average returns the mean of the iterates of the last half.
func (t *tuner) average() params.Vector {
	if t.told == 0 {
		return t.Iterate()
	}
	mean := make([]float64, len(t.now.u))
	for j := range mean {
		mean[j] = (t.now.sum[j] - t.half.sum[j]) / float64(t.now.k-t.half.k)
	}
	return t.vector(mean)
}

// vector converts coordinates of the active parameters to a point of the space.
func (t *tuner) vector(u []float64) params.Vector {
	v := t.set.Start.Clone()
	for j, i := range t.set.Active {
		p := t.set.Space[i]
		v[i] = p.Clip(p.Value(u[j]))
	}
	return v
}
