package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/params/mixed"
	"selfplaylab/params/quadratic"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Quad tunes by params/quadratic: a quadratic fitted to self-play in pairs.
type Quad struct {
	Games *int `toml:"games" arg:"N" help:"quad: games to play, an even number (default: 40 times the game's pairs per parameter, from 1,000 to 64,000); with --against for each candidate"`
	Iters *int `toml:"iters" arg:"N" help:"quad: the budget in iterations instead of games; one iteration is the game's number of pairs (see --pairs), 64 games for quoridor"`
	raceAsked

	record retold
}

// The default budget of quad: a parameter gets some 20 seconds of the game's own
// pairs, which are about a second's worth. Fewer than a thousand games show no
// difference worth having; beyond the most, the bias of the quadratic is what is
// left, and more games hardly help.
const (
	gamesForEach   = 40 // times the game's own pairs
	minOfQuad      = 1000
	defaultMaxQuad = 64_000
)

// Info implements Method.
func (m *Quad) Info() MethodInfo {
	info := MethodInfo{
		Name: "quad", Doc: "localised quadratic logistic regression of paired comparisons, after CLOP (Coulom 2011): few games, no step sizes",
		Margins: true, SetPairs: m.setPairs,
		Extension: &Extension{Set: m.setGames, StopAfter: m.stopAfter},
	}
	if m.Games != nil {
		info.Extension.Games = *m.Games
	}
	if len(m.Choice) > 0 {
		info.Choices = m.raced
		info.Extension.Err = config.Errorf("choice", "races with a share of the whole budget: such a tuning cannot be stopped or extended; start a new one with --start %s", TunedName)
	}
	return info
}

func (m *Quad) setPairs(_ *Task, pairs int) {
	n := 2 * pairs
	m.Games = &n
}

func (m *Quad) setGames(games int) error {
	m.Games = &games
	return m.checkGames()
}

func (m *Quad) stopAfter(tuner params.Tuner, games int) {
	if t, ok := tuner.(*quadratic.Tuner); ok { // not one with choices, which cannot be extended
		t.SetPairs(games / 2)
	}
}

// Check implements Method.
func (m *Quad) Check(t *Task) error {
	if err := m.budget(t); err != nil {
		return err
	}
	if err := m.checkRace(t); err != nil {
		return err
	}
	return m.checkGames()
}

func (m *Quad) checkGames() error {
	if n := *m.Games; n < 2 || n%2 != 0 || n > 2*runs.MaxPairs {
		return config.Errorf("games", "%d: want an even number from 2 to %d, since every opening is played twice", n, int64(2*runs.MaxPairs))
	}
	return nil
}

// budget sets the games, however they were asked for.
func (m *Quad) budget(t *Task) error {
	own := t.Game.TuningPairs()
	switch {
	case m.Iters != nil && m.Games != nil:
		return config.Errorf("iters", "%d: games says how long the tuning is, too; want one of the two", *m.Iters)
	case m.Iters != nil:
		if *m.Iters < 1 || *m.Iters > math.MaxInt32 {
			return config.Errorf("iters", "%d: want at least 1 and at most %d", *m.Iters, math.MaxInt32)
		}
		pairs := cmp.Or(t.Pairs, own)
		if t.Pairs > runs.MaxPairs / *m.Iters {
			return config.Errorf("pairs", "%d: %s of so many are too much; want at most %d pairs in all", pairs, text.Plural(*m.Iters, "iteration"), int64(runs.MaxPairs))
		}
		n := 2 * *m.Iters * pairs
		m.Games, m.Iters = &n, nil
	case t.Pairs > 1:
		return config.Errorf("pairs", "%d: without iterations it means nothing to method quad, whose trials grow as it goes on; its budget is games", t.Pairs)
	case m.Games == nil:
		n := min(max(gamesForEach*own*len(t.Active), minOfQuad), defaultMaxQuad)
		m.Games = &n
	}
	t.Pairs = 1
	return nil
}

// Pairs implements Method.
func (m *Quad) Pairs(*Task) int { return *m.Games / 2 }

// Tuner implements Method.
func (m *Quad) Tuner(t *Task, seed uint64) (params.Tuner, error) {
	if len(m.Choice) > 0 {
		return m.mixed(t, seed)
	}
	return m.tuner(t, seed)
}

