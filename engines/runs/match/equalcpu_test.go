package match

import (
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/record"
)

// TestEqualCPUAdjustsBudgetOnce adjusts the budget of one player before the run is made. The
// canonical command names the adjusted budget and does not adjust it again; the result has the
// processor time of both.
func TestEqualCPUAdjustsBudgetOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays many pairs")
	}
	if !engines.MetersCPU {
		t.Skip("no thread's clock here")
	}
	c := New()
	c.Game.Game, c.Rules, c.Pairs, c.EqualCPU = "connectfour", "rows=6,cols=7,forbidden=none", 2, "a"
	c.A, c.B = player.Ask("low:default@nodes=400"), player.Ask("high:default@nodes=4000")
	plan, err := c.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	if err := plan.Seat(t.Context(), func(line string) { list = append(list, line) }); err != nil {
		t.Fatal(err)
	}
	if a := plan.Config.(*Config).A.Limits; a.Nodes < 1000 || a.Nodes > 16_000 || len(list) != 1 {
		t.Errorf("adjusted to %s: %q", a, list)
	}
	run, err := record.New(plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if m := run.Head.Meta; strings.Contains(m.Command, "equal") || !strings.Contains(m.Command, "@"+plan.Config.(*Config).A.Limits.String()) {
		t.Error(m.Command)
	}
	if err := run.Play(t.Context(), runs.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	cpu := run.Head.CPUTime(phase)
	if ratio, ok := runs.CPURatio(cpu[0], cpu[1]); !ok || ratio < 0.2 || ratio > 5 {
		t.Errorf("%v", cpu)
	}
	var text strings.Builder
	if err := run.Result.Text(&text, runs.Ended{}); err != nil || !strings.Contains(text.String(), "CPU time         A ") {
		t.Error(text.String(), err)
	}
	for _, side := range []string{"", "c"} {
		c.EqualCPU, c.A = side, player.Ask("default@depth=4")
		if _, err := c.Plan(); (err == nil) != (side == "") {
			t.Errorf("%q: %v", side, err)
		}
	}
}
