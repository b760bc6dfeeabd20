// Package tunertest checks the promises of params.Tuner for any tuner, as one test. No game is
// played: trials are answered from a known function.
package tunertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/params"
)

// Space is a space with every kind of parameter: real, whole, log-scaled and
// frozen.
var Space = params.Space{
	{Name: "x", Min: -10, Max: 10, Default: 4, Step: 1},
	{Name: "y", Min: 0, Max: 8, Default: 8, Step: 1}, // starts at its bound
	{Name: "n", Min: 0, Max: 20, Default: 2, Step: 2, Whole: true},
	{Name: "c", Min: 0.01, Max: 100, Default: 20, Step: 0.5, Log: true},
	{Name: "f", Min: 0, Max: 1, Default: 0.5, Step: 0.1, Frozen: true},
}

// optimum is the point with the highest elo.
var optimum = params.Vector{-1, 3, 9, 1, 0.5}

// elo is the strength of v in the test problem: a quadratic in steps.
func elo(v params.Vector) float64 {
	elo := 0.0
	for i, p := range Space {
		d := p.Coordinate(v[i]) - p.Coordinate(optimum[i])
		elo -= 4 * d * d
	}
	return elo
}

// answer draws the score of a trial from the true winning chances.
func answer(t params.Trial, r *rand.Rand) params.Score {
	var s params.Score
	win := 1 / (1 + math.Pow(10, (elo(t.B)-elo(t.A))/400))
	for range t.Pairs {
		points := 0
		for range 2 {
			if r.Float64() < win {
				points += 2
			}
		}
		s.Pairs[points]++
	}
	return s
}

// log holds a whole conversation with a tuner.
type log struct {
	trials   []params.Trial
	scores   []params.Score
	bests    []params.Vector
	proposed []int // trials handed out so far, by the number of scores told
}

// limits end a conversation with a tuner that has no end of its own.
const (
	maxTrials = 2500
	maxPairs  = 40000
)

// converse runs a tuner to its end. It tells each score at once or, if held, only when the
// tuner has nothing left to ask.
func converse(t *testing.T, tuner params.Tuner, held bool, answers []params.Score) log {
	t.Helper()
	var l log
	r := rand.New(rand.NewPCG(9, 9))
	waiting := tuner.Ask()
	l.proposed = append(l.proposed, len(waiting))
	pairs := 0
	for len(waiting) > 0 && len(l.trials) < maxTrials && pairs < maxPairs {
		trial := waiting[0]
		waiting = waiting[1:]
		score := answer(trial, r)
		if answers != nil {
			score = answers[trial.ID]
		}
		pairs += score.N()
		l.trials, l.scores = append(l.trials, trial), append(l.scores, score)
		if err := tuner.Tell(trial, score); err != nil {
			t.Fatal(err)
		}
		l.bests = append(l.bests, tuner.Recommend())
		if !held || len(waiting) == 0 {
			waiting = append(waiting, tuner.Ask()...)
		}
		l.proposed = append(l.proposed, len(l.trials)+len(waiting))
	}
	return l
}

// Run checks a tuner that starts at Space.Default: its proposals, its answers to scores in any
// grouping, and resume after any part of a log. make returns a new tuner, the same one every
// time. gain is the least Elo that its recommendation must win in the test problem.
func Run(t *testing.T, gain float64, make func() params.Tuner) {
	t.Helper()
	first := converse(t, make(), false, nil)
	t.Run("trials", func(t *testing.T) { checkTrials(t, first) })
	t.Run("repeats", func(t *testing.T) {
		for _, held := range []bool{false, true} {
			again := converse(t, make(), held, first.scores)
			if diff := cmp.Diff(first.trials, again.trials); diff != "" {
				t.Errorf("equal scores (held back: %v) gave other trials:\n%s", held, diff)
			}
			if diff := cmp.Diff(first.bests, again.bests); diff != "" {
				t.Errorf("equal scores (held back: %v) gave other recommendations:\n%s", held, diff)
			}
		}
	})
	t.Run("resumes", func(t *testing.T) { checkResume(t, first, make) })
	t.Run("learns what was played", func(t *testing.T) { checkPlayed(t, first, make) })
	t.Run("order", func(t *testing.T) {
		tuner := make()
		trials := tuner.Ask()
		wrong := trials[0]
		wrong.ID = 1
		if err := tuner.Tell(wrong, first.scores[0]); err == nil {
			t.Error("took trial 1 before trial 0")
		}
		if err := tuner.Tell(trials[0], first.scores[0]); err != nil {
			t.Fatal(err)
		}
		if err := tuner.Tell(trials[0], first.scores[0]); err == nil {
			t.Error("took trial 0 twice")
		}
		wrong.A = wrong.A[1:]
		if err := tuner.Tell(wrong, first.scores[0]); err == nil {
			t.Error("took a vector of another space")
		}
	})
	t.Run("gains", func(t *testing.T) {
		best := first.bests[len(first.bests)-1]
		if got := elo(best) - elo(Space.Default()); got < gain {
			t.Errorf("gained %.0f Elo, want %.0f; best %v", got, gain, best)
		}
	})
	t.Run("best is a copy", func(t *testing.T) {
		tuner := make()
		tuner.Recommend()[0] = 7
		if tuner.Recommend()[0] == 7 {
			t.Error("Best returned its own memory")
		}
	})
}

