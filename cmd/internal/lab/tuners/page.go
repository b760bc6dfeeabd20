package tuners

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/params/problem"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Table returns the regrets of one budget x 1000 for people, the heading first.
func (r *Result) Table(games int) [][]string {
	methods := r.columnsAt(games)
	table := [][]string{append([]string{"problem", "start"}, methods...)}
	for _, name := range r.Names {
		line, start := []string{name}, ""
		for _, method := range methods {
			row := r.row(name, method, games)
			if row != nil {
				start = number(1000 * row.Start)
			}
			line = append(line, cell(row))
		}
		if start != "" {
			table = append(table, slices.Insert(line, 1, start))
		}
	}
	if len(r.Names) < 2 {
		return table
	}
	line := []string{"geometric mean", ""}
	for _, method := range methods {
		mean, low, high, ok := r.meanOf(method, games)
		switch {
		case !ok:
			line = append(line, "-")
		case method == clopName:
			line = append(line, number(1000*mean))
		default:
			line = append(line, fmt.Sprintf("%s, %s to %s", number(1000*mean), number(1000*low), number(1000*high)))
		}
	}
	return append(table, line)
}

// cell returns a row as a cell of its table: mean and interval; 95th percentile, repeats worse
// than the start.
func cell(row *Row) string {
	switch {
	case row == nil:
		return "-"
	case row.Repeats == 0:
		return number(1000 * row.Regret)
	}
	return fmt.Sprintf("%s ± %s; %s, %.0f %%", number(1000*row.Regret), number(1000*half(row)), number(1000*row.High),
		100*float64(row.Worse)/float64(row.Repeats))
}

// number returns x with three digits, however small.
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

// Title returns the title of a budget's table.
func (r *Result) Title(games int) string {
	return fmt.Sprintf("%s, %s", text.Plural(games, "game"), r.repeats(games))
}

// Legend describes the content of the tables.
func (r *Result) Legend() string {
	from := "from the problem's own start"
	if r.Config.RandomStarts {
		from = "from random starts, the same for all methods"
	}
	return "Mean simple regret x 1000 " + from +
		": the chance to win a game at the optimum less that at the recommendation; ± is 95 %. Then the 95th percentile, and the repeats " +
		"that end worse than their start. Start: of recommending where it began. A dash: not run."
}

// Page returns the comparison as a page; command makes it again. reading is a text of its own,
// with blank lines between paragraphs; "" for none.
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
	s := reports.Section{Title: "Each problem"}
	for _, name := range r.Names {
		if r.budgets(name) >= leastPoints {
			s.Blocks = append(s.Blocks, r.curve(name))
		}
	}
	if len(s.Blocks) > 0 {
		p.Sections = append(p.Sections, s)
	}
	if len(r.Methods) > 1 {
		p.Sections = append(p.Sections, r.standing())
	}
	p.Sections = append(p.Sections, r.notes(command))
	return p
}

// findings returns the result in sentences: the other methods' geometric means divided by the
// first method's, with 95 % intervals, over the problems that both have.
func (r *Result) findings() (list []string) {
	for _, games := range r.Games {
		var parts []string
		for _, method := range r.columns()[1:] {
			var own, first []Row
			for _, name := range r.Names {
				if o, f := r.row(name, method, games), r.row(name, r.Methods[0], games); o != nil && f != nil {
					own, first = append(own, *o), append(first, *f)
				}
			}
			x, xSE := logMean(own, method, games)
			y, ySE := logMean(first, r.Methods[0], games)
			d, e, name := x-y, z95*math.Hypot(xSE, ySE), quoted(method)
			if n := len(own); n < len(r.Names) {
				name = fmt.Sprintf("%s, over the %d of them on which it was run,", name, n)
			}
			if len(own) > 1 && !math.IsNaN(d) && !math.IsInf(d, 0) {
				parts = append(parts, fmt.Sprintf("%s %.2f (%.2f to %.2f)", name, math.Exp(d), math.Exp(d-e), math.Exp(d+e)))
			}
		}
		if len(parts) > 0 {
			list = append(list, fmt.Sprintf("After %s, %s of each, in the geometric mean over %s, times the regret of `%s` (95 %%): %s.",
				text.Plural(games, "game"), r.repeats(games), text.Plural(len(r.Names), "problem"), r.Methods[0],
				strings.Join(parts, ", ")))
		}
	}
	return list
}

// block returns the table of a budget for the page.
func (r *Result) block(games int) reports.Table {
	cells := r.Table(games)
	t := reports.Table{Rows: cells[1:]}
	for i, name := range cells[0] {
		if i > 1 {
			name = quoted(name)
		}
		t.Columns = append(t.Columns, reports.Column{Name: name, Right: i > 0})
	}
	if len(r.Names) > 1 {
		t.Strong = []int{len(t.Rows) - 1}
	}
	return t
}

// maxShown is the number of methods that one figure can show apart, besides CLOP.
const maxShown = 6

// shown returns the methods of the figures.
func (r *Result) shown() []string {
	list := r.columns()
	if n := len(r.Methods); n > maxShown {
		list = slices.Delete(slices.Clone(list), maxShown, n)
	}
	return list
}

