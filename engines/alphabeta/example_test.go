package alphabeta_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
	"selfplaylab/reports/board"
)

// heap is a whole game: a turn takes one to three counters, and the side that takes the last
// one wins.
type heap struct {
	left int
	turn engines.Side
}

func (h *heap) Moves(buf []engines.Move) []engines.Move {
	for n := 1; n <= min(3, h.left); n++ {
		buf = append(buf, engines.Move(n))
	}
	return buf
}
func (h *heap) Play(m engines.Move)   { h.left, h.turn = h.left-int(m), h.turn.Other() }
func (h *heap) Turn() engines.Side    { return h.turn }
func (h *heap) Key() uint64           { return engines.Seed(uint64(h.left), uint64(h.turn)) }
func (h *heap) Penalty() engines.Move { return 0 }

func (h *heap) Outcome() engines.Outcome {
	if h.left == 0 {
		return engines.Win(h.turn.Other())
	}
	return engines.Ongoing
}

func (h *heap) Reason() engines.Reason {
	if h.left == 0 {
		return "taken"
	}
	return engines.NoReason
}
func (h *heap) Legal(m engines.Move) bool { return m >= 1 && m <= 3 && int(m) <= h.left }
func (h *heap) String() string            { return fmt.Sprint(h.left, " ", h.turn) }
func (h *heap) SetText(text string) error {
	if _, err := fmt.Sscanf(text, "%d %d", &h.left, &h.turn); err != nil || h.turn > 1 || h.left < 0 {
		return fmt.Errorf("want the counters left and the side to move, such as 21 0")
	}
	return nil
}

func (h *heap) ParseMove(text string) (engines.Move, error) {
	if n, err := strconv.ParseUint(text, 10, 8); err == nil && n >= 1 && n <= 3 {
		return engines.Move(n), nil
	}
	return 0, engines.ParseError("move", text, "want 1 to 3")
}
func (h *heap) MoveString(m engines.Move) string { return strconv.Itoa(int(m)) }
func (h *heap) Board(engines.Move) board.Board {
	return board.Board{Title: "Heap", Caption: strings.Repeat("o", h.left)}
}

// weighed is a heap with the parameter of its evaluator.
type weighed struct {
	heap
	fours *int32
}

// Eval values heaps too large to search: every fourth counter counts for the side that leaves
// it.
func (w *weighed) Eval() int32 {
	if w.left%4 == 0 {
		return -*w.fours
	}
	return *w.fours
}

// newPlayer returns a player. It joins the parameters of the game's weights and of the search
// in one space, and loads vectors and positions into the node.
func newPlayer() engines.Player { return scaledPlayer(0) }

// scaledPlayer returns a player whose scores have another unit than Eval.
func scaledPlayer(scale float64) engines.Player {
	space := append(params.Space{{Name: "fours", Doc: "leaving a multiple of four", Max: 100, Default: 10, Step: 5}}, alphabeta.Parameters(10)...)
	fours := new(int32)
	return alphabeta.NewPlayer[heap, weighed](alphabeta.Engine[heap, weighed]{
		Name: "heap", Space: space, Limits: engines.Limits{Depth: 4},
		Start: heap{left: 21}, Node: &weighed{fours: fours}, Scale: scale,
		Weigh: func(v params.Vector) alphabeta.Options { *fours = int32(v[0]); return alphabeta.Options{} },
		Load:  func(w *weighed, h *heap) { w.heap = *h },
	})
}

// The example has a whole game with an evaluator and a player.
// A folder of engines also needs presets, openings and rules to choose from.
func Example() {
	player := newPlayer()
	for _, start := range []string{"21 0", "7 1"} {
		if err := player.Reset(start, 0); err != nil {
			fmt.Println(err)
			return
		}
		d, err := player.Choose(context.Background(), nil, engines.Limits{Depth: 4})
		fmt.Println("takes", d.Move, "score", d.Score, "won in", d.Mate, err)
	}
	// Output:
	// takes 1 score 10 won in 0 <nil>
	// takes 3 score 1.999999997e+09 won in 3 <nil>
}
