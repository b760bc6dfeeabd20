package schedule

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/connectfour"
	"selfplaylab/engines/play"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports/rating"

	"gonum.org/v1/gonum/stat/distuv"
)

// sprt is a Verdict by the sequential test.
type sprt struct{ rating.SPRT }

func (s sprt) Decided(pairs [5]int) bool { return s.Pairs(pairs).State != rating.Continue }

// TestVerdictEndsMatchInScheduleOrder ends the match at the same pair for any number of
// workers. Its rows are the first of the match of fixed length, and the rows of a resumed
// match.
func TestVerdictEndsMatchInScheduleOrder(t *testing.T) {
	testmode.Raced(t, "plays a match seven times")
	c, fixed := campaign(t, 2)
	playAll(t, c, &Fixed{X: vector(t, "final"), Than: vector(t, "v30.7"), Pairs: 4 * chunk})
	for _, test := range []sprt{
		{rating.SPRT{Elo0: 0, Elo1: 200}},                // within the first chunk
		{rating.SPRT{Elo0: 40, Elo1: 60, Alpha: 0.0001}}, // later or never
	} {
		until := func() *Until {
			return &Until{Fixed: Fixed{X: vector(t, "final"), Than: vector(t, "v30.7"), Pairs: 4 * chunk}, Verdict: test}
		}
		stop := 4 * chunk // computed from the games of the fixed match
		var tally rating.Pairs
		for i := 0; i < len(fixed.games); i += 2 {
			tally.Add(int(2*fixed.games[i].AScore), int(2*fixed.games[i+1].AScore))
			if test.Decided(tally) {
				stop = i/2 + 1
				break
			}
		}
		if test.Elo1 == 200 && stop >= chunk {
			t.Fatalf("the test of 200 Elo took %d pairs: nothing is cut", stop)
		}
		var want *memory
		for _, workers := range []int{1, 2, 16} {
			c, m := campaign(t, workers)
			last := 0
			c.Partial = func(_ string, pairs [5]int) {
				if n := rating.Pairs(pairs).N(); n < 1 || n >= chunk {
					t.Errorf("told of %d pairs of an unfinished chunk of %d", n, chunk)
				}
				last++
			}
			playAll(t, c, until())
			if len(m.games) != 2*stop || !reflect.DeepEqual(m.games, fixed.games[:2*stop]) {
				t.Fatalf("%d workers: %d games, want the first %d of the fixed match", workers, len(m.games), 2*stop)
			}
			if want == nil {
				want = m
			}
			if !reflect.DeepEqual(m, want) {
				t.Errorf("%d workers gave other rows", workers)
			}
			// One worker hands in pair by pair. With many workers all pairs up to the last may
			// come in at once; then there is no partial result.
			if workers == 1 && last == 0 {
				t.Error("was never told of a part of a chunk")
			}
		}
		for n := range len(want.trials) + 1 {
			c, m := campaign(t, 2)
			m.trials, m.games = slices.Clone(want.trials[:n]), slices.Clone(want.games[:min(2*chunk*n, len(want.games))])
			c.Replayed = rows(want.trials[:n])
			playAll(t, c, until())
			if err := c.Close(); err != nil || !reflect.DeepEqual(m, want) {
				t.Errorf("resumed after %d of %d trials: %d games, want %d (%v)", n, len(want.trials), len(m.games), len(want.games), err)
			}
		}
	}
}

// TestShortTrialNeedsAVerdict accepts a recorded trial with fewer pairs than proposed only if
// it decided the verdict.
func TestShortTrialNeedsAVerdict(t *testing.T) {
	c, m := campaign(t, 2)
	playAll(t, c, &Fixed{X: vector(t, "final"), Than: vector(t, "v12.7"), Pairs: 10})
	c, _ = campaign(t, 2)
	c.Replayed = rows(m.trials)
	src := &Until{Fixed: Fixed{X: vector(t, "final"), Than: vector(t, "v12.7"), Pairs: chunk}, Verdict: below(1000)}
	if err := c.Run(t.Context(), src); !errors.Is(err, ErrDiverged) {
		t.Errorf("a trial of 10 pairs for one of %d: %v", chunk, err)
	}
}

// TestEqualPlayersPassNoTest: a player against itself scores exactly one half, so no test
// finds it better than itself.
func TestEqualPlayersPassNoTest(t *testing.T) {
	for _, model := range []rating.Model{rating.Logistic, rating.Normalized} {
		c, m := campaign(t, 2)
		test := rating.SPRT{Model: model, Elo0: 0, Elo1: 50}
		playAll(t, c, &Until{Fixed: Fixed{X: vector(t, "final"), Than: vector(t, "final"), Pairs: 300}, Verdict: sprt{test}})
		var tally rating.Pairs
		for _, row := range m.trials {
			tally = tally.Plus(row.PairCounts())
		}
		if at := test.Pairs(tally); at.State == rating.AcceptH1 || tally[2] != tally.N() {
			t.Errorf("%v: %v, %v", model, tally, at.Verdict())
		}
	}
}

// dice is a player that plays at random. Its parameters only change the random numbers: equal
// strength, different games.
type dice struct {
	ref  engines.Referee
	salt float64
	r    *rand.Rand
	seen int
	buf  []engines.Move
}

func (d *dice) Configure(v []float64) error { d.salt = v[0]; return nil }

func (d *dice) Reset(position string, seed uint64) error {
	d.r, d.seen = rand.New(rand.NewPCG(seed, uint64(d.salt))), 0
	return d.ref.Reset(position)
}

func (d *dice) Choose(_ context.Context, history []engines.Move, _ engines.Limits) (engines.Decision, error) {
	for ; d.seen < len(history); d.seen++ {
		d.ref.Play(history[d.seen])
	}
	d.buf = d.ref.Moves(d.buf[:0])
	return engines.Decision{Move: d.buf[d.r.IntN(len(d.buf))]}, nil
}

// TestEqualStrengthPassesAtMostAtAlpha plays many short tests between players that differ only
// in luck: at most 5 % end with "better".
func TestEqualStrengthPassesAtMostAtAlpha(t *testing.T) {
	testmode.Raced(t, "simulates many tests")
	v, err := connectfour.Game().Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	v.NewPlayer = func() engines.Player { return &dice{ref: v.NewReferee()} }
	x, other := make([]float64, len(v.Game.Space)), make([]float64, len(v.Game.Space))
	other[0] = 1
	const matches = 300
	test := rating.SPRT{Elo0: 0, Elo1: 120}
	wrong, ended := 0, 0
	for seed := range uint64(matches) {
		c := &rig{Runner: &Runner{Setup: play.Setup{Seed: seed}}, Variant: v, Workers: 1}
		var tally rating.Pairs
		c.Observe = func(f Finished) error {
			tally = tally.Plus(f.Trial.PairCounts())
			return nil
		}
		err := c.Run(t.Context(), &Until{Fixed: Fixed{X: x, Than: other, Pairs: 150}, Verdict: sprt{test}})
		if err != nil {
			t.Fatal(err)
		}
		switch test.Pairs(tally).State {
		case rating.AcceptH1:
			wrong++
			ended++
		case rating.AcceptH0:
			ended++
		}
	}
	chance := distuv.Binomial{N: float64(matches), P: 0.05}.Survival(float64(wrong - 1)) // wrong or more, out of matches
	if chance < 0.005 {
		t.Errorf("equal players: %d of %d tests say better, want 5 %% at most", wrong, matches)
	}
	if ended < matches/2 {
		t.Errorf("only %d of %d tests ended: nothing was tested", ended, matches)
	}
}
