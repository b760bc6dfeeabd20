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
	// Size is the number of jobs it plays at the same time, at least 1.
	Size() int
	// Capacity is the number of pairs in flight that keeps all workers busy; 0 where the
	// source's own number is enough.
	Capacity() int
	// Machines lists the other machines that played for this process since the last call.
	Machines() []datasets.Machine
	// Play takes jobs and sends a result for each, in any order, until jobs is closed and
	// all are answered, or ctx is done. Everything it started has ended when it returns.
	// It returns errors of the pool itself; the error of a job is in its Result. It is not
	// called again before it has returned.
	Play(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- Result) error
}

// LocalPool is embedded in a Pool with workers of this machine alone.
type LocalPool struct{}

func (LocalPool) Capacity() int { return 0 }

func (LocalPool) Machines() []datasets.Machine { return nil }

// Member is a worker of a pool that comes and goes, as the pool sees it now.
type Member struct {
	Name   string  `json:"name"`   // tells it from all others
	CPU    string  `json:"cpu"`    // operating system and architecture
	Cores  int     `json:"cores"`  // of its machine
	Slots  int     `json:"slots"`  // games at a time
	Games  int64   `json:"games"`  // whose answers counted
	Share  float64 `json:"share"`  // of all such games
	Speed  float64 `json:"speed"`  // games a second, of all its slots
	Silent float64 `json:"silent"` // seconds since its last greeting
	Gone   bool    `json:"gone"`   // it left, or was silent for too long

	Compared int64 `json:"compared"` // pairs that were played again elsewhere, and equal
	// MayBeWrong is the share of its pairs that may be wrong, with 95 % confidence, though all
	// compared ones were right. It is 1 where nothing is known.
	MayBeWrong float64 `json:"mayBeWrong"`
	// Residual is the distance of its score from the score of all others with the same
	// players, in standard errors; above 0 where A scored more.
	Residual float64 `json:"residual"`
	Own      bool    `json:"own"`     // of the coordinator's process: its answers are believed
	Refused  string  `json:"refused"` // the reason; "" for a worker that is not refused
}

// Result is the result of a job.
type Result struct {
	Trial int64
	Pairs []play.Pair
	CPU   [2]play.CPU // processor time of A's and B's decisions here, as far as measured
	Err   error       // of a job that cannot be played
}

// ErrOver is the cause that ends the context of Play when the source needs no more results.
// All results so far are recorded then, so a pool that doubts one returns an error.
var ErrOver = errors.New("the source wants no more")

// TaintedError ends a run with wrong trials in its record, because a worker of the pool gave
// wrong answers.
type TaintedError struct {
	Trial  int64  // the first wrong one
	Reason string // the worker and its answer, on one line
}

// Error says which trials are dropped and why.
func (t *TaintedError) Error() string {
	return fmt.Sprintf("%s; answers of it were used before, so trial %d and all later ones are dropped; resume the run to play them again",
		t.Reason, t.Trial)
}

// Local is a Pool of goroutines of this process.
type Local struct {
	LocalPool
	Variant engines.Variant // of the setup
	Workers int             // at least 1
	Windows []play.Window   // show the games of the first of them
	Custom  []player.Custom // that a resumed run needs
	// Affinity binds each worker, with the programs that it starts, to a processor. Linux only.
	Affinity bool
}

func (l Local) Size() int { return max(1, l.Workers) }

func (l Local) Play(ctx context.Context, s play.Setup, jobs <-chan play.Job, results chan<- Result) error {
	// The runtime takes processors back from threads that wait in the system. With two more
	// than there are threads it rarely has to.
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

// localPlayer keeps its goroutine on one thread from the first job of an external engine on:
// its driver waits in the thread, so the game stays near one processor.
type localPlayer struct {
	*play.Worker
	spare  func()
	locked bool
}

func (l *localPlayer) Play(ctx context.Context, j play.Job) ([]play.Pair, error) {
	if !l.locked && (j.Seats[0].External() || j.Seats[1].External()) {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		l.locked = true
		l.spare()
	}
	return l.Worker.Play(ctx, j)
}

// Player plays one job after the other.
type Player interface {
	Play(context.Context, play.Job) ([]play.Pair, error)
	// TakeCPU returns the processor time of A's and B's decisions since the last call; zero
	// where it is not measured.
	TakeCPU() [2]play.CPU
	Close() error
}

// each plays jobs on n goroutines with a player each, until jobs is closed or ctx is done.
// open is called by each goroutine.
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
			case results <- r: // also when ctx is done
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