func (m *Quad) tuner(t *Task, seed uint64) (*quadratic.Tuner, error) {
	return quadratic.New(quadratic.Settings{Space: t.Space(), Start: t.Start, Active: t.indices(), Seed: seed, Pairs: *m.Games / 2})
}

// mixed is the tuner of numbers with choices beside them.
func (m *Quad) mixed(t *Task, seed uint64) (*mixed.Tuner, error) {
	chosen, choices := m.choices(t)
	numbers := slices.DeleteFunc(t.indices(), func(i int) bool { return slices.Contains(chosen, i) })
	return mixed.New(mixed.Settings{
		Space: t.Space(), Start: t.Start, Active: numbers, Chosen: chosen, Choices: choices, Seed: seed, Pairs: *m.Games / 2, Alpha: defaultDrop,
	})
}

// Question implements Teller.
func (m *Quad) Question(c *History) string {
	against := ""
	if c.Opponent != "" {
		against = fmt.Sprintf(" against `%s`", c.Opponent)
	}
	beside := ""
	if len(m.Choice) > 0 {
		beside = fmt.Sprintf(", %s of them by a race among %s", text.Count(len(m.axes)), text.Plural(m.combinations(), "choice"))
	}
	return fmt.Sprintf("tune %s of %s%s by a quadratic fitted to %s%s.",
		text.Plural(len(c.Active), "parameter"), c.Game.Title, against, text.Plural(*m.Games, "game"), beside)
}

// Note implements Teller.
func (m *Quad) Note(c *History) string {
	return fmt.Sprintf("%s, %.1f steps from the start", text.Plural(len(c.Trials), "trial"), stepsApart(c.Space(), c.Best, c.Start))
}

// retold is a tuner that was told the trials of a course, for what only it knows.
// It follows the course as that grows. It is never asked for a trial, so that its
// seed decides nothing but the draws behind intervals.
type retold struct {
	of    *History
	tuner *quadratic.Tuner
	mixed *mixed.Tuner // with choices beside the numbers, whose quadratic tuner is; else nil
	told  int

	shown   *Shown // what was shown after shownAt trials; nil for nothing yet
	shownAt int
}

// best is what it recommends.
func (r *retold) best() params.Vector {
	if r.mixed != nil {
		return r.mixed.Recommend()
	}
	return r.tuner.Recommend()
}

// tell hands it the next trial.
func (r *retold) tell(t *Trial) error {
	trial := params.Trial{ID: r.told, A: t.A, B: t.B, Pairs: t.Pairs.N()}
	if r.mixed != nil {
		return r.mixed.Tell(trial, t.score())
	}
	return r.tuner.Tell(trial, t.score())
}

// again makes a tuner that was told nothing.
func (m *Quad) again(c *History) (retold, error) {
	if len(m.Choice) == 0 {
		tuner, err := m.tuner(c.Task, 0)
		return retold{of: c, tuner: tuner}, err
	}
	both, err := m.mixed(c.Task, 0)
	if err != nil {
		return retold{}, err
	}
	return retold{of: c, tuner: both.Numbers(), mixed: both}, nil
}

// retell tells a tuner what of the course it does not know yet.
func (m *Quad) retell(c *History) (*quadratic.Tuner, error) {
	if r := &m.record; r.of != c || r.told > len(c.Trials) {
		again, err := m.again(c)
		if err != nil {
			return nil, err
		}
		*r = again
	}
	r := &m.record
	for ; r.told < len(c.Trials); r.told++ {
		if err := r.tell(&c.Trials[r.told]); err != nil {
			return nil, err
		}
	}
	return r.tuner, nil
}

