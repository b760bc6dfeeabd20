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
	here    []*work   // work to be played by this process
	stuck   time.Time // time since which all remaining work is set aside; zero if there is other work

	rules    []*play.Checker         // idle checkers, to replay answers with
	checkers chan *play.Worker       // idle workers, to play checks with
	checks   int                     // number of checks being played
	disputes []func(context.Context) // to be judged
	// doubts counts disputes being judged, and liars whose used answers are being played again:
	// nothing more is used meanwhile.
	doubts  int
	tainted *schedule.TaintedError // of the earliest trial; nil for none
	scores  *scores                // of all used pairs
}

// dispute is a pair that two workers played differently.
type dispute struct {
	w       *work
	place   int
	by      [2]string // the two workers
	digests [2]uint64
}

// poke makes Play look again. Any goroutine may call it.
func (t *turn) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// seed returns the seed of the first pair of a job.
func (t *turn) seed(j play.Job) uint64 {
	return play.PairSeed(t.setup.Seed, j.Stream, j.Openings, j.From)
}

// take passes on the pairs of pieces of work, a result for each job.
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

// play plays jobs in this process, and also returns the digests of the pairs. Several may play
// at the same time, without the lock.
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

// leave closes the players that played checks.
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
