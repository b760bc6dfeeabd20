package match

import (
	"errors"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports/rating"
)

// Kind returns the kind.
func Kind() runs.Kind {
	return runs.Kind{
		Name: Name, Short: "play two players against each other and measure their difference",
		Command: &runs.Command{
			Use: "--game GAME --a PLAYER --b PLAYER", Help: help,
			Question: "Which of two players is stronger?", Ask: []string{"a", "b"}, Length: func(runs.Config) string { return "pairs" },
			Shows: "Finds a difference of {elo} Elo in 9 of 10 runs.",
			Finds: func(c runs.Config) float64 {
				if m := c.(*Config); !m.SPRT.Given { // a test ends when it has decided
					return rating.Finds(m.Pairs, m.Level)
				}
				return 0
			},
			Before: func(r runs.Result) runs.Before {
				return runs.Before{Warnings: clockWarnings(r.(*Result).Config)}
			},
			Flags: func() any { return &outputFlags{} }, Check: checkOutput, Text: printOutput,
		},
		New: func() runs.Config { return New() },
	}
}

func (c *Config) Plan() (*runs.Plan, error) {
	v, err := c.Variant(c.A, c.B)
	if err != nil {
		return nil, err
	}
	if c.A.Player == "" || c.B.Player == "" {
		return nil, config.Wrap(map[bool]string{true: "a", false: "b"}[c.A.Player == ""],
			errors.New("want both players, each a preset or a file"))
	}
	s := *c
	if err := s.seat(v.Game); err != nil {
		return nil, err
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Config: &s, Players: s.players()}
	if p.Book, err = s.Resolve(v, s.players()); err != nil {
		return nil, err
	}
	if p.Equal, err = s.equal(); err != nil {
		return nil, config.Wrap("equal_cpu", err)
	}
	standard := defaultPairs
	if s.SPRT.Given {
		standard = maxTest
	}
	s.Pairs = s.PairsFor(c.Pairs, standard)
	return p, s.CheckPairs("pairs", s.Pairs)
}
