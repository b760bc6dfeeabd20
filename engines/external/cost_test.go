package external_test

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/testmode"
)

// gamesKey raises the number of games of TestGamesLeaveNothingBehind.
const gamesKey = "SELFPLAYLAB_GAMES"

// TestGamesLeaveNothingBehind plays games, thousands in the long form, and expects
// no goroutine, file or process left, with kept processes and with new ones.
func TestGamesLeaveNothingBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts many programs")
	}
	games := testmode.Times(200, 10)
	if text := os.Getenv(gamesKey); text != "" {
		games = must(strconv.Atoi(text))
	}
	v := variant(t, "connectfour", small)
	round := func(n int, more ...string) {
		var seats [2]engines.Player
		var open [2]*external.Player
		for i := range seats {
			p, err := mockFile(t, "good", more...).Open(context.Background(), v, process.Options{})
			if err != nil {
				t.Fatal(err)
			}
			seats[i], open[i] = p, p
		}
		for range n {
			if o := game(t, v, seats, engines.Opening{}, [2]engines.Limits{}, 1); o.reason.Fault() {
				t.Fatalf("%v by %s: %s", o.result, o.reason, o.detail)
			}
		}
		for _, p := range open {
			gone(t, p)
		}
	}
	round(1, "restart = true") // everything that is made only once is made now
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	round(games)
	round(games/20, "restart = true")
	n := runtime.NumGoroutine()
	for range 1000 { // finished goroutines, and the runtime's cleaning, may still be leaving
		if n <= goroutines {
			break
		}
		runtime.Gosched()
		n = runtime.NumGoroutine()
	}
	if n > goroutines {
		stacks := make([]byte, 64<<10)
		t.Errorf("%d goroutines after %d games; %d before:\n%s", n, games, goroutines, stacks[:runtime.Stack(stacks, true)])
	}
	if n := openFiles(t); n > files {
		t.Errorf("%d open files after %d games; %d before", n, games, files)
	}
}

// BenchmarkMove measures a decision of a program that answers at once,
// 30 plies into a game of gobang: both processes' time, and ours alone.
func BenchmarkMove(b *testing.B) {
	e := engineFile(b, `protocol = "ugi"`, `games = ["gobang"]`, `limits = "depth=1"`, `env = {`+mockKey+` = "fast"}`)
	v := variant(b, "gobang", "")
	p, err := e.Open(context.Background(), v, process.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	if err := p.Reset("", 1); err != nil {
		b.Fatal(err)
	}
	ref := v.NewReferee()
	if err := ref.Reset(""); err != nil {
		b.Fatal(err)
	}
	var history []engines.Move
	for i := range 30 {
		m := ref.Moves(nil)[(i*37)%100]
		ref.Play(m)
		history = append(history, m)
	}
	ctx, limits := context.Background(), engines.Limits{Depth: 1}
	before := cpuTime(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Choose(ctx, history, limits); err != nil {
			b.Fatal(err)
		}
	}
	if used := cpuTime(b) - before; used > 0 {
		b.ReportMetric(float64(b.N)/used.Seconds(), "moves/s-of-our-cpu")
	}
}

// BenchmarkStart measures a process from start to end.
func BenchmarkStart(b *testing.B) {
	e := engineFile(b, `protocol = "ugi"`, `games = ["gobang"]`, `env = {`+mockKey+` = "fast"}`)
	v := variant(b, "gobang", "")
	for b.Loop() {
		p, err := e.Open(context.Background(), v, process.Options{Patience: process.Patience{Quit: 5 * time.Second}})
		if err != nil {
			b.Fatal(err)
		}
		p.Close()
	}
}
