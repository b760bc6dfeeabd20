package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/lab/scale"
	"selfplaylab/datasets"
	"selfplaylab/engines/schedule/cluster"
	"selfplaylab/reports/text"
)

// clusterFlags say what to simulate, and where the page goes.
type clusterFlags struct {
	scale.Config
	pair, latency, crash time.Duration
	json                 bool
	publish              string
	typed                []string
}

func clusterCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &clusterFlags{typed: args}
	f.Machines = cluster.Usual(1)
	m := &f.Machines
	cmd := &cobra.Command{
		Use: "cluster", Short: "simulate how well a cluster of machines is used",
		Long: `Cluster runs the real scheduler of --cluster on simulated machines. It tells how
well they are used by a tournament, whose games can be played in any order, and by
a tuning, whose steps build on each other.`,
		Example: `  lab cluster --workers 1000 --pair 200ms
  lab cluster --repeats 4 --publish reports/published/cluster`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, stdout, stderr) },
	}
	fl := cmd.Flags()
	fl.IntSliceVar(&f.Workers, "workers", []int{1, 10, 30, 100, 300, 1000, 3000, 10000}, "numbers of workers, one core each")
	fl.DurationVar(&f.pair, "pair", seconds(m.Pair), "mean time of a pair of games on one core")
	fl.DurationVar(&f.latency, "latency", seconds(m.Latency), "time of a message")
	fl.DurationVar(&f.crash, "crash", seconds(m.Crash), "mean time between two crashes of a machine; 0 for none")
	fl.Float64Var(&m.Spread, "spread", m.Spread, "standard deviation over mean of the pairs' times")
	fl.Float64Var(&m.Uneven, "uneven", m.Uneven, "machines' speeds are from 1 - this to 1 + this")
	fl.BoolVar(&m.Copies, "copies", m.Copies, "give lagging work to a second worker")
	fl.Float64Var(&f.InFlight, "inflight", 10, "pairs of a tuning in flight for each worker")
	fl.IntVar(&f.Repeats, "repeats", 1, "simulations of each kind, for intervals")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
	fl.StringVar(&f.publish, "publish", "", "write the page as README.md, its figure and the rows into `DIR`")
	return cmd
}

const (
	maxSimulated = 20_000
	minPair      = 100 * time.Microsecond
)

// check reports the first value that cannot be simulated.
func (f *clusterFlags) check() error {
	m := f.Machines
	for _, n := range f.Workers {
		if n < 1 || n > maxSimulated {
			return fmt.Errorf("--workers %d: want 1 to %d", n, maxSimulated)
		}
	}
	switch {
	case len(f.Workers) == 0:
		return fmt.Errorf("--workers: want at least one number")
	case f.pair < minPair:
		return fmt.Errorf("--pair %v: want at least %v", f.pair, minPair)
	case f.latency < 0 || f.crash < 0:
		return fmt.Errorf("--latency and --crash: want at least 0")
	case !(m.Spread >= 0 && m.Spread <= 5):
		return fmt.Errorf("--spread %v: want 0 to 5", m.Spread)
	case !(m.Uneven >= 0 && m.Uneven <= 0.95):
		return fmt.Errorf("--uneven %v: want 0 to 0.95", m.Uneven)
	case !(f.InFlight >= 0 && f.InFlight <= 1000):
		return fmt.Errorf("--inflight %v: want 0 to 1000", f.InFlight)
	case f.Repeats < 1 || f.Repeats > 1000:
		return fmt.Errorf("--repeats %d: want 1 to 1000", f.Repeats)
	}
	return nil
}

// run prints how well the machines are used, and writes the page.
func (f *clusterFlags) run(cmd *cobra.Command, stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	m := &f.Machines
	m.Pair, m.Latency, m.Crash = f.pair.Seconds(), f.latency.Seconds(), f.crash.Seconds()
	r, err := scale.Simulate(cmd.Context(), f.Config, func(what string, workers int) {
		fmt.Fprintf(stderr, "simulating a %s on %s\n", what, text.Plural(workers, "worker"))
	})
	if err != nil {
		return err
	}
	if f.publish != "" {
		if err := f.write(r); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "written: %s\n", filepath.Join(f.publish, "README.md"))
	}
	if f.json {
		return cli.PrintObject(stdout, r.JSON(), true)
	}
	fmt.Fprintf(stdout, "simulated, %s of each: pairs of %v (spread %v), machines of speed %.2g to %.2g, a crash every %v each, messages "+
		"of %v\n",
		text.Plural(f.Repeats, "run"), f.pair, m.Spread, 1-m.Uneven, 1+m.Uneven, f.crash, f.latency)
	text.Table(r.Table()).Print(stdout, 0, 2, 3, 4, 5, 6, 7)
	return nil
}

// write leaves the page and its rows in the folder of --publish.
func (f *clusterFlags) write(r *scale.Result) error {
	data, err := r.CSV()
	if err == nil {
		err = r.Page(commandLine(f.typed)).WriteReadme(f.publish)
	}
	if err == nil {
		err = datasets.WriteFile(filepath.Join(f.publish, scale.RowsName), data)
	}
	return err
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
