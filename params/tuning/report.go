package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/match"
	"selfplaylab/params"
	"selfplaylab/params/grid"
	"selfplaylab/params/spsa"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/record"
)

// story is all that a report tells of a run, gathered in one pass over the
// record.
type story struct {
	log      *datasets.Log
	game     *engines.Game
	spec     Spec
	method   method
	tuner    params.Tuner
	finished bool

	screen  []screened // around the start
	recheck []screened // around the tuned values
	obs     []spsa.Observation
	scores  []figure.TrialScore
	verify  []rating.Pairs // running tally after every batch
	planned int64          // games the tuner asks for
	tuned   int64          // games it has had

	compared, differing int64 // decisions in the tuning's own trials

	field      []rated            // of the rating phase
	rated      *rating.Tournament // nil without games of that phase
	rateFrom   int64              // its first trial
	ratePoints int                // of X in the game before

	played   record.Games
	openings record.Openings // of the verification
	sessions []match.Session
}

// WriteReport writes the run's report.html and report.md with its figures into
// its directory, from the record alone. It works on unfinished runs too.
func WriteReport(dir string) error {
	page, err := Page(dir)
	if err != nil {
		return err
	}
	return page.Write(dir)
}

// Page makes the report of a run from its record alone.
func Page(dir string) (reports.Page, error) {
	s, err := read(dir)
	if err != nil {
		return reports.Page{}, err
	}
	page, err := s.page()
	if err != nil {
		return page, fmt.Errorf("report of %s: %w", dir, err)
	}
	return page, nil
}

// read replays the tuner on the record.
func read(dir string) (*story, error) {
	log, err := datasets.Read(dir)
	if err != nil {
		return nil, err
	}
	s, err := readTrials(log)
	if err != nil {
		return nil, err
	}
	if s.sessions, err = match.Sessions(dir); err != nil {
		return nil, err
	}
	return s, s.games()
}

// readTrials replays the tuner on the recorded trials, and reads no games.
func readTrials(log *datasets.Log) (*story, error) {
	game, _, spec, err := Describe(log)
	if err != nil {
		return nil, err
	}
	r := Run{Spec: spec, game: game}
	if err := r.prepare(log.Meta.Seed); err != nil {
		return nil, fmt.Errorf("%s: %w", log.Dir, err)
	}
	s := &story{
		log: log, game: game, spec: spec, method: r.method, tuner: r.tuner,
		planned: r.method.games(r.tuner, &spec),
	}
	return s, s.trials()
}

func (s *story) trials() error {
	replay := match.Campaign{Replayed: s.log.Trials(datasets.Filter{})}
	if err := s.screening(&replay, PhaseScreen, s.spec.Values, s.spec.Active, &s.screen); err != nil {
		return err
	}
	err := replay.Replay(PhaseTune, s.tuner, func(t datasets.TrialRow) {
		s.compared += t.Compared
		s.differing += int64(t.Differing)
		score := float64(2*t.Wins+t.Draws) / float64(2*t.Games)
		s.tuned += int64(t.Games)
		s.obs = append(s.obs, spsa.Observation{X: t.X, Than: t.Than, Score: score})
		s.scores = append(s.scores, figure.TrialScore{Iteration: float64(len(s.obs)), Score: score, Pairs: int(t.Pairs)})
	})
	if err != nil {
		return err
	}
	if s.tuned < s.planned {
		return replay.Close()
	}
	settled, err := s.replayVerification(&replay)
	if err != nil || !settled {
		return errors.Join(err, replay.Close())
	}
	s.field = s.spec.field(s.game.Presets, s.tuner.Best())
	src := s.spec.rating(s.field)
	pairings := 0
	err = replay.Replay(PhaseRate, src, func(t datasets.TrialRow) {
		if pairings == 0 {
			s.rateFrom = t.Trial
		}
		pairings++
	})
	if err != nil {
		return err
	}
	s.finished = pairings == len(src.Trials)
	return replay.Close()
}

// replayVerification reports whether the verification is over.
func (s *story) replayVerification(replay *match.Campaign) (settled bool, err error) {
	best := s.tuner.Best()
	if err := s.screening(replay, PhaseRecheck, best, idle(s.game.Space, s.screen), &s.recheck); err != nil {
		return false, err
	}
	if s.spec.VerifyMax == 0 || slices.Equal(best, s.spec.Values) {
		return true, nil
	}
	v := s.spec.verification(best)
	var tally rating.Pairs
	err = replay.Replay(PhaseVerify, v, func(t datasets.TrialRow) {
		tally = tally.Plus(rating.Pairs{int(t.LL), int(t.LD), int(t.Even), int(t.WD), int(t.WW)})
		s.verify = append(s.verify, tally)
	})
	return v.Settled(), err
}

