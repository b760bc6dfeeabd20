package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"selfplaylab/params/grid"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// function is a function of texts, which are templates: {{NAME "ARGUMENT"...}}.
type function struct {
	name string
	args string // as the manual shows them
	doc  string
	text func(r Results, args []string) (string, error)
}

// functions lists the functions of texts, in the order of the manual.
var functions = []function{
	{"score", `"ROW"`, "score of A with its interval and n: 59.6 % (58.1 to 61.1, 2,000 pairs)",
		about(Results.row, func(row Row) string { return scoreText(row.Pairs()) })},
	{"elo", `"ROW"`, "Elo of A: +67.7 ± 10.8 Elo (95 %, 2,000 pairs)",
		about(Results.row, func(row Row) string { return row.Pairs().Estimate(Level).String() })},
	{"first", `"ROW"`, "score of the side that plays first", about(Results.row, func(row Row) string { return scoreText(row.first()) })},
	{"split", `"ROW"`, "share of the pairs whose games went one each", about(Results.row, split)},
	{"plies", `"ROW"`, "plies a game", about(Results.row, pliesText)},
	{"games", `"ROW"`, "games", about(Results.row, func(row Row) string { return text.Count(int64(2 * row.Pairs().N())) })},
	{"same", `"ROW"`, "0 of 19,410 decisions differed", about(Results.row, func(row Row) string {
		return fmt.Sprintf("%s of %s decisions differed", text.Count(row.Differing), text.Count(row.Compared))
	})},
	{"cost", `"ROW"`, "A's nodes over B's", about(Results.row, costText)},
	{"rating", `"RUN" "PLAYER" "ANCHOR"`, "joint rating in a tournament, the anchor at 0",
		func(r Results, args []string) (string, error) { return r.rating(args[0], args[1], args[2]) }},
	{"best", `"RUN"`, "values of a grid over one parameter not shown to be worse than its best",
		func(r Results, args []string) (string, error) { return r.best(args[0]) }},
	{"nodes", `"SEARCH"`, "nodes a position; a SEARCH is RUN/PLAYER@BUDGET",
		about(Results.search, func(s Search) string { return text.Number(s.Mean(float64(s.Nodes)), 0) })},
	{"seconds", `"SEARCH"`, "seconds a position",
		about(Results.search, func(s Search) string { return text.Significant(s.Mean(s.Seconds)) })},
	{"speed", `"SEARCH"`, "million nodes a second",
		about(Results.search, func(s Search) string { return text.Significant(float64(s.Nodes) / s.Seconds / 1e6) })},
	{"agree", `"SEARCH"`, "positions with the score of the first player listed",
		about(Results.search, func(s Search) string { return fmt.Sprintf("%d of %d", s.SameScore, s.Positions) })},
	{"ratio", `"SEARCH" "SEARCH"`, "nodes of the first over those of the second",
		func(r Results, args []string) (string, error) { return r.ratio(args[0], args[1]) }},
	{"won", `"RUN/LOW-HIGH"`, "of players' games that showed such a score, those won",
		func(r Results, args []string) (string, error) { return r.won(args[0]) }},
	{"points", `"RUN/LOW-HIGH"`, "mean result of the games in which it was shown",
		about(Results.shown, func(s shownRun) string {
			return ranged(s.Points, s.Interval(), fmt.Sprintf("%s decisions in %s pairs", text.Count(s.Decisions), text.Count(s.Pairs)))
		})},
}

// results returns the arguments that name results. All begin with a run.
func (f function) results(args []string) (ids []string) {
	for i, name := range strings.Fields(f.args) {
		if name != `"PLAYER"` && name != `"ANCHOR"` {
			ids = append(ids, args[i])
		}
	}
	return ids
}

// about makes a function of a result's name from one of the result.
func about[T any](find func(r Results, id string) (T, error), write func(T) string) func(Results, []string) (string, error) {
	return func(r Results, args []string) (string, error) {
		result, err := find(r, args[0])
		if err != nil {
			return "", err
		}
		return write(result), nil
	}
}

