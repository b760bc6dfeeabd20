package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// page makes the experiment's page.
func (r Result) page() (reports.Page, error) {
	e := r.Experiment
	p := reports.Page{Title: e.Title, Lead: reports.Paragraphs(e.Doc), Warnings: append(r.cautions(), r.Warnings...)}
	for _, section := range []func() (reports.Section, error){r.claims, r.reading, r.figures, r.matches} {
		s, err := section()
		if err != nil {
			return p, err
		}
		if len(s.Blocks) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	for _, run := range e.Runs {
		p.Sections = append(p.Sections, r.sections(run)...)
	}
	p.Sections = append(p.Sections, r.again())
	p.Facts = r.facts()
	return p, nil
}

// cautions returns warnings about all runs together.
func (t Result) cautions() (list []string) {
	if t.Quick {
		list = append(list,
			"A quick run: a small budget that shows that everything works. Intervals are wide; the published results are those of the full budget.")
	}
	list = append(list, t.LeftOut...)
	if others := runs.OtherBuilds(t.heads...); others != "" {
		list = append(list, others)
	}
	if slices.ContainsFunc(t.Results.Rows, func(r Row) bool { return !r.Repeats }) {
		list = append(list, "Some players were bound to a wall clock: their results depend on this machine and do not repeat exactly.")
	}
	return list
}

// claims compares the source's statements with the results.
func (r Result) claims() (reports.Section, error) {
	table := reports.Table{Columns: reports.Columns("the source says", "measured", "verdict")}
	answers, err := r.Answers()
	if err != nil {
		return reports.Section{}, err
	}
	for _, a := range answers {
		table.Rows = append(table.Rows, []string{a.Says, a.Measured, a.Verdict})
	}
	return tableSection("Claims", table), nil
}

// tableSection returns a section of a table; it has no blocks if the table has no rows.
func tableSection(title string, table reports.Table) (s reports.Section) {
	if len(table.Rows) > 0 {
		s = reports.Section{Title: title, Blocks: []reports.Block{table}}
	}
	return s
}

// answer is a claim with its result.
type answer struct {
	Says, Measured, Verdict string
}

// Answers returns the experiment's claims with the numbers filled in. A verdict that its checks
// contradict is an error. The checks of a quick run decide its verdicts; a claim without checks
// stays open there.
func (r Result) Answers() ([]answer, error) {
	var list []answer
	for i, c := range r.Experiment.Claims {
		a := answer{Says: strings.Join(strings.Fields(c.Says), " ")}
		measured, present, absent, err := r.fill("measured", strings.Join(strings.Fields(c.Measured), " "))
		if err == nil {
			a.Verdict, err = r.verdict(c, absent == 0)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: claim %d: %w", r.Name, i+1, err)
		}
		if a.Measured = measured; present == 0 && absent > 0 {
			a.Measured = missingNote
		}
		list = append(list, a)
	}
	return list, nil
}

// verdict returns the verdict on a claim. complete is false if results of its text are missing.
func (r Result) verdict(c claim, complete bool) (string, error) {
	worst := supported
	if r.Quick && (!complete || len(c.Checks) == 0) {
		worst = undecided
	}
	for _, text := range c.Checks {
		found, err := r.judge(text)
		switch {
		case err != nil:
			return "", err
		case found == unplayed:
			return found.String(), nil
		case !r.Quick && found != supported:
			return "", fmt.Errorf("the verdict is %q, but the results find %q %s; change the verdict, and change the check or take it out",
				c.Verdict, text, found)
		}
		worst = min(worst, found)
	}
	switch worst {
	case contradicted:
		return fmt.Sprintf("contradicted by this run (published: %s)", c.Verdict), nil
	case undecided:
		return fmt.Sprintf("open (published: %s)", c.Verdict), nil
	}
	return c.Verdict, nil
}

func (r Result) judge(text string) (finding, error) {
	c, err := parseCheck(text)
	if err != nil {
		return undecided, err
	}
	if r.leftOut(c.ID) {
		return unplayed, nil
	}
	found, err := r.Results.judge(c)
	if _, absent := errors.AsType[*absentError](err); absent && r.Quick {
		return undecided, nil
	}
	return found, err
}

func (r Result) reading() (reports.Section, error) {
	text, err := r.Fill(readingName, r.Reading)
	if err != nil {
		return reports.Section{}, fmt.Errorf("%s: reading: %w", r.Name, err)
	}
	s := reports.Section{Title: "Reading"}
	for _, p := range reports.Paragraphs(text) {
		s.Blocks = append(s.Blocks, reports.Text(p))
	}
	return s, nil
}

func (r Result) figures() (reports.Section, error) {
	s := reports.Section{Title: "Side by side"}
	for _, f := range r.Experiment.Figures {
		fig, err := r.figure(f)
		caption, bad := r.Fill("caption", f.Caption)
		if err := cmp.Or(err, bad); err != nil {
			return s, fmt.Errorf("%s: figure %s: %w", r.Name, f.Name, err)
		}
		s.Blocks = append(s.Blocks, reports.Plot{Name: f.Name, Caption: caption, Figure: fig})
	}
	return s, nil
}

// figure draws a figure of the file.
func (r Result) figure(f Figure) (figure.Chart, error) {
	switch f.Value {
	case "nodes", "time":
		return r.searchFigure(f)
	case "calibration":
		return r.calibration(f), nil
	}
	var points []figure.Point
	var names []string
	for i, id := range f.Rows {
		row, err := r.Results.row(id)
		if err != nil && (r.Quick || r.leftOut(id)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p := pointOf(row, f.Value)
		if len(f.X) > 0 {
			p.X = f.X[i]
		}
		points, names = append(points, p), append(names, f.label(i))
	}
	label, zero := "score, %", 50.0
	if f.Value == "elo" {
		label, zero = "Elo", 0
	}
	subtitle := fmt.Sprintf("%v %% intervals", 100*Level)
	if len(f.X) > 0 {
		return figure.Response{
			Title: f.Title, Subtitle: subtitle, XLabel: f.XLabel, YLabel: label, LogX: f.LogX, Points: points,
			Levels: []figure.Level{{Y: zero, Label: "even"}},
		}, nil
	}
	bars := figure.Bars{Title: f.Title, Subtitle: subtitle, XLabel: label, Zero: zero, ZeroLabel: "even"}
	for i, p := range points {
		bars.Bars = append(bars.Bars, figure.Bar{Name: names[i], Value: p.Y, Lo: p.Lo, Hi: p.Hi})
	}
	return bars, nil
}

// label names a row.
func (f Figure) label(i int) string {
	if len(f.Labels) > 0 {
		return f.Labels[i]
	}
	return f.Rows[i]
}

// pointOf returns a row's Elo, or its score or the first player's in percent.
func pointOf(row Row, value string) figure.Point {
	tally := row.Pairs()
	if value == "first" {
		tally = row.first()
	}
	e := tally.Estimate(Level)
	if value == "elo" {
		return figure.Point{Y: e.Elo, Lo: e.EloRange.Low, Hi: e.EloRange.High, N: e.N}
	}
	return figure.Point{Y: 100 * e.Score, Lo: 100 * e.ScoreRange.Low, Hi: 100 * e.ScoreRange.High, N: e.N}
}

// searchFigure draws nodes or time a position by budget, one line a player. Rows
// name the runs; of equal players and budgets the run listed first counts.
func (r Result) searchFigure(f Figure) (figure.Chart, error) {
	lines := figure.Lines{Title: f.Title, Subtitle: "means; see the table", XLabel: f.XLabel, YLabel: "nodes a position", LogX: f.LogX,
		LogY: true}
	value := gamestats.Nodes
	if f.Value == "time" {
		lines.YLabel, value = "seconds a position", gamestats.Seconds
	}
	var err error
	lines.Series, err = gamestats.SearchCurves(r.searches(f.Rows...), value)
	return lines, err
}

// searches returns the tables of runs that search positions.
func (r Result) searches(runs ...string) (sums []gamestats.Search) {
	for _, s := range r.Results.Searches {
		if slices.Contains(runs, s.Run) {
			sums = append(sums, s.Search)
		}
	}
	return sums
}

// calibration draws results by the score shown; Rows name the runs.
func (r Result) calibration(f Figure) figure.Chart {
	lines := figure.Lines{Title: f.Title, Subtitle: "bars: 95 % intervals, pairs of games as the unit", XLabel: "win rate shown, %",
		YLabel: "result of the game, %", Diagonal: true}
	for i, run := range f.Rows {
		series := figure.Series{Name: f.label(i)}
		for _, s := range ofRun(r.Results.Shown, run) {
			if s.Decisions > 0 {
				series.Points = append(series.Points, figure.Point{X: 100 * s.Mean, Y: 100 * s.Points, Lo: 100 * s.Interval().Low,
					Hi: 100 * s.Interval().High, N: s.Decisions})
			}
		}
		lines.Series = append(lines.Series, series)
	}
	return lines
}

// matches returns the table of all matches.
func (r Result) matches() (reports.Section, error) {
	table := reports.Table{Columns: reports.Columns("run", "A", "B", ">A's score", ">A's Elo", ">first player", ">plies",
		">decisions that differed")}
	for _, run := range r.Experiment.Runs {
		for _, row := range ofRun(r.Results.Rows, run.Name) {
			if row.Part != "" { // of a run with a section of its own
				continue
			}
			e, first := row.Pairs().Estimate(Level), row.first().Estimate(Level)
			table.Rows = append(table.Rows, []string{
				"`" + row.Run + "`", playerText(row.A, row.ALimits), playerText(row.B, row.BLimits), text.Percent(e.Score), e.String(),
				ranged(first.Score, first.ScoreRange, ""),
				pliesText(row), fmt.Sprintf("%s of %s", text.Count(row.Differing), text.Count(row.Compared)),
			})
		}
	}
	return tableSection("Matches", table), nil
}

func playerText(name, limits string) string {
	if limits == "" || strings.HasSuffix(name, "@"+limits) {
		return "`" + name + "`"
	}
	return "`" + name + "` at " + limits
}

// sections returns the sections of a run: chosen from its own report, or a table of searches or of
// shown scores.
func (r Result) sections(run Run) []reports.Section {
	own := reports.Section{Title: heading(run)}
	if run.About != "" {
		own.Blocks = append(own.Blocks, reports.Text(strings.Join(strings.Fields(run.About), " ")))
	}
	lead := len(own.Blocks)
	if sums := r.searches(run.Name); len(sums) > 0 {
		own.Blocks = append(own.Blocks, gamestats.SearchTable(sums))
	}
	if len(run.Bins) > 0 {
		own.Blocks = append(own.Blocks, r.shownTable(run.Name))
	}
	for _, s := range r.Sections[run.Name] {
		for _, b := range s.Blocks {
			if plot, ok := b.(reports.Plot); ok {
				plot.Name = run.Name + "-" + plot.Name
				b = plot
			}
			own.Blocks = append(own.Blocks, b)
		}
	}
	if len(own.Blocks) == lead { // a match is in the table
		return nil
	}
	return []reports.Section{own}
}

func heading(run Run) string {
	if run.Title != "" {
		return run.Title
	}
	return strings.ToUpper(run.Name[:1]) + strings.ReplaceAll(run.Name[1:], "-", " ")
}

func (r Result) shownTable(run string) reports.Table {
	table := reports.Table{Columns: reports.Columns("win rate shown", ">decisions", ">mean shown", ">mean result", ">reached in",
		">of these won")}
	for _, s := range ofRun(r.Results.Shown, run) {
		reached, won := "", ""
		if s.Sides > 0 {
			reached, won = text.Count(s.Sides)+" players' games", proportion(s.Won, s.Sides, "")
		}
		mean, points := "-", "-"
		if s.Decisions > 0 {
			mean, points = text.Percent(s.Mean), ranged(s.Points, s.Interval(), "")
		}
		table.Rows = append(table.Rows, []string{
			fmt.Sprintf("%s to %s", text.Percent(s.Low), text.Percent(s.High)), text.Count(s.Decisions), mean, points, reached, won,
		})
	}
	return table
}

// again returns the commands that make the page again.
func (r Result) again() reports.Section {
	file, command, compare := r.File, "selfplay run "+runs.Quote(r.File), ""
	if r.File == "" {
		file, command, compare = fileName, "selfplay reproduce "+r.Name, ", and compare"
	}
	return reports.Section{Title: "Make it again", Blocks: []reports.Block{
		reports.Text("The runs and their budgets are in `" + file + "`; the counts behind every number are in the CSV files next to " +
			"this page, where c02, say, is the number of pairs in which A made 0 half points playing first and 2 playing second."),
		reports.Code(fmt.Sprintf("%[1]s           # all of it%[2]s\n%[1]s --quick   # a small part of it", command, compare)),
	}}
}

func (r Result) facts() []reports.Fact {
	o, cost := r.Outcome, r.Outcome.Full
	if r.Quick {
		cost = o.Quick
	}
	var facts []reports.Fact
	if r.Experiment.Source != "" {
		facts = []reports.Fact{{Key: "source", Value: r.Experiment.Source}}
	}
	return append(facts, []reports.Fact{
		{Key: "seed", Value: r.seeds()},
		{Key: "games", Value: text.Count(cost.Games)},
		{Key: "time", Value: fmt.Sprintf("%s with %s", Duration(cost.Seconds), text.Plural(cost.Workers, "worker"))},
		{Key: "machine", Value: o.Machine},
		{Key: "revision", Value: o.Revision},
		{Key: "program", Value: o.Program + ", " + o.Go},
	}...)
}

// seeds returns the seeds that runs set themselves, after the common one.
func (t Result) seeds() string {
	var own []string
	for _, r := range t.Experiment.Runs {
		for _, f := range r.settings(t.Quick) {
			if f.Field == "seed" {
				own = append(own, fmt.Sprintf("%s in %s", strings.Join(f.Texts, ""), r.Name))
			}
		}
	}
	text := strings.Join(own, ", ")
	switch len(own) {
	case 0:
		return "1 in every run"
	case len(t.Experiment.Runs):
		return text
	}
	return "1, but " + text
}

// Duration writes seconds for people.
func Duration(seconds float64) string {
	if seconds < 90 {
		return text.Number(seconds, 0) + " s"
	}
	return text.Number(seconds/60, 1) + " min"
}
