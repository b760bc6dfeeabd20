package tuning

import (
	"fmt"
	"testing"
	"time"

	"selfplaylab/engines/runs/ask"
	"selfplaylab/engines/runs/run"
	"selfplaylab/params"
)

// BenchmarkFits measures what the tuner costs of a tuning's time: Quoridor with all
// its parameters on one worker, and then the same trials asked for and told again
// without their games. Run it with -benchtime 1x -cpu 1. On a busy machine: .25 s, 45 %,
// of 2,000 games, and .70 s, 20 %, of 16,000 (.51 s and 1.54 s before ratio groups were
// looked for only where some can be left). What is left is the regression itself, 90
// coefficients from up to 2,000 rows, three steps a fit, and fits come after every
// twentieth more games: only fewer fits would bring it near 2 %, and change the rows.
func BenchmarkFits(b *testing.B) {
	for _, games := range []int{2000, 16_000, 64_000} {
		b.Run(fmt.Sprint(games), func(b *testing.B) {
			var whole, tuner time.Duration
			for range b.N {
				begun := time.Now()
				told := playedAlone(b, games)
				whole += time.Since(begun)
				tuner += toldAgain(b, told)
			}
			b.ReportMetric(100*tuner.Seconds()/whole.Seconds(), "%tuner")
			b.ReportMetric(tuner.Seconds()/float64(b.N), "s-tuner")
		})
	}
}

// playedAlone is a tuning without any other phase.
func playedAlone(b *testing.B, games int) *Told {
	b.Helper()
	a := New()
	if err := ask.Table(a, map[string]any{
		"game": "quoridor", "games": int64(games), "screen_pairs": int64(0), "verify_pairs": int64(0), "rate_pairs": int64(0), "seed": "7",
	}); err != nil {
		b.Fatal(err)
	}
	p, err := a.Plan()
	if err != nil {
		b.Fatal(err)
	}
	r, err := run.New(p, run.Origin{})
	if err != nil {
		b.Fatal(err)
	}
	return play(b, r, 1)
}

// toldAgain is how long a tuner takes for the trials of a run.
func toldAgain(b *testing.B, told *Told) time.Duration {
	b.Helper()
	tuner, err := told.Spec.method.Tuner(told.Spec.task, 7)
	if err != nil {
		b.Fatal(err)
	}
	begun := time.Now()
	for i, t := range told.Course.Trials {
		tuner.Ask()
		if err := tuner.Tell(params.Trial{ID: i, X: t.X, Than: t.Than, Pairs: t.Pairs.N()}, params.Score{Pairs: t.Pairs}); err != nil {
			b.Fatal(err)
		}
		tuner.Best()
	}
	return time.Since(begun)
}
