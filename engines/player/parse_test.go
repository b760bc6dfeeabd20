package player_test

import (
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// TestParsePresetWithValuesAndBudget reads presets with names, values and budgets, and rejects
// bad texts.
func TestParsePresetWithValuesAndBudget(t *testing.T) {
	game, err := games.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, name, player, limits string }{
		{"final", "final", "final", "time=5s"},
		{"final@time=7s", "final@time=7s", "final", "time=7s"},
		{"deep:final,a_E=11@time=7s", "deep", "final,a_E=11", "time=7s"},
		{"final,a_E=11", "final,a_E=11", "final,a_E=11", "time=5s"},
		{" my best :v12.7", "my best", "v12.7", "time=5s"},
	} {
		p, err := player.Parse(game, c.text, engines.Limits{Time: 5 * time.Second})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if p.Name != c.name || p.Player != c.player || p.Limits.String() != c.limits || len(p.Values) != len(game.Space) {
			t.Errorf("%q: %+v", c.text, p)
		}
	}
	for text, want := range map[string]string{
		":final":           "a name before the colon",
		"final@":           "a budget after the @",
		"final@speed=3":    "want depth=N",
		"finale":           "no preset",
		"x:final,a_Q=1":    "a_Q",
		"final@playouts=7": "the player of quoridor does not support a limit of playouts; it supports",
		"final@time=1ns":   "time=1ns: want 1ms to 24h0m0s",
	} {
		if _, err := player.Parse(game, text, engines.Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// TestCustomPlayerIsRefusedWithReason has custom players that cannot play; the error gives the
// reason.
func TestCustomPlayerIsRefusedWithReason(t *testing.T) {
	game, err := games.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	none := func(engines.Variant) (engines.Player, error) { return nil, nil }
	for _, c := range []struct {
		text, want string
		custom     []player.Custom
	}{
		{"custom:a", `"a" is given twice`, []player.Custom{{Name: "a", New: none}, {Name: "a", New: none}}},
		{"custom:", "want a Name, and New", []player.Custom{{New: none}}},
		{"custom:a", "want a Name, and New", []player.Custom{{Name: "a"}}},
		{"custom:a", "has no , and no @", []player.Custom{{Name: "a@b", New: none}}},
		{"custom:a,a_E=3", "Values: vector of 1 values for a space of", []player.Custom{{Name: "a", New: none, Values: params.Vector{1}}}},
		{"custom:a", "", []player.Custom{{Name: "a", New: none}}},
	} {
		p, err := player.Parse(game, c.text, engines.Limits{}, c.custom...)
		if c.want == "" && err == nil {
			_, err = p.Open(t.Context(), engines.Variant{}, 0, nil)
			c.want = "New returned neither"
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestIdentityIgnoresNames hashes values and limits, but no name.
func TestIdentityIgnoresNames(t *testing.T) {
	a := player.Config{Name: "a", Player: "x", Values: []float64{1, 2}, Limits: engines.Limits{Depth: 3}}
	b := player.Config{Name: "b", Player: "y", Values: []float64{1, 2}, Limits: engines.Limits{Depth: 3}}
	if a.Identity(nil) != b.Identity(nil) || !a.Same(b) {
		t.Error("one player under two names is two")
	}
	for _, other := range []player.Config{
		{Name: "a", Player: "x", Values: []float64{2, 1}, Limits: a.Limits},
		{Name: "a", Player: "x", Values: []float64{1, 2, 0}, Limits: a.Limits},
		{Name: "a", Player: "x", Values: a.Values, Limits: engines.Limits{Depth: 4}},
		{Name: "a", Player: "x", Values: a.Values},
	} {
		if a.Identity(nil) == other.Identity(nil) || a.Same(other) {
			t.Errorf("%+v is called the same player as %+v", other, a)
		}
	}
	// An added parameter at its default does not change the identity.
	space := params.Space{{Name: "u", Max: 9}, {Name: "v", Max: 9, Default: 2, Added: true}}
	early := player.Config{Values: []float64{1}, Limits: a.Limits}
	if a.Identity(space) != early.Identity(nil) {
		t.Error("a late parameter at its default makes another player")
	}
	if b.Values = []float64{1, 3}; b.Identity(space) == early.Identity(nil) || b.Identity(space) != b.Identity(nil) {
		t.Error("a late parameter away from its default makes no other player")
	}
}
