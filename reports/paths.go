package reports

// Paths shows how parameters moved during tuning: one small panel a parameter,
// the raw iterate thin, the averaged value strong, the start as a dashed line,
// the final value printed. The axis of each panel is in the parameter's own
// unit; the slim bar at its right edge shows which part of the allowed range
// the panel covers.
type Paths struct {
	Title, Subtitle string

	XLabel string // of the iteration axis; "" is "iteration"
	Paths  []Path // in reading order; about 25 stay readable

	// FullRange draws every panel over its whole [Min, Max] instead of the part
	// that was visited.
	FullRange bool
}

// Path is the path of one parameter.
type Path struct {
	Name string
	Unit string // "" for none

	Min, Max float64 // allowed range; Min < Max
	Start    float64
	// Step is the size of move worth seeing (a perturbation, say); the panel
	// never covers less than 4 steps. 0: a fiftieth of the range.
	Step float64

	X    []float64 // iteration of each value, increasing; nil is 1, 2, 3...
	Raw  []float64 // the iterate; nil for none
	Mean []float64 // the averaged iterate; nil for none; as long as Raw if both

	// Final is the printed final value, "" for the last of Mean (or Raw)
	// rounded to what the panel can show.
	Final string
}

// SVG implements [Figure].
func (p Paths) SVG() ([]byte, error) { return svgOf(p) }

// PNG implements [Figure].
func (p Paths) PNG() ([]byte, error) { return pngOf(p) }
