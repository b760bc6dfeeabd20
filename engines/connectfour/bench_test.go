package connectfour

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// On a machine that others use too, take the best of several:
//
//	go test -run '^$' -bench . -count 10

// BenchmarkPlayout measures a random game from the empty board, the copy of the board included.
func BenchmarkPlayout(b *testing.B) {
	for _, size := range [][2]int{{6, 7}, {9, 9}, {12, 12}} {
		for care, label := range []string{"", "-decisive", "-careful"} {
			name := fmt.Sprintf("%dx%d%s", size[0], size[1], label)
			b.Run(name, func(b *testing.B) {
				p, q := boardOf(size[0], size[1], []int{3, 3}), new(position)
				r := mcts.NewRand(1)
				for b.Loop() {
					*q = p
					q.Playout(&r, mcts.RolloutPolicy(care))
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "playouts/s")
			})
		}
	}
}

// BenchmarkSearch measures searches of the empty board. If random games with care are played,
// they take most of the time.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct {
		name    string
		preset  string
		changes []string
		limit   int64
	}{
		{"source", "source", nil, 20_000},
		{"standard", "default", nil, 20_000},
		{"match", "default", nil, 2000},
		{"strong", "strong", nil, 20_000},
		{"one", "default", []string{"expand=one"}, 20_000},
		{"source-large", "source", nil, 2_000_000},
		{"standard-large", "default", nil, 2_000_000},
		{"expert-large", "expert", nil, 2_000_000},
		{"master-large", "master", nil, 2_000_000},
	} {
		for _, size := range [][2]int{{9, 9}, {12, 12}} {
			b.Run(fmt.Sprintf("%s/%dx%d", c.name, size[0], size[1]), func(b *testing.B) {
				set, err := settings(vector(b, c.preset, c.changes...))
				if err != nil {
					b.Fatal(err)
				}
				p := boardOf(size[0], size[1], []int{3, 3})
				s := mcts.New[position](maxNodes)
				if err := s.Configure(set.Options); err != nil {
					b.Fatal(err)
				}
				var total mcts.Result
				for seed := uint64(0); b.Loop(); seed++ {
					s.Begin(&p)
					r := s.Run(context.Background(), seed, engines.Limits{Playouts: c.limit})
					total.Playouts += r.Playouts
					total.Nodes += r.Nodes
					total.Descents += r.Descents
				}
				b.ReportMetric(float64(total.Playouts)/b.Elapsed().Seconds(), "playouts/s")
				b.ReportMetric(float64(total.Nodes)/b.Elapsed().Seconds(), "nodes/s")
				b.ReportMetric(float64(total.Playouts)/float64(total.Descents), "playouts/descent")
			})
		}
	}
}

// BenchmarkGame measures whole games at the default limits, opening included.
func BenchmarkGame(b *testing.B) {
	for _, preset := range []string{"default", "source", "strong"} {
		b.Run(preset, func(b *testing.B) {
			v := open(b, "")
			ref := v.NewReferee()
			var players [2]engines.Player
			for i := range players {
				players[i] = v.NewPlayer()
				if err := players[i].Configure(vector(b, preset)); err != nil {
					b.Fatal(err)
				}
			}
			for pair := uint64(0); b.Loop(); pair++ {
				o := v.Opening(rand.New(rand.NewPCG(1, pair)), v.Game.OpeningPlies)
				playGame(b, ref, players, defaultLimits, 0, o, pair)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
		})
	}
}

// BenchmarkOpening measures the draw of an opening, its probes included.
func BenchmarkOpening(b *testing.B) {
	v := open(b, "")
	for pair := uint64(0); b.Loop(); pair++ {
		v.Opening(rand.New(rand.NewPCG(1, pair)), v.Game.OpeningPlies)
	}
}

// BenchmarkPerft counts the classic board to depth 8.
func BenchmarkPerft(b *testing.B) {
	p := boardOf(6, 7, nil)
	var leaves uint64
	for b.Loop() {
		leaves += engines.Perft(&p, 8)
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds(), "leaves/s")
}
