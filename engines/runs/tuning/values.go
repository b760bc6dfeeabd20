package tuning

import (
	"fmt"
	"math"

	"selfplaylab/datasets"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// answers are the values that an objective gave so far, in all stages.
type answers struct {
	minimize       bool
	calls, missing int64

	tuned         []float64 // values of the tuning's calls, in order
	best          float64   // of these
	bestAt        int       // its call, from 1; 0 before the first
	bestVector    params.Vector
	alike, unlike int64 // vectors of which two calls with different seeds gave equal values, and did not
}

// better reports whether a value is better than another.
func (a *answers) better(x, than float64) bool { return x != than && (x < than) == a.minimize }

// add counts the calls of a trial.
func (a *answers) add(f schedule.Finished, tuning bool) {
	for i, g := range f.Games {
		a.call(g.ValueA, f.Trial.A, tuning)
		a.call(g.ValueB, f.Trial.B, tuning)
		if i%2 == 1 {
			a.compare(f.Games[i-1].ValueA, g.ValueA)
			a.compare(f.Games[i-1].ValueB, g.ValueB)
		}
	}
}

func (a *answers) call(value *float64, of params.Vector, tuning bool) {
	a.calls++
	if value == nil {
		a.missing++
		return
	}
	if !tuning {
		return
	}
	a.tuned = append(a.tuned, *value)
	if a.bestAt == 0 || a.better(*value, a.best) {
		a.best, a.bestAt, a.bestVector = *value, len(a.tuned), of
	}
}

// compare counts two calls of one vector under different seeds.
func (a *answers) compare(x, y *float64) {
	switch {
	case x == nil || y == nil:
	case *x == *y:
		a.alike++
	default:
		a.unlike++
	}
}

// deterministic reports whether no seed ever changed a value.
func (a *answers) deterministic() bool { return a.unlike == 0 && a.alike >= 8 }

// paired sums up the values of two vectors, each pair of calls under one seed.
type paired struct {
	a, b, change rating.Margins // change is a less b
	unequal      int            // calls whose values differ, or of which one is missing
}

func (p *paired) add(games []datasets.GameRow) {
	for _, g := range games {
		if g.ValueA == nil || g.ValueB == nil {
			p.unequal++
			continue
		}
		p.a.Add(*g.ValueA)
		p.b.Add(*g.ValueB)
		p.change.Add(*g.ValueA - *g.ValueB)
		if *g.ValueA != *g.ValueB {
			p.unequal++
		}
	}
}

// cancels reports whether the noise of two calls with one seed is the same, so that it
// leaves their difference: the variance of the difference is below a hundredth of what it
// would be if the noise were independent.
func (p *paired) cancels(level float64) bool {
	if p.change.N() < minRepeated {
		return false
	}
	variance := func(m rating.Margins) float64 { _, in := m.Interval(level); return in.Half() * in.Half() }
	alone := variance(p.a) + variance(p.b)
	return alone > 0 && variance(p.change) < alone/100
}

// minRepeated is how many calls say something of noise.
const minRepeated = 16

// measured is a mean of values with its interval, which is that of a single look.
type measured struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Calls int     `json:"calls"`
}

// measure returns nil for fewer than two values, which have no interval.
func measure(m rating.Margins, level float64) *measured {
	if m.N() < 2 {
		return nil
	}
	mean, in := m.Interval(level)
	return &measured{mean, in.Low, in.High, m.N()}
}

// String is the mean with half its interval, or alone if all values were equal.
func (m *measured) String() string {
	half := (m.High - m.Low) / 2
	if half <= 1e-9*math.Abs(m.Value) { // exact, but for rounding
		return fmt.Sprintf("%.6g", m.Value)
	}
	if half >= 1e15 { // more digits than a number has
		return fmt.Sprintf("%.3g ± %.2g", m.Value, half)
	}
	digits := max(0, 1-int(math.Floor(math.Log10(half))))
	return fmt.Sprintf("%s ± %.*f", text.Fixed(m.Value, digits), digits, half)
}
