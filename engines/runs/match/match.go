// Package match is the match: two players against each other, for a number of
// pairs or until a sequential test decides.
package match

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

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

// phase is that of all trials.
const phase = "match"

const (
	// defaultPairs are played where nothing else is asked.
	defaultPairs = 500
	// maxTest is the most that a sequential test plays unless asked.
	maxTest = 100_000
)

// Kind returns the kind.
func Kind() runs.Kind {
	return runs.Kind{
		Name: Name, Short: "play two players against each other and measure their difference",
		Command: command(),
		New:     func() runs.Config { return New() },
		Spec:    func() runs.Spec { return &Spec{} },
	}
}

// Config is a match in the user's words.
type Config struct {
	runs.Game
	A       string         `toml:"a" arg:"PLAYER" help:"player A: preset, FILE.toml or engine:FILE.toml (an external engine), with ,name=value overrides and @BUDGET"`
	B       string         `toml:"b" arg:"PLAYER" help:"player B, written like A"`
	Pairs   *int           `toml:"pairs" arg:"N" help:"game pairs to play (default 500); with sprt the maximum (default 100000); an openings file sets an upper limit"`
	SPRT    runs.Test      `toml:"sprt" arg:"elo0=0,elo1=5" help:"stop by a sequential test: elo0=0,elo1=5, optionally with alpha=0.05, beta=0.05, model=normalized"`
	Limits  engines.Limits `toml:"limits" arg:"BUDGET" help:"budget of each decision, such as depth=3, nodes=20000, playouts=500 or time=1s, or a game clock such as tc=8+0.08 (default: set by the game)"`
	LimitsA engines.Limits `toml:"limits_a" arg:"BUDGET" help:"budget of player A only"`
	LimitsB engines.Limits `toml:"limits_b" arg:"BUDGET" help:"budget of player B only"`
	runs.MatchRules
}

// New returns a match with the defaults.
func New() *Config { return &Config{MatchRules: runs.DefaultMatchRules()} }

// Spec is the [spec] table of a match's run.toml.
type Spec struct {
	A     player.Config `toml:"a"`
	B     player.Config `toml:"b"`
	Pairs int           `toml:"pairs"` // with a test, the most that are played
	SPRT  runs.Test     `toml:"sprt"`  // "" for a match of fixed length
	runs.Terms
}

// Plan implements runs.Config.
func (a *Config) Plan() (*runs.Plan, error) {
	v, err := a.Variant(a.A, a.B)
	if err != nil {
		return nil, err
	}
	if a.A == "" || a.B == "" {
		return nil, config.Wrap(map[bool]string{true: "a", false: "b"}[a.A == ""], errors.New("want both players, each a preset or a file"))
	}
	s := &Spec{SPRT: a.SPRT}
	budget := runs.Budget(v.Game, a.Limits)
	for _, side := range []struct {
		field, text string
		own         engines.Limits
		to          *player.Config
	}{{"a", a.A, a.LimitsA, &s.A}, {"b", a.B, a.LimitsB, &s.B}} {
		field, limits := "limits", budget
		if !side.own.IsZero() {
			field, limits = "limits_"+side.field, side.own
		}
		if *side.to, err = runs.Seat(v.Game, side.field, side.text, field, limits, a.Custom...); err != nil {
			return nil, err
		}
		if side.to.Engine != nil && !side.own.IsZero() && !player.HasBudget(side.text) {
			side.to.Limits = side.own // and not those of its file
		}
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Seed: a.Seed, Moves: runs.Kept(a.RecordMoves, s.players()...), Spec: s, Players: s.players()}
	if s.Terms, p.Book, err = a.MatchRules.Check(v, s.players()); err != nil {
		return nil, err
	}
	usual := defaultPairs
	if s.SPRT.Given {
		usual = maxTest
	}
	s.Pairs = s.PairsFor(a.Pairs, usual)
	return p, s.CheckPairs("pairs", s.Pairs)
}

func (s *Spec) players() []player.Config { return []player.Config{s.A, s.B} }

// Check implements runs.Spec.
func (s *Spec) Check(v engines.Variant) error {
	for _, p := range s.players() {
		if err := p.Check(v.Game); err != nil {
			return err
		}
	}
	return errors.Join(s.CheckTerms(s.players()), s.CheckPairs("pairs", s.Pairs))
}

// Limits implements runs.Spec.
func (s *Spec) Limits() string {
	if s.A.Limits == s.B.Limits {
		return s.A.Limits.String()
	}
	return fmt.Sprintf("a: %s; b: %s", s.A.Limits, s.B.Limits)
}

// Setup implements runs.Spec.
func (s *Spec) Setup() (runs.Setup, error) {
	setup := runs.Setup{UsefulCores: func() (int, string) { return runs.FeedsUnordered(int64(s.Pairs)) }, Charts: s.charts}
	if s.SPRT.Given {
		setup.Unmergeable = errors.New("was stopped by its result (--sprt): merging such matches biases the Elo estimate away from zero")
	}
	return setup, nil
}

// charts are the Elo with bands as tight as the report's, and the test.
func (s *Spec) charts() runs.Charts {
	c := runs.Charts{Test: s.SPRT}
	if !s.SPRT.Given {
		c.Bands = &rating.Sequence{Alpha: 1 - s.Level, Tightest: s.Pairs}
	}
	return c
}

// Words implements runs.Spec.
func (s *Spec) Words(v engines.Variant) []string {
	words := []string{"--a", runs.PlayerWord(v, s.A), "--b", runs.PlayerWord(v, s.B), "--pairs", strconv.Itoa(s.Pairs)}
	if s.SPRT.Given {
		words = append(words, "--sprt", s.SPRT.String())
	}
	return append(words, s.Terms.Words()...)
}

// Play implements runs.Spec.
func (s *Spec) Play(ctx context.Context, session *runs.Session) error {
	m := &schedule.Match{PhaseName: phase, Seats: [2]player.Config{s.A, s.B}, Pairs: s.Pairs, InOrder: s.InOrder()}
	if s.SPRT.Given {
		m.Verdict = s.SPRT
	}
	return session.Run(ctx, m)
}

// names are A and B as sentences call them, told apart by their limits or by
// their letters where their names are the same.
func (s *Spec) names() (a, b string) {
	a, b = "`"+s.A.Name+"`", "`"+s.B.Name+"`"
	switch {
	case a != b:
		return a, b
	case s.A.Limits != s.B.Limits:
		return fmt.Sprintf("%s (`%s`)", a, runs.LimitsName(s.A)), fmt.Sprintf("%s (`%s`)", b, runs.LimitsName(s.B))
	}
	return a + " as A", b + " as B"
}

// same counts the parameters in which A and B agree, and lists the others.
func (s *Spec) different(names []string, game *engines.Game) (same int, rows [][]string) {
	if len(s.A.Values) != len(names) || len(s.B.Values) != len(names) {
		return 0, nil // a program's values are its own
	}
	write := func(i int, x float64) string {
		if game != nil && i < len(game.Space) && game.Space[i].Name == names[i] {
			return game.Space[i].Format(x) // a choice by its name
		}
		return params.FormatValue(x)
	}
	for i, name := range names {
		if s.A.Values[i] == s.B.Values[i] {
			same++
			continue
		}
		rows = append(rows, []string{"`" + name + "`", write(i, s.A.Values[i]), write(i, s.B.Values[i])})
	}
	return same, rows
}

// title is the question in a few words.
func (s *Spec) title() string {
	a, b := s.names()
	return strings.ReplaceAll(a+" v "+b, "`", "")
}
