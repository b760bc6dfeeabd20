package analysis

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
)

// fitted returns a fit to trials near the tuned values: a and b matter and interact, flat does not
// matter, idle changed nothing. If none matters, all pairs are split.
func fitted(t *testing.T, matters bool) *fit {
	t.Helper()
	space := params.Space{}
	for _, name := range []string{"a", "b", "flat", "idle"} {
		space = append(space, params.Param{Name: name, Min: -10, Max: 10, Step: 1})
	}
	h := &History{Task: &Task{Game: &engines.Game{Space: space}, Start: space.Default(), Active: space.Names()}, Level: .95, Best: space.Default(),
		Idle: []string{"idle"}}
	elo := func(v params.Vector) float64 { return -14*v[0]*v[0] - 12*v[1]*v[1] - 12*v[0]*v[1] }
	r := rand.New(rand.NewPCG(5, 6))
	for range 600 {
		var trial Trial
		for _, v := range []*params.Vector{&trial.A, &trial.B} {
			*v = space.Default()
			for i := range *v {
				(*v)[i] = 4*r.Float64() - 2
			}
		}
		chance := rating.Score(elo(trial.A) - elo(trial.B))
		half := func() int {
			if r.Float64() < chance {
				return 2
			}
			return 0
		}
		for range 20 {
			if matters {
				trial.Pairs.Add(half(), half())
			} else {
				trial.Pairs.Add(2, 0)
			}
		}
		h.Trials = append(h.Trials, trial)
	}
	f, err := around(h, h.Best, h.Trials)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.model.Complete(1); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestClaimsAgreeEverywhere expects each claim of the terminal in the report with the same
// interval, both as numbers of the JSON, and no row or bold bar for a claim that was not shown.
func TestClaimsAgreeEverywhere(t *testing.T) {
	f := fitted(t, true)
	f.Start = params.Vector{1, 1, 1, 1}
	a := f.Analysis()
	interactions, ok := f.Interactions()
	if !ok {
		t.Fatal("no interactions")
	}
	page := reports.Page{Title: "t", Sections: []reports.Section{f.Importance(), interactions}}
	data, err := page.Markdown("figures")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	sentences := append(a.Leading(), a.Joint()...)
	if len(sentences) < 3 || !strings.HasPrefix(sentences[0], "a (") || !strings.Contains(strings.Join(sentences, "\n"), "with b (-") {
		t.Fatalf("the terminal says %q", sentences)
	}
	for _, sentence := range sentences {
		for _, number := range regexp.MustCompile(`[0-9.]+ ± [0-9.]+|from [0-9.]+ to [0-9.]+`).FindAllString(sentence, -1) {
			if !strings.Contains(text, number) {
				t.Errorf("the terminal says %q; %s is not in\n%s", sentence, number, text)
			}
		}
	}
	for _, want := range []string{"Not shown to matter near the tuned values: `flat`.",
		"No tested step of these changed a decision: `idle`."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, no := range []string{"| `flat`", "| `idle`", "and `flat`", "and `idle`"} {
		if strings.Contains(text, no) {
			t.Errorf("%q in\n%s", no, text)
		}
	}
	var read struct {
		Importance []struct {
			Parameter string
			Loss      struct {
				Value, Low, High float64
				N                int64
				Shown            bool
			}
		}
		Idle []string
	}
	if data, err = json.Marshal(a); err == nil {
		err = json.Unmarshal(data, &read)
	}
	if err != nil || len(read.Importance) != 3 || len(read.Idle) != 1 {
		t.Fatalf("%v: %s", err, data)
	}
	for _, w := range read.Importance {
		number := fmt.Sprintf("%+.1f ± %.1f", w.Loss.Value, (w.Loss.High-w.Loss.Low)/2)
		if w.Loss.Shown != (w.Parameter != "flat") || w.Loss.N != a.Games || w.Loss.Shown != strings.Contains(text, number) {
			t.Errorf("%+v, in\n%s", w, text)
		}
	}
}

// TestNothingShownIsOneLine expects one line instead of a table where no game showed anything.
func TestNothingShownIsOneLine(t *testing.T) {
	f := fitted(t, false)
	interactions, _ := f.Interactions()
	data, err := reports.Page{Title: "t", Sections: []reports.Section{f.Importance(), interactions}}.Markdown("figures")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Not shown to matter near the tuned values: `", "None of them is shown to differ from zero, allowing for their number"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %q in\n%s", want, data)
		}
	}
	if strings.Contains(string(data), "\n| ") || f.Analysis().Leading() != nil || f.Analysis().Joint() != nil {
		t.Errorf("a table of nothing, or %q and %q:\n%s", f.Analysis().Leading(), f.Analysis().Joint(), data)
	}
}
