package params

// Trial is one question: how does X score against Than?
type Trial struct {
	ID int // counts from 0 in the order of asking

	X, Than Vector // whole points of the space, ready to play
	Pairs   int    // game pairs to play; at least 1

	// Openings names the stream of openings. Trials with the same value play
	// the same openings and seeds pair by pair, so that their scores compare.
	Openings uint64
}

// Score is the answer to one Trial. The pair (one opening, colours swapped) is
// the unit of observation.
type Score struct {
	ID int
	// Pairs counts pairs by X's points out of 2: 0, 1/2, 1, 3/2, 2.
	Pairs [5]int
}

// N returns the number of pairs.
func (s Score) N() int {
	n := 0
	for _, k := range s.Pairs {
		n += k
	}
	return n
}

// Mean returns X's mean points a game, in [0, 1]; 1/2 when there are no pairs.
func (s Score) Mean() float64 {
	n, sum := 0, 0
	for points, k := range s.Pairs {
		n += k
		sum += points * k
	}
	if n == 0 {
		return 0.5
	}
	return float64(sum) / float64(4*n)
}

// Tuner proposes trials and learns from their scores. It has no clock, does no
// input or output, starts no goroutine and draws randomness only from the seed
// it was made with: the same scores told in the same order give the same
// trials. A log of scores is therefore its whole state, and resume is replay.
type Tuner interface {
	// Ask returns the trials that may start now, in order of ID, each once. It
	// returns none while scores are awaited and for ever after the last one.
	Ask() []Trial
	// Tell hands over the score of the oldest trial not yet told. Telling out of
	// order is an error.
	Tell(Score) error
	// Best returns the recommendation so far. The caller may keep it.
	Best() Vector
}
