package web

import (
	"encoding/json"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule"
)

// TestPageListsPresentWorkers expects the workers of the moment on the page of a run that others
// play, none when it is over, and none for a run of this process alone.
func TestPageListsPresentWorkers(t *testing.T) {
	root := t.TempDir()
	dir := playMatch(t, root, "m", 4)
	s := serving(t, root)
	workers := func() (list []schedule.Member) {
		t.Helper()
		w := s.get("/data/workers?id=m")
		var answer struct{ Workers []schedule.Member }
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
			t.Fatalf("%d %s: %v", w.Code, w.Body, err)
		}
		return answer.Workers
	}
	if list := workers(); list != nil {
		t.Errorf("a run that nobody plays has %+v", list)
	}
	live := &view.Live{Dir: dir, Stop: func() {}}
	s.watch(live)
	o := live.Options()
	want := schedule.Member{Name: "lab/ABC123", CPU: "linux/amd64", Cores: 8, Slots: 7, Games: 12, Share: 0.5, Speed: 33, Silent: 1.5}
	o.Progress(runs.Progress{Phase: "match", Planned: 8, Workers: func() []schedule.Member { return []schedule.Member{want} }, Note: "of pairs that no result has yet"})
	if list := workers(); len(list) != 1 || list[0] != want {
		t.Errorf("the page is told %+v", list)
	}
	m, err := s.model("m")
	if err != nil {
		t.Fatal(err)
	}
	if st, err := m.status(); err != nil || st.Note == "" || !strings.Contains(st.Result, st.Note) {
		t.Errorf("the page is told %q next to %q; %v", st.Note, st.Result, err)
	}
	live.End(nil)
	if list := workers(); list != nil {
		t.Errorf("when it is over it has %+v", list)
	}
}

// TestRemoteGameShowsAfterPair expects a game of another machine when its pair arrives, and before
// that the reason for none.
func TestRemoteGameShowsAfterPair(t *testing.T) {
	root := t.TempDir()
	dir := playMatch(t, root, "m", 4)
	s := serving(t, root)
	live := &view.Live{Dir: dir, Stop: func() {}}
	s.watch(live)
	defer live.End(nil)
	o := live.Options()
	o.Progress(runs.Progress{Phase: "match", Planned: 8, Workers: func() []schedule.Member { return []schedule.Member{{Name: "lab/ABC123", Slots: 7}} }})
	if got := s.get("/data/live?id=m").Body.String(); !strings.Contains(got, "other machines") {
		t.Errorf("before anything is in: %s", got)
	}
	rec, err := kinds.All().Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var last datasets.GameRow
	for f, err := range schedule.Recorded(rec.Log, datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		f.Replayed = false
		last = f.Games[len(f.Games)-1]
		o.Observe(f)
	}
	var answer struct{ Games []playView }
	w := s.get("/data/live?id=m")
	if json.Unmarshal(w.Body.Bytes(), &answer) != nil || len(answer.Games) != 1 {
		t.Fatalf("%d %.500s", w.Code, w.Body)
	}
	if got := answer.Games[0]; got.Whole != last.Name() || got.Moves != last.Moves || got.Outcome != last.Outcome || got.Ply != int(last.Plies) {
		t.Errorf("%d %.500s", w.Code, w.Body)
	}
	if want, got := [2]string{"B (v12.7)", "A (final)"}, answer.Games[0]; last.Game != 1 || got.Names != want {
		t.Errorf("game %d is of %q, want %q", last.Game, got.Names, want)
	}
}

// TestSharesCountAllMachines expects shares of all games, also where some machines are not listed.
func TestSharesCountAllMachines(t *testing.T) {
	s := datasets.Session{Games: 100, Seconds: 1}
	for range maxPlayed + 8 {
		s.Machines = append(s.Machines, datasets.Machine{Games: 4})
	}
	list := playedBy([]datasets.Session{s, {Games: 100, Seconds: 1}})
	if len(list) != maxPlayed || list[0].Share != 0.5 || list[1].Share != 0.1 || list[2].Share != 0.02 {
		t.Errorf("%+v", list)
	}
}
