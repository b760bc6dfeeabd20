// Package ladder plays one player against a ladder, opponents from weak to
// strong whose ratings were measured once, and measures such ladders. Both are
// tournaments: the standing is theirs, the scale is the ladder's.
package ladder

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/reports/published"
)

// Name of the kind, in run.toml and experiment files.
const Name = "ladder"

const (
	// defaultRounds are played against each rung where nothing else is asked.
	defaultRounds = 50
	// roundPairs is how many pairs a rung plays before the next one's turn.
	roundPairs = 16
	// reach is how far apart the rungs of a calibration may be to meet.
	reach = 2
	// hashPrefix begins a ladder that is named by the SHA-256 of its file.
	hashPrefix = "sha256:"
)

// Kind returns the kind.
func Kind() runs.Kind {
	return runs.Kind{
		Name: Name, Short: "rate one player against a ladder of calibrated opponents",
		Sections: []string{"Against the rungs"},
		Command:  command(), Files: []string{published.LadderName},
		New:  func() runs.Config { return New() },
		Spec: func() runs.Spec { return &Spec{} },
	}
}

// Config is a challenge, or a calibration, in the user's words.
type Config struct {
	runs.Game
	Player    []string `toml:"player" arg:"PLAYER" help:"[NAME:]PRESET, FILE.toml or engine:FILE.toml, with ,name=value overrides and @BUDGET; with --calibrate one for each rung (repeatable)"`
	Rounds    *int     `toml:"rounds" arg:"N" help:"rounds against each rung (default 50); a round is one opening with colours swapped, so 2 games"`
	Against   string   `toml:"against" arg:"NAME" help:"play only against the rung of this name"`
	Ladder    string   `toml:"ladder" arg:"FILE" help:"a calibrated ladder.toml (default: the published ladder of the game)"`
	Calibrate bool     `toml:"calibrate" help:"measure the ratings of the rungs themselves: those of the ladder, or the players given"`
	Anchor    string   `toml:"anchor" arg:"NAME" help:"with --calibrate: the rung at 0 Elo (default: the ladder's anchor, or the game's default player)"`
	runs.MatchRules
}

// New returns a challenge with the defaults.
func New() *Config { return &Config{MatchRules: runs.DefaultMatchRules()} }

// Spec is the [spec] table of a ladder's run.toml.
type Spec struct {
	Calibrate bool   `toml:"calibrate"`
	Rounds    int    `toml:"rounds"`  // pairs of games against each rung
	Against   string `toml:"against"` // the only rung that is met; "" for all
	Anchor    string `toml:"anchor"`  // of a calibration
	// Players are the rungs to measure; or the challenger alone.
	Players []player.Config `toml:"player"`
	// Ladder is what the challenger plays against, whole: whatever is published
	// later, the run's result stays. Nil for a calibration.
	Ladder *published.Ladder `toml:"ladder,omitempty"`
	runs.Terms
}

// Plan implements runs.Config.
func (a *Config) Plan() (*runs.Plan, error) {
	switch {
	case a.Calibrate && a.Against != "":
		return nil, config.Errorf("against", "%s: a calibration measures all rungs; want one of the two", a.Against)
	case !a.Calibrate && a.Anchor != "":
		return nil, config.Errorf("anchor", "%s: is for a calibration; a ladder has its own", a.Anchor)
	case !a.Calibrate && len(a.Player) != 1:
		return nil, config.Wrap("player", fmt.Errorf("%d players: want one; to compare several, play a tournament", len(a.Player)))
	}
	v, err := a.Variant(append([]string{a.Against}, a.Player...)...)
	if err != nil {
		return nil, err
	}
	if a.Calibrate {
		return a.calibration(v)
	}
	return a.challenge(v)
}

