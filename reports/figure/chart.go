package figure

import (
	"fmt"

	"gonum.org/v1/plot/vg"
)

// Chart is data that can be drawn. Every type of chart has only this method; [File] and pages
// take any chart.
type Chart interface {
	// Draw lays out the chart. The same chart and layout give the same drawing. It does not
	// change the chart. An error names the chart and the field that cannot be drawn.
	Draw(Layout) (*Drawing, error)
}

// Layout is the kind of sheet for which a chart is laid out.
type Layout int

const (
	Wide   Layout = iota // a screen or a printed page: 720 CSS pixels
	Narrow               // a phone: 360 CSS pixels, with letters of the same size
	Half                 // beside text on a screen: 540 CSS pixels
)

// width returns the width of the sheet in CSS pixels.
func (l Layout) width() vg.Length { return [...]vg.Length{Wide: 720, Narrow: 360, Half: 540}[l] }

// panelHeight is the height of a single panel.
func (l Layout) panelHeight() vg.Length { return [...]vg.Length{Wide: 290, Narrow: 220, Half: 220}[l] }

// Point is one measured value.
type Point struct {
	X, Y   float64 // NaN in Y for a missing value
	Lo, Hi float64 // interval of Y; equal for none
	N      int     // observations behind Y; 0 if unknown
}

// Level is a labelled horizontal line.
type Level struct {
	Y     float64 // its height, in units of the Y axis
	Label string  // text at the end of the line
}

// failed adds the chart's kind and title to an error.
func failed(kind, title string, err error) error {
	return fmt.Errorf("%s %q: %w", kind, title, err)
}
