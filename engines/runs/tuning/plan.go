package tuning

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/params/formats"
	"selfplaylab/reports/text"
)

// chosen returns the named method with its settings. Settings of other methods are an error.
func (c *Config) chosen() (Method, error) {
	if c.methods == nil {
		return nil, runs.ErrNotNew
	}
	list := text.Each(c.Methods, func(part any) Method { return part.(Method) })
	m, err := find(list, c.Method)
	if err != nil {
		return nil, err
	}
	for _, other := range list {
		changed := config.Differences(other, reflect.New(reflect.TypeOf(other).Elem()).Interface())
		for _, f := range changed {
			if !hasSetting(m, f.Name) {
				return nil, config.Errorf(f.Name, "cannot be used with method %s: it is a setting of %s; %[1]s has %[3]s", m.Info().Name,
					strings.Join(methodNames(list, func(m Method) bool { return hasSetting(m, f.Name) }), " and "),
					strings.Join(text.Each(config.Fields(m), func(f config.Field) string { return strings.ReplaceAll(f.Name, "_", "-") }), ", "))
			}
		}
	}
	return m, nil
}

// active lists the parameters to tune.
func (c *Config) active(m Method, game *engines.Game) ([]string, error) {
	space, info := game.Space, m.Info()
	for _, field := range []struct {
		name  string
		names config.Names
	}{{"params", c.Active}, {"freeze", c.Freeze}} {
		if info.Tuned != nil && len(field.names) > 0 {
			return nil, config.Errorf(field.name, "cannot be used with method %s: its own settings name the parameters", m.Info().Name)
		}
		for i, name := range field.names {
			if _, err := space.Lookup(name); err != nil {
				return nil, config.Wrap(field.name, err)
			}
			if slices.Contains(field.names[:i], name) {
				return nil, config.Wrap(field.name, fmt.Errorf("%s is given twice", name))
			}
		}
	}
	if info.Tuned != nil {
		return info.Tuned(space)
	}
	only := c.Active
	if len(only) == 0 && game.Tuned != nil {
		only = game.Tuned(c.Start.Values, c.Start.Limits)
	}
	on, err := space.Active(only, c.Freeze)
	if err != nil {
		return nil, err
	}
	if len(on) == 0 {
		return nil, errors.New("nothing left to tune: every parameter is frozen; name those to tune with --params")
	}
	return text.Each(on, func(i int) string { return space[i].Name }), nil
}

// seat reads who plays.
func (c *Config) seat(game *engines.Game) (err error) {
	start := c.Start
	if start.Player == "" {
		start = player.Ask(game.DefaultPreset)
	}
	if c.Start, err = runs.Seat(game, "start", start, "limits", c.Limits, c.Custom...); err != nil {
		return err
	}
	c.unused = player.OtherRanges(game, c.Start.Player)
	if c.Start.Custom != nil && c.Start.Values == nil {
		return config.Errorf("start", "%s has no parameters to tune: give its Values", start.Player)
	}
	if c.Start.Values, err = game.Space.Set(c.Start.Values, c.Set); err != nil {
		return config.Wrap("set", err)
	}
	if c.Pool, err = pool(game, c.Pool, c.Limits); err != nil {
		return err
	}
	for _, text := range game.Pool {
		p, err := runs.Seat(game, "pool", player.Ask(text), "limits", c.Limits)
		if err != nil {
			return err
		}
		c.GamePool = append(c.GamePool, p)
	}
	return c.oppose(func(cfg player.Config) (player.Config, error) {
		return runs.Seat(game, "against", cfg, "limits", c.Limits, c.Custom...)
	})
}

