package runs

import (
	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
)

// Options are settings for playing a run. None of them changes the result.
type Options struct {
	Workers  int           // games at a time; 0 is one a processor
	Affinity bool          // bind each worker of this process to a processor; Linux only
	Pool     schedule.Pool // where to play; nil is Workers of this process
	Logs     bool          // keep the lines of programs for all games, not only for those lost by a fault
	// Progress, if not nil, is called after every trial and at intervals.
	Progress func(Progress)
	// Fault, if not nil, is called with every game lost by a fault.
	Fault func(datasets.GameRow, string)
	// Observe, if not nil, sees every trial in schedule order once it counts, from
	// the goroutine that decides: it should only put it aside. It must not change
	// the rows.
	Observe func(schedule.Finished)
	// Pair, if not nil, is called with every pair of games in schedule order once it counts, from
	// the same goroutine. Pairs of trials that were recorded before are left out.
	Pair func(schedule.Counted)
	// Windows show games in play, where this process plays them itself: one of each of
	// the first workers.
	Windows []play.Window
	// Custom holds the custom players of a resumed run; a new run has them from its config.
	Custom []player.Custom
}

// Progress is the progress of a run.
type Progress struct {
	Phase    string
	Unit     string // unit of Games; "" is games
	Games    int64  // finished in this phase
	Planned  int64  // of this phase, at most
	Replayed bool   // taken from the record, not played now
	Note     string
	Workers  func() []schedule.Member // workers of this moment, if workers come and go; else nil
}