// Warnings implements Teller: what the tuner has to say after these trials.
func (m *Quad) Warnings(c *History) []error {
	if len(c.Trials) == 0 {
		return nil
	}
	tuner, err := m.retell(c)
	if err != nil {
		return []error{warnf("The tuner cannot be told its trials again: %v.", err)}
	}
	var list []error
	for _, w := range tuner.Warnings() {
		if b, ok := errors.AsType[*quadratic.BoundWarning](w); ok && (c.Best[b.Index] == b.Param.Min || c.Best[b.Index] == b.Param.Max) {
			continue // said of any method
		}
		if r, ok := errors.AsType[*quadratic.RatioWarning](w); ok && r.Declared {
			continue // nothing to be told of: the page says it
		}
		list = append(list, warnf("From the fit: %v.", w))
	}
	if r := m.record.mixed; r != nil {
		list = append(list, raceWarning(c, r.Choices(), m.choiceName(c))...)
	}
	if !slices.Equal(m.record.best(), c.Best) && !slices.Equal(c.Best, c.Start) {
		list = append(list, Warning("This program would recommend other values after these games than the one that played them: what follows about the fit is around its own."))
	}
	return list
}

// Show implements Teller.
func (m *Quad) Show(c *History) (Shown, error) {
	tuner, err := m.retell(c)
	if err != nil {
		return Shown{}, fmt.Errorf("tell the tuner its trials again: %w", err)
	}
	if r := &m.record; r.shown != nil && r.shownAt == r.told {
		return *r.shown, nil
	}
	shown := m.show(c, tuner)
	m.record.shown, m.record.shownAt = &shown, m.record.told
	return shown, nil
}

// show fits the games that the tuner was told.
func (m *Quad) show(c *History, tuner *quadratic.Tuner) Shown {
	model, err := tuner.Model()
	if err != nil { // too few games yet: then nothing is known
		return Shown{Sections: []reports.Section{{Title: worthTitle, Blocks: []reports.Block{reports.Text(fmt.Sprintf("Not told by this run: %v.", err))}}}}
	}
	k := knownOf(c, model)
	sections := []reports.Section{k.importance()}
	if r := m.record.mixed; r != nil {
		sections = append(sections, m.besideSection(c, r.Choices()))
	}
	if s, ok := k.slices(); ok {
		sections = append(sections, s)
	}
	if len(model.Cross) > 0 {
		sections = append(sections, k.together())
	}
	return Shown{Sections: append(sections, k.outlook()), Optima: k.optima(), Found: k.found(), Analysis: k.says(k.foresees())}
}

const worthTitle = "What each parameter is worth"

// known is what the tables and figures of a fit are made of.
type known struct {
	*History
	model *quadratic.Model
	z     float64 // standard errors to an end of an interval
	elo   float64 // Elo between two players for one of the model's
}

func knownOf(c *History, model *quadratic.Model) *known {
	k := &known{History: c, model: model, z: math.Sqrt2 * math.Erfinv(c.Level), elo: 1}
	if c.Opponent != "" {
		k.elo = 2 // see Trial.Advantage: the fit saw half the difference of two scores
	}
	return k
}

// found says how the optima were found.
func (k *known) found() string {
	return fmt.Sprintf("Best by its games: the recommendation, and where the best value lies with %s probability under the model, the other parameters as tuned. "+
		"The interval of a parameter that hardly matters has most of what is allowed. One that leaves the recommendation out says that the tuning was still on its way there, or that strength is no quadratic.", text.Level(k.Level))
}

// value is an estimate in Elo with the half-width of its interval.
func (k *known) value(e quadratic.Estimate) (elo, half float64) {
	return k.elo * e.Value, k.elo * k.z * e.SE
}

// text writes an estimate with its interval; both ends where one is beyond what a match
// could show.
func (k *known) text(e quadratic.Estimate) string {
	elo, half := k.value(e)
	if s := k.interval(e); s.cut() {
		return fmt.Sprintf("%s, from %s to %s", rating.EloText(s.Elo), rating.EloText(s.Low), rating.EloText(s.High))
	}
	return fmt.Sprintf("%+.1f ± %.1f", elo, half)
}

// sure reports whether an interval leaves out zero.
func (k *known) sure(e quadratic.Estimate) bool { return math.Abs(e.Value) > k.z*e.SE }

// optima are the recommendation with its intervals.
func (k *known) optima() []Optimum {
	list := []Optimum{}
	for _, p := range k.model.Params {
		low, high, _ := k.model.Optimum(p.Index, k.Level)
		list = append(list, Optimum{Param: p.Index, Value: p.Best, Low: low, High: high})
	}
	return list
}