// screening replays one screen.
func (s *story) screening(replay *match.Campaign, phase string, around params.Vector, names []string, rows *[]screened) error {
	return replay.Replay(phase, s.spec.screening(s.game.Space, around, names), func(t datasets.TrialRow) {
		*rows = append(*rows, screenRow(s.game.Space, names[len(*rows)], t))
	})
}

func (s *story) games() error {
	for g, err := range s.log.Games(datasets.Filter{}) {
		if err != nil {
			return err
		}
		s.played.Add(g)
		switch g.Phase {
		case PhaseVerify:
			s.openings.Add(g)
		case PhaseRate:
			s.rate(g)
		}
	}
	return nil
}

// result is the run's Result as far as it got.
func (s *story) result() Result {
	r := Result{Dir: s.log.Dir, Game: s.game, Start: s.spec.Values, Best: s.tuner.Best(), Games: s.log.NumGames}
	if len(s.verify) > 0 {
		r.judge(&s.spec, s.verify[len(s.verify)-1])
	}
	return r
}

func (s *story) page() (reports.Page, error) {
	r := s.result()
	p := reports.Page{
		Title:    fmt.Sprintf("Tuning %s: %s", s.game.Title, filepath.Base(filepath.Clean(s.log.Dir))),
		Lead:     s.lead(r),
		Warnings: s.warnings(r),
		Facts:    s.facts(),
	}
	if len(s.verify) > 0 {
		p.Sections = append(p.Sections, s.verification(r))
	}
	if s.rated != nil {
		section, err := s.ratings()
		if err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, section)
	}
	p.Sections = append(p.Sections, s.parameters(r))
	switch t := s.tuner.(type) {
	case *spsa.Tuner:
		p.Sections = append(p.Sections, s.paths(t)...)
	case *grid.Tuner:
		section, err := s.grid(t)
		if err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, section)
	}
	if len(s.screen) > 0 {
		p.Sections = append(p.Sections, s.screenSection())
	}
	if len(s.verify) > 0 {
		openings := s.openings.Section(s.spec.Level, "tuned", "start")
		openings.Title += ", in the verification"
		p.Sections = append(p.Sections, openings)
	}
	if s.log.NumGames > 0 {
		p.Sections = append(p.Sections, s.played.Section(s.spec.Level))
	}
	return p, nil
}

func (s *story) lead(r Result) []string {
	names := strings.Join(s.spec.Active, ", ")
	asked := fmt.Sprintf("Asked: tune %s of %s from `%s` by %s over %s iterations of %s game pairs.",
		record.Plural(len(s.spec.Active), "parameter"), s.game.Title, s.spec.Start, s.spec.Method, record.Count(s.spec.Iterations), record.Count(s.spec.Pairs))
	if t, ok := s.tuner.(*grid.Tuner); ok {
		asked = fmt.Sprintf("Asked: play %s values of %s of %s against `%s`, %s game pairs each on the same openings.",
			record.Count(len(t.Points())), names, s.game.Title, s.spec.Start, record.Count(s.spec.Pairs))
	}
	if !s.finished {
		return []string{fmt.Sprintf("Unfinished: %s of %s tuning games are recorded. What follows is how far it got.",
			record.Count(s.tuned), record.Count(s.planned)), asked}
	}
	outcome := "Outcome, tuned against start on fresh openings: " + r.Verdict() + "."
	if r.Verified == nil {
		outcome = "Outcome: " + r.Verdict() + "."
	}
	return []string{outcome, asked}
}

