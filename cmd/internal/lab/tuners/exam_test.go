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
