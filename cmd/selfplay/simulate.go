package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/campaign/cluster"
	"selfplaylab/engines/runs/run"
	"selfplaylab/reports/record"
)

// curve are the numbers of workers that --simulate asks for by itself.
var curve = []int{1, 3, 10, 30, 100, 300, 1000, 3000, 10000}

const (
	mostSimulated = 20_000
	simulatedTime = 300 // seconds of simulated play
	usualInFlight = 10
	shortestPair  = 100 * time.Microsecond
)

// simulation is what --simulate asks.
type simulation struct {
	workers  []int
	inFlight float64
	cluster.Simulation
}

// parseSimulation reads name=value,...; pair is that of the game, 0 for none.
func parseSimulation(text string, pair float64) (simulation, error) {
	s := simulation{workers: curve, inFlight: usualInFlight, Simulation: cluster.Usual(1)}
	if pair > 0 {
		s.Pair = pair
	}
	for field := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(field, "=")
		var err error
		switch name {
		case "workers":
			if value != "curve" {
				n, e := strconv.Atoi(value)
				s.workers, err = []int{n}, e
				if e == nil && (n < 1 || n > mostSimulated) {
					err = fmt.Errorf("want 1 to %d", mostSimulated)
				}
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
		case "inflight":
			s.inFlight, err = share(value, 1000)
		case "copies":
			s.Copies, err = strconv.ParseBool(value)
		default:
			err = fmt.Errorf("want workers, pair, latency, crash, spread, uneven, inflight or copies")
		}
		if err != nil {
			return s, fmt.Errorf("--simulate %s: %w", field, err)
		}
	}
	return s, nil
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

// simulate prints how well machines are used.
func (f *planFlags) simulate(pair float64, stdout, stderr io.Writer) error {
	s, err := parseSimulation(f.simulation, pair)
	if err != nil {
		return err
	}
	t := cli.Table{{"workers", "what", "in use", "played twice", "pairs/s", "answers/s", "coordinator busy", "crashes"}}
	rows := []run.Object{}
	for _, n := range s.workers {
		fmt.Fprintf(stderr, "simulating %s\n", record.Plural(n, "worker"))
		sim := s.Simulation
		sim.Workers = n
		for _, k := range []struct {
			what string
			of   cluster.Simulated
		}{
			{"tournament", cluster.SimulateTournament(sim, simulatedTime)},
			{fmt.Sprintf("tuning, %v pairs in flight a worker", s.inFlight), cluster.SimulateTuning(sim, s.inFlight)},
		} {
			perSecond := float64(k.of.Pairs) / k.of.Seconds
			t = append(t, []string{
				record.Count(n), k.what, fmt.Sprintf("%.1f %%", 100*k.of.Efficiency), fmt.Sprintf("%.1f %%", 100*k.of.Twice),
				fmt.Sprintf("%.1f", perSecond), fmt.Sprintf("%.1f", k.of.Answers), fmt.Sprintf("%.1f %%", 100*k.of.Busy), record.Count(k.of.Crashes),
			})
			rows = append(rows, run.Object{
				{Name: "workers", Value: n}, {Name: "what", Value: k.what}, {Name: "efficiency", Value: k.of.Efficiency}, {Name: "twice", Value: k.of.Twice},
				{Name: "pairs_per_second", Value: perSecond}, {Name: "answers_per_second", Value: k.of.Answers}, {Name: "coordinator_busy", Value: k.of.Busy},
				{Name: "crashes", Value: k.of.Crashes}, {Name: "seconds", Value: k.of.Seconds},
			})
		}
	}
	if f.json {
		return cli.PrintObject(stdout, run.Object{{Name: "simulated", Value: rows}}, true)
	}
	fmt.Fprintf(stdout, "simulated, one run each: pairs of %.3g s (spread %v), machines of speed %.2g to %.2g, a crash in %s each, messages of %s\n",
		s.Pair, s.Spread, 1-s.Uneven, 1+s.Uneven, span(s.Crash), span(s.Latency))
	t.Print(stdout, 0, 2, 3, 4, 5, 6, 7)
	return nil
}

// span is a time for people; none is none.
func span(seconds float64) string {
	if seconds == 0 {
		return "no time"
	}
	return time.Duration(seconds * float64(time.Second)).String()
}
