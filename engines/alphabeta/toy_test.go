package alphabeta

import (
	"math/rand/v2"

	"selfplaylab/engines"
)

// toy is a made-up game: counters on a ring of cells. A move adds to one, and some moves give
// the same side another turn. Ends, draws and values are hashes of the position, so trees have
// every shape. Different orders of moves lead to the same position (transpositions); with loops
// set, positions recur too.
type toy struct {
	cells [5]uint8
	turn  engines.Side
	loops bool
	seed  uint64
	trail []toy // earlier positions, for undo with in-place search
}

func newToy(r *rand.Rand, loops bool) toy {
	t := toy{seed: r.Uint64(), loops: loops, turn: engines.Side(r.IntN(2))}
	for i := range t.cells {
		t.cells[i] = uint8(r.IntN(3))
	}
	return t
}

func (t *toy) Key() uint64 {
	k := engines.Seed(t.seed, uint64(t.turn))
	for _, c := range t.cells {
		k = engines.Mix(k ^ uint64(c)*0x9e3779b97f4a7c15)
	}
	return k
}

func (t *toy) Moves(buf []engines.Move) []engines.Move {
	n := 1 + int(engines.Mix(t.Key()+1)%uint64(len(t.cells)))
	for i := range n {
		buf = append(buf, engines.Move(i+1))
	}
	return buf
}

func (t *toy) Play(m engines.Move) {
	i := int(m - 1)
	t.cells[i]++
	if t.loops {
		t.cells[i] %= 3
	}
	if (int(t.cells[i])+i)%3 != 0 {
		t.turn = t.turn.Other()
	}
}

func (t *toy) Turn() engines.Side { return t.turn }

func (t *toy) Outcome() engines.Outcome {
	switch h := engines.Mix(t.Key()+2) % 40; h {
	case 0, 1, 2:
		return engines.Outcome(1 + h)
	}
	return engines.Ongoing
}

func (t *toy) Eval() int32 { return int32(engines.Mix(t.Key()+3)%41) - 20 }

// inPlace is toy with undo.
type inPlace struct{ toy }

func (i *inPlace) Play(m engines.Move) {
	before := i.toy
	before.trail = nil
	i.trail = append(i.trail, before)
	i.toy.Play(m)
}

func undoInPlace(t *inPlace) {
	trail := t.trail
	t.toy = trail[len(trail)-1]
	t.trail = trail[:len(trail)-1]
}

// forcedToy reports positions that use no depth, never many in a row.
func forcedToy(t *toy) bool { return engines.Mix(t.Key()+4)%5 == 0 }

// passToy passes in most positions.
func passToy(t *toy) bool {
	if engines.Mix(t.Key()+5)%5 == 0 {
		return false
	}
	t.turn = t.turn.Other()
	return true
}
