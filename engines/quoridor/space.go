package quoridor

import (
	_ "embed"
	"slices"

	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// The parameters in vector order.
// M and E are the steps of the own and the enemy's shortest path, M' and E'
// the same after the best wall; MB and EB are walls in hand; dM = M' - M,
// dE = E' - E. The move is chosen when s1 >= s2, the wall otherwise.
const (
	aE = iota
	aEB
	aM
	aMB
	bE
	bEB
	bM
	bMB
	bGain
	selfharmBonus
	rushDist
	rushBonus
	panicDist
	panicBonus
	behind1Margin
	behind1Bonus
	behind2Margin
	behind2Bonus
	behind3Margin
	behind3Bonus
	behind4Margin
	behind4Bonus
	gainMargin
	gainBonus
	coin
	look
	lookWall
	lookTempo
	lookNear
	lookSearch
	lookOrdering
	lookTable
	lookReduce
	lookMargin
	lookThreat
	parameterCount
)

// weight returns the weight of one term.
// Frozen weights depend on others or never change a decision.
func weight(name, unit, doc string, lo, hi, value, step float64, frozen bool) params.Param {
	p := params.Param{Name: name, Unit: unit, Doc: doc, Min: lo, Max: hi, Default: value, Step: step, Frozen: frozen}
	if !frozen {
		p.Ratio = "scale"
	}
	return p
}

// whole returns a frozen threshold in steps.
func whole(name, doc string, lo, hi, value float64) params.Param {
	return params.Param{Name: name, Unit: steps, Doc: doc, Min: lo, Max: hi, Default: value, Step: 1, Whole: true, Frozen: true}
}

const (
	perStep = "points/step"
	perWall = "points/wall"
	points  = "points"
	steps   = "steps"
)

// space holds the constants of both formulas.
// The common scale of all weights decides nothing.
// Nor does moving weight from a_E to b_gain and back through b_E, nor from a_EB to b_EB.
// So b_E and b_EB are frozen by default, and the others form a group in which only ratios matter.
// In long tunings some of them may drift to their bounds without a change in strength.
var space = lateFrom(look, append(params.Space{
	aE:            weight("a_E", perStep, "s1: weight of E, the enemy's path", -20, 100, 22, 6, false),
	aEB:           weight("a_EB", perWall, "s1: weight of EB, the enemy's walls in hand", -30, 30, 1, 2, false),
	aM:            weight("a_M", perStep, "s1: weight of -M, my path", -20, 60, 5, 2, false),
	aMB:           weight("a_MB", perWall, "s1: weight of -MB, my walls in hand", -30, 30, 3, 2, false),
	bE:            weight("b_E", perStep, "s2: weight of E' after the wall (only a_E - b_E and b_E + b_gain count)", -20, 100, 2, 6, true),
	bEB:           weight("b_EB", perWall, "s2: weight of -EB (only a_EB + b_EB counts)", -30, 30, 1, 2, true),
	bM:            weight("b_M", perStep, "s2: weight of -M' after the wall", -20, 60, 5, 4, false),
	bMB:           weight("b_MB", perWall, "s2: weight of MB - 1, my walls left after it", -30, 40, 4, 3, false),
	bGain:         weight("b_gain", perStep, "s2: weight of E' - E, what the wall costs the enemy", -20, 150, 40, 12, false),
	selfharmBonus: weight("selfharm_bonus", points, "added to s1 if dM > dE (a best wall almost never does that)", -100, 1000, 50, 20, true),
	rushDist:      whole("rush_dist", "M below this and below E: run", 0, 12, 4),
	rushBonus:     weight("rush_bonus", points, "added to s1 when running (any large value is the same)", 0, 20000, 10000, 1000, true),
	panicDist:     whole("panic_dist", "E below this and M >= E: block", 0, 12, 4),
	panicBonus:    weight("panic_bonus", points, "added to s2 when blocking (any large value is the same)", 0, 20000, 10000, 1000, true),
	behind1Margin: whole("behind1_margin", "M - E above this, and not above behind2_margin: behind 1", -4, 12, 0),
	behind1Bonus:  weight("behind1_bonus", points, "added to s2 when behind 1", -150, 150, 15, 16, false),
	behind2Margin: whole("behind2_margin", "M - E above this: behind 2", -4, 12, 1),
	behind2Bonus:  weight("behind2_bonus", points, "added to s2 when behind 2", -150, 150, 10, 16, false),
	behind3Margin: whole("behind3_margin", "M - E above this and dM <= dE: behind 3", -4, 12, 2),
	behind3Bonus:  weight("behind3_bonus", points, "added to s2 when behind 3", -150, 150, 50, 20, false),
	behind4Margin: whole("behind4_margin", "M - E above this and dM <= dE: behind 4", -4, 12, 3),
	behind4Bonus:  weight("behind4_bonus", points, "added to s2 when behind 4", -150, 150, 25, 20, false),
	gainMargin:    whole("gain_margin", "dE - dM above this: the wall gains", -2, 8, 1),
	gainBonus:     weight("gain_bonus", points, "added to s2 when the wall gains", -150, 200, 35, 20, false),
	coin: {
		Name: "coin", Doc: "which walls are scanned first, deciding between equal ones: a coin each turn, or fixed",
		Max: 2, Step: 1, Whole: true, Frozen: true, Labels: []string{"random", "h", "v"},
	},
	look: {
		Name: "look", Doc: "look-ahead: only under limits of depth or nodes (asked), or always, two plies by default",
		Max: 1, Step: 1, Whole: true, Frozen: true, Labels: []string{"asked", "always"},
	},
	lookWall:  weight("look_wall", "steps/wall", "looking ahead: what a wall in hand is worth, in steps of path", -2, 6, 1.7, 0.4, true),
	lookTempo: weight("look_tempo", steps, "looking ahead: what it is worth to be on the move", -2, 4, 0.5, 0.3, true),
	lookNear:  weight("look_near", steps, "looking ahead: how much more a step counts near the goal; 0: all the same", -1, 12, 1.5, 0.6, true),
}, slices.Concat(alphabeta.Parameters(15), alphabeta.Selective("hundredths of a step"), params.Space{
	weight("look_threat", "steps/step", "looking ahead: weight of the steps that the best wall costs the opponent, times the root of the walls in hand",
		-1, 3, 0, 0.1, true),
})...))

// lateFrom marks the parameters from first on, the look-ahead's.
// They were added after the greedy player's games were published.
func lateFrom(first int, s params.Space) params.Space {
	for i := first; i < len(s); i++ {
		s[i].Added = true
	}
	return s
}

//go:embed presets.toml
var presetsTOML []byte
