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

func (t *Result) Text(out io.Writer, end runs.Ended) error {
	t.table().Print(out)
	if test := t.Test(); test != nil {
		fmt.Fprintf(out, "\nSequential test of A against B: %s.\n", test.Verdict())
		if bounds := test.Bounds(); bounds != "" {
			fmt.Fprintf(out, "%s\n", bounds)
		}
		fmt.Fprintln(out, earlyStop)
	}
	// Where fastchess's words are likely to be known: a sequential test, an external engine.
	if t.Pairs.N() > 0 && (t.Test() != nil || t.Config.A.External() || t.Config.B.External()) {
		fmt.Fprintf(out, "\nIn the words and by the formulas of fastchess (normal 95 %% intervals, Wald's bounds):\n%s%v%s", t.matchup(),
			t.block(),
			t.completed())
	}
	for _, c := range t.cautions() {
		fmt.Fprintf(out, "\n%s\n", c)
	}
	if dir := t.Head.Dir; dir != "" {
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

// printOutput prints the result as fastchess does, if that is asked for.
func printOutput(out io.Writer, r runs.Result, f any, end bool) (bool, error) {
	t, line := r.(*Result), strings.Repeat("-", 50)
	if f.(*outputFlags).Output == "" {
		return false, nil
	}
	if t.Pairs.N() == 0 || !end && t.finished() { // it is printed at the end
		return true, nil
	}
	_, err := fmt.Fprintf(out, "%s\n%s%v%s\n", line, t.matchup(), t.block(), line)
	if end && err == nil {
		_, err = io.WriteString(out, cmp.Or(t.completed(), "Tournament finished\n"))
	}
	return true, err
}

// matchup is fastchess's line of what played, without threads and hash.
func (t *Result) matchup() string {
	a, b := t.Config.A, t.Config.B
	text := budget(a.Limits)
	if other := budget(b.Limits); other != text {
		text += " - " + other
	}
	if book := t.Config.Openings; book != "" && book != "random" {
		text += ", " + filepath.Base(book)
	}
	return fmt.Sprintf("Results of %s vs %s (%s):\n", a.Name, b.Name, text)
}

// budget is a budget in fastchess's words, if it has them.
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
func (t *Result) completed() string {
	test := t.Test()
	if test == nil || test.State == rating.Continue {
		return ""
	}
	return fmt.Sprintf("SPRT ([%.2f, %.2f]) completed - %v was accepted\n", test.Test.Elo0, test.Test.Elo1, test.State)
}

func (t *Result) block() rating.Block { return t.Openings.Twins().Block(t.Test()) }

// earlyStop is what a sequential test does to the estimate.
const earlyStop = "Stopping early biases the Elo estimate away from zero. The test's verdict is not affected."

// table is the result, a line for each number.
func (t *Result) table() text.Table {
	e, first := t.Estimate(), t.Games.First.Estimate(t.Config.Level)
	ends := text.Each(t.Games.Kinds(), func(k string) string { return fmt.Sprintf("%s %s", k, text.Count(t.Games.Ends[k])) })
	a, b := t.Config.called()
	table := text.Table{{"A", text.Unmarked(a)}, {"B", text.Unmarked(b)}}
	if e.N == 0 {
		return append(table, []string{"A's score", e.String()})
	}
	table = append(table, text.Table{
		{"A's score", fmt.Sprintf("%s  (%d won, %d drawn, %d lost)", text.Percent(e.Score), t.Score.Wins, t.Score.Draws, t.Score.Losses)},
		{"A's Elo", e.String()},
		{"A's nElo", e.Normalized()},
		{"A better than B", e.Superior()},
		{"pairs for A", fmt.Sprintf("lost both %d, ½ %d, split %d, 1½ %d, won both %d (pentanomial)", t.Pairs[0], t.Pairs[1], t.Pairs[2],
			t.Pairs[3],
			t.Pairs[4])},
		{"first player", fmt.Sprintf("%s, from %s to %s", text.Percent(first.Score), text.Percent(first.ScoreRange.Low),
			text.Percent(first.ScoreRange.High))},
		{"plies a game", fmt.Sprintf("%s on average, 5 %% to 95 %%: %d to %d", text.Number(t.Games.Mean(), 1), t.Games.Quantile(0.05),
			t.Games.Quantile(0.95))},
		{"games ended by", strings.Join(ends, ", ")},
	}...)
	if said := runs.CPUText(t.Head.CPUTime(phase)); said != "" {
		table = append(table, []string{"CPU time", said})
	}
	if t.Games.Margins.N() > 0 {
		table = append(table, []string{"A's margin", t.Games.Margins.Text(t.Config.Level, t.unit())})
	}
	return table
}
