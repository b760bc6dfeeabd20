package published

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplaylab/reports/rating"
)

// small returns a ladder of three rungs with results.
func small() Ladder {
	return Ladder{
		Schema: Schema, Game: "toy", GameVersion: 1, Rules: "size=3", OpeningPlies: 2, Anchor: "b", Parameters: []string{"w"},
		Revision: "none", Command: "none",
		Rungs: []Rung{
			{Name: "a", Player: "weak", Values: []float64{1}, Elo: -100, SE: 9, Games: 80},
			{Name: "b", Player: "weak,w=2", Limits: "depth=1", Values: []float64{2}, Games: 160},
			{Name: "c", Player: "weak,w=3", Limits: "depth=2", Values: []float64{3}, Elo: 120.5, SE: 8.5, Games: 80},
		},
		Results: []Result{
			{A: "a", B: "b", Pairs: [3][3]int{{12, 1, 4}, {0, 0, 0}, {5, 1, 3}}},
			{A: "b", B: "c", Pairs: [3][3]int{{14, 2, 5}, {1, 0, 0}, {6, 0, 2}}},
		},
	}
}

func TestLadderKeepsItsText(t *testing.T) {
	want := small()
	data, err := want.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeLadder("toy.toml", append([]byte("\ufeff"), data...)) // a byte order mark is skipped
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read back\n%+v, want\n%+v", got, want)
	}
}

