package runs

import "selfplaylab/reports/rating"

// Charts says what the charts of a growing run show besides the Elo of its parts.
type Charts struct {
	Part  string           // the part that answers the run's question
	Bands *rating.Sequence // of the Elo; nil for confidence sequences of the run's level
	Test  Test             // the sequential test of Part, if any

	// Trials of Phase recommend values: TrialRow.Best. The chart shows the parameters
	// tuned, from Start on; "" for none.
	Phase string
	Tuned []string
	Start []float64
}

// Charts are those of the run's kind.
func (r *Recorded) Charts() (c Charts, err error) {
	setup, err := r.Config.Setup()
	if err == nil && setup.Charts != nil {
		c = setup.Charts()
	}
	if c.Bands == nil {
		c.Bands = &rating.Sequence{Alpha: 1 - r.Config.Conditions().Level}
	}
	return c, err
}
