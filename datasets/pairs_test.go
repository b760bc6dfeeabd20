package datasets

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Pairs are the games two by two, and count as their trial says.
func TestPairs(t *testing.T) {
	log := must[*Log](t)(Read(newRun(t, 23)))
	for _, f := range []Filter{{}, {From: 7, To: 12}, {Phase: "verify"}, {Outcome: "1/2"}, {Outcome: "1-0", Reason: "goal", From: 3}, {Reason: "none"}} {
		games := collect(t, log.Games(Filter{Phase: f.Phase, From: f.From, To: f.To}))
		var want, got []GameRow
		for pair := range slices.Chunk(games, 2) {
			if slices.ContainsFunc(pair, f.game) {
				want = append(want, pair...)
			}
		}
		for _, p := range collect(t, log.Pairs(f)) {
			got = append(got, p.Games[:]...)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", f, diff)
		}
	}
	counts := map[int64][5]int{}
	for _, p := range collect(t, log.Pairs(Filter{})) {
		n := counts[p.Trial()]
		if n[p.Points()]++; p.Half()[0]+p.Half()[1] != p.Points() || p.Number() != int(p.Games[1].Pair) || p.Phase() != p.Games[1].Phase {
			t.Errorf("%+v: %v half points, %d in all", p, p.Half(), p.Points())
		}
		counts[p.Trial()] = n
	}
	for _, row := range collect(t, log.Trials(Filter{})) {
		if row.PairCounts() != counts[row.Trial] {
			t.Errorf("trial %d says %v, its pairs are %v", row.Trial, row.PairCounts(), counts[row.Trial])
		}
	}
	for range log.Pairs(Filter{}) { // and a loop may end early
		break
	}
}

// A game without its other half is an error, wherever it lies.
func TestUnpaired(t *testing.T) {
	for _, missing := range []int{0, 1, 2, 3} {
		dir := filepath.Join(t.TempDir(), "run")
		w := must[*Writer](t)(Create(dir, testMeta, nil))
		trial, games := testTrial(1) // two pairs
		games = slices.Delete(games, missing, missing+1)
		half := TrialRow{Trial: 0, Phase: trial.Phase, Pairs: 2, Even: 2}
		for i := range games {
			games[i].Trial = 0
			half.add(games[i])
		}
		if err := errors.Join(w.Append(half, games, nil), w.Close()); err != nil {
			t.Fatal(err)
		}
		var last error
		n := 0
		for _, err := range must[*Log](t)(Read(dir)).Pairs(Filter{}) {
			last = err
			n++
		}
		wantError(t, last, dir, "not one of two games of a pair")
		if want := missing/2 + 1; n != want {
			t.Errorf("without game %d: %d steps, want %d", missing, n, want)
		}
	}
}

func TestFault(t *testing.T) {
	for _, test := range []struct {
		reason string
		score  float64
		who    int
		is     bool
	}{
		{"illegal", 0, 0, true}, {"time", 1, 1, true}, {"clock", 0, 0, true}, {"crash", 0, 0, true}, {"stall", 1, 1, true}, {"garbage", 0, 0, true},
		{"goal", 0, 0, false}, {"plies", 0.5, 0, false}, {"adjudicated", 1, 0, false}, {"", 0, 0, false},
	} {
		g := GameRow{Reason: test.reason, AScore: test.score}
		if who, is := g.Fault(); who != test.who || is != test.is {
			t.Errorf("%s, X scored %v: %d, %v", test.reason, test.score, who, is)
		}
	}
	p := Pair{Games: [2]GameRow{{Reason: "time", AScore: 0}, {Reason: "crash", AScore: 1}}}
	if p.Faults() != [2]int{1, 1} {
		t.Errorf("faults %v", p.Faults())
	}
}
