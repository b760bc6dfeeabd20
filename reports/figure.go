package reports

import "fmt"

// Figure is one drawing. Its two forms come from the same description.
type Figure interface {
	// SVG returns a complete SVG document, 720 units wide.
	SVG() ([]byte, error)
	// PNG returns the same drawing at 192 dots an inch: 1,440 pixels wide.
	PNG() ([]byte, error)

	// draw lays the figure out for a width in CSS pixels. Pages ask for a
	// narrow layout too, so that a phone shows letters of full size.
	draw(width float64) (*scene, error)
}

// Widths of the two layouts, in CSS pixels.
const (
	wide   = 720
	narrow = 360
)

// Point is one measured value.
type Point struct {
	X, Y   float64
	Lo, Hi float64 // interval of Y; equal for none
	N      int     // observations behind Y; 0 when not told
}

// Level is a labelled horizontal line.
type Level struct {
	Y     float64
	Label string
}

// svgOf and pngOf implement [Figure] for every kind through its layout.
func svgOf(f Figure) ([]byte, error) {
	s, err := f.draw(wide)
	if err != nil {
		return nil, err
	}
	return s.svg(true), nil
}

func pngOf(f Figure) ([]byte, error) {
	s, err := f.draw(wide)
	if err != nil {
		return nil, err
	}
	return s.png()
}

// failed names the figure in front of what is wrong with it.
func failed(kind, title string, err error) error {
	return fmt.Errorf("%s %q: %w", kind, title, err)
}
