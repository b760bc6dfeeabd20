// Package tournament is many players rated together: everybody against everybody,
// one against all others, or each against its neighbours in the list. A ladder is such
// a tournament, too: one player against opponents from weak to strong whose ratings were
// measured once, or the measuring of them. The standing is a tournament's, the scale is
// the ladder's.
package tournament

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// kindName of the kind, in run.toml and experiment files.
const kindName = "tournament"

const (
	// defaultPairs is the default number of pairs of each pairing.
	defaultPairs = 200
	// defaultRound is how many of them are played before the next pairing's turn.
	defaultRound = 32
)

// The schedules.
const (
	scheduleRoundRobin = "round robin"
	scheduleGauntlet   = "gauntlet"   // the games of Config.Gauntlet alone
	scheduleNeighbours = "neighbours" // pairs of players up to Config.Neighbours places apart
)

// Config is the runs.Config of a tournament.
type Config struct {
	runs.Game  `toml:"-"`
	Players    []player.Config `group:"Players" toml:"player" flag:"player,named" label:"Players" arg:"PLAYER" help:"[NAME:]PRESET, FILE.toml or engine:FILE.toml, with ,name=value overrides and @BUDGET (repeatable; default: the original presets except the bad one)"`
	Schedule   string          `toml:"schedule" flag:"-"`
	Gauntlet   string          `group:"Length and stopping" toml:"hero" flag:"gauntlet" label:"Only the pairings of" arg:"NAME" help:"play only the pairings of the player with this name"`
	Neighbours int             `toml:"reach,omitempty" flag:"neighbours" label:"Distance in the list" arg:"N" help:"play only the pairings of players at most N places apart in the list"`
	Pairs      int             `toml:"pairs" arg:"N" help:"game pairs of each pairing (default 200); an openings file sets an upper limit"`
	Round      int             `toml:"round" label:"Pairs a round" arg:"N" help:"game pairs of each pairing per round"`
	Limits     engines.Limits  `group:"Players" toml:"-" flag:"limits" label:"Budget" arg:"BUDGET" help:"budget of each decision for players without @BUDGET, such as depth=3, nodes=20000 or time=1s, or a clock such as tc=8+0.08 (default: set by the game)"`
	Anchor     string          `toml:"anchor" label:"Player at 0 Elo" arg:"NAME" help:"player at 0 Elo (default: the game's default preset if it plays with default limits, else the first player)"`
	runs.MatchRules
}

// New returns a tournament with the defaults.
func New() *Config {
	return &Config{Neighbours: config.Unset, Pairs: config.Unset, Round: defaultRound, MatchRules: runs.DefaultMatchRules()}
}

// schedule fills in the settings that gauntlet and neighbours imply.
func (c *Config) schedule() error {
	neighbours := c.Neighbours != config.Unset
	switch {
	case c.Gauntlet != "" && neighbours:
		return config.Errorf("gauntlet", "%s: neighbours are asked for too; want one of the two", c.Gauntlet)
	case c.Gauntlet != "":
		c.Schedule, c.Neighbours = scheduleGauntlet, 0
	case neighbours:
		c.Schedule = scheduleNeighbours
	default:
		c.Schedule, c.Neighbours = scheduleRoundRobin, 0
	}
	return nil
}

// players returns the given players, by default the standard presets without the weak one.
func (c *Config) players(game *engines.Game) []player.Config {
	if len(c.Players) > 0 {
		return c.Players
	}
	var list []player.Config
	for _, p := range game.StandardPresets() {
		if p.Name != game.WeakPreset {
			list = append(list, player.Ask(p.Name))
		}
	}
	return list
}

