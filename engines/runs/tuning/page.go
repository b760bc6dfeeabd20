package tuning

import (
	"fmt"
	"path/filepath"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

func (r *Result) Page() (reports.Page, error) {
	v, err := r.Verdict()
	p := reports.Page{
		Title: v.Title(), Verdict: &v, Warnings: r.cautions(),
		Facts: gamestats.Facts(r.Head.Meta, r.Head.Sessions,
			append(append([]reports.Fact{{Key: "games", Value: text.Count(r.played)}},
				runs.ProgramFacts(r.Config.players()...)...),
				r.Config.facts()...)...),
	}
	if err != nil {
		return p, err
	}
	shown, err := r.report()
	if err != nil {
		return p, err
	}
	p.Sections = append(p.Sections, r.parameters(shown))
	panels, err := r.panels()
	if err != nil {
		return p, err
	}
	p.Sections = append(append(p.Sections, pathsSection(panels)...), r.method())
	phases := []Phase{r.verifyPhase, r.worthPhase, r.transfer, r.againstPhase, r.selectPhase, r.contest, r.ratingPhase}
	for _, phase := range phases {
		sections, err := phase.Sections()
		if err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, sections...)
	}
	p.Sections = append(p.Sections, r.earlier()...)
	if r.Config.Program != nil && !r.candidateOnly() {
		program, err := r.programSection()
		if err != nil {
			return p, err
		}
		p.Sections = append(p.Sections, program)
	}
	p.Sections = append(p.Sections, shown.Sections...)
	if plot, ok := r.progressPlot(); ok {
		p.Sections = append(p.Sections, reports.Section{Title: "Progress", Blocks: []reports.Block{
			reports.Plot{Name: plot.Name, Figure: plot.Figure}, reports.Note(plot.Caption)}})
	}
	if len(r.screen.tested) > 0 {
		p.Sections = append(p.Sections, sensitivitySection(r.screen, r.recheck))
	}
	if r.Config.Elsewhere != nil {
		p.Sections = append(p.Sections, answersSection())
		return p, nil
	}
	p.Sections = append(p.Sections, r.gameSections()...)
	return p, nil
}

