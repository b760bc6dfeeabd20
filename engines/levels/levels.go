// Package levels holds ten levels of play for each game, from a beginner's to a
// grandmaster's: players whose strength was measured against each other. The weaker ones
// see little and overlook moves, as people do.
package levels

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/reports/published"
)

// Prefix begins the text of a player that is a level: level:4 or level:club.
const Prefix = "level:"

// Level is a player of known strength.
type Level struct {
	Number  int    `json:"number"` // from 1, the weakest
	Name    string `json:"name"`
	Chinese string `json:"chinese"`
	// Elo is relative to the game's level at 0, its standard error SE of Games games.
	Elo    float64        `json:"elo"`
	SE     float64        `json:"se"`
	Games  int            `json:"games"`
	Values params.Vector  `json:"-"` // of the game's space
	Limits engines.Limits `json:"-"` // of each decision
}

// chinese are the names of the levels, the weakest first.
var chinese = []string{"初学", "入门", "休闲", "进步", "普通", "中级", "高级", "高手", "名手", "大师"}

// Of returns a game's levels, the weakest first; none if they were not measured.
func Of(game *engines.Game) ([]Level, error) {
	l, err := published.ReadLevels(game.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		l, err = l.Extend(game.Space.Names(), game.Space.Default())
	}
	if err != nil {
		return nil, fmt.Errorf("levels of %s: %w", game.Name, err)
	}
	var list []Level
	for i, r := range l.Rungs {
		limits, err := engines.ParseLimits(r.Limits)
		if err != nil {
			return nil, fmt.Errorf("level %s of %s: %w", r.Name, game.Name, err)
		}
		list = append(list, Level{i + 1, r.Name, chinese[i], r.Elo, r.SE, r.Games, r.Values, limits})
	}
	return list, nil
}

// Find returns a game's level by its number or name.
func Find(game *engines.Game, text string) (Level, error) {
	list, err := Of(game)
	if err != nil {
		return Level{}, err
	}
	i := slices.IndexFunc(list, func(l Level) bool {
		return strconv.Itoa(l.Number) == text || strings.EqualFold(l.Name, text) || l.Chinese == text
	})
	switch {
	case len(list) == 0:
		return Level{}, fmt.Errorf("%s has no levels", game.Name)
	case i < 0:
		names := make([]string, len(list))
		for i, l := range list {
			names[i] = l.Name
		}
		return Level{}, fmt.Errorf("no level %q of %s: want 1 to %d, or %s", text, game.Name, len(list), strings.Join(names, ", "))
	}
	return list[i], nil
}
