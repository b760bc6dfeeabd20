package reports

// Heat shows a value over two parameters, or over two lists of names (a cross
// table). Values are printed in the cells when they fit.
type Heat struct {
	Title, Subtitle string

	XLabel, YLabel string
	Label          string // of the colour bar, such as "Elo against the reference"

	// Columns and Rows name the cells: Columns from left to right, Rows from
	// the top down.
	Columns, Rows []string
	// Values[row][column]; NaN for a cell without a value.
	Values [][]float64
	// Texts[row][column] replaces the printed value; nil for none.
	Texts [][]string

	// Middle makes the colours diverge from this value (0 Elo, a score of one
	// half); nil for a scale from least to greatest.
	Middle *float64

	Best, Reference *Cell // marked cells; nil for none
}

// Cell is a place in a [Heat].
type Cell struct{ Row, Column int }

// SVG implements [Figure].
func (h Heat) SVG() ([]byte, error) { return svgOf(h) }

// PNG implements [Figure].
func (h Heat) PNG() ([]byte, error) { return pngOf(h) }