// ranked lists the parameters, those that cost most to change first.
func (k *known) ranked() []quadratic.ParamModel {
	list := slices.Clone(k.model.Params)
	slices.SortStableFunc(list, func(a, b quadratic.ParamModel) int { return cmp.Compare(b.Loss.Value, a.Loss.Value) })
	return list
}

// importance tells what each parameter is worth.
func (k *known) importance() reports.Section {
	level := text.Level(k.Level)
	fig := figure.Bars{
		Title:    "Elo lost one step away from the tuned value",
		Subtitle: fmt.Sprintf("by a quadratic with cross terms, fitted to %s near the tuned values; %s intervals", text.Plural(int64(k.model.Games), "game"), level),
		XLabel:   "Elo",
	}
	table := reports.Table{Columns: []reports.Column{
		{Name: "parameter"}, {Name: "tuned", Right: true}, {Name: "one step", Right: true}, {Name: "loss one step away (Elo)", Right: true}, {Name: "slope left (Elo a step)", Right: true},
	}}
	var flat []string
	for _, p := range k.ranked() {
		param := k.Space()[p.Index]
		loss := k.interval(p.Loss)
		fig.Bars = append(fig.Bars, figure.Bar{Name: p.Name, Value: loss.Elo, Lo: loss.Low, Hi: loss.High, Strong: p.Loss.Value > 0 && k.sure(p.Loss)})
		table.Rows = append(table.Rows, []string{"`" + p.Name + "`", fmt.Sprintf("%.4g", p.Best), param.StepText(), k.text(p.Loss), k.text(p.Slope)})
		if !k.sure(p.Loss) && !k.sure(p.Slope) {
			flat = append(flat, "`"+p.Name+"`")
		}
	}
	section := reports.Section{Title: worthTitle, Blocks: append(k.graded(),
		reports.Text("All games near the tuned values are read as the differences of one quadratic in all parameters. That tells, at no further game, what a step away from the tuned value costs, the mean of both sides, and what a step upwards would still gain."),
		reports.Plot{Name: "effects", Caption: "Far right: hold on to this value. Around zero: these games cannot tell that it matters. The intervals do not know that strength may be no quadratic.", Figure: fig},
		table,
	)}
	if len(flat) > 0 {
		section.Blocks = append(section.Blocks, reports.Text("Not shown to matter near the tuned values, neither slope nor curvature: "+strings.Join(flat, ", ")+"."))
	}
	for _, g := range k.model.Scales {
		switch names := "`" + strings.Join(g.Names, "`, `") + "`"; {
		case g.Held:
			section.Blocks = append(section.Blocks, reports.Text("Only the ratios of "+names+" matter: their common scale was held."))
		case g.Declared:
			section.Blocks = append(section.Blocks, reports.Text("Only the ratios of "+names+" matter, by the game's own word. This method holds no scale: theirs went where chance took it."))
		}
	}
	return section
}

// mostCrossShown is how many cross terms are listed.
const maxCrossShown = 8

// together tells which parameters depend on each other.
func (k *known) together() reports.Section {
	table := reports.Table{Columns: []reports.Column{{Name: "parameters"}, {Name: "a step of both, beyond each alone (Elo)", Right: true}, {Name: "reading"}}}
	for i, c := range k.model.Cross[:min(len(k.model.Cross), maxCrossShown)] {
		reading := "not shown to differ from zero"
		switch {
		case !k.sure(c.Elo):
		case c.Elo.Value > 0:
			reading = "best changed in the same direction"
		default:
			reading = "best changed in opposite directions"
		}
		if k.sure(c.Elo) {
			table.Strong = append(table.Strong, i)
		}
		table.Rows = append(table.Rows, []string{fmt.Sprintf("`%s` and `%s`", c.A, c.B), k.text(c.Elo), reading})
	}
	section := reports.Section{Title: "How parameters act together", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("The cross terms of the quadratic, the surest first, with %s intervals of each on its own: of %s pairs of parameters some look sure by chance.",
			text.Level(k.Level), text.Count(len(k.model.Params)*(len(k.model.Params)-1)/2))),
	}}
	if plot, ok := k.pairs(); ok {
		section.Blocks = append(section.Blocks, plot)
	}
	section.Blocks = append(section.Blocks, table)
	if block, ok := k.ratios(); ok {
		section.Blocks = append(section.Blocks, block)
	}
	return section
}

