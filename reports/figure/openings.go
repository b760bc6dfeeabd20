package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

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
	var kinds []int
	var keys []key
	for kind, name := range names {
		if o.has(kind) { // no draws in this game: no key of them either
			kinds, keys = append(kinds, kind), append(keys, key{name, markBox, openingColors[kind]})
		}
	}
	var texts []rowText
	for _, row := range o.Rows {
		texts = append(texts, rowText{row.Name, or(row.Text, text.Number(floats.Sum(row.Counts[:]), 0)+" openings"), false})
	}
	s, y := newDrawing(o.Title, o.Subtitle, layout)
	r := s.rows(s.legend(keys, y), texts, scale{lo: 0, hi: 1})
	r.thick = 17
	ticks := linearTicks(0, 1, max(int(r.area.w()/90), 2), false)
	for i, t := range ticks {
		ticks[i].label = plain(math.Round(t.v*1e9)/1e7) + " %"
	}
	r.axis(ticks, "share of openings")
	for i, row := range o.Rows {
		from := 0.0
		for _, kind := range kinds {
			if n := row.Counts[kind] / floats.Sum(row.Counts[:]); n > 0 {
				r.share(i, from, from+n, openingColors[kind], row.Name+", "+names[kind]+": "+plain(row.Counts[kind]))
				from += n
			}
		}
	}
	return s, nil
}

// share fills row i between two shares, and writes what lies between them where there
// is room.
func (r *rows) share(i int, from, to float64, c tone, tip string) {
	r.bar(i, from, to, c, tip+" ("+percent(to-from)+")")
	x0, x1 := r.x.at(from), r.x.at(to)
	if short := text.Number(100*(to-from), 0) + " %"; textWidth(short, sizeTick, false)+8 < x1-x0 {
		r.s.add(textLine{spot: spot{(x0 + x1) / 2, r.at(i) + 0.36*sizeTick}, s: short, size: sizeTick, color: inkOn(c), anchor: middle})
	}
	if x1 < r.area.x1-0.5 {
		r.s.add(polyline{[]spot{{x1, r.at(i) - r.thick/2}, {x1, r.at(i) + r.thick/2}}, stroke{color: paper, width: 1}})
	}
}

// has reports whether a kind occurs at all.
func (o Openings) has(kind int) bool {
	return slices.ContainsFunc(o.Rows, func(row OpeningsRow) bool { return row.Counts[kind] > 0 })
}

func (o Openings) check() error {
	if err := checkRows(len(o.Rows)); err != nil {
		return err
	}
	if len(o.Rows) == 0 {
		return errEmpty
	}
	for i, row := range o.Rows {
		for kind, n := range row.Counts {
			if !(n >= 0 && n <= most) {
				return fmt.Errorf("row %d, %q: Counts[%d] is %v: want a number of openings", i, row.Name, kind, n)
			}
		}
		if floats.Sum(row.Counts[:]) == 0 {
			return fmt.Errorf("row %d, %q: %w", i, row.Name, errEmpty)
		}
	}
	return nil
}
