package tuners

import (
	"context"
	"slices"
	"testing"

	"selfplaylab/engines/testmode"
	"selfplaylab/params/problem"
)

// TestExamCountsClaimsAndHarm: rows do not depend on workers; from a start at the optimum every
// change is harm; claims are counted; a verification keeps harm from being recommended.
func TestExamCountsClaimsAndHarm(t *testing.T) {
	testmode.SkipUnlessLong(t) // plays a part of the exam
	c := comparison{problems: problem.Exam(2)[:2], candidates: []candidate{{"quad", newQuadratic}}, games: 200, repeats: 20, seed: 3, workers: 1}
	rows, err := c.exam(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	c.workers = 3
	again, err := c.exam(context.Background())
	if err != nil || !slices.Equal(rows, again) {
		t.Errorf("other rows with three workers: %v", err)
	}
	for _, r := range rows {
		if r.Mean > 0 || r.Low < r.Least || r.Below == 0 || r.BelowVerified > 4 || r.BelowShown > r.Below || r.Below < r.BelowVerified {
			t.Errorf("%+v", r)
		}
		if g := r.Claims[claimGain]; g.of < 10 || 5*g.held < 4*g.of || r.Claims[claimLoss].of != 80 || r.Claims[claimCross].of != 120 {
			t.Errorf("claims %+v", r.Claims)
		}
	}
	if table := examTable(rows); len(table) != 4 || len(table[3]) != len(table[0]) || table[3][3] != "40" {
		t.Errorf("%v", table)
	}
}

// TestExamTablesNameLostProblems: a gain above the first method's by two standard errors is named, a
// smaller one is not; the row of all problems has the mean gain.
func TestExamTablesNameLostProblems(t *testing.T) {
	rows := []examRow{
		{Problem: "A", Method: "quad", Games: 2000, ToGain: 20, Mean: 10, SE: .3},
		{Problem: "A", Method: "spsa", Games: 2000, ToGain: 20, Mean: 11.2, SE: .4},
		{Problem: "B", Method: "quad", Games: 2000, ToGain: 6, Mean: 2, SE: .3},
		{Problem: "B", Method: "spsa", Games: 2000, ToGain: 6, Mean: 2.9, SE: .4},
	}
	lost := lostTable(rows)
	if len(lost) != 2 || !slices.Equal(lost[1], []string{"A", "spsa", "2,000", "+11.2", "+10.0", "2.4"}) {
		t.Errorf("lost %v", lost)
	}
	if lost := lostTable(rows[2:]); len(lost) != 2 || lost[1][0] != "nothing" {
		t.Errorf("lost %v", lost)
	}
	if all := examTable(rows)[5]; all[0] != "all" || all[4] != "13.0" || all[5] != "+6.0 ± 0.4" {
		t.Errorf("all %v", all)
	}
}

// TestGainClaimsHoldOffParabolas: intervals of the gain over the start, by a fit where one is claimed
// and by the games between both, contain the truth where strength is no parabola and after walks, too.
func TestGainClaimsHoldOffParabolas(t *testing.T) {
	testmode.SkipUnlessLong(t) // tunes hundreds of times
	problems := slices.Concat(problem.All(), problem.Others(), problem.Engines(5)[:8])
	for _, games := range []int{1000, 4000} {
		c := comparison{problems: problems, candidates: []candidate{{"quad", newQuadratic}}, games: games, repeats: 8, seed: 5, workers: 2}
		rows, err := c.exam(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var all claims
		for _, r := range rows {
			all.plus(&r.Claims)
		}
		for _, k := range []int{claimGain, claimPlayed} {
			if g := all[k]; g.of < 30 || 10*g.held < 9*g.of {
				t.Errorf("%d games: %d of %d intervals of %s contain the truth, want nine in ten", games, g.held, g.of, claimNames[k])
			}
		}
	}
}
