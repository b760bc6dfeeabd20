// Package grid is a tuner that tries every combination of given values against the start, all
// on the same openings. It never drops a point early, as package racing does.
package grid

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/params"
)

// maxPoints bounds the size of a grid. More points are likely a typing error.
const maxPoints = 10000

// Axis is one parameter and the values to try for it.
type Axis struct {
	Param  int       // its index in the space
	Values []float64 // increasing, in the range of the parameter; at least one
}

// ParseAxis reads name=lo:hi:step, name=lo:hi:xFACTOR for steps that multiply, or
// name=v1,v2,... An error names the parameter and the remedy.
func ParseAxis(space params.Space, text string) (Axis, error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok {
		return Axis{}, axisError(text, "want name=lo:hi:step, name=lo:hi:xFACTOR or name=v1,v2,...")
	}
	i, err := space.Lookup(name)
	if err != nil {
		return Axis{}, axisError(text, err.Error())
	}
	var values []float64
	if strings.Contains(list, ":") {
		values, err = parseRange(list)
	} else {
		for v := range strings.SplitSeq(list, ",") {
			var x float64
			if x, err = space[i].Parse(v); err != nil {
				break
			}
			if slices.Contains(values, x) {
				err = fmt.Errorf("%s is there twice", v)
				break
			}
			values = append(values, x)
		}
	}
	if err != nil {
		return Axis{}, axisError(text, err.Error())
	}
	for _, x := range values {
		if err := space[i].Check(x); err != nil {
			return Axis{}, axisError(text, err.Error())
		}
	}
	slices.Sort(values)
	if values = slices.Compact(values); len(values) < 2 {
		return Axis{}, axisError(text, "that is one value; want at least two")
	}
	return Axis{Param: i, Values: values}, nil
}

func axisError(text, why string) error { return fmt.Errorf("grid axis %q: %s", text, why) }

// parseRange lists lo, lo+step, ... up to hi. Values are computed from their
// index, not by adding up, and rounded, so that 0:1:0.1 holds 0.3.
func parseRange(text string) ([]float64, error) {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return nil, errors.New("want lo:hi:step or lo:hi:xFACTOR")
	}
	factor, multiply := strings.CutPrefix(parts[2], "x")
	var x [3]float64
	for i, p := range []string{parts[0], parts[1], factor} {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is not a number", p)
		}
		x[i] = v
	}
	lo, hi, step := x[0], x[1], x[2]
	at := func(i int) float64 { return lo + float64(float64(i)*step) }
	switch {
	case hi <= lo:
		return nil, fmt.Errorf("%s is not above %s", parts[1], parts[0])
	case multiply && (lo <= 0 || step <= 1):
		return nil, errors.New("a factor wants lo above 0 and a factor above 1")
	case !multiply && step <= 0:
		return nil, errors.New("the step must be above 0")
	case multiply:
		at = func(i int) float64 { return lo * math.Pow(step, float64(i)) }
	}
	var values []float64
	for i := 0; ; i++ {
		v := at(i)
		if v > hi+float64(1e-12*max(math.Abs(hi), step)) { // rounding errors must not drop the last value
			return values, nil
		}
		if len(values) == maxPoints {
			return nil, fmt.Errorf("more than %d values", maxPoints)
		}
		v, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', params.Digits+3, 64), 64)
		if err != nil {
			return nil, err
		}
		values = append(values, min(v, hi))
	}
}

// Version numbers the tuner's behaviour. A run records it, and only this version continues the
// run. Any change that proposes other trials or recommends other values, from the same
// settings, seed and scores, must raise it.
const Version = 1

// Settings are the points to try and the games for each. New keeps their slices.
type Settings struct {
	Space params.Space  // of Start and the axes
	Start params.Vector // the reference, and the values of all other parameters
	Axes  []Axis        // the last one varies fastest
	Pairs int           // game pairs for each point; at least 1
}

// chunk is the number of pairs of a trial. Every point gets its first chunk before any gets
// its second, so an interrupted grid has equal pairs at all points.
const chunk = 50

// window is the maximum number of trials in flight. It is more than any number of workers
// needs, and small enough for memory.
const window = 64

// point is one combination and its result against the start.
type point struct {
	Vector params.Vector
	Pairs  [5]int // pairs by half points, as in params.Score
}

// tuner is the grid as a params.Tuner.
type tuner struct {
	set      Settings
	points   []point
	proposed int
	answered int
}

