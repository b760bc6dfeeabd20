package tuning

import (
	"fmt"
	"math"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/external/objective"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// byValue reports whether an objective gives values of single vectors that are recorded,
// so that results have its own unit.
func (s *Config) byValue() bool { return s.Objective != nil && s.Objective.Values }

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
	unequal      int
	wins         float64 // calls in which a was better, ties half
}

func (p *paired) add(games []datasets.GameRow) {
	for _, g := range games {
		p.wins += g.AScore
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
	digits := max(0, 1-int(math.Floor(math.Log10(half))))
	return fmt.Sprintf("%.*f ± %.*f", digits, m.Value, digits, half)
}

// objectiveValues are the results of an objective in its own unit. Text, page and JSON are made of
// them.
type objectiveValues struct {
	Direction     string    `json:"direction"`
	Level         float64   `json:"level"` // of all intervals
	Calls         int64     `json:"calls"`
	Unanswered    int64     `json:"unanswered"` // calls without a value within the timeout
	Deterministic bool      `json:"deterministic"`
	NoiseCancels  bool      `json:"noise_cancels"` // in the difference of two calls with one seed
	Start         *measured `json:"start"`         // nil before the verification
	Tuned         *measured `json:"tuned"`
	Change        *measured `json:"change"` // tuned less start, under equal seeds
	BestSeen      *bestSeen `json:"best_seen"`
	Effects       []effect  `json:"effects"`
	NoEffect      []string  `json:"no_effect"` // parameters of which no step changed any value

	better float64 // share of the seeds under which the tuned values were better
}

// bestSeen is the best value of a single call of the tuning. Since noise helped to choose
// it, it was measured again.
type bestSeen struct {
	Value    float64        `json:"value"`
	Call     int            `json:"call"`
	Vector   map[string]any `json:"parameters"`
	Measured *measured      `json:"measured"` // of that vector again
	Tuned    *measured      `json:"tuned"`    // of the tuned values under the same seeds
}

// effect is what another value of one parameter changes, all others as tuned.
type effect struct {
	Parameter string    `json:"parameter"`
	Value     float64   `json:"value"`
	Change    *measured `json:"change"`

	param params.Param
}

// betters reports whether the other value was shown to be better.
func (e *effect) betters(direction string) bool {
	return e.Change != nil && (direction == minimizing && e.Change.High < 0 || direction != minimizing && e.Change.Low > 0)
}

// minimizing is the direction in which smaller values are better.
const minimizing = string(objective.Min) + "imize"

// Values returns what an objective by value showed; nil for other runs.
func (g *stage) Values() *objectiveValues {
	if !g.spec.byValue() {
		return nil
	}
	a, level := g.answers, g.spec.Level
	verified := &g.verification.values
	v := &objectiveValues{
		Direction: g.spec.Objective.direction(), Level: level, Calls: a.calls, Unanswered: a.missing, Deterministic: a.deterministic(),
		NoiseCancels: verified.cancels(level), Start: measure(verified.b, level), Tuned: measure(verified.a, level),
		Change: measure(verified.change, level), Effects: g.effects.list(), NoEffect: g.left, better: verified.wins / float64(verified.a.N()),
	}
	if again := &g.remeasure.values; v.Tuned == nil && g.same() {
		v.Tuned = measure(again.b, level)
		v.Start = v.Tuned
	}
	if a.bestAt > 0 {
		v.BestSeen = &bestSeen{Value: a.best, Call: a.bestAt, Vector: map[string]any{}, Measured: measure(g.remeasure.values.a, level),
			Tuned: measure(g.remeasure.values.b, level)}
		for i, p := range g.spec.task.Space() {
			if v.BestSeen.Vector[p.Name] = any(a.bestVector[i]); len(p.Labels) > 0 {
				v.BestSeen.Vector[p.Name] = p.Format(a.bestVector[i])
			}
		}
	}
	return v
}

// wrongWay reports whether the mean got worse, whatever most comparisons say.
func (v *objectiveValues) wrongWay() bool {
	return v.Change != nil && (v.Change.Value > 0) == (v.Direction == minimizing) && v.Change.Value != 0
}

// verdict is the outcome with its numbers.
func (v *objectiveValues) verdict(o outcome) string {
	if v.Change == nil {
		return "not verified: nothing is known about these values"
	}
	line := fmt.Sprintf("%s: the value changes by %s (%s, %s under equal seeds); it is better under %s of the seeds", o, v.Change,
		text.Level(v.Level), text.Plural(v.Change.Calls, "comparison"), text.Percent(v.better))
	if v.wrongWay() && v.better > .5 {
		line += ", but worse in the mean"
	}
	return line
}

// short is the result in a few words.
func (v *objectiveValues) short() string { return fmt.Sprintf("%s instead of %s", v.Tuned, v.Start) }

// lines are the results as sentences.
func (v *objectiveValues) lines() (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	level := text.Level(v.Level)
	if v.Tuned != nil {
		say("f(start) = %s, f(tuned) = %s (%s, %s each)", v.Start, v.Tuned, level, text.Plural(v.Tuned.Calls, "call"))
	}
	if b := v.BestSeen; b != nil && b.Measured != nil {
		say("Best value of a single call: %.6g, in call %s of the tuning. Measured again: %s; the tuned values: %s (%s, %s each)", b.Value,
			text.Count(b.Call), b.Measured, b.Tuned, level, text.Plural(b.Measured.Calls, "call"))
	} else if b != nil {
		say("Best value of a single call: %.6g, in call %s of the tuning; it was not measured again", b.Value, text.Count(b.Call))
	}
	switch {
	case v.Deterministic:
		say("The program is deterministic: no seed changed a value. More calls of the same vector tell nothing new")
	case v.NoiseCancels:
		say("The noise of two calls with the same seed cancels: comparisons are nearly exact, while single values vary with the seed")
	}
	if len(v.NoEffect) > 0 {
		say("No effect: `%s`. A step around the start or the tuned values changed no value, so the start value was kept",
			strings.Join(v.NoEffect, "`, `"))
	}
	for _, e := range v.Effects {
		if e.betters(v.Direction) {
			say("Not at an optimum: `%s` = %s with the other values as tuned changes the value by %s (%s, %s)", e.Parameter,
				e.param.Format(e.Value), e.Change, level, text.Plural(e.Change.Calls, "comparison"))
		}
	}
	if v.Unanswered > 0 {
		say("%s of %s had no value within the timeout and counted as worse than any other", text.Count(v.Unanswered),
			text.Plural(v.Calls, "call"))
	}
	return list
}

// valuesSection shows the results of an objective in its own unit.
func (t *Result) valuesSection(v *objectiveValues) reports.Section {
	list := reports.List{}
	for _, line := range v.lines() {
		list = append(list, line+".")
	}
	section := reports.Section{Title: "Values", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("Means of what `%s` answered, with %s intervals of a single look. Start and tuned values were called with the "+
			"same fresh seeds.", t.Config.Objective.Command, text.Level(v.Level))), list,
	}}
	if plot, ok := t.answers.plot(v.Direction); ok {
		section.Blocks = append(section.Blocks, plot)
	}
	if len(v.Effects) == 0 {
		return section
	}
	table := reports.Table{Columns: reports.Columns("parameter", ">tuned", ">instead",
		">change of the value ("+text.Level(v.Level)+")", ">calls")}
	best := t.Recommend()
	for _, e := range v.Effects {
		change, calls := "no value in time", "0"
		if e.Change != nil {
			change, calls = e.Change.String(), text.Count(e.Change.Calls)
		}
		table.Rows = append(table.Rows, []string{"`" + e.Parameter + "`", e.param.Format(best[t.Config.task.Space().Index(e.Parameter)]),
			e.param.Format(e.Value), change, calls})
	}
	section.Blocks = append(section.Blocks, reports.Text("The effect of one step of each parameter, the others as tuned:"), table)
	return section
}

