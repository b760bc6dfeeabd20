package tuning

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/reports/text"
)

// exitKeepStart is the exit code of a tuning after which the start is to be kept.
const exitKeepStart = 3

// command is how people ask for the kind.
func command() *runs.Command {
	return &runs.Command{
		Program: "tune",
		Use:     "--game GAME [flags]",
		Help: `Tune improves the parameters of a game's player by self-play and verifies the result
on new openings before it calls it better. Every game is recorded in a run directory.
A killed run resumes from it, and other tools read it as parquet. The same command
with the same --seed gives the same rows for any number of workers.

The verification plays tuned against start until the interval excludes an even score.
By default it plays at most a third of the tuning's pairs, but from 60 to 300 times
the game's number of pairs. The planned games of each phase are printed on standard
error before the run. tuned.toml is never worse than the start by the run's own games:
if no gain was shown, it holds the start's values, and candidate.toml the tuned ones.
Without a verification, quad writes the tuned values only if its own games show a gain.
The first line of a file says what its values are worth. start.toml holds the start
values. Parameters missing from a file keep their defaults.

If the player's evaluation is a sum of weighted terms, weights are fitted to the results
of the tuning's games (see selfplay fit). Tuned values, fitted weights and the midpoint
play each other on new openings; the best is verified and becomes tuned.toml.

With --against, the two candidates each play the opponent instead of each other. The
verification still plays tuned against start and decides the verdict; then both play
the opponent, and the report shows both results. Several opponents form a pool: every
trial plays one of them, in random order and all equally often, and the verdict is the
gain in mean score over the pool.

With --seeds, one run contains several independent tunings, each with the full budget.
The report shows how far they agree on each parameter. A match among their results, on
new openings, selects the best. Selecting the best of several biases its score upwards,
so its gain is measured by the verification, on openings that no tuning and no
selection has used.

With --engine, an external engine is tuned against itself, by the parameters that it
announces or that its engine file lists (selfplay engine check shows them). Next to
tuned.toml the run writes the values in the engine's format.

With --objective, a program scores parameter vectors instead of a game. Use it to tune
anything that can be scored by running a program. The program reads one line of JSON
per question and writes one line of JSON per answer; every worker starts one process:

  {"seed": 7, "x": {"a": 1}, "than": {"a": 2}}   answer {"points": 1.5, "of": 2}
  {"seed": 7, "x": {"a": 1}}                     answer {"value": 0.25}

The first form is --direction pair: the points of x against than. The second is --direction
maximize or minimize: two values with the same seed are compared, and two comparisons are a pair.
{"error": "why"} reports that the program cannot score a vector. A crash, a hang
(--timeout, ten minutes) or an invalid answer stops the run with an error that names it;
tune --resume continues once the program is fixed. The run is reproducible if all
randomness of the program comes from the seed.

Exit codes: 0 if the tuned values were shown to be better, or without verification; 3
if the start should be kept, because the tuned values were not shown to be better, are
worse, or equal the start; 1 for errors; 130 after Ctrl-C.

Methods:` + methodList() + `

Examples:
  tune --game quoridor --iters 1000
  tune --game quoridor --start bad --params a_E,b_gain
  tune --game quoridor --games 4000
  tune --game quoridor --method spsa --iters 1000
  tune --game quoridor --method grid --grid b_gain=0:100:10 --pairs 500
  tune --game gobang --against fixed@depth=4 --iters 500
  tune --game quoridor --against v12.7,final,bad --games 8000
  tune --game quoridor --seeds 4 --games 16000
  tune --engine sanmill.toml --params moving_mobility,moving_mills --games 2000
  tune --objective "python3 judge.py" --space weights.toml --direction minimize
  tune params --game quoridor
  tune methods
  tune --resume runs/20261120-101500-quoridor-quad
  tune resume runs/20261120-101500-quoridor-quad --games 200000`,
		Folder: func(a runs.Config) string { return a.(*Config).Method },
		Check: func(_, recorded runs.Config, _ any, _ bool) error {
			if s, is := recorded.(*Config); is && s.elsewhere() {
				return errors.New("the games of this run are played elsewhere: continue with tune ask-tell, with this folder as --out")
			}
			return nil
		},
		Extend: map[string]func(string) (func(runs.Config, runs.Result) (bool, error), error){"games": extendText},
		Before: func(r runs.Result) (b runs.Before) {
			s := r.(*Result).Config
			b.Notes = slices.Concat([]string{announcement(s)}, s.starts(), s.wideRanges())
			return b
		},
		ExitCode: func(r runs.Result) int {
			if r.(*Result).Outcome().keepStart() {
				return exitKeepStart
			}
			return 0
		},
		Question: "Which values make a player stronger?", Ask: []string{"start"},
		Length: func(c runs.Config) string {
			if m, err := c.(*Config).chosen(); err == nil && hasSetting(m, "iters") {
				return "iters"
			}
			return "pairs"
		},
		Games: func(c runs.Config) (n int64) {
			for _, p := range c.(*Config).planned() {
				n += p.Games
			}
			return n
		},
		Choices: func() map[string][]string { return map[string][]string{"method": methodNames(Methods(), nil)} },
		Placeholders: func() map[string]string {
			return map[string]string{"{methods}": strings.Join(methodNames(Methods(), nil), ", ")}
		},
	}
}