// earlier lists the results at stops before the stage of the latest trial.
func (r *Result) earlier() []reports.Section {
	table := reports.Table{Columns: reports.Columns(">tuning games", "tuned against start")}
	for i, g := range r.stages[:r.selectPhase.stageIndex] {
		if g.judged() {
			table.Rows = append(table.Rows, []string{text.Count(r.Config.Stops[i]), g.Conclusion()})
		}
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return []reports.Section{{Title: "At earlier stops", Blocks: []reports.Block{
		reports.Note("The values tuned by an earlier stop were verified there in the same way, on openings of their own."), table}}}
}

// gameSections are about the games themselves.
func (r *Result) gameSections() []reports.Section {
	if r.Games.N == 0 {
		return nil
	}
	games := r.Games.Section(r.Config.Level)
	if r.tally().N() == 0 {
		return append([]reports.Section{games}, r.lost.Section(r.Head)...)
	}
	openings := r.openings.Section(r.Config.Level, "tuned", "start")
	openings.Title += ", in the verification"
	return runs.GameSections(r.Head, openings, &r.openings, "the tuned player", games, &r.lost)
}

// method describes the question to the tuner, and the outcome in one sentence.
func (r *Result) method() reports.Section {
	line := r.Config.method.Question(r.current().session())
	if n := r.Config.tunings(); n > 1 {
		line += fmt.Sprintf(" %d independent tunings; a match on %s selects the best.", n, r.Config.newOpenings())
	}
	blocks := []reports.Block{reports.Text("Asked: " + line)}
	if r.Finished() {
		blocks = append(blocks, reports.Text("Outcome: "+r.Conclusion()+"."))
	}
	return reports.Section{Title: "Method", Blocks: blocks}
}

// cautions returns the warnings of the page, with advice on the result.
func (r *Result) cautions() []string {
	var list []string
	if !r.Finished() {
		list = append(list, r.Head.NotFinished("run", r.soFar()))
	} else if advice := r.remarks(); advice != "" {
		list = append(list, advice)
	}
	return append(list, text.Each(r.warnings(), error.Error)...)
}

// parameters returns the table of results.
func (r *Result) parameters(shown methodReport) reports.Section {
	optima := shown.Optima
	table := reports.Table{Columns: reports.Columns("parameter", ">start", ">tuned")}
	line := "The tuned values are in `" + r.recommendedName() + "`, which `selfplay match` and `tune --start` read."
	if r.Config.Program != nil {
		line = "The tuned values are in `" + r.recommendedName() + "`, which `tune --start` reads."
	}
	if r.Config.Elsewhere != nil && r.candidateOnly() {
		line = fmt.Sprintf("The tuned values are in `%s`; `%s` holds the start's.", candidateName, r.Config.spaceFile())
	} else if r.Config.Elsewhere != nil {
		line = fmt.Sprintf("The tuned values are in `%s`, in the form that the parameters were given in, and in `%s`.",
			r.Config.spaceFile(), tunedName)
		if next := r.goOn(); next != "" {
			line += fmt.Sprintf(" To go on from them: `%s`.", next)
		}
	}
	if !r.Finished() {
		line = "These values are in no file before the run is finished."
	} else if r.candidateOnly() {
		line += " No gain was shown: `" + tunedName + "` holds the start's values."
	}
	if optima != nil {
		best := fmt.Sprintf("best by its games (%s)", text.Level(r.Config.Level))
		table.Columns = append(table.Columns, reports.Column{Name: best})
	}
	worths := r.Worths()
	if worths != nil {
		name := fmt.Sprintf("worth of the change (%s all together)", text.Level(r.Config.Level))
		table.Columns = append(table.Columns, reports.Column{Name: name})
	}
	table.Columns = append(table.Columns, reports.Column{Name: "meaning"})
	best, start := r.Recommend(), r.Config.Start.Values
	for _, i := range r.Config.task.Indices() {
		p := r.Config.task.Space()[i]
		row := []string{"`" + p.Name + "`", p.Format(start[i]), p.Format(best[i])}
		if optima != nil {
			place := "-"
			if o := r.optimumOf(optima, i); o != nil {
				place = o.Text(&p)
			}
			row = append(row, place)
		}
		if w := worthOf(worths, p.Name); w != nil {
			row = append(row, w.String())
		} else if worths != nil {
			row = append(row, "-")
		}
		table.Rows = append(table.Rows, append(row, p.Doc))
	}
	note := "Parameters not listed were left as they are."
	if optima != nil {
		note += " " + shown.Found
	}
	return reports.Section{Title: "Parameters", Blocks: []reports.Block{table, reports.Text(line), reports.Note(note)}, Open: true}
}

// answersSection describes the source of games that were played elsewhere.
func answersSection() reports.Section {
	return reports.Section{Title: "The answers", Blocks: []reports.Block{reports.Text(fmt.Sprintf("The games were played "+
		"elsewhere: questions "+
		"and answers are in `%s`. Answers without pairs were dealt to pairs by chance, as if games were independent.", answersName))}}
}

// goOn returns the command that continues from the tuned values of a run with a file of parameters;
// "" if the start was kept, because it would make the same run.
func (r *Result) goOn() string {
	if r.candidateOnly() || r.same() {
		return ""
	}
	_, form := r.Config.spaceSource()
	words := []string{"ask-tell"}
	if c := r.Config; c.Program != nil {
		words = []string{"--engine", strings.Join(append([]string{c.Start.Engine.File}, c.Start.Engine.Set...), ",")}
	}
	words = append(words, "--space", form+":"+filepath.Join(r.Head.Dir, r.Config.spaceFile()))
	return runs.CommandText(append([]string{"tune"}, words...)...)
}

// programSection describes how to use the tuned values in an external engine.
func (r *Result) programSection() (s reports.Section, err error) {
	typed, err := r.typed(r.tunedValues())
	if err != nil || len(typed) == 0 {
		return s, err
	}
	s = reports.Section{Title: "The engine", Blocks: []reports.Block{
		reports.Text(fmt.Sprintf("`%s` was tuned against itself, by %s of its own; every process received its values before its game. "+
			"To use the tuned values:",
			r.Config.Start.Name, text.Plural(len(r.Config.Active), "parameter"))),
	}}
	s.Blocks = append(s.Blocks, reports.List(text.Each(typed, func(line string) string { return "`" + line + "`" })))
	if len(r.Config.Program.Differs) > 0 {
		s.Blocks = append(s.Blocks,
			reports.Text("Defaults of the engine file that are not what the engine reports: "+strings.Join(r.Config.Program.Differs, "; ")+"."))
	}
	return s, nil
}
