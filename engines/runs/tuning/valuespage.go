package tuning

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"selfplaylab/engines/external/objective"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

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

	Points []pointValue `json:"points"` // that the method was given, the best first; nil for others

	point string // that is recommended
}

// pointValue is what a point was worth in the tuning.
type pointValue struct {
	Point  string    `json:"point"`
	Value  *measured `json:"value"`
	Change *measured `json:"change"` // from the start, under equal seeds
}

// pointValues are those with a value, those that changed it most for the better first.
func (s *stage) pointValues() (list []pointValue) {
	for _, name := range slices.Sorted(maps.Keys(s.current().points)) {
		p := s.current().points[name]
		if change := measure(p.change, s.spec.Level); change != nil {
			list = append(list, pointValue{name, measure(p.a, s.spec.Level), change})
		}
	}
	slices.SortStableFunc(list, func(a, b pointValue) int {
		if s.answers.minimize {
			a, b = b, a
		}
		return cmp.Compare(b.Change.Value, a.Change.Value)
	})
	return list
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
	Value     any       `json:"value"` // of a choice its name
	Change    *measured `json:"change"`
	// Shown says that the value changes, of which with probability level none of the effects is called
	// so by chance (Bonferroni). Of many intervals taken alone some leave out 0.
	Shown bool `json:"shown"`

	param params.Param
	value float64
}

// gain is by how much the other value was shown to be better; 0 if it was not.
func (e *effect) gain(direction string) float64 {
	switch {
	case !e.Shown:
		return 0
	case direction == minimizing:
		return max(0, -e.Change.Value)
	}
	return max(0, e.Change.Value)
}

// inJSON is a value of an objective's parameter in JSON: of a choice its name.
func inJSON(p *params.Param, x float64) any {
	if len(p.Labels) > 0 {
		return p.Format(x)
	}
	return x
}

// namedGains is how many values that are better than the tuned ones are named in a sentence each.
const namedGains = 5

// minimizing is the direction in which smaller values are better.
const minimizing = string(objective.Min) + "imize"

// Values returns what an objective by value showed; nil for other runs.
func (s *stage) Values() *objectiveValues {
	if !s.spec.byValue() {
		return nil
	}
	a, level := s.answers, s.spec.Level
	verified := &s.verifyPhase.values
	v := &objectiveValues{
		Direction: s.spec.Objective.direction(), Level: level, Calls: a.calls, Unanswered: a.missing, Deterministic: a.deterministic(),
		NoiseCancels: verified.cancels(level), Start: measure(verified.b, level), Tuned: measure(verified.a, level),
		Change: measure(verified.change, level), Effects: s.effects.list(), NoEffect: s.left,
	}
	if v.Points = s.pointValues(); v.Points != nil {
		v.point = s.spec.method.Info().Point(s.spec.task, s.recommend())
	}
	if again := &s.remeasure.values; v.Tuned == nil && s.same() {
		v.Tuned = measure(again.b, level)
		v.Start = v.Tuned
	}
	if a.bestAt > 0 {
		v.BestSeen = &bestSeen{Value: a.best, Call: a.bestAt, Vector: map[string]any{}, Measured: measure(s.remeasure.values.a, level),
			Tuned: measure(s.remeasure.values.b, level)}
		for i, p := range s.spec.task.Space() {
			v.BestSeen.Vector[p.Name] = inJSON(&p, a.bestVector[i])
		}
	}
	return v
}

// wrongWay reports whether the mean got worse, whatever most comparisons say.
func (o *objectiveValues) wrongWay() bool {
	return o.Change != nil && (o.Change.Value > 0) == (o.Direction == minimizing) && o.Change.Value != 0
}

// short is the result in a few words.
func (o *objectiveValues) short() string { return fmt.Sprintf("%s instead of %s", o.Tuned, o.Start) }

