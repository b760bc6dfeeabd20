package reports

// Lines shows several named series over one axis, such as strength or nodes by
// depth for two searches, or a calibration against its diagonal. Each series
// is labelled at its end.
type Lines struct {
	Title, Subtitle string

	XLabel, YLabel string
	LogX, LogY     bool // all values on that axis must then be positive

	Series []Series // at most 7, one for each colour
	Levels []Level
	// Diagonal draws the line Y = X, "as predicted".
	Diagonal bool
}

// Series is one named row of points, by increasing X.
type Series struct {
	Name   string
	Points []Point
	// Band draws the intervals as a band instead of bars.
	Band bool
}

// SVG implements [Figure].
func (l Lines) SVG() ([]byte, error) { return svgOf(l) }

// PNG implements [Figure].
func (l Lines) PNG() ([]byte, error) { return pngOf(l) }
