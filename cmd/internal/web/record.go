package web

import (
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/manual"
	"selfplaylab/params"
)

// Record is a game as the board that it was played on tells it.
type Record struct {
	Game     string          `json:"game"`
	Rules    string          `json:"rules"`
	Position string          `json:"position"`
	Moves    string          `json:"moves"`
	Opening  int             `json:"opening"`
	Illegal  [2]int          `json:"illegal"` // actions that were not allowed, by side
	Outcome  engines.Outcome `json:"outcome"`
	Reason   engines.Reason  `json:"reason"`
	First    string          `json:"first"` // a preset, =name=value,..., engine:NAME or "" for a person
	Second   string          `json:"second"`
	Limits   string          `json:"limits"`
}

// asked is the game as it is kept.
func (r Record) asked() (*manual.Config, error) {
	v, err := games.Open(r.Game, r.Rules)
	if err != nil {
		return nil, err
	}
	a := &manual.Config{Variant: v, Game: play.Game{
		Position: r.Position, Opening: r.Opening, Moves: r.Moves, Plies: len(strings.Fields(r.Moves)), Outcome: r.Outcome, Reason: r.Reason, Illegal: r.Illegal,
	}}
	limits, err := engines.ParseLimits(r.Limits)
	if err != nil {
		return nil, err
	}
	for i, text := range []string{r.First, r.Second} {
		if a.Seats[i], err = seatOf(v.Game, text, runs.Budget(v.Game, limits)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func seatOf(game *engines.Game, text string, limits engines.Limits) (manual.Seat, error) {
	if text == "" {
		return manual.Seat{}, nil
	}
	if strings.HasPrefix(text, player.EnginePrefix) {
		return manual.Seat{Player: text, Limits: limits}, nil
	}
	name, values, tuned := text, "", false
	if values, tuned = strings.CutPrefix(text, "="); tuned {
		name = game.DefaultPreset
	}
	preset, err := game.Preset(name)
	if err != nil {
		return manual.Seat{}, err
	}
	s := manual.Seat{Player: preset.Name, Values: preset.Vector, Limits: limits}
	if tuned {
		s.Player = "tuned"
		s.Values, err = game.Space.Set(preset.Vector, strings.Split(values, ","))
	}
	return s, err
}

// valuesOf writes a vector as overrides.
func valuesOf(game *engines.Game, v params.Vector) string {
	var words []string
	for i, p := range game.Space {
		words = append(words, p.Name+"="+p.Format(v[i]))
	}
	return strings.Join(words, ",")
}
