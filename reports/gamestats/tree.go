package gamestats

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Tree counts games by their moves from the start. All games pass twice, in the same order:
// Count estimates how often each line was played, in a table of fixed size and never too low;
// Add then keeps only lines that may have Min games, and counts them exactly. Memory therefore
// does not grow with the games. Mirrored lines and transpositions count as different lines. One
// goroutine at a time may use it.
type Tree struct {
	// Min is the number of games that a line needs; 0 means a share of all games.
	// It must be set before Add.
	Min int
	// Drawn counts games of different start positions together by
	// their moves, because a drawn position seldom occurs twice.
	Drawn bool

	all     Openings
	games   int
	given   [2]int32       // smallest and largest number of plies of an opening
	often   []uint32       // upper bound of the number of games, by the hash of a line
	starts  map[string]int // games by start position, of at most maxKept positions
	more    bool           // there are more start positions
	root    *node
	pending []datasets.GameRow // games of an incomplete pair
}

// Limits of a Tree.
const (
	treePlies = 40      // deeper moves are not counted
	treeShare = 500     // by default a line needs one of this number of games,
	treeLeast = 4       // and at least this number
	maxLevel  = 2000    // largest number of lines of a level: see CheckMin
	oftenSize = 1 << 22 // a power of two, much larger than the number of lines
)

// node is a line with the games that follow it.
type node struct {
	games  int
	first  rating.Pairs // pairs by the mean score of the sides that played first, in their games here
	both   rating.Pairs // pairs with both games here, by A's points
	next   map[string]*node
	starts int // number of start positions counted together here; 0 for one
}

// Count adds a game to the estimate of Add. It must get all games before Add gets any.
func (t *Tree) Count(g datasets.GameRow) {
	if t.often == nil {
		t.often = make([]uint32, oftenSize)
		t.starts = map[string]int{}
		t.given = [2]int32{g.OpeningPlies, g.OpeningPlies}
	}
	t.games++
	t.all.Add(g)
	t.given = [2]int32{min(t.given[0], g.OpeningPlies), max(t.given[1], g.OpeningPlies)}
	if _, known := t.starts[g.Position]; known || len(t.starts) < maxKept {
		t.starts[strings.Clone(g.Position)]++
	} else {
		t.more = true
	}
	for _, start := range []string{g.Position, anyStart} { // lines of this start position, and of all
		for h := range lineHashes(start, g.Moves) {
			t.often[h]++
		}
		if g.Position == "" {
			break
		}
	}
}

// anyStart stands for the start positions that are counted together.
const anyStart = "*"

// lineHashes yields the indices in Tree.often of a game's lines, and the last move of each.
func lineHashes(start, moves string) iter.Seq2[uint64, string] {
	return func(yield func(uint64, string) bool) {
		h, ply := hashOf(start), 0
		for move := range strings.FieldsSeq(moves) {
			for i := range len(move) {
				h = (h ^ uint64(move[i])) * 1099511628211 // FNV-1a
			}
			h *= 1099511628211 // the space
			if ply++; ply > treePlies || !yield(scatter(h)&(oftenSize-1), move) {
				return
			}
		}
	}
}

// CheckMin returns an error for a Min at which too many lines could have enough games.
func (t *Tree) CheckMin() error {
	if least := t.games / maxLevel; t.Min != 0 && t.Min < max(least, 1) {
		return fmt.Errorf("%d: want at least %s for %s", t.Min, text.Count(max(least, 1)), text.Plural(t.games, "game"))
	}
	return nil
}

// Add counts a game. The games must be those given to Count, in the same order; both games of a
// pair must follow each other.
func (t *Tree) Add(g datasets.GameRow) {
	if t.root == nil {
		t.begin()
	}
	if p := t.pending; len(p) > 0 && (len(p) == 2 || p[0].Trial != g.Trial || p[0].Pair != g.Pair || g.Game == 0) {
		t.flush()
	}
	t.pending = append(t.pending, g)
}

