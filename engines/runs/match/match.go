// Package match is the match: two players against each other, for a number of
// pairs or until a sequential test decides.
package match

import (
	"context"
	"errors"
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/schedule"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
)

// Name of the kind, in run.toml and experiment files.
const Name = "match"

// phase is the phase of all trials.
const phase = "match"

const (
	// defaultPairs is the default number of pairs.
	defaultPairs = 500
	// maxTest is the default maximum number of pairs of a sequential test.
	maxTest = 100_000
)

// Config is the runs.Config of a match.
type Config struct {
	runs.Game `toml:"-"`
	A         player.Config  `group:"Players" toml:"a" label:"Player A" arg:"PLAYER" help:"player A: preset, FILE.toml or engine:FILE.toml (an external engine), with ,name=value overrides and @BUDGET"`
	B         player.Config  `toml:"b" label:"Player B" arg:"PLAYER" help:"player B, written like A"`
	Pairs     int            `group:"Length and stopping" toml:"pairs" arg:"N" help:"game pairs to play (default 500); with sprt the maximum (default 100000); an openings file sets an upper limit"`
	SPRT      runs.Test      `toml:"sprt" label:"Sequential test" arg:"elo0=0,elo1=5" help:"stop by a sequential test: elo0=0,elo1=5, optionally with alpha=0.05, beta=0.05, model=normalized"`
	Limits    engines.Limits `group:"Players" toml:"-" flag:"limits" label:"Budget" arg:"BUDGET" help:"budget of each decision, such as depth=3, nodes=20000, playouts=500 or time=1s, or a game clock such as tc=8+0.08 (default: set by the game)"`
	LimitsA   engines.Limits `toml:"-" flag:"limits_a" label:"Budget of player A" arg:"BUDGET" help:"budget of player A only"`
	LimitsB   engines.Limits `toml:"-" flag:"limits_b" label:"Budget of player B" arg:"BUDGET" help:"budget of player B only"`
	EqualCPU  string         `toml:"equal_cpu,omitempty" label:"Equal CPU time" arg:"a|b" help:"adjust the budget (nodes or playouts) of player a or b by a few uncounted pairs until both take equal CPU time; the match plays with it"`
	runs.MatchRules
}

// New returns a match with the defaults.
func New() *Config { return &Config{Pairs: config.Unset, MatchRules: runs.DefaultMatchRules()} }

// seat reads the players.
func (c *Config) seat(game *engines.Game) (err error) {
	for _, side := range []struct {
		field string
		own   engines.Limits
		to    *player.Config
	}{{"a", c.LimitsA, &c.A}, {"b", c.LimitsB, &c.B}} {
		field, limits := "limits", c.Limits
		if !side.own.IsZero() {
			if player.HasBudget(side.to.Player) {
				return config.Errorf("limits_"+side.field, "%s: %s has a budget of its own; want one of the two", side.own, side.to.Player)
			}
			field, limits = "limits_"+side.field, side.own
		}
		if *side.to, err = runs.Seat(game, side.field, *side.to, field, limits, c.Custom...); err != nil {
			return err
		}
	}
	return nil
}

// equal returns the side whose budget is adjusted; nil for none.
func (c *Config) equal() (*runs.EqualCPU, error) {
	e := &runs.EqualCPU{Adjusted: &c.A, Other: &c.B}
	switch c.EqualCPU {
	case "":
		return nil, nil
	case "b":
		e.Adjusted, e.Other = e.Other, e.Adjusted
	case "a":
	default:
		return nil, fmt.Errorf("%q: want a or b", c.EqualCPU)
	}
	return e, e.Check()
}

func (c *Config) players() []player.Config { return []player.Config{c.A, c.B} }

func (c *Config) Check(v engines.Variant) error {
	return errors.Join(c.CheckRules(v.Game, c.players()), c.CheckPairs("pairs", c.Pairs))
}

func (c *Config) Budgets() string {
	if c.A.Limits == c.B.Limits {
		return c.A.Limits.String()
	}
	return fmt.Sprintf("a: %s; b: %s", c.A.Limits, c.B.Limits)
}

func (c *Config) Setup() (runs.Setup, error) {
	return runs.Setup{UsefulCores: func() (int, string) { return runs.FeedsUnordered(int64(c.Pairs)) }, Charts: c.charts,
		Implied: func(s config.Setting) bool { return s.Of(&c.EqualCPU) }}, nil
}

// charts returns the Elo with bands as tight as the report's, and the test.
func (s *Config) charts() runs.Charts {
	return runs.Charts{Test: s.SPRT, Bands: new(s.sequence())}
}

// estimate is Estimate of the first pairs.
func (c *Config) estimate(p rating.Pairs) rating.Estimate {
	if c.SPRT.Given || p.N() < c.Pairs {
		return c.sequence().Estimate(p)
	}
	return p.Estimate(c.Level)
}

// sequence returns the interval that holds at any time.
func (c *Config) sequence() rating.Sequence {
	s := rating.Sequence{Alpha: 1 - c.Level, Tightest: c.Pairs}
	if c.SPRT.Given {
		mean := c.SPRT.Length(c.SPRT.Elo1, rating.PairVariance(0, 0)).Mean // of a test that passes
		s.Tightest = max(1, int(min(mean, float64(c.Pairs))))
	}
	return s
}

func (c *Config) Play(ctx context.Context, session *runs.Session) error {
	m := &schedule.Match{PhaseName: phase, Seats: [2]player.Config{c.A, c.B}, Pairs: c.Pairs, InOrder: c.InOrder()}
	if c.SPRT.Given {
		m.Verdict = c.SPRT
	}
	return session.Run(ctx, m)
}

// names returns the names of A and B for sentences, followed by their letters if the names are
// equal.
func (c *Config) names() (a, b string) {
	if a, b = c.called(); a == b {
		return a + " as A", b + " as B"
	}
	return a, b
}

// called returns the names of A and B, with their limits where only these differ.
func (c *Config) called() (a, b string) {
	a, b = "`"+c.A.Name+"`", "`"+c.B.Name+"`"
	if a == b && c.A.Limits != c.B.Limits {
		return fmt.Sprintf("%s (`%s`)", a, runs.LimitsName(c.A)), fmt.Sprintf("%s (`%s`)", b, runs.LimitsName(c.B))
	}
	return a, b
}

// different counts the parameters in which A and B agree, and lists the others.
func (c *Config) different(names []string, game *engines.Game) (same int, rows [][]string) {
	if len(c.A.Values) != len(names) || len(c.B.Values) != len(names) {
		return 0, nil // a program's values are its own
	}
	write := func(i int, x float64) string {
		if game != nil && i < len(game.Space) && game.Space[i].Name == names[i] {
			return game.Space[i].Format(x) // a choice by its name
		}
		return params.FormatValue(x)
	}
	for i, name := range names {
		if c.A.Values[i] == c.B.Values[i] {
			same++
			continue
		}
		rows = append(rows, []string{"`" + name + "`", write(i, c.A.Values[i]), write(i, c.B.Values[i])})
	}
	return same, rows
}
