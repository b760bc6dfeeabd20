package alphabeta

import (
	"math/bits"

	"selfplaylab/engines"
)

// entry is one result in the table, 16 bytes. tag holds, from the top: 40 bits
// of the key, 14 of the generation, 8 of the depth and 2 of the bound.
type entry struct {
	tag   uint64
	move  engines.Move
	score int32
}

const (
	boundUpper = 1 // the value is at most score
	boundLower = 2 // the value is at least score
	boundExact = boundUpper | boundLower

	bucketSize      = 4
	generationBits  = 14
	maxGeneration   = 1<<generationBits - 1
	gameGenerations = 4096 // searches a game can tell apart
	keyMask         = 0xffff_ffff_ff00_0000
)

func (e *entry) generation() int { return int(e.tag >> 10 & maxGeneration) }
func (e *entry) depth() int      { return int(e.tag >> 2 & 0xff) }
func (e *entry) bound() uint64   { return e.tag & 3 }

// table is a transposition table of fixed size. Every search has a generation;
// entries from before the generation at which the game began count as free, so
// a new game costs nothing and finds nothing.
type table struct {
	entries     []entry
	mask        uint64 // of the first slot of a bucket
	first, last int    // generations of the game's first and current search
}

// resize makes room for n entries and forgets all; n = 0 is no table.
func (t *table) resize(n int) {
	*t = table{first: 1, last: 0}
	if n <= 0 {
		return
	}
	size := max(bucketSize, 1<<bits.Len(uint(n-1)))
	t.entries = make([]entry, size)
	t.mask = uint64(size - bucketSize)
}

// newGame makes every entry free.
func (t *table) newGame() {
	if t.last+gameGenerations > maxGeneration {
		clear(t.entries)
		t.last = 0
	}
	t.first = t.last + 1
}

// newSearch opens a generation. A game of more than gameGenerations searches
// keeps the last one: entries then only stop growing old.
func (t *table) newSearch() {
	if t.last < t.first+gameGenerations-2 {
		t.last++
	}
}

func (t *table) bucket(key uint64) []entry {
	i := key & t.mask
	return t.entries[i : i+bucketSize : i+bucketSize]
}

// find returns the entry of key, or nil.
func (t *table) find(key uint64) *entry {
	bucket := t.bucket(key)
	for i := range bucket {
		e := &bucket[i]
		if (e.tag^key)&keyMask == 0 && e.generation() >= t.first {
			return e
		}
	}
	return nil
}

// store keeps a result in the slot of the same key, else a free one, else that
// of the least depth, older ones counting two plies less for each search since.
func (t *table) store(key uint64, move engines.Move, score int32, depth int, bound uint64) {
	bucket := t.bucket(key)
	victim, least := &bucket[0], int(^uint(0)>>1)
	for i := range bucket {
		e := &bucket[i]
		g := e.generation()
		worth := -1 << 20 // free
		if g >= t.first {
			if (e.tag^key)&keyMask == 0 {
				victim = e
				if move == 0 {
					move = e.move
				}
				break
			}
			worth = e.depth() - 2*(t.last-g)
		}
		if worth < least {
			victim, least = e, worth
		}
	}
	victim.tag = key&keyMask | uint64(t.last)<<10 | uint64(depth)<<2 | bound
	victim.move, victim.score = move, score
}

// toTable and fromTable turn distances to a win from the root into distances
// from the node at ply, and back.
func toTable(score int32, ply int) int32 {
	switch {
	case score >= mateBound:
		return score + int32(ply)
	case score <= -mateBound:
		return score - int32(ply)
	}
	return score
}

func fromTable(score int32, ply int) int32 {
	switch {
	case score >= mateBound:
		return score - int32(ply)
	case score <= -mateBound:
		return score + int32(ply)
	}
	return score
}

// answers reports whether the value of an entry holds for a search of depth.
// deeper accepts any deeper entry.
func (e *entry) answers(depth int, deeper bool) bool {
	d := e.depth()
	if d == depth || deeper && d > depth {
		return true
	}
	plies, proven := Mate(e.score)
	if !proven || plies > depth || plies > d {
		return false
	}
	// A win cannot get shorter, nor a loss longer, than a search found that
	// could see its end.
	if e.score > 0 {
		return e.bound()&boundLower != 0
	}
	return e.bound()&boundUpper != 0
}