// resolvePlayers reads a list of players, as player.Parse does. limits are for players without
// their own. Errors name the field player.
func resolvePlayers(game *engines.Game, cfg []player.Config, limits engines.Limits, custom ...player.Custom) ([]player.Config, error) {
	var list []player.Config
	for _, one := range cfg {
		e, err := runs.Seat(game, "player", one, "limits", limits, custom...)
		if at, ok := errors.AsType[*config.Error](err); ok && at.Field == "player" {
			at.Err = fmt.Errorf("%q: %w", one.Player, at.Err)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	if len(list) == 1 {
		return nil, config.Wrap("player", errors.New("a tournament of one: want at least two"))
	}
	return list, config.Wrap("player", cmp.Or(player.CheckNames(list), distinct(list)))
}

// distinct reports two pairings with one name, because tables could not distinguish their rows.
func distinct(list []player.Config) error {
	t, seen := schedule.Tournament{Players: list}, map[string]string{}
	for _, p := range schedule.RoundRobin(len(list)) {
		name, a := t.Phase(p), list[p.A].Name
		if other, ok := seen[name]; ok {
			return fmt.Errorf("two pairings are named %q, those of %q and of %q: give one of them another name", name, other, a)
		}
		seen[name] = a
	}
	return nil
}

// anchorOf chooses the player at 0 Elo: the one named, else the game's default
// preset with its default limits, else the first.
func anchorOf(game *engines.Game, players []player.Config, name string) (string, error) {
	if name == "" {
		name = players[0].Name
		for _, p := range players {
			if p.Player == game.DefaultPreset && p.Limits == game.Limits {
				name = p.Name
				break
			}
		}
	}
	return name, among("anchor", name, players)
}

// among reports whether a field names one of the players.
func among(field, name string, players []player.Config) error {
	names := namesOf(players)
	if slices.Contains(names, name) {
		return nil
	}
	return config.Errorf(field, "%q is none of the players%s", name, params.Suggest(name, names))
}

func namesOf(players []player.Config) []string {
	return text.Each(players, func(p player.Config) string { return p.Name })
}

// check reports the first thing wrong with the schedule.
func (c *Config) check() error {
	if err := c.CheckPairs("pairs", c.Pairs); err != nil {
		return err
	}
	switch {
	case c.Round < 1:
		return config.Errorf("round", "%d: want at least 1", c.Round)
	case c.Round > runs.MaxInTrial:
		return config.Errorf("round", "%d: want at most %d: longer matches have more rounds", c.Round, runs.MaxInTrial)
	case c.Schedule == scheduleNeighbours && c.Neighbours < 1:
		return config.Errorf("neighbours", "%d: want at least 1", c.Neighbours)
	case c.Schedule == scheduleGauntlet:
		if err := among("gauntlet", c.Gauntlet, c.Players); err != nil {
			return err
		}
	}
	_, err := c.Tournament()
	return err
}

func (c *Config) Check(v engines.Variant) error {
	if !slices.Contains([]string{scheduleRoundRobin, scheduleGauntlet, scheduleNeighbours}, c.Schedule) {
		return fmt.Errorf("schedule = %q: want %s, %s or %s", c.Schedule, scheduleRoundRobin, scheduleGauntlet, scheduleNeighbours)
	}
	if err := errors.Join(among("anchor", c.Anchor, c.Players), c.CheckRules(v.Game, c.Players)); err != nil {
		return err
	}
	return c.check()
}

// Tournament returns the schedule of the spec, from its beginning.
func (c *Config) Tournament() (*schedule.Tournament, error) {
	n := len(c.Players)
	t := &schedule.Tournament{Players: c.Players, Pairs: c.Pairs, Round: c.Round, InOrder: c.InOrder()}
	switch c.Schedule {
	case scheduleGauntlet:
		t.Pairings = schedule.Gauntlet(n, slices.Index(namesOf(c.Players), c.Gauntlet))
	case scheduleNeighbours:
		t.Pairings = schedule.Neighbours(n, c.Neighbours)
	default:
		t.Pairings = schedule.RoundRobin(n)
	}
	return t, t.Check()
}

func (c *Config) Budgets() string { return runs.LimitsOf(c.Players...) }

func (c *Config) Setup() (runs.Setup, error) {
	other := func(s config.Setting) bool {
		return s.Of(&c.Gauntlet) && c.Schedule != scheduleGauntlet || s.Of(&c.Neighbours) && c.Schedule != scheduleNeighbours
	}
	return runs.Setup{UsefulCores: c.UsefulCores, Implied: other}, nil
}

// UsefulCores implements runs.Setup.UsefulCores.
func (c *Config) UsefulCores() (cores int, limit string) {
	t, err := c.Tournament()
	if err != nil { // Check has returned the error
		return 1, err.Error()
	}
	return runs.FeedsUnordered(t.Games() / 2)
}

func (c *Config) Play(ctx context.Context, session *runs.Session) error {
	t, err := c.Tournament()
	if err != nil {
		return err
	}
	t.Space = session.Head.Variant.Game.Space
	err = session.Run(ctx, t)
	if fault, ok := errors.AsType[*schedule.FaultError](err); ok {
		return fmt.Errorf("%s, round %d: %w", fault.Phase, int(fault.Trial)/len(t.Pairings)+1, err)
	}
	return err
}

// clockWarnings warn before games that do not repeat.
func clockWarnings(players []player.Config) []string {
	if runs.Repeatable(players...) {
		return nil
	}
	return []string{runs.Unrepeatable(byTheClock, players...)}
}
