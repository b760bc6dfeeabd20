// Package levels holds ten levels of play for each game, from a beginner's to a grandmaster's.
// A level is a player whose strength was measured against the others. The weaker levels search
// little and overlook moves, as people do.
package levels

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// Prefix begins the text of a player that is a level: level:4 or level:club.
const Prefix = "level:"

// Level is a player of known strength.
type Level struct {
	Number  int    `json:"number"`  // from 1, the weakest
	Name    string `json:"name"`    // in English
	Chinese string `json:"chinese"` // the name in Chinese
	// Elo is above level 1. It comes from games between the levels of the game alone: it is not
	// the Elo of people, nor that of another program. SE is its standard error, measured over
	// Games games.
	Elo    float64        `json:"elo"`
	SE     float64        `json:"se"`
	Games  int            `json:"games"`
	Player string         `json:"player"` // preset, overrides and limits, as a user would write them
	Values params.Vector  `json:"-"`      // values of the game's space
	Limits engines.Limits `json:"-"`      // limits of each decision
}

// table has a line for each level of each game, the weakest first: game, player, Elo, standard
// error and games, as the published ladders levels-GAME measured them. A test writes it from the
// ladders.
//
//go:embed levels.txt
var table string

// names holds the names of the levels, the weakest first, in English and Chinese.
var names = [][2]string{{"beginner", "初学"}, {"novice", "入门"}, {"casual", "休闲"}, {"improver", "进步"}, {"club", "普通"},
	{"intermediate", "中级"}, {"advanced", "高级"}, {"expert", "高手"}, {"master", "名手"}, {"grandmaster", "大师"}}

// Of returns a game's levels, the weakest first; none if nobody measured them. An error means
// that the table does not fit the game.
func Of(game *engines.Game) (list []Level, err error) {
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) != 5 || fields[0] != game.Name {
			continue
		}
		l, err := read(game, len(list), fields[1:])
		if err != nil {
			return nil, fmt.Errorf("level %d of %s: %w", len(list)+1, game.Name, err)
		}
		list = append(list, l)
	}
	return list, nil
}

// read reads player, Elo, standard error and games of level i, counted from 0.
func read(game *engines.Game, i int, r []string) (l Level, err error) {
	l = Level{Number: i + 1, Name: names[i][0], Chinese: names[i][1], Player: r[0]}
	text, limits, _ := strings.Cut(l.Player, "@")
	if l.Limits, err = engines.ParseLimits(limits); err != nil {
		return l, err
	}
	words := strings.Split(text, ",")
	preset, err := game.Preset(words[0])
	if err != nil {
		return l, err
	}
	if l.Values, err = game.Space.Set(preset.Vector, words[1:]); err != nil {
		return l, err
	}
	if l.Elo, err = strconv.ParseFloat(r[1], 64); err != nil {
		return l, err
	}
	if l.SE, err = strconv.ParseFloat(r[2], 64); err != nil {
		return l, err
	}
	l.Games, err = strconv.Atoi(r[3])
	return l, err
}

// Find returns a game's level by its number, or its name in English or Chinese. The error lists
// the levels.
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
		var known []string
		for _, l := range list {
			known = append(known, l.Name)
		}
		return Level{}, fmt.Errorf("no level %q of %s: want 1 to %d, or %s", text, game.Name, len(list), strings.Join(known, ", "))
	}
	return list[i], nil
}

// Offer returns the number of a game's levels and a function that finds one as Find does, in
// the form that a served engine offers; see protocol.ServeOptions.
func Offer(game *engines.Game) (n int, find func(text string) (params.Vector, engines.Limits, error)) {
	list, err := Of(game)
	if err != nil {
		list = nil // find reports the error
	}
	return len(list), func(text string) (params.Vector, engines.Limits, error) {
		l, err := Find(game, text)
		return l.Values, l.Limits, err
	}
}
