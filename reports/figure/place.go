package figure

// Place is a pair of values of two axes.
type Place struct{ X, Y float64 }

func placeKeys(best, reference *Place) (keys []key) {
	if best != nil {
		keys = append(keys, key{"best", markDiamond, vermilion})
	}
	if reference != nil {
		keys = append(keys, key{"reference", markHollow, ink})
	}
	return keys
}

func checkPlaces(best, reference *Place, logX, logY bool) error {
	for _, m := range []struct {
		name  string
		place *Place
	}{{"Best", best}, {"Reference", reference}} {
		if m.place == nil {
			continue
		}
		if err := checkMark(m.name+".X", m.place.X, logX); err != nil {
			return err
		}
		if err := checkMark(m.name+".Y", m.place.Y, logY); err != nil {
			return err
		}
	}
	return nil
}

// place marks a place: the best by a diamond, another by a hollow dot.
func (f *frame) place(p *Place, best bool) {
	if p == nil {
		return
	}
	at := spot{f.x.at(p.X), f.y.at(p.Y)}
	name := "reference: "
	if best {
		name = "best: "
	}
	f.s.mark(at, best, name+plain(p.X)+", "+plain(p.Y))
}

func (s *Drawing) mark(at spot, best bool, tip string) {
	if !best {
		s.add(disc{spot: at, r: 5, fill: faded(paper, 0.6), border: stroke{color: paper, width: 4}})
		s.add(disc{spot: at, r: 5, border: stroke{color: ink, width: 1.75}, tip: tip})
		return
	}
	const r = 6.5
	s.add(area{
		spots: []spot{{at.x - r, at.y}, {at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}},
		fill:  vermilion, border: stroke{color: paper, width: 1.5}, tip: tip,
	})
}
