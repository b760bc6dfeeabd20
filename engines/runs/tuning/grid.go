package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"math"
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

// gridMethod is the Method by params/grid: every combination of given values.
type gridMethod struct {
	Grid []string `toml:"grid" label:"Axis of the grid" arg:"name=lo:hi:step" help:"one axis of the grid: name=lo:hi:step, name=lo:hi:xFACTOR or name=v1,v2,... (repeatable)"`

	Alpha float64 `toml:"alpha" label:"Risk of dropping the best" arg:"ALPHA" help:"grid: drop points that paired tests show to be worse than the best; ALPHA (such as 0.05) bounds the risk of dropping the best (default: never drop)"`

	gridAxes
}

func (g *gridMethod) Info() MethodInfo {
	info := MethodInfo{
		Name: "grid", Doc: "play every combination of the grid's values against the start, on the same openings",
		Version: grid.Version, Tuned: g.tuned, Point: g.point, SetPairs: g.setPairs,
	}
	if g.Alpha != 0 {
		info.Version, info.Stopped = racing.Version, raceOver
	}
	return info
}

// tuned reads the axes, and names their parameters.
func (g *gridMethod) tuned(space params.Space) ([]string, error) {
	if len(g.Grid) == 0 {
		return nil, config.Wrap("grid", errors.New("want at least one axis, as name=lo:hi:step"))
	}
	g.axes = nil
	for _, text := range g.Grid {
		a, err := grid.ParseAxis(space, text)
		if err != nil {
			return nil, config.Wrap("grid", err)
		}
		g.axes = append(g.axes, a)
	}
	return axisNames(space, g.axes), config.Wrap("grid", grid.Check(space, g.axes))
}

// setPairs shares a budget among all points.
func (g *gridMethod) setPairs(t *analysis.Task, pairs int) {
	if _, err := g.tuned(t.Space()); err == nil { // else Check reports the error
		t.Pairs = max(1, pairs/gridPoints(g.axes))
	}
}

func (g *gridMethod) Check(t *analysis.Task) error {
	t.Pairs = cmp.Or(t.Pairs, defaultPoint)
	if g.Alpha != 0 {
		if err := checkAlpha(g.Alpha); err != nil {
			return err
		}
	}
	_, err := g.tuned(t.Space())
	if err == nil {
		err = checkActive(t, g.axes)
	}
	if err == nil && g.Alpha != 0 && gridPoints(g.axes) > racing.MaxCandidates {
		err = config.Errorf("alpha", "%v: a grid of %s points; want at most %d of which some may be given up", g.Alpha, text.Count(gridPoints(g.axes)),
			racing.MaxCandidates)
	}
	return err
}

func (g *gridMethod) Pairs(t *analysis.Task) int {
	if g.Alpha != 0 { // the start does not play itself, and rounds are whole
		return len(otherPoints(t, g.axes)) * racing.Rounded(t.Pairs)
	}
	return gridPoints(g.axes) * t.Pairs
}

func (g *gridMethod) Tuner(t *analysis.Task, _ uint64) (params.Tuner, error) {
	if g.Alpha != 0 { // a race, which gives points up
		return racing.New(racing.Settings{Space: t.Space(), Start: t.Start, Candidates: otherPoints(t, g.axes), Pairs: g.Pairs(t), Most: t.Pairs,
			Alpha: g.Alpha})
	}
	return grid.New(grid.Settings{Space: t.Space(), Start: t.Start, Axes: g.axes, Pairs: t.Pairs})
}

func (g *gridMethod) Question(c session) string {
	early := ""
	if g.Alpha != 0 {
		early = fmt.Sprintf(" at most; the risk of dropping the best one early is at most %s", text.Percent(g.Alpha))
	}
	return fmt.Sprintf("play %s values of %s of %s against %s, %s each on the same openings%s.",
		text.Count(gridPoints(g.axes)), strings.Join(c.Active, ", "), c.Game.Title, opponentName(c.Opponent), text.Plural(c.Task.Pairs, "game pair"),
		early)
}

func (g *gridMethod) Note(c session) string {
	n := 0
	for i := range c.Trials {
		n += c.Trials[i].Pairs.N()
	}
	return fmt.Sprintf("%s of %s", text.Count(n), text.Plural(g.Pairs(c.Task), "pair"))
}

// edgeWarning warns that the best point of a grid lies at the end of an axis: better ones may lie
// beyond.
type edgeWarning struct {
	Param string
	Value string // the last of its axis
	Bound bool   // the end of the parameter's range
	Side  string // below or above
}