// lengths fills in how many pairs each phase plays.
func (c *Config) lengths(v engines.Variant) error {
	own := v.Game.TuningPairs()
	or := func(n *int, standard int) (given bool) {
		if given = *n != config.Unset; !given {
			*n = standard
		}
		return given
	}
	tuned := int(c.tuneGames() / 2)
	or(&c.ScreenPairs, own)
	c.PoolStar = true
	or(&c.RatePairs, c.ratePairs(tuned*c.tunings()))
	given := or(&c.VerifyPairs, min(max(tuned/verifiedShare, minVerified*own), maxVerified*own))
	if err := c.fitLengths(v, given); err != nil {
		return err
	}
	fewest := min(minVerified*own, c.VerifyPairs)
	least := or(&c.VerifyMin, fewest)
	n := len(c.Against)
	meets := or(&c.AgainstPairs, (fewest+max(n, 1)-1)/max(n, 1))
	switch {
	case c.VerifySPRT.Given && least:
		return config.Errorf("verify_min", "%d: cannot be used with --verify-sprt: the test decides when to stop", c.VerifyMin)
	case c.VerifySPRT.Given && c.VerifyPairs == 0:
		return config.Errorf("verify_sprt", "requires a verification of more than 0 pairs")
	case n == 0 && meets:
		return config.Errorf("against_pairs", "%d: requires an opponent: see against", c.AgainstPairs)
	case c.VerifySPRT.Given:
		c.VerifyMin = 0
	}
	if n == 0 {
		c.AgainstPairs = 0
	}
	c.selectLengths(own)
	c.LeaveIdle = true
	c.setWorth(0)
	return nil
}

// worthShare is the share of the other games that measures the worth of changes: one in this many.
const worthShare = 10

// setWorth fills in how many pairs measure the worth of changes, and keeps those of the first kept
// stages.
func (c *Config) setWorth(kept int) {
	stages := newStages(c, 0)
	var stops []int
	for n := range c.Stops {
		pairs := stages[n].worthPairs()
		if n < kept {
			pairs = c.worthAt(n)
		}
		stops = append(stops, pairs)
	}
	c.WorthStops, c.WorthPairs = stops, stages[len(c.Stops)].worthPairs()
}

// worthPairs returns the number of pairs of the phase, from the games that the stage adds: a run that is
// extended later plays as many. It is 0 if they are too few for a single change.
func (s *stage) worthPairs() int {
	c, n := s.spec, s.selectPhase.stageIndex
	tuned := c.tunedBy(n)
	games := 2 * int64(c.VerifyMin) // the verification may end then
	if n == 0 {
		screened, _ := s.screen.Planned()
		games += screened
	} else {
		tuned -= c.tunedBy(n - 1)
	}
	games += tuned * int64(c.tunings())
	for _, p := range s.judging() {
		switch p.Name() {
		case phaseVerify, phaseRecheck, phaseTransfer, phaseWorth:
		default:
			more, _ := p.Planned()
			games += more
		}
	}
	if pairs := games / 2 / worthShare; pairs >= minWorth {
		return int(pairs)
	}
	return 0
}

// poolShare is the share of the tuning's games that its rating has: one in this many.
const poolShare = 10

// ratePairs returns the default number of pairs of each pairing of the rating.
func (c *Config) ratePairs(tuned int) int {
	g := c.task.Game
	if g.PoolPairs > 0 {
		return g.PoolPairs
	}
	meets := 2 * (len(g.StandardPresets()) + len(c.players()))
	return min(max(g.TuningPairs(), tuned/poolShare/meets), maxRated)
}

// selectLengths fills in how many pairs choose: as if every tuning, without their mean, played as
// many as the verification has at least.
func (c *Config) selectLengths(own int) {
	c.Mean = c.Seeds > 1
	switch {
	case c.SelectPairs != config.Unset:
		return
	case c.Seeds < 2:
		c.SelectPairs = 0
		return
	}
	each := minVerified * own
	if c.VerifyPairs > 0 {
		each = min(each, c.VerifyPairs)
	}
	meets := c.Seeds + 1 // each meets (Seeds - 1) / (Seeds + 1) of the pairs of Seeds - 1
	if c.Against != nil {
		each, meets = each*c.Seeds, len(c.Against)*(c.Seeds+1)
	}
	c.SelectPairs = max(1, (each+meets-1)/meets)
}

// elsewhere reads the settings of games that are played elsewhere; nil for others.
func (c *Config) elsewhere() (*elsewhere, error) {
	if c.AskTell == nil {
		return nil, nil
	}
	if err := c.noGame(); err != nil {
		return nil, err
	}
	return c.AskTell[0].(*askTellConfig).read(c.Space)
}

// ofGame is a field that only a game has.
type ofGame struct {
	field any // a pointer to it
	set   bool
}

