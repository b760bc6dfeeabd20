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
	Phase string           // name of the phase; trials of a phase are judged together
	Seats [2]player.Config // A and B
	Pairs int              // at least 1
	// Stream and Openings select the openings and seeds of the pairs: trials that agree in both
	// play the same ones, pair by pair.
	Stream   uint64
	Openings uint64
	Book     int // index of pair 0 in the setup's book, or play.Drawn
}

// Source decides which trials are played. One goroutine at a time calls it. Most sources
// implement only Ask and Tell, and embed Defaults for the rest.
type Source interface {
	// Ask returns the trials that may start now, in order, each once. It returns none while the
	// source waits for results, and none after the last trial. inFlight is the number of pairs
	// that the pool can use at a time, 0 for no preference: it may change how many trials Ask
	// returns, but not the trials themselves.
	Ask(inFlight int) []Trial
	// Tell takes the result of the oldest trial that Ask returned and Tell has not taken, in
	// its recorded form. margin is A's score by margins; nil if margins do not count.
	Tell(row datasets.TrialRow, margin *params.MarginScore) error
	// Done reports whether the phase may end within this oldest trial, after the first pairs of
	// it, counted by A's half points. The trial is then recorded as if it had no more pairs,
	// Ask is not called again, and other pairs in flight are dropped. The end of a match
	// therefore depends neither on workers nor on batches.
	Done(pairs [5]int) bool
	// Recommend returns the recommended parameters after the trials so far, for the row of each
	// trial; nil for none.
	Recommend() params.Vector
	// Replay takes a recorded trial when a run is resumed, although Ask did not return it. It
	// reports false for trials that Ask must return first.
	Replay(row datasets.TrialRow, margin *params.MarginScore) (taken bool, err error)
}

// Defaults is embedded in a Source. It plays all trials to their end, recommends nothing, and
// resumes by proposing the recorded trials again.
type Defaults struct{}

// Done implements Source: every trial is played to its end.
func (Defaults) Done([5]int) bool { return false }

// Recommend implements Source: there is no recommendation.
func (Defaults) Recommend() params.Vector { return nil }

// Replay implements Source: Ask must propose every trial.
func (Defaults) Replay(datasets.TrialRow, *params.MarginScore) (bool, error) { return false, nil }

// Recorder stores finished trials, with their decisions if the setup takes notes. A
// datasets.Writer is one.
type Recorder interface {
	// Append stores the next trial in schedule order. It keeps no slice of its arguments.
	Append(datasets.TrialRow, []datasets.GameRow, []datasets.MoveRow) error
}

// Pending stores pairs of unfinished trials, so that a stopped run does not play them again: a
// trial may take hours.
type Pending interface {
	// Played returns the stored pair for a job of one pair; kept is false if there is none.
	Played(play.Job) (p play.Pair, kept bool, err error)
	// Keep is offered all pairs played of unfinished trials whenever a pair comes in. It may
	// skip a call, unless last says that the run stops.
	Keep(played iter.Seq2[play.Job, *play.Pair], last bool) error
}

// Finished is a trial with its games, just played or from the record.
type Finished struct {
	Trial    datasets.TrialRow  // its row
	Games    []datasets.GameRow // rows of its games
	Moves    []datasets.MoveRow // decisions of a trial without games, a comparison of searches; else nil
	Replayed bool               // taken from the record instead of played now
}