// The texts in place of results that a quick run does not have, and of results of a run that
// was left out. missingNote ends a text with a missing result.
const (
	missing     = "–"
	missingNote = "not in the quick run"
	leftOut     = "(left out)"
)

// leftOut reports whether a result is of a run that was left out.
func (t Result) leftOut(id string) bool {
	return len(t.LeftOut) > 0 && !slices.ContainsFunc(t.Experiment.Runs, func(r Run) bool { return r.Name == runOf(id) })
}

// Fill executes a text as a template. name is the text's, for errors.
func (r Result) Fill(name, text string) (string, error) {
	filled, _, _, err := r.fill(name, text)
	return filled, err
}

// fill is Fill. present counts results of the text that the run has, absent results that a quick run
// lacks.
func (r Result) fill(name, text string) (filled string, present, absent int, err error) {
	filled, err = fill(name, text, func(f function, args []string) (string, error) {
		if slices.ContainsFunc(f.results(args), r.leftOut) {
			return leftOut, nil
		}
		value, err := f.text(r.Results, args)
		if _, lacks := errors.AsType[*absentError](err); lacks && r.Quick {
			absent++
			return missing, nil
		}
		present++
		return value, err
	})
	if absent > 0 {
		filled = fmt.Sprintf("%s (%s: %s)", filled, missing, missingNote)
	}
	return filled, present, absent, err
}

// checkCalls reports a text that is no template, a call of an unknown function, a call with wrong
// arguments, or a result of an unknown run.
func (e Experiment) checkCalls(name, text string) error {
	_, err := fill(name, text, func(f function, args []string) (string, error) {
		for _, id := range f.results(args) {
			if err := e.checkRow(id); err != nil {
				return "", err
			}
		}
		return "", nil
	})
	return err
}

// fill executes a text as a template whose functions are calls of call.
func fill(name, text string, call func(f function, args []string) (string, error)) (string, error) {
	var failed error // without the template's words around it
	calls := template.FuncMap{}
	for _, f := range functions {
		calls[f.name] = func(args ...string) (value string, err error) {
			if n := len(strings.Fields(f.args)); len(args) != n {
				err = fmt.Errorf("want {{%s %s}}", f.name, f.args)
			} else if value, err = call(f, args); err != nil {
				err = fmt.Errorf("{{%s %s}}: %w", f.name, quoted(args), err)
			}
			failed = err
			return value, err
		}
	}
	t, err := template.New(name).Funcs(calls).Parse(text)
	if err != nil {
		return "", fmt.Errorf("%s; selfplay help run lists the functions", strings.TrimPrefix(err.Error(), "template: "))
	}
	for _, n := range t.Root.Nodes {
		if !isCall(n) {
			return "", fmt.Errorf("%s: %s: want text and calls such as {{elo \"ROW\"}}", name, n)
		}
	}
	if len(t.Templates()) > 1 {
		return "", fmt.Errorf("%s: define: want text and calls such as {{elo \"ROW\"}}", name)
	}
	var b strings.Builder
	err = t.Execute(&b, nil)
	return b.String(), cmp.Or(failed, err)
}

func quoted(args []string) string { return strings.Join(text.Each(args, strconv.Quote), " ") }

// isCall reports whether a node of a template is text, or the call of a function of texts with
// texts. Templates have no other nodes: the check before playing must execute every call.
func isCall(n parse.Node) bool {
	action, ok := n.(*parse.ActionNode)
	if !ok || len(action.Pipe.Decl) > 0 || len(action.Pipe.Cmds) != 1 {
		return n.Type() == parse.NodeText
	}
	args := action.Pipe.Cmds[0].Args
	name, ok := args[0].(*parse.IdentifierNode)
	return ok && slices.ContainsFunc(functions, func(f function) bool { return f.name == name.Ident }) &&
		!slices.ContainsFunc(args[1:], func(a parse.Node) bool { return a.Type() != parse.NodeString })
}

