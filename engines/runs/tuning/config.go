package tuning

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
)

// Config is a tuning in the user's words.
type Config struct {
	runs.Game
	Engine string `toml:"engine" arg:"FILE.toml" help:"tune the options of an external engine in self-play: its engine file, with ,NAME=VALUE and @BUDGET; see selfplay engine (default: the game's player)"`
	Judged
	Method      string         `toml:"method" arg:"METHOD" help:"tuning method: {methods}"`
	Start       string         `toml:"start" arg:"PLAYER" help:"start from this player: preset or FILE.toml, with ,name=value overrides and @BUDGET (default: the game's default preset)"`
	Set         []string       `toml:"set" arg:"name=value" help:"override one start value (repeatable)"`
	Params      config.Names   `toml:"params" arg:"a,b" help:"tune only these parameters (default: all that are not frozen; see tune params)"`
	Freeze      config.Names   `toml:"freeze" arg:"a,b" help:"do not tune these parameters"`
	Pairs       *int           `toml:"pairs" arg:"N" help:"game pairs per iteration (default: set by the game, 32 for quoridor), or per grid point or, on average, per racing choice (default 500)"`
	Settings    config.Parts   // of all methods
	Stop        config.Names   `toml:"stop" arg:"N" help:"also verify and rate after N tuning games, then continue tuning (repeatable; tune resume --games adds such a stop)"`
	Limits      engines.Limits `toml:"limits" arg:"BUDGET" help:"budget of each decision, such as depth=3, nodes=20000, playouts=500 or time=1s, or a game clock such as tc=8+0.08 (default: set by the game)"`
	Against     []string       `toml:"against" arg:"PLAYER" help:"tune against this fixed opponent: both candidates play it on the same openings (repeatable, or A,B,C for a pool; default: they play each other)"`
	Seeds       *int           `toml:"seeds" arg:"N" help:"number of independent tunings, each with the full budget; a fresh match selects the best and another measures its gain (default 1, at most 20)"`
	SelectPairs *int           `toml:"select_pairs" arg:"N" help:"with --seeds: game pairs of each pairing, or against each opponent, that select the best tuning (default: as many per tuning as --verify-min)"`
	ScreenPairs *int           `toml:"screen_pairs" arg:"N" help:"game pairs of the sensitivity test of each parameter before tuning; 0 skips it (default: set by the game)"`
	VerifyPairs *int           `toml:"verify_pairs" arg:"N" help:"maximum pairs of the verification, tuned against start; 0 skips it (default: a third of the tuning's pairs, from 60 to 300 times the game's)"`
	VerifyMin   *int           `toml:"verify_min" arg:"N" help:"minimum game pairs of the verification (default: 60 times the game's pairs, at most --verify-pairs)"`
	VerifyGain  float64        `toml:"verify_gain" arg:"ELO" help:"stop the verification once a gain of this many Elo is excluded or has less than a 10 % chance of being shown (default 0: never)"`
	VerifySPRT  runs.Test      `toml:"verify_sprt" arg:"elo0=0,elo1=5" help:"verify by a sequential test: elo0=0,elo1=5, optionally with alpha, beta, model (default: until the interval excludes an even score)"`
	MarginTarget
	AgainstPairs *int     `toml:"against_pairs" arg:"N" help:"with --against: pairs that start and tuned values each play the opponent after the verification; 0 for none (default: --verify-min)"`
	RatePairs    *int     `toml:"rate_pairs" arg:"N" help:"game pairs of each pairing in the joint rating of start, tuned values and presets; 0 skips it (default: set by the game)"`
	Pool         []string `toml:"pool" arg:"PLAYER|FOLDER" help:"also rate these players (repeatable); a folder of runs adds the values tuned there for the same game"`
	runs.MatchRules

	methods func() []Method
}

