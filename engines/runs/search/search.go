// Package search is the comparison of searches: players choose a move in the
// same positions, one search at a time, and their nodes, time and agreement are compared.
// No game is played.
package search

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
)

// Name of the kind, in run.toml and experiment files.
const Name = "search"

// defaultPositions are searched unless the configuration says otherwise.
const defaultPositions = 20

// Kind returns the kind.
func Kind() runs.Kind {
	return runs.Kind{
		Name: Name, Short: "compare searches on the same positions: nodes, time, agreement",
		Command: command(), Files: []string{oldFile},
		New:  func() runs.Config { return New() },
		Spec: func() runs.Spec { return &Spec{} },
	}
}

// Config is a comparison in the user's words. Of a Conduct it has what bears on
// positions; no game ends here.
type Config struct {
	runs.Game
	Player       []string       `toml:"player" arg:"PLAYER" help:"[NAME:]PRESET or [NAME:]FILE.toml, with ,name=value overrides and @BUDGET (repeatable; default: the game's player)"`
	Limits       engines.Limits `toml:"limits" arg:"BUDGET" help:"budget of each decision for players without @BUDGET, such as depth=3, nodes=20000, playouts=500 or time=1s (default: set by the game)"`
	Positions    *int           `toml:"positions" arg:"N" help:"positions to search (default 20); an openings file sets an upper limit"`
	Openings     string         `toml:"openings" arg:"FILE" help:"random (drawn from the seed), or a file with one opening a line; the position after each opening is searched"`
	OpeningPlies *int           `toml:"opening_plies" arg:"N" help:"number of random plies that lead to each position (default: set by the game)"`
	Seed         uint64         `toml:"seed" arg:"N" help:"seed of all randomness"`
}

// New returns a comparison with the defaults.
func New() *Config {
	return &Config{Openings: runs.RandomOpenings, Seed: runs.DefaultMatchRules().Seed}
}

// Spec is the [spec] table of a comparison's run.toml. Of the Terms the openings
// alone have a meaning.
type Spec struct {
	Players   []player.Config `toml:"player"` // no two of equal name and limits
	Positions int             `toml:"positions"`
	runs.Terms
}

// Plan implements run.Config.
func (a *Config) Plan() (*runs.Plan, error) {
	v, err := a.Variant(a.Player...)
	if err != nil {
		return nil, err
	}
	s := &Spec{}
	if s.Players, err = a.players(v.Game); err != nil {
		return nil, err
	}
	conduct := runs.DefaultMatchRules()
	conduct.Openings, conduct.OpeningPlies, conduct.Seed = a.Openings, a.OpeningPlies, a.Seed
	p := &runs.Plan{Kind: Kind(), Variant: v, Seed: a.Seed, Spec: s, Players: s.Players, Moves: datasets.TimeMoves}
	if s.Terms, p.Book, err = conduct.Check(v, s.Players); err != nil {
		return nil, err
	}
	s.Positions = defaultPositions
	switch {
	case a.Positions != nil:
		s.Positions = *a.Positions
	case s.InOrder():
		s.Positions = min(s.Positions, s.OpeningCount)
	}
	return p, s.checkPositions()
}

// players reads the players, of which the game's own is the default. A budget
// that stands in a name has a column of its own and is left out.
func (a *Config) players(game *engines.Game) ([]player.Config, error) {
	texts := a.Player
	if len(texts) == 0 {
		texts = []string{game.DefaultPreset}
	}
	var list []player.Config
	for _, text := range texts {
		e, err := runs.Seat(game, "player", text, "limits", runs.Budget(game, a.Limits))
		if err != nil {
			return nil, err
		}
		if !e.Limits.Clock.IsZero() {
			return nil, config.Errorf("player", "%q: a search of single positions has no clock for a game; want a time a move, such as time=1s",
				text)
		}
		if i := strings.LastIndexByte(e.Name, '@'); i > 0 {
			e.Name = e.Name[:i]
		}
		list = append(list, e)
	}
	return list, config.Wrap("player", checkPlayers(list))
}

// checkPlayers reports players that tables could not tell apart.
func checkPlayers(list []player.Config) error {
	if len(list) == 0 {
		return fmt.Errorf("no players")
	}
	for i, e := range list {
		if slices.ContainsFunc(list[:i], func(o player.Config) bool { return o.Name == e.Name && o.Limits == e.Limits }) {
			return fmt.Errorf("%s: there is a player of that name and budget already; give it another name, such as second:%s", e.Name, e.Name)
		}
	}
	return nil
}

func (s *Spec) checkPositions() error {
	switch {
	case s.Positions < 1:
		return config.Errorf("positions", "%d: want at least 1", s.Positions)
	case s.Positions > runs.MaxPairs:
		return config.Errorf("positions", "%d: want at most %d", s.Positions, int64(runs.MaxPairs))
	case s.InOrder() && s.Positions > s.OpeningCount:
		return config.Errorf("positions", "%d: %s holds %d openings; want at most that many", s.Positions, s.Openings, s.OpeningCount)
	}
	return nil
}

// Check implements run.Spec.
func (s *Spec) Check(v engines.Variant) error {
	for _, p := range s.Players {
		if err := p.Check(v.Game); err != nil {
			return err
		}
	}
	if err := checkPlayers(s.Players); err != nil {
		return err
	}
	if err := s.CheckTerms(s.Players); err != nil {
		return err
	}
	return s.checkPositions()
}

// Limits implements run.Spec.
func (s *Spec) Limits() string { return runs.LimitsOf(s.Players...) }

// Words implements run.Spec.
func (s *Spec) Words(v engines.Variant) []string {
	var words []string
	for _, p := range s.Players {
		words = append(words, "--player", runs.PlayerWord(v, p))
	}
	words = append(words, "--positions", strconv.Itoa(s.Positions))
	if s.InOrder() { // the name of the file does not matter
		return append(words, "--openings", "sha256:"+s.OpeningsHash)
	}
	return append(words, "--opening-plies", strconv.Itoa(s.OpeningPlies))
}

// Setup implements runs.Spec.
func (s *Spec) Setup() (runs.Setup, error) {
	return runs.Setup{Unmergeable: errors.New("is a comparison of searches, which plays no games: there is nothing to merge")}, nil
}

// total is the number of searches.
func (s *Spec) total() int { return s.Positions * len(s.Players) }

// Repeatable reports whether no clock bounds a search.
func (s *Spec) Repeatable() bool { return runs.Repeatable(s.Players...) }
