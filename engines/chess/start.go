package chess

import (
	"strings"
)

// starts is the number of orders of the first rank in chess960.
const starts = 960

// knightPairs are the places of both knights among the five squares left, in the order
// of Reinhard Scharnagl's numbers.
var knightPairs = [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}

// firstRank returns the pieces of a number of chess960 from 0 to 959, from file a on; 518
// is the usual order. The numbers are Scharnagl's.
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

// startOf returns the position in which the sides start with these numbers.
func startOf(white, black int) string {
	w, b := firstRank(white), firstRank(black)
	rights := func(rank string) string {
		return strings.ToUpper(string([]byte{'a' + byte(strings.LastIndexByte(rank, 'R')), 'a' + byte(strings.IndexByte(rank, 'R'))}))
	}
	return strings.ToLower(b) + "/pppppppp/8/8/8/8/PPPPPPPP/" + w + " w " + rights(w) + strings.ToLower(rights(b)) + " -"
}
