package tournament_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tournament"
)

// refusal is a change that makes a config invalid, with the field and words of the error.
type refusal[C runs.Config] struct {
	change func(C)
	field  string
	want   string
}

// refuses expects the errors of invalid configs.
func refuses[C runs.Config](t *testing.T, ask func() C, list []refusal[C]) {
	t.Helper()
	for _, c := range list {
		a := ask()
		c.change(a)
		_, err := a.Plan()
		e, ok := errors.AsType[*config.Error](err)
		if !ok || e.Field != c.field || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one of field %s with %q", err, c.field, c.want)
		}
	}
}

// guards expects every change of a config in the canonical command, and an error for every wrong
// spec when run.toml is read.
func guards[C runs.Config](t *testing.T, ask func() C, changes, wrong map[string]func(C)) {
	t.Helper()
	planned := func() *runs.Plan { return plan(t, ask()) }
	command := func(p *runs.Plan) string {
		r, err := record.New(p, record.Origin{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Head.Meta.Command
	}
	good := planned()
	if again := planned(); good.Config.Check(good.Variant) != nil || command(good) != command(again) {
		t.Fatalf("%v, %s", good.Config.Check(good.Variant), command(again))
	}
	for name, change := range changes {
		p := planned()
		if change(p.Config.(C)); command(p) == command(good) {
			t.Errorf("another %s is not seen in %s", name, command(p))
		}
	}
	for want, change := range wrong {
		p := planned()
		change(p.Config.(C))
		if err := p.Config.Check(p.Variant); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestTournamentRefusesByField(t *testing.T) {
	refuses(t, small, []refusal[*tournament.Config]{
		{func(a *tournament.Config) { a.Players = a.Players[:1] }, "player", "a tournament of one"},
		{func(a *tournament.Config) { a.Players[1] = player.Ask("final") }, "player", `two players are named "final"`},
		{func(a *tournament.Config) {
			a.Players = player.AskAll("x:final", "x v y:bad", "y v z:v12.7", "z:v16.7")
		}, "player",
			`two pairings are named "x v y v z", those of "x" and of "x v y": give one`},
		{func(a *tournament.Config) { a.Players[1] = player.Ask("nobody") }, "player", "no preset"},
		{func(a *tournament.Config) { a.Gauntlet = "v12.6" }, "gauntlet", "is none of the players; did you mean v12.7"},
		{func(a *tournament.Config) { a.Anchor = "x" }, "anchor", "is none of the players"},
		{func(a *tournament.Config) { a.Pairs = 0 }, "pairs", "0: want at least 1"},
		{func(a *tournament.Config) { a.Round = 0 }, "round", "0: want at least 1"},
		{func(a *tournament.Config) { a.Neighbours = 0 }, "neighbours", "0: want at least 1"},
		{func(a *tournament.Config) { a.Neighbours, a.Gauntlet = 1, "final" }, "gauntlet", "want one of the two"},
		{func(a *tournament.Config) { a.Level = 1 }, "confidence", "1: want above"},
		{func(a *tournament.Config) { a.Game.Game = "shogi" }, "game", "shogi"},
		{func(a *tournament.Config) { a.Openings = "nowhere" }, "openings", "nowhere"},
	})
}

func TestLadderRefusesByField(t *testing.T) {
	ask := func() *tournament.LadderConfig { return challenge("final") }
	refuses(t, ask, []refusal[*tournament.LadderConfig]{
		{func(a *tournament.LadderConfig) { a.Players = nil }, "player", "0 players: want one"},
		{func(a *tournament.LadderConfig) { a.Players = player.AskAll("final", "bad") }, "player", "2 players"},
		{func(a *tournament.LadderConfig) { a.Rounds = 0 }, "rounds", "0: want at least 1"},
		{func(a *tournament.LadderConfig) { a.Against = "101.dll" }, "against", `no rung "101.dll"`},
		{func(a *tournament.LadderConfig) { a.Rules = "variant=standard" }, "rules", "measured under variant=seed"},
		{func(a *tournament.LadderConfig) { a.Anchor = "final" }, "anchor", "is for a calibration"},
		{func(a *tournament.LadderConfig) { a.Neighbours = 1 }, "neighbours", "1: is for a calibration"},
		{func(a *tournament.LadderConfig) { a.Calibrate, a.Neighbours = true, 0 }, "neighbours", "0: want at least 1"},
		{func(a *tournament.LadderConfig) { a.Calibrate, a.Against = true, "final" }, "against", "measures all rungs"},
		{func(a *tournament.LadderConfig) { a.Calibrate = true }, "player", "a tournament of one"},
		{func(a *tournament.LadderConfig) { a.Calibrate, a.Players, a.Anchor = true, nil, "x" }, "anchor", "is none of the players"},
		{func(a *tournament.LadderConfig) { a.File = "nowhere.toml" }, "ladder", "nowhere.toml"},
		{func(a *tournament.LadderConfig) { a.File = "sha256:00" }, "ladder", "want the file of that ladder"},
		{func(a *tournament.LadderConfig) { a.Level = 2 }, "confidence", "2: want"},
	})
}

// challenge returns a run of a player against the published ladder of Quoridor.
func challenge(name string) *tournament.LadderConfig {
	a := tournament.NewLadder()
	a.Game.Game, a.Players, a.Rounds, a.Seed = "quoridor", player.AskAll(name), 4, 3
	return a
}

// TestCommandNamesEverySetting expects all settings that decide games or the result in the
// canonical command, which guards run.toml, and an error for a spec that cannot be played.
func TestCommandNamesEverySetting(t *testing.T) {
	guards(t, func() *tournament.Config {
		a := small()
		a.Gauntlet = "bad"
		return a
	}, map[string]func(*tournament.Config){
		"anchor":   func(s *tournament.Config) { s.Anchor = "bad" },
		"hero":     func(s *tournament.Config) { s.Gauntlet = "final" },
		"schedule": func(s *tournament.Config) { s.Schedule = "round robin" },
		"reach":    func(s *tournament.Config) { s.Schedule, s.Neighbours = "neighbours", 1 },
		"pairs":    func(s *tournament.Config) { s.Pairs++ },
		"round":    func(s *tournament.Config) { s.Round++ },
		"level":    func(s *tournament.Config) { s.Level = 0.9 },
		"name":     func(s *tournament.Config) { s.Players[1].Name = "v12.8" },
		"limits":   func(s *tournament.Config) { s.Players[1].Limits.Nodes = 3 },
		"values": func(s *tournament.Config) {
			s.Players[1].Values = slices.Clone(s.Players[1].Values)
			s.Players[1].Values[0]++
		},
		"plies":    func(s *tournament.Config) { s.MaxPlies = 90 },
		"openings": func(s *tournament.Config) { s.OpeningPlies++ },
	}, map[string]func(*tournament.Config){
		`schedule = "swiss": want`: func(s *tournament.Config) { s.Schedule = "swiss" },
		`gauntlet "x" is none`:     func(s *tournament.Config) { s.Gauntlet = "x" },
		`anchor "x" is none`:       func(s *tournament.Config) { s.Anchor = "x" },
		"out of range": func(s *tournament.Config) {
			s.Players[1] = s.Players[1].With(slices.Repeat([]float64{1e6}, len(s.Players[1].Values)))
		},
		"pairs 0":         func(s *tournament.Config) { s.Pairs = 0 },
		"round 0":         func(s *tournament.Config) { s.Round = 0 },
		"tournament of 1": func(s *tournament.Config) { s.Players = s.Players[:1]; s.Gauntlet = "final" },
	})
}

// TestLadderCommandNamesEverySetting expects the settings of the rating and the ladder there, too.
func TestLadderCommandNamesEverySetting(t *testing.T) {
	guards(t, func() *tournament.LadderConfig {
		a := challenge("v16.7")
		a.Against = "bad"
		return a
	}, map[string]func(*tournament.LadderConfig){
		"rounds":   func(s *tournament.LadderConfig) { s.Rounds++ },
		"opponent": func(s *tournament.LadderConfig) { s.Against = "final" },
		"name":     func(s *tournament.LadderConfig) { s.Players[0].Name = "x" },
		"limits":   func(s *tournament.LadderConfig) { s.Players[0].Limits.Nodes = 3 },
		"rating":   func(s *tournament.LadderConfig) { s.Ladder.Rungs[0].Elo-- },
		"result":   func(s *tournament.LadderConfig) { s.Ladder.Results[0].Pairs[0][0]++ },
		"anchor":   func(s *tournament.LadderConfig) { s.Ladder.Anchor = "bad" },
		"level":    func(s *tournament.LadderConfig) { s.Level = 0.9 },
		"stall":    func(s *tournament.LadderConfig) { s.Stall = 1e9 },
	}, map[string]func(*tournament.LadderConfig){
		`anchor "x" is no rung`:                  func(s *tournament.LadderConfig) { s.Ladder.Anchor = "x" },
		"is of gobang, not of quoridor":          func(s *tournament.LadderConfig) { s.Ladder.Game = "gobang" },
		"was measured under variant=standard":    func(s *tournament.LadderConfig) { s.Ladder.Rules = "variant=standard" },
		"other parameters":                       func(s *tournament.LadderConfig) { s.Ladder.Parameters = s.Ladder.Parameters[1:] },
		"0 players: want one, and a ladder":      func(s *tournament.LadderConfig) { s.Players = nil },
		"1 players: want one, and a ladder":      func(s *tournament.LadderConfig) { s.Ladder = nil },
		"no rung \"101.dll\"":                    func(s *tournament.LadderConfig) { s.Against = "101.dll" },
		"rounds 0":                               func(s *tournament.LadderConfig) { s.Rounds = 0 },
		"out of range":                           func(s *tournament.LadderConfig) { s.Ladder.Rungs[0].Values[0] = 1e6 },
		"limits \"deep\"":                        func(s *tournament.LadderConfig) { s.Ladder.Rungs[0].Limits = "deep" },
		"two players are named \"bad\"":          func(s *tournament.LadderConfig) { s.Players[0].Name = "bad" },
		"a tournament of 1: want at least 2 pla": func(s *tournament.LadderConfig) { s.Calibrate, s.Anchor = true, "v16.7" },
	})
}
