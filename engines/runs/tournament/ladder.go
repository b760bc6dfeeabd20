package tournament

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports/published"
)

// ladderName of the kind, in run.toml and experiment files.
const ladderName = "ladder"

const (
	// defaultRounds is the default number of rounds against each rung.
	defaultRounds = 50
	// roundPairs is how many pairs a rung plays before the next one's turn.
	roundPairs = 16
	// defaultNeighbours is the distance in the list up to which the rungs of a calibration meet.
	defaultNeighbours = 2
	// hashPrefix begins a ladder that is named by the SHA-256 of its file.
	hashPrefix = "sha256:"
)

// LadderConfig is the runs.Config of a challenge, or of a calibration.
type LadderConfig struct {
	runs.Game `toml:"-"`
	// Players are the rungs to measure; or the challenger alone.
	Players   []player.Config `group:"Players" toml:"player" flag:"player,named" label:"Players" arg:"PLAYER" help:"[NAME:]PRESET, FILE.toml or engine:FILE.toml, with ,name=value overrides and @BUDGET; with --calibrate one for each rung (repeatable)"`
	Calibrate bool            `toml:"calibrate,omitempty" label:"Measure the rungs" help:"measure the ratings of the rungs themselves: those of the ladder, or the players given"`
	Anchor    string          `toml:"anchor" label:"Player at 0 Elo" arg:"NAME" help:"with --calibrate: the rung at 0 Elo (default: the ladder's anchor, or the game's default player)"`
	File      string          `toml:"file,omitempty" flag:"ladder" arg:"FILE" help:"a calibrated ladder.toml (default: the published ladder of the game)"`
	Against   string          `toml:"against" label:"Only against" arg:"NAME" help:"play only against the rung of this name"`
	// Neighbours is 0 in a challenge, and in a calibration with defaultNeighbours.
	Neighbours int `group:"Length and stopping" toml:"reach,omitempty" flag:"neighbours" label:"Distance in the list" arg:"N" help:"with --calibrate: play only the pairings of rungs at most N places apart in the list (default 2)"`
	Rounds     int `toml:"rounds" arg:"N" help:"rounds against each rung (default 50); a round is one opening with colours swapped, so 2 games"`
	// Ladder is the ladder that the challenger plays, in full, so that later publications
	// do not change the run's result. Nil for a calibration.
	Ladder *published.Ladder `toml:"ladder,omitempty" flag:"-"`
	runs.MatchRules
}

// NewLadder returns a challenge with the defaults.
func NewLadder() *LadderConfig {
	return &LadderConfig{Neighbours: config.Unset, Rounds: config.Unset, MatchRules: runs.DefaultMatchRules()}
}

// challenge is one player against the rungs of a ladder, under its rules.
func (s *LadderConfig) challenge(v engines.Variant) (engines.Variant, error) {
	l, err := s.find(v.Game)
	if err != nil {
		return v, err
	}
	if s.Rules != "" && v.Rules != l.Rules {
		return v, config.Errorf("rules",
			"%s: the ladder was measured under %s, and its ratings hold for nothing else; ask for no rules, or calibrate a ladder of your own",
			v.Rules, l.Rules)
	}
	if v, err = v.Game.OpenText(l.Rules); err != nil {
		return v, config.Wrap("ladder", err)
	}
	if s.Ladder = &l; s.Against != "" {
		if _, err := l.Rung(s.Against); err != nil {
			return v, config.Wrap("against", err)
		}
	}
	if err := s.suits(v.Game); err != nil {
		return v, config.Wrap("ladder", err)
	}
	seat, err := player.Parse(v.Game, s.Players[0].Player, v.Game.Limits, s.Custom...)
	if err != nil {
		return v, config.Wrap("player", err)
	}
	if _, err := l.Rung(seat.Name); err == nil {
		seat.Name = "player " + seat.Name
	}
	s.Players = []player.Config{seat}
	if s.OpeningPlies == config.Unset && s.Openings == runs.RandomOpenings {
		s.OpeningPlies = l.OpeningPlies
	}
	return v, nil
}

