package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"
	tree "text/template/parse"

	"selfplaylab/params/grid"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Fill writes a text with results in it. The text is a template of the standard
// library; its functions take the name of a result:
//
//	{{score "final"}}         59.6 % (58.1 to 61.1, 2,000 pairs)
//	{{elo "final"}}           +67.7 ± 10.8 Elo (95 %, 2,000 pairs)
//	{{first "final"}}         the score of the side that plays first, as score
//	{{split "final"}}         share of the pairs whose games went one each
//	{{same "w/w=2"}}          0 of 19,410 decisions differed
//	{{plies "final"}}         plies a game
//	{{games "final"}}         games
//	{{cost "final"}}          A's nodes over B's
//	{{rating "presets" "v12.7" "final"}}             joint rating of v12.7 in a tournament, final at 0
//	{{best "sweep"}}          the values of a grid over one parameter that are not shown to be worse than its best
//	{{nodes "run/player@depth=3"}}, {{seconds ...}}  of a search, a position; {{speed ...}} million nodes a second
//	{{agree "run/player@depth=3"}}                   positions with the score of the first player listed
//	{{ratio "run/a@depth=3" "run/b@depth=3"}}        nodes of the first over those of the second
//	{{won "run/0.65-0.7"}}    of players' games that showed such a score, those won
//	{{points "run/0.65-0.7"}} mean result of the games in which it was shown
//
// Loops and other means of templates work, too, within bounds: see mostSteps and
// mostText. It ends with the cause of ctx when ctx ends.
func (t Result) Fill(ctx context.Context, text string) (string, error) {
	parsed, err := parse(text)
	if err != nil {
		return "", err
	}
	w := &work{ctx: ctx}
	functions := t.functions(w)
	if err := parsed.Funcs(functions).Execute(w, nil); err != nil {
		return "", cmp.Or(w.err, err)
	}
	return w.text.String(), nil
}

// functions are those of templates.
func (t Result) functions(w *work) template.FuncMap {
	r := t.Results
	return template.FuncMap{
		"score":   t.one(told(r.Find, func(row Row) string { return scoreText(row.Pairs()) })),
		"elo":     t.one(told(r.Find, func(row Row) string { return row.Pairs().Estimate(Level).String() })),
		"first":   t.one(told(r.Find, func(row Row) string { return scoreText(row.First()) })),
		"split":   t.one(told(r.Find, split)),
		"same":    t.one(told(r.Find, sameText)),
		"plies":   t.one(told(r.Find, pliesText)),
		"games":   t.one(told(r.Find, func(row Row) string { return text.Count(int64(2 * row.Pairs().N())) })),
		"cost":    t.one(told(r.Find, costText)),
		"rating":  func(run, player, anchor string) (string, error) { return t.or(r.rating(run, player, anchor)) },
		"best":    t.one(r.best),
		"nodes":   t.one(told(r.search, func(s Search) string { return text.Number(s.Mean(float64(s.Nodes)), 0) })),
		"seconds": t.one(told(r.search, func(s Search) string { return text.Significant(s.Mean(s.Seconds)) })),
		"speed":   t.one(told(r.search, func(s Search) string { return text.Significant(float64(s.Nodes) / s.Seconds / 1e6) })),
		"agree":   t.one(told(r.search, func(s Search) string { return fmt.Sprintf("%d of %d", s.SameScore, s.Positions) })),
		"ratio":   func(over, under string) (string, error) { return t.or(r.ratio(over, under)) },
		"won":     t.one(r.won),
		"points":  t.one(r.points),
		stepName:  w.step,
		// Those of the library that make texts of texts, which loops could let grow.
		"print":    w.made(fmt.Sprint),
		"println":  w.made(fmt.Sprintln),
		"html":     w.made(template.HTMLEscaper),
		"js":       w.made(template.JSEscaper),
		"urlquery": w.made(template.URLQueryEscaper),
		"printf":   func(...any) (string, error) { return "", errors.New("printf is not to be had here; use print") },
	}
}

