package mills

import (
	_ "embed"
	"fmt"

	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// The parameters, as indices of a vector. Those of the terms follow w in pairs,
// placing before moving.
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

const (
	maxWeight = 100
	maxHit    = 1000 // a man of twelve is worth 23 at w = 1
)

// ratio names the group of weights of which only the ratios matter to play.
const ratio = "scale"

const hitDoc = "the side to move can close a mill at once"

var termDocs = [terms]string{
	"an adjacent free point of a man (a step), net of the opponent's",
	"a line of two own men and a free third point, net",
	"an opposing man without a free neighbour, net",
	"a complete line, net",
	"a running mill: a man in a mill whose step closes another, net",
	"a point by its degree, less three, net",
}

// space returns the player's parameters. All weights share one unit, that of w:
// only their ratios matter to play. The steps suit vectors around w = 1, where
// the paper is; a vector with everything times ten plays the same and lets whole
// numbers move by tenths.
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
				step = 4 // the one term known to say nothing at 4
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

func presets() []params.Preset {
	return params.MustPresets("engines/mills/presets.toml", presetsTOML, space())
}

// newWeights reads the evaluator's part of a vector of the space.
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

func checkVector(v params.Vector) error {
	if err := space().Check(v); err != nil {
		return fmt.Errorf("mills player: %w", err)
	}
	return nil
}
