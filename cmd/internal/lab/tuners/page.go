package tuners

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Table is the regrets of one budget x 1000, for people: the heading first.
func (r *Result) Table(games int) [][]string {
	head := []string{"problem", "start"}
	withCLOP := slices.ContainsFunc(r.Names, func(name string) bool { _, ok := r.clop(name, games); return ok })
	if withCLOP {
		head = append(head, "CLOP")
	}
	table := [][]string{append(head, r.Methods...)}
	for _, name := range r.Names {
		line := []string{name, number(1000 * r.row(name, r.Methods[0], games).Start)}
		if withCLOP {
			line = append(line, dash(r.clop(name, games)))
		}
		for _, method := range r.Methods {
			row := r.row(name, method, games)
			line = append(line, fmt.Sprintf("%s ± %s", number(1000*row.Regret), number(1000*half(row))))
		}
		table = append(table, line)
	}
	if len(r.Names) < 2 {
		return table
	}
	line := []string{"geometric mean", ""}
	if withCLOP {
		line = append(line, dash(r.clopMean(games)))
	}
	for _, m := range r.meanOf() {
		switch {
		case m.Games != games:
		case math.IsNaN(m.Regret):
			line = append(line, "-")
		default:
			line = append(line, fmt.Sprintf("%s, %s to %s", number(1000*m.Regret), number(1000*m.Low), number(1000*m.High)))
		}
	}
	return append(table, line)
}

func dash(x float64, ok bool) string {
	if !ok {
		return "-"
	}
	return number(1000 * x)
}

