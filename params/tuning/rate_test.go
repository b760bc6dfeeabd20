package tuning

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
)

// TestRate: start, tuned values and presets play each other last, on the same
// openings; a run stopped among them goes on, and the report rates them.
func TestRate(t *testing.T) {
	q := request(t, "bad")
	q.Spec.RatePairs, q.Spec.VerifyMin, q.Spec.VerifyMax = 6, 0, 0
	want := execute(t, create(t, q), 1)
	field := q.Spec.field(q.Game.Presets, want.Best)
	names := []string{}
	for _, p := range field {
		names = append(names, p.name)
	}
	// The start is preset bad, which is listed once.
	if names[0] != "start" || names[1] != "tuned" || !slices.Contains(names, "preset final") || slices.Contains(names, "preset bad") {
		t.Fatalf("players %q", names)
	}
	pairings := len(field) * (len(field) - 1) / 2
	r := create(t, q)
	dir := r.Dir()
	stopAfter(t, r, 2+60+3) // the screen, the tuning and three pairings
	if err := WriteReport(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil || !strings.Contains(string(page), "not finished") {
		t.Errorf("report of an unfinished rating (%v):\n%.300s", err, page)
	}
	if r, err = Resume(dir); err != nil {
		t.Fatal(err)
	}
	if got := execute(t, r, 3); got.Games != want.Games {
		t.Errorf("resumed: %d games, want %d", got.Games, want.Games)
	}
	for _, table := range []string{"trials", "games"} {
		if a, b := parts(t, want.Dir, table), parts(t, dir, table); !slices.Equal(a, b) {
			t.Errorf("%s parts differ", table)
		}
	}
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	trials, openings := 0, map[string]bool{}
	for row, err := range log.Trials(datasets.Filter{Phase: PhaseRate}) {
		if err != nil || row.Pairs != 6 {
			t.Fatalf("%+v: %v", row, err)
		}
		trials++
	}
	for g, err := range log.Games(datasets.Filter{Phase: PhaseRate}) {
		if err != nil {
			t.Fatal(err)
		}
		openings[strings.Join(strings.Fields(g.Moves)[:4], " ")] = true
	}
	if trials != pairings || len(openings) > 6 {
		t.Errorf("%d pairings with %d openings, want %d with the same 6", trials, len(openings), pairings)
	}
	if err := WriteReport(dir); err != nil {
		t.Fatal(err)
	}
	page, err = os.ReadFile(filepath.Join(dir, "report.md"))
	text := string(page)
	start, final := strings.Index(text, "\n| start |"), strings.Index(text, "\n| preset final |")
	if err != nil || strings.Contains(text, "not finished") || start < 0 || final < 0 || final > start {
		t.Errorf("report (%v) does not rate final above the start, preset bad:\n%s", err, text)
	}
}
