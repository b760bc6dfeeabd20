package figure

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot"
	"pgregory.net/rapid"

	"selfplaylab/reports/text"
)

func labels(ticks []plot.Tick) []string {
	var out []string
	for _, t := range ticks {
		out = append(out, t.Label)
	}
	return out
}

func TestLinearTicksAreRound(t *testing.T) {
	for _, tt := range []struct {
		name   string
		lo, hi float64
		most   int
		whole  bool
		want   string
	}{
		{"ones", 0, 5, 6, false, "0 1 2 3 4 5"},
		{"twos", 0, 10, 6, false, "0 2 4 6 8 10"},
		{"fives", -7, 12, 5, false, "−5 0 5 10"},
		{"no noise", 0, 0.7, 8, false, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7"},
		{"equal decimals", 0.9, 2.1, 3, false, "1.0 1.5 2.0"},
		{"thousands", 0, 25000, 6, false, "0 5,000 10,000 15,000 20,000 25,000"},
		{"millions", 0, 2.5e7, 6, false, "0 5M 10M 15M 20M 25M"},
		{"half millions", 9.2e6, 1.07e7, 4, false, "9.5M 10.0M 10.5M"},
		{"billions", 0, 4e9, 5, false, "0 1B 2B 3B 4B"},
		{"huge", 0, 4e20, 5, false, "0 1e20 2e20 3e20 4e20"},
		{"tiny", 0, 4e-9, 5, false, "0 1e−9 2e−9 3e−9 4e−9"},
		{"whole", 1, 3, 9, true, "1 2 3"},
		{"not whole", 1, 2, 6, false, "1.0 1.2 1.4 1.6 1.8 2.0"},
		{"offset range", 0.35, 0.45, 3, false, "0.35 0.40 0.45"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(labels(linearTicks(tt.lo, tt.hi, tt.most, tt.whole)), " "); got != tt.want {
				t.Errorf("ticks from %v to %v: %s, want %s", tt.lo, tt.hi, got, tt.want)
			}
		})
	}
}

func TestLogTicksAreRound(t *testing.T) {
	for _, tt := range []struct {
		lo, hi float64
		most   int
		want   string
	}{
		{0.03, 30, 12, "0.05 0.1 0.2 0.5 1 2 5 10 20"},
		{0.03, 30, 7, "0.03 0.1 0.3 1 3 10 30"},
		{0.03, 30, 4, "0.1 1 10"},
		{2, 9, 5, "2 4 6 8"},
		{1, 1e9, 4, "1 1,000 1M 1B"},
		{1, 1e6, 7, "1 10 100 1,000 10,000 100,000 1,000,000"},
	} {
		if got := strings.Join(labels(logTicks(tt.lo, tt.hi, tt.most)), " "); got != tt.want {
			t.Errorf("ticks from %v to %v, at most %d: %s, want %s", tt.lo, tt.hi, tt.most, got, tt.want)
		}
	}
}

// TestTicksLieOnTheirAxis draws axes of every size: marks lie on the axis and increase; their
// labels differ and read back as their values.
func TestTicksLieOnTheirAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exp := rapid.IntRange(-30, 30).Draw(t, "exp")
		lo := rapid.Float64Range(-1, 1).Draw(t, "lo") * math.Pow(10, float64(exp))
		span := rapid.Float64Range(0.01, 2).Draw(t, "span") * math.Pow(10, float64(exp))
		most := rapid.IntRange(2, 12).Draw(t, "most")
		hi := lo + span
		ticks := linearTicks(lo, hi, most, false)
		if len(ticks) > most+1 {
			t.Fatalf("%d ticks, asked for %d", len(ticks), most)
		}
		for i, tk := range ticks {
			if tk.Value < lo-span*1e-6 || tk.Value > hi+span*1e-6 {
				t.Fatalf("tick %v outside %v to %v", tk.Value, lo, hi)
			}
			if i > 0 && (tk.Value <= ticks[i-1].Value || tk.Label == ticks[i-1].Label) {
				t.Fatalf("ticks %v and %v do not increase", ticks[i-1], tk)
			}
			if got := readBack(t, tk.Label); math.Abs(got-tk.Value) > span*1e-6 {
				t.Fatalf("label %q of %v", tk.Label, tk.Value)
			}
		}
	})
}

func readBack(t *rapid.T, label string) float64 {
	factor := 1.0
	label = strings.NewReplacer(",", "", "−", "-").Replace(label)
	if s, ok := strings.CutSuffix(label, "M"); ok {
		label, factor = s, 1e6
	}
	if s, ok := strings.CutSuffix(label, "B"); ok {
		label, factor = s, 1e9
	}
	v, err := strconv.ParseFloat(label, 64)
	if err != nil {
		t.Fatalf("label %q: %v", label, err)
	}
	return v * factor
}

func TestNumbersAreWrittenPlainly(t *testing.T) {
	got := []string{
		text.Number(1234567.891, 2), text.Number(-999, 0), text.Number(-0.001, 2), text.Number(0, 1), text.Number(-1234.5, 1), text.Number(100, 0),
		plus(3, "3"), plus(-3, "−3"), plus(0.001, "0.0"), plus(1234, "1,234"),
		plain(0), plain(1.5), plain(-20), plain(12345.678), plain(0.012345), plain(1e-9), plain(3e14), plain(0.1 + 0.2),
	}
	want := []string{
		"1,234,567.89", "−999", "0.00", "0.0", "−1,234.5", "100",
		"+3", "−3", "0.0", "+1,234",
		"0", "1.5", "−20", "12,346", "0.01235", "1e−09", "3e+14", "0.3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
}
