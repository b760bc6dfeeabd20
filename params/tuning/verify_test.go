package tuning

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/reports/rating"
)

// TestVerifyBySPRT: the test ends the verification at its pair, also in a run
// that was stopped, and its verdict is in the outcome, the file and the report;
// the interval stays the one that holds at any stop.
func TestVerifyBySPRT(t *testing.T) {
	q := request(t, "bad")
	q.Spec.VerifySPRT = "elo0=0,elo1=10"
	want := execute(t, create(t, q), 1)
	if want.Test == nil || want.Test.State != rating.AcceptH1 || !want.Better() || !strings.HasPrefix(want.Verdict(), "passed: ") || !want.Verified.AnyTime {
		t.Fatalf("%s; %+v", want.Verdict(), want.Verified)
	}
	if want.Test.N != want.Verified.N || want.Test.N%64 == 0 {
		t.Fatalf("the test had %d pairs, the interval %d; want the same number, one that cuts a chunk", want.Test.N, want.Verified.N)
	}
	r := create(t, q)
	dir := r.Dir()
	stopAfter(t, r, 63) // in the verification: 2 trials of the screen and 60 of the tuning come first
	r, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := execute(t, r, 3)
	if got.Verdict() != want.Verdict() || !slices.Equal(got.Best, want.Best) {
		t.Errorf("resumed: %s\nat once: %s", got.Verdict(), want.Verdict())
	}
	for _, table := range []string{"trials", "games"} {
		if a, b := parts(t, want.Dir, table), parts(t, dir, table); !slices.Equal(a, b) {
			t.Errorf("%s parts differ", table)
		}
	}
	if err := WriteReport(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil || !strings.Contains(string(page), want.Verdict()) || !strings.Contains(string(page), "stops as soon as a sequential test decides") ||
		strings.Contains(string(page), "not finished") || strings.Contains(string(page), "not shown to be better") {
		t.Errorf("report (%v):\n%.600s", err, page)
	}
	log, err := datasets.Read(dir)
	if err != nil || !strings.Contains(log.Meta.Command, "--verify-sprt elo0=0,elo1=10 ") {
		t.Errorf("the test is not in the run's identity: %s (%v)", log.Meta.Command, err)
	}
}

// TestVerifyBySPRTUndecided: too few pairs for the test say so, and nothing is
// called better.
func TestVerifyBySPRTUndecided(t *testing.T) {
	q := request(t, "final")
	q.Spec.VerifySPRT, q.Spec.VerifyMin, q.Spec.VerifyMax, q.Spec.Iterations = "elo0=0,elo1=1", 5, 5, 5
	res := execute(t, create(t, q), 2)
	if res.Test == nil || res.Test.N != 5 || res.Better() || !strings.HasPrefix(res.Verdict(), "undecided") {
		t.Errorf("%s", res.Verdict())
	}
}

func TestBadVerifySPRT(t *testing.T) {
	for _, text := range []string{"elo0=5,elo1=5", "elo0=5,elo1=0", "elo0=0,elo1=5,alpha=0.6", "x"} {
		q := request(t, "bad")
		q.Spec.VerifySPRT = text
		if _, err := Create(filepath.Join(t.TempDir(), "run"), q); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
	q := request(t, "bad")
	q.Spec.VerifySPRT, q.Spec.VerifyMin, q.Spec.VerifyMax = "elo0=0,elo1=5", 0, 0
	if _, err := Create(filepath.Join(t.TempDir(), "run"), q); err == nil {
		t.Error("a test without pairs was taken")
	}
}
