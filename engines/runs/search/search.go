// Package search is the comparison of searches: players choose a move in the
// same positions, one search at a time, and their nodes, time and agreement are compared.
// No game is played.
package search

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
)

// kindName of the kind, in run.toml and experiment files.
const kindName = "search"

// defaultPositions is the default number of positions.
const defaultPositions = 20

// searchConfig is the runs.Config of a comparison. It has the rules of matches that concern
// positions, since no game is played to its end.
type searchConfig struct {
	runs.Game       `toml:"-"`
	Players         []player.Config `group:"Players" toml:"player" label:"Players" arg:"PLAYER" help:"[NAME:]PRESET or [NAME:]FILE.toml, with ,name=value overrides and @BUDGET (repeatable; default: the game's player)"` // no two of equal name and limits
	Limits          engines.Limits  `toml:"-" flag:"limits" label:"Budget" arg:"BUDGET" help:"budget of each decision for players without @BUDGET, such as depth=3, nodes=20000, playouts=500 or time=1s (default: set by the game)"`
	Positions       int             `group:"Length and stopping" toml:"positions" arg:"N" help:"positions to search: those after each opening (default 20); an openings file sets an upper limit"`
	runs.MatchRules `only:"openings,opening_plies,seed"`
}

// newConfig returns a comparison with the defaults.
func newConfig() *searchConfig {
	return &searchConfig{Positions: config.Unset, MatchRules: runs.DefaultMatchRules()}
}

// players reads the players, by default the game's. A budget in a name has a column and is left out
// of the name.
func (s *searchConfig) players(game *engines.Game) ([]player.Config, error) {
	cfg := s.Players
	if len(cfg) == 0 {
		cfg = player.AskAll(game.DefaultPreset)
	}
	var list []player.Config
	for _, one := range cfg {
		e, err := runs.Seat(game, "player", one, "limits", s.Limits)
		if err != nil {
			return nil, err
		}
		if !e.Limits.Clock.IsZero() {
			return nil, config.Errorf("player", "%q: a search of single positions has no clock for a game; want a time a move, such as time=1s",
				one.Player)
		}
		if i := strings.LastIndexByte(e.Name, '@'); i > 0 {
			e.Name = e.Name[:i]
		}
		list = append(list, e)
	}
	return list, config.Wrap("player", checkPlayers(list))
}

// checkPlayers reports players with equal names and budgets, which tables could not distinguish.
func checkPlayers(list []player.Config) error {
	if len(list) == 0 {
		return fmt.Errorf("no players")
	}
	for i, e := range list {
		if slices.ContainsFunc(list[:i], func(o player.Config) bool { return o.Name == e.Name && o.Limits == e.Limits }) {
			return fmt.Errorf("%s: there is a player of that name and budget already; give it another name, such as second:%s", e.Name, e.Player)
		}
	}
	return nil
}

func (s *searchConfig) checkPositions() error {
	switch {
	case s.Positions < 1:
		return config.Errorf("positions", "%d: want at least 1", s.Positions)
	case s.Positions > runs.MaxPairs:
		return config.Errorf("positions", "%d: want at most %d", s.Positions, int64(runs.MaxPairs))
	case s.InOrder() && s.Positions > s.OpeningCount:
		return config.Errorf("positions", "%d: %s holds %s; want at most that many", s.Positions, s.Openings, s.Holds())
	}
	return nil
}

func (s *searchConfig) Check(v engines.Variant) error {
	if err := checkPlayers(s.Players); err != nil {
		return err
	}
	if err := s.CheckRules(v.Game, s.Players); err != nil {
		return err
	}
	return s.checkPositions()
}

func (s *searchConfig) Budgets() string { return runs.LimitsOf(s.Players...) }

func (s *searchConfig) Setup() (runs.Setup, error) {
	return runs.Setup{}, nil
}

// total returns the number of searches.
func (s *searchConfig) total() int { return s.Positions * len(s.Players) }

// repeatable reports whether no clock bounds a search.
func (s *searchConfig) repeatable() bool { return runs.Repeatable(s.Players...) }