// curves returns the points of the figures' methods that have any.
func (r *Result) curves(at func(method string, games int) (figure.Point, bool)) (list []figure.Series) {
	for _, method := range r.shown() {
		s := figure.Series{Name: method}
		for _, games := range r.Games {
			if p, ok := at(method, games); ok {
				s.Points = append(s.Points, p)
			}
		}
		if len(s.Points) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// leastPoints is the number of budgets from which a problem has a figure.
const leastPoints = 3

// budgets returns the number of budgets with a row of a problem, of any method.
func (r *Result) budgets(name string) (n int) {
	for _, games := range r.Games {
		if slices.ContainsFunc(r.Methods, func(method string) bool { return r.row(name, method, games) != nil }) {
			n++
		}
	}
	return n
}

// means returns the figure over all problems.
func (r *Result) means() reports.Block {
	fig := figure.Lines{
		Title: "Regret by games", Subtitle: fmt.Sprintf("geometric mean over %s, 95 %% intervals", text.Plural(len(r.Names), "problem")),
		XLabel: "games", YLabel: "mean simple regret x 1000", LogX: true, LogY: true,
	}
	fig.Series = r.curves(func(method string, games int) (figure.Point, bool) {
		mean, low, high, ok := r.meanOf(method, games)
		if method == clopName {
			return figure.Point{X: float64(games), Y: 1000 * mean}, ok
		}
		return figure.Point{X: float64(games), Y: 1000 * mean, Lo: 1000 * low, Hi: 1000 * high}, ok
	})
	return reports.Plot{Name: "mean", Caption: "Lower is better; a tenth is ten times nearer to the optimum in the chance to win.",
		Figure: fig}
}

// curve returns the figure of one problem.
func (r *Result) curve(name string) reports.Block {
	fig := figure.Lines{
		Title: name, Subtitle: "mean over the repeats, 95 % intervals",
		XLabel: "games", YLabel: "mean simple regret x 1000", LogX: true, LogY: true,
	}
	if first := r.row(name, r.Methods[0], r.Games[0]); first != nil && first.Start > 0 {
		fig.Levels = []figure.Level{{Y: 1000 * first.Start, Label: "start"}}
	}
	fig.Series = r.curves(func(method string, games int) (p figure.Point, ok bool) {
		row := r.row(name, method, games)
		if row == nil || row.Regret <= 0 {
			return p, false
		}
		return point(row), true
	})
	if len(fig.Series) == 0 {
		return reports.Text(fmt.Sprintf("%s: every method recommended the optimum in every repeat.", name))
	}
	return reports.Plot{Name: "problem-" + fileName(name), Figure: fig}
}

// half returns half the 95 % interval of a row, by Student's t over its repeats.
func half(b *Row) float64 { return b.SE * rating.Student(b.Repeats, .95) }

// point returns a row as a point of a figure, with its interval if the number of repeats is
// known.
func point(b *Row) figure.Point {
	if b.Repeats == 0 {
		return figure.Point{X: float64(b.Games), Y: 1000 * b.Regret}
	}
	return figure.Point{X: float64(b.Games), Y: 1000 * b.Regret, Lo: 1000 * (b.Regret - half(b)), Hi: 1000 * (b.Regret + half(b))}
}

// fileName returns the letters and digits of a name.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, name)
}

// othersSource names the sources of other projects' problems.
const othersSource = "QRS: landscapes on which QRS-Tune was measured (github.com/ChinChangYang/KataGo, cpp/command/analyzeqrs.cpp). NG: the " +
	"functions of Nevergrad's benchmark `noisy` with 2 and 20 parameters, turned and moved as Nevergrad does it, once for everybody; a " +
	"difference of values is the log-odds of a game, in units of that between start and optimum. FISHTEST-LAB: the simulator of " +
	"github.com/ppigazzini/fishtest-spsa-lab with its own ranges, steps, draws and openings."

// notes lists the sources of the numbers.
func (r *Result) notes(command string) reports.Section {
	clop := "The problems are those of"
	var list reports.List
	if slices.ContainsFunc(problem.Others(), func(p problem.Problem) bool { return slices.Contains(r.Names, p.Name) }) {
		clop, list = "Names without a prefix: problems of", reports.List{othersSource}
	}
	if _, ok := clopRegrets[r.Names[0]]; ok {
		list = slices.Insert(list, 0, clop+" CLOP (Coulom, Advances in Computer Games 13, 2011), and LOG12, the mean of "+
			"twelve LOGs. A game has no draw, and its chance is known: so is the optimum.")
	}
	list = append(list,
		"Games are counted as they are played: a pair is two. Every budget is a run of its own, from its start.",
		"\"Worst\" and how many repeats recommend something worse than their start stand in `"+RowsName+"`.")
	if slices.Contains(r.columns(), clopName) {
		list = append(list, "CLOP is its author's own program, measured from the same start: "+
			""+clopRepeats+"; it plays games against a fixed reference, the others play pairs. It is not part of this repository.")
	}
	blocks := []reports.Block{list}
	if command != "" {
		blocks = append(blocks, reports.Text("The same rows again, at any number of workers:"), reports.Code(command))
	}
	return reports.Section{Title: "How it was measured", Blocks: blocks}
}