// begin decides whether a line is its moves alone, or its start position and its moves.
func (t *Tree) begin() {
	t.root = &node{}
	if t.Min == 0 {
		t.Min = max(treeLeast, t.games/treeShare)
	}
	if len(t.starts) <= 1 {
		return
	}
	rare := 0
	for start, n := range t.starts {
		if (n < t.Min || t.Drawn) && start != "" {
			rare++
			delete(t.starts, start)
		}
	}
	if t.more {
		rare = maxKept
	}
	if len(t.starts) == 0 {
		t.root.starts = rare
	}
	t.starts[anyStart] = rare
}

// flush counts the games of an incomplete pair: each line by the games that follow it.
func (t *Tree) flush() {
	if len(t.pending) == 0 {
		return
	}
	paths := [2][]*node{}
	for i, g := range t.pending {
		paths[i] = t.path(g)
	}
	for i, g := range t.pending {
		for k, n := range paths[i] {
			half := firstHalf(g)
			n.games++
			other := paths[1-i]
			switch {
			case k >= len(other) || other[k] != n:
				n.first.Add(half, half) // the mean of a single game
			case i == 0:
				n.first.Add(half, firstHalf(t.pending[1]))
				n.both.Add(g.Half(), t.pending[1].Half())
			}
		}
	}
	t.pending = t.pending[:0]
}

// firstHalf returns the half points of the side playing first.
func firstHalf(g datasets.GameRow) int {
	if g.Game == 1 {
		return 2 - g.Half()
	}
	return g.Half()
}

// path returns the lines of a game that may have Min games, the root first.
func (t *Tree) path(g datasets.GameRow) []*node {
	path, start := []*node{t.root}, g.Position
	if rare, several := t.starts[anyStart]; several {
		if _, kept := t.starts[start]; !kept {
			start = anyStart
		}
		if t.root.starts == 0 {
			n := t.root.at(start)
			if path = append(path, n); start == anyStart {
				n.starts = rare
			}
		}
	}
	for h, move := range lineHashes(start, g.Moves) {
		if int(t.often[h]) < t.Min {
			break
		}
		path = append(path, path[len(path)-1].at(move))
	}
	return path
}

// at returns the node after a move.
func (n *node) at(move string) *node {
	next := n.next[move]
	if next == nil {
		if n.next == nil {
			n.next = map[string]*node{}
		}
		next = &node{starts: n.starts}
		n.next[strings.Clone(move)] = next // a copy, because the substring would keep the whole game's text
	}
	return next
}

// prune removes the lines with fewer than least games, and returns the number left.
func (n *node) prune(least int) (left int) {
	for move, next := range n.next {
		if next.games < least {
			delete(n.next, move)
		} else {
			left += next.prune(least)
		}
	}
	return left + 1
}

// Line is a line of a Tree with the games that follow it.
type Line struct {
	Move   string `json:"move"`             // "" for the start
	Start  string `json:"start,omitempty"`  // start position, on the level of start positions
	Starts int    `json:"starts,omitempty"` // start positions counted together, so that no one board shows the line; else 0
	Games  int    `json:"games"`            // number of games that follow the line
	// First is the score of the side playing first.
	// A pair of games counts once, also if only one of its games follows the line.
	First LineResult `json:"first"`
	// Difference is A's score less B's over pairs whose games both follow the
	// line; nil if players differ between games, or there is no such pair.
	Difference *LineResult `json:"a_minus_b,omitempty"`
	Rest       int         `json:"rest"` // games that end here or continue by moves with too few games
	Next       []*Line     `json:"next,omitempty"`
	More       int         `json:"more,omitempty"` // next lines that Cut has left out
}

// LineResult is a mean over pairs, with its interval.
type LineResult struct {
	Mean  float64 `json:"mean"`  // mean score, from 0 to 1; of Difference from -1 to 1
	Low   float64 `json:"low"`   // lower end of the interval
	High  float64 `json:"high"`  // upper end of the interval
	Pairs int     `json:"pairs"` // number of pairs behind the mean
	// Shown is the decision if all lines of the tree are judged together: 1 above even, -1
	// below, 0 neither.
	Shown int `json:"shown"`
}

