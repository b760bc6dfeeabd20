package reports

func heading(title, subtitle string, width float64) (*scene, error) {
	s := &scene{w: width, h: 60, title: title}
	s.add(text{spot: spot{margin, margin + sizeTitle}, s: title, size: sizeTitle, bold: true, color: ink})
	s.add(text{spot: spot{margin, margin + sizeTitle + 18}, s: subtitle, size: sizeText, color: inkSoft})
	return s, nil
}
func (p Paths) draw(width float64) (*scene, error)       { return heading(p.Title, p.Subtitle, width) }
func (p Probes) draw(width float64) (*scene, error)      { return heading(p.Title, p.Subtitle, width) }
func (e EloSequence) draw(width float64) (*scene, error) { return heading(e.Title, e.Subtitle, width) }
func (r Response) draw(width float64) (*scene, error)    { return heading(r.Title, r.Subtitle, width) }
func (l Lines) draw(width float64) (*scene, error)       { return heading(l.Title, l.Subtitle, width) }
func (h Heat) draw(width float64) (*scene, error)        { return heading(h.Title, h.Subtitle, width) }
func (b Bars) draw(width float64) (*scene, error)        { return heading(b.Title, b.Subtitle, width) }
func (h Histogram) draw(width float64) (*scene, error)   { return heading(h.Title, h.Subtitle, width) }
func (e Ends) draw(width float64) (*scene, error)        { return heading(e.Title, e.Subtitle, width) }
