package table

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/levels"
	"selfplaylab/params"
)

// Question is a question about a position.
type Question struct {
	Op       string `json:"op"` // "show", "why", "penalty", "best", "lines", "terms", "candidates", "clock", "opening", "write" or "read"
	Game     string `json:"game"`
	Rules    string `json:"rules"`    // "" for the default
	Position string `json:"position"` // where the moves start; "" is the initial one
	Moves    string `json:"moves"`    // separated by spaces

	Text   string `json:"text"`            // of "why": the move; of "read": the content of a file
	Preset string `json:"preset"`          // of "best", "lines", "terms" and "candidates"; "" is the default
	Values string `json:"values"`          // name=value,... on top of the preset
	Limits string `json:"limits"`          // of "best", "lines" and "candidates"; "" is the default
	Seed   uint64 `json:"seed,string"`     // of "best", "lines", "candidates" and "opening"
	Most   int    `json:"most,omitempty"`  // of "lines" and "candidates": the maximum number of moves; 0 is the default
	Plies  int    `json:"plies,omitempty"` // of "opening"; 0 is the default, below 0 none

	Format string  `json:"format,omitempty"` // of "write": a name of gamefile.Formats
	Record *record `json:"record,omitempty"` // of "write"
	Name   string  `json:"name,omitempty"`   // of "read": the name of the file

	// For "clock": a side's limits, the time left and the time of its move in milliseconds,
	// and the number of that move, from 1; 0 before the first.
	Clock string  `json:"clock,omitempty"`
	Left  float64 `json:"left,omitempty"`
	Took  float64 `json:"took,omitempty"`
	Made  int     `json:"made,omitempty"`
}

// Searches reports whether a player has to search for the answer, which may take long.
func (q Question) Searches() bool {
	return slices.Contains([]string{"best", "lines", "candidates"}, q.Op)
}

// record holds a game file's tags. Lists of two are by side.
type record struct {
	Players [2]string       `json:"players"`
	Opening int             `json:"opening"` // number of moves that were given, not chosen
	Outcome engines.Outcome `json:"outcome"` // of a game that the rules did not end
	Reason  engines.Reason  `json:"reason"`
	Date    time.Time       `json:"date"`
	Limits  string          `json:"limits"` // of each side: its clock; "" for none
	Left    []*float64      `json:"left"`   // seconds on the mover's clock after each move; nil for unknown
}

// vector reads the player's values.
func (q Question) vector(game *engines.Game) (params.Vector, error) {
	name := q.Preset
	if level, ok := strings.CutPrefix(name, levels.Prefix); ok {
		l, err := levels.Find(game, level)
		return l.Values, err
	}
	name = cmp.Or(name, game.DefaultPreset)
	preset, err := game.Preset(name)
	if err != nil || q.Values == "" {
		return preset.Vector, err
	}
	return game.Space.Set(preset.Vector, strings.Split(q.Values, ","))
}

// limits returns the limits of the player.
func (q Question) limits(game *engines.Game) (engines.Limits, error) {
	if level, ok := strings.CutPrefix(q.Preset, levels.Prefix); ok {
		l, err := levels.Find(game, level)
		return l.Limits, err
	}
	if q.Limits == "" {
		return game.Limits, nil
	}
	limits, err := engines.ParseLimits(q.Limits)
	if err == nil {
		err = game.CheckLimits(limits)
	}
	return limits, err
}
