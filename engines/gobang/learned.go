package gobang

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The table of learned lessons.
// It has a line for every combination of threats that a stone on a free cell makes on its four
// lines: the combination in hexadecimal, in falling order, and the four numbers of a lesson.
// The games are by preset master against itself at 500 and 650 nodes a move.
// These commands make the table again:
//
//	selfplay match --game gobang --a master@nodes=500 --b master@nodes=650 --pairs 8000 --seed 11 --out eight
//	selfplay match --game gobang --a master@nodes=500 --b master@nodes=650 --pairs 6000 --seed 12 --opening-plies 5 --out five
//	LEARN="$PWD/eight $PWD/five" go test ./engines/gobang -run TestTableIsLearnedFromGames -v
//
//go:embed learned.txt
var learnedText string

// lesson is the learned value of a combination of threats.
// All numbers are thousandths of the logarithm of the odds, of winning or of being played.
type lesson struct {
	mover, other int16 // worth of a cell for its own side, if it is to move and if it is not
	own, foe     int16 // rank of a move to a cell with this threat for the mover, or for the other side
}

// worth is the sum of the learned worths of free cells for a side, if it is to move and if it
// is not.
type worth struct{ mover, other int32 }

// combinations numbers the combinations of threats on four lines, four bits each, in any order.
// Rows of five have no number, because they end the game.
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

// numbering holds the number of each combination, and by number its lines, the least threat first.
type numbering struct {
	of    [1 << 16]uint16
	lines [][]int
}

// linesOf returns the four threats of a combination.
func linesOf(i int) []int { return []int{i & 15, i >> 4 & 15, i >> 8 & 15, i >> 12} }

// lessons returns the learned lessons by the threats on four lines.
// The table is shared and must not be changed.
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

// parseLessons reads a table and returns its lessons by number of combination.
// Errors name the line.
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

// change replaces the worth of one cell.
func (w *worth) change(before, after *lesson) {
	w.mover += int32(after.mover) - int32(before.mover)
	w.other += int32(after.other) - int32(before.other)
}
