package figure

// TimeByPly shows how long moves take as a game goes on: the median by ply, and
// between which quantiles most of them lie.
type TimeByPly struct {
	Title, Subtitle string

	XLabel string // "" is "ply"
	YLabel string // with its unit; "" is "time a move, ms"
	LogY   bool   // all times must then be positive

	// Series are the players, at most 7: X a ply, Y the median, Lo and Hi the
	// quantiles.
	Series []Series
	Band   string  // names the quantiles; "" is "10 % to 90 % of the moves"
	Levels []Level // such as the limit a move
}

// Draw implements [Chart].
func (c TimeByPly) Draw(layout Layout) (*Drawing, error) {
	l := Lines{
		Title: c.Title, Subtitle: c.Subtitle, XLabel: or(c.XLabel, "ply"), YLabel: or(c.YLabel, "time a move, ms"),
		LogY: c.LogY, Series: make([]Series, len(c.Series)), Levels: c.Levels,
	}
	for i, s := range c.Series {
		s.Band = true
		l.Series[i] = s
		if l.band == "" && anyInterval(present(s.Points)) {
			l.band = or(c.Band, "10 % to 90 % of the moves")
		}
	}
	d, err := l.layOut(layout)
	if err != nil {
		return nil, failed("TimeByPly", c.Title, err)
	}
	return d, nil
}