// methodList lists the methods, a line each.
func methodList() string {
	var b strings.Builder
	for _, m := range Methods() {
		fmt.Fprintf(&b, "\n  %s: %s", m.Info().Name, m.Info().Doc)
	}
	return b.String()
}

// extendText is Extend of a number of games in digits.
func extendText(games string) (func(runs.Config, runs.Result) (bool, error), error) {
	n, err := strconv.Atoi(games)
	return extend(n), err
}

// announcement says how many games each phase will have.
func announcement(s *Config) string {
	var parts []string
	for _, p := range s.planned() {
		if p.Repeat {
			continue
		}
		most := ""
		if p.AtMost {
			most = "at most "
		}
		if p.Phase == phaseTune && s.Seeds > 1 {
			most = fmt.Sprintf("%d times %s", s.Seeds, most)
		}
		parts = append(parts, most+text.Count(s.calls(p.Games))+" to "+p.Phase)
	}
	if s.Objective != nil && !s.elsewhere() {
		return fmt.Sprintf("planned calls of %s: %s", s.Objective.Command, strings.Join(parts, ", "))
	}
	return "planned games: " + strings.Join(parts, ", ")
}

// Text implements runs.Result.
func (t *Result) Text(out io.Writer, end runs.Ended) error {
	fmt.Fprintf(out, "\n%s, %s in %.1f s\n\n", t.Head.Title(), text.Plural(t.Config.calls(t.Played()), t.noun()), end.Elapsed.Seconds())
	if s := t.Standing(); unreliable(s) {
		fmt.Fprintf(out, "%s.\n\n", text.Capital(s.String()))
	}
	table := text.Table{{"parameter", "start", "tuned", "allowed"}}
	space, best := t.Head.Variant.Game.Space, t.Recommend()
	moves := t.moves()
	if len(moves.Moves) > 0 {
		table[0] = append(table[0], "gain of the change")
	}
	for _, name := range t.Config.Active {
		i := space.Index(name)
		p := space[i]
		row := []string{p.Name, p.Format(t.Config.Start.Values[i]), p.Format(best[i]), p.Range()}
		switch m := moves.MoveOf(name); {
		case m == nil: // it did not change, or nothing is known
		case m.Gain.Shown:
			row = append(row, "shown")
		default:
			row = append(row, "not shown")
		}
		table = append(table, row)
	}
	table.Print(out, 1, 2)
	for _, w := range t.warnings() {
		fmt.Fprintf(out, "\nwarning: %s\n", plainText(w.Error()))
	}
	fresh := "openings"
	if t.Config.Objective != nil {
		fresh = "seeds"
	}
	printSeeds(out, t)
	if line := t.contest.String(); line != "" {
		fmt.Fprintf(out, "\n%s\n", line)
	}
	if g := t.OverPool(); g != nil {
		fmt.Fprintf(out, "\nTuned against start, over the pool: %s\n", t.Verdict())
		if e, _ := t.Verified(); e != nil {
			fmt.Fprintf(out, "Directly against start, on fresh %s: %s\n", fresh, e.Verdict())
		}
	} else {
		fmt.Fprintf(out, "\nTuned against start, on fresh %s: %s\n", fresh, t.Verdict())
	}
	if v := t.Values(); v != nil {
		for _, line := range v.lines() {
			fmt.Fprintln(out, plainText(line)+".")
		}
	}
	if _, test := t.Verified(); test != nil && test.Bounds() != "" && !t.Config.byValue() {
		fmt.Fprintln(out, test.Bounds())
	}
	for _, r := range t.transfer.Transferred() {
		fmt.Fprintf(out, "At %s, %s against start: %s\n", r.Limits, r.Name, r.Estimate)
	}
	if t.margins.N() > 0 {
		fmt.Fprintf(out, "Margin of tuned in that match: %s\n", t.margins.Text(t.Config.Level, t.Head.Variant.Game.Margins.Unit))
	}
	if pool, err := t.Pool(); err == nil && pool != nil {
		fmt.Fprintf(out, "Tuned vs start, using only games against other players: %s\n", pool)
	}
	if a, err := t.analysis(); err == nil && a != nil {
		printAnalysis(out, a)
	}
	for _, o := range t.Opposed() {
		fmt.Fprintf(out, "%s against %s: %s\n", o.Name, o.Opponent, o.Estimate)
	}
	if advice := t.remarks(); advice != "" {
		fmt.Fprintf(out, "%s\n", plainText(advice))
	}
	printTyped(out, t)
	if end.Report != "" {
		fmt.Fprintf(out, "\nparameters  %s\n", filepath.Join(t.Head.Dir, tunedName))
		if t.candidateOnly() {
			fmt.Fprintf(out, "candidate   %s\n", filepath.Join(t.Head.Dir, candidateName))
		}
		fmt.Fprintf(out, "report      %s\n", end.Report)
		if t.Config.Objective != nil {
			fmt.Fprintf(out, "space       %s\ngo on       %s\n", filepath.Join(t.Head.Dir, t.Config.spaceFile()), t.goOn())
		}
	}
	return nil
}

