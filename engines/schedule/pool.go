package schedule

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
)

// Pool plays jobs. A pool of this machine embeds LocalPool for Capacity and Machines. All
// methods but Play may be called at any time, by several goroutines.
type Pool interface {
	// Size returns the number of jobs that the pool plays at the same time, at least 1.
	Size() int
	// Capacity returns the number of pairs in flight that keeps all workers busy; 0 if the
	// source's own number suffices.
	Capacity() int
	// Machines returns the other machines that played for this process since the last call.
	Machines() []datasets.Machine
	// Play takes jobs and sends a result for each, in any order, until jobs is closed and all
	// are answered, or ctx ends. When Play returns, everything
	// that it started has ended. Its error is the pool's own; the error of a job is in its
	// Result. Callers do not call Play again before it has returned.
	Play(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- Result) error
}

// LocalPool is embedded in a Pool that has workers on this machine only.
type LocalPool struct{}

// Capacity implements Pool: the source's own number suffices.
func (LocalPool) Capacity() int { return 0 }

// Machines implements Pool: there are no other machines.
func (LocalPool) Machines() []datasets.Machine { return nil }

// Member is a worker that joined a pool, in its present state. It may leave.
type Member struct {
	Name   string  `json:"name"`   // unique in the pool
	CPU    string  `json:"cpu"`    // operating system and architecture
	Cores  int     `json:"cores"`  // processor cores of its machine
	Slots  int     `json:"slots"`  // games that it plays at the same time
	Games  int64   `json:"games"`  // games in answers that counted
	Share  float64 `json:"share"`  // share of all such games, from 0 to 1
	Speed  float64 `json:"speed"`  // games a second, over all slots; 0 if unknown
	Silent float64 `json:"silent"` // seconds since its last greeting
	Gone   bool    `json:"gone"`   // it left, or was silent for too long

	Compared int64 `json:"compared"` // pairs that were played again elsewhere, with equal results
	// MayBeWrong is the share of its pairs that may be wrong, with 95 % confidence, although
	// all compared pairs were correct. It is 1 if nothing is known.
	MayBeWrong float64 `json:"mayBeWrong"`
	// Residual is the distance of its score from the score of all others with the same players,
	// in standard errors; above 0 if A scored more.
	Residual float64 `json:"residual"`
	Own      bool    `json:"own"`     // it belongs to the coordinator's process, so its answers are not checked
	Refused  string  `json:"refused"` // the reason for its refusal; "" if it is accepted
}

// Result is the result of a job.
type Result struct {
	Trial int64       // number of the trial in the job
	Pairs []play.Pair // pairs of the job, in order; nil after an error
	CPU   [2]play.CPU // processor time of A's and B's decisions here, as far as measured
	Err   error       // the job cannot be played
}

// ErrOver is the cause that ends the context of Play when the source needs no more results. All
// earlier results are then recorded, so a pool that has doubts about one returns an error.
var ErrOver = errors.New("the source wants no more")

// TaintedError ends a run with wrong trials in its record, because a worker of the pool gave
// wrong answers.
type TaintedError struct {
	Trial  int64  // the first wrong trial
	Reason string // the worker and its answer, on one line
}

// Error returns the reason, the dropped trials and the remedy.
func (t *TaintedError) Error() string {
	return fmt.Sprintf("%s; answers of it were used before, so trial %d and all later ones are dropped; resume the run to play them again",
		t.Reason, t.Trial)
}

// Local is a Pool of goroutines in this process. Its fields are not changed while it plays.
type Local struct {
	LocalPool
	Variant engines.Variant // the setup's game and rules
	Workers int             // number of goroutines; 0 counts as 1
	Windows []play.Window   // views of the games of the first workers
	Custom  []player.Custom // code of custom players that a resumed run needs
	// Affinity binds each worker, and the programs that it starts, to one processor. It
	// requires Linux.
	Affinity bool
}

// Size implements Pool.
func (l Local) Size() int { return max(1, l.Workers) }

// Play implements Pool.
func (l Local) Play(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- Result) error {
	// The runtime takes processors back from threads that wait in the system. With two more
	// processors than threads it rarely has to.
	spare := sync.OnceFunc(func() { runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), l.Size()+2)) })
	return each(ctx, l.Size(), jobs, results, func(i int) (Player, error) {
		if l.Affinity {
			if err := bind(i); err != nil {
				return nil, err
			}
		}
		w := play.NewWorker(l.Variant, s)
		w.Custom = l.Custom
		if i < len(l.Windows) {
			w.Window = &l.Windows[i]
		}
		return &localPlayer{Worker: w, spare: spare}, nil
	})
}

// localPlayer keeps its goroutine on one thread from the first job of an external engine on.
// The engine's driver waits in the thread, so the game stays near one processor.
type localPlayer struct {
	*play.Worker
	spare  func()
	locked bool
}

// Play implements Player.
func (l *localPlayer) Play(ctx context.Context, j play.Job) ([]play.Pair, error) {
	if !l.locked && (j.Seats[0].External() || j.Seats[1].External()) {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		l.locked = true
		l.spare()
	}
	return l.Worker.Play(ctx, j)
}

// Player plays one job after the other, in one goroutine.
type Player interface {
	Play(context.Context, play.Job) ([]play.Pair, error) // Play returns the pairs of a job, in order.
	// TakeCPU returns the processor time of A's and B's decisions since the last call; zero if
	// it is not measured.
	TakeCPU() [2]play.CPU
	Close() error
}

// each plays jobs on n goroutines with a player each, until jobs is closed or ctx ends. Each
// goroutine calls open for its player.
func each(ctx context.Context, n int, jobs <-chan play.Job, results chan<- Result, open func(i int) (Player, error)) error {
	var workers sync.WaitGroup
	errs := make([]error, n)
	for i := range errs {
		workers.Go(func() {
			p, err := open(i)
			if errs[i] = err; err == nil {
				playJobs(ctx, p, jobs, results)
				errs[i] = p.Close()
			}
		})
	}
	workers.Wait()
	return errors.Join(errs...)
}

// playJobs plays jobs with one player and sends their results, until jobs is closed or ctx
// ends.
func playJobs(ctx context.Context, p Player, jobs <-chan play.Job, results chan<- Result) {
	for {
		select {
		case <-ctx.Done():
			return
		case j, ok := <-jobs:
			if !ok {
				return
			}
			pairs, err := p.Play(ctx, j)
			r := Result{j.Trial, pairs, p.TakeCPU(), err}
			select {
			case results <- r: // also after ctx has ended
				continue
			default:
			}
			select {
			case results <- r:
			case <-ctx.Done():
				return
			}
		}
	}
}
