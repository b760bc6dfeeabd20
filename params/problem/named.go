package problem

import (
	"fmt"
	"slices"

	"selfplaylab/params"
)

// All returns the ten problems on which tuners are compared: CLOP's (Coulom, "CLOP: Confident
// Local Optimization for Noisy Black-Box Parameter Tuning", Advances in Computer Games 13,
// 2011) and LOG12. The list is new at each call.
func All() []Problem {
	return []Problem{
		Log(), flat(), power(), angle(), step(), Rosenbrock(), correlated(),
		Copies(Log(), 2), Copies(Log(), 5), Copies(Log(), 12),
	}
}

// Named returns the problem with a name among All, Others and the Engines of seed 1. An error
// lists or suggests the known names.
func Named(name string) (Problem, error) {
	var names []string
	for _, p := range slices.Concat(All(), Others(), Engines(1)) {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Problem{}, fmt.Errorf("unknown problem %q%s", name, params.Suggest(name, names))
}
