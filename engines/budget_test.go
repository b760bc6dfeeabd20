package engines_test

import (
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
)

func TestCheckLimits(t *testing.T) {
	search := &engines.Game{
		Name: "chess", Limits: engines.Limits{Depth: 4},
		Budgets: []engines.Budget{{Kind: engines.BudgetDepth, Max: 64}, {Kind: engines.BudgetNodes}, {Kind: engines.BudgetTime, Max: int64(time.Minute)}},
	}
	tree := &engines.Game{Name: "go", Budgets: []engines.Budget{{Kind: engines.BudgetPlayouts, Max: 1000}}}
	clock := &engines.Game{Name: "draughts", Budgets: []engines.Budget{{Kind: engines.BudgetTime}}}
	greedy := &engines.Game{Name: "halma"}
	for _, c := range []struct {
		game   *engines.Game
		limits engines.Limits
		want   string // "" for allowed
	}{
		{search, engines.Limits{}, ""},
		{greedy, engines.Limits{}, ""},
		{search, engines.Limits{Depth: 64, Nodes: engines.MaxCount, Time: time.Minute}, ""},
		{search, engines.Limits{Time: engines.MinTime}, ""},
		{search, engines.Limits{Depth: 3, Playouts: 5}, "the player of chess does not support a limit of playouts; it supports depth, nodes, time, such as depth=4"},
		{search, engines.Limits{Depth: 65}, "limit of chess: depth=65: want 1 to 64; it supports depth"},
		{search, engines.Limits{Nodes: -1}, "nodes=-1: want 1 to 9007199254740992"},
		{search, engines.Limits{Nodes: engines.MaxCount + 1}, "want 1 to 9007199254740992"},
		{search, engines.Limits{Time: time.Microsecond}, "time=1µs: want 1ms to 1m0s"},
		{search, engines.Limits{Time: 2 * time.Minute}, "time=2m0s: want 1ms to 1m0s"},
		{tree, engines.Limits{Depth: 1}, "the player of go does not support a limit of depth; it supports playouts, such as playouts=1000"},
		{clock, engines.Limits{Time: 25 * time.Hour}, "time=25h0m0s: want 1ms to 24h0m0s; it supports time, such as time=1s"},
		{greedy, engines.Limits{Time: time.Second}, "the player of halma does not support a limit of time; it supports none: leave limits out"},
	} {
		err := c.game.CheckLimits(c.limits)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s under %+v: got %v, want %q", c.game.Name, c.limits, err, c.want)
		}
	}
}

func TestSearchTime(t *testing.T) {
	for _, c := range []struct{ limit, spent, want time.Duration }{
		{time.Second, 0, time.Second - 500*time.Microsecond},
		{time.Second, 200 * time.Millisecond, 800*time.Millisecond - 500*time.Microsecond},
		{3200 * time.Microsecond, 0, 3100 * time.Microsecond},
		{time.Millisecond, time.Second, 1},
		{1, 0, 1},
	} {
		if got := engines.SearchTime(c.limit, c.spent); got != c.want {
			t.Errorf("of %v, %v spent: %v, want %v", c.limit, c.spent, got, c.want)
		}
	}
}
