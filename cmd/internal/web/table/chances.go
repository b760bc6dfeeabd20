package table

import (
	_ "embed"
	"fmt"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/levels"
)

// reviewLevel is the level that reviews games: strong, and fast enough for every position of a game.
const reviewLevel = 8

// reviewer is the player that reviews games, with the meaning of its scores. The fitted chance
// to win is 1/(1+exp(-Slope*score)). A score that is a chance enters as its log-odds.
type reviewer struct {
	Preset string `json:"preset"`
	Name   string `json:"name"`
	Rules  string `json:"rules"` // the canonical rules of the levels and the fitted games
	// Slope is fitted to the results of Games games of the player against itself; SE is its
	// standard error by games. A slope of 0 means that there are no such games.
	Slope float64 `json:"slope"`
	SE    float64 `json:"se"`
	Games int     `json:"games"`
	// Fitted is the player of these games: Name, unless level and table differ.
	Fitted string `json:"-"`
}

// chances has a line for each game: its name, slope, standard error, games and their player.
//
//go:embed chances.txt
var chances string

// reviewerOf returns the reviewer of a game: its player against people if it has no levels.
func reviewerOf(g *engines.Game, list []levels.Level) reviewer {
	r := reviewer{Preset: g.PlayerPreset(), Name: g.PlayerPreset()}
	if len(list) < reviewLevel {
		return r
	}
	r.Preset, r.Name = fmt.Sprint(levels.Prefix, reviewLevel), list[reviewLevel-1].Player
	if v, err := g.OpenText(""); err == nil {
		r.Rules = v.Rules
	}
	for line := range strings.Lines(chances) {
		if rest, ok := strings.CutPrefix(line, g.Name+" "); ok {
			_, _ = fmt.Sscan(rest, &r.Slope, &r.SE, &r.Games, &r.Fitted) // a test reads the same lines
		}
	}
	return r
}