// lines are the results as sentences.
func (o *objectiveValues) lines() (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	level := text.Level(o.Level)
	if o.Tuned != nil {
		say("f(start) = %s, f(tuned) = %s (%s, %s each)", o.Start, o.Tuned, level, text.Plural(o.Tuned.Calls, "call"))
	}
	if b := o.BestSeen; b != nil && b.Measured != nil {
		say("Best value of a single call: %.6g, in call %s of the tuning. Measured again: %s; the tuned values: %s (%s, %s each)", b.Value,
			text.Count(b.Call), b.Measured, b.Tuned, level, text.Plural(b.Measured.Calls, "call"))
	} else if b != nil {
		say("Best value of a single call: %.6g, in call %s of the tuning; it was not measured again", b.Value, text.Count(b.Call))
	}
	switch {
	case o.Deterministic:
		say("The program is deterministic: no seed changed a value. More calls of the same vector tell nothing new")
	case o.NoiseCancels:
		say("The noise of two calls with the same seed cancels: comparisons are nearly exact, while single values vary with the seed")
	}
	if len(o.NoEffect) > 0 {
		say("No effect: `%s`. No other value that was tried changed the result, so the start value was kept",
			strings.Join(o.NoEffect, "`, `"))
	}
	better := slices.DeleteFunc(slices.Clone(o.Effects), func(e effect) bool { return e.gain(o.Direction) == 0 })
	slices.SortStableFunc(better, func(a, b effect) int { return cmp.Compare(b.gain(o.Direction), a.gain(o.Direction)) })
	for _, e := range better[:min(len(better), namedGains)] {
		say("Not at an optimum: `%s` = %s with the other values as tuned changes the value by %s (%s, %s)", e.Parameter,
			e.param.Format(e.value), e.Change, level, text.Plural(e.Change.Calls, "comparison"))
	}
	if len(o.Points) > 1 && o.Points[0].Point != o.point {
		best := o.Points[0]
		say("By the mean of its values `%s` is the best of %d points, not the recommended `%s`: it changed the start's by %s (%s, %s)", best.Point,
			len(o.Points), o.point, best.Change, level, text.Plural(best.Change.Calls, "comparison"))
	}
	if more := len(better) - namedGains; more > 0 {
		say("Not at an optimum: the report's table of other values has %d more", more)
	}
	if o.Unanswered > 0 {
		say("%s of %s had no value within the timeout and counted as worse than any other", text.Count(o.Unanswered),
			text.Plural(o.Calls, "call"))
	}
	return list
}

// valuesSection shows the results of an objective in its own unit.
func (s *stage) valuesSection(v *objectiveValues) reports.Section {
	list := reports.List(text.Each(v.lines(), func(line string) string { return line + "." }))
	section := reports.Section{Title: "Values", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("Means of what `%s` answered, with %s intervals of a single look. Start and tuned values were called with the "+
			"same fresh seeds.", s.spec.Objective.Command, text.Level(v.Level))), list,
	}}
	if plot, ok := s.answers.plot(v.Direction); ok {
		section.Blocks = append(section.Blocks, plot)
	}
	if len(v.Points) > 0 {
		table := reports.Table{Columns: reports.Columns("point", ">value ("+text.Level(v.Level)+")", ">change from the start ("+text.Level(v.Level)+")",
			">calls")}
		for i, p := range v.Points {
			if p.Point == v.point {
				table.Strong = []int{i}
			}
			table.Rows = append(table.Rows, []string{p.Point, p.Value.String(), p.Change.String(), text.Count(p.Change.Calls)})
		}
		section.Blocks = append(section.Blocks, reports.Text("Values of the points in the tuning, the best first; of many, the best looks better "+
			"than it is:"), table)
	}
	if len(v.Effects) == 0 {
		return section
	}
	table := reports.Table{Columns: reports.Columns("parameter", ">tuned", ">instead",
		">change of the value ("+text.Level(v.Level)+")", ">calls")}
	best := s.recommend()
	for _, e := range v.Effects {
		change, calls := "no value in time", "0"
		if e.Change != nil {
			change, calls = e.Change.String(), text.Count(e.Change.Calls)
		}
		table.Rows = append(table.Rows, []string{"`" + e.Parameter + "`", e.param.Format(best[s.spec.task.Space().Index(e.Parameter)]),
			e.param.Format(e.value), change, calls})
	}
	section.Blocks = append(section.Blocks,
		reports.Text("Other values of each parameter, all else as tuned; each interval is taken alone:"), table)
	return section
}

// historyPoints is how many points of the course of a tuning are drawn.
const historyPoints = 200

// plot is the course of the tuning: the best value so far, and the mean of the calls. Values
// such as 1e300, by which programs mark bad vectors, are left out.
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
			best.Points = append(best.Points, figure.Point{X: at, Y: chartValue(so)})
			mean.Points = append(mean.Points, figure.Point{X: at, Y: chartValue(sum / float64(count))})
			sum, count = 0, 0
		}
	}
	if !slices.ContainsFunc(mean.Points, func(p figure.Point) bool { return !math.IsNaN(p.Y) }) {
		return reports.Plot{}, false
	}
	return reports.Plot{Name: "history", Caption: "A single call may be lucky: with noise, the best value so far is better than " +
		"the mean of its vector.",
		Figure: figure.Lines{Title: "Values of the tuning's calls", Subtitle: direction + "; each point is a mean of " +
			text.Plural(stride, "call"), XLabel: "calls", YLabel: "value", Series: []figure.Series{best, mean}}}, true
}

// chartValue is a value that a chart can show, or NaN for none.
func chartValue(y float64) float64 {
	if math.Abs(y) > figure.MaxValue {
		return math.NaN()
	}
	return y
}

// list is what was found.
func (p *effects) list() []effect {
	list := []effect{}
	for _, m := range p.tests {
		param := p.spec.task.Space()[m.param]
		e := effect{Parameter: param.Name, Value: inJSON(&param, m.value), Change: measure(m.values.change, p.spec.Level), param: param,
			value: m.value}
		if all := measure(m.values.change, 1-(1-p.spec.Level)/float64(len(p.tests))); all != nil {
			e.Shown = all.Low > 0 || all.High < 0
		}
		list = append(list, e)
	}
	return list
}
