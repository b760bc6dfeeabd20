// Package schedule decides what is played next and in which order: sources ask
// for trials, a pool plays their pairs wherever there is room, and results are
// taken, recorded and handed to its source in schedule order, whoever finished first. It plays
// no game itself and judges no strength.
package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

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

// Source decides which trials are played. Most sources need only Ask and Tell, and
// embed Defaults for the rest.
type Source interface {
	// Ask returns the trials that may start now, in order, each once; none while
	// it waits for results, and none after the last one. inFlight is the number of
	// pairs that the pool can use at a time, 0 for no preference: a source may ask
	// for that many, but its trials must not depend on it.
	Ask(inFlight int) []Trial
	// Tell takes the result of the oldest trial that was asked for and not told, as
	// it is recorded. margin is A's score by margins; nil where they do not count.
	Tell(row datasets.TrialRow, margin *params.MarginScore) error
	// Done reports whether the phase may end within the oldest trial that was asked
	// for and not told, after these pairs of it, counted by A's half points. The
	// trial is then recorded and told as if it had been asked for no more pairs,
	// Ask is not called again, and other pairs in flight are dropped. So the end of
	// a match depends neither on workers nor on batches.
	Done(pairs [5]int) bool
	// Recommend returns the parameters that are recommended after the trials told so
	// far, which every trial's row records; nil for none.
	Recommend() params.Vector
	// Replay takes a recorded trial when a run is resumed, though Ask did not return
	// it. It reports false for trials that Ask must return first.
	Replay(row datasets.TrialRow, margin *params.MarginScore) (taken bool, err error)
}

// Defaults is embedded in a Source: it plays all trials to their end, recommends
// nothing, and resumes by asking for the recorded trials again.
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
// need not play them again: a trial may take hours.
type Pending interface {
	// Played returns the pair that a job of one pair asks for, if it was kept.
	Played(play.Job) (p play.Pair, kept bool, err error)
	// Keep is offered all pairs played of unfinished trials whenever one comes in,
	// and may leave it at that; last says that the run stops.
	Keep(played iter.Seq2[play.Job, *play.Pair], last bool) error
}

// Finished is a trial with its games, just played or from the record.
type Finished struct {
	Trial    datasets.TrialRow
	Games    []datasets.GameRow
	Moves    []datasets.MoveRow // of a trial without games: its searches; else nil
	Replayed bool               // taken from the record, not played now
}

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
	// Replayed holds the trials that a resumed run has already played, in order;
	// nil if none. They are told to the sources instead of being played again.
	Replayed iter.Seq2[Finished, error]
	// Observe, if not nil, sees every finished or replayed trial in schedule
	// order, after its source was told.
	Observe func(Finished) error
	// Fault, if not nil, is called in schedule order with each game lost by a fault.
	Fault func(datasets.GameRow, string)
	// Partial, if not nil, is called with how the first pairs of the oldest unfinished
	// trial went, by A's half points, as they come in.
	Partial func(phase string, pairs [5]int)
	// Arrived, if not nil, is called whenever pairs come in, with how many games of
	// unfinished trials of the phase are played so far, and whether the last ones were
	// kept by Pending and not played now.
	Arrived func(phase string, games int64, kept bool)
	// Idle, if not nil, is called whenever everything that is asked for is handed out and
	// results are awaited, with how many jobs the pool was given, and how many results were
	// taken, since its Play was called.
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

// CPUTime returns what the decisions of those games took, phase by phase in the order of
// their names, as far as it was measured.
func (r *Runner) CPUTime() (list []datasets.PhaseCPU) {
	for _, phase := range slices.Sorted(maps.Keys(r.cpu)) {
		list = append(list, *r.cpu[phase])
	}
	return list
}

// meter adds what decisions took.
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

// ErrDiverged says that a resumed run does not ask for what was recorded.
var ErrDiverged = errors.New("the recorded run and this program disagree: it was made by another version or other settings")

// Close ends the reading of Replayed, and reports recorded trials that no source
// asked for.
func (r *Runner) Close() error {
	if r.next == nil {
		return nil
	}
	defer r.stop()
	if f, err, ok := r.takeRecorded(context.Background()); err != nil {
		return err
	} else if ok {
		return fmt.Errorf("trial %d is recorded but was never asked for: %w", f.Trial.Trial, ErrDiverged)
	}
	return nil
}