func TestBadLadderIsRefusedWithReason(t *testing.T) {
	for _, c := range []struct {
		change func(*Ladder)
		want   string
	}{
		{func(l *Ladder) { l.Schema = 9 }, "schema 9"},
		{func(l *Ladder) { l.Rungs = l.Rungs[:1] }, "a ladder of 1 rungs"},
		{func(l *Ladder) { l.Rungs[1].Name = "" }, "rung 2 has no name"},
		{func(l *Ladder) { l.Rungs[2].Name = "a" }, `two rungs are named "a"`},
		{func(l *Ladder) { l.Rungs[2].Elo = 0 }, "rung c is not above rung b"},
		{func(l *Ladder) { l.Rungs[2].Elo = math.NaN() }, "rung c: rating NaN"},
		{func(l *Ladder) { l.Rungs[0].Values = nil }, "rung a has 0 values for 1 parameters"},
		{func(l *Ladder) { l.Anchor = "z" }, `anchor "z" is no rung`},
		{func(l *Ladder) { l.Results[0].A = "z" }, "want two rungs"},
		{func(l *Ladder) { l.Results[0].B = "a" }, "want two rungs"},
		{func(l *Ladder) { l.Results[0].Pairs[1][1] = -1 }, "negative counts"},
	} {
		l := small()
		c.change(&l)
		if err := l.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	for text, want := range map[string]string{
		"schema = 1\nheight = 3\n": `:2: unknown key "height"`,
		"schema = \n":              "toy.toml:1:",
		"":                         "schema 0",
	} {
		if _, err := DecodeLadder("toy.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

func TestRungByName(t *testing.T) {
	if r, err := small().Rung("b"); err != nil || r.Player != "weak,w=2" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := small().Rung("d"); err == nil || !strings.Contains(err.Error(), "a, b, c") {
		t.Errorf("error %v does not name the rungs", err)
	}
	if _, err := ReadLadder("chess"); !errors.Is(err, ErrNoLadder) || !strings.Contains(err.Error(), `"chess"; there are those of connectfour`) {
		t.Errorf("error %v does not say what to do", err)
	}
}

// TestPublishedLaddersFollowTheirResults checks every ladder of the program: it is well formed
// and rising, its top is surely above its anchor, and its ratings follow from its results.
func TestPublishedLaddersFollowTheirResults(t *testing.T) {
	folders := folders("*/" + LadderName)
	if len(folders) < 2*len(Games()) || len(Games()) < 1 {
		t.Fatalf("the ladders are %v: want levels for each of %v", folders, Games())
	}
	for _, folder := range folders {
		name := folder + "/" + LadderName
		data, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		l, err := DecodeLadder(name, data)
		if err != nil {
			t.Error(err)
			continue
		}
		var names []string
		for _, r := range l.Rungs {
			names = append(names, r.Name)
		}
		tour := rating.NewTournament(names...)
		for _, r := range l.Results {
			tour.AddPairs(l.index(r.A), l.index(r.B), r.Pairs)
		}
		fit, err := Fit(tour, l.Anchor)
		if err != nil {
			t.Errorf("%s: %v", folder, err)
			continue
		}
		for i, r := range l.Rungs {
			p := fit.Players[i]
			if math.Abs(p.Elo-r.Elo) > 0.02 || math.Abs(p.SE-r.SE) > 0.02 || p.Games != r.Games {
				t.Errorf("%s: rung %s is %v ± %v of %d games, its results say %v ± %v of %d", folder, r.Name, r.Elo, r.SE, r.Games, p.Elo, p.SE, p.Games)
			}
		}
		if top := l.Rungs[len(l.Rungs)-1]; !(top.Elo-3*top.SE > 0) {
			t.Errorf("%s: the top, %s, is not clearly above the anchor: %v ± %v", folder, top.Name, top.Elo, top.SE)
		}
		if !strings.HasSuffix(folder, "-"+l.Game) || !slices.Contains(names, l.Anchor) {
			t.Errorf("%s: ladder of %s anchored at %s", folder, l.Game, l.Anchor)
		}
	}
}

// TestPlaceRatesNewcomerByResults gives a newcomer a rung's results: it gets about the rung's
// rating. With better results it is rated higher.
func TestPlaceRatesNewcomerByResults(t *testing.T) {
	even := [3][3]int{{50, 0, 50}, {0, 0, 0}, {50, 0, 50}}
	place := func(rung string, pairs [3][3]int) rating.Rating {
		r, err := small().Place([]Result{{A: "new", B: rung, Pairs: pairs}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Players[len(r.Players)-1]
	}
	same := place("b", even)
	if math.Abs(same.Elo) > 3 || !(same.SE > 5) {
		t.Errorf("even with the anchor: %v ± %v", same.Elo, same.SE)
	}
	better := even
	better[2][2] += 40
	if above := place("b", better); above.Elo < same.Elo+20 {
		t.Errorf("better is rated %v, even %v", above.Elo, same.Elo)
	}
	all := [3][3]int{2: {2: 30}}
	if perfect := place("c", all); !(perfect.Elo > 300) || math.IsInf(perfect.SE, 0) {
		t.Errorf("won everything: %v", perfect)
	}
	if _, err := small().Place([]Result{{A: "new", B: "z", Pairs: even}}); err == nil {
		t.Error("took a result against no rung")
	}
}

func FuzzDecodeLadder(f *testing.F) {
	data, err := small().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("schema = 1\n[[rung]]\nname = 'a'\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := DecodeLadder("x", data)
		if err != nil {
			return
		}
		again, err := l.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := DecodeLadder("x", again); err != nil || len(back.Rungs) != len(l.Rungs) {
			t.Fatalf("does not read back: %v", err)
		}
	})
}

// TestExtendFillsAddedParameters gives every rung the default of an added parameter. A removed
// parameter is an error.
func TestExtendFillsAddedParameters(t *testing.T) {
	l := Ladder{Game: "toy", Parameters: []string{"w", "v"}, Rungs: []Rung{{Name: "a", Values: []float64{1, 2}}, {Name: "b", Values: []float64{3, 4}}}}
	got, err := l.Extend([]string{"v", "u", "w"}, []float64{7, 8, 9})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{2, 8, 1}, {4, 8, 3}}
	for i, r := range got.Rungs {
		if !slices.Equal(r.Values, want[i]) {
			t.Errorf("rung %s: %v, want %v", r.Name, r.Values, want[i])
		}
	}
	if !slices.Equal(l.Rungs[0].Values, []float64{1, 2}) {
		t.Error("the ladder itself was changed")
	}
	if _, err := l.Extend([]string{"w", "u"}, []float64{0, 0}); err == nil || !strings.Contains(err.Error(), `"v"`) {
		t.Errorf("a parameter that is gone: %v", err)
	}
}

// TestWordsOfPages finds words in published pages that the program does not use any more.
func TestWordsOfPages(t *testing.T) {
	pages, err := filepath.Glob("*/README.md")
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages (error %v)", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, old := range []string{"differ for sure", "100.0 % likely", "from < -1200 to > +1200", "1999999"} {
			if strings.Contains(string(text), old) {
				t.Errorf("%s says %q", page, old)
			}
		}
	}
}
