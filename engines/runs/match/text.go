package match

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// help is the command's long help, with examples.
//
//go:embed help.txt
var help string

// clockWarnings warn where one side plays by the clock and the other does not.
func clockWarnings(s *Config) []string {
	if s.A.Limits.Repeatable() == s.B.Limits.Repeatable() {
		return nil
	}
	timed, counted := "A", "B"
	if s.A.Limits.Repeatable() {
		timed, counted = counted, timed
	}
	return []string{fmt.Sprintf("%s is limited by wall-clock time, %s is not: the result depends on this machine and its load, and does "+
		"not repeat", timed, counted)}
}

func (r *Result) Text(out io.Writer, end runs.Ended) error {
	if err := runs.PrintVerdict(out, r, end); err != nil {
		return err
	}
	fmt.Fprintln(out)
	r.table().Print(out)
	// Where fastchess's words are likely to be known: a sequential test, an external engine.
	if r.Pairs.N() > 0 && (r.Test() != nil || r.Config.A.External() || r.Config.B.External()) {
		fmt.Fprintf(out, "\nIn the words and by the formulas of fastchess (normal 95 %% intervals, Wald's bounds):\n%s%v%s", r.matchup(),
			r.block(),
			r.completed())
	}
	for _, c := range r.cautions() {
		fmt.Fprintf(out, "\n%s\n", c)
	}
	if dir := r.Head.Dir; dir != "" {
		fmt.Fprintf(out, "games            %s\n", filepath.Join(dir, "games"))
	}
	if end.Report != "" {
		fmt.Fprintf(out, "report           %s\n", end.Report)
	}
	return nil
}

// outputFlags change nothing of a run.
type outputFlags struct {
	Output string `toml:"output" arg:"FORM" help:"form of the result: \"fastchess\" prints what fastchess does, for programs that read it, also after every 64 pairs (default: ours)"`
}

func checkOutput(_, _ runs.Config, f any, _ bool) error {
	if s := f.(*outputFlags).Output; s != "" && s != "fastchess" {
		return fmt.Errorf("--output %q: want fastchess, or leave it out", s)
	}
	return nil
}

// printOutput prints the result in fastchess's form if the flag is given.
func printOutput(out io.Writer, r runs.Result, f any, end bool) (bool, error) {
	t, line := r.(*Result), strings.Repeat("-", 50)
	if f.(*outputFlags).Output == "" {
		return false, nil
	}
	if t.Pairs.N() == 0 || !end && t.finished() { // printed at the end
		return true, nil
	}
	_, err := fmt.Fprintf(out, "%s\n%s%v%s\n", line, t.matchup(), t.block(), line)
	if end && err == nil {
		_, err = io.WriteString(out, cmp.Or(t.completed(), "Tournament finished\n"))
	}
	return true, err
}

// matchup returns fastchess's line of players, without threads and hash.
func (r *Result) matchup() string {
	a, b := r.Config.A, r.Config.B
	text := budget(a.Limits)
	if other := budget(b.Limits); other != text {
		text += " - " + other
	}
	if book := r.Config.Openings; book != "" && book != "random" {
		text += ", " + filepath.Base(book)
	}
	return fmt.Sprintf("Results of %s vs %s (%s):\n", a.Name, b.Name, text)
}

// budget returns a budget in fastchess's words, if it has them.
func budget(l engines.Limits) string {
	switch {
	case !l.Clock.IsZero():
		return l.Clock.String()
	case l.Time > 0:
		return fmt.Sprintf("%v/move", l.Time.Seconds())
	case l.Depth > 0:
		return fmt.Sprintf("%d plies", l.Depth)
	case l.Nodes > 0:
		return fmt.Sprintf("%d nodes", l.Nodes)
	}
	return cmp.Or(l.String(), "default limits")
}

// completed is fastchess's line of a test that is decided.
func (r *Result) completed() string {
	test := r.Test()
	if test == nil || test.State == rating.Continue {
		return ""
	}
	return fmt.Sprintf("SPRT ([%.2f, %.2f]) completed - %v was accepted\n", test.Test.Elo0, test.Test.Elo1, test.State)
}

// table returns the result, a line for each number.
func (r *Result) table() text.Table {
	e, first := r.Estimate(), r.Games.First.Estimate(r.Config.Level)
	ends := text.Each(r.Games.Kinds(), func(k string) string { return fmt.Sprintf("%s %s", k, text.Count(r.Games.Ends[k])) })
	a, b := r.Config.called()
	table := text.Table{{"A", text.Unmarked(a)}, {"B", text.Unmarked(b)}}
	if e.N == 0 {
		return append(table, []string{"A's score", e.String()})
	}
	table = append(table, text.Table{
		{"A's score", fmt.Sprintf("%s, from %s to %s  (%d won, %d drawn, %d lost)", text.Percent(e.Score), text.Percent(e.ScoreRange.Low),
			text.Percent(e.ScoreRange.High), r.Score.Wins, r.Score.Draws, r.Score.Losses)},
		{"A's nElo", e.Normalized()},
		{"A better than B", e.Superior()},
		{"pairs for A", fmt.Sprintf("lost both %d, ½ %d, split %d, 1½ %d, won both %d (pentanomial)", r.Pairs[0], r.Pairs[1], r.Pairs[2],
			r.Pairs[3],
			r.Pairs[4])},
		{"first player", fmt.Sprintf("%s, from %s to %s", text.Percent(first.Score), text.Percent(first.ScoreRange.Low),
			text.Percent(first.ScoreRange.High))},
		{"plies a game", fmt.Sprintf("%s on average, 5 %% to 95 %%: %d to %d", text.Number(r.Games.Mean(), 1), r.Games.Quantile(0.05),
			r.Games.Quantile(0.95))},
		{"games ended by", strings.Join(ends, ", ")},
	}...)
	if test := r.Test(); test != nil {
		table = append(table, []string{"test", test.Verdict()})
	}
	if cpu := runs.CPUText(r.Head.CPUTime(phase)); cpu != "" {
		table = append(table, []string{"CPU time", cpu})
	}
	if r.Games.Margins.N() > 0 {
		table = append(table, []string{"A's margin", r.Games.Margins.Text(r.Config.Level, r.unit())})
	}
	return table
}
