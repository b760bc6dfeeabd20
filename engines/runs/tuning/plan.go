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
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// raceChoices has a method that can choose among values do so for the parameters of an
// objective that have choices, unless it is told what to choose or what to tune.
func (s *Config) raceChoices(m Method, space params.Space) error {
	fields := config.Fields(m)
	i := slices.IndexFunc(fields, func(f config.Field) bool { return f.Name == "choice" })
	if i < 0 || len(fields[i].Texts()) > 0 {
		return nil
	}
	for _, p := range space {
		named := len(s.Active) == 0 || slices.Contains(s.Active, p.Name)
		if len(p.Labels) == 0 || !named || slices.Contains(s.Freeze, p.Name) {
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
func (s *Config) chosen() (Method, error) {
	if s.methods == nil {
		return nil, runs.ErrNotNew
	}
	list := text.Each(s.Methods, func(part any) Method { return part.(Method) })
	m, err := find(list, s.Method)
	if err != nil {
		return nil, err
	}
	for _, other := range list {
		said := config.Differences(other, reflect.New(reflect.TypeOf(other).Elem()).Interface())
		for _, f := range said {
			if !hasSetting(m, f.Name) {
				return nil, config.Errorf(f.Name, "cannot be used with method %s: it is a setting of %s; %[1]s has %[3]s", m.Info().Name,
					strings.Join(methodNames(list, func(m Method) bool { return hasSetting(m, f.Name) }), " and "),
					strings.Join(text.Each(config.Fields(m), func(f config.Field) string { return strings.ReplaceAll(f.Name, "_", "-") }), ", "))
			}
		}
	}
	return m, nil
}

// active lists what is to be tuned.
func (s *Config) active(m Method, game *engines.Game) ([]string, error) {
	space, info := game.Space, m.Info()
	for _, field := range []struct {
		name  string
		names config.Names
	}{{"params", s.Active}, {"freeze", s.Freeze}} {
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
	only := s.Active
	if len(only) == 0 && game.Tuned != nil {
		only = game.Tuned(s.Start.Values, s.Start.Limits)
	}
	on, err := space.Active(only, s.Freeze)
	if err != nil {
		return nil, err
	}
	names, err := withChoices(m, space, text.Each(on, func(i int) string { return space[i].Name }))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("nothing left to tune: every parameter is frozen or has choices; name those to tune with --params or --choice")
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
func (s *Config) seat(game *engines.Game) (err error) {
	start := s.Start
	if start.Player == "" {
		start = player.Ask(game.DefaultPreset)
	}
	if s.Start, err = runs.Seat(game, "start", start, "limits", s.Limits, s.Custom...); err != nil {
		return err
	}
	s.unused = player.OtherRanges(game, s.Start.Player)
	if s.Start.Custom != nil && s.Start.Values == nil {
		return config.Errorf("start", "%s has no parameters to tune: give its Values", start.Player)
	}
	if s.Start.Values, err = game.Space.Set(s.Start.Values, s.Set); err != nil {
		return config.Wrap("set", err)
	}
	if s.Pool, err = pool(game, s.Pool, s.Limits); err != nil {
		return err
	}
	return s.oppose(func(asked player.Config) (player.Config, error) {
		return runs.Seat(game, "against", asked, "limits", s.Limits, s.Custom...)
	})
}

// lengths fills in how many pairs each phase plays.
func (s *Config) lengths(v engines.Variant) error {
	own := v.Game.TuningPairs()
	or := func(n *int, usual int) (given bool) {
		if given = *n != config.Unsaid; !given {
			*n = usual
		}
		return given
	}
	tuned := int(s.tuneGames() / 2)
	or(&s.ScreenPairs, own)
	or(&s.RatePairs, own)
	given := or(&s.VerifyPairs, min(max(tuned/verifiedShare, minVerified*own), maxVerified*own))
	if err := s.fitLengths(v, given); err != nil {
		return err
	}
	fewest := min(minVerified*own, s.VerifyPairs)
	least := or(&s.VerifyMin, fewest)
	n := len(s.Against)
	meets := or(&s.AgainstPairs, (fewest+max(n, 1)-1)/max(n, 1))
	switch {
	case s.VerifySPRT.Given && least:
		return config.Errorf("verify_min", "%d: cannot be used with --verify-sprt: the test decides when to stop", s.VerifyMin)
	case s.VerifySPRT.Given && s.VerifyPairs == 0:
		return config.Errorf("verify_sprt", "requires a verification of more than 0 pairs")
	case n == 0 && meets:
		return config.Errorf("against_pairs", "%d: requires an opponent: see against", s.AgainstPairs)
	case s.VerifySPRT.Given:
		s.VerifyMin = 0
	}
	if n == 0 {
		s.AgainstPairs = 0
	}
	s.selectLengths(own)
	s.LeaveIdle = true
	if s.byValue() && s.VerifyPairs > 0 {
		s.EffectPairs, s.EffectStart, s.BestPairs = effectPairs, true, bestPairs
	}
	return nil
}

const (
	effectPairs = 4  // an effect is seen in eight values of each side
	bestPairs   = 16 // the best vector seen gets 32 calls
)

// selectLengths fills in how many pairs choose: every tuning plays as many as the
// verification has at least.
func (s *Config) selectLengths(own int) {
	switch {
	case s.SelectPairs != config.Unsaid:
		return
	case s.Seeds < 2:
		s.SelectPairs = 0
		return
	}
	each := minVerified * own
	if s.VerifyPairs > 0 {
		each = min(each, s.VerifyPairs)
	}
	meets := s.Seeds - 1
	if s.Against != nil {
		meets = len(s.Against)
	}
	s.SelectPairs = max(1, (each+meets-1)/meets)
}

// objective reads what is asked; nil for a game.
func (s *Config) objective() (*Objective, error) {
	if s.ObjectiveConfig.Objective != "" {
		if err := s.noGame(); err != nil {
			return nil, err
		}
	}
	return s.ObjectiveConfig.read()
}

// ofGame is a field that only a game has.
type ofGame struct {
	name string
	said bool
}

func (s *Config) ofGames() []ofGame {
	return []ofGame{
		{"game", s.Game.Game != ""}, {"engine", s.Engine != ""}, {"pool", len(s.Pool) > 0}, {"rules", s.Rules != ""},
		{"limits", !s.Limits.IsZero()}, {"against", len(s.Against) > 0},
		{"screen_pairs", s.ScreenPairs > 0}, {"rate_pairs", s.RatePairs > 0}, {"openings", s.Openings != runs.RandomOpenings},
		{"opening_plies", s.OpeningPlies > 0}, {"max_plies", s.MaxPlies != 0}, {"resign", s.Resign.Moves != 0}, {"draw", s.Draw.Moves != 0},
		{"record_moves", s.RecordMoves != runs.DefaultMatchRules().RecordMoves}, {"timemargin", s.TimeMargin != 0},
		{"fault_limit", s.FaultLimit != schedule.DefaultFaultLimit},
	}
}

// noGame refuses what only a game has.
func (s *Config) noGame() error {
	for _, f := range s.ofGames() {
		if f.said {
			return config.Errorf(f.name, "cannot be used with an objective: it is not a game")
		}
	}
	s.ScreenPairs, s.RatePairs, s.OpeningPlies = 0, 0, 0
	return nil
}

// variant opens the game, which for an external engine is that of its file unless
// another is said, and its parameters are the engine's.
func (s *Config) variant() (engines.Variant, error) {
	if s.Engine == "" {
		return s.Game.Variant(append([]player.Config{s.Start}, playerList(s.Against)...)...)
	}
	asked := s.Game
	if asked.Game == "" {
		game, rules, err := player.PlayedBy(s.Engine)
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
	return v, s.seatProgram(&v)
}

// seatProgram starts the engine that is tuned, learns its parameters, and has the
// variant's be those.
func (s *Config) seatProgram(v *engines.Variant) (err error) {
	start := s.Start.Player
	if s.Start, err = runs.Seat(v.Game, "engine", player.Ask(player.EnginePrefix+s.Engine), "limits", s.Limits); err != nil {
		return err
	}
	offer, err := s.Start.Offer(context.Background(), *v)
	if err != nil {
		return config.Wrap("engine", err)
	}
	s.Program = &Program{Protocol: offer.Protocol, Differs: offer.Differs, Params: offer.Space}
	v.Game = v.Game.ForEngine(offer.Space)
	if start != "" {
		if s.Start.Values, err = player.Values(v.Game, start); err != nil {
			return config.Wrap("start", err)
		}
		s.unused = player.OtherRanges(v.Game, start)
	}
	if s.Start.Values, err = offer.Space.Set(s.Start.Values, s.Set); err != nil {
		return config.Wrap("set", err)
	}
	peers := *v.Game
	peers.Limits = s.Start.Limits // of opponents without any
	return s.oppose(func(asked player.Config) (player.Config, error) {
		if !strings.Contains(asked.Player, player.EnginePrefix) { // its values would be of another space
			return player.Config{}, config.Errorf("against",
				"%s: an engine is tuned against itself or another engine; ours is one by selfplay engine, in an engine file", asked.Player)
		}
		return runs.Seat(&peers, "against", asked, "limits", s.Limits)
	})
}