// Plan implements runs.Config.
func (a *Config) Plan() (*runs.Plan, error) {
	m, err := a.chosen()
	if err != nil {
		return nil, err
	}
	s := &Spec{Method: a.Method, MarginTarget: a.MarginTarget, Settings: config.Values(m), VerifyGain: a.VerifyGain,
		VerifySPRT: a.VerifySPRT, methods: a.methods}
	var v engines.Variant
	if s.Objective, err = a.objective(); err == nil && s.Objective != nil {
		v, err = s.Objective.variant()
	} else if err == nil {
		v, err = a.variant(s)
	}
	if err != nil {
		return nil, err
	}
	if s.Program == nil {
		err = s.seat(a, v.Game)
	}
	if err == nil && s.Objective != nil {
		err = a.raceChoices(m, v.Game.Space)
		s.Settings = config.Values(m)
	}
	if err != nil {
		return nil, err
	}
	if s.Active, err = s.active(a, m, v.Game); err != nil {
		return nil, err
	}
	if err := s.askSeeds(a, m); err != nil {
		return nil, err
	}
	if a.Pairs != nil {
		if s.Pairs = *a.Pairs; s.Pairs < 1 {
			return nil, config.Errorf("pairs", "%d: want at least 1", s.Pairs)
		}
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Seed: a.Seed, Moves: runs.Kept(a.RecordMoves, s.players()...), Spec: s, Players: s.players()}
	if s.Terms, p.Book, err = a.MatchRules.Check(v, s.players()); err != nil {
		return nil, err
	}
	if err := s.prepare(v.Game); err != nil {
		return nil, err
	}
	if err := s.lengths(a, v.Game.TuningPairs()); err != nil {
		return nil, err
	}
	s.Settings = config.Values(s.method)
	if err := s.stops(a.Stop); err != nil {
		return nil, err
	}
	if _, err := s.method.Tuner(s.task, 0); err != nil { // it looks closest at its settings
		return nil, err
	}
	return p, s.check()
}

// raceChoices has a method that can choose among values do so for the parameters of an
// objective that have choices, unless it is told what to choose or what to tune.
func (a *Config) raceChoices(m Method, space params.Space) error {
	fields := config.Fields(m)
	i := slices.IndexFunc(fields, func(f config.Field) bool { return f.Name == "choice" })
	if i < 0 || len(fields[i].Texts()) > 0 {
		return nil
	}
	for _, p := range space {
		named := len(a.Params) == 0 || slices.Contains(a.Params, p.Name)
		if len(p.Labels) == 0 || !named || slices.Contains(a.Freeze, p.Name) {
			continue
		}
		if err := fields[i].Set(p.Name); err != nil {
			return config.Wrap("choice", err)
		}
	}
	return nil
}

// chosen returns the method that is asked for, with its settings. Those of other
// methods must not have been given.
func (a *Config) chosen() (Method, error) {
	var list []Method
	for _, part := range a.Settings {
		list = append(list, part.(Method))
	}
	m, err := find(list, a.Method)
	if err != nil {
		return nil, err
	}
	own := config.Fields(m)
	for _, other := range list {
		said := config.Differences(other, reflect.New(reflect.TypeOf(other).Elem()).Interface())
		for _, s := range said {
			if !slices.ContainsFunc(own, func(f config.Field) bool { return f.Name == s.Name }) {
				return nil, config.Errorf(s.Name, "cannot be used with method %s: it is a setting of %s", m.Info().Name,
					strings.Join(having(list, s.Name), " and "))
			}
		}
	}
	return m, nil
}

// having names the methods with a setting.
func having(list []Method, setting string) (names []string) {
	for _, m := range list {
		if slices.ContainsFunc(config.Fields(m), func(f config.Field) bool { return f.Name == setting }) {
			names = append(names, m.Info().Name)
		}
	}
	return names
}

// active lists what is to be tuned.
func (s *Spec) active(a *Config, m Method, game *engines.Game) ([]string, error) {
	space, info := game.Space, m.Info()
	for _, field := range []struct {
		name  string
		names config.Names
	}{{"params", a.Params}, {"freeze", a.Freeze}} {
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
	only := a.Params
	if len(only) == 0 && game.Tuned != nil {
		only = game.Tuned(s.Start.Values, s.Start.Limits)
	}
	on, err := space.Active(only, a.Freeze)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, i := range on {
		names = append(names, space[i].Name)
	}
	if names, err = withChoices(m, space, names); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("nothing left to tune: every parameter is frozen; see tune params")
	}
	return names, nil
}

