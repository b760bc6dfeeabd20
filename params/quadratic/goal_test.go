package quadratic_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"text/tabwriter"

	"selfplaylab/params"
	"selfplaylab/params/bench"
	"selfplaylab/params/problem"
	"selfplaylab/params/quadratic"
	"selfplaylab/params/spsa"
)

// The table of the package's regrets, some ten minutes:
//
//	go test ./params/quadratic -run Goals -goals 40 -v -timeout 1h
var goals = flag.Int("goals", 0, "repeats of the whole table of regrets; 0 leaves it out")

// clop holds the regrets of CLOP's author's own program, x 1000, from the start 0
// (40 to 100 repeats, standard errors of about a tenth), at 1,000, 10,000 and
// 100,000 games; NaN where it was not run.
var clop = map[string][3]float64{
	"LOG": {4.4, 1.0, .20}, "FLAT": {24.6, 6.4, .35}, "POWER": {14.6, 12.3, 3.2}, "ANGLE": {20.9, 11.0, 3.7},
	"STEP": {79, 48.8, 26}, "ROSENBROCK": {9.6, 2.1, .56}, "CORRELATED": {4.6, 2.2, .84}, "LOG2": {14.9, 3.2, .64},
	"LOG5": {63, 15.5, math.NaN()}, "LOG12": {116, 66, math.NaN()},
}

func entrants() []bench.Entrant {
	all := func(p problem.Problem) []int {
		var list []int
		for i := range p.Space {
			list = append(list, i)
		}
		return list
	}
	return []bench.Entrant{
		{Name: "quad", Anytime: true, New: func(p problem.Problem, start params.Vector, _ int, seed uint64) (params.Tuner, error) {
			return quadratic.New(quadratic.Settings{Space: p.Space, Start: start, Active: all(p), Seed: seed})
		}},
		{Name: "spsa", New: func(p problem.Problem, start params.Vector, pairs int, seed uint64) (params.Tuner, error) {
			return spsa.New(spsa.Settings{Space: p.Space, Start: start, Active: all(p), Seed: seed, Iterations: pairs})
		}},
	}
}

// TestRegret is the short form of the goals: at 1,000 games no problem is shown to
// be above CLOP's regret, and in the geometric mean it is half of it.
func TestRegret(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
	rows, err := bench.Run(context.Background(), bench.Plan{
		Problems: problem.All()[:9], Entrants: entrants()[:1], Budgets: []int{1000}, Repeats: 40, Seed: 11, Workers: runtime.GOMAXPROCS(0),
	})
	if err != nil {
		t.Fatal(err)
	}
	ratio, se := 0.0, 0.0 // in logarithms
	for _, r := range rows {
		limit := clop[r.Problem][0] / 1000
		t.Logf("%-10s %.5f ± %.5f, CLOP %.5f, start %.5f", r.Problem, r.Regret, r.SE, limit, r.Start)
		if r.Regret > limit+2*r.SE {
			t.Errorf("%s: regret %.5f ± %.5f after 1,000 games, CLOP has %.5f", r.Problem, r.Regret, r.SE, limit)
		}
		if r.Regret > r.Start+2*r.SE {
			t.Errorf("%s: regret %.5f ± %.5f after 1,000 games, the start has %.5f", r.Problem, r.Regret, r.SE, r.Start)
		}
		ratio += math.Log(r.Regret/limit) / float64(len(rows))
		se += r.SE * r.SE / (r.Regret * r.Regret) / float64(len(rows)*len(rows))
	}
	t.Logf("geometric mean %.3f of CLOP's ± %.0f %%", math.Exp(ratio), 100*math.Sqrt(se))
	if ratio > math.Log(.5)+2*math.Sqrt(se) {
		t.Errorf("in the geometric mean %.3f of CLOP's regret ± %.0f %%, want half", math.Exp(ratio), 100*math.Sqrt(se))
	}
}

// TestGoals prints the whole table.
func TestGoals(t *testing.T) {
	if *goals == 0 {
		t.Skip("long; see -goals")
	}
	for _, random := range []bool{false, true} {
		for k, games := range []int{1000, 10000, 100000} {
			repeats := max(2, *goals>>(2*max(k-1, 0)))
			rows, err := bench.Run(context.Background(), bench.Plan{
				Problems: problem.All(), Entrants: entrants(), Budgets: []int{games}, Repeats: repeats, RandomStarts: random, Seed: 1, Workers: runtime.GOMAXPROCS(0),
			})
			if err != nil {
				t.Fatal(err)
			}
			show(rows, fmt.Sprintf("%d games, random starts %v, %d repeats", games, random, repeats), k)
		}
	}
}

func show(rows []bench.Row, title string, k int) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, title)
	fmt.Fprintln(w, strings.Join([]string{"problem", "start", "CLOP", "quad", "±", "worse", "spsa", "±", "worse", ""}, "\t"))
	for i := 0; i < len(rows); i += 2 {
		q, s := rows[i], rows[i+1]
		fmt.Fprintf(w, "%s\t%.1f\t%.2f\t%.2f\t%.2f\t%d\t%.2f\t%.2f\t%d\t\n",
			q.Problem, 1000*q.Start, clop[q.Problem][k], 1000*q.Regret, 1000*q.SE, q.Worse, 1000*s.Regret, 1000*s.SE, s.Worse)
	}
	fmt.Fprintf(w, "geometric mean\t\t\t%.2f\t\t\t%.2f\t\t\t\n", 1000*bench.GeometricMean(rows, "quad", rows[0].Games), 1000*bench.GeometricMean(rows, "spsa", rows[0].Games))
	w.Flush()
}
