package selfplay

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/external"
	"selfplaylab/engines/schedule/cluster"
	"selfplaylab/reports/text"
)

// workerEvery is the interval of a worker's report.
const workerEvery = 10 * time.Second

func workerCommand(stderr io.Writer) *cobra.Command {
	var connect string
	var workers int
	var quiet, once bool
	var files []string
	access := &cli.Access{}
	cmd := &cobra.Command{
		Use: "worker --connect URL", Short: "play games for runs that were started with --cluster",
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if connect == "" {
				return errors.New("no --connect: want the address that the run with --cluster printed, such as nats://127.0.0.1:4222")
			}
			if err := cli.CheckWorkers(workers); err != nil {
				return err
			}
			out := stderr
			if quiet {
				out = io.Discard
			}
			for _, file := range files {
				if _, err := external.ReadFile(file); err != nil {
					return fmt.Errorf("--engine: %w", err)
				}
			}
			return runWorker(cmd, connect, &cluster.Worker{Slots: workers, Engines: files, Once: once}, access, out)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&connect, "connect", "", "`URL` of the run's broker")
	fl.IntVar(&workers, "workers", runtime.NumCPU(), "games played in parallel")
	fl.StringArrayVar(&files, "engine", nil, "`FILE` of an engine that may play here for runs that name it (repeatable)")
	fl.BoolVar(&once, "once", false, "play for one run and exit; exit at once if it cannot be joined")
	access.Register(fl)
	fl.BoolVarP(&quiet, "quiet", "q", false, "print nothing on standard error")
	return cmd
}

// runWorker plays until Ctrl-C.
func runWorker(cmd *cobra.Command, connect string, w *cluster.Worker, access *cli.Access, out io.Writer) error {
	access.Fill()
	// Threads that only look for work take time from the other workers of this machine.
	runtime.GOMAXPROCS(min(runtime.GOMAXPROCS(0), w.Slots))
	tally := &workerTally{out: out, since: time.Now()}
	w.Build, w.Played = cli.ThisBuild(), tally.played
	w.Say = func(line string) { fmt.Fprintln(out, text.Clean(line)) }
	err := w.Run(cmd.Context(), connect, access.Access)
	if cli.Interrupted(err) {
		tally.print("left; what was being played goes to others.")
	}
	if _, refused := errors.AsType[*cluster.RefusedError](err); err != nil && !refused && !cli.Interrupted(err) {
		return fmt.Errorf("--connect: %w", err)
	}
	return err
}

// workerTally counts the games of a worker.
type workerTally struct {
	out io.Writer

	mu           sync.Mutex
	since        time.Time // last line
	games, shown int64
}

// played counts games and reports them at intervals.
func (w *workerTally) played(games int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.games += int64(games)
	if now := time.Now(); now.Sub(w.since) > workerEvery {
		fmt.Fprintf(w.out, "%s games, %.0f/s\n", text.Number(float64(w.games), 0), float64(w.games-w.shown)/now.Sub(w.since).Seconds())
		w.since, w.shown = now, w.games
	}
}

func (w *workerTally) print(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(w.out, "%s %s games in all\n", what, text.Number(float64(w.games), 0))
}
