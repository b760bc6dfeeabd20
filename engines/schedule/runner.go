package schedule

import (
	"context"
	"errors"
	"iter"
	"maps"
	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/params"
	"slices"
)

// Runner plays the trials of its sources, one source (a phase) after another.
// Where every player repeats, what it records depends on the setup and the
// sources alone: not on the pool, nor on how often it was killed and resumed.
type Runner struct {
	Setup play.Setup
	Pool  Pool

	// FaultLimit ends the run with a *FaultError; the zero value does not.
	// Each phase name is judged by itself.
	FaultLimit FaultLimit
	// MarginCap, if above 0, has games count by their margins: see MarginScore.
	MarginCap float64
	// Record, if not nil, is given every finished trial in schedule order.
	Record Recorder
	// Pending, if not nil, keeps the pairs of trials that are not finished.
	Pending Pending
	// Replayed holds the trials that a resumed run has already played, in order; nil if
	// none. The sources get them instead of playing them again.
	Replayed iter.Seq2[Finished, error]
	// Observe, if not nil, sees every finished or replayed trial in schedule
	// order, after its source.
	Observe func(Finished) error
	// Fault, if not nil, is called in schedule order with each game lost by a fault.
	Fault func(datasets.GameRow, string)
	// Partial, if not nil, is called with the first pairs of the oldest unfinished trial,
	// counted by A's half points, as they come in.
	Partial func(phase string, pairs [5]int)
	// Arrived, if not nil, is called whenever pairs come in, with the number of games
	// played so far of unfinished trials of the phase, and whether the last ones were
	// kept by Pending and not played now.
	Arrived func(phase string, games int64, kept bool)
	// Idle, if not nil, is called whenever all pairs of the trials so far are handed out and
	// results are awaited, with the number of jobs that the pool was given, and of results
	// that were taken, since its Play was called.
	Idle func(jobs, results int)

	games    int64 // played in this process
	cpu      map[string]*datasets.PhaseCPU
	trials   int64 // of all phases so far
	next     func() (Finished, error, bool)
	stop     func()
	unread   *Finished               // read from Replayed and put back
	verdicts map[string]*faultRecord // by phase
}

// Games returns the number of games played by this process so far, also those
// that were dropped.
func (r *Runner) Games() int64 { return r.games }

// CPUTime returns the processor time of the decisions of those games, phase by phase in the
// order of their names, as far as it was measured.
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

// ErrDiverged says that a resumed run proposes other trials than were recorded.
var ErrDiverged = errors.New("the recorded run and this program disagree: it was made by another version or other settings")

// underway is a trial whose pairs are being played.
type underway struct {
	trial  Trial
	number int64 // of all phases
	issued int   // pairs handed to the pool
	pairs  []play.Pair
	played []bool // of pairs

	// The first pairs, all of which are played, as counted so far.
	counted int
	tally   [5]int // by A's half points
	faults  [2]int // games lost by a fault: A's, B's
}

// job is the job of pair i.
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

// margin returns A's score by margins in a trial's games; nil where they do not count.
func (r *Runner) margin(games []datasets.GameRow) *params.MarginScore {
	if r.MarginCap == 0 {
		return nil
	}
	return MarginScore(games, r.MarginCap)
}

// done counts a trial that its source has and that is recorded.
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
	if ctx.Err() != nil { // to replay a long run takes minutes
		return f, context.Cause(ctx), false
	}
	if r.unread != nil {
		f, r.unread = *r.unread, nil
		return f, nil, true
	}
	return r.next()
}

// played says that the record is at its end.
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

// tooMany reports whether a side has reached the limit with these further faults in these
// further games, and which.
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

// faultError ends the run by a side's last fault. faults and games are those beyond the
// finished trials.
func (r *Runner) faultError(side int, phase string, faults [2]int, games int) *FaultError {
	record := r.verdict(phase)
	return &FaultError{Phase: phase, Who: side, Faults: record.faults[side] + faults[side], Games: record.games + games, Game: -1}
}

// faultOf is faultError with the pair of the fault.
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
