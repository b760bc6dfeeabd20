package chess

import (
	"math"
	"math/rand/v2"
	"strings"

	"selfplaylab/engines"
)

// starts is the number of orders of the first rank in chess960.
const starts = 960

// knightPairs are the places of both knights among the five
// free squares, in the order of Reinhard Scharnagl's numbers.
var knightPairs = [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}

// firstRank returns the pieces from file a on for a Scharnagl
// number of chess960, 0 to 959. 518 is the standard order.
func firstRank(number int) string {
	rank := []byte("........")
	rank[number%4*2+1] = 'B'
	number /= 4
	rank[number%4*2] = 'B'
	number /= 4
	put := func(nth int, letter byte) {
		for i, c := range rank {
			if c != '.' {
				continue
			}
			if nth == 0 {
				rank[i] = letter
				return
			}
			nth--
		}
	}
	put(number%6, 'Q')
	pair := knightPairs[number/6]
	put(pair[0], 'N')
	put(pair[1]-1, 'N')
	put(0, 'R')
	put(0, 'K')
	put(0, 'R')
	return string(rank)
}

// startOf returns the initial position by the sides' Scharnagl numbers.
func startOf(white, black int) string {
	w, b := firstRank(white), firstRank(black)
	rights := func(rank string) string {
		return strings.ToUpper(string([]byte{'a' + byte(strings.LastIndexByte(rank, 'R')), 'a' + byte(strings.IndexByte(rank, 'R'))}))
	}
	return strings.ToLower(b) + "/pppppppp/8/8/8/8/PPPPPPPP/" + w + " w " + rights(w) + strings.ToLower(rights(b)) + " -"
}

// drawStart draws an initial position by the rules; "" is the standard one.
func (s setup) drawStart(r *rand.Rand) string {
	switch s.variant {
	case chess960:
		n := r.IntN(starts)
		return startOf(n, n)
	case dfrc:
		return startOf(r.IntN(starts), r.IntN(starts))
	}
	return ""
}

// openingTries bounds the draws for one opening, and evenScore
// is the largest accepted lead after it, in centipawns.
const (
	openingTries = 200
	evenScore    = 50
)

// drawOpening plays random moves from a drawn start.
// It returns the first line after which no side wins
// material at once and the evaluation is about even.
// If there is none in openingTries draws it returns the most even one.
func drawOpening(s setup, r *rand.Rand, plies int) engines.Opening {
	o := engines.Opening{Position: s.drawStart(r)}
	if plies == 0 {
		return o
	}
	ref := engines.NewReferee(s.start, s.bounds)
	judge := newJudge(s.start)
	best := int32(math.MaxInt32)
	for range openingTries {
		if err := ref.Reset(o.Position); err != nil {
			panic("chess: a drawn start is no position: " + err.Error())
		}
		line, ok := drawLine(ref, r, plies)
		if !ok {
			continue
		}
		if score := judge.value(ref.String()); score < best {
			o.Moves, best = line, score
		}
		if best <= evenScore {
			break
		}
	}
	return o
}

// drawLine plays random moves. ok reports whether the game goes on after them.
func drawLine(ref engines.Referee, r *rand.Rand, plies int) (line []engines.Move, ok bool) {
	var buf []engines.Move
	for len(line) < plies {
		buf = ref.Moves(buf[:0])
		if o, _ := ref.Result(); o != engines.Ongoing {
			return nil, false
		}
		m := buf[r.IntN(len(buf))]
		line = append(line, m)
		ref.Play(m)
	}
	o, _ := ref.Result()
	return line, o == engines.Ongoing
}
