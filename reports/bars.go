package reports

// Bars compares named things (players, parameters) by one value with its
// interval: a dot, its interval bar and the numbers printed beside it.
type Bars struct {
	Title, Subtitle string

	XLabel string // with its unit, such as "Elo"
	Bars   []Bar  // from the top down, in the order given

	Zero      float64 // value of the vertical line that bars start from
	ZeroLabel string  // what that line means; "" for none
}

// Bar is one line of [Bars].
type Bar struct {
	Name   string
	Value  float64
	Lo, Hi float64 // interval; equal for none
	// Text is printed at the right; "" is the value and its interval.
	Text string
	// Strong draws attention to this bar, such as the tuned player's.
	Strong bool
}

// SVG implements [Figure].
func (b Bars) SVG() ([]byte, error) { return svgOf(b) }

// PNG implements [Figure].
func (b Bars) PNG() ([]byte, error) { return pngOf(b) }
