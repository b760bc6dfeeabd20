// Package rating is the statistics of match results: tallies, Elo with intervals, sequential
// tests, joint ratings of many players and the planning of matches. It turns counts into
// numbers and sentences. It plays no matches, knows no game, and reads and writes no files.
//
// Scores lie between 0 and 1 and always belong to one named side, called A here. The unit of
// observation is the pair: one opening, two games, colours swapped. The two games of a pair are
// not independent, so numbers computed from single games are only for matches that are not
// played in pairs.
package rating

import (
	"fmt"
)

// Pairs counts game pairs by A's points. Index i holds the pairs with i half points for A of
// the 4 possible (LL, LD, WL or DD, WD, WW), a mean score of i/4. Counts must not be negative.
// The zero value is empty.
type Pairs [5]int

// Add counts one pair by A's half points (0 lost, 1 drawn, 2 won) in each of its games.
// It panics on other values.
func (p *Pairs) Add(first, second int) {
	if first < 0 || first > 2 || second < 0 || second > 2 {
		panic(fmt.Sprintf("rating: half points %d and %d of a pair, want 0, 1 or 2 each", first, second))
	}
	p[first+second]++
}

// Plus returns the tally of both matches together.
func (p Pairs) Plus(q Pairs) Pairs {
	for i, n := range q {
		p[i] += n
	}
	return p
}

// Reversed returns the tally as the opponent sees it.
func (p Pairs) Reversed() Pairs { return Pairs{p[4], p[3], p[2], p[1], p[0]} }

// N returns the number of pairs.
func (p Pairs) N() int { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Score returns A's mean score in [0, 1], or 1/2 without pairs.
func (p Pairs) Score() float64 { return p.sample().mean }

// Variance returns the variance of a pair's mean score, between 0 and 1/4:
// the second moment about the mean, not corrected for the degree of freedom.
func (p Pairs) Variance() float64 { return p.sample().variance }

// String returns the counts from LL to WW.
func (p Pairs) String() string {
	return fmt.Sprintf("LL %d, LD %d, even %d, WD %d, WW %d", p[0], p[1], p[2], p[3], p[4])
}

// sample returns the moments of the pairs.
func (p Pairs) sample() sample { return newSample(p[:], "pair") }

// Games counts single games by A's result. Counts must not be negative. The zero value is
// empty.
type Games struct{ Wins, Draws, Losses int }

// Plus returns the tally of both matches together.
func (g Games) Plus(h Games) Games {
	return Games{g.Wins + h.Wins, g.Draws + h.Draws, g.Losses + h.Losses}
}

// reversed returns the tally as the opponent sees it.
func (g Games) reversed() Games { return Games{g.Losses, g.Draws, g.Wins} }

// N returns the number of games.
func (g Games) N() int { return g.Wins + g.Draws + g.Losses }

// Score returns A's mean score in [0, 1], or 1/2 without games.
func (g Games) Score() float64 { return g.sample().mean }

// sample returns the moments of the games.
func (g Games) sample() sample {
	return newSample([]int{g.Losses, g.Draws, g.Wins}, "game")
}

// sample holds the moments of a tally that estimates need.
type sample struct {
	unit           string // "pair" or "game"
	n              int
	mean, variance float64
	counts         [5]int // counts of the classes, with scores 0 to 1 in equal steps
	classes        int    // number of classes: 3 or 5
	commonest      int    // the largest count
}

// newSample returns the sample of counts, which belong
// to classes with scores 0 to 1 in equal steps.
func newSample(counts []int, unit string) sample {
	s := sample{unit: unit, mean: 0.5, classes: len(counts)}
	top, points := len(counts)-1, 0
	for i, c := range counts {
		s.counts[i] = c
		s.n += c
		points += i * c
		s.commonest = max(s.commonest, c)
	}
	if s.n == 0 {
		return s
	}
	n := float64(s.n)
	s.mean = float64(points) / (n * float64(top))
	if s.commonest == s.n {
		return s
	}
	for i, c := range counts {
		d := float64(i)/float64(top) - s.mean
		s.variance += float64(float64(float64(c)*d) * d)
	}
	s.variance /= n
	return s
}

// games returns the number of games in one observation.
func (s sample) games() float64 {
	if s.unit == "pair" {
		return 2
	}
	return 1
}

// widened returns the variance with extra lost and extra
// won observations added, each half a point from the mean.
// It is never 0, and wide enough for rare classes not seen yet.
func (s sample) widened(extra float64) float64 {
	n := float64(s.n)
	return (float64(n*s.variance) + float64(extra/2)) / (n + float64(2*extra))
}

// repeat returns n games with the same half points each.
func repeat(points, n int) Games {
	switch points {
	case 0:
		return Games{Losses: n}
	case 1:
		return Games{Draws: n}
	}
	return Games{Wins: n}
}
