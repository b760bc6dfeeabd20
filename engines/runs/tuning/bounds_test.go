package tuning

import (
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
)

// TestBoundsThatCanBeExceeded expects a warning only where the best value can lie beyond the range: not
// in a ratio group tuned whole, not for names and switches, and not for the range of an engine's option.
func TestBoundsThatCanBeExceeded(t *testing.T) {
	space := params.Space{
		{Name: "p", Min: -10, Max: 10, Step: 1, Ratio: "r"},
		{Name: "q", Min: -10, Max: 10, Step: 1, Ratio: "r"},
		{Name: "skill", Max: 20, Step: 1, Whole: true},
		{Name: "hash", Min: 1, Max: 1000, Step: .3, Log: true},
		{Name: "mode", Max: 2, Whole: true, Labels: []string{"a", "b", "c"}},
		{Name: "on", Max: 1, Step: 1, Whole: true},
	}
	exceedable := func(active ...string) (list []string) {
		c := &Config{Program: &Program{Bounded: []string{"skill"}}, task: &analysis.Task{Game: &engines.Game{Space: space}, Active: active}}
		for _, i := range c.task.Indices() {
			if c.mayExceed(i) {
				list = append(list, space[i].Name)
			}
		}
		return list
	}
	if list := exceedable(space.Names()...); len(list) != 1 || list[0] != "hash" {
		t.Errorf("values beyond the range exist for %q", list)
	}
	if list := exceedable("p", "skill"); len(list) != 1 || list[0] != "p" {
		t.Errorf("a part of the ratio group: values beyond the range exist for %q", list)
	}
	for _, c := range []struct {
		i    int
		x    float64
		want bool
	}{{0, 10, true}, {0, -9.96, true}, {0, 9.9, false}, {2, 20, true}, {2, 19, false}, {3, 1, true}, {3, 990, true}, {3, 900, false}} {
		if atBound(space[c.i], c.x) != c.want {
			t.Errorf("%s = %v at its bound: %v", space[c.i].Name, c.x, !c.want)
		}
	}
}
