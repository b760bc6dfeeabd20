package gobang

import (
	"math"

	"selfplaylab/engines/alphabeta"
)

// Values of the parameter evaluator.
const (
	byLargest = iota // the source's: a side's largest shape
	bySum            // the largest shape of each line, added up
	byPattern        // the largest pattern of each line, added up
)

// weights holds a parameter vector in the form that board evaluates.
type weights struct {
	evaluator int
	defence   float64
	share     [2]float64 // factor of a side score: [1] for the side to move

	// largest is, by set of shapes, the index of the shape
	// with the largest score, plus 1; 0 for the empty set.
	// score is the board score of the side that searches, by
	// whether it is to move and both sides' largest shapes.
	largest [1 << shapes]uint8
	single  [shapes + 1]int64
	score   [2][shapes + 1][shapes + 1]int32

	// line is the share of a line in a side score: by
	// set of shapes for bySum, by pattern for byPattern.
	line [1 << shapes]int64
}

// set fills in the weights from a checked vector.
func (w *weights) set(v []float64) {
	w.evaluator = int(v[pEvaluator])
	w.defence = v[pDefence]
	w.share = [2]float64{1, 1 + v[pTempo]}
	for i := range shapes {
		w.single[i+1] = int64(v[pLive2+i])
	}
	for set := range w.largest {
		w.largest[set] = 0
		for i := range shapes {
			if set>>i&1 != 0 && w.single[i+1] > w.single[w.largest[set]] {
				w.largest[set] = uint8(i + 1)
			}
		}
		w.line[set] = w.single[w.largest[set]]
	}
	for moves := range w.score {
		for own := range w.single {
			for foe := range w.single {
				w.score[moves][own][foe] = w.boardScore(w.single[own], w.single[foe], moves == 1)
			}
		}
	}
	if w.evaluator == byPattern {
		w.line = [1 << shapes]int64{full5: int64(v[pFive])}
		for i := range open4 {
			w.line[half2+i] = int64(v[pHalf2+i])
		}
	}
}

// boardScore returns the board score of a side: its own side
// score less defence times the opponent's, truncated toward zero.
func (w *weights) boardScore(own, foe int64, ownMoves bool) int32 {
	ownShare, foeShare := w.share[0], w.share[1]
	if ownMoves {
		ownShare, foeShare = foeShare, ownShare
	}
	gain := float64(float64(own) * ownShare)
	loss := float64(float64(float64(foe)*foeShare) * w.defence)
	const bound = float64(alphabeta.MaxEval)
	return int32(math.Trunc(min(max(gain-loss, -bound), bound)))
}