const (
	maxCurves   = 3  // parameters that are shown alone
	curvePoints = 41 // of a curve
	gridPoints  = 25 // of a side of a surface
	maxTried    = 200
)

// slices shows the surface along the parameters that matter most; ok is false
// where the games span nothing to show.
func (k *known) slices() (section reports.Section, ok bool) {
	section = reports.Section{Title: "The fitted surface", Blocks: []reports.Block{
		reports.Text("Elo relative to the tuned values, by the fit, all other parameters as tuned; shown where the later half of the trials was played. It is no measurement of its own: near the edges it says little.")}}
	list := k.ranked()
	for _, p := range list[:min(len(list), maxCurves)] {
		if block, ok := k.curve(p); ok {
			section.Blocks = append(section.Blocks, block)
		}
	}
	if block, ok := k.surface(list); ok {
		section.Blocks = append(section.Blocks, block)
	}
	return section, len(section.Blocks) > 1
}

// span is where the later half of the trials was played, in coordinates of a
// parameter; the recommendation lies in it.
func (k *known) span(p quadratic.ParamModel) (lo, hi float64) {
	param := k.Space()[p.Index]
	lo = param.Coordinate(p.Best)
	hi = lo
	for i := len(k.Trials) / 2; i < len(k.Trials); i++ {
		a, b := param.Coordinate(k.Trials[i].A[p.Index]), param.Coordinate(k.Trials[i].B[p.Index])
		lo, hi = min(lo, a, b), max(hi, a, b)
	}
	return lo, hi
}

// values are n values evenly over a parameter's span, in the coordinate tuners
// move; none where that is too narrow.
func (k *known) values(p quadratic.ParamModel, n int) (list []float64) {
	lo, hi := k.span(p)
	if !(hi-lo > 1e-6) {
		return nil
	}
	param := k.Space()[p.Index]
	for i := range n {
		u := lo + float64((hi-lo)*float64(i)/float64(n-1))
		list = append(list, min(max(param.Value(u), param.Min), param.Max))
	}
	return list
}

// with is the model's recommendation with one value changed.
func (k *known) with(index int, x float64) params.Vector {
	v := k.model.Best.Clone()
	v[index] = x
	return v
}

// axisName names an axis of a figure.
func axisName(p params.Param) string {
	if p.Unit == "" {
		return p.Name
	}
	return p.Name + " (" + p.Unit + ")"
}

// curve is the strength along one parameter.
func (k *known) curve(p quadratic.ParamModel) (reports.Block, bool) {
	param := k.Space()[p.Index]
	fig := figure.Curve{
		Title: "Elo along " + p.Name, Subtitle: "relative to the tuned value, " + param.Format(k.model.Best[p.Index]) + ", where it is 0",
		XLabel: axisName(param), YLabel: "Elo", LogX: param.Log, Level: text.Level(k.Level) + " band",
	}
	for _, x := range k.values(p, curvePoints) {
		fig.Line = append(fig.Line, k.interval(k.model.Elo(k.with(p.Index, x))).point(x))
	}
	return reports.Plot{Name: "curve-" + p.Name, Figure: fig}, len(fig.Line) > 0
}

