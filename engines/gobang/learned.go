package gobang

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"selfplaylab/engines"
)

// The table of what was learned from games: a line for every combination of what a
// stone on a free cell makes on its four lines, in hexadecimal and in falling order,
// followed by four numbers, as in lesson. The games are those of master against itself,
// 500 nodes a move against 650, and this makes the table again:
//
//	selfplay match --game gobang --a master@nodes=500 --b master@nodes=650 --pairs 8000 --seed 11 --out eight
//	selfplay match --game gobang --a master@nodes=500 --b master@nodes=650 --pairs 6000 --seed 12 --opening-plies 5 --out five
//	LEARN="$PWD/eight $PWD/five" go test ./engines/gobang -run TestLearnedTable -v
//
//go:embed learned.txt
var learnedText string

// lesson is what was learned of a combination: in thousandths of the logarithm of the
// odds, of winning or of being played.
type lesson struct {
	mover, other int16 // worth of a cell to the side to move, and to the other, that makes this there
	own, foe     int16 // how likely a move there is that makes this, and that keeps the other side from it
}

// worth is the sum of what free cells are worth to a side, by whether it is to move.
type worth struct{ mover, other int32 }

// combinations number what four lines make together, four bits each, whatever their
// order. Rows of five have none: they end the game.
var combinations = sync.OnceValue(func() *numbering {
	var t numbering
	for i := range t.of {
		if c := linesOf(i); slices.IsSorted(c) && c[3] < makesFive {
			t.of[i] = uint16(len(t.lines))
			t.lines = append(t.lines, c)
		}
	}
	for i := range t.of {
		c := linesOf(i)
		slices.Sort(c)
		t.of[i] = t.of[c[0]|c[1]<<4|c[2]<<8|c[3]<<12]
	}
	return &t
})

// numbering is the number of each combination, and by number its lines, the least first.
type numbering struct {
	of    [1 << 16]uint16
	lines [][]int
}

func linesOf(i int) []int { return []int{i & 15, i >> 4 & 15, i >> 8 & 15, i >> 12} }

// lessons are what was learned, by what four lines make.
var lessons = sync.OnceValue(func() *[1 << 16]lesson {
	list, err := parseLessons(learnedText)
	if err != nil {
		panic(fmt.Sprintf("gobang/learned.txt: %v", err))
	}
	var t [1 << 16]lesson
	for i := range t {
		t[i] = list[combinations().of[i]]
	}
	return &t
})

// parseLessons reads a table, by number of combination.
func parseLessons(text string) ([]lesson, error) {
	list := make([]lesson, len(combinations().lines))
	lines := 0
	for line := range strings.Lines(text) {
		lines++
		fields := strings.Fields(line)
		if len(fields) != 5 {
			return nil, fmt.Errorf("line %d: %d fields; want 5", lines, len(fields))
		}
		i, err := strconv.ParseUint(fields[0], 16, 16)
		var of [4]int64
		for k := range of {
			n, bad := strconv.ParseInt(fields[k+1], 10, 16)
			of[k], err = n, errors.Join(err, bad)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", lines, err)
		}
		list[combinations().of[i]] = lesson{int16(of[0]), int16(of[1]), int16(of[2]), int16(of[3])}
	}
	if lines != len(list) {
		return nil, fmt.Errorf("%d lines; want %d", lines, len(list))
	}
	return list, nil
}

// relearn has the sums follow the changes from a place on.
func (f *field) relearn(from int) {
	b, w := f.learned[black], f.learned[white]
	for _, old := range f.changes[from:f.changed] {
		was, now := old.makes, f.makes[old.cell]
		b.change(&f.lessons[uint16(was)], &f.lessons[uint16(now)])
		w.change(&f.lessons[was>>16], &f.lessons[now>>16])
	}
	f.learned = [2]worth{b, w}
}

// change notes that one cell is worth something else.
func (w *worth) change(before, after *lesson) {
	w.mover += int32(after.mover) - int32(before.mover)
	w.other += int32(after.other) - int32(before.other)
}

// rankLikely orders moves by how likely they were learned to be.
func (f *field) rankLikely(moves []engines.Move, ranks []int32) {
	me, foe := 16*f.turn, 16*f.turn.Other()
	for i, m := range moves {
		makes := f.makes[cellOf(m)]
		likely := int32(f.lessons[uint16(makes>>me)].own) + int32(f.lessons[uint16(makes>>foe)].foe)
		ranks[i] += likely * f.terms.likely / 1000
	}
}
