package figure

import (
	"fmt"
	"selfplaylab/reports/text"
)

// Ends shows counts by kind, such as how games ended: with one row a bar a
// kind, with several rows one stacked bar of shares a row.
type Ends struct {
	Title, Subtitle string

	Kinds []string // such as "goal reached", "time", "ply bound"
	Rows  []EndsRow
	Noun  string // what is counted; "" is "games"
}

// EndsRow holds the counts of one group, in the order of Kinds.
type EndsRow struct {
	Name   string
	Counts []int
}

// Draw implements [Chart].
func (e Ends) Draw(layout Layout) (*Drawing, error) {
	if err := e.check(); err != nil {
		return nil, failed("Ends", e.Title, err)
	}
	if len(e.Rows) == 1 {
		return e.drawCounts(layout), nil
	}
	return e.drawShares(layout), nil
}

func (e Ends) check() error {
	if len(e.Kinds) > len(palette) && len(e.Rows) > 1 {
		return fmt.Errorf("%d kinds in %d rows: at most %d can be distinguished; join the rare ones", len(e.Kinds), len(e.Rows), len(palette))
	}
	if err := checkRows(max(len(e.Rows), len(e.Kinds))); err != nil {
		return err
	}
	any := false
	for i, row := range e.Rows {
		if len(row.Counts) != len(e.Kinds) {
			return fmt.Errorf("row %d, %q, has %d counts for %d kinds", i, row.Name, len(row.Counts), len(e.Kinds))
		}
		for j, n := range row.Counts {
			if n < 0 {
				return fmt.Errorf("row %d, %q, counts %d of %q", i, row.Name, n, e.Kinds[j])
			}
			any = any || n > 0
		}
	}
	if !any {
		return errEmpty
	}
	return nil
}

// drawCounts draws the one row: a bar a kind, with count and share.
func (e Ends) drawCounts(layout Layout) *Drawing {
	counts := e.Rows[0].Counts
	total := float64(e.Rows[0].total())
	r := &reach{}
	r.add(0)
	var texts []rowText
	for i, n := range counts {
		r.add(float64(n))
		texts = append(texts, rowText{e.Kinds[i], text.Number(float64(n), 0) + " (" + percent(float64(n)/total) + ")", false})
	}
	s, y := newDrawing(e.Title, e.Subtitle, layout)
	x := r.scale(false, 0)
	rs := s.rows(y, texts, x)
	rs.axis(linearTicks(x.lo, x.hi, max(int(rs.area.w()/70), 2), true), or(e.Noun, "games"))
	for i, n := range counts {
		least := 0.0
		if n > 0 {
			least = (x.hi - x.lo) / rs.area.w() // a pixel: some is not none
		}
		rs.bar(i, 0, max(float64(n), least), blue, e.Kinds[i]+": "+texts[i].text)
	}
	rs.upright(0, stroke{color: inkPale, width: 1})
	return s
}

// drawShares draws each row as a whole, cut into its kinds.
func (e Ends) drawShares(layout Layout) *Drawing {
	sh := shares{kinds: e.Kinds, colors: palette, noun: or(e.Noun, "games")}
	for _, row := range e.Rows {
		r := shareRow{rowText: rowText{row.Name, text.Number(float64(row.total()), 0) + " " + sh.noun, false}}
		for _, n := range row.Counts {
			r.parts = append(r.parts, float64(n))
		}
		sh.rows = append(sh.rows, r)
	}
	return sh.draw(e.Title, e.Subtitle, layout)
}

func (r EndsRow) total() int {
	n := 0
	for _, k := range r.Counts {
		n += k
	}
	return n
}
