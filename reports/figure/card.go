package figure

import (
	"strings"

	"gonum.org/v1/plot/vg"
)

// Card shows a result in one picture: a question, its answer in large letters, the value on its
// axis, facts, and one chart.
type Card struct {
	Where    string   // game and kind, in one line
	Question string   // that the run answers
	Answer   string   // in a few words
	Detail   string   // next to the answer; "" for none
	Meaning  Meaning  // chooses the colour of the answer
	Scale    *Scale   // nil if nothing is measured
	Facts    []string // a few words each
	Hint     string   // "" for none
	Picture  Chart    // nil for none
}

const sizeAnswer vg.Length = 30

// Draw implements [Chart]: texts to the left and the chart to the right, or one below the other
// on a narrow sheet.
func (c Card) Draw(layout Layout) (*Drawing, error) {
	d, err := c.words()
	if err != nil || c.Picture == nil {
		return d, err
	}
	picture, err := c.Picture.Draw(Narrow)
	if err != nil {
		return nil, err
	}
	if layout == Narrow {
		d.place(picture, 0, -d.h)
		d.h += picture.h
		return d, nil
	}
	d.layout, d.w = layout, layout.width()
	d.place(picture, d.w-picture.w, 0)
	d.h = max(d.h, picture.h)
	return d, nil
}

// words draws everything except the chart.
func (c Card) words() (*Drawing, error) {
	d := &Drawing{layout: Narrow, w: Narrow.width(), title: strings.TrimSpace(c.Question + " " + c.Answer + " " + c.Detail)}
	y := d.lines(c.Where, -margin, sizeTick, false, inkSoft)
	y = d.lines(c.Question, y-2, sizeTitle, true, ink) - 6
	size := sizeAnswer
	for size > 18 && textWidth(c.Answer, size, true) > d.w-2*margin {
		size--
	}
	y = d.lines(c.Answer, y, size, true, c.Meaning.tone())
	y = d.lines(c.Detail, y-2, 13, false, inkSoft)
	if c.Scale != nil {
		scale, err := c.Scale.Draw(Narrow)
		if err != nil {
			return nil, err
		}
		d.place(scale, 0, y-6)
		y -= 6 + scale.h
	}
	y = d.lines(strings.Join(c.Facts, " · "), y-6, sizeText, false, inkSoft)
	if c.Hint != "" {
		y = d.lines(c.Hint, y-6, sizeText, false, blue)
	}
	d.h = margin - y
	return d, nil
}

// place adds another drawing with its top left corner at a place.
func (d *Drawing) place(other *Drawing, x, y vg.Length) {
	by := vg.Point{X: x, Y: y}
	for _, sh := range other.shapes {
		switch sh := sh.(type) {
		case mark:
			sh.path = moved(sh.path, func(p vg.Point) vg.Point { return p.Add(by) })
			d.shapes = append(d.shapes, sh)
		case textLine:
			sh.at = sh.at.Add(by)
			d.shapes = append(d.shapes, sh)
		}
	}
}
