package figure

// Place is a pair of values of two axes.
type Place struct{ X, Y float64 }

// place marks a place, if both its values are there: the best by a diamond, another
// by a hollow dot.
func (f *frame) place(x, y *float64, best bool) {
	if x == nil || y == nil {
		return
	}
	at := spot{f.x.at(*x), f.y.at(*y)}
	name := "reference: "
	if best {
		name = "best: "
	}
	f.s.mark(at, best, name+plain(*x)+", "+plain(*y))
}

func (d *Drawing) mark(at spot, best bool, tip string) {
	if !best {
		d.add(disc{spot: at, r: 5, fill: faded(paper, 0.6), border: stroke{color: paper, width: 4}})
		d.add(disc{spot: at, r: 5, border: stroke{color: ink, width: 1.75}, tip: tip})
		return
	}
	d.diamond(at, 6.5, tip)
}

func (d *Drawing) diamond(at spot, r float64, tip string) {
	d.add(area{
		spots: []spot{{at.x - r, at.y}, {at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}},
		fill:  vermilion, border: stroke{color: paper, width: 1.5}, tip: tip,
	})
}
