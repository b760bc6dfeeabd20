package tuning

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"selfplaylab/engines/external/objective"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

func (t *Result) Page() (reports.Page, error) {
	p := reports.Page{
		Title: t.title(), Subtitle: t.Head.About(t.what()),
		Lead: t.lead(), Warnings: t.cautions(),
		Facts: gamestats.Facts(t.Head.Meta, t.Head.Sessions,
			append(append([]reports.Fact{{Key: t.counted(), Value: text.Count(t.Config.calls(t.played))}},
				runs.ProgramFacts(t.Config.players()...)...),
				t.Config.facts()...)...),
	}
	shown, err := t.report()
	if err != nil {
		return p, err
	}
	phases := []Phase{t.verifyPhase, t.transfer, t.againstPhase, t.selectPhase, t.contest, t.ratingPhase}
	if v := t.Values(); v != nil {
		p.Sections, phases = append(p.Sections, t.valuesSection(v)), []Phase{t.selectPhase}
	}
	for _, phase := range phases {
		sections, err := phase.Sections()
		if err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, sections...)
	}
	p.Sections = append(append(p.Sections, t.earlier()...), t.parameters(shown))
	if t.Config.Program != nil && !t.candidateOnly() {
		program, err := t.programSection()
		if err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, program)
	}
	p.Sections = append(p.Sections, shown.Sections...)
	if plot, ok := t.progressPlot(); ok {
		p.Sections = append(p.Sections, reports.Section{Title: "Progress", Blocks: []reports.Block{plot}})
	}
	if len(t.screen.tested) > 0 {
		p.Sections = append(p.Sections, sensitivitySection(t.screen, t.recheck))
	}
	if t.Config.Objective != nil {
		p.Sections = append(p.Sections, t.objectiveSection())
		return p, nil
	}
	p.Sections = append(p.Sections, t.gameSections()...)
	return p, nil
}

