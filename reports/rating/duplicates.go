package rating

import (
	"math"
	"slices"
)

// PairMatrix counts pairs of games from one opening by A's half points
// (0 lost, 1 drawn, 2 won) in each game: PairMatrix[i][j] pairs brought
// A i half points when playing first and j when playing second.
// Pairs tells the strength of A; a PairMatrix also tells whether openings decided the games.
type PairMatrix [3][3]int

// The kinds of pairs, in the order of PairMatrix.Kinds.
const (
	BothA      = iota // A won both games
	MoreA             // A won one and drew one
	BothFirst         // the side that played first won both
	BothSecond        // the other side won both
	BothDrawn
	MoreB // A's opponent won one and drew one
	BothB // A's opponent won both

	PairKinds // the number of kinds
)

// Add counts one pair by A's half points as first and as second.
// It panics on values other than 0, 1 and 2.
func (p *PairMatrix) Add(first, second int) { p[first][second]++ }

// Pairs returns the tally by A's points alone.
func (p PairMatrix) Pairs() (tally Pairs) {
	for i := range p {
		for j, n := range p[i] {
			tally[i+j] += n
		}
	}
	return tally
}

// Games returns A's results in the games in which A played first, and in the others.
func (p PairMatrix) Games() (first, second Games) {
	for a, row := range p {
		for b, n := range row {
			first, second = first.Plus(repeat(a, n)), second.Plus(repeat(b, n))
		}
	}
	return first, second
}

// N returns the number of pairs.
func (p PairMatrix) N() int { return p.Pairs().N() }

// First returns the tally by the points of the sides that played first.
func (p PairMatrix) First() (tally Pairs) {
	for i := range p {
		for j, n := range p[i] {
			tally[i+2-j] += n
		}
	}
	return tally
}

// Kinds counts the pairs of each kind.
func (p PairMatrix) Kinds() (k [PairKinds]int) {
	for i := range p {
		for j, n := range p[i] {
			k[pairKind(i, j)] += n
		}
	}
	return k
}

// Expected returns the mean numbers of each kind for independent
// games: A's results as first and as second stay, but openings and
// anything else that the two games of a pair share make no difference.
func (p PairMatrix) Expected() (k [PairKinds]float64) {
	var first, second [3]float64
	for i := range p {
		for j, n := range p[i] {
			first[i] += float64(n)
			second[j] += float64(n)
		}
	}
	n := float64(max(p.N(), 1))
	for i, a := range first {
		for j, b := range second {
			k[pairKind(i, j)] += float64(a * b / n)
		}
	}
	return k
}

// pairKind returns the kind of a pair by A's half points.
func pairKind(first, second int) int {
	switch {
	case first == 2 && second == 0:
		return BothFirst
	case first == 0 && second == 2:
		return BothSecond
	}
	return [...]int{BothB, MoreB, BothDrawn, MoreA, BothA}[first+second]
}

// Shared returns the correlation of the first players' points in the
// two games of a pair, within each of these matches, with its interval.
// It is 0 where openings, and other things that both games
// share, make no difference, and 1 where they alone decide.
// It is false below MinSample pairs and where all points are equal.
//
// The interval is that of large samples for any distribution, by the influence function
// of the correlation coefficient (S. Devlin, R. Gnanadesikan and J. Kettenring, "Robust
// estimation and outlier detection with correlation coefficients", Biometrika 62, 1975).
// Before, half a pair is added to each of the four decisive cells,
// so that a kind not seen yet does not count as impossible.
func Shared(level float64, matches ...PairMatrix) (r float64, in Interval, ok bool) {
	played := slices.DeleteFunc(slices.Clone(matches), func(t PairMatrix) bool { return t.N() == 0 })
	n := 0
	plain := make([]table, len(played))
	added := make([]table, len(played))
	for k, t := range played {
		n += t.N()
		for i := range t {
			for j, pairs := range t[i] {
				plain[k][i][2-j] = float64(pairs)
				added[k][i][2-j] = float64(pairs)
				if i != 1 && j != 1 {
					added[k][i][2-j] += 0.5 / float64(len(played))
				}
			}
		}
	}
	r, _ = correlate(plain)
	if n < MinSample || math.IsNaN(r) {
		return 0, Interval{-1, 1}, false
	}
	middle, se := correlate(added)
	margin := float64(quantile(level) * se)
	return r, Interval{max(-1, min(r, middle-margin)), min(1, max(r, middle+margin))}, true
}

// table counts pairs by the first player's points in either game.
type table [3][3]float64

// correlate returns the correlation of row and column within the tables and its standard error.
// Both are NaN where row or column is constant.
func correlate(tables []table) (r, se float64) {
	each := func(f func(x, y, pairs float64)) { // x and y about the mean of their table
		for _, t := range tables {
			n, mx, my := t.means()
			if n == 0 {
				continue
			}
			for i, row := range t {
				for j, pairs := range row {
					f(float64(i)-mx, float64(j)-my, pairs)
				}
			}
		}
	}
	var n, xx, yy, xy float64
	each(func(x, y, pairs float64) {
		n += pairs
		xx += float64(pairs * x * x)
		yy += float64(pairs * y * y)
		xy += float64(pairs * x * y)
	})
	if !(xx > 0 && yy > 0) {
		return math.NaN(), math.NaN()
	}
	r = min(max(xy/math.Sqrt(float64(xx*yy)), -1), 1)
	sx := math.Sqrt(xx / n)
	sy := math.Sqrt(yy / n)
	sum := 0.0
	each(func(x, y, pairs float64) {
		u, v := x/sx, y/sy
		influence := float64(u*v) - float64(r/2*(float64(u*u)+float64(v*v)))
		sum += float64(pairs * influence * influence)
	})
	return r, math.Sqrt(sum) / n
}

// means returns the number of pairs and the means of row and column.
func (t table) means() (n, x, y float64) {
	for i, row := range t {
		for j, pairs := range row {
			n += pairs
			x += float64(pairs * float64(i))
			y += float64(pairs * float64(j))
		}
	}
	return n, x / n, y / n
}
