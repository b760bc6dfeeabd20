package scale

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/engines/schedule/cluster"
)

// TestSimulate: every number of workers has its two rows, the same again, with an
// interval where there are several simulations; the page says what they say.
func TestSimulate(t *testing.T) {
	a := Config{Workers: []int{1, 40}, InFlight: 10, Repeats: 2, Machines: cluster.Usual(1)}
	r, err := Simulate(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 4 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	for _, row := range r.Rows {
		if !(row.InUse > 0.9 && row.InUse <= 1) || math.IsNaN(row.Half) || row.Pairs <= 0 {
			t.Errorf("%+v", row)
		}
	}
	again, err := Simulate(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	one, err := r.CSV()
	if err != nil {
		t.Fatal(err)
	}
	if two, err := again.CSV(); err != nil || string(one) != string(two) {
		t.Errorf("%v: rows\n%s\nagain\n%s", err, one, two)
	}
	dir := t.TempDir()
	if err := r.Page("COMMAND").WriteReadme(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{r.find(tournament, 40).use(), "up to 40 workers", "COMMAND", "figures/use.svg"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
}

// TestOne: one simulation has no interval, and says none.
func TestOne(t *testing.T) {
	r, err := Simulate(t.Context(), Config{Workers: []int{3}, InFlight: 10, Repeats: 1, Machines: cluster.Usual(1)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if use := r.Table()[1][2]; strings.Contains(use, "±") {
		t.Errorf("one simulation has %s in use", use)
	}
	if data, err := r.CSV(); err != nil || strings.Contains(string(data), "NaN") {
		t.Errorf("%v:\n%s", err, data)
	}
}
