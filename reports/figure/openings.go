package figure

import (
	"fmt"
	"math"

	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Openings shows how the two games of each opening went, one stacked bar a row:
// one player won both, one colour won both, or something between.
type Openings struct {
	Title, Subtitle string

	X, Than string // the players, as the legend calls them
	Rows    []OpeningsRow
}

// OpeningsRow is one match, or what was to be expected of it.
type OpeningsRow struct {
	Name string
	// Counts are openings by kind: [rating.BothA] and so on. Expected ones need
	// not be whole.
	Counts [rating.TwinKinds]float64
	Text   string // printed at the right; "" is the number of openings
}

// openingColors run from X's blue to the opponent's vermilion; where a colour
// decided there is no hue.
var openingColors = [rating.TwinKinds]tone{
	rating.BothA: fixedTone(rgb(0x0072B2)), rating.MoreA: fixedTone(rgb(0x92C5DE)),
	rating.BothFirst: fixedTone(rgb(0xD3D9E0)), rating.BothSecond: fixedTone(rgb(0x9AA5B1)), rating.BothDrawn: fixedTone(rgb(0xEDE6CF)),
	rating.MoreB: fixedTone(rgb(0xFDC58F)), rating.BothB: fixedTone(rgb(0xD55E00)),
}

// Draw implements [Chart].
func (o Openings) Draw(layout Layout) (*Drawing, error) {
	if err := o.check(); err != nil {
		return nil, failed("Openings", o.Title, err)
	}
	names := [rating.TwinKinds]string{
		rating.BothA: o.X + " won both", rating.MoreA: o.X + " won and drew",
		rating.BothFirst: "the first player won both", rating.BothSecond: "the second player won both", rating.BothDrawn: "both drawn",
		rating.MoreB: o.Than + " won and drew", rating.BothB: o.Than + " won both",
	}
	sh := shares{noun: "openings", rows: make([]shareRow, len(o.Rows))}
	for i, row := range o.Rows {
		n := 0.0
		for _, k := range row.Counts {
			n += k
		}
		sh.rows[i].rowText = rowText{row.Name, or(row.Text, text.Number(n, 0)+" openings"), false}
	}
	for kind, name := range names {
		if !o.has(kind) {
			continue // no draws in this game: no key of them either
		}
		sh.kinds, sh.colors = append(sh.kinds, name), append(sh.colors, openingColors[kind])
		for i, row := range o.Rows {
			sh.rows[i].parts = append(sh.rows[i].parts, row.Counts[kind])
		}
	}
	return sh.draw(o.Title, o.Subtitle, layout), nil
}

// has reports whether a kind occurs at all.
func (o Openings) has(kind int) bool {
	for _, row := range o.Rows {
		if row.Counts[kind] > 0 {
			return true
		}
	}
	return false
}

func (o Openings) check() error {
	if err := checkRows(len(o.Rows)); err != nil {
		return err
	}
	if len(o.Rows) == 0 {
		return errEmpty
	}
	for i, row := range o.Rows {
		sum := 0.0
		for kind, n := range row.Counts {
			if !(n >= 0 && n <= most) {
				return fmt.Errorf("row %d, %q: Counts[%d] is %v: want a number of openings", i, row.Name, kind, n)
			}
			sum += n
		}
		if sum == 0 || math.IsInf(sum, 0) {
			return fmt.Errorf("row %d, %q: %w", i, row.Name, errEmpty)
		}
	}
	return nil
}