// number writes three digits, however small.
func number(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x >= 99.95:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.995:
		return fmt.Sprintf("%.1f", x)
	case x >= .9995:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// Title says what a budget's table is about.
func (r *Result) Title(games int) string {
	return fmt.Sprintf("%s, %s", text.Plural(games, "game"), text.Plural(r.repeats(games), "repeat"))
}

// Legend says what the tables hold.
func (r *Result) Legend() string {
	from := "from the problem's own start"
	if r.Config.RandomStarts {
		from = "from random starts, the same for all methods"
	}
	return "Mean simple regret x 1000 " + from +
		": the chance to win a game at the optimum less that at the recommendation; ± is 95 %. Start: of recommending where it began."
}

// Page is the comparison for people; command makes it again. Reading are words of
// its own, blank lines between paragraphs; "" for none.
func (r *Result) Page(command, reading string) reports.Page {
	p := reports.Page{
		Title: "Ways to tune, on noisy problems whose optimum is known",
		Subtitle: fmt.Sprintf("%s, %s, %s", text.Plural(len(r.Names), "problem"), text.Plural(len(r.Methods), "method"),
			text.Plural(len(r.Games), "budget")),
		Lead: append([]string{r.Legend()}, r.findings()...),
		Facts: []reports.Fact{{Key: "command", Value: command}, {Key: "rows", Value: RowsName},
			{Key: "seed", Value: fmt.Sprint(r.Config.Seed)}},
	}
	if reading != "" {
		s := reports.Section{Title: "Reading"}
		for _, p := range reports.Paragraphs(reading) {
			s.Blocks = append(s.Blocks, reports.Text(p))
		}
		p.Sections = append(p.Sections, s)
	}
	if len(r.Games) > 1 && len(r.Names) > 1 && len(r.shown()) > 0 {
		p.Sections = append(p.Sections, reports.Section{Title: "Over all problems", Blocks: []reports.Block{r.means()}})
	}
	for _, games := range r.Games {
		p.Sections = append(p.Sections, reports.Section{Title: r.Title(games), Blocks: []reports.Block{r.block(games)}})
	}
	if len(r.Games) > 1 {
		s := reports.Section{Title: "Each problem"}
		for _, name := range r.Names {
			s.Blocks = append(s.Blocks, r.curve(name))
		}
		p.Sections = append(p.Sections, s)
	}
	if len(r.Methods) > 1 {
		p.Sections = append(p.Sections, r.standing())
	}
	p.Sections = append(p.Sections, r.notes(command))
	return p
}

// findings are the result in sentences: the other methods' geometric means in
// those of the first, with 95 % intervals.
func (r *Result) findings() (list []string) {
	for _, games := range r.Games {
		first, firstSE := logMean(r.Rows, r.Methods[0], games)
		var parts []string
		add := func(name string, first, firstSE, log, se float64) {
			d, e := log-first, z95*math.Hypot(se, firstSE)
			if !math.IsNaN(d) && !math.IsInf(d, 0) {
				parts = append(parts, fmt.Sprintf("%s %.2f (%.2f to %.2f)", name, math.Exp(d), math.Exp(d-e), math.Exp(d+e)))
			}
		}
		for _, method := range r.Methods[1:] {
			log, se := logMean(r.Rows, method, games)
			add("`"+method+"`", first, firstSE, log, se)
		}
		if rows, log := r.clopRows(games); len(rows) > 1 {
			n := len(rows)
			first, firstSE := logMean(rows, r.Methods[0], games)
			name := "CLOP"
			if n < len(r.Names) {
				name = fmt.Sprintf("CLOP, over the %d of them on which it was run,", n)
			}
			add(name, first, firstSE, log, clopError/math.Sqrt(float64(n)))
		}
		if len(parts) > 0 && len(r.Names) > 1 {
			list = append(list, fmt.Sprintf("After %s, %s of each, in the geometric mean over %s, times the regret of `%s` (95 %%): %s.",
				text.Plural(games, "game"), text.Plural(r.repeats(games), "repeat"), text.Plural(len(r.Names), "problem"), r.Methods[0],
				strings.Join(parts, ", ")))
		}
	}
	return list
}

func (r *Result) block(games int) reports.Table {
	cells := r.Table(games)
	t := reports.Table{Rows: cells[1:]}
	for i, name := range cells[0] {
		if i > 1 && name != "CLOP" {
			name = "`" + name + "`"
		}
		t.Columns = append(t.Columns, reports.Column{Name: name, Right: i > 0})
	}
	if len(r.Names) > 1 {
		t.Strong = []int{len(t.Rows) - 1}
	}
	return t
}

// mostShown is how many methods one figure can tell apart, besides CLOP.
const maxShown = 6

// shown are the methods of the figures.
func (r *Result) shown() []string { return r.Methods[:min(len(r.Methods), maxShown)] }

// means is the figure over all problems.
func (r *Result) means() reports.Block {
	fig := figure.Lines{
		Title: "Regret by games", Subtitle: fmt.Sprintf("geometric mean over %s, 95 %% intervals", text.Plural(len(r.Names), "problem")),
		XLabel: "games", YLabel: "mean simple regret x 1000", LogX: true, LogY: true,
	}
	all := r.meanOf()
	for _, method := range r.shown() {
		s := figure.Series{Name: method}
		for _, m := range all {
			if m.Method == method {
				s.Points = append(s.Points, figure.Point{X: float64(m.Games), Y: 1000 * m.Regret, Lo: 1000 * m.Low, Hi: 1000 * m.High})
			}
		}
		fig.Series = append(fig.Series, s)
	}
	fig.Series = r.withCLOP(fig.Series, func(games int) (float64, bool) { return r.clopMean(games) })
	return reports.Plot{Name: "mean", Caption: "Lower is better; a tenth is ten times nearer to the optimum in the chance to win.",
		Figure: fig}
}

// withCLOP adds CLOP's points, where there are any.
func (r *Result) withCLOP(series []figure.Series, at func(games int) (float64, bool)) []figure.Series {
	s := figure.Series{Name: "CLOP"}
	for _, games := range r.Games {
		if x, ok := at(games); ok {
			s.Points = append(s.Points, figure.Point{X: float64(games), Y: 1000 * x})
		}
	}
	if len(s.Points) == 0 {
		return series
	}
	return append(series, s)
}

// curve is the figure of one problem.
func (r *Result) curve(name string) reports.Block {
	start := r.row(name, r.Methods[0], r.Games[0]).Start
	fig := figure.Lines{
		Title: name, Subtitle: "mean over the repeats, 95 % intervals",
		XLabel: "games", YLabel: "mean simple regret x 1000", LogX: true, LogY: true,
	}
	if start > 0 {
		fig.Levels = []figure.Level{{Y: 1000 * start, Label: "start"}}
	}
	for _, method := range r.shown() {
		s := figure.Series{Name: method}
		for _, games := range r.Games {
			if b := r.row(name, method, games); b.Regret > 0 {
				s.Points = append(s.Points, point(b))
			}
		}
		fig.Series = append(fig.Series, s)
	}
	fig.Series = r.withCLOP(fig.Series, func(games int) (float64, bool) { return r.clop(name, games) })
	if !slices.ContainsFunc(fig.Series, func(s figure.Series) bool { return len(s.Points) > 0 }) {
		return reports.Text(fmt.Sprintf("%s: every method recommended the optimum in every repeat.", name))
	}
	return reports.Plot{Name: "problem-" + fileName(name), Figure: fig}
}

// half is half the 95 % interval of a row, by Student's t over its repeats.
func half(b *Row) float64 {
	return b.SE * distuv.StudentsT{Sigma: 1, Nu: float64(max(1, b.Repeats-1))}.Quantile(.975)
}

func point(b *Row) figure.Point {
	return figure.Point{X: float64(b.Games), Y: 1000 * b.Regret, Lo: 1000 * (b.Regret - half(b)), Hi: 1000 * (b.Regret + half(b))}
}

// fileName keeps the letters and digits of a name.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, name)
}

// notes say where the numbers come from.
func (r *Result) notes(command string) reports.Section {
	list := reports.List{
		"The problems are those of CLOP (Coulom, Advances in Computer Games 13, 2011), and LOG12, the mean of twelve LOGs. A game has no " +
			"draw, and its chance is known: so is the optimum.",
		"Games are counted as they are played: a pair is two. Every budget is a run of its own, from its start.",
		"\"Worst\" and how many repeats recommend something worse than their start stand in `" + RowsName + "`.",
	}
	if _, ok := r.clop(r.Names[0], r.Games[0]); ok ||
		slices.ContainsFunc(r.Names, func(n string) bool { _, ok := r.clop(n, 1000); return ok }) {
		list = append(list, "CLOP is its author's own program, measured from the same start: "+
			""+clopRepeats+"; it plays games against a fixed reference, the others play pairs. It is not part of this repository. A dash: it "+
			"was not run.")
	}
	blocks := []reports.Block{list}
	if command != "" {
		blocks = append(blocks, reports.Text("The same rows again, at any number of workers:"), reports.Code(command))
	}
	return reports.Section{Title: "How it was measured", Blocks: blocks}
}