// New returns a tuner. An error names the unusable setting: a start outside the space, fewer
// than one pair, no axis, or axes that Check rejects.
func New(set Settings) (*tuner, error) {
	if err := set.Space.Check(set.Start); err != nil {
		return nil, fmt.Errorf("grid: %w", err)
	}
	if set.Pairs < 1 {
		return nil, fmt.Errorf("grid: %d pairs a point: want at least 1", set.Pairs)
	}
	if len(set.Axes) == 0 {
		return nil, errors.New("grid: no axis; name at least one as name=lo:hi:step")
	}
	if err := Check(set.Space, set.Axes); err != nil {
		return nil, err
	}
	t := &tuner{set: set}
	for _, v := range Vectors(set.Start, set.Axes) {
		t.points = append(t.points, point{Vector: v})
	}
	return t, nil
}

// Check returns an error if two axes have the same parameter or the grid has more than
// maxPoints points.
func Check(space params.Space, axes []Axis) error {
	n := 1
	for i, a := range axes {
		if slices.ContainsFunc(axes[:i], func(b Axis) bool { return b.Param == a.Param }) {
			return fmt.Errorf("grid: two axes for %s", space[a.Param].Name)
		}
		if n *= len(a.Values); n > maxPoints {
			return fmt.Errorf("grid: more than %d points; use coarser steps", maxPoints)
		}
	}
	return nil
}

// Vectors returns all points of a grid around start, as new vectors. The last axis varies
// fastest.
func Vectors(start params.Vector, axes []Axis) []params.Vector {
	list := []params.Vector{start.Clone()}
	for _, a := range axes {
		var next []params.Vector
		for _, v := range list {
			for _, x := range a.Values {
				w := v.Clone()
				w[a.Param] = x
				next = append(next, w)
			}
		}
		list = next
	}
	return list
}

// Trials returns the number of trials of the whole grid; a point has several if its pairs
// exceed 50.
func (t *tuner) Trials() int { return len(t.points) * ((t.set.Pairs + chunk - 1) / chunk) }

// Ask returns the next trials, round by round through all points.
func (t *tuner) Ask() []params.Trial {
	var trials []params.Trial
	for ; t.proposed < t.Trials() && t.proposed < t.answered+window; t.proposed++ {
		round := t.proposed / len(t.points)
		trials = append(trials, params.Trial{
			ID: t.proposed, A: t.points[t.proposed%len(t.points)].Vector, B: t.set.Start,
			Pairs: min(chunk, t.set.Pairs-round*chunk), Openings: uint64(round),
		})
	}
	return trials
}

// Tell adds a score to its point. Points of a grid are fixed, so a trial of other values is an
// error.
func (t *tuner) Tell(trial params.Trial, s params.Score) error {
	if t.answered == t.Trials() {
		return fmt.Errorf("grid: trial %d, but the grid has %d", trial.ID, t.Trials())
	}
	if err := trial.Check(t.set.Space, t.answered); err != nil {
		return fmt.Errorf("grid: %w", err)
	}
	p := &t.points[t.answered%len(t.points)]
	if !slices.Equal(trial.A, p.Vector) || !slices.Equal(trial.B, t.set.Start) {
		return fmt.Errorf("grid: trial %d played %v against %v, which is not its point of this grid", trial.ID, trial.A, trial.B)
	}
	for i, n := range s.Pairs {
		p.Pairs[i] += n
	}
	t.answered++
	t.proposed = max(t.proposed, t.answered)
	return nil
}

// Recommend returns a copy of the point with the highest score, or of the start while no score
// is above one half. Among equal scores the point nearest to the start wins, so a parameter
// without effect stays there. Selecting the best of many points biases its score upwards:
// verify it on fresh openings.
func (t *tuner) Recommend() params.Vector {
	best, score := t.set.Start, 0.5
	for _, p := range t.points {
		s := (params.Score{Pairs: p.Pairs}).Mean()
		if s > score || s == score && t.moved(p.Vector) < t.moved(best) {
			best, score = p.Vector, s
		}
	}
	return best.Clone()
}

// moved returns the distance of v from the start, summed over the parameters in steps.
func (t *tuner) moved(v params.Vector) (steps float64) {
	for _, a := range t.set.Axes {
		p := t.set.Space[a.Param]
		steps += math.Abs(p.Coordinate(v[a.Param]) - p.Coordinate(t.set.Start[a.Param]))
	}
	return steps
}
