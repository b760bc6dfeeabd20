package gobang

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
)

// stages are positions of the source's games against itself, by number of stones.
var stages = []struct {
	name   string
	stones int
}{{"stones=12", 12}, {"stones=26", 26}, {"stones=53", 53}, {"stones=128", 128}}

func stage(b *testing.B, stones int) string {
	for _, v := range readVectors(b).Vectors {
		rows := strings.Join(v.Rows, "/")
		if strings.HasPrefix(v.Name, "self-play") && stones == len(rows)-14-strings.Count(rows, ".") {
			return rows + " W"
		}
	}
	b.Fatalf("no position of %d stones", stones)
	return ""
}

// BenchmarkChoose measures a move of the player: time, nodes a move, nodes a second.
func BenchmarkChoose(b *testing.B) {
	for _, name := range []string{"source", "fixed", "master", "grandmaster", "champion"} {
		for _, depth := range []int{3, 5, 7} {
			for _, s := range stages {
				b.Run(fmt.Sprintf("%s/depth=%d/%s", name, depth, s.name), func(b *testing.B) {
					benchChoose(b, name, stage(b, s.stones), engines.Limits{Depth: depth})
				})
			}
		}
	}
}

func benchChoose(b *testing.B, name, position string, limits engines.Limits) {
	p := open(b, "").NewPlayer()
	if err := p.Configure(preset(b, name)); err != nil {
		b.Fatal(err)
	}
	var nodes int64
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Reset(position, 0); err != nil {
			b.Fatal(err)
		}
		d, err := p.Choose(context.Background(), nil, limits)
		if err != nil {
			b.Fatal(err)
		}
		nodes += d.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/move")
}

// BenchmarkMinimax is the search without any saving, for comparison.
func BenchmarkMinimax(b *testing.B) {
	var s state = newState(variant{size: 15})
	if err := s.SetText(stage(b, 12)); err != nil {
		b.Fatal(err)
	}
	bd := newBoard(s.rules)
	bd.me = white
	bd.load(&s)
	search := alphabeta.New[board](alphabeta.Options{Minimax: true, Ties: alphabeta.TieEval}, alphabeta.Hooks[board]{Undo: (*board).undo})
	var nodes int64
	for b.Loop() {
		nodes += search.Think(context.Background(), bd, nil, engines.Limits{Depth: 3}).Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/move")
}

// BenchmarkGames plays games of the default player against itself, on one core.
func BenchmarkGames(b *testing.B) {
	for _, name := range []string{"source", "fixed", "patterns"} {
		for depth := 1; depth <= 3; depth++ {
			b.Run(fmt.Sprintf("%s/depth=%d", name, depth), func(b *testing.B) {
				benchGames(b, name, engines.Limits{Depth: depth})
			})
		}
	}
}

func benchGames(b *testing.B, name string, limits engines.Limits) {
	game := open(b, "")
	players := [2]engines.Player{game.NewPlayer(), game.NewPlayer()}
	for _, p := range players {
		if err := p.Configure(preset(b, name)); err != nil {
			b.Fatal(err)
		}
	}
	referee := game.NewReferee()
	games, plies, nodes := 0, 0, int64(0)
	b.ReportAllocs()
	for b.Loop() {
		o := game.Opening(rand.New(rand.NewPCG(uint64(games%100), 1)), Game().OpeningPlies)
		n, k, err := playOut(referee, players, o, limits)
		if err != nil {
			b.Fatal(err)
		}
		games, plies, nodes = games+1, plies+n, nodes+k
	}
	b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(plies)/float64(games), "plies/game")
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// playOut plays a game from an opening and returns its number of plies and of nodes.
func playOut(referee engines.Referee, players [2]engines.Player, o engines.Opening, limits engines.Limits) (plies int, nodes int64, err error) {
	if err := referee.Reset(o.Position); err != nil {
		return 0, 0, err
	}
	history := slices.Clone(o.Moves)
	for _, m := range history {
		referee.Play(m)
	}
	for i, p := range players {
		if err := p.Reset(o.Position, uint64(i)); err != nil {
			return 0, 0, err
		}
	}
	for {
		if outcome, _ := referee.Result(); outcome != engines.Ongoing {
			return len(history), nodes, nil
		}
		d, err := players[referee.Turn()].Choose(context.Background(), history, limits)
		if err != nil {
			return 0, 0, err
		}
		referee.Play(d.Move)
		history = append(history, d.Move)
		nodes += d.Nodes
	}
}

// BenchmarkParts measures the parts of a node's time, on 26 stones.
func BenchmarkParts(b *testing.B) {
	s := newState(variant{size: 15})
	if err := s.SetText(stage(b, 26)); err != nil {
		b.Fatal(err)
	}
	bd := newBoard(s.rules)
	bd.load(&s)
	moves := bd.Moves(nil)
	ranks := make([]int32, len(moves))
	b.Run("play-undo", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			bd.Play(moves[i%len(moves)])
			bd.undo()
		}
	})
	b.Run("eval", func(b *testing.B) {
		for b.Loop() {
			bd.Eval()
		}
	})
	b.Run("moves", func(b *testing.B) {
		for b.Loop() {
			moves = bd.Moves(moves[:0])
		}
	})
	b.Run("rank", func(b *testing.B) {
		for b.Loop() {
			bd.rank(moves, ranks)
		}
	})
	b.Run("analyse", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			analyse(bd.content[i%bd.geo.lines], false, false)
		}
	})
	b.Run("analyse-patterns", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			analyse(bd.content[i%bd.geo.lines], false, true)
		}
	})
}

func BenchmarkOpening(b *testing.B) {
	v := variant{size: 15}
	for i := 0; b.Loop(); i++ {
		v.opening(rand.New(rand.NewPCG(uint64(i), 1)), Game().OpeningPlies)
	}
}