// Run plays every trial that src asks for.
func (r *Runner) Run(ctx context.Context, src Source) error {
	waiting, err := r.replay(ctx, src)
	if err != nil || len(waiting) == 0 {
		return err
	}
	return r.play(ctx, src, waiting)
}

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

// jobsAhead is the number of jobs given to a pool beyond those it has finished: enough
// for the time that writing results to disk takes.
func jobsAhead(p Pool) int { return 64 * max(1, p.Size()) }

// play feeds jobs to the pool and takes finished trials in order.
func (c *Runner) play(ctx context.Context, src Source, waiting []Trial) error {
	ctx, cancel := context.WithCancelCause(ctx)
	jobs, results := make(chan play.Job, jobsAhead(c.Pool)), make(chan Result, jobsAhead(c.Pool))
	var pool sync.WaitGroup
	var failed error // of the pool
	pool.Go(func() {
		if failed = c.Pool.Play(ctx, c.Setup, jobs, results); failed != nil {
			cancel(failed)
		}
	})
	defer pool.Wait()
	defer cancel(nil)
	closed := sync.OnceFunc(func() { close(jobs) })
	defer closed()

	f := flight{runner: c, src: src}
	if err := f.add(waiting); err != nil {
		return err
	}
	// end adds to the cause what the pool found meanwhile, such as wrong answers that were used.
	end := func(cause error) error {
		cancel(cause)
		pool.Wait()
		if errors.Is(cause, failed) {
			return cause
		}
		return errors.Join(cause, failed)
	}
	// stop keeps what has come in by the time that all have stopped.
	stop := func(cause error) error {
		cause = end(cause)
		for {
			select {
			case r := <-results:
				if r.Err == nil {
					f.put(r)
				}
			default:
				return errors.Join(cause, f.keep(true))
			}
		}
	}
	over, err := f.settle(ctx)
	for !over && err == nil && len(f.list) > 0 {
		if ctx.Err() != nil { // before any result that waits, too
			return stop(context.Cause(ctx))
		}
		next, ok := f.nextJob()
		out := jobs
		if !ok {
			out = nil
			if c.Idle != nil {
				c.Idle(f.jobs, f.results)
			}
		}
		select {
		case <-ctx.Done():
			return stop(context.Cause(ctx))
		case out <- next:
			f.issued(next)
		case r := <-results:
			if r.Err != nil {
				return stop(r.Err)
			}
			f.results++
			f.put(r)
			over, err = f.settle(ctx)
		}
	}
	switch {
	case over:
		cancel(ErrOver)
	case err != nil:
		return end(err)
	}
	closed()
	pool.Wait() // it may find fault with what it gave, a player's faults included
	if over {
		return cmp.Or(failed, err)
	}
	return context.Cause(ctx)
}

// flight holds the trials under way, in schedule order.
type flight struct {
	runner  *Runner
	src     Source
	list    []*underway
	arrived int64 // games of the trials in list that are played

	jobs, results int // handed out, taken
}

// add takes trials under way, with those of their pairs that were kept.
func (f *flight) add(trials []Trial) error {
	for _, t := range trials {
		n := f.runner.trials + int64(len(f.list))
		u := &underway{trial: t, number: n, pairs: make([]play.Pair, t.Pairs), played: make([]bool, t.Pairs)}
		f.list = append(f.list, u)
		if f.runner.Pending == nil {
			continue
		}
		for i := range u.pairs {
			var err error
			if u.pairs[i], u.played[i], err = f.runner.Pending.Played(u.job(i)); err != nil {
				return err
			}
			if u.played[i] {
				f.arrived += 2
				f.tell(t.Phase, true)
			}
		}
	}
	return nil
}

// job asks for pair i.
func (u *underway) job(i int) play.Job {
	t := &u.trial
	return play.Job{
		Trial: u.number, Seats: t.Seats, Stream: t.Stream, Openings: t.Openings, Book: t.Book,
		From: i, To: i + 1,
	}
}

// nextJob returns the first pair that is neither played nor handed out.
func (f *flight) nextJob() (play.Job, bool) {
	for _, u := range f.list {
		for u.issued < u.trial.Pairs && u.played[u.issued] {
			u.issued++
		}
		if u.issued < u.trial.Pairs {
			return u.job(u.issued), true
		}
	}
	return play.Job{}, false
}

// played iterates over the pairs played of trials that are not finished.
func (f *flight) played(yield func(play.Job, *play.Pair) bool) {
	for _, u := range f.list {
		for i := range u.pairs {
			if u.played[i] && !yield(u.job(i), &u.pairs[i]) {
				return
			}
		}
	}
}

