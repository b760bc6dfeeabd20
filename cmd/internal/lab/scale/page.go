package scale

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// good is what the lead calls well used.
const good = 0.9

// Page is the curve as a page; command makes it again.
func (r *Result) Page(command string) reports.Page {
	cells := r.Table()
	t := reports.Table{Rows: cells[1:]}
	for i, name := range cells[0] {
		t.Columns = append(t.Columns, reports.Column{Name: name, Right: i != 1, Key: i == 2})
	}
	sections := []reports.Section{{Title: "By number of workers", Blocks: []reports.Block{t}}}
	if len(r.Config.Workers) > 1 {
		sections[0].Blocks = []reports.Block{r.curve(), t}
	}
	return reports.Page{
		Title: r.title(),
		Subtitle: fmt.Sprintf("simulated: the scheduler of real runs on machines that are made up; %s of each",
			text.Plural(r.Config.Repeats, "simulation")),
		Lead:     []string{r.finding(tournament), r.finding(tuning), r.limit()},
		Sections: append(sections, r.notes(command)),
		Facts: []reports.Fact{{Key: "command", Value: command}, {Key: "rows", Value: RowsName},
			{Key: "seeds", Value: fmt.Sprintf("1 to %d", r.Config.Repeats)}},
	}
}

// title tells of the thousand, or of the most there are.
func (r *Result) title() string {
	n := r.Config.Workers[len(r.Config.Workers)-1]
	if slices.Contains(r.Config.Workers, 1000) {
		n = 1000
	}
	return fmt.Sprintf("Of %s a tournament uses %s, a tuning %s", text.Plural(n, "worker"), r.find(tournament, n).use(),
		r.find(tuning, n).use())
}

// finding is how many workers one kind of run uses well, and what more of them do.
func (r *Result) finding(what string) string {
	var well []int
	var more []string
	for _, n := range r.Config.Workers {
		if row := r.find(what, n); row.InUse >= good {
			well = append(well, n)
		} else {
			more = append(more, fmt.Sprintf("%s, %s", text.Plural(n, "worker"), row.use()))
		}
	}
	line := strings.ToUpper(what[:1]) + r.Name(what)[1:]
	if len(well) > 0 {
		line += fmt.Sprintf(": at least 90 %% in use up to %s", text.Plural(slices.Max(well), "worker"))
	}
	if len(more) > 0 {
		line += "; of " + strings.Join(more, "; of ")
	}
	return line + "."
}

// limit says what the largest number runs into.
func (r *Result) limit() string {
	n := slices.Max(r.Config.Workers)
	row := r.find(tuning, n)
	line := fmt.Sprintf("With %s the coordinator takes %.0f answers a second in a tuning and is busy %.0f %% of the time",
		text.Plural(n, "worker"), row.Answers, 100*row.Busy)
	if row.InUse < good {
		line += "; pieces of work are made longer so that it keeps up, and then too few of them are in flight: a tuning of more pairs in " +
			"flight, or several seeds at once, uses more"
	}
	return line + "."
}

// curve is the figure.
func (r *Result) curve() reports.Block {
	fig := figure.Lines{
		Title:    "How much of the machines is used",
		Subtitle: fmt.Sprintf("mean of %s, 95 %% intervals", text.Plural(r.Config.Repeats, "simulation")),
		XLabel:   "workers of one core", YLabel: "in use, %", LogX: true,
		Levels: []figure.Level{{Y: 100 * good, Label: "90 %"}},
	}
	for _, what := range []string{tournament, tuning} {
		s := figure.Series{Name: what}
		for _, n := range r.Config.Workers {
			row := r.find(what, n)
			p := figure.Point{X: float64(n), Y: 100 * row.InUse}
			if row.Half > 0 {
				p.Lo, p.Hi = p.Y-100*row.Half, p.Y+100*row.Half
			}
			s.Points = append(s.Points, p)
		}
		fig.Series = append(fig.Series, s)
	}
	return reports.Plot{Name: "use",
		Caption: "All that machines could have played while they were up is 100 %; what was played twice is not counted.", Figure: fig}
}

// notes say what was made up.
func (r *Result) notes(command string) reports.Section {
	m := r.Config.Machines
	list := reports.List{
		fmt.Sprintf("A pair of games takes %s on average on a machine of speed 1, with a spread (standard deviation over mean) of %v. Speeds "+
			"are from %.2g to %.2g.", span(m.Pair), m.Spread, 1-m.Uneven, 1+m.Uneven),
		fmt.Sprintf("A message takes %s; an answer costs the coordinator %s, and %s for each pair in it, as measured for Quoridor on one "+
			"core, with the broker in the same process.", span(m.Latency), span(m.Answer), span(m.Row)),
		fmt.Sprintf("The tournament would take %d s if nobody ever waited. The tuning has 300 iterations, of which 11 are under way: steps "+
			"may run a thirtieth of the iterations behind their results.", tournamentSeconds),
		"A machine is in use while it plays pairs that count. The tail, in which the last pairs are awaited, is part of it: longer runs use " +
			"more.",
	}
	if m.Crash > 0 {
		list = append(list, fmt.Sprintf("A machine crashes every %s on average and is back after %s; nothing of what it played is known then.",
			span(m.Crash), span(m.Back)))
	}
	return reports.Section{Title: "How it was measured",
		Blocks: []reports.Block{list, reports.Text("The same rows again:"), reports.Code(command)}}
}

// span is a time for people.
func span(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(time.Microsecond).String()
}
