//go:build unix

package tuning

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/params"
)

// BenchmarkFits measures what the tuner costs of a tuning's processor time: Quoridor with
// all its parameters on one worker, and then the same trials asked for and told again
// without their games. Run it with -benchtime 1x -cpu 1. Measured: 23 ms, 7 %, of 2,000
// games, two thirds of it fits and a fifth the drawing of trials, 163 ms, 5.5 %, of 16,000, and 326 ms,
// 2.9 %, of 64,000. It was 13 %, 7 % and 3.5 % with a fit after every tenth more games of a walk, and 50 %,
// 24 % and 11 % with one after every twentieth of all games, three computations of the information in
// each, up to twice the rows and gonum's factors. A game of Quoridor takes a third of a millisecond,
// so that 2 % of 2,000 are the time of five fits of 90 coefficients.
func BenchmarkFits(b *testing.B) {
	for _, games := range []int{2000, 16_000, 64_000} {
		b.Run(fmt.Sprint(games), func(b *testing.B) {
			var whole, tuner time.Duration
			for range b.N {
				begun := cpu(b)
				result := playedAlone(b, games)
				whole += cpu(b) - begun
				tuner += toldAgain(b, result)
			}
			b.ReportMetric(100*tuner.Seconds()/whole.Seconds(), "%tuner")
			b.ReportMetric(tuner.Seconds()/float64(b.N), "s-tuner")
		})
	}
}

// playedAlone is a tuning without any other phase.
func playedAlone(b *testing.B, games int) *Result {
	b.Helper()
	a := New()
	if err := config.Table(a, map[string]any{
		"game": "quoridor", "games": int64(games), "screen_pairs": int64(0), "verify_pairs": int64(0), "rate_pairs": int64(0), "seed": "7",
	}); err != nil {
		b.Fatal(err)
	}
	p, err := a.Plan()
	if err != nil {
		b.Fatal(err)
	}
	r, err := record.New(p, record.Origin{})
	if err != nil {
		b.Fatal(err)
	}
	return playRun(b, r, 1)
}

// cpu is the processor time of this process so far, of the collector of garbage, too.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// toldAgain is how long a tuner takes for the trials of a run.
func toldAgain(b *testing.B, result *Result) time.Duration {
	b.Helper()
	tuner, err := result.Config.method.Tuner(result.Config.task, 7)
	if err != nil {
		b.Fatal(err)
	}
	begun := cpu(b)
	for i, t := range result.current().Trials {
		tuner.Ask()
		if err := tuner.Tell(params.Trial{ID: i, A: t.A, B: t.B, Pairs: t.Pairs.N()}, params.Score{Pairs: t.Pairs}); err != nil {
			b.Fatal(err)
		}
		tuner.Recommend()
	}
	return cpu(b) - begun
}
