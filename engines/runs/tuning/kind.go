package tuning

import (
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
)

// Kind returns the kind.
func Kind() runs.Kind {
	kind := kindOf(Name, Methods()[0].Info().Name, Methods, "Verification", "Parameters", analysis.ImportanceTitle)
	kind.PlayerFile, kind.StartFile, kind.CandidateFile = tunedName, startFile, candidateName
	kind.Former = []runs.Kind{gridKind()}
	return kind
}

// gridKind returns the kind named grid in experiment files: a tuning by that method by default. Its runs
// are of kind tune.
func gridKind() runs.Kind {
	return kindOf((&gridMethod{}).Info().Name, (&gridMethod{}).Info().Name, Methods, "Every point against the start")
}

// kindOf returns a kind with other methods than the list has; sections are runs.Kind's.
func kindOf(name, method string, methods func() []Method, sections ...string) runs.Kind {
	return runs.Kind{
		Name: name, Short: "tune parameters by self-play and verify the result on new games",
		Sections: sections, Command: command(), Files: []string{tunedName, candidateName, startFile, rowsName, player.TypedName, answersName},
		New: func() runs.Config { return newAsked(method, methods) },
	}
}

func (c *Config) Plan() (*runs.Plan, error) {
	m, err := c.chosen()
	if err != nil {
		return nil, err
	}
	s := new(*c)
	s.Settings = config.Values(m)
	var v engines.Variant
	if s.Elsewhere, err = s.elsewhere(); err == nil && s.Elsewhere != nil {
		v, err = s.Elsewhere.variant()
	} else if err == nil {
		v, err = s.variant()
	}
	if err == nil && s.Program == nil {
		err = s.seat(v.Game)
	}
	if err != nil {
		return nil, err
	}
	if s.Active, err = s.active(m, v.Game); err != nil {
		return nil, err
	}
	if s.Seeds == config.Unset || s.Seeds == 1 {
		s.Seeds = 0
	} else if err := s.seedable(m); err != nil {
		return nil, err
	}
	if s.Pairs = max(s.Pairs, 0); c.Pairs != config.Unset && c.Pairs < 1 {
		return nil, config.Errorf("pairs", "%d: want at least 1", c.Pairs)
	}
	p := &runs.Plan{Kind: Kind(), Variant: v, Config: s, Players: s.players()}
	if p.Book, err = s.Resolve(v, s.players()); err != nil {
		return nil, err
	}
	if err := s.prepare(v.Game); err != nil {
		return nil, err
	}
	if err := s.lengths(v); err != nil {
		return nil, err
	}
	if err := s.checkRepeatedLimits(v.Game); err != nil {
		return nil, err
	}
	s.Settings, s.Tuner = config.Values(s.method), s.method.Info().Version
	if _, err := s.method.Tuner(s.task, 0); err != nil { // it looks closest at its settings
		return nil, err
	}
	return p, s.Check(v)
}
