// Package spsa tunes by simultaneous perturbation stochastic approximation
// (Spall, IEEE Trans. Automatic Control 37, 1992): every iteration moves all
// parameters at once by a step of random sign, plays the two mirror images
// against each other, and follows the winner a little. It plays nothing itself.
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

// Version of the tuner. A run records it and is continued by this version alone, so any
// change that asks for other trials or recommends other values, from the same settings, seed
// and scores, raises it.
const Version = 2

// Settings say what to tune and how. The zero value of an optional field takes
// the default named there.
type Settings struct {
	Space  params.Space
	Start  params.Vector
	Active []int // indices of the parameters to tune; at least one

	Iterations int    // at least 1
	Pairs      int    // game pairs an iteration; 0 means 1, which wastes least
	Seed       uint64 // of the perturbations

	// Delay is how many iterations may be in flight: iteration k starts from the
	// iterate after k-Delay scores, so that workers need not wait. It is at most
	// MostDelay; 0 means that, but 1,024 at most.
	Delay int
	// Schedule has the step sizes; its zero value means DefaultSchedule.
	Schedule Schedule
}

// MostDelay is the largest delay for a number of iterations: it costs nothing up
// to a 28th of them, and the iterate diverges from about a twelfth (measured on
// LOG: 62 iterations of 512 pairs end at a regret of .00008 with a delay of 3, of
// .090 with 9).
func MostDelay(iterations int) int { return max(1, iterations/30) }

// tuner is SPSA behind the ask / tell interface.
type tuner struct {
	set     Settings
	rng     *rand.Rand
	iter    int            // next iteration to propose
	asked   int            // iterations handed out or told, at least told
	told    int            // scores received
	now     walk           // after the last score
	half    walk           // after half as many scores, walked again behind it
	signs   []int8         // of what was played: A above B 1, below -1; a row a score
	results []float64      // of each score, -1 to 1
	next    []params.Trial // proposed and not yet told, oldest first
}

// maxSigns are made room for at the beginning.
const maxSigns = 1 << 26

// walk is an iterate on its way. Two of them are all that the mean over the later half
// needs: with every iterate kept, 500 parameters take half a gigabyte after 64,000
// iterations, and their signs a sixteenth of that.
type walk struct {
	k   int       // scores so far
	u   []float64 // the iterate, in steps, one for each active parameter
	sum []float64 // of iterates 1 to k
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

// New returns a tuner, or an error that names the unusable setting.
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

// propose makes the trials that the scores told so far allow. It runs after
// every single score, so that what an iteration starts from does not depend on
// how many scores arrive between two calls of Ask.
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

// probes returns the two values of one parameter around coordinate u. Near a
// bound the centre gives way, not one of the probes: a clipped probe would bias
// the step.
func probes(p params.Param, u, c, flip, common float64) (up, down float64) {
	if p.Whole && !p.Log { // half a unit at least, or both sides may round alike
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

// Tell moves the iterate by the score of the next iteration, along the signs of
// what was played.
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

// Recommend returns the mean of the iterates of the last half so far: the last
// iterate alone carries the noise of its last few steps (Polyak and Juditsky,
// SIAM J. Control and Optimization 30, 1992).
func (t *tuner) Recommend() params.Vector { return t.average() }

// Iterate returns the iterate after the last score, in natural units.
func (t *tuner) Iterate() params.Vector { return t.vector(t.now.u) }

// average is the mean of the iterates of the last half.
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

// vector turns coordinates of the active parameters into a point of the space.
func (t *tuner) vector(u []float64) params.Vector {
	v := t.set.Start.Clone()
	for j, i := range t.set.Active {
		p := t.set.Space[i]
		v[i] = p.Clip(p.Value(u[j]))
	}
	return v
}
