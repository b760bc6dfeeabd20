package tuning

import (
	"fmt"
	"math"

	"selfplaylab/params"
	"selfplaylab/params/grid"
	"selfplaylab/params/spsa"
)

// method is one way to tune: the one list to extend for a new tuner.
type method struct {
	name, doc string
	// new makes the tuner of a checked spec.
	new func(s *Spec, space params.Space, seed uint64) (params.Tuner, error)
	// games is the number of games the tuner will ask for.
	games func(t params.Tuner, s *Spec) int64
	// note says in a few words where the tuner stands after so many trials.
	note func(t params.Tuner, s *Spec, space params.Space, told int) string
}

func methods() []method {
	return []method{
		{
			name: "spsa", doc: "move all parameters at once, play the two mirror images, follow the winner",
			new:   newSPSA,
			games: func(_ params.Tuner, s *Spec) int64 { return 2 * int64(s.Iterations) * int64(s.Pairs) },
			note: func(t params.Tuner, s *Spec, space params.Space, told int) string {
				return fmt.Sprintf("iteration %d of %d, %.1f steps from the start", told, s.Iterations, stepsApart(space, t.Best(), s.Values))
			},
		},
		{
			name: "grid", doc: "play every combination of the --grid values against the start, on the same openings",
			new: newGrid,
			games: func(t params.Tuner, s *Spec) int64 {
				return 2 * int64(s.Pairs) * int64(len(t.(*grid.Tuner).Points()))
			},
			note: func(t params.Tuner, _ *Spec, _ params.Space, told int) string {
				return fmt.Sprintf("trial %d of %d", told, t.(*grid.Tuner).Trials())
			},
		},
	}
}

// Methods returns the names of the tuners, and what each does.
func Methods() (names, docs []string) {
	for _, m := range methods() {
		names, docs = append(names, m.name), append(docs, m.doc)
	}
	return names, docs
}

func findMethod(name string) (method, error) {
	for _, m := range methods() {
		if m.name == name {
			return m, nil
		}
	}
	names, _ := Methods()
	return method{}, fmt.Errorf("unknown method %q%s", name, params.Suggest(name, names))
}

// gains are SPSA's step sizes by name.
func gains(name string) (spsa.Gains, error) {
	switch name {
	case "", "budget":
		return spsa.Budget(), nil
	case "classic":
		return spsa.DefaultClassic(), nil
	}
	return nil, fmt.Errorf("unknown gains %q%s", name, params.Suggest(name, []string{"budget", "classic"}))
}

// delay is how many iterations are in flight. It is part of the result, so it
// does not follow the number of workers: with the default of 32 pairs an
// iteration, it keeps 64 workers busy.
const delay = 4

func newSPSA(s *Spec, space params.Space, seed uint64) (params.Tuner, error) {
	active, err := space.Active(s.Active, nil)
	if err != nil {
		return nil, err
	}
	g, err := gains(s.Gains)
	if err != nil {
		return nil, err
	}
	return spsa.New(spsa.Settings{
		Space: space, Start: s.Values, Active: active,
		Iterations: s.Iterations, Pairs: s.Pairs, Seed: seed, Delay: min(delay, spsa.MostDelay(s.Iterations)), Gains: g,
	})
}

func newGrid(s *Spec, space params.Space, _ uint64) (params.Tuner, error) {
	axes, err := axes(s, space)
	if err != nil {
		return nil, err
	}
	return grid.New(grid.Settings{Space: space, Start: s.Values, Axes: axes, Pairs: s.Pairs})
}

func axes(s *Spec, space params.Space) ([]grid.Axis, error) {
	var all []grid.Axis
	for _, text := range s.Grid {
		a, err := grid.ParseAxis(space, text)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// stepsApart is the Euclidean distance of two vectors in steps.
func stepsApart(space params.Space, v, w params.Vector) float64 {
	sum := 0.0
	for i, p := range space {
		if v[i] != w[i] {
			d := p.Coordinate(v[i]) - p.Coordinate(w[i])
			sum += d * d
		}
	}
	return math.Sqrt(sum)
}