func (e *edgeWarning) Error() string {
	text := fmt.Sprintf("The best point lies at the end of the axis of `%s`, at %s", e.Param, e.Value)
	if e.Bound {
		return text + ", which is also the end of what is allowed."
	}
	return text + fmt.Sprintf(": better ones may lie %s. Extend the axis there.", e.Side)
}

func (g *gridMethod) Warnings(c session) []error {
	var list []error
	if gridPoints(g.axes) > 2 && !slices.Equal(c.Best, c.Start) {
		list = append(list, warnf("The best of %s points looks better than it is, because it was chosen for its result: only a verification "+
			"on fresh openings counts.", text.Count(gridPoints(g.axes))))
	}
	points, _, err := g.points(c.History)
	best := func(p gridPoint) bool { return slices.Equal(p.vector, c.Best) }
	if err != nil || !slices.ContainsFunc(points, best) || len(c.Trials) < gridPoints(g.axes) {
		return list
	}
	var won []string
	for _, p := range points {
		if c.Opponent == "" && p.pairs.N() > 0 && p.pairs.Score() == 1 {
			won = append(won, g.point(c.Task, p.vector))
		}
	}
	if len(won) > 1 {
		list = append(list, unseparated(won, map[bool]string{true: "first", false: "nearest to it"}[g.Alpha != 0]))
	}
	for _, a := range g.axes {
		p, x := c.Space()[a.Param], c.Best[a.Param]
		if below := x == a.Values[0]; len(p.Labels) == 0 && (below || x == a.Values[len(a.Values)-1]) {
			side := map[bool]string{true: "below", false: "above"}[below]
			list = append(list, &edgeWarning{Param: p.Name, Value: p.Format(x), Bound: x == p.Min || x == p.Max, Side: side})
		}
	}
	return list
}

// multiplies reports whether at least three values, all above zero, lie a factor
// apart.
func multiplies(values []float64) bool {
	if len(values) < 3 || !(values[0] > 0) {
		return false
	}
	for i := range values[1:] {
		if !nearlyEqual(values[i+1]/values[i], values[1]/values[0]) {
			return false
		}
	}
	return true
}

// nearlyEqual reports whether two numbers are equal but for rounding.
func nearlyEqual(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b)) }

// gridPoint is one combination and its result.
type gridPoint struct {
	vector params.Vector
	pairs  rating.Pairs // against the start, or against the opponent
}

// points are all combinations in their order, and the start's own pairs against
// the opponent.
func (g *gridMethod) points(c *analysis.History) (list []gridPoint, start rating.Pairs, err error) {
	for _, v := range grid.Vectors(c.Start, g.axes) {
		list = append(list, gridPoint{vector: v})
	}
	place := map[string]int{}
	for i := range list {
		place[g.point(c.Task, list[i].vector)] = i
	}
	last := len(list)
	for n := range c.Trials {
		t := &c.Trials[n]
		i, ok := place[g.point(c.Task, t.A)]
		if !ok || !slices.Equal(t.A, list[i].vector) {
			return nil, start, fmt.Errorf("trial %d of the grid played %v, which is none of its points", n, t.A)
		}
		p, round := &list[i], i <= last
		last = i
		if c.Opponent == "" {
			p.pairs = p.pairs.Plus(t.Pairs)
			continue
		}
		p.pairs = p.pairs.Plus(t.Against[0])
		if round { // with every other point it plays the same games again
			start = start.Plus(t.Against[1])
		}
	}
	return list, start, nil
}

// sheet holds the data of the grid's tables and figures.
type sheet struct {
	*analysis.History
	axes      []grid.Axis
	early     bool // some may have been given up
	points    []gridPoint
	estimates []rating.Estimate
	start     *rating.Estimate // against the opponent; nil without one
	best      int              // of the points; -1 if the start is none of them and recommended
}