// printSeeds prints how several tunings compare.
func printSeeds(out io.Writer, t *Result) {
	agreements, err := t.Agreements()
	if err != nil || agreements == nil {
		return
	}
	fmt.Fprintln(out)
	table := text.Table{{"tuning", "steps from start", "score in the match between them", ""}}
	for _, s := range t.Seeds() {
		row := []string{fmt.Sprint(s.Number), fmt.Sprintf("%.1f", t.Moved(s.Tuned)), "-", ""}
		if s.Estimate != nil {
			row[2] = inWords(t.Config.task, *s.Estimate)
		}
		if s.Chosen {
			row[3] = "chosen"
		}
		table = append(table, row)
	}
	table.Print(out, 1)
	agree := 0
	for _, a := range agreements {
		if !a.Disagree {
			agree++
		}
	}
	fmt.Fprintf(out, "The tunings agree about %d of %s within their intervals.\n", agree, text.Plural(len(agreements), "parameter"))
}

// printAnalysis prints the most important parameters, the certain interactions, and the
// expected gain from more games.
func printAnalysis(out io.Writer, a *analysis.Analysis) {
	if a.ByMargins() {
		fmt.Fprintln(out, "Elo values below refer to margins, so to how much games are won by:")
	}
	if parts := a.Leading(); len(parts) > 0 {
		fmt.Fprintf(out, "Most important, by the tuning's own games (%s): %s\n", text.Level(a.Level), strings.Join(parts, ", "))
	}
	if parts := a.Joint(); len(parts) > 0 {
		fmt.Fprintf(out, "Interactions (%s): %s\n", text.Level(a.Level), strings.Join(parts, ", "))
	}
	if a.ExpectedGain != nil {
		fmt.Fprintln(out, a.Outlook())
	}
}

// plainText is a sentence of a page without its marks.
func plainText(sentence string) string { return strings.ReplaceAll(sentence, "`", "") }

// printTyped prints what to type for the tuned values of an external engine.
func printTyped(out io.Writer, t *Result) {
	typed, err := t.typed()
	if err != nil || len(typed) == 0 || t.candidateOnly() { // the report tells of the error
		return
	}
	fmt.Fprintln(out, "\nTo have the tuned values, as a player here and in the engine's own protocol:")
	for _, line := range typed {
		fmt.Fprintf(out, "  %s\n", text.Clean(line))
	}
}