func (s *story) warnings(r Result) []string {
	var w []string
	if !s.finished {
		w = append(w, fmt.Sprintf("The run is not finished; `tune --resume %s` goes on with it.", s.log.Dir))
	} else if r.Verified == nil && !slices.Equal(r.Best, r.Start) {
		w = append(w, "The tuned values were not verified: do not call them better.")
	} else if r.Verified != nil && !r.Better() {
		w = append(w, "The tuned values were not shown to be better than the start. A longer run, more pairs an iteration or a wider verification may tell.")
	}
	if sentence := cmp.Or(idleTuning(s.spec.Active, s.compared, s.differing), idleScreen(s.game.Space, s.recheck)); sentence != "" {
		w = append(w, sentence)
	}
	for i, p := range s.game.Space {
		if r.Best[i] != r.Start[i] && (r.Best[i] == p.Min || r.Best[i] == p.Max) {
			w = append(w, fmt.Sprintf("%s ended at its bound, %s: the best value may lie beyond.", p.Name, p.Format(r.Best[i])))
		}
	}
	if t, ok := s.tuner.(*grid.Tuner); ok && len(t.Points()) > 2 {
		w = append(w, fmt.Sprintf("The best of %s points looks better than it is, because it was chosen for its result: only a verification on fresh openings counts.", record.Count(len(t.Points()))))
	}
	if repeats := s.openings.Caution(); repeats != "" {
		w = append(w, "In the verification: "+repeats)
	}
	if s.played.Faults > 0 {
		w = append(w, record.Plural(s.played.Faults, "game")+" ended by a fault of a player (illegal move, time, crash or stall); see how games ended.")
	}
	if limits, err := engines.ParseLimits(s.log.Meta.Limits); err == nil && !limits.Repeatable() {
		w = append(w, "Decisions were limited by wall-clock time: this run does not repeat exactly.")
	}
	return w
}

func (s *story) facts() []reports.Fact {
	return record.Facts(s.log.Meta, s.sessions,
		reports.Fact{Key: "games", Value: record.Count(s.log.NumGames)},
		reports.Fact{Key: "openings", Value: record.RandomOpenings(s.spec.OpeningPlies)})
}

func (s *story) verification(r Result) reports.Section {
	fig := figure.EloSequence{
		Title:    "Tuned against start",
		Subtitle: fmt.Sprintf("running Elo difference with its %s %% confidence sequence, fresh openings", params.FormatValue(100*s.spec.Level)),
		Level:    params.FormatValue(100*s.spec.Level) + " % confidence sequence",
		Verdict:  r.Verified.String(),
	}
	for _, tally := range s.verify {
		e := s.spec.sequence().Estimate(tally)
		point := figure.Point{X: float64(tally.N()), Y: e.Elo, N: tally.N()}
		if !e.Few { // else there is no interval yet
			point.Lo, point.Hi = e.EloRange.Low, e.EloRange.High
		}
		fig.Points = append(fig.Points, point)
	}
	tally := s.verify[len(s.verify)-1]
	stops := fmt.Sprintf("The match stops as soon as the interval excludes an even score, after at least %s and at most %s pairs; the interval is one that may be looked at any number of times.",
		record.Count(s.spec.VerifyMin), record.Count(s.spec.VerifyMax))
	caption := "The match is decided when the band leaves zero."
	if r.Test != nil {
		stops = fmt.Sprintf("The match stops as soon as a sequential test decides, after at most %s pairs: %s. The interval is one that may be looked at any number of times, so it holds whatever stopped the match.",
			record.Count(s.spec.VerifyMax), r.Test.Verdict())
		caption = "The measured difference; it is the test that decides."
	}
	return reports.Section{Title: "Verification", Blocks: []reports.Block{
		reports.Text("The tuned values played the start on openings that the tuner never saw, both colours of each. " + stops),
		reports.Plot{Name: "verification", Caption: caption, Figure: fig},
		record.Pairs(tally, *r.Verified),
	}}
}

// parameters is the table of what came out.
func (s *story) parameters(r Result) reports.Section {
	t := reports.Table{Columns: []reports.Column{
		{Name: "parameter"}, {Name: "start", Right: true}, {Name: "tuned", Right: true}, {Name: "moved (steps)", Right: true}, {Name: "allowed"}, {Name: "meaning"},
	}}
	for i, p := range s.game.Space {
		if !slices.Contains(s.spec.Active, p.Name) {
			continue
		}
		moved := p.Coordinate(r.Best[i]) - p.Coordinate(r.Start[i])
		t.Rows = append(t.Rows, []string{"`" + p.Name + "`", p.Format(r.Start[i]), p.Format(r.Best[i]), fmt.Sprintf("%+.2f", moved), p.Range(), p.Doc})
	}
	return reports.Section{Title: "Parameters", Blocks: []reports.Block{
		reports.Text("The tuned values are in `" + TunedName + "`, which `selfplay match` and `tune --start` read. Parameters not listed were left as they are."),
		t,
	}}
}

