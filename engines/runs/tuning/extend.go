package tuning

import (
	"fmt"
	"slices"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/reports/text"
)

// extend returns the change that gives a recorded tuning a budget of n games, for record.Extend. A
// finished run keeps its verification as a stop, continues, and is verified again at the end. The
// lengths of the other phases stay, but for the worth of changes at the end.
func extend(games int) func(runs.Config, runs.Result) (bool, error) {
	return func(spec runs.Config, result runs.Result) (bool, error) {
		s, t := spec.(*Config), result.(*Result)
		e := s.method.Info().Extension
		if e == nil {
			return false, config.Errorf("games",
				"%d: a tuning by %s cannot be extended: its steps depend on its whole budget; start a new one with --start %s", games, s.Method,
				tunedName)
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
		if s.PoolStar || s.WorthPairs > 0 { // else the run is of a version without this phase
			s.setWorth(len(s.Stops))
		}
		return true, nil
	}
}
