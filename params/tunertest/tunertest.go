// Package tunertest holds the promises every tuner keeps, as one test to run
// against each: it plays no game, but answers trials from a known function.
package tunertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

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

// Optimum is where Elo is highest.
var Optimum = params.Vector{-1, 3, 9, 1, 0.5}

// Elo is the strength of v in the test problem: a quadratic in steps.
func Elo(v params.Vector) float64 {
	elo := 0.0
	for i, p := range Space {
		d := p.Coordinate(v[i]) - p.Coordinate(Optimum[i])
		elo -= 4 * d * d
	}
	return elo
}

// Answer plays a trial's pairs at random with the true chances.
func Answer(t params.Trial, r *rand.Rand) params.Score {
	s := params.Score{ID: t.ID}
	win := 1 / (1 + math.Pow(10, (Elo(t.Than)-Elo(t.X))/400))
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

// log is a whole conversation with a tuner.
type log struct {
	trials []params.Trial
	scores []params.Score
	bests  []params.Vector
}

// converse runs a tuner to its end, telling scores one by one or, if held, only
// when it has nothing left to ask.
func converse(t *testing.T, tuner params.Tuner, held bool, answers []params.Score) log {
	t.Helper()
	var l log
	r := rand.New(rand.NewPCG(9, 9))
	waiting := tuner.Ask()
	for len(waiting) > 0 {
		trial := waiting[0]
		waiting = waiting[1:]
		score := Answer(trial, r)
		if answers != nil {
			score = answers[trial.ID]
		}
		l.trials, l.scores = append(l.trials, trial), append(l.scores, score)
		if err := tuner.Tell(score); err != nil {
			t.Fatal(err)
		}
		l.bests = append(l.bests, tuner.Best())
		if !held || len(waiting) == 0 {
			waiting = append(waiting, tuner.Ask()...)
		}
	}
	return l
}

// Run checks a tuner that starts at Space.Default. make returns a new one, the
// same every time; gain is the Elo it must find in the test problem.
func Run(t *testing.T, gain float64, make func() params.Tuner) {
	t.Helper()
	first := converse(t, make(), false, nil)
	t.Run("trials", func(t *testing.T) { checkTrials(t, first) })
	t.Run("repeats", func(t *testing.T) {
		for _, held := range []bool{false, true} {
			again := converse(t, make(), held, first.scores)
			if !reflect.DeepEqual(first, again) {
				t.Errorf("equal scores (held back: %v) gave other trials", held)
			}
		}
	})
	t.Run("order", func(t *testing.T) {
		tuner := make()
		if err := tuner.Tell(params.Score{ID: 0}); err == nil {
			t.Error("took a score nobody had asked for")
		}
		tuner.Ask()
		if err := tuner.Tell(params.Score{ID: 1}); err == nil {
			t.Error("took score 1 before score 0")
		}
	})
	t.Run("gains", func(t *testing.T) {
		best := first.bests[len(first.bests)-1]
		if got := Elo(best) - Elo(Space.Default()); got < gain {
			t.Errorf("gained %.0f Elo, want %.0f; best %v", got, gain, best)
		}
	})
	t.Run("best is a copy", func(t *testing.T) {
		tuner := make()
		tuner.Best()[0] = 7
		if tuner.Best()[0] == 7 {
			t.Error("Best returned its own memory")
		}
	})
}

func checkTrials(t *testing.T, l log) {
	if len(l.trials) == 0 {
		t.Fatal("no trial")
	}
	for i, trial := range l.trials {
		err := Space.Check(trial.X)
		if err == nil {
			err = Space.Check(trial.Than)
		}
		if err == nil {
			err = Space.Check(l.bests[i])
		}
		if err == nil && (trial.X[4] != 0.5 || trial.Than[4] != 0.5 || l.bests[i][4] != 0.5) {
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