// maxPathPoints keeps figures of long runs small.
const maxPathPoints = 400

// paths tells how SPSA went.
func (s *story) paths(t *spsa.Tuner) []reports.Section {
	n := len(s.obs)
	if n == 0 {
		return nil
	}
	return []reports.Section{{Title: "How it went", Blocks: []reports.Block{
		reports.Plot{Name: "paths", Caption: "A path that has levelled off has found its place; one still moving wants more iterations. The band is what chance alone can do to the mean: where it leaves the start out, the games drove the parameter. Parameters that matter much are held tighter than their band says.", Figure: s.pathFigure(t)},
		reports.Text(s.driven(t)),
		reports.Plot{Name: "probes", Caption: "Every trial is a match of two mirror images around the iterate, so scores stay near one half; a spread far beyond the interval would mean probes too wide.", Figure: figure.Probes{
			Title: "Scores of the probes", Subtitle: fmt.Sprintf("%s trials of %s pairs, grouped", record.Count(n), record.Count(s.spec.Pairs)),
			Bins: figure.BinScores(s.scores, 40),
		}},
	}}, s.effects(t)}
}

func (s *story) pathFigure(t *spsa.Tuner) figure.Paths {
	fig := figure.Paths{
		Title:    "Paths of the parameters",
		Subtitle: "thin: the iterate; strong: the mean of the last half so far, which is the recommendation; dashed: the start",
		Level:    record.Level(s.spec.Level) + " band of chance",
	}
	best := s.tuner.Best()
	for _, name := range s.spec.Active {
		i := s.game.Space.Index(name)
		p := s.game.Space[i]
		path := figure.Path{Name: p.Name, Unit: p.Unit, Min: p.Min, Max: p.Max, Start: s.spec.Values[i], Step: p.Step}
		if p.Whole {
			path.Final = p.Format(best[i])
		}
		fig.Paths = append(fig.Paths, path)
	}
	n := len(s.obs)
	stride := max(1, (n+maxPathPoints-1)/maxPathPoints)
	for at := 0; at < n+stride; at += stride {
		k := min(at, n) // the last, too
		raw, mean := t.Iterate(k), t.Average(k)
		lo, hi := t.Band(k, s.spec.Level)
		for j, name := range s.spec.Active {
			i := s.game.Space.Index(name)
			path := &fig.Paths[j]
			path.X = append(path.X, float64(k))
			path.Raw, path.Mean = append(path.Raw, raw[i]), append(path.Mean, mean[i])
			path.Lo, path.Hi = append(path.Lo, lo[i]), append(path.Hi, hi[i])
		}
	}
	return fig
}

// driven names the parameters that chance alone would hardly have moved so far.
func (s *story) driven(t *spsa.Tuner) string {
	lo, hi := t.Band(len(s.obs), s.spec.Level)
	var names []string
	for _, name := range s.spec.Active {
		if i := s.game.Space.Index(name); s.spec.Values[i] < lo[i] || s.spec.Values[i] > hi[i] {
			names = append(names, "`"+name+"`")
		}
	}
	if len(names) == 0 {
		return "No parameter has moved further than chance alone may have carried it: the start lies within every band."
	}
	return fmt.Sprintf("Moved further than chance alone would carry them (%s each): %s.", record.Level(s.spec.Level), strings.Join(names, ", "))
}

