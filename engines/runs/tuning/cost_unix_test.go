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

// BenchmarkFits measures the tuner's share of a tuning's processor time: Quoridor with all its
// parameters on one worker, then the same trials without their games. Run it with -benchtime 1x
// -cpu 1; ARCHITECTURE.md has results.
func BenchmarkFits(b *testing.B) {
	for _, games := range []int{2000, 16_000, 64_000} {
		b.Run(fmt.Sprint(games), func(b *testing.B) {
			var whole, tuner time.Duration
			for range b.N {
				begun := cpu(b)
				result := playedAlone(b, games)
				whole += cpu(b) - begun
				tuner += tunerTime(b, result)
			}
			b.ReportMetric(100*tuner.Seconds()/whole.Seconds(), "%tuner")
			b.ReportMetric(tuner.Seconds()/float64(b.N), "s-tuner")
		})
	}
}

// playedAlone returns a tuning without any other phase.
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

// cpu returns the processor time of this process so far, of the collector of garbage, too.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// tunerTime returns the time of a tuner for the trials of a run.
func tunerTime(b *testing.B, result *Result) time.Duration {
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