// Bounds of a template, far beyond any text for people.
const (
	maxSteps = 100_000 // rounds of loops and calls of templates
	maxText  = 1 << 20 // bytes, of the text and of what functions make texts of
)

// stepName is the function that every loop and template begins with.
const stepName = "step_of_template"

// parse reads a template and has it count its steps: a loop of nothing calls no
// function and writes nothing, so that it could not be stopped otherwise.
func parse(text string) (*template.Template, error) {
	functions := Result{}.functions(&work{})
	parsed, err := template.New("text").Funcs(functions).Parse(text)
	if err != nil {
		return nil, err
	}
	step := template.Must(template.New("step").Funcs(functions).Parse("{{" + stepName + "}}")).Tree.Root.Nodes[0]
	for _, t := range parsed.Templates() {
		if t.Tree != nil && t.Tree.Root != nil {
			counted(t.Tree.Root, step)
			t.Tree.Root.Nodes = slices.Insert(t.Tree.Root.Nodes, 0, step)
		}
	}
	return parsed, nil
}

// counted puts the step into the loops of a list.
func counted(list *tree.ListNode, step tree.Node) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *tree.RangeNode:
			counted(n.List, step)
			counted(n.ElseList, step)
			n.List.Nodes = slices.Insert(n.List.Nodes, 0, step)
		case *tree.IfNode:
			counted(n.List, step)
			counted(n.ElseList, step)
		case *tree.WithNode:
			counted(n.List, step)
			counted(n.ElseList, step)
		}
	}
}

// work is a template being filled: its text, within bounds and until ctx ends.
type work struct {
	ctx   context.Context
	text  strings.Builder
	steps int
	bytes int   // of texts made of texts
	err   error // that ended it
}

// step counts a round of a loop or the call of a template.
func (w *work) step() (string, error) {
	if w.steps++; w.steps > maxSteps {
		w.err = fmt.Errorf("more than %d rounds of loops", maxSteps)
	}
	return "", w.check()
}

// made is a function of texts, all results of which together are bounded.
func (w *work) made(f func(...any) string) func(...any) (string, error) {
	return func(args ...any) (string, error) {
		text := f(args...)
		if w.bytes += len(text); w.bytes > maxText {
			w.err = errTooLong
		}
		return text, w.check()
	}
}

var errTooLong = fmt.Errorf("more than %d bytes of text", maxText)

// Write implements io.Writer.
func (w *work) Write(b []byte) (int, error) {
	if w.text.Len()+len(b) > maxText {
		w.err = errTooLong
	}
	if err := w.check(); err != nil {
		return 0, err
	}
	return w.text.Write(b)
}

func (w *work) check() error {
	if w.err == nil && w.ctx.Err() != nil {
		w.err = context.Cause(w.ctx)
	}
	return w.err
}

// missing stands in texts for results that a quick run does not have.
const missing = "(not in the quick run)"

// one is a function of one name that Result.or applies to.
func (t Result) one(tell func(string) (string, error)) func(string) (string, error) {
	return func(id string) (string, error) { return t.or(tell(id)) }
}

// or returns the text, or for results of a quick run what stands for a missing
// one.
func (t Result) or(text string, err error) (string, error) {
	if _, absent := errors.AsType[*absentError](err); absent && t.Quick {
		return missing, nil
	}
	return text, err
}

// told finds a result by its name and tells of it.
func told[T any](find func(id string) (T, error), tell func(T) string) func(id string) (string, error) {
	return func(id string) (string, error) {
		result, err := find(id)
		if err != nil {
			return "", err
		}
		return tell(result), nil
	}
}

func split(row Row) string {
	p := row.Pairs()
	part := rating.Proportion{K: p[2], N: p.N()}
	in := part.Wilson(Level)
	return ranged(part.Value(), in, text.Count(p.N())+" pairs")
}

func sameText(row Row) string {
	return fmt.Sprintf("%s of %s decisions differed", text.Count(row.Differing), text.Count(row.Compared))
}