func (c *Config) ofGames() []ofGame {
	return []ofGame{
		{&c.Game.Game, c.Game.Game != ""}, {&c.Engine, c.Engine != ""}, {&c.Pool, len(c.Pool) > 0}, {&c.Rules, c.Rules != ""},
		{&c.Limits, !c.Limits.IsZero()}, {&c.Against, len(c.Against) > 0},
		{&c.ScreenPairs, c.ScreenPairs > 0}, {&c.RatePairs, c.RatePairs > 0}, {&c.Openings, c.Openings != runs.RandomOpenings},
		{&c.OpeningPlies, c.OpeningPlies > 0}, {&c.MaxPlies, c.MaxPlies != 0}, {&c.Resign, c.Resign.Moves != 0}, {&c.Draw, c.Draw.Moves != 0},
		{&c.RecordMoves, c.RecordMoves != runs.DefaultMatchRules().RecordMoves}, {&c.TimeMargin, c.TimeMargin != 0},
		{&c.FaultLimit, c.FaultLimit != schedule.DefaultFaultLimit},
	}
}

// noGame rejects settings that require a game.
func (c *Config) noGame() error {
	for _, f := range c.ofGames() {
		if f.set {
			return config.Errorf(config.NameOf(c, f.field), "cannot be used with tune ask-tell: the games are played elsewhere")
		}
	}
	c.ScreenPairs, c.RatePairs, c.OpeningPlies = 0, 0, 0
	return nil
}

// variant opens the game: for an external engine the one in its file, unless another is named, with
// the engine's parameters.
func (c *Config) variant() (engines.Variant, error) {
	if c.Engine == "" && c.Space != "" {
		return engines.Variant{}, config.Errorf("space", "%s: has the parameters of an external engine: give --engine FILE.toml too; games "+
			"played elsewhere are tuned by tune ask-tell --space", c.Space)
	}
	if c.Engine == "" {
		return c.Game.Variant(append([]player.Config{c.Start}, playerList(c.Against)...)...)
	}
	played := c.Game
	if played.Game == "" {
		game, rules, err := player.PlayedBy(c.Engine)
		if err != nil {
			return engines.Variant{}, config.Wrap("engine", err)
		}
		if played.Game = game; played.Rules == "" {
			played.Rules = rules
		}
	}
	v, err := played.Variant()
	if err != nil {
		return v, err
	}
	return v, c.seatProgram(&v)
}

// seatProgram starts the engine that is tuned and makes its parameters the variant's.
func (c *Config) seatProgram(v *engines.Variant) (err error) {
	start := c.Start.Player
	if c.Start, err = runs.Seat(v.Game, "engine", player.Ask(player.EnginePrefix+c.Engine), "limits", c.Limits); err != nil {
		return err
	}
	var file formats.File
	if c.Space != "" {
		if file, c.Start.Engine.Space, err = readSpace(c.Space); err != nil {
			return err
		}
	}
	offer, err := c.Start.Offer(context.Background(), *v)
	if err != nil {
		return config.Wrap("engine", err)
	}
	for _, name := range slices.Concat(c.Active, c.Freeze) {
		if err := offer.Untunable(name); err != nil {
			return config.Wrap("params", err)
		}
	}
	c.Program = &Program{Protocol: offer.Protocol, Differs: offer.Differs, Bounded: offer.Bounded, Params: offer.Space, File: file.Path, Form: file.Form}
	v.Game = v.Game.ForEngine(offer.Space)
	if start != "" {
		if c.Start.Values, err = player.Values(v.Game, start); err != nil {
			return config.Wrap("start", err)
		}
		c.unused = player.OtherRanges(v.Game, start)
	}
	if c.Start.Values, err = offer.Space.Set(c.Start.Values, c.Set); err != nil {
		return config.Wrap("set", err)
	}
	peers := *v.Game
	peers.Limits = c.Start.Limits // of opponents without any
	return c.oppose(func(cfg player.Config) (player.Config, error) {
		if !strings.Contains(cfg.Player, player.EnginePrefix) { // its values would be of another space
			return player.Config{}, config.Errorf("against",
				"%s: an engine is tuned against itself or another engine; ours is one by selfplay engine, in an engine file", cfg.Player)
		}
		return runs.Seat(&peers, "against", cfg, "limits", c.Limits)
	})
}
