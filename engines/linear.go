package engines

// LinearTerms is the evaluation of a position as a sum of terms, each linear in one
// parameter. It is used by one goroutine at a time.
type LinearTerms struct {
	Names []string // the parameters, in the order of a row
	// Quiet reports that the search resolves captures and threats before it evaluates, so
	// only quiet positions are evaluated by the terms.
	Quiet bool
	// Points names the other parameters in the unit of the evaluation, not nil if
	// multiplying all of these and of Names by a number changes no decision.
	Points []string
	// Row sets row[i] to what a unit of parameter Names[i] adds to the evaluation of
	// a position for the side to move, and returns the part that no parameter
	// weighs. quiet is false if the side to move can capture or win at once.
	Row func(position string, row []float32) (rest float32, quiet bool, err error)
}
