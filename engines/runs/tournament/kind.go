package tournament

import (
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
)

// Kind returns the kind.
func Kind() runs.Kind {
	return runs.Kind{
		Name: kindName, Short: "play many players against each other and rate them together",
		Sections: []string{"Ratings", "Cross table"},
		Command: &runs.Command{
			Use: "--game GAME [--player PLAYER]...", Help: help,
			Question: "Which of several players is the strongest?", Ask: []string{"player"}, Length: func(runs.Config) string { return "pairs" },
			Shows: "Finds a difference of {elo} Elo between two players in 9 of 10 runs.",
			Finds: func(c runs.Config) float64 { return rating.Finds(c.(*Config).Pairs, c.(*Config).Level) },
			Before: func(r runs.Result) runs.Before {
				return runs.Before{Warnings: clockWarnings(r.(*Result).Config.Players)}
			},
		},
		New: func() runs.Config { return New() },
	}
}

// LadderKind returns the kind of ladders.
func LadderKind() runs.Kind {
	return runs.Kind{
		Name: ladderName, Short: "rate one player against a ladder of calibrated opponents",
		Sections: []string{"Against the rungs"},
		Command:  ladderCommand(), Files: []string{published.LadderName},
		New: func() runs.Config { return NewLadder() },
	}
}

func (c *Config) Plan() (*runs.Plan, error) {
	v, err := c.Variant(c.Players...)
	if err != nil {
		return nil, err
	}
	s := *c
	if err := s.schedule(); err != nil {
		return nil, err
	}
	if s.Players, err = resolvePlayers(v.Game, c.players(v.Game), c.Limits, c.Custom...); err != nil {
		return nil, err
	}
	if s.Anchor, err = anchorOf(v.Game, s.Players, c.Anchor); err != nil {
		return nil, err
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Config: &s, Players: s.Players}
	if p.Book, err = s.Resolve(v, s.Players); err != nil {
		return nil, err
	}
	s.Pairs = s.PairsFor(c.Pairs, defaultPairs)
	s.Round = min(c.Round, s.Pairs)
	return p, s.check()
}

// plan checks the settings shared by challenges and calibrations.
func (l *LadderConfig) plan(v engines.Variant, rounds int) (*runs.Plan, error) {
	all, err := l.everybody()
	if err != nil {
		return nil, err
	}
	p := &runs.Plan{Kind: LadderKind(), Variant: v, Config: l, Players: l.Players}
	if p.Book, err = l.Resolve(v, all); err != nil {
		return nil, err
	}
	l.Rounds = l.PairsFor(rounds, defaultRounds)
	return p, l.Check(v)
}

func (l *LadderConfig) Plan() (*runs.Plan, error) {
	switch {
	case l.Calibrate && l.Against != "":
		return nil, config.Errorf("against", "%s: a calibration measures all rungs; want one of the two", l.Against)
	case !l.Calibrate && l.Anchor != "":
		return nil, config.Errorf("anchor", "%s: is for a calibration; a ladder has its own", l.Anchor)
	case !l.Calibrate && l.Neighbours != config.Unset:
		return nil, config.Errorf("neighbours", "%d: is for a calibration; a challenge meets every rung, or --against one", l.Neighbours)
	case l.Neighbours != config.Unset && l.Neighbours < 1:
		return nil, config.Errorf("neighbours", "%d: want at least 1", l.Neighbours)
	case !l.Calibrate && len(l.Players) != 1:
		return nil, config.Wrap("player", fmt.Errorf("%d players: want one; to compare several, play a tournament", len(l.Players)))
	}
	v, err := l.Variant(append(player.AskAll(l.Against), l.Players...)...)
	if err != nil {
		return nil, err
	}
	s := *l
	s.Neighbours = max(l.Neighbours, 0)
	if l.Calibrate {
		err = s.calibration(v)
	} else {
		v, err = s.challenge(v)
	}
	if err != nil {
		return nil, err
	}
	return s.plan(v, l.Rounds)
}