// effects tells what each parameter is worth, from the tuning's own games.
func (s *story) effects(t *spsa.Tuner) reports.Section {
	section := reports.Section{Title: "What each parameter is worth"}
	active, err := s.game.Space.Active(s.spec.Active, nil)
	if err != nil { // cannot happen: the tuner was made from the same names
		section.Blocks = []reports.Block{reports.Text(err.Error())}
		return section
	}
	used := s.obs[len(s.obs)/2:]
	effects, err := spsa.Effects(s.game.Space, active, t.Best(), used)
	if err != nil {
		section.Blocks = []reports.Block{reports.Text(fmt.Sprintf("Not told by this run: %v.", err))}
		return section
	}
	slices.SortStableFunc(effects, func(a, b spsa.Effect) int { return cmp.Compare(b.Loss, a.Loss) })
	z := math.Sqrt2 * math.Erfinv(s.spec.Level)
	level := params.FormatValue(100*s.spec.Level) + " %"
	fig := figure.Bars{
		Title:    "Elo lost one step away from the tuned value",
		Subtitle: fmt.Sprintf("fitted to the last %s trials, with %s intervals; zero means it does not matter here", record.Count(len(used)), level),
		XLabel:   "Elo",
	}
	table := reports.Table{Columns: []reports.Column{
		{Name: "parameter"}, {Name: "one step", Right: true}, {Name: "loss one step away (Elo)", Right: true}, {Name: "slope left (Elo a step)", Right: true},
	}}
	flat := []string{}
	for _, e := range effects {
		p := s.game.Space[e.Param]
		fig.Bars = append(fig.Bars, figure.Bar{Name: p.Name, Value: e.Loss, Lo: e.Loss - z*e.LossSE, Hi: e.Loss + z*e.LossSE, Strong: e.Loss > z*e.LossSE})
		table.Rows = append(table.Rows, []string{
			"`" + p.Name + "`", p.StepText(), fmt.Sprintf("%+.1f ± %.1f", e.Loss, z*e.LossSE), fmt.Sprintf("%+.1f ± %.1f", e.Slope, z*e.SlopeSE),
		})
		if e.Loss <= z*e.LossSE && math.Abs(e.Slope) <= z*e.SlopeSE {
			flat = append(flat, "`"+p.Name+"`")
		}
	}
	section.Blocks = []reports.Block{
		reports.Text("Every trial moved every parameter at once, so the tuning's own games tell what each is worth: a regression of the results on the probes, quadratic in each parameter, cross effects left out."),
		reports.Plot{Name: "effects", Caption: "Far right: hold on to this value. Around zero: this run cannot tell that it matters.", Figure: fig},
		table,
	}
	if len(flat) > 0 {
		section.Blocks = append(section.Blocks, reports.Text("Not shown to matter near the tuned values, neither slope nor curvature: "+strings.Join(flat, ", ")+"."))
	}
	return section
}

// grid tells the result of every point.
func (s *story) grid(t *grid.Tuner) (reports.Section, error) {
	section := reports.Section{Title: "Every point against the start"}
	axes, err := axes(&s.spec, s.game.Space)
	if err != nil {
		return section, err
	}
	points := t.Points()
	estimates := make([]rating.Estimate, len(points))
	for i, p := range points {
		estimates[i] = rating.Pairs(p.Pairs).Estimate(s.spec.Level)
	}
	recommended := t.Best()
	best := slices.IndexFunc(points, func(p grid.Point) bool { return slices.Equal(p.Vector, recommended) })
	switch len(axes) {
	case 1:
		section.Blocks = append(section.Blocks, s.response(axes[0], points, estimates))
	case 2:
		section.Blocks = append(section.Blocks, s.heat(axes, estimates, best))
	}
	table := reports.Table{Columns: []reports.Column{}}
	for _, a := range axes {
		table.Columns = append(table.Columns, reports.Column{Name: s.game.Space[a.Param].Name, Right: true})
	}
	table.Columns = append(table.Columns, reports.Column{Name: "pairs", Right: true}, reports.Column{Name: "score", Right: true}, reports.Column{Name: "Elo against the start"})
	for i, p := range points {
		var row []string
		for _, a := range axes {
			row = append(row, s.game.Space[a.Param].Format(p.Vector[a.Param]))
		}
		elo := estimates[i].String()
		if slices.Equal(p.Vector, s.spec.Values) {
			elo = "the start itself: exactly even"
		}
		table.Rows = append(table.Rows, append(row, record.Count(estimates[i].N), record.Percent(estimates[i].Score), elo))
	}
	if best >= 0 {
		table.Strong = []int{best}
	}
	section.Blocks = append(section.Blocks, table)
	return section, nil
}

