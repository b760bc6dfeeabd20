package gobang

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplaylab/datasets"
)

// TestFitRecoversWorths simulates results and choices from known weights.
// The fit recovers them, and predicts the held-out games.
func TestFitRecoversWorths(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 1))
	truth := []float64{0.8, -0.5, 0.3, 0, -1.2}
	var l learner
	for range 40000 {
		z := 0.0
		for k, w := range truth {
			if r.IntN(2) == 0 {
				l.positions.features = append(l.positions.features, uint32(k))
				z += w
			}
		}
		l.positions.end(r.IntN(10) == 0)
		points := 0.0
		if r.Float64() < 1/(1+math.Exp(-z)) {
			points = 1
		}
		l.points = append(l.points, points)
	}
	got, err := fit(len(truth), l.surprise)
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range truth {
		if math.Abs(got[k]-w) > 0.1 {
			t.Errorf("weight %d: %.3f, want %.3f", k, got[k], w)
		}
	}
	if learned, ideal := l.surprise(got, nil, true), l.surprise(truth, nil, true); learned > 1.01*ideal {
		t.Errorf("surprise of what was kept apart %.1f, of the truth %.1f", learned, ideal)
	}
}

// TestFitRecoversChoices uses candidates that differ in the threats of their own side.
func TestFitRecoversChoices(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 1))
	truth := []float64{0, 1, -0.7, 2}
	var l learner
	for range 20000 {
		list := []uint32{uint32(r.IntN(4)), uint32(r.IntN(4)), uint32(r.IntN(4))}
		total := 0.0
		for _, k := range list {
			total += math.Exp(truth[k])
		}
		x, i := r.Float64()*total, 0
		for ; i < 2 && x > math.Exp(truth[list[i]]); i++ {
			x -= math.Exp(truth[list[i]])
		}
		list[0], list[i] = list[i], list[0]
		l.choices.features = append(l.choices.features, list...)
		l.choices.end(false)
	}
	got, err := fit(2*len(combinations().lines), l.surpriseOfMoves)
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range truth {
		if math.Abs(got[k]-got[0]-w) > 0.1 {
			t.Errorf("weight %d: %.3f, want %.3f", k, got[k]-got[0], w)
		}
	}
}

// TestLearnedTableIsReproducible makes a table of a few games twice, with equal results.
// It also expects that moves off the board are refused.
func TestLearnedTableIsReproducible(t *testing.T) {
	var tables [2]strings.Builder
	for i := range tables {
		l := newLearner()
		r := rand.New(rand.NewPCG(36, 1))
		for game := range 40 {
			rules := variant{size: 15}
			o := rules.opening(r, 10)
			s := newState(rules)
			var moves []string
			for _, m := range o.Moves {
				moves = append(moves, s.MoveString(m))
				s.Play(m)
			}
			if err := l.add(moves, 4, float64(game%2), game%10 == 0); err != nil {
				t.Fatal(err)
			}
		}
		var notes strings.Builder
		if err := l.learn(&tables[i], &notes); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(notes.String(), "moves") {
			t.Errorf("notes %q", notes.String())
		}
	}
	if tables[0].String() != tables[1].String() {
		t.Error("two tables of the same games differ")
	}
	if _, err := parseLessons(tables[0].String()); err != nil {
		t.Error(err)
	}
	if err := newLearner().add([]string{"h8", "h8"}, 0, 1, false); err == nil {
		t.Error("a stone on a stone is learned from")
	}
}

// TestLearnRefusesOtherGames expects that a run of
// another game, or by other rules, is refused by name.
func TestLearnRefusesOtherGames(t *testing.T) {
	small := filepath.Join(t.TempDir(), "small")
	w, err := datasets.Create(small, datasets.Meta{
		Kind: "match", Game: "gobang", GameVersion: 1, Rules: "preset=standard,size=9,exact_five=no,opening_ring=no", Created: time.Now(), Parameters: []string{"a"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"../../datasets/testdata/v3": "quoridor", "nowhere": "nowhere", small: "size=9"} {
		if err := addRun(newLearner(), dir, map[string]bool{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", dir, err, want)
		}
	}
}
