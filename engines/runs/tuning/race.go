package tuning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/params/grid"
	"selfplaylab/params/racing"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// raceConfig is a race as configured.
type raceConfig struct {
	Choice []string `group:"Method and parameters" toml:"choice" arg:"name=v1,v2" help:"values to choose among: name=v1,v2,..., a grid axis, or a name for all its values; all combinations race, with quad alongside the numbers (repeatable)"`

	gridAxes
}

// raced reads what is chosen, and names its parameters.
func (r *raceConfig) raced(space params.Space) ([]string, error) {
	return r.read("choice", space, r.Choice, readChoice)
}

// gridAxes are the axes of a method that tries given points.
type gridAxes struct{ axes []grid.Axis }

// read reads those that a field asks for, and names their parameters.
func (g *gridAxes) read(field string, space params.Space, texts []string, read func(params.Space, string) (grid.Axis, error)) ([]string, error) {
	g.axes = nil
	for _, text := range texts {
		a, err := read(space, text)
		if err != nil {
			return nil, config.Wrap(field, err)
		}
		g.axes = append(g.axes, a)
	}
	return axisNames(space, g.axes), config.Wrap(field, grid.Check(space, g.axes))
}

// point names a point by its values.
func (g *gridAxes) point(t *analysis.Task, x params.Vector) string {
	return pointName(t.Space(), g.axes, x)
}

// readChoice reads an axis, or a parameter's name for all its values.
func readChoice(space params.Space, text string) (grid.Axis, error) {
	if strings.Contains(text, "=") {
		return grid.ParseAxis(space, text)
	}
	i, err := space.Lookup(text)
	if err != nil {
		return grid.Axis{}, err
	}
	p := space[i]
	if !p.Whole || p.Max-p.Min >= racing.MaxCandidates {
		return grid.Axis{}, fmt.Errorf("%s has no short list of values (%s): say which, as %s=v1,v2", p.Name, p.Range(), p.Name)
	}
	a := grid.Axis{Param: i}
	for x := p.Min; x <= p.Max; x++ {
		a.Values = append(a.Values, x)
	}
	return a, nil
}

// otherPoints are the points of a grid but the start.
func otherPoints(t *analysis.Task, axes []grid.Axis) []params.Vector {
	return slices.DeleteFunc(grid.Vectors(t.Start, axes), func(v params.Vector) bool { return slices.Equal(v, t.Start) })
}

func (r *raceConfig) checkSize(t *analysis.Task) error {
	if n := len(otherPoints(t, r.axes)); n > racing.MaxCandidates {
		return config.Errorf("choice", "has %s combinations: want at most %d", text.Count(n), racing.MaxCandidates)
	}
	return nil
}

func checkDrop(alpha float64) error {
	if !(alpha > 0 && alpha < 1) {
		return config.Errorf("alpha", "%v: want a chance above 0 and below 1, such as 0.05", alpha)
	}
	return nil
}

// race is the tuner of a tuning that is a race.
func (s session) race() (*racing.Tuner, error) {
	tuner, err := s.tuner()
	race, _ := tuner.(*racing.Tuner)
	return race, err
}

// raceOver is MethodInfo.Stopped of a race.
func raceOver(t session) (bool, error) {
	race, err := t.race()
	return err == nil && race.Over(), err
}

// meets says in a question whom the candidates play, if not each other.
func (s session) meets() string {
	if s.Opponent == "" {
		return ""
	}
	return " against " + opponentName(s.Opponent)
}

// opponentName names whom points play.
func opponentName(opponent string) string {
	if opponent == "" {
		return "the start"
	}
	return "`" + opponent + "`"
}

// gridPoints is the number of points of a grid, the start among them or not.
func gridPoints(axes []grid.Axis) int {
	n := 1
	for _, a := range axes {
		n *= len(a.Values)
	}
	return n
}

// choices are the parameters that are chosen, and their values but the start's.
func (r *raceConfig) choices(t *analysis.Task) (chosen []int, values []params.Vector) {
	chosen = text.Each(r.axes, func(a grid.Axis) int { return a.Param })
	for _, v := range otherPoints(t, r.axes) {
		values = append(values, text.Each(chosen, func(i int) float64 { return v[i] }))
	}
	return chosen, values
}

// axisNames are those of the parameters.
func axisNames(space params.Space, axes []grid.Axis) []string {
	return text.Each(axes, func(a grid.Axis) string { return space[a.Param].Name })
}

// checkActive reports that the axes of a field are not of what is tuned.
func checkActive(field string, t *analysis.Task, axes []grid.Axis) error {
	if names := axisNames(t.Space(), axes); !slices.Equal(names, t.Active) {
		return config.Errorf(field, "is of %s, not of %s", strings.Join(names, ", "), strings.Join(t.Active, ", "))
	}
	return nil
}