func (g *gridMethod) Report(c session) (methodReport, error) {
	s := &sheet{History: c.History, axes: g.axes, early: g.Alpha != 0}
	points, start, err := g.points(c.History)
	if err != nil {
		return methodReport{}, err
	}
	s.points, s.estimates = points, text.Each(points, func(p gridPoint) rating.Estimate { return p.pairs.Estimate(c.Level) })
	if c.Opponent != "" {
		s.start = new(start.Estimate(c.Level))
	}
	s.best = slices.IndexFunc(points, func(p gridPoint) bool { return slices.Equal(p.vector, c.Best) })
	section := reports.Section{Title: "Every point against " + s.against()}
	if g.Alpha != 0 {
		section.Blocks = append(section.Blocks,
			reports.Note(fmt.Sprintf("Points were dropped once a paired test over the same openings showed them worse than the best so far; the "+
				"pairs column shows when. The risk of dropping the best point is at most %s over the whole grid.", text.Percent(g.Alpha))))
	}
	var optima []analysis.Optimum
	switch len(s.axes) {
	case 1:
		var plot reports.Block
		plot, optima = s.response()
		section.Blocks = append(section.Blocks, plot,
			reports.Note("The best point of a grid is partly lucky; a smooth curve through all of them is the better guide."))
	case 2:
		if max(len(s.axes[0].Values), len(s.axes[1].Values)) <= maxCells {
			section.Blocks = append(section.Blocks, s.heat())
		}
	}
	section.Blocks = append(section.Blocks, s.table())
	return methodReport{Sections: []reports.Section{section}, Optima: optima, Found: byParabolas}, nil
}

// maxCells is how many values of an axis a heat map can show.
const maxCells = 120

// against names the opponent of the points.
func (s *sheet) against() string { return cmp.Or(s.Opponent, "the start") }

// itself reports whether a point is the start and plays itself: exactly even.
func (s *sheet) itself(i int) bool {
	return s.start == nil && slices.Equal(s.points[i].vector, s.Start)
}

// table lists every point.
func (s *sheet) table() reports.Table {
	columns := text.Each(s.axes, func(a grid.Axis) string { return ">" + s.Space()[a.Param].Name })
	table := reports.Table{Columns: reports.Columns(append(columns, ">pairs", ">score", "Elo against "+s.against())...)}
	for i, p := range s.points {
		row := text.Each(s.axes, func(a grid.Axis) string { return s.Space()[a.Param].Format(p.vector[a.Param]) })
		elo := s.estimates[i].String()
		if s.itself(i) {
			elo = "the start itself: exactly even"
		}
		table.Rows = append(table.Rows, append(row, text.Count(s.estimates[i].N), text.Percent(s.estimates[i].Score), elo))
	}
	if s.best >= 0 {
		table.Strong = []int{s.best}
	}
	return table
}

// subtitle describes a figure.
func (s *sheet) subtitle(rest string) string {
	each := text.Plural(s.Task.Pairs, "pair")
	if s.early {
		each = "at most " + each
	}
	return fmt.Sprintf("%s a point against %s, the same openings for all; %s", each, s.against(), rest)
}

// response returns the curve over one axis, with where a parabola through it peaks.
func (s *sheet) response() (reports.Block, []analysis.Optimum) {
	a := s.axes[0]
	p := s.Space()[a.Param]
	start := s.Start[a.Param]
	label := p.Name
	if p.Unit != "" {
		label += " (" + p.Unit + ")"
	}
	fig := figure.Response{
		Title:    "Elo by " + p.Name,
		Subtitle: s.subtitle(fmt.Sprintf("bars: %s intervals", text.Level(s.Level))),
		XLabel:   label, YLabel: "Elo against " + s.against(), LogX: p.Log || multiplies(a.Values),
		ReferenceX: &start, ReferenceLabel: "start",
		Levels: []figure.Level{{Y: 0, Label: "even"}},
	}
	if s.start != nil && s.start.N > 0 {
		fig.Levels = append(fig.Levels, figure.Level{Y: s.start.Elo, Label: "start"})
	}
	var samples []grid.Sample
	z := math.Sqrt2 * math.Erfinv(s.Level)
	for i, e := range s.estimates {
		x := s.points[i].vector[a.Param]
		if e.N == 0 && !s.itself(i) {
			continue
		}
		value, in := e.Elo, e.EloRange
		shown := figure.Point{X: x, Y: value, Lo: in.Low, Hi: in.High, N: e.N}
		if s.itself(i) { // even by its nature: nothing measured, known without error
			shown.Lo, shown.Hi = 0, 0
		} else if se := in.Half() / z; se > 0 {
			samples = append(samples, grid.Sample{X: p.Coordinate(x), Y: value, SE: se})
		}
		fig.Points = append(fig.Points, shown)
	}
	caption := ""
	candidates := s.candidates(a.Param)
	if best := grid.Best(candidates); len(best) > 1 {
		caption = fmt.Sprintf("Not shown to be worse than the best: %d of %d values, from %s to %s (%s).", len(best), len(candidates),
			p.Format(best[0].X), p.Format(best[len(best)-1].X), text.Level(s.Level))
	}
	peak, ok := s.peak(&fig, p, samples)
	if !ok {
		return reports.Plot{Name: "response", Caption: caption, Figure: fig}, []analysis.Optimum{}
	}
	peak.Param = a.Param
	caption = strings.TrimSpace(caption + fmt.Sprintf(" The parabola peaks at %s = %s, between %s and %s (%s).", p.Name, text.Figures(peak.Value, 3),
		text.Figures(peak.Low, 3), text.Figures(peak.High, 3), text.Level(s.Level)))
	return reports.Plot{Name: "response", Caption: caption, Figure: fig}, []analysis.Optimum{peak}
}

