package reports

// Histogram shows how often values occur, such as the lengths of games.
type Histogram struct {
	Title, Subtitle string

	XLabel string // such as "plies"
	YLabel string // "" is "games"

	Values []float64
	// Weights counts each of Values; nil counts each once.
	Weights []float64
	// Width of a bin; 0 chooses a round one, whole when all values are.
	Width float64
}

// SVG implements [Figure].
func (h Histogram) SVG() ([]byte, error) { return svgOf(h) }

// PNG implements [Figure].
func (h Histogram) PNG() ([]byte, error) { return pngOf(h) }
