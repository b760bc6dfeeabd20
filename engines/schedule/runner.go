package schedule

import (
	"context"
	"errors"
	"iter"
	"maps"
	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/params"
	"slices"
)

// Runner plays the trials of its sources, one source (a phase) after another. If every player
// repeats its decisions, the record depends only on the setup and the sources: neither on the
// pool, nor on kills and resumes. One goroutine at a time may use it; set the fields before the
// first Run.
type Runner struct {
	Setup play.Setup // settings of all games
	Pool  Pool       // plays the pairs

	// FaultLimit ends the run with a *FaultError; the zero value does not. Each phase name is
	// judged by itself.
	FaultLimit FaultLimit
	// MarginCap, if above 0, is the margin that counts as a whole game, see MarginScore; 0
	// counts results only.
	MarginCap float64
	// Record, if not nil, gets every finished trial in schedule order.
	Record Recorder
	// Pending, if not nil, stores the pairs of unfinished trials.
	Pending Pending
	// Replayed holds the trials that a resumed run has already played, in order; nil if none.
	// The sources get them instead of playing them again.
	Replayed iter.Seq2[Finished, error]
	// Observe, if not nil, gets every finished or replayed trial in schedule order, after its
	// source. Its error ends the run.
	Observe func(Finished) error
	// Noted, if not nil, is called in schedule order with each game that has a detail or a log,
	// before its trial is recorded. Its error ends the run.
	Noted func(datasets.GameRow, *play.Game) error
	// Partial, if not nil, is called with the first pairs of the oldest unfinished trial,
	// counted by A's half points, as they come in.
	Partial func(phase string, pairs [5]int)
	// Pair, if not nil, is called in schedule order with each pair once it counts, which may be long
	// before its trial does.
	Pair func(Counted)
	// Arrived, if not nil, is called whenever pairs come in: with the number of games played so
	// far of unfinished trials of the phase, and whether the last ones came from Pending
	// instead of being played now.
	Arrived func(phase string, games int64, kept bool)
	// Idle, if not nil, is called whenever all pairs of the trials so far are handed out and
	// results are awaited: with the number of jobs given to the pool, and of results taken from
	// it, since its Play was called.
	Idle func(jobs, results int)

	games    int64 // games played in this process
	cpu      map[string]*datasets.PhaseCPU
	trials   int64 // trials of all phases so far
	next     func() (Finished, error, bool)
	stop     func()
	unread   *Finished               // read from Replayed and put back
	verdicts map[string]*faultRecord // by phase
}

// Games returns the number of games played by this process so far, including dropped ones.
func (r *Runner) Games() int64 { return r.games }

// CPUTime returns the processor time of the decisions of these games as far as it was measured,
// by phase in the order of their names.
func (r *Runner) CPUTime() (list []datasets.PhaseCPU) {
	for _, phase := range slices.Sorted(maps.Keys(r.cpu)) {
		list = append(list, *r.cpu[phase])
	}
	return list
}

// meter adds the processor time of decisions.
func (r *Runner) meter(phase string, cpu [2]play.CPU) {
	if cpu == [2]play.CPU{} {
		return
	}
	if r.cpu == nil {
		r.cpu = map[string]*datasets.PhaseCPU{}
	}
	if r.cpu[phase] == nil {
		r.cpu[phase] = &datasets.PhaseCPU{Phase: phase}
	}
	so, taken := r.cpu[phase], func(x play.CPU) datasets.CPUTime {
		return datasets.CPUTime{Seconds: x.Time.Seconds(), Decisions: x.Decisions}
	}
	so.A, so.B = so.A.Plus(taken(cpu[0])), so.B.Plus(taken(cpu[1]))
}

// ErrDiverged is wrapped by the error of a resumed run that proposes other trials than were
// recorded.
var ErrDiverged = errors.New("the recorded run and this program disagree: it was made by another version or other settings")

// Counted is a pair of games that will be recorded.
type Counted struct {
	Seats [2]player.Config // A and B
	Games [2]datasets.GameRow
	Moves [2][]datasets.MoveRow // nil if the setup takes no notes
}

