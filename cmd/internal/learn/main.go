// Learn makes the table of what gobang's strongest player learned, from recorded games:
//
//	go run ./cmd/internal/learn RUN... > engines/gobang/learned.txt
//
// Games that came up before count once. A tenth of the pairs is kept apart and tells, on
// standard error, how well the table foretells. The same games give the same table.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/gobang"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: learn RUN... > engines/gobang/learned.txt")
	}
	l, seen := gobang.NewLessons(), map[string]bool{}
	for _, dir := range os.Args[1:] {
		if err := add(l, dir, seen); err != nil {
			log.Fatalf("%s: %v", dir, err)
		}
	}
	if err := l.Learn(os.Stdout, os.Stderr); err != nil {
		log.Fatal(err)
	}
}

// add takes the games of a run that were not seen before.
func add(l *gobang.Lessons, dir string, seen map[string]bool) error {
	run, err := datasets.Read(dir)
	if err != nil {
		return err
	}
	if run.Meta.Game != "gobang" {
		return fmt.Errorf("a run of %s; want gobang", run.Meta.Game)
	}
	if run.Meta.Rules != l.Rules() {
		return fmt.Errorf("games by the rules %s; the table is learned from those by %s", run.Meta.Rules, l.Rules())
	}
	points := map[string]float64{"1-0": 1, "0-1": 0, "1/2": 0.5}
	for g, err := range run.Games(datasets.Filter{}) {
		if err != nil {
			return err
		}
		if g.Position != "" {
			return fmt.Errorf("trial %d, pair %d, game %d begins at %s; want games from the empty board", g.Trial, g.Pair, g.Game, g.Position)
		}
		if seen[g.Moves] {
			continue
		}
		seen[g.Moves] = true
		apart := (g.Trial+int64(g.Pair))%10 == 0
		if err := l.Add(strings.Fields(g.Moves), int(g.OpeningPlies), points[g.Outcome], apart); err != nil {
			return fmt.Errorf("trial %d, pair %d, game %d: %w", g.Trial, g.Pair, g.Game, err)
		}
	}
	return nil
}