// prefixes returns the lengths of log to resume from: every length at first, then ever fewer,
// because each costs a replay.
func prefixes(n int) []int {
	var list []int
	for k := 0; k < n; k += 1 + k/100*(k/4) {
		list = append(list, k)
	}
	return list
}

// checkResume tells a new tuner the first k trials of a log, without calls of Ask. The tuner
// must propose the trials in flight again and recommend the same point.
func checkResume(t *testing.T, l log, make func() params.Tuner) {
	for _, k := range prefixes(len(l.trials)) {
		tuner := make()
		for i := range k {
			if err := tuner.Tell(l.trials[i], l.scores[i]); err != nil {
				t.Fatal(err)
			}
		}
		if k > 0 {
			if diff := cmp.Diff(l.bests[k-1], tuner.Recommend()); diff != "" {
				t.Fatalf("after replaying %d trials of a log, another recommendation:\n%s", k, diff)
			}
		}
		proposed := tuner.Ask()
		if len(proposed) != l.proposed[k]-k {
			t.Fatalf("after replaying %d trials of a log: %d in flight, want %d", k, len(proposed), l.proposed[k]-k)
		}
		for i, trial := range proposed {
			if k+i == len(l.trials) { // the conversation ended there
				break
			}
			if diff := cmp.Diff(l.trials[k+i], trial); diff != "" {
				t.Fatalf("after replaying %d trials of a log, trial %d is proposed differently:\n%s", k, k+i, diff)
			}
		}
	}
}

// checkPlayed tells a log of trials that this tuner would not have proposed. The tuner must
// accept each trial or return an error; it may not ignore one.
func checkPlayed(t *testing.T, l log, make func() params.Tuner) {
	same, mirrored := make(), make()
	n := min(len(l.trials), 400)
	for i := range n {
		trial, score := l.trials[i], l.scores[i]
		if err := same.Tell(trial, score); err != nil {
			t.Fatal(err)
		}
		trial.A, trial.B = trial.B, trial.A
		if err := mirrored.Tell(trial, score); err != nil {
			return
		}
	}
	if cmp.Equal(same.Recommend(), mirrored.Recommend()) {
		t.Errorf("recommends %v whichever side won", same.Recommend())
	}
}

// checkTrials fails the test unless all players and recommendations of the log are points of
// the space with the frozen parameter unchanged, and every trial has its ID and some pairs.
func checkTrials(t *testing.T, l log) {
	if len(l.trials) == 0 {
		t.Fatal("no trial")
	}
	for i, trial := range l.trials {
		err := Space.Check(trial.A)
		if err == nil {
			err = Space.Check(trial.B)
		}
		if err == nil {
			err = Space.Check(l.bests[i])
		}
		if err == nil && (trial.A[4] != 0.5 || trial.B[4] != 0.5 || l.bests[i][4] != 0.5) {
			err = fmt.Errorf("moved the frozen parameter")
		}
		if err == nil && (trial.ID != i || trial.Pairs < 1) {
			err = fmt.Errorf("ID %d, %d pairs", trial.ID, trial.Pairs)
		}
		if err != nil {
			t.Fatalf("trial %d: %v", i, err)
		}
	}
}
