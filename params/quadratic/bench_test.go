package quadratic

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/bench"
	"selfplaylab/params/problem"
)

func entrant(name string) bench.Entrant {
	return bench.Entrant{Name: name, Anytime: true, New: func(p problem.Problem, start params.Vector, pairs int, seed uint64) (params.Tuner, error) {
		active, err := p.Space.Active(nil, nil)
		if err != nil {
			return nil, err
		}
		return New(Settings{Space: p.Space, Start: start, Active: active, Seed: seed})
	}}
}

func TestExplore(t *testing.T) {
	games, _ := strconv.Atoi(os.Getenv("GAMES"))
	if games == 0 {
		t.Skip()
	}
	repeats, _ := strconv.Atoi(os.Getenv("REPEATS"))
	list := problem.All()
	if n, _ := strconv.Atoi(os.Getenv("FIRST")); n > 0 {
		list = list[:n]
	}
	plan := bench.Plan{Problems: list, Budgets: []int{games}, Repeats: repeats, Seed: 1, Workers: 2, RandomStarts: os.Getenv("RANDOM") != ""}
	if os.Getenv("P") != "" {
		p, err := problem.Named(os.Getenv("P"))
		if err != nil {
			t.Fatal(err)
		}
		plan.Problems = []problem.Problem{p}
	}
	if games > 1000 {
		plan.Budgets = []int{1000, games}
	}
	if games > 10000 {
		plan.Budgets = []int{1000, 10000, games}
	}
	plan.Entrants = []bench.Entrant{entrant("quad")}
	rows, err := bench.Run(context.Background(), plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, games := range plan.Budgets {
		fmt.Printf("%6d ", games)
		for _, r := range rows {
			if r.Games == games {
				fmt.Printf(" %s %.2f±%.2f[%d/%.0f]", r.Problem[:min(4, len(r.Problem))]+r.Problem[max(3, len(r.Problem)-1):], 1000*r.Regret, 1000*r.SE, r.Worse, 1000*r.Worst)
			}
		}
		fmt.Printf("  geo %.2f\n", 1000*bench.GeometricMean(rows, "quad", games))
	}
}