// calibration is a tournament of the rungs, each against its neighbours.
func (s *LadderConfig) calibration(v engines.Variant) error {
	if len(s.Players) == 0 {
		l, err := s.find(v.Game)
		if err != nil {
			return err
		}
		for _, r := range l.Rungs {
			s.Players = append(s.Players, player.Ask(playerText(r.Name, r.Player, r.Limits)))
		}
		s.Anchor = cmp.Or(s.Anchor, l.Anchor)
	} else if s.File != "" {
		return config.Errorf("ladder", "%s: players are given too; want one of the two", s.File)
	}
	var err error
	if s.Players, err = resolvePlayers(v.Game, s.Players, engines.Limits{}, s.Custom...); err != nil {
		return err
	}
	for _, p := range s.Players {
		if p.External() {
			return config.Errorf("player", "%s: a ladder keeps its rungs whole, and cannot keep a program; calibrate with players of ours",
				p.Player)
		}
	}
	s.Anchor, err = anchorOf(v.Game, s.Players, s.Anchor)
	return err
}

// find returns the named ladder, with its rungs as players of today's game.
func (s *LadderConfig) find(game *engines.Game) (published.Ladder, error) {
	measured, err := s.measured(game)
	if err != nil {
		return measured, err
	}
	l, err := measured.Extend(game.Space.Names(), game.Space.Default())
	if err != nil {
		return l, config.Wrap("ladder", err)
	}
	if strings.HasPrefix(s.File, hashPrefix) && s.File != name(measured) && s.File != name(l) {
		return l, config.Errorf("ladder", "%s: the published one of %s is %s; want the file of that ladder", s.File, game.Name, name(l))
	}
	return l, nil
}

// measured returns the named ladder with its measured rungs.
func (s *LadderConfig) measured(game *engines.Game) (published.Ladder, error) {
	if s.File != "" && !strings.HasPrefix(s.File, hashPrefix) {
		return read(s.File, game)
	}
	l, err := published.ReadLadder(game.Name)
	if errors.Is(err, published.ErrNoLadder) {
		return l, config.Wrap("ladder",
			fmt.Errorf("%w; want the file of another, or measure one: calibrate, with a player for each rung from weak to strong", err))
	}
	return l, err
}

// read reads a ladder of one's own.
func read(file string, game *engines.Game) (published.Ladder, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return published.Ladder{}, config.Wrap("ladder", err)
	}
	l, err := published.DecodeLadder(file, data)
	if err == nil && l.Game != game.Name {
		err = fmt.Errorf("%s is of %s, not of %s", file, l.Game, game.Name)
	}
	return l, config.Wrap("ladder", err)
}

// name returns the identity of a ladder: of its content, not of where it lies.
func name(l published.Ladder) string {
	data, err := l.Encode()
	if err != nil {
		return "" // a decoded ladder can be encoded
	}
	sum := sha256.Sum256(data)
	return hashPrefix + hex.EncodeToString(sum[:])
}

// rungs returns the opponents of a challenge as players.
func (l *LadderConfig) rungs() ([]player.Config, error) {
	rungs := l.Ladder.Rungs
	if l.Against != "" {
		rung, err := l.Ladder.Rung(l.Against)
		if err != nil {
			return nil, err
		}
		rungs = []published.Rung{rung}
	}
	var list []player.Config
	for _, r := range rungs {
		limits, err := engines.ParseLimits(r.Limits)
		if err != nil {
			return nil, fmt.Errorf("rung %s: %w", r.Name, err)
		}
		list = append(list, player.Config{Name: r.Name, Player: r.Player, Values: r.Values, Limits: limits})
	}
	return list, nil
}

// suits reports a rung whose limits its player does not keep.
func (l *LadderConfig) suits(game *engines.Game) error {
	rungs, err := l.rungs()
	for _, r := range rungs {
		if err := game.CheckLimits(r.Limits); err != nil {
			return fmt.Errorf("rung %s: %w", r.Name, err)
		}
	}
	return err
}

