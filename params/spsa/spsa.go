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
	"selfplaylab/params/quadratic"
)

// Version of the tuner. A run records it and is continued by this version alone, so any
// change that asks for other trials or recommends other values, from the same settings, seed
// and scores, raises it.
const Version = 1

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
	// Gains choose the step sizes; nil means Localised().
	Gains Gains
}

// MostDelay is the largest delay for a number of iterations: it costs nothing up
// to a 28th of them, and the iterate diverges from about a twelfth (measured on
// LOG: 62 iterations of 512 pairs end at a regret of .00008 with a delay of 3, of
// .090 with 9).
func MostDelay(iterations int) int { return max(1, iterations/30) }

// Gains give the step sizes of one iteration.
type Gains interface {
	// At returns the step sizes of iteration k, from 0.
	At(s *Settings, k int) sizes
}

// sizes are the step sizes of an iteration, in the parameters' steps.
type sizes struct {
	Gain  float64 // a: the iterate moves by a*y*flip for a result y in [-1, 1] a game
	Probe float64 // c: half-width of the probes
	Whole float64 // half-width of those of whole numbers
}

// halfWidth is that of a parameter's probes.
func (s sizes) halfWidth(p params.Param) float64 {
	if p.Whole && !p.Log {
		return s.Whole
	}
	return s.Probe
}

// tuner is SPSA behind the ask / tell interface.
type tuner struct {
	set     Settings
	rng     *rand.Rand
	iter    int              // next iteration to propose
	asked   int              // iterations handed out or told, at least told
	told    int              // scores received
	unit    []float64        // of the gains, in steps
	now     walk             // after the last score
	half    walk             // after half as many scores, walked again behind it
	signs   []int8           // of what was played: A above B 1, below -1; a row a score
	results []float64        // of each score, -1 to 1
	games   []quadratic.Game // told, if they will be fitted
	refined params.Vector    // nil before the end
	next    []params.Trial   // proposed and not yet told, oldest first
}

// maxRefined is the most parameters that the closing fit takes: its time grows with the
// square of their number, and with 200 of them it took 17 s and .9 GB after 64,000 games.
const maxRefined = 60

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
	a := t.set.Gains.At(&t.set, w.k).Gain
	y, signs := t.results[w.k], t.signs[w.k*len(w.u):]
	for j, i := range t.set.Active {
		lo, hi := t.set.Space[i].Bounds()
		w.u[j] = min(max(w.u[j]+float64(float64(float64(a*y)*float64(signs[j]))*t.unit[j]), lo), hi)
		w.sum[j] += w.u[j]
	}
	w.k++
}

// New returns a tuner, or an error that names the unusable setting.
func New(set Settings) (*tuner, error) {
	if set.Gains == nil {
		set.Gains = Localised()
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
		t.unit = append(t.unit, unit(set.Gains, set.Space[i]))
	}
	t.now.sum = make([]float64, len(t.now.u))
	t.half = walk{u: slices.Clone(t.now.u), sum: slices.Clone(t.now.sum)}
	t.signs = make([]int8, 0, min(set.Iterations, maxSigns/len(t.unit))*len(t.unit))
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
	at := t.set.Gains.At(&t.set, t.iter)
	up, down := t.set.Start.Clone(), t.set.Start.Clone()
	common := t.rng.Float64() // rounds both sides of every whole parameter
	for j, i := range t.set.Active {
		flip := 1.0
		if t.rng.Uint64()&1 == 0 {
			flip = -1
		}
		up[i], down[i] = probes(t.set.Space[i], t.now.u[j], at.halfWidth(t.set.Space[i])*t.unit[j], flip, common)
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
	at := t.set.Gains.At(&t.set, t.told)
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
	if _, ok := t.set.Gains.(local); ok && len(t.unit) <= maxRefined {
		t.games = append(t.games, quadratic.Game{X: trial.A.Clone(), Than: trial.B.Clone(), Score: s})
		if t.told == t.set.Iterations {
			t.refine(at)
		}
	}
	return nil
}

// refine improves the recommendation by a fit of all games near it. Where the fit
// fails, the mean of the iterates stays the recommendation.
func (t *tuner) refine(at sizes) {
	width := make([]float64, len(t.unit))
	for j, i := range t.set.Active {
		width[j] = at.halfWidth(t.set.Space[i]) * t.unit[j]
	}
	best, err := quadratic.Refine(t.set.Space, t.set.Active, t.average(), width, t.games)
	if err == nil {
		t.refined = best
	}
	t.games = nil
}

// Recommend returns the mean of the iterates of the last half so far: the last
// iterate alone carries the noise of its last few steps (Polyak and Juditsky,
// SIAM J. Control and Optimization 30, 1992). With Localised gains the last score
// improves it by a quadratic fitted to the games near it.
func (t *tuner) Recommend() params.Vector {
	if t.refined != nil {
		return t.refined.Clone()
	}
	return t.average()
}

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