func split(row Row) string {
	p := row.Pairs()
	return proportion(p[2], p.N(), text.Count(p.N())+" pairs")
}

// costText compares A's nodes with B's.
func costText(row Row) string {
	if row.NodesB == 0 {
		return "no nodes counted"
	}
	return text.Significant(float64(row.NodesA)/float64(row.NodesB)) + " times the nodes"
}

func (r Results) ratio(over, under string) (string, error) {
	a, err := r.search(over)
	b, other := r.search(under)
	if err := cmp.Or(err, other); err != nil {
		return "", err
	}
	if b.Nodes == 0 || a.Positions != b.Positions {
		return "", fmt.Errorf("%s and %s do not compare: %d nodes in %d positions, %d in %d", over, under, a.Nodes, a.Positions, b.Nodes,
			b.Positions)
	}
	return text.Significant(float64(a.Nodes) / float64(b.Nodes)), nil
}

// rating returns a player's joint rating in a tournament, the anchor at 0.
func (r Results) rating(run, player, anchor string) (string, error) {
	fit, names, err := r.fit(run, anchor)
	if err != nil {
		return "", err
	}
	if i := slices.Index(names, player); i >= 0 {
		return text.PlusMinus(fit.Players[i].Elo, fit.Players[i].Interval(Level).Half(), 1), nil
	}
	return "", absent("no player %q in %s; there are %s", player, run, strings.Join(names, ", "))
}

// fit rates the players of a run together.
func (r Results) fit(run, anchor string) (*rating.Ratings, []string, error) {
	var names []string
	for _, row := range ofRun(r.Rows, run) {
		for _, name := range []string{row.A, row.B} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) < 2 {
		return nil, nil, absent("run %q has no players to rate", run)
	}
	t := rating.NewTournament(names...)
	for _, row := range ofRun(r.Rows, run) {
		t.AddPairs(slices.Index(names, row.A), slices.Index(names, row.B), row.Cells)
	}
	fit, err := published.Fit(t, anchor)
	return fit, names, err
}

// best returns the values of a grid over one parameter that may be the best, see grid.Best. Parts
// that are no values, such as a verification, do not count.
func (r Results) best(run string) (string, error) {
	rows := ofRun(r.Rows, run)
	if len(rows) == 0 {
		return "", absent("no run %q with games", run)
	}
	if rows = slices.DeleteFunc(rows, func(row Row) bool { return !strings.Contains(row.Part, "=") }); len(rows) == 0 {
		return "", fmt.Errorf("%s is no grid over one number", run)
	}
	var candidates []grid.Candidate
	var name string
	for _, row := range rows {
		key, text, _ := strings.Cut(row.Part, "=")
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || name != "" && key != name {
			return "", fmt.Errorf("%s is no grid over one number", run)
		}
		name = key
		if row.Compared > 0 && row.Differing == 0 { // the start itself, or as good as
			candidates = append(candidates, grid.Candidate{X: x, Y: .5, Low: .5, High: .5})
			continue
		}
		e := row.Pairs().Estimate(grid.Alone(Level, len(rows)))
		candidates = append(candidates, grid.Candidate{X: x, Y: e.Score, Low: e.ScoreRange.Low, High: e.ScoreRange.High})
	}
	slices.SortFunc(candidates, func(a, b grid.Candidate) int { return cmp.Compare(a.X, b.X) })
	best := grid.Best(candidates)
	values := text.Significant(best[0].X)
	if len(best) > 1 {
		values += " to " + text.Significant(best[len(best)-1].X)
	}
	return fmt.Sprintf("%s = %s (95 %%, of %d values)", name, values, len(candidates)), nil
}

func (r Results) won(id string) (string, error) {
	s, err := r.shown(id)
	if err != nil {
		return "", err
	}
	if s.Sides == 0 {
		return "", absent("%s: never shown", id)
	}
	return proportion(s.Won, s.Sides, text.Count(s.Sides)+" games of a player"), nil
}
