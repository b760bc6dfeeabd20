package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/datasets"
	"selfplaylab/engines/gobang"
)

func learnCommand(stdout, stderr io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "learn RUN...", Short: "learn the table of gobang's strongest player from recorded games",
		Long: `Learn prints the table of what gobang's strongest player learned, from the games of
runs. Repeated games count once. A tenth of the pairs is held out, to measure the
table's predictions on standard error. The same games give the same table.`,
		Example: `  lab learn runs/eight runs/five > engines/gobang/learned.txt`,
		RunE: func(_ *cobra.Command, dirs []string) error {
			if len(dirs) == 0 {
				return errors.New("lab learn: want the folders of runs of gobang, such as runs/eight")
			}
			l, seen := gobang.NewLessons(), map[string]bool{}
			for _, dir := range dirs {
				if err := add(l, dir, seen); err != nil {
					return fmt.Errorf("%s: %w", dir, err)
				}
			}
			return l.Learn(stdout, stderr)
		},
	}
}

// add takes the games of a run that are not in seen.
func add(l *gobang.Lessons, dir string, seen map[string]bool) error {
	run, err := datasets.Read(dir)
	if err != nil {
		return err
	}
	if run.Meta.Game != "gobang" {
		return fmt.Errorf("a run of %s: want gobang", run.Meta.Game)
	}
	if run.Meta.Rules != l.Rules() {
		return fmt.Errorf("rules %s: the table is learned from games by %s", run.Meta.Rules, l.Rules())
	}
	points := map[string]float64{"1-0": 1, "0-1": 0, "1/2": 0.5}
	for g, err := range run.Games(datasets.Filter{}) {
		if err != nil {
			return err
		}
		if g.Position != "" {
			return fmt.Errorf("trial %d, pair %d, game %d begins at %s: want games from the empty board", g.Trial, g.Pair, g.Game, g.Position)
		}
		if seen[g.Moves] {
			continue
		}
		seen[g.Moves] = true
		heldOut := (g.Trial+int64(g.Pair))%10 == 0
		if err := l.Add(strings.Fields(g.Moves), int(g.OpeningPlies), points[g.Outcome], heldOut); err != nil {
			return fmt.Errorf("trial %d, pair %d, game %d: %w", g.Trial, g.Pair, g.Game, err)
		}
	}
	return nil
}