// challenge is one player against the rungs of a ladder, under its rules.
func (a *Config) challenge(v engines.Variant) (*runs.Plan, error) {
	l, err := a.find(v.Game)
	if err != nil {
		return nil, err
	}
	if a.Rules != "" && v.Rules != l.Rules {
		return nil, config.Errorf("rules",
			"%s: the ladder was measured under %s, and its ratings hold for nothing else; ask for no rules, or calibrate a ladder of your own",
			v.Rules, l.Rules)
	}
	if v, err = v.Game.OpenText(l.Rules); err != nil {
		return nil, config.Wrap("ladder", err)
	}
	s := &Spec{Against: a.Against, Ladder: &l}
	if a.Against != "" {
		if _, err := l.Rung(a.Against); err != nil {
			return nil, config.Wrap("against", err)
		}
	}
	if err := s.suits(v.Game); err != nil {
		return nil, config.Wrap("ladder", err)
	}
	seat, err := player.Parse(v.Game, a.Player[0], v.Game.Limits)
	if err != nil {
		return nil, config.Wrap("player", err)
	}
	if _, err := l.Rung(seat.Name); err == nil {
		seat.Name = "player " + seat.Name
	}
	s.Players = []player.Config{seat}
	rules := a.MatchRules
	if rules.OpeningPlies == nil && rules.Openings == runs.RandomOpenings {
		rules.OpeningPlies = &l.OpeningPlies
	}
	return a.plan(v, s, rules)
}

// calibration is a tournament of the rungs, each against its neighbours.
func (a *Config) calibration(v engines.Variant) (*runs.Plan, error) {
	s := &Spec{Calibrate: true}
	texts, anchor := a.Player, a.Anchor
	if len(texts) == 0 {
		l, err := a.find(v.Game)
		if err != nil {
			return nil, err
		}
		for _, r := range l.Rungs {
			texts = append(texts, playerText(r.Name, r.Player, r.Limits))
		}
		anchor = cmp.Or(anchor, l.Anchor)
	} else if a.Ladder != "" {
		return nil, config.Errorf("ladder", "%s: players are given too; want one of the two", a.Ladder)
	}
	var err error
	if s.Players, err = tournament.Players(v.Game, texts, v.Game.Limits); err != nil {
		return nil, err
	}
	for _, p := range s.Players {
		if p.External() {
			return nil, config.Errorf("player", "%s: a ladder keeps its rungs whole, and cannot keep a program; calibrate with players of ours",
				p.Player)
		}
	}
	if s.Anchor, err = tournament.AnchorOf(v.Game, s.Players, anchor); err != nil {
		return nil, err
	}
	return a.plan(v, s, a.MatchRules)
}

// plan checks what challenges and calibrations have in common.
func (a *Config) plan(v engines.Variant, s *Spec, rules runs.MatchRules) (*runs.Plan, error) {
	all, err := s.everybody()
	if err != nil {
		return nil, err
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Seed: a.Seed, Moves: runs.Kept(a.RecordMoves, all...), Spec: s, Players: s.Players}
	if s.Terms, p.Book, err = rules.Check(v, all); err != nil {
		return nil, err
	}
	s.Rounds = s.PairsFor(a.Rounds, defaultRounds)
	return p, s.Check(v)
}

// find returns the ladder that is asked for, its rungs as players of the game as it
// is now.
func (a *Config) find(game *engines.Game) (published.Ladder, error) {
	measured, err := a.asked(game)
	if err != nil {
		return measured, err
	}
	l, err := measured.Extend(game.Space.Names(), game.Space.Default())
	if err != nil {
		return l, config.Wrap("ladder", err)
	}
	if strings.HasPrefix(a.Ladder, hashPrefix) && a.Ladder != name(measured) && a.Ladder != name(l) {
		return l, config.Errorf("ladder", "%s: the published one of %s is %s; want the file of that ladder", a.Ladder, game.Name, name(l))
	}
	return l, nil
}

