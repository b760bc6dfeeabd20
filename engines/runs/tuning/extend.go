package tuning

import (
	"fmt"
	"slices"
	"strconv"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/params"
	"selfplaylab/reports/gamestats"
)

// Extender is a Method whose tuner may stop at any number of games and go on as if
// it had not: what it proposes does not depend on its budget.
type Extender interface {
	Method
	// Extends reports why this one cannot, by its settings; nil where it can.
	Extends() error
	// Budget is the games of the tuning, as the method counts them.
	Budget() int
	// SetBudget changes it; an error says why it cannot be that.
	SetBudget(games int) error
	// Until has a tuner that the method made stop after so many games.
	Until(tuner params.Tuner, games int)
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

func (s *Spec) checkStops() error {
	if len(s.Stops) == 0 {
		return nil
	}
	e, ok := s.method.(Extender)
	if !ok {
		return config.Errorf("stop", "%d: means nothing to method %s, whose steps depend on its whole budget", s.Stops[0], s.Method)
	}
	if err := e.Extends(); err != nil {
		return err
	}
	before := 0
	for _, n := range s.Stops {
		if n <= before || n >= e.Budget() || n%2 != 0 {
			return config.Errorf("stop", "%d: want even numbers of games, increasing, above 0 and below the %s of the tuning", n, gamestats.Plural(e.Budget(), "game"))
		}
		before = n
	}
	return nil
}

// stages is how often the tuned values are verified.
func (s *Spec) stages() int { return len(s.Stops) + 1 }

// until is the budget of the tuner at the end of a stage, in games as an Extender
// counts them.
func (s *Spec) until(stage int) int {
	if stage < len(s.Stops) {
		return s.Stops[stage]
	}
	return 2 * s.method.Pairs(s.task)
}

// tunedBy is the number of games of the tuner's trials by the end of a stage.
func (s *Spec) tunedBy(stage int) int64 {
	n := int64(s.until(stage))
	if s.Against != nil {
		n *= 2
	}
	return n
}

// Extend returns the change of a recorded run that gives its tuning a budget of so
// many games: what run.Extend takes. A run that had all its games was, or will be,
// verified there, and goes on; it is verified again in the end. The lengths of the
// other phases stay.
func Extend(games int) func(runs.Spec, runs.Result) (bool, error) {
	return func(spec runs.Spec, told runs.Result) (bool, error) {
		s, t := spec.(*Spec), told.(*Result)
		e, ok := s.method.(Extender)
		if !ok {
			return false, config.Errorf("games", "%d: a tuning by %s cannot be extended: its steps depend on its whole budget; start a new one with --start %s", games, s.Method, TunedName)
		}
		if err := e.Extends(); err != nil {
			return false, err
		}
		old := e.Budget()
		switch {
		case games == old:
			return false, nil
		case games < old:
			return false, config.Errorf("games", "%d: the run has a budget of %s; want more", games, gamestats.Plural(old, "game"))
		}
		whole := t.tunes[0].Games() >= s.tuneGames()
		if err := e.SetBudget(games); err != nil {
			return false, err
		}
		if whole {
			s.Stops = append(slices.Clone(s.Stops), old)
		}
		s.Settings = config.Values(s.method)
		if err := s.prepare(s.task.Game); err != nil {
			return false, fmt.Errorf("extend to %s: %w", gamestats.Plural(games, "game"), err)
		}
		return true, nil
	}
}
