package figure

import (
	"fmt"
	"selfplaylab/reports/text"
)

// Ends shows how many games ended in each way, a bar a kind.
type Ends struct {
	Title, Subtitle string

	Kinds  []string // such as "goal reached", "time", "ply bound"
	Counts []int    // of each kind
}

// Draw implements [Chart].
func (e Ends) Draw(layout Layout) (*Drawing, error) {
	if err := e.check(); err != nil {
		return nil, failed("Ends", e.Title, err)
	}
	total := 0
	for _, n := range e.Counts {
		total += n
	}
	r := &reach{}
	r.add(0)
	var texts []rowText
	for i, n := range e.Counts {
		r.add(float64(n))
		texts = append(texts, rowText{e.Kinds[i], text.Count(n) + " (" + percent(float64(n)/float64(total)) + ")", false})
	}
	s, y := newDrawing(e.Title, e.Subtitle, layout)
	x := r.scale(false, 0)
	rs := s.rows(y, texts, x)
	rs.axis(linearTicks(x.lo, x.hi, max(int(rs.area.w()/70), 2), true), "games")
	for i, n := range e.Counts {
		least := 0.0
		if n > 0 {
			least = (x.hi - x.lo) / rs.area.w() // a pixel: some is not none
		}
		rs.bar(i, 0, max(float64(n), least), blue, e.Kinds[i]+": "+texts[i].text)
	}
	rs.upright(0, stroke{color: inkPale, width: 1})
	return s, nil
}

func (e Ends) check() error {
	if err := checkRows(len(e.Kinds)); err != nil {
		return err
	}
	if len(e.Counts) != len(e.Kinds) {
		return fmt.Errorf("%d counts for %d kinds", len(e.Counts), len(e.Kinds))
	}
	any := false
	for i, n := range e.Counts {
		if n < 0 {
			return fmt.Errorf("%d of %q are counted", n, e.Kinds[i])
		}
		any = any || n > 0
	}
	if !any {
		return errEmpty
	}
	return nil
}
