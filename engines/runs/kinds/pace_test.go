package kinds_test

import (
	"testing"
	"time"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/testmode"
)

// TestKindsHaveFormOfNewRun expects a question, its fields, and a length that makes the run longer and,
// where a run compares players, finds smaller differences.
func TestKindsHaveFormOfNewRun(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds.All().WithCommand() {
		if kind.Command.Question == "" || len(kind.Command.Ask) == 0 {
			t.Errorf("%s: no question for a form", kind.Name)
		}
		games, finds := int64(0), 1e6
		for _, length := range []string{"2000", "80000"} {
			c := kind.New()
			table := map[string]any{"game": "quoridor", kind.LengthField(c): length}
			for _, name := range kind.Command.Ask {
				if table[name] = "final"; kind.Name == "tournament" {
					table[name] = []any{"final", "bad"}
				}
			}
			if err := config.Table(c, table); err != nil {
				t.Fatal(err)
			}
			plan, err := c.Plan()
			if err != nil {
				t.Fatalf("%s: %v", kind.Name, err)
			}
			n, err := record.Games(plan)
			if err != nil || n <= games && kind.Name != "search" {
				t.Errorf("%s %s: %d games, %v; a shorter run has %d", kind.Name, length, n, err, games)
			}
			games = n
			if find := kind.Command.Finds; find != nil {
				if elo := find(plan.Config); !(elo > 0 && elo < finds) {
					t.Errorf("%s %s: finds %v Elo, a shorter run %v", kind.Name, length, elo, finds)
				} else {
					finds = elo
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
