package gamestats

import "testing"

// TestSearchCurvesByBudget expects curves by budget, and an error for budgets of different kinds.
func TestSearchCurvesByBudget(t *testing.T) {
	sums := []Search{
		{Player: "a", Limits: "depth=3", Positions: 2, Nodes: 40},
		{Player: "b", Limits: "depth=2", Positions: 2, Nodes: 2},
		{Player: "a", Limits: "depth=1", Positions: 2, Nodes: 4},
	}
	curves, err := SearchCurves(sums, Nodes)
	if err != nil || len(curves) != 2 || curves[0].Points[0].X != 1 || curves[0].Points[1].Y != 20 {
		t.Errorf("curves by depth: %+v, %v", curves, err)
	}
	seconds, err := SearchCurves([]Search{{Player: "a", Limits: "time=100ms", Positions: 1, Nodes: 1}}, Nodes)
	if err != nil || seconds[0].Points[0].X != 0.1 {
		t.Errorf("curves by time: %+v, %v", seconds, err)
	}
	for _, limits := range []string{"nodes=3", "depth=3,nodes=4", "", "much"} {
		if _, err := SearchCurves(append(sums, Search{Player: "c", Limits: limits, Positions: 2}), Nodes); err == nil {
			t.Errorf("a curve over depth and %q", limits)
		}
	}
}
