package kinds_test

import (
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
)

// corpus is the folder of the runs of earlier versions.
const corpus = "testdata/corpus"

// corpusRuns lists the runs of the corpus.
func corpusRuns(t testing.TB) []string {
	t.Helper()
	dirs, err := datasets.Find(corpus)
	if err != nil || len(dirs) < 80 {
		t.Fatalf("%d runs, %v", len(dirs), err)
	}
	return dirs
}

// TestCorpusOpens: this program reads every run that an earlier version recorded.
func TestCorpusOpens(t *testing.T) {
	for _, dir := range corpusRuns(t) {
		t.Run(dir[len(corpus)+1:], func(t *testing.T) {
			if s, _ := runs.Look(dir, kinds.All().Find); s.Fault != "" || s.Kind == "" || s.What == "" {
				t.Errorf("%+v", s)
			}
		})
	}
}