// everybody lists who plays: the challenger first, or the rungs to measure.
func (l *LadderConfig) everybody() ([]player.Config, error) {
	if l.Calibrate {
		return l.Players, nil
	}
	if err := l.whole(); err != nil {
		return nil, err
	}
	rungs, err := l.rungs()
	return append(slices.Clone(l.Players), rungs...), err
}

// reach returns how far apart the rungs of a calibration may be to meet.
func (l *LadderConfig) reach() int { return cmp.Or(l.Neighbours, defaultNeighbours) }

// contest returns the tournament that the run is.
func (l *LadderConfig) contest() (*Config, error) {
	all, err := l.everybody()
	if err != nil {
		return nil, err
	}
	t := &Config{Pairs: l.Rounds, Round: min(roundPairs, l.Rounds), Players: all, MatchRules: l.MatchRules}
	if l.Calibrate {
		t.Schedule, t.Neighbours, t.Anchor = scheduleNeighbours, l.reach(), l.Anchor
		return t, nil
	}
	t.Schedule, t.Gauntlet, t.Anchor = scheduleGauntlet, l.Players[0].Name, l.Ladder.Anchor
	return t, nil
}

func (l *LadderConfig) Check(v engines.Variant) error {
	if err := l.CheckPairs("rounds", l.Rounds); err != nil {
		return err
	}
	if !l.Calibrate {
		if err := l.checkChallenge(v); err != nil {
			return err
		}
	}
	t, err := l.contest()
	if err != nil {
		return err
	}
	if l.Calibrate {
		return t.Check(v)
	}
	if err := l.CheckRules(v.Game, t.Players); err != nil {
		return err
	}
	_, err = t.Tournament()
	return err
}

// whole reports whether a challenge has its player and its ladder.
func (l *LadderConfig) whole() error {
	if len(l.Players) != 1 || l.Ladder == nil {
		return fmt.Errorf("%d players: want one, and a ladder to play it against", len(l.Players))
	}
	return nil
}

// checkChallenge reports the first thing wrong with the ladder for this game and
// these players.
func (s *LadderConfig) checkChallenge(v engines.Variant) error {
	if err := s.whole(); err != nil {
		return err
	}
	l := s.Ladder
	switch {
	case l.Game != v.Game.Name:
		return config.Wrap("ladder", fmt.Errorf("is of %s, not of %s", l.Game, v.Game.Name))
	case l.Rules != v.Rules:
		return config.Wrap("ladder", fmt.Errorf("was measured under %s, not %s", l.Rules, v.Rules))
	case !slices.Equal(l.Parameters, v.Game.Space.Names()):
		return config.Wrap("ladder", fmt.Errorf("that of %s was measured with other parameters than this program has; calibrate it again",
			l.Game))
	}
	return config.Wrap("ladder", l.Check())
}

func (l *LadderConfig) Budgets() string {
	all, err := l.everybody()
	if err != nil {
		return "" // Check has refused it
	}
	return runs.LimitsOf(all...)
}

// Setup implements runs.Config. A ladder given as a file has the name in its content.
func (l *LadderConfig) Setup() (runs.Setup, error) {
	if l.File = ""; l.Ladder != nil {
		l.File = name(*l.Ladder)
	}
	return runs.Setup{UsefulCores: l.usefulCores}, nil
}

func (l *LadderConfig) usefulCores() (cores int, limit string) {
	t, err := l.contest()
	if err != nil { // Check has returned the error
		return 1, err.Error()
	}
	return t.UsefulCores()
}

func (l *LadderConfig) Play(ctx context.Context, session *runs.Session) error {
	t, err := l.contest()
	if err != nil {
		return err
	}
	return t.Play(ctx, session)
}

// playerText returns a rung as a user would type it. A name that cannot precede a colon is the
// user's text itself.
func playerText(name, player, limits string) string {
	switch {
	case strings.ContainsAny(name, `/\,=`):
		return name
	case limits == "":
		return name + ":" + player
	}
	return name + ":" + player + "@" + limits
}
