package tuners

import (
	"context"
	"math"
	"runtime"
	"testing"

	"selfplaylab/engines/testmode"
	"selfplaylab/params"
	"selfplaylab/params/problem"
	"selfplaylab/params/quadratic"
)

// TestDefaultTunerMeetsGoals plays at 1,000 games: no problem is shown to have a regret above
// CLOP's, and in the geometric mean the regret is half of CLOP's.
func TestDefaultTunerMeetsGoals(t *testing.T) {
	testmode.SkipUnlessLong(t) // a study of tuners
	c := comparison{problems: problem.All()[:9], candidates: []candidate{{"quad", newQuadratic}}, games: 1000, repeats: 40, seed: 11, workers: runtime.GOMAXPROCS(0)}
	rows, err := c.compare(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ratio, se := 0.0, 0.0 // in logarithms
	for _, r := range rows {
		limit, ok := clopRegret(r.Problem, r.Games)
		if !ok {
			t.Fatalf("no regret of CLOP on %s after %d games", r.Problem, r.Games)
		}
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

func newQuadratic(space params.Space, start params.Vector, _ int, seed uint64) (params.Tuner, error) {
	var all []int
	for i := range space {
		all = append(all, i)
	}
	return quadratic.New(quadratic.Settings{Space: space, Start: start, Active: all, Seed: seed})
}