// withChoices adds the parameters that a method tunes in addition to those named, in the
// order of the space.
func withChoices(m Method, space params.Space, names []string) ([]string, error) {
	choices := m.Info().Choices
	if choices == nil {
		return names, nil
	}
	raced, err := choices(space)
	if len(raced) == 0 {
		return names, err
	}
	return slices.DeleteFunc(space.Names(), func(name string) bool {
		return !slices.Contains(names, name) && !slices.Contains(raced, name)
	}), err
}

// seat reads who plays.
func (s *Spec) seat(a *Config, game *engines.Game) (err error) {
	budget := runs.Budget(game, a.Limits)
	start := a.Start
	if start == "" {
		start = game.DefaultPreset
	}
	if s.Start, err = runs.Seat(game, "start", start, "limits", budget, a.Custom...); err != nil {
		return err
	}
	if s.Start.Custom != nil && s.Start.Values == nil {
		return config.Errorf("start", "%s has no parameters to tune: give its Values", start)
	}
	if s.Start.Values, err = game.Space.Set(s.Start.Values, a.Set); err != nil {
		return config.Wrap("set", err)
	}
	if s.Pool, err = pool(game, a.Pool, budget); err != nil {
		return err
	}
	return s.oppose(a.Against, func(text string) (player.Config, error) {
		return runs.Seat(game, "against", text, "limits", budget, a.Custom...)
	})
}

// lengths fills in how many pairs each phase plays.
func (s *Spec) lengths(a *Config, own int) error {
	or := func(given *int, usual int) int {
		if given != nil {
			return *given
		}
		return usual
	}
	tuned := int(s.tuneGames() / 2)
	s.ScreenPairs = or(a.ScreenPairs, own)
	s.RatePairs = or(a.RatePairs, own)
	s.VerifyPairs = or(a.VerifyPairs, min(max(tuned/verifiedShare, minVerified*own), maxVerified*own))
	fewest := min(minVerified*own, s.VerifyPairs)
	s.VerifyMin = or(a.VerifyMin, fewest)
	switch {
	case s.VerifySPRT.Given && a.VerifyMin != nil:
		return config.Errorf("verify_min", "%d: cannot be used with --verify-sprt: the test decides when to stop", s.VerifyMin)
	case s.VerifySPRT.Given && s.VerifyPairs == 0:
		return config.Errorf("verify_sprt", "requires a verification of more than 0 pairs")
	case s.Against == nil && a.AgainstPairs != nil:
		return config.Errorf("against_pairs", "%d: requires an opponent: see against", *a.AgainstPairs)
	case s.VerifySPRT.Given:
		s.VerifyMin = 0
	}
	if s.Against != nil {
		n := len(s.opponents())
		s.AgainstPairs = or(a.AgainstPairs, (fewest+n-1)/n)
	}
	s.selectLengths(a, own)
	if s.byValue() && s.VerifyPairs > 0 {
		s.EffectPairs, s.BestPairs = effectPairs, bestPairs
	}
	return nil
}

const (
	effectPairs = 4  // an effect is seen in eight values of each side
	bestPairs   = 16 // the best vector seen gets 32 calls
)

// askSeeds reads how many tunings are asked for.
func (s *Spec) askSeeds(a *Config, m Method) error {
	switch {
	case a.Seeds == nil && a.SelectPairs != nil, a.Seeds != nil && *a.Seeds == 1 && a.SelectPairs != nil:
		return config.Errorf("select_pairs", "%d: chooses among several tunings, and there is one; see seeds", *a.SelectPairs)
	case a.Seeds == nil || *a.Seeds == 1:
		return nil
	case a.SelectPairs != nil && *a.SelectPairs < 1:
		return config.Errorf("select_pairs", "%d: want at least 1", *a.SelectPairs)
	}
	s.Seeds = *a.Seeds
	return s.seedable(m)
}

// selectLengths fills in how many pairs choose: every tuning plays as many as the
// verification has at least.
func (s *Spec) selectLengths(a *Config, own int) {
	switch {
	case s.tunings() == 1:
		return
	case a.SelectPairs != nil:
		s.SelectPairs = *a.SelectPairs
		return
	}
	each := minVerified * own
	if s.VerifyPairs > 0 {
		each = min(each, s.VerifyPairs)
	}
	meets := s.Seeds - 1
	if s.Against != nil {
		meets = len(s.opponents())
	}
	s.SelectPairs = max(1, (each+meets-1)/meets)
}

