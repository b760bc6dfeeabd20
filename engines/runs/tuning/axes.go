package tuning

import (
	"slices"
	"strings"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
	"selfplaylab/params/grid"
	"selfplaylab/params/racing"
	"selfplaylab/reports/text"
)

// gridAxes holds the axes of a method that tries given points.
type gridAxes struct{ axes []grid.Axis }

// point returns the name of a point: its values.
func (g *gridAxes) point(t *analysis.Task, x params.Vector) string {
	return pointName(t.Space(), g.axes, x)
}

// otherPoints returns the points of a grid without the start.
func otherPoints(t *analysis.Task, axes []grid.Axis) []params.Vector {
	return slices.DeleteFunc(grid.Vectors(t.Start, axes), func(v params.Vector) bool { return slices.Equal(v, t.Start) })
}

func checkAlpha(alpha float64) error {
	if !(alpha > 0 && alpha < 1) {
		return config.Errorf("alpha", "%v: want a chance above 0 and below 1, such as 0.05", alpha)
	}
	return nil
}

// race returns the tuner of a grid that drops points.
func (s session) race() (*racing.Tuner, error) {
	tuner, err := s.tuner()
	race, _ := tuner.(*racing.Tuner)
	return race, err
}

// raceOver is MethodInfo.Stopped of a grid that drops points.
func raceOver(t session) (bool, error) {
	race, err := t.race()
	return err == nil && race.Over(), err
}

// meets names, in a question, the opponents of the candidates, unless they play each other.
func (s session) meets() string {
	if s.Opponent == "" {
		return ""
	}
	return " against " + opponentName(s.Opponent)
}

// opponentName names the opponent of points.
func opponentName(opponent string) string {
	if opponent == "" {
		return "the start"
	}
	return "`" + opponent + "`"
}

// gridPoints counts the points of a grid. The start is among them if it lies on the grid.
func gridPoints(axes []grid.Axis) int {
	n := 1
	for _, a := range axes {
		n *= len(a.Values)
	}
	return n
}

// axisNames returns the names of the parameters.
func axisNames(space params.Space, axes []grid.Axis) []string {
	return text.Each(axes, func(a grid.Axis) string { return space[a.Param].Name })
}

// checkActive reports axes of other parameters than the tuned ones.
func checkActive(t *analysis.Task, axes []grid.Axis) error {
	if names := axisNames(t.Space(), axes); !slices.Equal(names, t.Active) {
		return config.Errorf("grid", "is of %s, not of %s", strings.Join(names, ", "), strings.Join(t.Active, ", "))
	}
	return nil
}

// pointName returns the values of a point on some axes as a name.
func pointName(space params.Space, axes []grid.Axis, x params.Vector) string {
	return strings.Join(text.Each(axes, func(a grid.Axis) string {
		return space[a.Param].Name + "=" + space[a.Param].Format(x[a.Param])
	}), ",")
}

// defaultPoint is the number of pairs of a point by default.
const defaultPoint = 500

// some returns the first of many names, with the number of the others.
func some(names []string) []string {
	if more := len(names) - maxNamed; more > 1 {
		return append(names[:maxNamed], text.Count(more)+" more")
	}
	return names
}

// maxNamed is how many points a warning names.
const maxNamed = 8

// unseparated warns of a start so weak that points look alike, and names the recommended one.
func unseparated(names []string, recommended string) error {
	return warnf("%s won every pair against the start, so the grid could not separate them: the %s stands for all. Repeat it from %s, an "+
		"opponent closer in strength.", strings.Join(some(names), ", "), recommended, tunedName)
}