func (s *story) response(a grid.Axis, points []grid.Point, estimates []rating.Estimate) reports.Block {
	p := s.game.Space[a.Param]
	start := s.spec.Values[a.Param]
	label := p.Name
	if p.Unit != "" {
		label += " (" + p.Unit + ")"
	}
	fig := figure.Response{
		Title:    "Elo by " + p.Name,
		Subtitle: fmt.Sprintf("%s pairs a point against the start, the same openings for all; bars: %s %% intervals", record.Count(s.spec.Pairs), params.FormatValue(100*s.spec.Level)),
		XLabel:   label, YLabel: "Elo against the start", LogX: p.Log,
		ReferenceX: &start, ReferenceLabel: "start",
		Levels: []figure.Level{{Y: 0, Label: "even"}},
	}
	var samples, candidates []grid.Sample
	for i, e := range estimates {
		x := points[i].Vector[a.Param]
		if e.N == 0 {
			continue
		}
		point := figure.Point{X: x, Y: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, N: e.N}
		if x == start {
			point.Lo, point.Hi = 0, 0 // even by its nature: nothing measured
		}
		fig.Points = append(fig.Points, point)
		// Against itself a point scores exactly one half: no measurement.
		if se := e.EloRange.Half(); se > 0 && x != start {
			samples = append(samples, grid.Sample{X: p.Coordinate(x), Y: e.Elo, SE: se / 2})
		}
		if x == start {
			candidates = append(candidates, grid.Sample{X: x}) // known without error
		} else {
			candidates = append(candidates, grid.Sample{X: x, Y: e.Elo, SE: e.EloRange.Half() / 2})
		}
	}
	caption := "The best point of a grid is partly lucky; a smooth curve through all of them is the better guide."
	if best := grid.Best(candidates, s.spec.Level); len(best) > 1 {
		caption += fmt.Sprintf(" Not shown to be worse than the best: %d of %d values, from %.3g to %.3g (%s %%).", len(best), len(candidates),
			best[0].X, best[len(best)-1].X, params.FormatValue(100*s.spec.Level))
	}
	if fit, err := grid.Fit(samples); err == nil {
		if peak, se, ok := fit.Peak(); ok && !fit.Refused() && peak > samples[0].X && peak < samples[len(samples)-1].X {
			for i := range 61 {
				u := samples[0].X + (samples[len(samples)-1].X-samples[0].X)*float64(i)/60
				y, ySE := fit.At(u)
				fig.Fit = append(fig.Fit, figure.Point{X: p.Value(u), Y: y, Lo: y - 2*ySE, Hi: y + 2*ySE})
			}
			y, _ := fit.At(peak)
			fig.Optimum = &figure.Point{X: p.Value(peak), Y: y, Lo: p.Value(peak - 2*se), Hi: p.Value(peak + 2*se)}
			caption += fmt.Sprintf(" The parabola peaks at %s = %.3g, between %.3g and %.3g (95 %%).", p.Name, p.Value(peak), p.Value(peak-2*se), p.Value(peak+2*se))
		}
	}
	return reports.Plot{Name: "response", Caption: caption, Figure: fig}
}

func (s *story) heat(axes []grid.Axis, estimates []rating.Estimate, best int) reports.Block {
	rows, columns := axes[0], axes[1]
	pr, pc := s.game.Space[rows.Param], s.game.Space[columns.Param]
	zero, widest := 0.0, 0.0
	fig := figure.Heat{
		Title: fmt.Sprintf("Elo by %s and %s", pr.Name, pc.Name), XLabel: pc.Name, YLabel: pr.Name,
		Label: "Elo against the start", Middle: &zero,
	}
	for _, v := range columns.Values {
		fig.Columns = append(fig.Columns, pc.Format(v))
	}
	for r := len(rows.Values) - 1; r >= 0; r-- { // the largest on top, as on an axis
		fig.Rows = append(fig.Rows, pr.Format(rows.Values[r]))
		var values []float64
		for c := range columns.Values {
			e := estimates[r*len(columns.Values)+c]
			if e.N == 0 {
				values = append(values, math.NaN())
				continue
			}
			widest = max(widest, e.EloError())
			values = append(values, e.Elo)
		}
		fig.Values = append(fig.Values, values)
	}
	cell := func(r, c int) *figure.Cell { return &figure.Cell{Row: len(rows.Values) - 1 - r, Column: c} }
	if best >= 0 {
		fig.Best = cell(best/len(columns.Values), best%len(columns.Values))
	}
	if r, c := slices.Index(rows.Values, s.spec.Values[rows.Param]), slices.Index(columns.Values, s.spec.Values[columns.Param]); r >= 0 && c >= 0 {
		fig.Reference = cell(r, c)
	}
	fig.Subtitle = fmt.Sprintf("%s pairs a point against the start, the same openings for all; %s %% intervals up to ± %.0f Elo", record.Count(s.spec.Pairs), params.FormatValue(100*s.spec.Level), widest)
	return reports.Plot{Name: "heat", Caption: "Marked: the best point and, where the grid holds it, the start.", Figure: fig}
}
