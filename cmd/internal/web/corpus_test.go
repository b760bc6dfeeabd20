package web

import (
	"net/url"
	"strings"
	"testing"

	"selfplaylab/engines/runs"
)

// TestCorpusIsServed expects pages that list and show the runs of earlier versions, and errors that
// name the removed kinds.
func TestCorpusIsServed(t *testing.T) {
	s := serving(t, "../../../engines/runs/kinds/testdata/corpus")
	rows := s.listed(t)
	if len(rows) < 80 {
		t.Fatalf("%d runs", len(rows))
	}
	shown := 0
	for id, row := range rows {
		if testing.Short() && !strings.HasSuffix(id, "/match") && !strings.HasSuffix(id, "/game") {
			continue
		}
		for _, path := range []string{"/run?id=", "/data/report?id=", "/data/charts?id=", "/games?id=", "/data/games?id="} {
			switch got := s.get(path + url.QueryEscape(id)); {
			case row.State == runs.Broken && strings.HasPrefix(path, "/data/"):
				if got.Code == 200 || !strings.Contains(got.Body.String(), "export") {
					t.Errorf("%s%s: %d %.300s", path, id, got.Code, got.Body)
				}
			case strings.Contains(id, "ask-tell") && got.Code == 404: // its games were played elsewhere
			case row.State != runs.Broken && got.Code != 200:
				t.Errorf("%s%s: %d %.300s", path, id, got.Code, got.Body)
			case got.Code == 200:
				shown++
			}
		}
	}
	if !testing.Short() && shown < 330 {
		t.Errorf("only %d pages are shown", shown)
	}
}
