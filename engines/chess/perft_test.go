package chess

import (
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
)

// perfts are numbers of sequences of legal moves, by depth from 1.
// The first six are the positions of the Chess Programming Wiki's page Perft Results, the others
// are traps; all were counted again by python-chess 1.11 to the depth that go test plays.
var perfts = []struct {
	name, fen string
	counts    []uint64
}{
	{"initial", initial, []uint64{20, 400, 8902, 197281, 4865609, 119060324}},
	{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []uint64{48, 2039, 97862, 4085603, 193690690}},
	{"endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", []uint64{14, 191, 2812, 43238, 674624, 11030083, 178633661}},
	{"promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", []uint64{6, 264, 9467, 422333, 15833292, 706045033}},
	{"promotes to check", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", []uint64{44, 1486, 62379, 2103487, 89941194}},
	{"middle game", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", []uint64{46, 2079, 89890, 3894594, 164075551}},
	{"chess960, 1", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", []uint64{21, 528, 12189, 326672, 8146062, 227689589}},
	{"chess960, 2", "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", []uint64{21, 807, 18002, 667366, 16253601}},
	{"chess960, 3", "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", []uint64{20, 479, 10471, 273318, 6417013, 177654692}},
	{"both pawns leave the rank of king and rook", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", []uint64{6, 78, 528}},
	{"both pawns leave the rank, black", "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", []uint64{6, 136, 863}},
	{"pinned en passant", "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", []uint64{6, 64, 438}},
	{"en passant opens a diagonal", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", []uint64{15, 126, 1928}},
	{"en passant takes the checker", "8/8/3p4/1Pp4r/1K3R2/6k1/4P1P1/8 w - c6 0 3", []uint64{7, 113, 2194}},
	{"capturing promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", []uint64{24, 496, 9483}},
	{"the rook's way is attacked, not the king's", "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", []uint64{26, 583, 14252}},
	{"the rook shields its king until it castles", "4k3/8/8/8/8/8/8/qR2K2R w BH - 0 1", []uint64{18, 323, 6653}},
}

func perftDepth(counts []uint64, most uint64) (depth int) {
	for depth = len(counts); depth > 1 && counts[depth-1] > most; depth-- {
	}
	return depth
}

func TestPerftMatchesPublishedCounts(t *testing.T) {
	most := uint64(testmode.Times(1_000_000, 200))
	for _, c := range perfts {
		t.Run(c.name, func(t *testing.T) {
			p := position(t, c.fen, true)
			for depth := 1; depth <= perftDepth(c.counts, most); depth++ {
				if got := engines.Perft[Position](&p, depth); got != c.counts[depth-1] {
					t.Errorf("depth %d: %d sequences, want %d", depth, got, c.counts[depth-1])
				}
			}
		})
	}
}

// position reads a FEN, under chess960 if free.
func position(t testing.TB, fen string, free bool) Position {
	t.Helper()
	p := Position{free: free}
	if err := p.SetText(fen); err != nil {
		t.Fatal(err)
	}
	return p
}

// BenchmarkPerft counts leaves a second, the last ply in bulk.
func BenchmarkPerft(b *testing.B) {
	for _, c := range perfts {
		b.Run(c.name, func(b *testing.B) {
			p, depth := position(b, c.fen, true), perftDepth(c.counts, 5_000_000)
			leaves := uint64(0)
			for b.Loop() {
				leaves += engines.Perft[Position](&p, depth)
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}
