package match

import (
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
)

// TestMatchupEqualsFastchess expects the heading that fastchess prints for the same players, except
// threads and hash.
func TestMatchupEqualsFastchess(t *testing.T) {
	for _, c := range []struct {
		a, b engines.Limits
		book string
		want string
	}{
		{engines.Limits{Nodes: 600}, engines.Limits{Nodes: 500}, "/books/book.epd", "600 nodes - 500 nodes, book.epd"},
		{engines.Limits{Depth: 7}, engines.Limits{Depth: 7}, "random", "7 plies"},
		{engines.Limits{Time: 100 * time.Millisecond}, engines.Limits{Time: time.Second}, "", "0.1/move - 1/move"},
		{engines.Limits{Clock: engines.Clock{Base: 8 * time.Second, Inc: 80 * time.Millisecond}}, engines.Limits{Playouts: 9}, "", "8+0.08 - playouts=9"},
	} {
		r := &Result{Config: &Config{A: player.Config{Name: "dev", Limits: c.a}, B: player.Config{Name: "base", Limits: c.b}}}
		r.Config.Openings = c.book
		if got, want := r.matchup(), "Results of dev vs base ("+c.want+"):\n"; got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

// TestAnswerNeedsEnoughPairs expects an answer neither from few pairs nor, by the interval of a fixed number,
// before the end.
func TestAnswerNeedsEnoughPairs(t *testing.T) {
	for _, c := range []struct {
		won, even, planned int
		want               string
	}{
		{10, 0, 10, "Too early to say"}, {40, 0, 80, "Too early to say"}, {40, 0, 40, "Yes, "}, {0, 40, 40, "Not decided"},
		{0, 70, 80, "0 Elo so far"},
	} {
		r := &Result{Head: &runs.Head{}, Config: &Config{A: player.Config{Name: "a"}, B: player.Config{Name: "b"}, Pairs: c.planned}}
		r.Config.Level, r.Pairs[4], r.Pairs[2] = 0.95, c.won, c.even
		if v, err := r.Verdict(); err != nil || !strings.HasPrefix(v.Answer, c.want) {
			t.Errorf("%d won of %d: %q, want %q; %v", c.won, c.planned, v.Answer, c.want, err)
		}
	}
}

// TestTableShowsDifferentLimits expects limits beside the names of one player within two limits,
// and unchanged names else.
func TestTableShowsDifferentLimits(t *testing.T) {
	deep := engines.Limits{Depth: 4}
	for _, c := range []struct {
		name   string
		limits engines.Limits // of A; B's are deep
		want   string
	}{{"fixed", engines.Limits{Depth: 3}, "fixed (depth=3)"}, {"fixed", deep, "fixed"}, {"seen as A", deep, "seen as A"}} {
		r := &Result{Config: &Config{A: player.Config{Name: c.name, Limits: c.limits}, B: player.Config{Name: c.name, Limits: deep}}}
		if r.Config.Level = .95; r.table()[0][1] != c.want {
			t.Errorf("A is %q, want %q", r.table()[0][1], c.want)
		}
	}
}
