// Package kinds is the list of the kinds of runs. A new kind is a folder next to this one
// and a line in it.
package kinds

import (
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/search"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/engines/runs/tuning"
)

// All returns the kinds of runs: the one list to extend for a new kind.
func All() runs.Kinds {
	return runs.Kinds{
		match.Kind(),
		tournament.Kind(),
		tournament.LadderKind(),
		tuning.Kind(),
		search.Kind(),
	}
}