// historyPoints is how many points of the course of a tuning are drawn.
const historyPoints = 200

// plot is the course of the tuning: the best value so far, and the mean of the calls.
func (a *answers) plot(direction string) (reports.Plot, bool) {
	n := len(a.tuned)
	if n < 4 {
		return reports.Plot{}, false
	}
	best, mean := figure.Series{Name: "best so far"}, figure.Series{Name: "mean of the calls"}
	stride := (n + historyPoints - 1) / historyPoints
	so, sum, count := a.tuned[0], 0.0, 0
	for i, x := range a.tuned {
		if a.better(x, so) {
			so = x
		}
		sum, count = sum+x, count+1
		if count == stride || i == n-1 {
			at := float64(i + 1)
			best.Points = append(best.Points, figure.Point{X: at, Y: so})
			mean.Points = append(mean.Points, figure.Point{X: at, Y: sum / float64(count)})
			sum, count = 0, 0
		}
	}
	return reports.Plot{Name: "history", Caption: "A single call may be lucky: with noise, the best value so far is better than the mean of its vector.",
		Figure: figure.Lines{Title: "Values of the tuning's calls", Subtitle: direction + "; each point is a mean of " +
			text.Plural(stride, "call"), XLabel: "calls", YLabel: "value", Series: []figure.Series{best, mean}}}, true
}
