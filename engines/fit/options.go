package fit

import (
	"selfplaylab/engines"
	"selfplaylab/params"
)

// Options are the parameters to fit and the positions to use.
type Options struct {
	Start  params.Vector  // where the ridge pulls to, and the values of all else
	Limits engines.Limits // within which the player searches
	Params []string       // to fit; nil for all that are linear and not frozen
	Quiet  bool           // only positions in which the side to move cannot capture or win at once
	// Score is the weight of the search score in the target, 0 to 0.5; the rest is the
	// result.
	Score      float64
	Ridge      float64 // 0: chosen on games held out
	Confidence float64
}
