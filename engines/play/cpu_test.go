package play

import (
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/testmode"
)

// TestProcessorTimeIsMeasuredSparsely measures both players' decisions: in all pairs if
// decisions are costly, ever more rarely if they are cheap. A player that searches more uses
// more time.
func TestProcessorTimeIsMeasuredSparsely(t *testing.T) {
	testmode.Raced(t, "plays for a while")
	if !engines.MetersCPU {
		t.Skip("no thread's clock here")
	}
	game, err := games.Find("connectfour")
	if err != nil {
		t.Fatal(err)
	}
	v, err := game.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWorker(v, Setup{Seed: 1, OpeningPlies: 4})
	defer w.Close()
	var job Job
	for index, nodes := range []int64{20_000, 200} {
		if job.Seats[index], err = player.Parse(game, game.DefaultPreset, engines.Limits{Nodes: nodes}); err != nil {
			t.Fatal(err)
		}
		job.Seats[index].Name = "AB"[index : index+1]
	}
	chosen := int64(0)
	for n := range 3 {
		job.From, job.To = n, n+1
		pairs, err := w.Play(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		chosen += pairs[0].Games[0].Chosen + pairs[0].Games[1].Chosen
	}
	cpu := w.TakeCPU()
	if cpu[0].Decisions+cpu[1].Decisions != chosen || cpu[1].Time <= 0 || cpu[0].Time < 4*cpu[1].Time {
		t.Errorf("%v in %d decisions", cpu, chosen)
	}
	if w.TakeCPU() != [2]CPU{} {
		t.Error("taken twice")
	}
	var m meter
	measured := 0
	for range 1000 {
		if m.wait == 0 {
			measured++
		}
		m.next([2]CPU{{time.Microsecond, 1}, {time.Microsecond, 1}})
	}
	if measured < 15 || measured > 22 {
		t.Errorf("%d of 1000 cheap pairs are measured", measured)
	}
}
