package grid

import (
	"slices"
	"strings"
	"testing"

	"selfplaylab/params"
	"selfplaylab/params/tunertest"
)

func axis(t testing.TB, text string) Axis {
	t.Helper()
	a, err := ParseAxis(tunertest.Space, text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestKeepsTunerContract(t *testing.T) {
	if testing.Short() {
		t.Skip("short: tunes on many problems")
	}
	tunertest.Run(t, 150, func() params.Tuner {
		tuner, err := New(Settings{
			Space: tunertest.Space, Start: tunertest.Space.Default(), Pairs: 220,
			Axes: []Axis{axis(t, "x=-3:3:1"), axis(t, "y=0:8:2")},
		})
		if err != nil {
			t.Fatal(err)
		}
		return tuner
	})
}

func TestGridTriesEveryPoint(t *testing.T) {
	tuner, err := New(Settings{
		Space: tunertest.Space, Start: tunertest.Space.Default(), Pairs: 120,
		Axes: []Axis{axis(t, "x=-1,2"), axis(t, "n=0:4:2")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(tuner.points) != 6 || tuner.Trials() != 18 {
		t.Fatalf("%d points, %d trials", len(tuner.points), tuner.Trials())
	}
	pairs := map[uint64]int{}
	trials := tuner.Ask()
	for _, trial := range trials {
		pairs[trial.Openings] += trial.Pairs
		if !slices.Equal(trial.B, tunertest.Space.Default()) {
			t.Error("a point does not play the start")
		}
	}
	for round, want := range []int{300, 300, 120} {
		if pairs[uint64(round)] != want {
			t.Errorf("round %d has %d pairs, want %d", round, pairs[uint64(round)], want)
		}
	}
	if !slices.Equal(tuner.Recommend(), tunertest.Space.Default()) {
		t.Error("best before any score is not the start")
	}
	if v := trials[1].A; v[0] != -1 || v[2] != 2 {
		t.Errorf("second point %v: the last axis should vary fastest", v)
	}
	for _, trial := range trials { // the number of pairs does not change the order
		var score params.Score
		score.Pairs[3+int(trial.A[0]/2)] = trial.Pairs
		if err := tuner.Tell(trial, score); err != nil {
			t.Fatal(err)
		}
	}
	if v := tuner.Recommend(); v[0] != 2 || v[2] != 2 {
		t.Errorf("%v: of equal points want the nearest to the start, %v", v, tunertest.Space.Default())
	}
}

func TestParseAxisListsValues(t *testing.T) {
	for text, want := range map[string][]float64{
		"x=0:1:0.25":      {0, 0.25, 0.5, 0.75, 1},
		"x=0:1:0.1":       {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1},
		"x=0:1:0.4":       {0, 0.4, 0.8},
		"x=3,-1,2":        {-1, 2, 3},
		"c=0.1:3.2:x2":    {0.1, 0.2, 0.4, 0.8, 1.6, 3.2},
		"n=0:20:5":        {0, 5, 10, 15, 20},
		"x=-0.3:0.3:0.15": {-0.3, -0.15, 0, 0.15, 0.3},
		"x=-10:-6:1":      {-10, -9, -8, -7, -6}, // the last value too, although negative
		"x=-0.3:-0.1:0.1": {-0.3, -0.2, -0.1},
		"x=-3:0:1":        {-3, -2, -1, 0},
	} {
		if got := axis(t, text).Values; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"x":             "want name=lo:hi:step",
		"x=3,-1,3.0,2":  "3.0 is there twice",
		"z=0:1:1":       "unknown parameter",
		"x=0:1":         "want lo:hi:step",
		"x=1:0:1":       "not above",
		"x=0:1:0":       "above 0",
		"x=0:1:-1":      "above 0",
		"x=0:1:x2":      "factor",
		"c=1:2:x1":      "factor",
		"x=0:99:1":      "out of range",
		"n=0:3:0.5":     "not a whole number",
		"x=NaN:1:1":     "not a number",
		"x=0:1:1e-9":    "more than",
		"x=5":           "at least two",
		"x=1,b":         "not a value",
		"x=0:10:100":    "at least two",
		"x=0:10:1:more": "want lo:hi:step",
	} {
		if _, err := ParseAxis(tunertest.Space, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error about %q", text, err, want)
		}
	}
}

func FuzzParseAxis(f *testing.F) {
	f.Add("x=0:1:0.25")
	f.Add("c=0.1:3.2:x2")
	f.Add("n=1,2,3")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAxis(tunertest.Space, text)
		if err != nil {
			return
		}
		for _, v := range a.Values {
			if err := tunertest.Space[a.Param].Check(v); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.IsSorted(a.Values) {
			t.Fatal("not sorted")
		}
	})
}

func TestNewRejectsBadSettings(t *testing.T) {
	good := Settings{Space: tunertest.Space, Start: tunertest.Space.Default(), Pairs: 1, Axes: []Axis{axis(t, "x=0,1")}}
	for name, edit := range map[string]func(*Settings){
		"no axis":  func(s *Settings) { s.Axes = nil },
		"no pairs": func(s *Settings) { s.Pairs = 0 },
		"twice":    func(s *Settings) { s.Axes = append(s.Axes, s.Axes[0]) },
		"start":    func(s *Settings) { s.Start = nil },
		"too many": func(s *Settings) { s.Axes = []Axis{axis(t, "x=-10:10:0.01"), axis(t, "y=0:8:0.01")} },
	} {
		set := good
		edit(&set)
		if _, err := New(set); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