// underway is a trial whose pairs are being played.
type underway struct {
	trial  Trial
	number int64 // counts through all phases
	issued int   // number of pairs handed to the pool
	pairs  []play.Pair
	played []bool // by pair

	// counted is the number of first pairs that are all played and counted in the fields below.
	counted int
	tally   [5]int // by A's half points
	faults  [2]int // games lost by a fault, of A and B
}

// job returns the job of pair i.
func (u *underway) job(i int) play.Job {
	t := &u.trial
	return play.Job{
		Trial: u.number, Seats: t.Seats, Stream: t.Stream, Openings: t.Openings, Book: t.Book,
		From: i, To: i + 1,
	}
}

// ask returns the next trials of a source, for the capacity of the pool.
func (r *Runner) ask(src Source) []Trial {
	if r.Pool == nil {
		return src.Ask(0)
	}
	return src.Ask(r.Pool.Capacity())
}

// margin returns A's score by margins in a trial's games; nil if margins do not count.
func (r *Runner) margin(games []datasets.GameRow) *params.MarginScore {
	if r.MarginCap == 0 {
		return nil
	}
	return MarginScore(games, r.MarginCap)
}

// done counts a trial that is recorded and that its source knows.
func (r *Runner) done(f Finished) error {
	r.trials++
	r.verdict(f.Trial.Phase).add(f.Trial)
	if r.Observe == nil {
		return nil
	}
	return r.Observe(f)
}

// takeRecorded returns the next recorded trial; ok is false after the last.
func (r *Runner) takeRecorded(ctx context.Context) (f Finished, err error, ok bool) {
	if ctx.Err() != nil { // replaying a long run takes minutes
		return f, context.Cause(ctx), false
	}
	if r.unread != nil {
		f, r.unread = *r.unread, nil
		return f, nil, true
	}
	return r.next()
}

// played notes that the record is at its end.
func (r *Runner) played() {
	r.stop()
	r.Replayed, r.next = nil, nil
}

// verdict returns the faults of a phase.
func (r *Runner) verdict(phase string) *faultRecord {
	if r.verdicts == nil {
		r.verdicts = map[string]*faultRecord{}
	}
	if r.verdicts[phase] == nil {
		r.verdicts[phase] = &faultRecord{}
	}
	return r.verdicts[phase]
}

// tooMany reports whether a side reaches the limit with these further faults in these further
// games, and the side.
func (r *Runner) tooMany(phase string, faults [2]int, games int) (side int, reached bool) {
	if r.FaultLimit.IsZero() {
		return 0, false
	}
	record := r.verdict(phase)
	for side := range faults {
		n := record.faults[side] + faults[side]
		if n > r.FaultLimit.Games && float64(n) > float64(r.FaultLimit.Share*float64(record.games+games)) {
			return side, true
		}
	}
	return 0, false
}

// faultError returns the error for a side's last fault. faults and games are those after the
// finished trials.
func (r *Runner) faultError(side int, phase string, faults [2]int, games int) *FaultError {
	record := r.verdict(phase)
	return &FaultError{Phase: phase, Who: side, Faults: record.faults[side] + faults[side], Games: record.games + games, Game: -1}
}

// faultOf returns the error of faultError with the pair of the fault.
func (r *Runner) faultOf(side int, u *underway, p *play.Pair) *FaultError {
	e := r.faultError(side, u.trial.Phase, u.faults, 2*u.counted)
	e.Name, e.Trial, e.Pair = u.trial.Seats[side].Name, u.number, p.Number
	e.Seed = play.PairSeed(r.Setup.Seed, u.trial.Stream, u.trial.Openings, p.Number)
	for n := range p.Games {
		if f, ok := p.Games[n].Faulted(n); ok && f == side {
			e.Game, e.Reason, e.Detail = n, p.Games[n].Reason, p.Games[n].Detail
			break
		}
	}
	return e
}