// keep offers the pairs of unfinished trials to who keeps them.
func (f *flight) keep(last bool) error {
	if f.runner.Pending == nil {
		return nil
	}
	return f.runner.Pending.Keep(f.played, last)
}

func (f *flight) of(trial int64) *underway { return f.list[trial-f.list[0].number] }

func (f *flight) issued(j play.Job) {
	f.jobs++
	f.of(j.Trial).issued = j.To
}

// put puts a result in its place.
func (f *flight) put(r Result) {
	u := f.of(r.Trial)
	for i := range r.Pairs {
		n := r.Pairs[i].Number
		u.pairs[n], u.played[n] = r.Pairs[i], true
		f.runner.games += 2
		f.arrived += 2
	}
	f.runner.meter(u.trial.Phase, r.CPU)
	f.tell(u.trial.Phase, false)
}

// tell says how many games have come in.
func (f *flight) tell(phase string, kept bool) {
	if f.runner.Arrived != nil {
		f.runner.Arrived(phase, f.arrived, kept)
	}
}

// settle finishes the trials that are complete, until ctx ends. It reports whether the phase is
// over, with the fault that ended it if one did.
func (f *flight) settle(ctx context.Context) (over bool, err error) {
	c := f.runner
	for len(f.list) > 0 && ctx.Err() == nil {
		first := f.list[0]
		over, fault := c.advance(f.src, first)
		if first.counted < first.trial.Pairs {
			return false, f.keep(false)
		}
		f.list = f.list[1:]
		f.arrived -= 2 * int64(first.counted)
		if err := c.finish(f.src, first); err != nil {
			return false, err
		}
		if over || fault != nil { // what else is in flight was played in vain
			return true, fault
		}
		if err := f.add(c.ask(f.src)); err != nil {
			return false, err
		}
	}
	return false, nil
}

// ask asks a source for as many pairs as the pool has capacity for.
func (r *Runner) ask(src Source) []Trial {
	if r.Pool == nil {
		return src.Ask(0)
	}
	return src.Ask(r.Pool.Capacity())
}

// advance counts the pairs of the oldest trial in schedule order, as far as they
// are played. It cuts the trial after the pair that ends the match, so that what
// is recorded does not depend on what else was in flight.
func (r *Runner) advance(src Source, u *underway) (over bool, fault error) {
	counted := u.counted
	for u.counted < len(u.pairs) && u.played[u.counted] {
		p := &u.pairs[u.counted]
		u.counted++
		half := p.Half()
		u.tally[half[0]+half[1]]++
		n := p.Faulted()
		u.faults[0], u.faults[1] = u.faults[0]+n[0], u.faults[1]+n[1]
		over = src.Done(u.tally)
		if who, tooMany := r.tooMany(u.trial.Phase, u.faults, 2*u.counted); tooMany {
			fault = r.faultOf(who, u, p)
		}
		if over || fault != nil {
			u.pairs, u.trial.Pairs = u.pairs[:u.counted], u.counted
			break
		}
	}
	if r.Partial != nil && u.counted > counted && u.counted < u.trial.Pairs {
		r.Partial(u.trial.Phase, u.tally)
	}
	return over, fault
}

// finish tells a trial to its source and records it.
func (r *Runner) finish(src Source, u *underway) error {
	row, games := rowsOf(u)
	if r.Fault != nil {
		for i, g := range games {
			if detail := u.pairs[i/2].Games[i%2].Detail; detail != "" {
				r.Fault(g, detail)
			}
		}
	}
	if err := src.Tell(row, r.margin(games)); err != nil {
		return err
	}
	row.Best = slices.Clone(src.Recommend())
	if r.Record != nil {
		if err := r.Record.Append(row, games, movesOf(u, games, row.Decisions)); err != nil {
			return err
		}
	}
	return r.done(Finished{Trial: row, Games: games})
}

// margin returns A's score by margins in a trial's games; nil where they do not count.
func (r *Runner) margin(games []datasets.GameRow) *params.MarginScore {
	if r.MarginCap == 0 {
		return nil
	}
	return MarginScore(games, r.MarginCap)
}

// done counts a trial that is told and recorded.
func (r *Runner) done(f Finished) error {
	r.trials++
	r.verdict(f.Trial.Phase).add(f.Trial)
	if r.Observe == nil {
		return nil
	}
	return r.Observe(f)
}
