package cluster

import (
	"os"
	"testing"

	"selfplaylab/engines/games"
	"selfplaylab/engines/testmode"
)

// TestSixWorkersGiveSameRows compares the rows of six worker processes with those of one worker
// in this process, for all games.
func TestSixWorkersGiveSameRows(t *testing.T) {
	p, b, _ := coordinator(t)
	for range 6 {
		start(t, part{Kind: "worker", URL: b.URL("")})
	}
	for _, name := range games.Names() {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "quoridor" {
				t.Skip("short: one game will do")
			}
			if name == "chess" {
				testmode.SkipUnlessLong(t) // takes as long as all others together
			}
			q := question{game: name, pairs: map[string]int{"quoridor": 200}[name] + 6, notes: true}
			rows := &memory{}
			if err := q.play(t, t.Context(), p, rows); err != nil {
				t.Fatal(err)
			}
			rows.equal(t, q.alone(t))
		})
	}
}

// TestKilledWorkerCostsNoRow kills a worker while it plays: this costs time and no row.
func TestKilledWorkerCostsNoRow(t *testing.T) {
	testmode.SkipUnlessLong(t) // plays thousands of pairs
	p, b, _ := coordinator(t)
	q := question{game: "quoridor", pairs: 2000}
	first := start(t, part{Kind: "worker", URL: b.URL("")})
	rows := &memory{seen: func(n int) {
		if n == 3 {
			first.signal(t, os.Kill)
			start(t, part{Kind: "worker", URL: b.URL("")})
		}
	}}
	if err := q.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	rows.equal(t, q.alone(t))
}
