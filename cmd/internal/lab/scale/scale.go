// Package scale tells how much of how many machines a run can use: it plays the
// cluster's own schedule on machines that are made up, and makes rows, a table and
// a page of it. No game is played.
package scale

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule/cluster"
	"selfplaylab/reports/text"
)

// RowsName is the file of the rows, beside the page.
const RowsName = "curve.csv"

// tournamentSeconds is how long a simulated tournament lasts where no machine ever waits.
const tournamentSeconds = 300

// Config is what to simulate.
type Config struct {
	Workers  []int   // numbers of workers, of a core each
	InFlight float64 // pairs of a tuning under way for each worker
	Repeats  int     // simulations of each, by seeds from 1; at least 1
	// Machines are the machines; Workers and Seed of it do not count.
	Machines cluster.Simulation
}

// The two kinds of runs.
const (
	tournament = "tournament" // whose games have no order
	tuning     = "tuning"     // whose steps build on each other
)

// row is what came of some simulations.
type row struct {
	Workers  int     `csv:"workers"`
	What     string  `csv:"what"` // tournament or tuning
	Repeats  int     `csv:"repeats"`
	InUse    float64 `csv:"in_use"`             // share of what the machines could have played, the mean
	Half     float64 `csv:"half"`               // half of its 95 % interval, by Student's t; NaN for one simulation
	Twice    float64 `csv:"twice"`              // share of pairs that were played more than once
	Pairs    float64 `csv:"pairs_per_second"`   // played
	Answers  float64 `csv:"answers_per_second"` // to the coordinator
	Busy     float64 `csv:"coordinator_busy"`   // share of the time that the coordinator worked
	Crashes  float64 `csv:"crashes"`
	Duration float64 `csv:"seconds"`
}

// Result is a curve.
type Result struct {
	Config Config
	Rows   []row // by workers, tournament and tuning
}

// Simulate simulates everything asked; say, if not nil, is told before each row.
func Simulate(ctx context.Context, a Config, say func(what string, workers int)) (*Result, error) {
	r := &Result{Config: a}
	for _, n := range a.Workers {
		for _, what := range []string{tournament, tuning} {
			if say != nil {
				say(what, n)
			}
			row, err := a.row(ctx, what, n)
			if err != nil {
				return nil, err
			}
			r.Rows = append(r.Rows, row)
		}
	}
	return r, nil
}

func (a *Config) row(ctx context.Context, what string, workers int) (row, error) {
	row := row{What: what, Workers: workers, Repeats: a.Repeats}
	var used []float64
	for seed := range a.Repeats {
		if ctx.Err() != nil {
			return row, context.Cause(ctx)
		}
		sim := a.Machines
		sim.Workers, sim.Seed = workers, uint64(seed+1)
		var s cluster.Simulated
		if what == tuning {
			s = cluster.SimulateTuning(sim, a.InFlight)
		} else {
			s = cluster.SimulateTournament(sim, tournamentSeconds)
		}
		used = append(used, s.Efficiency)
		n := float64(a.Repeats)
		row.Twice += s.Twice / n
		row.Pairs += float64(s.Pairs) / s.Seconds / n
		row.Answers += s.Answers / n
		row.Busy += s.Busy / n
		row.Crashes += float64(s.Crashes) / n
		row.Duration += s.Seconds / n
	}
	mean, deviation := stat.MeanStdDev(used, nil)
	row.InUse, row.Half = mean, math.NaN()
	if n := float64(len(used)); n > 1 {
		row.Half = deviation / math.Sqrt(n) * distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(.975)
	}
	return row, nil
}

// find returns the row of a kind and number of workers, nil if there is none.
func (r *Result) find(what string, workers int) *row {
	for i := range r.Rows {
		if r.Rows[i].What == what && r.Rows[i].Workers == workers {
			return &r.Rows[i]
		}
	}
	return nil
}

// use is how much is in use, with its interval.
func (row *row) use() string {
	if math.IsNaN(row.Half) {
		return fmt.Sprintf("%.1f %%", 100*row.InUse)
	}
	return fmt.Sprintf("%.1f ± %.1f %%", 100*row.InUse, 100*row.Half)
}

// Name is a row's kind as people read it.
func (r *Result) Name(what string) string {
	if what == tuning {
		return fmt.Sprintf("tuning, %v pairs in flight a worker", r.Config.InFlight)
	}
	return what
}

// Table is the curve as cells, headings first; all columns but the second are
// numbers.
func (r *Result) Table() [][]string {
	t := [][]string{{"workers", "what", "in use", "played twice", "pairs/s", "answers/s", "coordinator busy", "crashes"}}
	for i := range r.Rows {
		row := &r.Rows[i]
		t = append(t, []string{
			text.Count(row.Workers), r.Name(row.What), row.use(), fmt.Sprintf("%.1f %%", 100*row.Twice),
			fmt.Sprintf("%.1f", row.Pairs), fmt.Sprintf("%.1f", row.Answers), fmt.Sprintf("%.1f %%", 100*row.Busy), fmt.Sprintf("%.0f", row.Crashes),
		})
	}
	return t
}

// CSV writes the rows.
func (r *Result) CSV() ([]byte, error) { return datasets.EncodeCSV(r.Rows) }

// JSON is the curve as one object.
func (r *Result) JSON() runs.Object {
	rows := []runs.Object{}
	for _, row := range r.Rows {
		var half any
		if !math.IsNaN(row.Half) {
			half = row.Half
		}
		rows = append(rows, runs.Object{
			{Name: "workers", Value: row.Workers}, {Name: "what", Value: row.What}, {Name: "repeats", Value: row.Repeats},
			{Name: "in_use", Value: row.InUse}, {Name: "half", Value: half}, {Name: "twice", Value: row.Twice},
			{Name: "pairs_per_second", Value: row.Pairs}, {Name: "answers_per_second", Value: row.Answers},
			{Name: "coordinator_busy", Value: row.Busy}, {Name: "crashes", Value: row.Crashes}, {Name: "seconds", Value: row.Duration},
		})
	}
	return runs.Object{{Name: "simulated", Value: rows}, {Name: "pairs_in_flight_a_worker", Value: r.Config.InFlight}}
}