// surface is the strength over the two parameters that surely act together or,
// where none do, over the two that matter most.
func (k *known) surface(ranked []quadratic.ParamModel) (reports.Block, bool) {
	if len(ranked) < 2 {
		return nil, false
	}
	a, b, why := ranked[0], ranked[1], "the two parameters that matter most"
	if len(k.model.Cross) > 0 && k.sure(k.model.Cross[0].Elo) {
		at := func(index int) quadratic.ParamModel {
			return ranked[slices.IndexFunc(ranked, func(p quadratic.ParamModel) bool { return p.Index == index })]
		}
		a, b, why = at(k.model.Cross[0].Index[0]), at(k.model.Cross[0].Index[1]), "the two parameters that most surely act together"
	}
	pa, pb, zero := k.Space()[a.Index], k.Space()[b.Index], 0.0
	fig := figure.Slice{
		Title: "Elo over " + a.Name + " and " + b.Name, Subtitle: "by the fit, relative to the tuned values; " + why,
		XLabel: axisName(pa), YLabel: axisName(pb), LogX: pa.Log, LogY: pb.Log, Label: "Elo",
		X: k.values(a, gridPoints), Y: k.values(b, gridPoints), Middle: &zero,
		Best: &figure.Place{X: k.model.Best[a.Index], Y: k.model.Best[b.Index]},
	}
	if fig.X == nil || fig.Y == nil {
		return nil, false
	}
	for _, y := range fig.Y {
		var row []float64
		v := k.with(b.Index, y)
		for _, x := range fig.X {
			v[a.Index] = x
			row = append(row, k.interval(k.model.Elo(v)).Elo)
		}
		fig.Values = append(fig.Values, row)
	}
	for i := max(len(k.Trials)/2, len(k.Trials)-maxTried/2); i < len(k.Trials); i++ {
		for _, v := range []params.Vector{k.Trials[i].A, k.Trials[i].B} {
			fig.Points = append(fig.Points, figure.Place{X: v[a.Index], Y: v[b.Index]})
		}
	}
	if x, y := k.Start[a.Index], k.Start[b.Index]; x >= fig.X[0] && x <= fig.X[gridPoints-1] && y >= fig.Y[0] && y <= fig.Y[gridPoints-1] {
		fig.Reference = &figure.Place{X: x, Y: y}
	}
	return reports.Plot{Name: "surface", Caption: "Rings: the last places tried. Marked: the tuned values and, where it lies inside, the start.", Figure: fig}, true
}

// games are those that the compared played.
func (k *known) games() int {
	n := 0
	for i := range k.Trials {
		n += 2 * k.Trials[i].Pairs.N()
	}
	return n
}

// foresees reports whether the games can tell what more of them would buy: there are
// at least as many pairs as numbers to be fitted. Before that the priors speak, which
// hold a thousand Elo possible.
func (k *known) foresees() bool { return k.model.Games >= float64(2*k.coefficients()) }

// coefficients are those of a quadratic in the parameters: slopes, curvatures and
// cross terms.
func (k *known) coefficients() int {
	d := len(k.model.Params)
	return 2*d + d*(d-1)/2
}

const outlookTitle = "What the next games would buy"

// outlook tells what more games would buy.
func (k *known) outlook() reports.Section {
	if !k.foresees() {
		return reports.Section{Title: outlookTitle, Blocks: []reports.Block{reports.Text(fmt.Sprintf(
			"Not told by so few games: a quadratic in %d parameters has %s numbers, and the games near the tuned values count as %s pairs.",
			len(k.model.Params), text.Count(k.coefficients()), text.Count(int(k.model.Games/2))))}}
	}
	lacking := k.elo * k.model.Lacking().Value
	deviation := k.elo * k.model.Lacking().SE
	table := reports.Table{Columns: []reports.Column{{Name: "more games", Right: true}, {Name: "expected gain (Elo, ± a standard deviation)", Right: true}, {Name: "still lacking (Elo)", Right: true}}}
	fig := figure.Curve{Title: "What more games would gain", Subtitle: "expected under the model, of what is lacking", XLabel: "more games", YLabel: "Elo", Level: "band of a standard deviation"}
	for _, times := range []float64{0, .25, .5, 1, 2, 4, 9} {
		games := int(math.Round(times * float64(k.games())))
		gains := k.model.Gains(games)
		gain, spread := k.elo*gains.Value, k.elo*gains.SE
		fig.Line = append(fig.Line, figure.Point{X: float64(games), Y: gain, Lo: max(gain-spread, 0), Hi: gain + spread})
		if times >= 1 {
			table.Rows = append(table.Rows, []string{text.Count(games), fmt.Sprintf("%+.1f ± %.1f", gain, spread), fmt.Sprintf("%.1f", lacking-gain)})
		}
	}
	return reports.Section{Title: outlookTitle, Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("The tuned values are expected to lack %.1f Elo of the best the quadratic holds possible (a standard deviation of %.1f). More games narrow that down; what no quadratic can describe is not counted, and no game less than the verification shows what was gained.",
			lacking, deviation)),
		reports.Plot{Name: "outlook", Figure: fig},
		table,
	}}
}
