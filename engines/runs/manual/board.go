package manual

import (
	"encoding/json"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/levels"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
)

// boardGame is a finished game as the board of a page describes it.
type boardGame struct {
	Game     string          `json:"game"`
	Rules    string          `json:"rules"`
	Position string          `json:"position"`
	Moves    string          `json:"moves"`
	Opening  int             `json:"opening"`
	Illegal  [2]int          `json:"illegal"` // illegal actions, by side
	Outcome  engines.Outcome `json:"outcome"`
	Reason   engines.Reason  `json:"reason"`
	First    string          `json:"first"` // a preset, level:NUMBER, =name=value,..., engine:NAME or "" for a person
	Second   string          `json:"second"`
	Limits   string          `json:"limits"`
}

// readBoard reads a finished game from the JSON of a board.
func readBoard(data []byte) (runs.Config, error) {
	var r boardGame
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	v, err := runs.Known(r.Game, r.Rules)
	if err != nil {
		return nil, err
	}
	a := &Config{Variant: v, Game: &play.Game{
		Position: r.Position, Opening: r.Opening, Moves: r.Moves, Plies: len(strings.Fields(r.Moves)),
		Outcome: r.Outcome, Reason: r.Reason, Illegal: r.Illegal,
	}}
	limits, err := engines.ParseLimits(r.Limits)
	if err != nil {
		return nil, err
	}
	if a.First, err = seatOf(v.Game, r.First, runs.Budget(v.Game, limits)); err != nil {
		return nil, err
	}
	a.Second, err = seatOf(v.Game, r.Second, runs.Budget(v.Game, limits))
	return a, err
}

// seatOf reads who played a side.
func seatOf(game *engines.Game, text string, limits engines.Limits) (Seat, error) {
	if text == "" {
		return Seat{}, nil
	}
	if strings.HasPrefix(text, player.EnginePrefix) {
		return Seat{Player: text, Limits: limits}, nil
	}
	if level, ok := strings.CutPrefix(text, levels.Prefix); ok {
		l, err := levels.Find(game, level)
		return Seat{Player: text, Values: l.Values, Limits: l.Limits}, err
	}
	name, values, tuned := text, "", false
	if values, tuned = strings.CutPrefix(text, "="); tuned {
		name = game.DefaultPreset
	}
	preset, err := game.Preset(name)
	if err != nil {
		return Seat{}, err
	}
	s := Seat{Player: preset.Name, Values: preset.Vector, Limits: limits}
	if tuned {
		s.Player = "tuned"
		s.Values, err = game.Space.Set(preset.Vector, strings.Split(values, ","))
	}
	return s, err
}
