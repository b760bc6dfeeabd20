package fit

import (
	"selfplaylab/engines"
	"selfplaylab/params"
)

// Options are the parameters to fit and the positions to use.
type Options struct {
	Start  params.Vector  // values towards which the ridge pulls, and of all other parameters
	Limits engines.Limits // limits under which the player will search
	Params []string       // names to fit; nil for all that are linear and not frozen
	Quiet  bool           // only positions in which the side to move cannot capture or win at once
	// Score is the weight of the search score in the target, 0 to 0.5; the rest is the result.
	Score      float64
	Ridge      float64 // as regression.Problem.Ridge; 0 chooses it on held-out games
	Confidence float64
	Pass       func() // called before each pass over all positions; nil for none
}
