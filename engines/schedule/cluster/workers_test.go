package cluster

import (
	"testing"
	"time"

	"selfplaylab/engines/schedule"
)

// TestDescribeNamesFewWorkers names up to three workers with speed and share, and more by the
// range of their speeds. Silent workers are named; workers that left are not.
func TestDescribeNamesFewWorkers(t *testing.T) {
	a := schedule.Member{Name: "a/1", Slots: 2, Speed: 100, Share: 0.25}
	b := schedule.Member{Name: "b/2", Slots: 2, Speed: 300, Share: 0.75, Silent: 8}
	gone := schedule.Member{Name: "c/3", Slots: 9, Gone: true}
	for _, c := range []struct {
		workers []schedule.Member
		want    string
	}{
		{nil, "no worker yet"},
		{[]schedule.Member{gone}, "no worker any more"},
		{[]schedule.Member{a}, "1 worker, 2 cores, a/1 100/s (25 %)"},
		{[]schedule.Member{a, gone, b}, "2 workers, 4 cores, a/1 100/s (25 %), b/2 300/s (75 %), b/2 silent for 8 s"},
		{[]schedule.Member{a, a, b, a}, "4 workers, 8 cores of 100 to 300 games/s, b/2 silent for 8 s"},
		{[]schedule.Member{b, b, b, b, b}, "5 workers, 10 cores of 300 to 300 games/s, b/2 silent for 8 s, b/2 silent for 8 s, b/2 silent for 8 s, 2 more are silent"},
	} {
		if text := Describe(c.workers); text != c.want {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
}

// TestGamesOfWorkersAddUp compares the games of all workers with those of the run, in the list
// of members and in the record, which counts each answer once.
func TestGamesOfWorkersAddUp(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts workers")
	}
	p, b, _ := coordinator(t)
	for range 2 {
		start(t, part{Kind: "worker", URL: b.URL("")}).until(t, "playing for")
	}
	rows := &memory{}
	if err := quick.play(t, t.Context(), p, rows); err != nil {
		t.Fatal(err)
	}
	members, machines := p.Members(), p.Machines()
	games, share := int64(0), 0.0
	for _, m := range members {
		games, share = games+m.Games, share+m.Share
		if m.Gone || m.Speed <= 0 || m.Silent < 0 || m.Silent > time.Minute.Seconds() {
			t.Errorf("%+v", m)
		}
	}
	if len(members) != 2 || games != int64(len(rows.games)) || share < 0.999 || share > 1.001 {
		t.Errorf("%d games of %d, shares of %v: %+v", games, len(rows.games), share, members)
	}
	for _, m := range machines {
		games -= m.Games
		share -= m.Share
	}
	if games != 0 || share > 0.001 || len(p.Machines()) != 0 {
		t.Errorf("the record lacks %d games: %+v", games, machines)
	}
	if err := quick.play(t, t.Context(), p, &memory{}); err != nil {
		t.Fatal(err)
	}
	compared := int64(0)
	for _, m := range append(machines, p.Machines()...) {
		compared += m.Compared
	}
	if _, all, _ := p.Compared(); compared != all {
		t.Errorf("the records have %d compared pairs of %d", compared, all)
	}
}
