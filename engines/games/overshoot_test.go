package games_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

// burner marks, in the environment, processes that only keep a processor busy.
const burner = "SELFPLAYLAB_TEST_BURN"

func TestMain(m *testing.M) {
	if os.Getenv(burner) != "" {
		for x, end := uint64(1), time.Now().Add(time.Minute); time.Now().Before(end); { // an orphan ends after a minute
			for range 1 << 20 {
				x = engines.Mix(x)
			}
		}
		return
	}
	os.Exit(m.Run())
}

// BenchmarkOvershoot measures how much longer decisions take than their limit, as a match
// measures it: the median, the 99th percentile and the worst. Busy adds two processes a
// processor that never rest.
func BenchmarkOvershoot(b *testing.B) {
	for _, game := range games.Games() {
		if _, keeps := game.Budget(engines.BudgetTime); !keeps {
			continue
		}
		for _, limit := range []time.Duration{20 * time.Millisecond, 100 * time.Millisecond} {
			for _, busy := range []int{0, 2} {
				b.Run(fmt.Sprintf("%s/%v/busy=%d", game.Name, limit, busy), func(b *testing.B) {
					burn(b, busy*runtime.NumCPU())
					overshoot(b, game, limit)
				})
			}
		}
	}
}

// burn keeps processors busy until the benchmark ends.
func burn(b *testing.B, n int) {
	for range n {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), burner+"=1", "GOMAXPROCS=1")
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			c.Process.Kill()
			c.Wait()
		})
	}
}

func overshoot(b *testing.B, game *engines.Game, limit time.Duration) {
	v, err := game.Open(nil)
	if err != nil {
		b.Fatal(err)
	}
	preset, err := game.Preset(game.PlayerPreset())
	if err != nil {
		b.Fatal(err)
	}
	player, ref := v.NewPlayer(), v.NewReferee()
	if err := player.Configure(preset.Vector); err != nil {
		b.Fatal(err)
	}
	var over []time.Duration
	var took time.Duration
	for n := uint64(0); len(over) < b.N; n++ {
		o := v.Opening(rand.New(rand.NewPCG(n, 0)), game.OpeningPlies)
		if err := ref.Reset(o.Position); err != nil {
			b.Fatal(err)
		}
		if err := player.Reset(o.Position, n); err != nil {
			b.Fatal(err)
		}
		history := slices.Clone(o.Moves)
		for _, m := range history {
			ref.Play(m)
		}
		for len(over) < b.N {
			if end, _ := ref.Result(); end != engines.Ongoing {
				break
			}
			start := time.Now()
			d, err := player.Choose(context.Background(), history, engines.Limits{Time: limit})
			elapsed := time.Since(start)
			if err != nil {
				b.Fatal(err)
			}
			over, took = append(over, elapsed-limit), took+elapsed
			history = append(history, d.Move)
			ref.Play(d.Move)
		}
	}
	slices.Sort(over)
	at := func(share float64) float64 {
		return float64(over[min(len(over)-1, int(share*float64(len(over))))]) / float64(time.Millisecond)
	}
	b.ReportMetric(at(0.5), "ms-over-50%")
	b.ReportMetric(at(0.99), "ms-over-99%")
	b.ReportMetric(at(1), "ms-over-worst")
	b.ReportMetric(100*float64(took)/float64(limit)/float64(len(over)), "%-used")
	b.ReportMetric(0, "ns/op")
}