// earlier says what was shown at stops before the stage of the latest trial.
func (t *Result) earlier() []reports.Section {
	table := reports.Table{Columns: reports.Columns(">tuning "+t.counted(), "tuned against start")}
	for i, g := range t.stages[:t.selectPhase.stageIndex] {
		if g.judged() {
			table.Rows = append(table.Rows, []string{text.Count(t.Config.calls(int64(t.Config.Stops[i]))), g.Verdict()})
		}
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return []reports.Section{{Title: "At earlier stops", Blocks: []reports.Block{
		reports.Text("The values tuned by an earlier stop were verified there in the same way, on " + luck(t.Config.task) + " of their own."), table}}}
}

// progressPlot is the strength of the recommendation over the tuning; ok is false for a
// method that tries given points.
func (t *Result) progressPlot() (plot reports.Plot, ok bool) {
	if t.Config.method.Info().Point != nil || t.Config.byValue() {
		return plot, false
	}
	e, _ := t.Verified()
	return t.current().Progress(e, t.tally())
}

// gameSections are about the games themselves.
func (t *Result) gameSections() []reports.Section {
	if t.Games.N == 0 {
		return nil
	}
	games := t.Games.Section(t.Config.Level)
	if t.tally().N() == 0 {
		return append([]reports.Section{games}, t.lost.Section(t.Head)...)
	}
	openings := t.openings.Section(t.Config.Level, "tuned", "start")
	openings.Title += ", in the verification"
	return runs.GameSections(t.Head, openings, &t.openings, "the tuned player", games, &t.lost)
}

// title is the result in a line.
func (t *Result) title() string {
	if !t.settled() {
		state := "Unfinished"
		if t.Head.Running {
			state = "Running"
		}
		return state + ": " + t.soFar()
	}
	e, _ := t.Verified()
	start := "the start"
	if name := t.Config.Start.Name; name != "" && t.Config.Objective == nil { // whose start has the name of its file
		start = name
	}
	if g := t.OverPool(); g != nil {
		return fmt.Sprintf("%s than %s over %s: %s",
			map[outcome]string{shownBetter: "Better", shownWorse: "Worse", notShown: "Not shown to be better"}[t.Outcome()], start,
			text.Plural(g.Opponents, "opponent"), g.Gain.points())
	}
	if v := t.Values(); v != nil && v.Change != nil {
		return fmt.Sprintf("%s than %s: %s", text.Capital(t.Outcome().String()), start, v.short())
	}
	switch t.Outcome() {
	case sameAsStart:
		return "Nothing better than " + start + " was found"
	case shownBetter:
		if !t.Config.task.InElo() {
			return "Tuned against " + start + ": " + inShort(t.Config.task, *e)
		}
		return fmt.Sprintf("Better than %s by %s", start, strings.TrimPrefix(inShort(t.Config.task, *e), "+"))
	case shownWorse:
		return fmt.Sprintf("Worse than %s: %s", start, inShort(t.Config.task, *e))
	case notShown:
		return fmt.Sprintf("Not shown to be better than %s: %s", start, inShort(t.Config.task, *e))
	}
	if e != nil {
		return fmt.Sprintf("Against %s so far: %s", start, inShort(t.Config.task, *e))
	}
	if s := t.Standing(); unreliable(s) {
		return text.Capital(s.String())
	}
	return "Tuned, not verified"
}

// what is what was done, in a line.
func (t *Result) what() string {
	what := "`" + strings.Join(t.Config.Active, "`, `") + "`"
	if len(t.Config.Active) > 3 {
		what = text.Plural(len(t.Config.Active), "parameter")
	}
	return fmt.Sprintf("Tuning of %s of %s by %s, %s", what, t.Head.Title(), t.Config.Method, text.Plural(t.Config.calls(t.played), t.noun()))
}

// lead is the result in words, and the question.
func (t *Result) lead() []string {
	asked := "Asked: " + t.question()
	if !t.Finished() {
		lead := []string{"What follows is how far the run got with " + t.soFar() + ".", asked}
		if s := t.Standing(); unreliable(s) {
			lead = append([]string{text.Capital(s.String()) + "."}, lead...)
		}
		return lead
	}
	outcome := "Outcome: " + t.Verdict() + "."
	if e, _ := t.Verified(); e != nil && !t.Config.byPool() {
		outcome = "Outcome, tuned against start on " + t.Config.newOpenings() + ": " + t.Verdict() + "."
	}
	return []string{outcome, asked}
}

// question is what was asked.
func (t *Result) question() string {
	text := t.Config.method.Question(t.current().session())
	if n := t.Config.tunings(); n > 1 {
		text += fmt.Sprintf(" %d independent tunings; a match on %s selects the best.", n, t.Config.newOpenings())
	}
	return text
}

// cautions are the warnings of the page, with what to do about the result.
func (t *Result) cautions() []string {
	var list []string
	if !t.Finished() {
		list = append(list, t.Head.NotFinished("run", t.soFar()))
	} else if advice := t.remarks(); advice != "" {
		list = append(list, advice)
	}
	return append(list, text.Each(t.warnings(), error.Error)...)
}

// parameters is the table of what came out.
func (t *Result) parameters(shown methodReport) reports.Section {
	optima, notes := shown.Optima, reports.List{}
	table := reports.Table{Columns: reports.Columns("parameter", ">start", ">tuned", ">moved (steps)")}
	line := "The tuned values are in `" + t.recommendedName() + "`, which `selfplay match` and `tune --start` read. Parameters " +
		"not listed were left as they are."
	if t.Config.Program != nil {
		line = "The tuned values are in `" + t.recommendedName() + "`, which `tune --start` reads. Parameters not listed were left as they are."
	}
	if t.Config.Objective != nil && t.candidateOnly() {
		line = fmt.Sprintf("The tuned values are in `%s`; `%s` holds the start's.", candidateName, t.Config.spaceFile())
	} else if t.Config.Objective != nil {
		line = fmt.Sprintf("The tuned values are in `%s`, in the form that the parameters were given in, and in `%s`. Parameters not listed were left as they are.", t.Config.spaceFile(), tunedName)
		if next := t.goOn(); next != "" {
			line += fmt.Sprintf(" To go on from them: `%s`.", next)
		}
	}
	if !t.Finished() {
		line = "These values are in no file before the run is finished. Parameters not listed were left as they are."
	} else if t.candidateOnly() {
		line += " No gain was shown: `" + tunedName + "` holds the start's values."
	}
	if optima != nil {
		best := fmt.Sprintf("best by its %ss (%s)", t.Config.task.Noun(), text.Level(t.Config.Level))
		table.Columns = append(table.Columns, reports.Column{Name: best})
		notes = append(notes, shown.Found)
	}
	moves := t.moves()
	if len(moves.Moves) > 0 {
		name := fmt.Sprintf("gain of the change (%s, %s)", moves.Unit, text.Level(moves.Level))
		table.Columns = append(table.Columns, reports.Column{Name: name, Right: true})
		notes = append(notes, "Gain of the change: from the start value to the tuned one, the other parameters as tuned, by a quadratic fitted "+
			"to the games; it overstates many a large change. "+moves.MeaningOfShown()+" The tuner chooses all values together: it also makes "+
			"changes whose gain is not shown, or is estimated below 0.")
	}
	table.Columns = append(table.Columns, reports.Column{Name: "allowed"}, reports.Column{Name: "meaning"})
	best, start := t.Recommend(), t.Config.Start.Values
	for _, i := range t.Config.task.Indices() {
		p := t.Config.task.Space()[i]
		moved := text.Signed(p.Coordinate(best[i])-p.Coordinate(start[i]), 2)
		if p.Labels != nil {
			moved = "-"
		}
		row := []string{"`" + p.Name + "`", p.Format(start[i]), p.Format(best[i]), moved}
		if optima != nil {
			place := "-"
			if k := slices.IndexFunc(optima, func(o analysis.Optimum) bool { return o.Param == i }); k >= 0 && !slices.Contains(moves.Idle, p.Name) {
				place = optima[k].Text(&p)
			}
			row = append(row, place)
		}
		if m := moves.MoveOf(p.Name); m != nil && !m.Gain.Shown {
			row = append(row, m.Gain.String()+", not shown")
		} else if m != nil {
			row = append(row, m.Gain.String())
		} else if len(moves.Moves) > 0 {
			row = append(row, "-")
		}
		table.Rows = append(table.Rows, append(row, p.Range(), p.Doc))
	}
	blocks := []reports.Block{reports.Text(line)}
	if len(notes) > 0 {
		blocks = append(blocks, notes)
	}
	return reports.Section{Title: "Parameters", Blocks: append(blocks, table)}
}

// objectiveSection tells of the answers of an objective in place of games.
func (t *Result) objectiveSection() reports.Section {
	o := t.Config.Objective
	line := fmt.Sprintf("`%s` was asked for the points of one vector against another: a pair of \"games\" in this report is one answer, its points rounded by chance to halves of two. ", o.Command)
	if o.Direction != objective.Pair {
		line = fmt.Sprintf("`%s` was asked for the value of one vector at a time. Two vectors are compared by calls with one seed, which is "+
			"a game in the record, won by the better value; its columns `value_a` and `value_b` hold the answers. ", o.Command)
	}
	if t.Config.elsewhere() {
		return reports.Section{Title: "The answers", Blocks: []reports.Block{reports.Text(fmt.Sprintf("The games were played elsewhere: questions "+
			"and answers are in `%s`. Answers without pairs were dealt to pairs by chance, as if games were independent.", answersName))}}
	}
	return reports.Section{Title: "The answers", Blocks: []reports.Block{
		reports.Text(line + fmt.Sprintf("%s are recorded. The run repeats, and does not depend on the number of workers, as far as the "+
			"program draws all its chance from the seed that it is given.", text.Plural(t.played/2, "pair"))),
	}}
}

// goOn is the command that tunes an objective on from the tuned values; "" where the start was
// kept, from which it would be this run again.
func (t *Result) goOn() string {
	if t.candidateOnly() || t.same() {
		return ""
	}
	o := t.Config.Objective
	if t.Config.elsewhere() {
		return runs.CommandText("tune", "ask-tell", "--space", o.Form+":"+filepath.Join(t.Head.Dir, t.Config.spaceFile()))
	}
	words := []string{"tune", "--objective", o.Command, "--space", o.Form + ":" + filepath.Join(t.Head.Dir, t.Config.spaceFile()),
		"--direction", o.direction()}
	return runs.CommandText(words...)
}

// programSection tells how to have the tuned values in an external engine.
func (t *Result) programSection() (s reports.Section, err error) {
	typed, err := t.typed(t.tunedValues())
	if err != nil || len(typed) == 0 {
		return s, err
	}
	s = reports.Section{Title: "The engine", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("`%s` was tuned against itself, by %s of its own; every process received its values before its game. To use the tuned values:",
			t.Config.Start.Name, text.Plural(len(t.Config.Active), "parameter"))),
	}}
	s.Blocks = append(s.Blocks, reports.List(text.Each(typed, func(line string) string { return "`" + line + "`" })))
	if len(t.Config.Program.Differs) > 0 {
		s.Blocks = append(s.Blocks,
			reports.Text("Defaults of the engine file that are not what the engine reports: "+strings.Join(t.Config.Program.Differs, "; ")+"."))
	}
	return s, nil
}
