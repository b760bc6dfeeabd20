package mills

import (
	"context"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
)

// BenchmarkPerft counts leaves in bulk: from the start,
// and from a position of the moving phase with mills.
func BenchmarkPerft(b *testing.B) {
	for _, bench := range []struct {
		name, position string
		depth          int
	}{
		{"start", "", 6},
		{"moving", "WWW..B.B/W.W...B./..BBBWB. W 0 0", 6},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p := placed(b, open(b, "").start, bench.position)
			var leaves uint64
			for b.Loop() {
				leaves += engines.Perft(p, bench.depth)
			}
			b.ReportMetric(float64(leaves)/1e6/b.Elapsed().Seconds(), "Mleaves/s")
		})
	}
}

// searchPositions are a quarter through placing, at the
// phase change, and in both halves of the moving phase.
var searchPositions = []string{
	"", ".BBW.xWx/..BW..WB/..BW.... W 6 6", ".xWxWB.B/W.xBWBxB/WWWWxB.B W 2 2",
	"WWW..B.B/W.W...B./..BBBWB. W 0 0", "WW..W.../..W...../...B.BB. W 0 0",
}

// BenchmarkSearch measures nodes a second at fixed depth, over positions of all phases, by preset.
func BenchmarkSearch(b *testing.B) {
	for _, preset := range []string{"paper", "mobile", "strong", "master"} {
		b.Run(preset, func(b *testing.B) {
			p := newTestPlayer(b, open(b, ""), preset)
			var nodes int64
			for b.Loop() {
				for _, text := range searchPositions {
					nodes += choose(b, p, text, nil, engines.Limits{Depth: 7}).Nodes
				}
			}
			b.ReportMetric(float64(nodes)/1e6/b.Elapsed().Seconds(), "Mnodes/s")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}

// BenchmarkEvaluate measures one static evaluation.
func BenchmarkEvaluate(b *testing.B) {
	start := open(b, "").start
	for _, preset := range []string{"paper", "mobile", "strong", "master", "ninechess"} {
		b.Run(preset, func(b *testing.B) {
			w := newWeights(presetVector(b, preset))
			p := placed(b, start, "WWW..B.B/W.W...B./..BBBWB. W 0 0")
			sum := int32(0)
			for b.Loop() {
				sum += w.evaluate(p)
			}
			if sum == 1 {
				b.Log(sum)
			}
		})
	}
}

// BenchmarkGame plays whole games at the default limits.
func BenchmarkGame(b *testing.B) {
	for _, preset := range []string{"paper", "strong"} {
		b.Run(preset, func(b *testing.B) {
			s := open(b, "")
			g := newGame(s, newTestPlayer(b, s, preset), newTestPlayer(b, s, "paper"))
			r := rand.New(rand.NewPCG(1, 1))
			plies := 0
			for b.Loop() {
				_, n := g.play(b, drawOpening(s, r, 6).Moves, engines.Limits{Depth: 4})
				plies += n
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(float64(plies)/float64(b.N), "plies/game")
		})
	}
}

// BenchmarkOpening draws openings of the default length.
func BenchmarkOpening(b *testing.B) {
	s := open(b, "")
	r := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		drawOpening(s, r, 6)
	}
}

func presetVector(t testing.TB, name string) []float64 {
	t.Helper()
	for _, p := range presets() {
		if p.Name == name {
			return p.Vector
		}
	}
	t.Fatalf("no preset %q", name)
	return nil
}

func newTestPlayer(t testing.TB, s setup, preset string) *player {
	t.Helper()
	return configured(t, s, presetVector(t, preset))
}

func configured(t testing.TB, s setup, vector []float64) *player {
	t.Helper()
	p := newPlayer(s)
	if err := p.Configure(vector); err != nil {
		t.Fatal(err)
	}
	return p
}

func choose(t testing.TB, p *player, position string, history []engines.Move, limits engines.Limits) engines.Decision {
	t.Helper()
	if err := p.Reset(position, 0); err != nil {
		t.Fatal(err)
	}
	d, err := p.Choose(context.Background(), history, limits)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// game plays two players under a referee.
type game struct {
	referee engines.Referee
	players [2]engines.Player // by side
	moves   []engines.Move
}

func newGame(s setup, first, second engines.Player) *game {
	return &game{referee: engines.NewReferee(s.start, s.bounds), players: [2]engines.Player{first, second}}
}

// play plays a game after an opening and returns its result and length.
func (g *game) play(t testing.TB, opening []engines.Move, limits engines.Limits) (engines.Outcome, int) {
	t.Helper()
	if err := g.referee.Reset(""); err != nil {
		t.Fatal(err)
	}
	g.moves = g.moves[:0]
	for _, m := range opening {
		g.referee.Play(m)
		g.moves = append(g.moves, m)
	}
	for _, p := range g.players {
		if err := p.Reset("", 0); err != nil {
			t.Fatal(err)
		}
	}
	for {
		if o, _ := g.referee.Result(); o != engines.Ongoing {
			return o, len(g.moves)
		}
		d, err := g.players[g.referee.Turn()].Choose(context.Background(), g.moves, limits)
		if err != nil {
			t.Fatal(err)
		}
		if !g.referee.Legal(d.Move) {
			t.Fatalf("%s in %s", g.referee.MoveString(d.Move), g.referee)
		}
		g.referee.Play(d.Move)
		g.moves = append(g.moves, d.Move)
	}
}