// pointName is the values of a point on some axes.
func pointName(space params.Space, axes []grid.Axis, x params.Vector) string {
	return strings.Join(text.Each(axes, func(a grid.Axis) string {
		return space[a.Param].Name + "=" + space[a.Param].Format(x[a.Param])
	}), ",")
}

// defaultPoint is the number of pairs of a point by default.
const defaultPoint = 500

// raceSection tells how a race stands, the best first; name calls its choices, and
// best is the one that is recommended.
func raceSection(c *analysis.History, alpha float64, race *racing.Tuner, name func(params.Vector) string, best params.Vector) reports.Section {
	all, start := race.Standings()
	standings := slices.Clone(all)
	slices.SortStableFunc(standings, func(a, b racing.Standing) int {
		if a.In != b.In {
			return map[bool]int{true: -1, false: 1}[a.In]
		}
		return cmp.Compare(b.Score.Mean(), a.Score.Mean())
	})
	table := reports.Table{Columns: reports.Columns("choice", ">pairs", ">score", c.Task.Unit()+" against the start", "race")}
	if c.Opponent != "" {
		table.Columns[3].Name = c.Task.Unit() + " above the start, against " + c.Opponent
	}
	fig := figure.Bars{
		Title: text.Capital(c.Task.Unit()) + " of the choices", XLabel: c.Task.Unit() + " against the start", ZeroLabel: "start",
		Subtitle: fmt.Sprintf("%s intervals, each for itself; strong: still in the race", text.Level(c.Level)),
	}
	for i, s := range standings {
		e := rating.Pairs(s.Score.Pairs).Estimate(c.Level)
		choice, state := name(s.Vector), "dropped out"
		if s.In {
			state = "in"
		}
		if slices.Equal(s.Vector, best) {
			table.Strong = []int{i}
		}
		table.Rows = append(table.Rows, []string{choice, text.Count(e.N), text.Percent(e.Score), inWords(c.Task, e), state})
		if e.N > 0 && len(fig.Bars) < maxRaced {
			value, in := inUnit(c.Task, e)
			fig.Bars = append(fig.Bars, figure.Bar{Name: choice, Value: value, Lo: in.Low, Hi: in.High, Strong: s.In})
		}
	}
	text := fmt.Sprintf("All choices played %s on the same %s, round by round. A choice drops out once a paired test over the rounds "+
		"shows it worse than the leader; the risk of dropping the best choice is at most %s over the whole race.",
		opponentName(c.Opponent), luck(c.Task), text.Percent(alpha))
	if start {
		text += " The start is not shown to be worse than the leader."
	}
	blocks := []reports.Block{reports.Text(text)}
	if len(fig.Bars) > 0 {
		blocks = append(blocks, reports.Plot{Name: "choices", Figure: fig, Caption: "The best of many looks better than it is."})
	}
	return reports.Section{Title: "The race", Blocks: append(blocks, table)}
}

// raceWarning says that a race was not decided; name calls its choices.
func raceWarning(c *analysis.History, tuner *racing.Tuner, name func(params.Vector) string) []error {
	if slices.Equal(tuner.Recommend(), tuner.Start()) {
		return nil
	}
	standings, start := tuner.Standings()
	if names := unbeaten(standings, name); len(names) > 1 {
		return []error{unseparated(names, "race", "first")}
	}
	if names := inRace(standings, start, name); len(names) > 1 {
		return []error{warnf("The race ended with its budget before one choice was left: its leader looks better than it is, because it was "+
			"chosen for its result. Only a verification on fresh %s counts. These games do not separate: %s.", luck(c.Task),
			strings.Join(names, "; "))}
	}
	return nil
}

// inRace names what is in a race still.
func inRace(standings []racing.Standing, start bool, name func(params.Vector) string) (names []string) {
	for _, s := range standings {
		if s.In {
			names = append(names, name(s.Vector))
		}
	}
	if start {
		names = append(names, "the start")
	}
	return some(names)
}

// some are a few of many names.
func some(names []string) []string {
	if more := len(names) - maxNamed; more > 1 {
		return append(names[:maxNamed], text.Count(more)+" more")
	}
	return names
}

// maxNamed is how many choices a warning names.
const maxNamed = 8

// unseparated says that a start too weak made choices look alike, and which of them is recommended.
func unseparated(names []string, method, which string) error {
	return warnf("%s won every pair against the start, so the %s could not separate them: the %s stands for all. Repeat it from %s, an "+
		"opponent closer in strength.", strings.Join(some(names), ", "), method, which, tunedName)
}

// unbeaten names the choices that won every pair they had.
func unbeaten(standings []racing.Standing, name func(params.Vector) string) (names []string) {
	for _, s := range standings {
		if s.Score.N() > 0 && s.Score.Mean() == 1 {
			names = append(names, name(s.Vector))
		}
	}
	return names
}

// maxRaced is how many choices a figure shows.
const maxRaced = 30

// defaultDrop is the error rate of a race by default.
const defaultDrop = .05
