// Package schedule decides what is played next and in which order: a source proposes trials, a
// pool plays their pairs in any order, and results are recorded and given to the source in
// schedule order. The package plays no game itself and judges no strength.
//
// The files in their order, callers first: flight plays the trials of a source, replay reads
// recorded ones, rows writes them, runner has what these share; pool is the pool of this
// process; match, tournament and tuner are sources.
package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"selfplaylab/engines/play"
	"slices"
	"sync"
)

// Run plays every trial of src, after the recorded ones of Replayed. Only one goroutine at a
// time may call it. The error is ctx's cause, a *FaultError, or an error of the pool, the
// source or the record; trials recorded before it stay recorded.
func (r *Runner) Run(ctx context.Context, src Source) error {
	waiting, err := r.replay(ctx, src)
	if err != nil || len(waiting) == 0 {
		return err
	}
	return r.play(ctx, src, waiting)
}

// Close ends the reading of Replayed. It returns an error if there are recorded trials that no
// source proposed.
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

// jobsAhead returns the number of jobs given to a pool before their predecessors are finished:
// enough for the time that writing results to disk takes.
func jobsAhead(p Pool) int { return 64 * max(1, p.Size()) }

// play feeds jobs to the pool and takes finished trials in order.
func (r *Runner) play(ctx context.Context, src Source, waiting []Trial) error {
	ctx, cancel := context.WithCancelCause(ctx)
	jobs, results := make(chan play.Job, jobsAhead(r.Pool)), make(chan Result, jobsAhead(r.Pool))
	var pool sync.WaitGroup
	var failed error // error of the pool
	pool.Go(func() {
		if failed = r.Pool.Play(ctx, r.Setup, jobs, results); failed != nil {
			cancel(failed)
		}
	})
	defer pool.Wait()
	defer cancel(nil)
	closed := sync.OnceFunc(func() { close(jobs) })
	defer closed()

	f := flight{runner: r, src: src}
	if err := f.add(waiting); err != nil {
		return err
	}
	// end adds the pool's own error to the cause, such as used answers that are wrong.
	end := func(cause error) error {
		cancel(cause)
		pool.Wait()
		if errors.Is(cause, failed) {
			return cause
		}
		return errors.Join(cause, failed)
	}
	// stop keeps the results that came in before everything has stopped.
	stop := func(cause error) error {
		cause = end(cause)
		for {
			select {
			case result := <-results:
				if result.Err == nil {
					f.put(result)
				}
			default:
				return errors.Join(cause, f.keep(true))
			}
		}
	}
	over, err := f.settle(ctx)
	for !over && err == nil && len(f.list) > 0 {
		if ctx.Err() != nil { // before any waiting result, too
			return stop(context.Cause(ctx))
		}
		next, ok := f.nextJob()
		out := jobs
		if !ok {
			out = nil
			if r.Idle != nil {
				r.Idle(f.jobs, f.results)
			}
		}
		select {
		case <-ctx.Done():
			return stop(context.Cause(ctx))
		case out <- next:
			f.issued(next)
		case result := <-results:
			if result.Err != nil {
				return stop(result.Err)
			}
			f.results++
			f.put(result)
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
	pool.Wait() // it may report wrong results, even if a player's faults end the run
	if over {
		return cmp.Or(failed, err)
	}
	return context.Cause(ctx)
}

// flight holds the trials that are being played, in schedule order.
type flight struct {
	runner  *Runner
	src     Source
	list    []*underway
	arrived int64 // games played of the trials in list

	jobs, results int // numbers handed out and taken
}

// add begins trials, with their pairs in Pending.
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

// played iterates over the pairs played of unfinished trials.
func (f *flight) played(yield func(play.Job, *play.Pair) bool) {
	for _, u := range f.list {
		for i := range u.pairs {
			if u.played[i] && !yield(u.job(i), &u.pairs[i]) {
				return
			}
		}
	}
}

// keep offers the pairs of unfinished trials to Pending.
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

// put stores a result in its trial.
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

// tell reports the number of games that have come in.
func (f *flight) tell(phase string, kept bool) {
	if f.runner.Arrived != nil {
		f.runner.Arrived(phase, f.arrived, kept)
	}
}

// settle finishes the trials that are complete, until ctx ends. It reports whether the phase is
// over, and the fault that ended it, if any.
func (f *flight) settle(ctx context.Context) (over bool, err error) {
	for len(f.list) > 0 && ctx.Err() == nil {
		first := f.list[0]
		over, fault := f.runner.advance(f.src, first)
		if first.counted < first.trial.Pairs {
			return false, f.keep(false)
		}
		f.list = f.list[1:]
		f.arrived -= 2 * int64(first.counted)
		if err := f.runner.finish(f.src, first); err != nil {
			return false, err
		}
		if over || fault != nil { // all other pairs in flight were played in vain
			return true, fault
		}
		if err := f.add(f.runner.ask(f.src)); err != nil {
			return false, err
		}
	}
	return false, nil
}

// advance counts the pairs of the oldest trial in schedule order, as far as they are played. It
// cuts the trial after the pair that ends the match, so that the record does not depend on
// other pairs in flight.
func (r *Runner) advance(src Source, u *underway) (over bool, fault error) {
	counted := u.counted
	for u.counted < len(u.pairs) && u.played[u.counted] {
		p := &u.pairs[u.counted]
		u.counted++
		half := p.Half()
		u.tally[half[0]+half[1]]++
		n := p.Faulted()
		u.faults[0], u.faults[1] = u.faults[0]+n[0], u.faults[1]+n[1]
		if r.Pair != nil {
			r.Pair(countedPair(u, p))
		}
		over = src.Done(u.tally)
		if side, tooMany := r.tooMany(u.trial.Phase, u.faults, 2*u.counted); tooMany {
			fault = r.faultOf(side, u, p)
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

// finish gives a trial to its source and records it.
func (r *Runner) finish(src Source, u *underway) error {
	row, games := rowsOf(u)
	for i, g := range games {
		if game := &u.pairs[i/2].Games[i%2]; r.Noted != nil && game.Detail+game.Log != "" {
			if err := r.Noted(g, game); err != nil {
				return err
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
