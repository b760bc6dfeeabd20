package games_test

import (
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/games"
	"selfplaylab/engines/gametest"
	"selfplaylab/engines/testmode"
)

// edges holds rules worth a test that no option lists: the ends of ranges.
var edges = map[string][]string{
	"gobang":      {"size=5", "size=22"},
	"connectfour": {"rows=4,cols=4,forbidden=3:0", "rows=12,cols=12", "rows=6,cols=7,forbidden=none"},
	"chess":       {"fifty=1", "repetition=0,max_moves=40"},
	"mills":       {"no_capture=1", "no_capture=0,repetition=0", "preset=chengsan9,fly_at=3,reform=restricted,capture=may"},
}

// TestGamesKeepTheContract checks every game by package gametest, in the long form also at the
// edges.
func TestGamesKeepTheContract(t *testing.T) {
	for _, g := range games.Games() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			var more []string
			if testmode.Long() {
				more = edges[g.Name]
			}
			gametest.Run(t, g, more...)
		})
	}
}

func TestNamesListEveryGameOnce(t *testing.T) {
	names := games.Names()
	if len(names) == 0 || len(names) != len(games.Games()) {
		t.Fatalf("%d names of %d games", len(names), len(games.Games()))
	}
	for i, name := range names {
		if slices.Index(names, name) != i {
			t.Errorf("game %s is listed twice", name)
		}
		if g, err := games.Find(name); err != nil || g.Name != name {
			t.Errorf("Find(%q): %v", name, err)
		}
	}
}

func TestFindSuggestsNearNames(t *testing.T) {
	for _, c := range []struct {
		name string
		want []string
	}{
		{"quoridr", []string{`"quoridr"`, "did you mean quoridor?"}},
		{"Quoridor", []string{`"Quoridor"`, "did you mean quoridor?"}},
		{"", append([]string{`""`}, games.Names()...)},
		{"backgammon-with-dice", append([]string{`"backgammon-with-dice"`}, games.Names()...)},
	} {
		_, err := games.Find(c.name)
		if err == nil {
			t.Errorf("Find(%q) found a game", c.name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("Find(%q): %v; want %s in it", c.name, err, want)
			}
		}
	}
}