// candidates returns the points by their scores, which have no ends beyond which they are cut.
func (s *sheet) candidates(param int) (list []grid.Candidate) {
	level := grid.Alone(s.Level, len(s.points))
	for i, p := range s.points {
		e, x := p.pairs.Estimate(level), p.vector[param]
		switch {
		case s.itself(i):
			list = append(list, grid.Candidate{X: x, Y: .5, Low: .5, High: .5})
		case e.N > 0:
			list = append(list, grid.Candidate{X: x, Y: e.Score, Low: e.ScoreRange.Low, High: e.ScoreRange.High})
		}
	}
	return list
}

// peak fits a parabola and draws it; ok is false where it has no peak between the
// samples or does not fit.
func (s *sheet) peak(fig *figure.Response, p params.Param, samples []grid.Sample) (o analysis.Optimum, ok bool) {
	fit, err := grid.Fit(samples)
	if err != nil { // too few points: then there is no curve
		return o, false
	}
	first, last := samples[0].X, samples[len(samples)-1].X
	at, low, high, ok := fit.Peak(s.Level, first, last)
	if !ok || fit.Refused() || at <= first || at >= last {
		return o, false
	}
	z := math.Sqrt2 * math.Erfinv(s.Level)
	for i := range 61 {
		u := first + float64((last-first)*float64(i)/60)
		y, ySE := fit.At(u)
		fig.Fit = append(fig.Fit, figure.Point{X: p.Value(u), Y: y, Lo: y - z*ySE, Hi: y + z*ySE})
	}
	o = analysis.Optimum{Value: p.Value(at), Low: p.Value(low), High: p.Value(high)}
	y, _ := fit.At(at)
	fig.Optimum = &figure.Point{X: o.Value, Y: y, Lo: o.Low, Hi: o.High}
	return o, true
}

// heat returns the map over two axes.
func (s *sheet) heat() reports.Block {
	rows, columns := s.axes[0], s.axes[1]
	pr, pc := s.Space()[rows.Param], s.Space()[columns.Param]
	zero, widest := 0.0, 0.0
	fig := figure.Heat{
		Title: fmt.Sprintf("Elo by %s and %s", pr.Name, pc.Name), XLabel: pc.Name, YLabel: pr.Name,
		Label: "Elo against " + s.against(), Middle: &zero,
	}
	fig.Columns = text.Each(columns.Values, pc.Format)
	for r := len(rows.Values) - 1; r >= 0; r-- { // the largest on top, as on an axis
		fig.Rows = append(fig.Rows, pr.Format(rows.Values[r]))
		var values []float64
		for c := range columns.Values {
			i := r*len(columns.Values) + c
			e := s.estimates[i]
			switch {
			case s.itself(i):
				values = append(values, 0)
				continue
			case e.N == 0:
				values = append(values, math.NaN())
				continue
			}
			value, in := e.Elo, e.EloRange
			widest = max(widest, in.Half())
			values = append(values, value)
		}
		fig.Values = append(fig.Values, values)
	}
	cell := func(r, c int) *figure.Cell { return &figure.Cell{Row: len(rows.Values) - 1 - r, Column: c} }
	if s.best >= 0 {
		fig.Best = cell(s.best/len(columns.Values), s.best%len(columns.Values))
	}
	if r, c := slices.Index(rows.Values, s.Start[rows.Param]), slices.Index(columns.Values, s.Start[columns.Param]); r >= 0 && c >= 0 {
		fig.Reference = cell(r, c)
	}
	fig.Subtitle = s.subtitle(fmt.Sprintf("%s intervals up to ± %.0f Elo", text.Level(s.Level), widest))
	return reports.Plot{Name: "heat", Caption: "Marked: the best point and, where the grid holds it, the start.", Figure: fig}
}