// objective reads what is asked; nil for a game.
func (a *Config) objective() (*Objective, error) {
	if a.Objective != "" {
		if err := a.noGame(); err != nil {
			return nil, err
		}
	}
	return a.Judged.Read()
}

// noGame refuses what only a game has.
func (a *Config) noGame() error {
	given := func(n *int) bool { return n != nil && *n > 0 }
	for _, f := range []struct {
		name string
		said bool
	}{
		{"game", a.Game.Game != ""}, {"engine", a.Engine != ""}, {"pool", len(a.Pool) > 0}, {"rules", a.Rules != ""},
		{"limits", !a.Limits.IsZero()}, {"against", len(a.Against) > 0},
		{"screen_pairs", given(a.ScreenPairs)}, {"rate_pairs", given(a.RatePairs)}, {"openings", a.Openings != runs.RandomOpenings},
		{"opening_plies", given(a.OpeningPlies)}, {"max_plies", a.MaxPlies != 0}, {"resign", a.Resign.Moves != 0}, {"draw", a.Draw.Moves != 0},
		{"record_moves", a.RecordMoves != runs.DefaultMatchRules().RecordMoves},
	} {
		if f.said {
			return config.Errorf(f.name, "cannot be used with an objective: it is not a game")
		}
	}
	none := 0
	a.ScreenPairs, a.RatePairs, a.OpeningPlies = &none, &none, &none
	return nil
}

// variant opens the game, which for an external engine is that of its file unless
// another is said, and its parameters are the engine's.
func (a *Config) variant(s *Spec) (engines.Variant, error) {
	if a.Engine == "" {
		return a.Game.Variant(append([]string{a.Start}, playerList(a.Against)...)...)
	}
	asked := a.Game
	if asked.Game == "" {
		game, rules, err := player.PlayedBy(a.Engine)
		if err != nil {
			return engines.Variant{}, config.Wrap("engine", err)
		}
		if asked.Game = game; asked.Rules == "" {
			asked.Rules = rules
		}
	}
	v, err := asked.Variant()
	if err != nil {
		return v, err
	}
	return v, a.seatProgram(s, &v)
}

// seatProgram starts the engine that is tuned, learns its parameters, and has the
// variant's be those.
func (a *Config) seatProgram(s *Spec, v *engines.Variant) (err error) {
	if s.Start, err = player.Parse(v.Game, player.EnginePrefix+a.Engine, runs.Budget(v.Game, a.Limits)); err != nil {
		return config.Wrap("engine", err)
	}
	if !a.Limits.IsZero() && !player.HasBudget(a.Engine) {
		s.Start.Limits = a.Limits // and not those of its file
	}
	offer, err := s.Start.Offer(context.Background(), *v)
	if err != nil {
		return config.Wrap("engine", err)
	}
	s.Program = &Program{Protocol: offer.Protocol, Differs: offer.Differs, Params: paramRows(offer.Space)}
	v.Game = v.Game.ForEngine(offer.Space)
	if a.Start != "" {
		if s.Start.Values, err = player.Values(v.Game, a.Start); err != nil {
			return config.Wrap("start", err)
		}
	}
	if s.Start.Values, err = offer.Space.Set(s.Start.Values, a.Set); err != nil {
		return config.Wrap("set", err)
	}
	return s.oppose(a.Against, func(text string) (player.Config, error) {
		if !strings.Contains(text, player.EnginePrefix) { // its values would be of another space
			return player.Config{}, config.Errorf("against",
				"%s: an engine is tuned against itself or another engine; ours is one by selfplay engine, in an engine file", text)
		}
		opponent, err := player.Parse(v.Game, text, s.Start.Limits)
		return opponent, config.Wrap("against", err)
	})
}

// stops reads the stops that are asked for.
func (s *Spec) stops(texts []string) error {
	for _, text := range texts {
		n, err := strconv.Atoi(text)
		if err != nil {
			return config.Errorf("stop", "%q: want a number of games", text)
		}
		s.Stops = append(s.Stops, n)
	}
	return s.checkStops()
}
