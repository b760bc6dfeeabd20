package levels_test

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/levels"
	"selfplaylab/engines/player"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports/published"
)

// shortest is the least size of steps that were measured below 120 Elo, by game and upper level.
var shortest = map[string]float64{"quoridor 7": 113}

// TestGamesHaveTenRisingLevels checks the games of the toolkit: their levels are ordinary
// players of rising strength, in steps a person can climb.
func TestGamesHaveTenRisingLevels(t *testing.T) {
	measured := 0
	for _, game := range games.Games() {
		list, err := levels.Of(game)
		if err == nil && len(list) == 0 {
			continue // an added game without measured levels
		}
		if measured++; err != nil || len(list) != 10 {
			t.Fatalf("%s: %d levels, %v", game.Name, len(list), err)
		}
		if list[0].Elo != 0 || list[0].Name != "beginner" || list[9].Name != "grandmaster" || list[9].Elo < 1000 {
			t.Errorf("%s: levels from %s %+.0f to %s %+.0f", game.Name, list[0].Name, list[0].Elo, list[9].Name, list[9].Elo)
		}
		for i, l := range list {
			step := l.Elo - list[max(i-1, 0)].Elo
			least := cmp.Or(shortest[fmt.Sprintf("%s %d", game.Name, l.Number)], 120)
			if i > 0 && (step < least || step > 250) {
				t.Errorf("%s: level %d is %.0f Elo above level %d, want %.0f to 250", game.Name, l.Number, step, i, least)
			}
			if err := game.CheckLimits(l.Limits); err != nil {
				t.Error(err)
			}
			seat, err := player.Parse(game, l.Player, game.Limits)
			if limits := seat.Limits; err != nil || !slices.Equal(seat.Values, l.Values) || limits != l.Limits && l.Limits != (engines.Limits{}) {
				t.Errorf("%s: level %d is not its player %s: %+v, %v", game.Name, l.Number, l.Player, seat, err)
			}
			for _, text := range []string{"level:" + l.Name, "level:" + l.Chinese, "easy:level:" + strings.ToUpper(l.Name)} {
				e, err := player.Parse(game, text, game.Limits)
				if err != nil || !slices.Equal(e.Values, l.Values) || e.Limits != l.Limits {
					t.Errorf("%s: %+v, %v", text, e, err)
				}
			}
		}
	}
	if measured < 5 {
		t.Errorf("%d games have levels, want 5", measured)
	}
}

// TestLevelsAreRungsOfPublishedLadders compares the table of levels with the published ladders that
// measured them, or writes it.
func TestLevelsAreRungsOfPublishedLadders(t *testing.T) {
	var table strings.Builder
	for _, game := range games.Games() {
		name := "levels-" + game.Name + "/" + published.LadderName
		data, err := fs.ReadFile(published.Files(), name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		ladder, err := published.DecodeLadder(name, data)
		if err == nil {
			ladder, err = ladder.Extend(game.Space.Names(), game.Space.Default())
		}
		if err != nil {
			t.Fatal(err)
		}
		list, err := levels.Of(game)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range ladder.Rungs {
			text := r.Player
			if r.Limits != "" {
				text += "@" + r.Limits
			}
			fmt.Fprintln(&table, game.Name, text, r.Elo, r.SE, r.Games)
			if !testmode.Update() && (i >= len(list) || r.Name != list[i].Name || !slices.Equal(r.Values, list[i].Values) || r.Limits != list[i].Limits.String()) {
				t.Errorf("%s: rung %d, %s, is not the level", name, i+1, r.Name)
			}
		}
	}
	testmode.Golden(t, "levels.txt", []byte(table.String()))
}

// TestUnknownLevelIsRefused rejects a level that does not exist; the error lists the others.
func TestUnknownLevelIsRefused(t *testing.T) {
	game, err := games.Find("mills")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"level:11":        "want 1 to 10, or beginner, novice",
		"level:":          "want 1 to 10",
		"level:4@depth=2": "a level has limits of its own",
	} {
		if _, err := player.Parse(game, text, engines.Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
	if _, err := levels.Find(&engines.Game{Name: "none"}, "1"); err == nil || !strings.Contains(err.Error(), "has no levels") {
		t.Error(err)
	}
}
