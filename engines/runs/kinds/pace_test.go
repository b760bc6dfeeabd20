package kinds_test

import (
	"testing"
	"time"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/testmode"
)

// TestLengthFollowsGames expects every kind with games to take the length for a number of games.
func TestLengthFollowsGames(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays runs of every kind")
	}
	t.Parallel()
	for _, kind := range kinds.All().WithCommand() {
		if kind.Command.Question == "" || len(kind.Command.Ask) == 0 {
			t.Errorf("%s: no question for a form", kind.Name)
		}
		for _, method := range []string{"", "spsa", "grid"} {
			c := kind.New()
			table := map[string]any{"game": "quoridor"}
			for _, f := range config.Fields(c) {
				switch f.Name {
				case "a", "b", "player":
					table[f.Name] = "final"
				case "method":
					if method != "" {
						table[f.Name] = method
					}
				case "grid":
					if method == "grid" {
						table[f.Name] = "b_gain=20:60:20"
					}
				}
			}
			if err := config.Table(c, table); err != nil {
				t.Fatal(err)
			}
			defaults, err := c.Plan()
			if kind.Name == "tournament" && err != nil { // wants different players
				table["player"] = []any{"final", "bad"}
				if err = config.Table(c, table); err == nil {
					defaults, err = c.Plan()
				}
			}
			if err != nil {
				t.Fatalf("%s %s: %v", kind.Name, method, err)
			}
			n, err := record.Games(defaults)
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				continue
			}
			for _, want := range []int64{1, n / 3, n, 7*n + 1} {
				plan, err := record.Lengthen(kind, c, want)
				if err != nil {
					t.Fatalf("%s %s, %d games: %v", kind.Name, method, want, err)
				}
				got, err := record.Games(plan)
				least, _ := record.Lengthen(kind, c, 0)
				first, _ := record.Games(least)
				if err != nil || got > max(want, first) || float64(got) < .85*float64(want)-float64(first) {
					t.Errorf("%s %s: %d games where %d were asked, %v; the shortest has %d", kind.Name, method, got, want, err, first)
				}
			}
		}
	}
}

// TestPaceIsMeasuredOnce measures a pace once, and does not wait for slow players.
func TestPaceIsMeasuredOnce(t *testing.T) {
	testmode.SkipUnlessLong(t) // times games
	t.Parallel()
	var pace record.Pace
	seconds := func(game, a string) float64 {
		t.Helper()
		kind, err := kinds.All().Find("match")
		if err != nil {
			t.Fatal(err)
		}
		c := kind.New()
		if err := config.Table(c, map[string]any{"game": game, "a": a, "b": a}); err != nil {
			t.Fatal(err)
		}
		plan, err := c.Plan()
		if err != nil {
			t.Fatal(err)
		}
		s, err := pace.Seconds(t.Context(), plan, 1)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := seconds("quoridor", "final"); s <= 0 || s > 5 || s != seconds("quoridor", "final") {
		t.Errorf("a game takes %v s, then %v s", s, seconds("quoridor", "final"))
	}
	start := time.Now()
	if s := seconds("gobang", "fixed@time=1m"); s != 0 || time.Since(start) > time.Minute {
		t.Errorf("a game of one minute a move takes %v s", s)
	}
}
