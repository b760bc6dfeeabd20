package tuning

import (
	"fmt"
	"slices"
	"strconv"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports/text"
)

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
	e := s.method.Info().Extension
	if e == nil {
		return config.Errorf("stop", "%d: means nothing to method %s, whose steps depend on its whole budget", s.Stops[0], s.Method)
	}
	if e.Err != nil {
		return e.Err
	}
	before := 0
	for _, n := range s.Stops {
		if n <= before || n >= e.Games || n%2 != 0 {
			return config.Errorf("stop", "%d: want even numbers of games, increasing, above 0 and below the %s of the tuning", n, text.Plural(e.Games, "game"))
		}
		before = n
	}
	return nil
}

// stages is how often the tuned values are verified.
func (s *Spec) stages() int { return len(s.Stops) + 1 }

// until is the budget of the tuner at the end of a stage, in games as its method
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
		e := s.method.Info().Extension
		if e == nil {
			return false, config.Errorf("games", "%d: a tuning by %s cannot be extended: its steps depend on its whole budget; start a new one with --start %s", games, s.Method, TunedName)
		}
		if e.Err != nil {
			return false, e.Err
		}
		old := e.Games
		switch {
		case games == old:
			return false, nil
		case games < old:
			return false, config.Errorf("games", "%d: the run has a budget of %s; want more", games, text.Plural(old, "game"))
		}
		whole := t.tunes[0].Games() >= s.tuneGames()
		if err := e.Set(games); err != nil {
			return false, err
		}
		if whole {
			s.Stops = append(slices.Clone(s.Stops), old)
		}
		s.Settings = config.Values(s.method)
		if err := s.prepare(s.task.Game); err != nil {
			return false, fmt.Errorf("extend to %s: %w", text.Plural(games, "game"), err)
		}
		return true, nil
	}
}