// asked returns the ladder that is asked for, as it was measured.
func (a *Config) asked(game *engines.Game) (published.Ladder, error) {
	if a.Ladder != "" && !strings.HasPrefix(a.Ladder, hashPrefix) {
		return read(a.Ladder, game)
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

// name is the identity of a ladder: of its content, not of where it lies.
func name(l published.Ladder) string {
	data, err := l.Encode()
	if err != nil {
		return "" // a decoded ladder can be encoded
	}
	sum := sha256.Sum256(data)
	return hashPrefix + hex.EncodeToString(sum[:])
}

// rungs are the opponents of a challenge as players.
func (s *Spec) rungs() ([]player.Config, error) {
	rungs := s.Ladder.Rungs
	if s.Against != "" {
		rung, err := s.Ladder.Rung(s.Against)
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
func (s *Spec) suits(game *engines.Game) error {
	rungs, err := s.rungs()
	for _, r := range rungs {
		if err := game.CheckLimits(r.Limits); err != nil {
			return fmt.Errorf("rung %s: %w", r.Name, err)
		}
	}
	return err
}

// everybody lists who plays: the challenger first, or the rungs to measure.
func (s *Spec) everybody() ([]player.Config, error) {
	if s.Calibrate {
		return s.Players, nil
	}
	if err := s.whole(); err != nil {
		return nil, err
	}
	rungs, err := s.rungs()
	return append(slices.Clone(s.Players), rungs...), err
}

// contest is the tournament that the run is.
func (s *Spec) contest() (*tournament.Spec, error) {
	all, err := s.everybody()
	if err != nil {
		return nil, err
	}
	t := &tournament.Spec{Pairs: s.Rounds, Round: min(roundPairs, s.Rounds), Players: all, Terms: s.Terms}
	if s.Calibrate {
		t.Schedule, t.Reach, t.Anchor = tournament.Neighbours, reach, s.Anchor
		return t, nil
	}
	t.Schedule, t.Hero, t.Anchor = tournament.Gauntlet, s.Players[0].Name, s.Ladder.Anchor
	return t, nil
}

// Check implements runs.Spec.
func (s *Spec) Check(v engines.Variant) error {
	if err := s.CheckPairs("rounds", s.Rounds); err != nil {
		return err
	}
	if !s.Calibrate {
		if err := s.checkChallenge(v); err != nil {
			return err
		}
	}
	t, err := s.contest()
	if err != nil {
		return err
	}
	if s.Calibrate {
		return t.Check(v)
	}
	for _, p := range t.Players {
		if err := p.Check(v.Game); err != nil {
			return err
		}
	}
	if err := s.CheckTerms(t.Players); err != nil {
		return err
	}
	_, err = t.Tournament()
	return err
}

// whole reports whether a challenge has its player and its ladder.
func (s *Spec) whole() error {
	if len(s.Players) != 1 || s.Ladder == nil {
		return fmt.Errorf("%d players: want one, and a ladder to play it against", len(s.Players))
	}
	return nil
}

// checkChallenge reports the first thing wrong with the ladder for this game and
// these players.
func (s *Spec) checkChallenge(v engines.Variant) error {
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

// Limits implements runs.Spec.
func (s *Spec) Limits() string {
	all, err := s.everybody()
	if err != nil {
		return "" // Check has refused it
	}
	return runs.LimitsOf(all...)
}

// Setup implements runs.Spec.
func (s *Spec) Setup() (runs.Setup, error) { return runs.Setup{UsefulCores: s.usefulCores}, nil }

func (s *Spec) usefulCores() (cores int, limit string) {
	t, err := s.contest()
	if err != nil { // Check has told
		return 1, err.Error()
	}
	return t.UsefulCores()
}

// Words implements runs.Spec.
func (s *Spec) Words(v engines.Variant) []string {
	words := tournament.PlayerWords(v, s.Players)
	if s.Calibrate {
		words = append(words, "--calibrate", "--anchor", s.Anchor)
	} else {
		words = append(words, "--ladder", name(*s.Ladder))
	}
	if s.Against != "" {
		words = append(words, "--against", s.Against)
	}
	words = append(words, "--rounds", strconv.Itoa(s.Rounds))
	return append(words, s.Terms.Words()...)
}

// Play implements runs.Spec.
func (s *Spec) Play(ctx context.Context, session *runs.Session) error {
	t, err := s.contest()
	if err != nil {
		return err
	}
	return t.Play(ctx, session)
}

// playerText writes a rung as a user would ask for it. A name that cannot be
// given before a colon was not given: it is the user's text itself.
func playerText(name, player, limits string) string {
	switch {
	case strings.ContainsAny(name, `/\,=`):
		return name
	case limits == "":
		return name + ":" + player
	}
	return name + ":" + player + "@" + limits
}