func pliesText(row Row) string {
	return text.Number(float64(row.Plies)/float64(max(1, 2*row.Pairs().N())), 1)
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
	if err != nil {
		return "", err
	}
	b, err := r.search(under)
	if err != nil {
		return "", err
	}
	if b.Nodes == 0 || a.Positions != b.Positions {
		return "", fmt.Errorf("%s and %s do not compare: %d nodes in %d positions, %d in %d", over, under, a.Nodes, a.Positions, b.Nodes,
			b.Positions)
	}
	return text.Significant(float64(a.Nodes) / float64(b.Nodes)), nil
}

// rating is a player's joint rating in a tournament, the anchor at 0.
func (r Results) rating(run, player, anchor string) (string, error) {
	fit, names, err := r.fit(run, anchor)
	if err != nil {
		return "", err
	}
	for i, name := range names {
		if name == player {
			return fmt.Sprintf("%+.1f ± %.1f", fit.Players[i].Elo, fit.Players[i].Interval(Level).Half()), nil
		}
	}
	return "", absent("no player %q in %s; there are %s", player, run, strings.Join(names, ", "))
}

// fit rates the players of a run together.
func (r Results) fit(run, anchor string) (*rating.Ratings, []string, error) {
	var names []string
	index := map[string]int{}
	for _, row := range r.Of(run) {
		for _, name := range []string{row.A, row.B} {
			if _, seen := index[name]; !seen {
				index[name] = len(names)
				names = append(names, name)
			}
		}
	}
	if len(names) < 2 {
		return nil, nil, absent("run %q has no players to rate", run)
	}
	t := rating.NewTournament(names...)
	for _, row := range r.Of(run) {
		published.Add(t, index[row.A], index[row.B], row.Cells)
	}
	fit, err := published.Fit(t, anchor)
	return fit, names, err
}

// best are the values of a grid over one parameter that may be the best, see
// grid.Recommend.
func (r Results) best(run string) (string, error) {
	var samples []grid.Sample
	var name string
	rows := r.Of(run)
	if len(rows) == 0 {
		return "", absent("no run %q with games", run)
	}
	for _, row := range rows {
		if row.Part == verifyPart {
			continue
		}
		key, text, ok := strings.Cut(row.Part, "=")
		x, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil || name != "" && key != name {
			return "", fmt.Errorf("%s is no grid over one number", run)
		}
		name = key
		if row.Compared > 0 && row.Differing == 0 { // the start itself, or as good as
			samples = append(samples, grid.Sample{X: x})
			continue
		}
		e := row.Pairs().Estimate(Level)
		samples = append(samples, grid.Sample{X: x, Y: e.Elo, SE: e.EloRange.Half() / 2})
	}
	slices.SortFunc(samples, func(a, b grid.Sample) int { return cmp.Compare(a.X, b.X) })
	best := grid.Best(samples, Level)
	if len(best) == 0 {
		return "", absent("%s: no points", run)
	}
	low, high := text.Significant(best[0].X), text.Significant(best[len(best)-1].X)
	if len(best) == 1 {
		return fmt.Sprintf("%s = %s (95 %%, of %d values)", name, low, len(samples)), nil
	}
	return fmt.Sprintf("%s = %s to %s (95 %%, of %d values)", name, low, high, len(samples)), nil
}

func (r Results) won(id string) (string, error) {
	s, err := r.shown(id)
	if err != nil {
		return "", err
	}
	if s.Sides == 0 {
		return "", absent("%s: never shown", id)
	}
	p := rating.Proportion{K: s.Won, N: s.Sides}
	in := p.Wilson(Level)
	return ranged(p.Value(), in, text.Count(s.Sides)+" games of a player"), nil
}

func (r Results) points(id string) (string, error) {
	s, err := r.shown(id)
	if err != nil {
		return "", err
	}
	in := s.Interval()
	return ranged(s.Points, in, fmt.Sprintf("%s decisions in %s pairs", text.Count(s.Decisions), text.Count(s.Pairs))), nil
}
