package cluster

import (
	"context"
	"errors"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
)

// turn is one call of Play. The lock of its Pool guards it.
type turn struct {
	setup   play.Setup
	variant engines.Variant
	spec    string
	first   uint64 // number of its first work
	ready   []schedule.Result
	err     error
	wake    chan struct{}
	here    []*work   // to be played by this process
	stuck   time.Time // since when nothing is left but what was set aside; zero if more is

	rules    []*play.Checker         // at hand, to replay answers with
	checkers chan *play.Worker       // at hand, to play checks with
	checks   int                     // that are played now
	disputes []func(context.Context) // to be judged
	// doubts counts disputes that are judged, and liars whose used answers are played
	// again: nothing more is used meanwhile.
	doubts  int
	tainted *schedule.TaintedError // of the earliest trial; nil for none
	scores  *scores                // of all pairs that were used
}

// dispute is a pair that two workers played differently.
type dispute struct {
	w       *work
	place   int
	by      [2]string // workers
	digests [2]uint64
}

// poke has Play look again. It may be called by anyone.
func (t *turn) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// seed is that of the first pair of a job.
func (t *turn) seed(j play.Job) uint64 {
	return play.PairSeed(t.setup.Seed, j.Stream, j.Openings, j.From)
}

// take passes the pairs of pieces of work on, a result a job.
func (t *turn) take(list ...*work) {
	for _, w := range list {
		pairs := w.result
		for _, j := range w.jobs {
			n := j.To - j.From
			t.scores.add(w.by, &j, pairs[:n])
			t.ready = append(t.ready, schedule.Result{Trial: j.Trial, Pairs: pairs[:n:n]})
			pairs = pairs[n:]
		}
		w.result = nil
	}
}

// play plays jobs in this process, and returns the digests of the pairs, too. Several may
// play at the same time, without the lock.
func (t *turn) play(ctx context.Context, jobs []play.Job) (pairs []play.Pair, digests []uint64, err error) {
	var w *play.Worker
	select {
	case w = <-t.checkers:
	default:
		w = play.NewWorker(t.variant, t.setup)
	}
	defer func() {
		select {
		case t.checkers <- w:
		default:
			err = errors.Join(err, w.Close())
		}
	}()
	if pairs, err = playBy(ctx, w, jobs); err != nil {
		return nil, nil, err
	}
	digests = make([]uint64, len(pairs))
	for i := range pairs {
		data, _ := encode(nil, &pairs[i])
		if _, digests[i], _, err = decode(data); err != nil {
			return nil, nil, err
		}
	}
	return pairs, digests, nil
}

// leave closes the players that checks were played with.
func (t *turn) leave() (err error) {
	for {
		select {
		case w := <-t.checkers:
			err = errors.Join(err, w.Close())
		default:
			return err
		}
	}
}
