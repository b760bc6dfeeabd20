package alphabeta

import (
	"math/bits"

	"selfplaylab/engines"
)

// entry is one result in the table, 16 bytes.
// tag has, from the top, 40 bits of the key, 14 of
// the generation, 8 of the depth and 2 of the bound.
type entry struct {
	tag   uint64
	move  engines.Move
	score int32
}

// Bounds of entries, and the layout of the table.
const (
	boundUpper = 1 // the value is at most score
	boundLower = 2 // the value is at least score
	boundExact = boundUpper | boundLower

	bucketSize      = 4
	generationBits  = 14
	maxGeneration   = 1<<generationBits - 1
	gameGenerations = 4096 // generations of one game, one a search
	keyMask         = 0xffff_ffff_ff00_0000
)

// generation returns the generation of the search that stored the entry.
func (e *entry) generation() int { return int(e.tag >> 10 & maxGeneration) }

// depth returns the depth of the search that stored the entry.
func (e *entry) depth() int { return int(e.tag >> 2 & 0xff) }

// bound returns boundUpper, boundLower or boundExact; 0 for a free entry.
func (e *entry) bound() uint64 { return e.tag & 3 }

// table is a transposition table of fixed size.
// Every search has a generation.
// Entries older than the game's first generation count as
// free, so a new game takes no time and finds nothing.
type table struct {
	entries     []entry
	mask        uint64 // mask of a key that gives the first slot of its bucket
	first, last int    // generations of the game's first and current search
}

// resize allocates n entries, all free. 0 means no table.
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

// newSearch begins a generation.
// A game of more than gameGenerations searches keeps
// the last one; its entries then stop growing older.
func (t *table) newSearch() {
	if t.last < t.first+gameGenerations-2 {
		t.last++
	}
}

// bucket returns the slots of a key.
func (t *table) bucket(key uint64) []entry {
	i := key & t.mask
	return t.entries[i : i+bucketSize : i+bucketSize]
}

// find returns the entry of key, or nil. It is valid until the next store.
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

// store keeps a result in the slot of the same key, else in a free slot, else in the slot of
// the least depth. An older entry counts two plies less for each search since.
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

// toTable converts a distance to a win from the root to one from the node at ply.
func toTable(score int32, ply int) int32 {
	switch {
	case score >= mateBound:
		return score + int32(ply)
	case score <= -mateBound:
		return score - int32(ply)
	}
	return score
}

// fromTable converts a distance to a win from the node at ply to one from the root.
func fromTable(score int32, ply int) int32 {
	switch {
	case score >= mateBound:
		return score - int32(ply)
	case score <= -mateBound:
		return score + int32(ply)
	}
	return score
}

// answers reports whether the value of an entry is valid
// for a search of depth. deeper accepts any deeper entry.
func (e *entry) answers(depth int, deeper bool) bool {
	d := e.depth()
	if d == depth || deeper && d > depth {
		return true
	}
	plies, proven := Mate(e.score)
	if !proven || plies > depth || plies > d {
		return false
	}
	// A search that was deep enough to see an end allows no shorter win and no longer loss.
	if e.score > 0 {
		return e.bound()&boundLower != 0
	}
	return e.bound()&boundUpper != 0
}