// String returns the mean with its interval, in percent. A star marks a decision.
func (l LineResult) String() string {
	star := ""
	if l.Shown != 0 {
		star = "*"
	}
	return fmt.Sprintf("%s (%s to %s)%s", text.Number(100*l.Mean, 1), text.Number(100*l.Low, 1), text.Number(100*l.High, 1), star)
}

// Label returns the line's move, or its start position.
func (l *Line) Label() string {
	if l.Starts > 0 && l.Move == "" {
		return anyStart + " (" + text.Plural(l.Starts, "start position") + ")"
	}
	return cmp.Or(l.Move, l.Start, "start")
}

// Cut returns a copy of the line with at most n next moves.
func (l *Line) Cut(n int) *Line {
	short := *l
	if short.Next = nil; n == 0 {
		short.More = len(l.Next)
		return &short
	}
	for _, next := range l.Next {
		short.Next = append(short.Next, next.Cut(n-1))
	}
	return &short
}

// Lines ends the tree and returns its root line, with intervals of the level, such as 0.95.
// differ means that all games are between the same A and B. Nothing may be added afterwards.
func (t *Tree) Lines(level float64, differ bool) *Line {
	if t.root == nil {
		t.begin()
	}
	t.flush()
	// By Bonferroni's inequality all decisions are right together with probability level.
	r := reading{level, 1 - (1-level)/float64(t.root.prune(t.Min)), differ}
	line := r.line("", t.root)
	if _, several := t.starts[anyStart]; several && t.root.starts == 0 {
		for _, l := range line.Next {
			if l.Start, l.Move = l.Move, ""; l.Starts > 0 {
				l.Start = ""
			}
		}
	} else {
		for start := range t.starts {
			line.Start = strings.TrimPrefix(start, anyStart)
		}
	}
	return line
}

// reading converts nodes to lines.
type reading struct {
	level, together float64
	differ          bool
}

// line returns the line of a node and of all nodes below it.
func (r reading) line(move string, n *node) *Line {
	l := &Line{Move: move, Starts: n.starts, Games: n.games, First: r.result(n.first, 0, 1), Rest: n.games}
	if r.differ && n.both.N() > 0 {
		l.Difference = new(r.result(n.both, -1, 2))
	}
	for move, next := range n.next {
		l.Next = append(l.Next, r.line(move, next))
		l.Rest -= next.games
	}
	slices.SortFunc(l.Next, func(a, b *Line) int { return cmp.Or(b.Games-a.Games, strings.Compare(a.Move, b.Move)) })
	return l
}

// result returns shift + scale * score, with its interval.
func (r reading) result(p rating.Pairs, shift, scale float64) LineResult {
	e, sure := p.Estimate(r.level), p.Hoeffding(r.together)
	return LineResult{shift + scale*e.Score, shift + scale*e.ScoreRange.Low, shift + scale*e.ScoreRange.High, p.N(), sure.Decided()}
}

// Notes returns sentences that a reader of the tree must know.
func (t *Tree) Notes() (notes []string) {
	if t.given[1] > 0 {
		plies := text.Plural(t.given[1], "ply")
		if t.given[0] < t.given[1] {
			plies = fmt.Sprintf("%d to %s", t.given[0], plies)
		}
		notes = append(notes, fmt.Sprintf("Openings of %s were given: how often they occur says nothing about the players.", plies))
	}
	if n := t.starts[anyStart]; n > 0 {
		several, rare := text.Count(n)+" start positions", ""
		if t.more {
			several = "more than " + several
		}
		if !t.Drawn {
			rare = fmt.Sprintf(" with fewer than %s each", text.Plural(t.Min, "game"))
		}
		notes = append(notes, fmt.Sprintf("Games from %s%s are counted together by their moves, whatever the board: their lines have none.",
			several, rare))
	}
	if caution := t.all.Caution(); caution != "" {
		notes = append(notes, caution)
	}
	return append(notes, "A pair of games counts once, also where only one of its games follows the line. Mirrored lines and transpositions are "+
		"counted apart.")
}
