package connectfour

import (
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// A random size is drawn from minRandom to maxRandom. Without a drawn opening it is restRandom.
const (
	minRandom  = 9
	maxRandom  = 12
	restRandom = 10
)

// options returns the rules a user can choose.
func options() []engines.Option {
	sizes := []engines.Choice{{Value: random, Label: "random: 9 to 12"}}
	for n := minSize; n <= maxSize; n++ {
		sizes = append(sizes, engines.Choices(strconv.Itoa(n))...)
	}
	cells := []engines.Choice{{Value: random, Label: "random cell"}, {Value: "none", Label: "none"}}
	for at := range minRandom * minRandom { // the cells of every board that may be drawn
		row, col := at/minRandom, at%minRandom
		value := fmt.Sprintf("%d:%d", row, col)
		cells = append(cells, engines.Choice{Value: value, Label: fmt.Sprintf("row %d from the top, column %d (%s)", row+1, col+1, value)})
	}
	return []engines.Option{
		{Name: "rows", Doc: "height of the board (行数): 4 to 12, or random: 9 to 12, drawn per opening (10 without an opening)",
			Default: random, Offered: sizes},
		{Name: "cols", Doc: "width of the board (列数): 4 to 12, or random: 9 to 12, drawn per opening (10 without an opening)",
			Default: random, Offered: sizes},
		{Name: "forbidden", Doc: "the cell no stone may take (不可落子点): row:col, row 0 at the top and column 0 at the left; none; or random: " +
			"any cell, drawn per opening (none without an opening)", Default: random, Offered: cells},
	}
}

// parseRules parses complete rules. Errors name the rule.
func parseRules(r engines.Rules) (rules, error) {
	rows, err := parseSize("rows", r["rows"])
	if err != nil {
		return rules{}, err
	}
	cols, err := parseSize("cols", r["cols"])
	if err != nil {
		return rules{}, err
	}
	law := rules{rows: rows, cols: cols}
	law.cell, err = law.parseCell(r["forbidden"])
	return law, err
}

// parseSize parses a number of rows or columns; 0 means random.
func parseSize(name, text string) (uint8, error) {
	if text == random {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 8)
	if err != nil || n < minSize || n > maxSize {
		return 0, engines.ParseError("rule "+name, text, fmt.Sprintf("want a whole number from %d to %d, or random", minSize, maxSize))
	}
	return uint8(n), nil
}

// parseCell parses the rule forbidden. The cell must lie on every board that may be drawn.
func (r rules) parseCell(text string) (uint8, error) {
	switch text {
	case random:
		return anyCell, nil
	case "none":
		return noCell, nil
	}
	rowText, colText, _ := strings.Cut(text, ":")
	row, errRow := strconv.ParseUint(rowText, 10, 8)
	col, errCol := strconv.ParseUint(colText, 10, 8)
	if errRow != nil || errCol != nil {
		return 0, engines.ParseError("rule forbidden", text, "want row:col counted from 0 at the top left, none or random")
	}
	rows, cols := smallest(r.rows), smallest(r.cols)
	if row >= uint64(rows) || col >= uint64(cols) {
		return 0, engines.ParseError("rule forbidden", text,
			fmt.Sprintf("off the board; with rows=%s and cols=%s want a row from 0 to %d and a column from 0 to %d",
				sizeText(r.rows), sizeText(r.cols), rows-1, cols-1))
	}
	return uint8(row<<4 | col), nil
}

// smallest returns the smallest size that an opening may draw.
func smallest(size uint8) uint8 {
	if size == 0 {
		return minRandom
	}
	return size
}

// sizeText returns a size as in the rules.
func sizeText(size uint8) string {
	if size == 0 {
		return random
	}
	return strconv.Itoa(int(size))
}

// cellText returns a forbidden cell as in the rules.
func cellText(cell uint8) string {
	switch cell {
	case anyCell:
		return random
	case noCell:
		return "none"
	}
	return fmt.Sprintf("%d:%d", cell>>4, cell&15)
}

// String returns the rules in canonical form: equal rules give equal texts.
func (r rules) String() string {
	return fmt.Sprintf("rows=%s,cols=%s,forbidden=%s", sizeText(r.rows), sizeText(r.cols), cellText(r.cell))
}

// board returns the empty board of a size, with a forbidden cell counted from the top.
func (r rules) board(rows, cols int, cell uint8) position {
	forbidden := uint8(noCell)
	if cell != noCell && cell != anyCell {
		forbidden = (uint8(rows)-1-cell>>4)<<4 | cell&15
	}
	return newPosition(rows, cols, forbidden, r)
}

// initial returns the board without a drawn opening: a random
// size is restRandom, and a random forbidden cell is none.
func (r rules) initial() position {
	return r.board(atRest(r.rows), atRest(r.cols), r.cell)
}

// atRest returns the size without a drawn opening.
func atRest(size uint8) int {
	if size == 0 {
		return restRandom
	}
	return int(size)
}

// draw returns an empty board whose random parts are drawn by intn.
func (r rules) draw(intn func(int) int) position {
	rows := int(r.rows)
	cols := int(r.cols)
	cell := r.cell
	if rows == 0 {
		rows = minRandom + intn(maxRandom-minRandom+1)
	}
	if cols == 0 {
		cols = minRandom + intn(maxRandom-minRandom+1)
	}
	if cell == anyCell {
		at := intn(rows * cols)
		cell = uint8(at/cols<<4 | at%cols)
	}
	return r.board(rows, cols, cell)
}

// admit returns an error if the rules do not allow a board of this
// size and forbidden cell, counted from the top; noCell is none.
func (r rules) admit(rows, cols int, cell uint8) error {
	switch {
	case r.rows != 0 && int(r.rows) != rows:
		return fmt.Errorf("board of %d rows under the rule rows=%d", rows, r.rows)
	case r.cols != 0 && int(r.cols) != cols:
		return fmt.Errorf("board of %d columns under the rule cols=%d", cols, r.cols)
	case r.cell != anyCell && r.cell != cell:
		return fmt.Errorf("board with forbidden cell %s under the rule forbidden=%s", cellText(cell), cellText(r.cell))
	}
	return nil
}
