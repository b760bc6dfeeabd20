package mills

import (
	_ "embed"
	"fmt"

	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// The parameters, as indices of a vector. The terms follow w in pairs, placing before moving.
const (
	paramW        = 0
	paramTerms    = 1
	paramDraw     = paramTerms + 2*terms
	paramCurve    = paramDraw + 1
	paramSearch   = paramDraw + 2
	paramOrdering = paramDraw + 3
	paramTable    = paramDraw + 4
	paramHit      = paramDraw + 5 // while placing; while moving is the next
)

// Largest values of the weights.
const (
	maxWeight = 100
	maxHit    = 1000 // a man of twelve is worth 23 at w = 1
)

// ratio names the group of weights in which only ratios matter to play.
const ratio = "scale"

// space returns the player's parameters.
// All weights share the unit of w, so only their ratios matter to play.
// The steps suit vectors around w = 1, the paper's value.
// A vector with all weights times ten plays the same,
// and its whole numbers change by tenths of that unit.
func space() params.Space {
	s := params.Space{{
		Name: "w", Doc: "F of the paper: n1*n1 - n2*n2, n the men of a side on the board and in hand",
		Min: 1, Max: maxWeight, Default: 1, Step: 1, Whole: true, Ratio: ratio,
	}}
	for term, name := range termNames {
		doc := termDocs[term]
		for phase, during := range [2]string{"while placing", "while moving"} {
			step := 2.0
			if term == termMill {
				step = 4 // a term that changes nothing below
			}
			s = append(s, params.Param{
				Name: name + phaseSuffixes[phase], Doc: during + ": " + doc,
				Min: -maxWeight, Max: maxWeight, Step: step, Whole: true, Ratio: ratio,
			})
		}
	}
	s = append(s,
		params.Param{Name: "draw", Doc: "contempt: the cost of a draw for the side to move at the root", Min: -maxWeight, Max: maxWeight,
			Step: 5, Whole: true, Ratio: ratio},
		params.Param{Name: "curve", Doc: "what w multiplies for n men: n*n (the paper), n, or 100 times the root of n", Labels: curveLabels,
			Max: 2, Step: 1, Whole: true, Frozen: true})
	s = append(s, alphabeta.Parameters(16)...)
	for phase, during := range [2]string{"while placing", "while moving"} {
		s = append(s, params.Param{
			Name: "hit" + phaseSuffixes[phase], Doc: during + ": " + hitDoc,
			Min: -maxHit, Max: maxHit, Step: 20, Whole: true, Frozen: true, Added: true,
		})
	}
	return append(s, alphabeta.Selective("")...)
}

//go:embed presets.toml
var presetsTOML []byte

// presets returns the named vectors.
func presets() []params.Preset {
	return params.MustPresets("engines/mills/presets.toml", presetsTOML, space())
}

// newWeights returns the evaluator's part of a vector of the space.
func newWeights(v params.Vector) weights {
	var w weights
	for n := range w.men {
		w.men[n] = int32(v[paramW]) * curve(int(v[paramCurve]), n)
	}
	for phase := range w.phase {
		t := &w.phase[phase]
		for term := range t.term {
			t.term[term] = int32(v[paramTerms+2*term+phase])
			t.any = t.any || t.term[term] != 0
		}
		t.hit = int32(v[paramHit+phase])
		t.any = t.any || t.hit != 0
		t.closing = t.term[termTwo] != 0 || t.term[termDbl] != 0 || t.hit != 0
	}
	return w
}

// checkVector checks a vector against the space.
func checkVector(v params.Vector) error {
	if err := space().Check(v); err != nil {
		return fmt.Errorf("mills player: %w", err)
	}
	return nil
}
