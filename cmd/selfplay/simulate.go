package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs/scale"
	"selfplaylab/engines/schedule/cluster"
	"selfplaylab/reports/gamestats"
)

// curve are the numbers of workers that --simulate asks for by itself.
var curve = []int{1, 10, 30, 100, 300, 1000, 3000, 10000}

const (
	maxSimulated    = 20_000
	maxRepeats      = 1000
	defaultInFlight = 10
	shortestPair    = 100 * time.Microsecond
)

// parseSimulation reads name=value,...; pair is that of the game, 0 for none.
func parseSimulation(text string, pair float64) (scale.Config, error) {
	a := scale.Config{Workers: curve, InFlight: defaultInFlight, Repeats: 1, Machines: cluster.Usual(1)}
	s := &a.Machines
	if pair > 0 {
		s.Pair = pair
	}
	for field := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(field, "=")
		var err error
		switch name {
		case "workers":
			if value != "curve" {
				var n int
				n, err = whole(value, maxSimulated)
				a.Workers = []int{n}
			}
		case "pair":
			s.Pair, err = seconds(value, shortestPair.Seconds())
		case "latency":
			s.Latency, err = seconds(value, 0)
		case "crash":
			s.Crash, err = seconds(value, 0)
		case "spread":
			s.Spread, err = share(value, 5)
		case "uneven":
			s.Uneven, err = share(value, 0.95)
		case "repeats":
			a.Repeats, err = whole(value, maxRepeats)
		case "inflight":
			a.InFlight, err = share(value, 1000)
		case "copies":
			s.Copies, err = strconv.ParseBool(value)
		default:
			err = fmt.Errorf("want workers, pair, latency, crash, spread, uneven, inflight, repeats or copies")
		}
		if err != nil {
			return a, fmt.Errorf("--simulate %s: %w", field, err)
		}
	}
	return a, nil
}

func whole(text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && (n < 1 || n > most) {
		err = fmt.Errorf("want 1 to %d", most)
	}
	return n, err
}

func seconds(text string, least float64) (float64, error) {
	if text == "0" {
		text = "0s"
	}
	d, err := time.ParseDuration(text)
	if err == nil && d.Seconds() < least || d < 0 {
		err = fmt.Errorf("want at least %v s", least)
	}
	return d.Seconds(), err
}

func share(text string, most float64) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err == nil && !(x >= 0 && x <= most) {
		err = fmt.Errorf("want 0 to %v", most)
	}
	return x, err
}

// simulate prints how well machines are used, and publishes it where that is asked.
func (f *planFlags) simulate(ctx context.Context, pair float64, stdout, stderr io.Writer) error {
	asked, err := parseSimulation(f.simulation, pair)
	if err != nil {
		return err
	}
	r, err := scale.Simulate(ctx, asked, func(what string, workers int) {
		fmt.Fprintf(stderr, "simulating a %s on %s\n", what, gamestats.Plural(workers, "worker"))
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
	m := asked.Machines
	fmt.Fprintf(stdout, "simulated, %s of each: pairs of %.3g s (spread %v), machines of speed %.2g to %.2g, a crash in %s each, messages of %s\n",
		gamestats.Plural(asked.Repeats, "run"), m.Pair, m.Spread, 1-m.Uneven, 1+m.Uneven, span(m.Crash), span(m.Latency))
	cli.Table(r.Table()).Print(stdout, 0, 2, 3, 4, 5, 6, 7)
	return nil
}

// write leaves the page and its rows in the folder of --publish.
func (f *planFlags) write(r *scale.Result) error {
	data, err := r.CSV()
	if err == nil {
		err = r.Page("selfplay plan --simulate " + f.simulation + " --publish " + f.publish).WriteReadme(f.publish)
	}
	if err == nil {
		err = datasets.WriteFile(filepath.Join(f.publish, scale.RowsName), data)
	}
	return err
}

// span is a time for people; none is none.
func span(seconds float64) string {
	if seconds == 0 {
		return "no time"
	}
	return time.Duration(seconds * float64(time.Second)).String()
}
