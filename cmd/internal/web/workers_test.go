package web

import (
	"encoding/json"
	"testing"

	"selfplaylab/engines/campaign"
	"selfplaylab/engines/runs/run"
)

// TestWorkers: the page of a run that others play, too, has them as they are now,
// and no more when it is over; a run that is played alone has none.
func TestWorkers(t *testing.T) {
	root := t.TempDir()
	dir := playMatch(t, root, "m", 4)
	s := serving(t, root)
	crew := func() (list []campaign.Member) {
		t.Helper()
		w := s.get("/data/workers?id=m")
		var answer struct{ Workers []campaign.Member }
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
			t.Fatalf("%d %s: %v", w.Code, w.Body, err)
		}
		return answer.Workers
	}
	if list := crew(); list != nil {
		t.Errorf("a run that nobody plays has %+v", list)
	}
	o, over := s.Watch(dir, 0, func() {})
	want := campaign.Member{Name: "lab/ABC123", CPU: "linux/amd64", Cores: 8, Slots: 7, Games: 12, Share: 0.5, Speed: 33, Silent: 1.5}
	o.Progress(run.Progress{Phase: "match", Planned: 8, Crew: []campaign.Member{want}})
	if list := crew(); len(list) != 1 || list[0] != want {
		t.Errorf("the page is told %+v", list)
	}
	over(nil)
	if list := crew(); list != nil {
		t.Errorf("when it is over it has %+v", list)
	}
}
