package selfplay

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

func openingsCommand(stdout io.Writer) *cobra.Command {
	var line, phase string
	var depth, least int
	var asJSON bool
	cmd := &cobra.Command{
		Use: "openings RUN...", Short: "print the opening tree of recorded runs",
		Args: wantRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			if depth < 1 || least < 0 {
				return fmt.Errorf("--depth %d, --min %d: want at least 1 and 0", depth, least)
			}
			list, err := kinds.All().OpenAll(args)
			if err != nil {
				return err
			}
			o, err := replay.NewOpenings(cmd.Context(), list, phase, least, new(replay.Reading))
			if err != nil {
				return err
			}
			if o, err = o.At(line, depth); err != nil {
				return fmt.Errorf("--line: %w", err)
			}
			if asJSON {
				return json.NewEncoder(stdout).Encode(o)
			}
			printOpenings(stdout, o)
			return nil
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&line, "line", "", "begin at this `LINE`, with its board: moves, or \"POSITION | moves\"")
	fl.IntVar(&depth, "depth", 2, "show `N` moves beyond the line")
	fl.IntVar(&least, "min", 0, "show lines of at least `N` games (default: one in 500 games, and at least 4)")
	fl.StringVar(&phase, "phase", "", "count only games of this `PHASE`: tune, verify, match, ...")
	fl.BoolVar(&asJSON, "json", false, "print one JSON object: the lines that would be shown; --depth 40 has all")
	return cmd
}

func printOpenings(out io.Writer, o *replay.Openings) {
	if b, ok := o.Position(); ok {
		fmt.Fprintln(out, b.Text())
	}
	table := text.Table{{"line", "games", "first player, %", "pairs"}}
	if len(o.Players) == 2 {
		fmt.Fprintf(out, "A is %s, B is %s.\n", text.Clean(o.Players[0]), text.Clean(o.Players[1]))
		table[0] = append(table[0], "A less B, %", "pairs")
	}
	addOpenings(&table, o.Tree, 0)
	table.Print(out, 1, 2, 3, 4, 5)
	fmt.Fprintf(out, "Means of pairs with %s intervals, each for its line alone; * marks what is shown if all lines are judged together.\n",
		text.Level(o.Level))
	for _, note := range o.Notes {
		fmt.Fprintln(out, note)
	}
}

// addOpenings adds a line and the lines below it.
func addOpenings(table *text.Table, l *gamestats.Line, level int) {
	row := []string{strings.Repeat("  ", level) + text.Clean(l.Label()), text.Count(l.Games)}
	for _, r := range []*gamestats.LineResult{&l.First, l.Difference} {
		if r != nil {
			row = append(row, r.String(), text.Count(r.Pairs))
		}
	}
	for len(row) < len((*table)[0]) {
		row = append(row, "–")
	}
	*table = append(*table, row)
	for _, next := range l.Next {
		addOpenings(table, next, level+1)
	}
	if l.Rest > 0 && len(l.Next) > 0 {
		*table = append(*table, []string{strings.Repeat("  ", level+1) + "others", text.Count(l.Rest)})
	}
}
