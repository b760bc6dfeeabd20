package schedule

import (
	"iter"
	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// Trial is a number of game pairs of player A, the first seat, against player B, the second.
type Trial struct {
	Phase string
	Seats [2]player.Config // A, B
	Pairs int              // at least 1
	// Stream and Openings choose the openings and seeds of the pairs: trials that
	// agree in both play the same ones pair by pair.
	Stream   uint64
	Openings uint64
	Book     int // place of pair 0 in the setup's book, or play.Drawn
}

// Source decides which trials are played. One goroutine calls it. Most sources need only
// Ask and Tell, and embed Defaults for the rest.
type Source interface {
	// Ask returns the trials that may start now, in order, each once. It returns none
	// while the source waits for results, and none after the last trial. inFlight is the
	// number of pairs that the pool can use at a time, 0 for no preference: a source may
	// return as many, but its trials must not depend on it.
	Ask(inFlight int) []Trial
	// Tell takes the result of the oldest trial that Ask returned and Tell has not taken,
	// as it is recorded. margin is A's score by margins; nil where they do not count.
	Tell(row datasets.TrialRow, margin *params.MarginScore) error
	// Done reports whether the phase may end within that oldest trial, after these pairs of
	// it, counted by A's half points. The trial is then recorded as if it had no more
	// pairs, Ask is not called again, and other pairs in flight are dropped. So the end of
	// a match depends neither on workers nor on batches.
	Done(pairs [5]int) bool
	// Recommend returns the parameters that are recommended after the trials so far, for
	// the row of each trial; nil for none.
	Recommend() params.Vector
	// Replay takes a recorded trial when a run is resumed, though Ask did not return
	// it. It reports false for trials that Ask must return first.
	Replay(row datasets.TrialRow, margin *params.MarginScore) (taken bool, err error)
}

// Defaults is embedded in a Source: it plays all trials to their end, recommends
// nothing, and resumes by proposing the recorded trials again.
type Defaults struct{}

func (Defaults) Done([5]int) bool { return false }

func (Defaults) Recommend() params.Vector { return nil }

func (Defaults) Replay(datasets.TrialRow, *params.MarginScore) (bool, error) { return false, nil }

// Recorder keeps finished trials, with their decisions if the setup notes them.
// A datasets.Writer is one.
type Recorder interface {
	Append(datasets.TrialRow, []datasets.GameRow, []datasets.MoveRow) error
}

// Pending keeps pairs of trials that are not finished, so that a run that is stopped
// does not play them again: a trial may take hours.
type Pending interface {
	// Played returns the pair of a job of one pair, if it was kept.
	Played(play.Job) (p play.Pair, kept bool, err error)
	// Keep is offered all pairs played of unfinished trials whenever a pair comes in. It may
	// skip a call, unless last says that the run stops.
	Keep(played iter.Seq2[play.Job, *play.Pair], last bool) error
}

// Finished is a trial with its games, just played or from the record.
type Finished struct {
	Trial    datasets.TrialRow
	Games    []datasets.GameRow
	Moves    []datasets.MoveRow // decisions of a trial without games, a search comparison; else nil
	Replayed bool               // taken from the record, not played now
}
