package reports

// EloSequence shows a sequential match: the running Elo difference with its
// band by number of pairs, a line at zero and the verdict at the end.
type EloSequence struct {
	Title, Subtitle string

	XLabel string // "" is "game pairs"
	YLabel string // "" is "Elo"

	// Points hold pairs played in X and Elo in Y, X increasing. The early band
	// may be wide or infinite: the axis is chosen from the later part.
	Points []Point
	// Level names the band; "" is "95 % band".
	Level string
	// Verdict is printed at the end, such as "+41 Elo, shown to be better".
	Verdict string
	// Levels are further lines, such as the bounds of a test.
	Levels []Level
}

// SVG implements [Figure].
func (e EloSequence) SVG() ([]byte, error) { return svgOf(e) }

// PNG implements [Figure].
func (e EloSequence) PNG() ([]byte, error) { return pngOf(e) }
