package mcts

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"selfplaylab/engines"
)

// newTestPlayer returns a player of piles of 60. Its vector is C and reuse.
func newTestPlayer(t *testing.T, reuse float64) *Player[pile, *pile] {
	t.Helper()
	p := NewPlayer[pile](newPile(60), 1<<16, func(v []float64) (Settings, error) {
		if len(v) != 2 {
			return Settings{}, errors.New("want C and reuse")
		}
		o := options()
		o.C = v[0]
		return Settings{Options: o, Reuse: v[1] == 1}, nil
	})
	if err := p.Configure([]float64{0.7, reuse}); err != nil {
		t.Fatal(err)
	}
	return p
}

// record plays a game of the player against itself and returns its decisions.
func record(t *testing.T, p *Player[pile, *pile], seed uint64) (history []engines.Move, decisions []engines.Decision) {
	t.Helper()
	if err := p.Reset("", seed); err != nil {
		t.Fatal(err)
	}
	game := newPile(60)
	for game.Outcome() == engines.Ongoing {
		d, err := p.Choose(context.Background(), history, engines.Limits{Playouts: 300})
		if err != nil {
			t.Fatal(err)
		}
		if !game.Legal(d.Move) {
			t.Fatalf("move %d with %d left", d.Move, game.left)
		}
		game.Play(d.Move)
		history = append(history, d.Move)
		decisions = append(decisions, d)
	}
	return history, decisions
}

// TestGameRepeatsWithEitherPlayer plays a game twice with the same player and once with
// another: all decisions are equal, with and without a kept tree.
func TestGameRepeatsWithEitherPlayer(t *testing.T) {
	for _, reuse := range []float64{0, 1} {
		p := newTestPlayer(t, reuse)
		_, first := record(t, p, 7)
		_, other := record(t, p, 8)
		_, again := record(t, p, 7)
		_, fresh := record(t, newTestPlayer(t, reuse), 7)
		if !slices.Equal(first, again) || !slices.Equal(first, fresh) {
			t.Errorf("reuse %v: a game does not repeat", reuse)
		}
		if slices.Equal(first, other) {
			t.Errorf("reuse %v: another seed gives the same game", reuse)
		}
	}
}

// TestDecisionsRepeatBackwards requests the decisions of a game from the last to the first.
// Without reuse they are the same, because each depends only on history and seed.
func TestDecisionsRepeatBackwards(t *testing.T) {
	p := newTestPlayer(t, 0)
	history, want := record(t, p, 7)
	for _, i := range []int{len(history) - 1, 0, len(history) / 2, 1} {
		got, err := p.Choose(context.Background(), history[:i], engines.Limits{Playouts: 300})
		if err != nil || got != want[i] {
			t.Errorf("move %d: %+v, %v; want %+v", i, got, err, want[i])
		}
	}
}

// TestTreeIsKeptWhereGameGoesOn keeps the tree if the game continues from it, and only then.
func TestTreeIsKeptWhereGameGoesOn(t *testing.T) {
	p := newTestPlayer(t, 1)
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	limits := engines.Limits{Playouts: 500}
	choose := func(history ...engines.Move) int64 {
		t.Helper()
		if _, err := p.Choose(context.Background(), history, limits); err != nil {
			t.Fatal(err)
		}
		visits := int64(0)
		for _, c := range p.Search().Children() {
			visits += c.Visits
		}
		return visits
	}
	if n := choose(); n >= 510 {
		t.Errorf("%d visits at first", n)
	}
	if n := choose(2, 3); n <= 510 {
		t.Errorf("%d visits after two more moves: the tree was lost", n)
	}
	if n := choose(2, 2); n >= 510 {
		t.Errorf("%d visits in another line: the wrong tree was kept", n)
	}
	if n := choose(2); n >= 510 {
		t.Errorf("%d visits in an earlier position: the wrong tree was kept", n)
	}
	if err := p.Configure([]float64{0.7, 1}); err != nil {
		t.Fatal(err)
	}
	if n := choose(2, 3); n >= 510 {
		t.Errorf("%d visits after Configure: the old tree was kept", n)
	}
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	if n := choose(2, 3, 3); n >= 510 {
		t.Errorf("%d visits after Reset: the old tree was kept", n)
	}
}

func TestPlayerRefusesBadInput(t *testing.T) {
	ctx := context.Background()
	p := newTestPlayer(t, 0)
	if err := p.Configure([]float64{1}); err == nil {
		t.Error("a short vector is taken")
	}
	if err := p.Configure([]float64{-1, 0}); err == nil {
		t.Error("C = -1 is taken")
	}
	if err := p.Reset("none", 1); err == nil {
		t.Error("a position without a pile is taken")
	}
	if err := p.Reset("3 1", 1); err != nil {
		t.Fatal(err)
	}
	d, err := p.Choose(ctx, nil, engines.Limits{Time: time.Nanosecond})
	if err != nil || d.Move == 0 {
		t.Errorf("expired clock: %+v, %v", d, err)
	}
	if _, err := p.Choose(ctx, []engines.Move{3}, engines.Limits{Playouts: 10}); err == nil {
		t.Error("a move is chosen after the end")
	}
	unready := NewPlayer[pile](newPile(3), 10, nil)
	if _, err := unready.Choose(ctx, nil, engines.Limits{}); err == nil {
		t.Error("a player chooses without parameters")
	}
}
