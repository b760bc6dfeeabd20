package tuning

import (
	_ "embed"
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

// longHelp is the command's long help, with a place for the list of methods, and examples.
//
//go:embed help.txt
var longHelp string

// command returns the kind's command.
func command() *runs.Command {
	return &runs.Command{
		Program: "tune",
		Use:     "--game GAME [flags]",
		Help:    strings.Replace(longHelp, "{list}", methodList(), 1),
		Folder:  func(a runs.Config) string { return a.(*Config).Method },
		Check: func(_, recorded runs.Config, _ any, _ bool) error {
			if s, ok := recorded.(*Config); ok && s.Elsewhere != nil {
				return errors.New("the games of this run are played elsewhere: continue with tune ask-tell, with this folder as --out")
			}
			return nil
		},
		Extend: map[string]func(string) (func(runs.Config, runs.Result) (bool, error), error){"games": extendText},
		Before: func(r runs.Result) (b runs.Before) {
			s := r.(*Result).Config
			b.Notes = slices.Concat([]string{announcement(s)}, s.starts(), s.unusedRanges(), s.wideRanges())
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
			for _, name := range []string{"games", "iters"} {
				if m, err := c.(*Config).chosen(); err == nil && hasSetting(m, name) {
					return name
				}
			}
			return "pairs"
		},
		Shows: "The verification finds a gain of {elo} Elo in 9 of 10 runs.",
		Finds: func(c runs.Config) float64 {
			if t := c.(*Config); t.VerifyPairs > 0 && !t.VerifySPRT.Given {
				return t.sequence().Finds(t.VerifyPairs)
			}
			return 0
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

// announcement lists the games of each phase.
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
		parts = append(parts, p.Phase+" "+most+text.Count(p.Games))
	}
	return "planned games: " + strings.Join(parts, ", ")
}

func (t *Result) Text(out io.Writer, end runs.Ended) error {
	fmt.Fprintln(out)
	if err := runs.PrintVerdict(out, t, end); err != nil {
		return err
	}
	fmt.Fprintln(out)
	table := text.Table{{"parameter", "start", "tuned", "allowed"}}
	space, best := t.Head.Variant.Game.Space, t.Recommend()
	worths := t.Worths()
	if worths != nil {
		table[0] = append(table[0], fmt.Sprintf("worth of the change (%s all together)", text.Level(t.Config.Level)))
	}
	for _, name := range t.Config.Active {
		i := space.Index(name)
		p := space[i]
		row := []string{p.Name, p.Format(t.Config.Start.Values[i]), p.Format(best[i]), p.Range()}
		if worth := worthOf(worths, name); worth != nil {
			row = append(row, worth.String())
		} else if worths != nil {
			row = append(row, "-")
		}
		table = append(table, row)
	}
	for _, w := range worths {
		if len(w.Parameters) > 1 {
			table = append(table, []string{w.name, "", "", "", w.String()})
		}
	}
	table.Print(out, 1, 2)
	fmt.Fprintln(out)
	for _, w := range t.warnings() {
		fmt.Fprintf(out, "warning: %s\n\n", text.Unmarked(w.Error()))
	}
	printSeeds(out, t)
	if line := t.contest.String(); line != "" {
		fmt.Fprintf(out, "\n%s\n", line)
	}
	if e, _ := t.Verified(); e != nil && t.OverPool() != nil {
		fmt.Fprintf(out, "\nDirectly against start, on %s: %s\n", t.Config.newOpenings(), e.Verdict())
	}
	for _, r := range t.transfer.Transferred() {
		fmt.Fprintf(out, "At %s, %s against start: %s\n", r.Limits, contestantName(r.Name, r.Chosen), r.Estimate)
	}
	if t.margins.N() > 0 {
		fmt.Fprintf(out, "Margin of tuned against start: %s\n", t.margins.Text(t.Config.Level, t.Head.Variant.Game.Margins.Unit))
	}
	if pool, err := t.Pool(); err == nil && pool != nil {
		fmt.Fprintf(out, "Tuned vs start, using only games against other players: %s\n", pool)
	}
	if a, err := t.analysis(); err == nil && a != nil {
		if note := t.aside(a); note != "" {
			fmt.Fprintln(out, note)
		}
		printAnalysis(out, a)
	}
	for _, o := range t.Opposed() {
		fmt.Fprintf(out, "%s against %s: %s\n", o.Name, o.Opponent, o.Estimate)
	}
	if advice := t.remarks(); advice != "" {
		fmt.Fprintf(out, "%s\n", text.Unmarked(advice))
	}
	printTyped(out, t)
	if end.Report != "" {
		fmt.Fprintf(out, "\nparameters  %s\n", filepath.Join(t.Head.Dir, tunedName))
		if t.candidateOnly() {
			fmt.Fprintf(out, "candidate   %s\n", filepath.Join(t.Head.Dir, candidateName))
		}
		fmt.Fprintf(out, "report      %s\n", end.Report)
		if file := t.Config.spaceFile(); file != "" {
			fmt.Fprintf(out, "space       %s\n", filepath.Join(t.Head.Dir, file))
			if next := t.goOn(); next != "" {
				fmt.Fprintf(out, "go on       %s\n", next)
			}
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
	table := text.Table{{"tuning", "change from the start, in steps", "result in the match between them", ""}}
	for _, s := range t.Seeds() {
		row := []string{s.name, fmt.Sprintf("%.1f", t.Moved(s.Tuned)), "-", ""}
		if s.Estimate != nil {
			row[2] = s.Estimate.String()
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

// printAnalysis prints the most important parameters and the certain interactions.
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
}

// printTyped prints the texts to type for the tuned values of an external engine.
func printTyped(out io.Writer, t *Result) {
	typed, err := t.typed(t.tunedValues())
	if err != nil || len(typed) == 0 || t.candidateOnly() { // the report tells of the error
		return
	}
	fmt.Fprintln(out, "\nTo have the tuned values, as a player here and in the engine's own protocol:")
	for _, line := range typed {
		fmt.Fprintf(out, "  %s\n", text.Clean(line))
	}
}
