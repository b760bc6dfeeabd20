package reports

// Response shows a result as a function of one parameter: measured points with
// interval bars, the reference, a fitted curve and its optimum.
type Response struct {
	Title, Subtitle string

	XLabel, YLabel string // with units, such as "wall weight" and "Elo"

	LogX   bool    // every X must then be positive
	Points []Point // in any order

	// Levels are horizontal lines, such as the reference's own result.
	Levels []Level
	// ReferenceX marks the reference's value of the parameter; nil for none.
	ReferenceX *float64
	// ReferenceLabel names that line; "" is "reference".
	ReferenceLabel string

	Fit []Point // fitted curve by increasing X, with Lo and Hi as its band; nil for none
	// Optimum marks the fitted optimum: X with Lo and Hi as the interval of X
	// (not of Y), Y its value; nil for none.
	Optimum *Point
}

// SVG implements [Figure].
func (r Response) SVG() ([]byte, error) { return svgOf(r) }

// PNG implements [Figure].
func (r Response) PNG() ([]byte, error) { return pngOf(r) }
