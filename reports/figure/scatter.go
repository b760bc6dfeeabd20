package figure

// Scatter shows pairs of values, such as two parameters of everything a tuner
// tried: a dot a pair, a fitted line with its band, and the region that holds
// most of them.
type Scatter struct {
	Title, Subtitle string

	XLabel, YLabel string
	LogX, LogY     bool // all values on that axis must then be positive

	Points []Point // in any order; Lo and Hi are drawn as intervals of Y
	// Name of the points in the legend; "" is "measured".
	Name string

	Fit     []Point // fitted line by increasing X, with Lo and Hi as its band; nil for none
	FitName string  // "" is "fitted line"

	Ellipse *Ellipse // nil for none
	// Best and Reference are marked places; nil for none.
	Best, Reference *Place
}

// Place is a pair of values of two axes.
type Place struct{ X, Y float64 }

// Draw implements [Chart].
func (c Scatter) Draw(layout Layout) (*Drawing, error) {
	if err := c.check(); err != nil {
		return nil, failed("Scatter", c.Title, err)
	}
	s, top := newDrawing(c.Title, c.Subtitle, layout)
	x, y := c.reach()
	f := s.frame(axes{
		top: s.legend(c.keys(), top), height: layout.panelHeight(), x: x.scale(c.LogX, 0.05), y: y.scale(c.LogY, 0.06),
		xLabel: c.XLabel, yLabel: c.YLabel,
	})
	f.ellipse(c.Ellipse, faded(inkSoft, 0.08), stroke{color: inkSoft, width: 1.5})
	f.band(c.Fit, faded(vermilion, bandOpacity))
	f.line(c.Fit, stroke{color: vermilion, width: 2})
	points := present(c.Points)
	f.measured(points, blue)
	f.place(c.Reference, false)
	f.place(c.Best, true)
	return s, nil
}

func (c Scatter) keys() []key {
	keys := []key{{or(c.Name, "measured"), markDot, blue}}
	if points := present(c.Points); len(points) == 0 {
		keys = nil
	} else if anyInterval(points) {
		keys = []key{{or(c.Name, "measured") + ", with interval", markBar, blue}}
	}
	if len(present(c.Fit)) > 1 {
		keys = append(keys, key{or(c.FitName, "fitted line"), markLine, vermilion})
	}
	if c.Ellipse != nil {
		keys = append(keys, key{c.Ellipse.label(), markRing, inkSoft})
	}
	return append(keys, placeKeys(c.Best, c.Reference)...)
}

func placeKeys(best, reference *Place) (keys []key) {
	if best != nil {
		keys = append(keys, key{"best", markDiamond, vermilion})
	}
	if reference != nil {
		keys = append(keys, key{"reference", markHollow, ink})
	}
	return keys
}

func (c Scatter) check() error {
	if err := checkPoints("Points", c.Points, c.LogX, c.LogY); err != nil {
		return err
	}
	if err := checkPoints("Fit", c.Fit, c.LogX, c.LogY); err != nil {
		return err
	}
	if err := checkIncreasing("Fit", present(c.Fit)); err != nil {
		return err
	}
	if err := c.Ellipse.check(c.LogX, c.LogY); err != nil {
		return err
	}
	if len(present(c.Points)) == 0 {
		return errEmpty
	}
	return checkPlaces(c.Best, c.Reference, c.LogX, c.LogY)
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

// reach covers the points, the fit and the marks, and of the ellipse as much as
// leaves the points in sight.
func (c Scatter) reach() (x, y *reach) {
	x, y = &reach{}, &reach{positive: c.LogY}
	for _, p := range present(c.Points) {
		x.add(p.X)
	}
	y.addPoints(present(c.Points))
	for _, p := range present(c.Fit) {
		x.add(p.X)
		y.add(p.Y)
	}
	for _, m := range []*Place{c.Best, c.Reference} {
		if m != nil {
			x.add(m.X)
			y.add(m.Y)
		}
	}
	if c.Ellipse != nil {
		x.add(c.Ellipse.X)
		y.add(c.Ellipse.Y)
		rx, ry := *x, *y
		for _, p := range c.Ellipse.rim(c.LogX, c.LogY) {
			x.add(rx.near(p.x, c.LogX))
			y.add(ry.near(p.y, c.LogY))
		}
	}
	return x, y
}

// near brings v to within the length of r from its ends, or within a factor of a
// thousand on a logarithmic axis.
func (r reach) near(v float64, log bool) float64 {
	d := r.hi - r.lo
	switch {
	case log:
		return min(max(v, r.lo/1000), r.hi*1000)
	case d == 0:
		return v
	}
	return min(max(v, r.lo-d), r.hi+d)
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
