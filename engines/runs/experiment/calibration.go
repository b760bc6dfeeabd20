package experiment

import (
	"math"

	"selfplaylab/datasets"
)

// bin adds up one bin of scores shown.
type bin struct {
	decisions  int
	shown      float64    // sum
	points     float64    // sum
	pair       [2]float64 // of the current pair: decisions, points
	nn, np, pp float64    // sums over pairs of products of the two
	pairs      int        // with a decision in the bin
	sides, won int
}

// endPair closes the current pair.
func (b *bin) endPair() {
	n, p := b.pair[0], b.pair[1]
	if n > 0 {
		b.pairs++
	}
	b.nn, b.np, b.pp = b.nn+n*n, b.np+n*p, b.pp+p*p
	b.pair = [2]float64{}
}

// se returns the standard error of the mean result, the ratio of two sums over pairs
// of games (Cochran, Sampling Techniques, 3rd edition 1977, equation 6.13): the
// decisions of a game, and the games of a pair, are not independent.
func (b *bin) se(pairs int) float64 {
	if b.decisions == 0 || pairs < 2 {
		return 0
	}
	r := b.points / float64(b.decisions)
	ss := b.pp - 2*r*b.np + r*r*b.nn
	return math.Sqrt(max(ss, 0)*float64(pairs)/float64(pairs-1)) / float64(b.decisions)
}

// has reports whether the scores of a side in a game count.
func (s showing) has(g datasets.GameRow, side int) bool {
	isA := side == int(g.Game) // A plays first in game 0
	return s == shownByBoth || isA == (s == shownByA)
}

// calibrate compares the scores shown in a run that recorded its moves with the
// results of its games, by bins with the given rising edges.
func calibrate(run string, log *datasets.Log, edges []float64, by showing) ([]shownRun, error) {
	c := calibrating{edges: edges, bins: make([]bin, len(edges)-1)}
	pairs := 0
	for p, err := range log.Played(datasets.Filter{}) {
		if err != nil {
			return nil, err
		}
		var farthest [2]extremes
		g := p.GameRow
		for _, move := range p.Decisions {
			if by.has(g, int(move.Side)) && !math.IsNaN(move.Score) { // one without a score showed none
				c.add(move, pointsOf(g, int(move.Side)), &farthest[move.Side])
			}
		}
		for side := range farthest {
			c.reached(farthest[side], pointsOf(g, side))
		}
		if g.Game == 1 {
			pairs++
			for i := range c.bins {
				c.bins[i].endPair()
			}
		}
	}
	return c.shown(run, pairs), nil
}

// pointsOf returns a side's points in a game: 0, 0.5 or 1.
func pointsOf(g datasets.GameRow, side int) float64 {
	if side == int(g.Game) { // A plays first in game 0
		return g.AScore
	}
	return 1 - g.AScore
}

type calibrating struct {
	edges []float64
	bins  []bin
}

// extremes are the least and greatest scores a side showed in a game.
type extremes struct {
	low, high float64
	any       bool
}

// add counts one decision and the points of its player in the game.
func (c *calibrating) add(m datasets.MoveRow, points float64, e *extremes) {
	if !e.any {
		*e = extremes{m.Score, m.Score, true}
	}
	e.low, e.high = min(e.low, m.Score), max(e.high, m.Score)
	for i := range c.bins {
		last := i == len(c.bins)-1
		if m.Score < c.edges[i] || m.Score > c.edges[i+1] || m.Score == c.edges[i+1] && !last {
			continue
		}
		b := &c.bins[i]
		b.decisions++
		b.shown += m.Score
		b.points += points
		b.pair[0]++
		b.pair[1] += points
		return
	}
}

// reached counts a player's game for every bin on one side of a half whose edge
// nearest to it was passed.
func (c *calibrating) reached(e extremes, points float64) {
	if !e.any {
		return
	}
	for i := range c.bins {
		low, high := c.edges[i], c.edges[i+1]
		if low >= 0.5 && e.high >= low || high <= 0.5 && e.low < high {
			c.bins[i].sides++
			if points == 1 {
				c.bins[i].won++
			}
		}
	}
}

func (c *calibrating) shown(run string, pairs int) []shownRun {
	var list []shownRun
	for i := range c.bins {
		b := &c.bins[i]
		s := shownRun{Run: run, Low: c.edges[i], High: c.edges[i+1], Decisions: b.decisions, Pairs: b.pairs, SE: b.se(pairs), Sides: b.sides,
			Won: b.won}
		if b.decisions > 0 {
			s.Mean, s.Points = b.shown/float64(b.decisions), b.points/float64(b.decisions)
		}
		list = append(list, s)
	}
	return list
}
