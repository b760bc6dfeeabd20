package chess

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/params"
)

// defaultLimits are the limits of a player without any.
var defaultLimits = engines.Limits{Depth: 3}

// gameSpace returns the parameter space. It is made once and must not be changed.
var gameSpace = sync.OnceValue(space)

// Parameters beside the evaluation's. paramDraw is the first of them.
const (
	paramDraw     = "draw"
	paramExchange = "exchange"
)

// phases are the parts of the game for which every weight of the evaluation has a value.
var phases = [2]struct{ suffix, doc string }{{"_mg", "middle game"}, {"_eg", "endgame"}}

// rangeSteps is the number of steps from a weight's default to either
// bound, because tuners take a range for the values worth trying.
const rangeSteps = 10

const placeStep = 4 // step of a place, in centipawns

const addedStep = 6 // step of an added term, in centipawns

// values are the values of the pieces in middle game and endgame, in centipawns.
var values = [king][2]int{{90, 110}, {330, 310}, {340, 320}, {470, 540}, {980, 1000}}

// param returns one weight for one phase. step and value are in centipawns.
func param(name, doc string, phase, step, value int) params.Param {
	return params.Param{
		Name: name + phases[phase].suffix, Unit: "centipawns", Doc: phases[phase].doc + ": " + doc,
		Min: float64(value - rangeSteps*step), Max: float64(value + rangeSteps*step), Default: float64(value),
		Step: float64(step), Whole: true,
	}
}

// share returns the step of a weight: its value divided by part, and at least 1.
func share(value, part int) int { return max(1, (value+part/2)/part) }

// space returns the player's parameters.
// The evaluation's come first, each middle game before
// endgame: the values of pieces, the terms, then the places.
func space() params.Space {
	var s params.Space
	for kind := range values {
		for phase := range phases {
			s = append(s, param("value_"+letters[kind:kind+1], "a "+kindNames[kind], phase, share(values[kind][1], 20), values[kind][phase]))
		}
	}
	for _, t := range termInfo[:terms] {
		step := share(max(t.mg, -t.mg, t.eg, -t.eg), 5)
		s = append(s, param(t.name, t.doc, 0, step, t.mg), param(t.name, t.doc, 1, step, t.eg))
	}
	eachPlace(func(kind, sq, phase int) {
		doc := fmt.Sprintf("a %s on %s or %s, seen from its side", kindNames[kind], squareName(sq), squareName(sq^7))
		p := param(placeName(kind, sq), doc, phase, placeStep, place(kind, sq, phase))
		p.Min, p.Max = min(p.Min, 0), max(p.Max, 0) // for players without places
		s = append(s, p)
	})
	s = append(s, params.Param{
		Name: paramDraw, Unit: "centipawns", Doc: "contempt: the cost of a draw for the side to move at the root", Min: -300, Max: 300,
		Step: 5, Whole: true, Frozen: true,
	})
	s = append(s, alphabeta.Parameters(16)...)
	s = append(s, alphabeta.Selective("centipawns")...)
	s = append(s, alphabeta.Pruning()...)
	s = append(s, params.Param{
		Name: paramExchange, Doc: "captures that lose material in the exchange they begin come last, and the quiescence search leaves them out",
		Labels: []string{"off", "on"}, Max: 1, Step: 1, Whole: true, Frozen: true, Added: true,
	})
	for _, t := range termInfo[terms:] {
		for phase := range phases {
			p := param(t.name, t.doc, phase, addedStep, 0)
			p.Frozen, p.Added = true, true
			s = append(s, p)
		}
	}
	return s
}

// placeName returns the name of a place, such as N_c3.
func placeName(kind, sq int) string { return letters[kind:kind+1] + "_" + squareName(sq) }

// eachPlace calls f for every place with a weight of its own: files a to d also represent e to
// h, and pawns have six ranks.
func eachPlace(f func(kind, sq, phase int)) {
	for kind := pawn; kind <= king; kind++ {
		for sq := range 64 {
			if sq&7 > 3 || kind == pawn && bit(sq)&(rank1|rank8) != 0 {
				continue
			}
			for phase := range phases {
				f(kind, sq, phase)
			}
		}
	}
}

// place returns the weight of a place in the default preset, by rules of thumb.
// Knights, queens and the king of the endgame belong into the middle, the
// king of the middle game behind its pawns, and rooks on the seventh rank.
func place(kind, sq, phase int) int {
	file, rank := 3-sq&7, sq>>3 // file 0 is in the middle, 3 at the edge
	far := max(rank-4, 3-rank)  // of the middle, in ranks
	middle := phase == 0
	switch {
	case kind == pawn && middle:
		return [8]int{0, 0, 2, 8, 14, 24, 40}[rank] + (2-file)*min(rank-1, 3)*2
	case kind == pawn:
		return [8]int{0, 0, 3, 8, 16, 28, 45}[rank]
	case kind == knight && middle:
		return 16 - 3*(file*file+far*far) + 2*rank
	case kind == knight:
		return 12 - 2*(file*file+far*far)
	case kind == bishop:
		return 8 - 3*(file+far) + rank
	case kind == rook && middle:
		return 2*(3-file) + [8]int{0, -4, -4, 0, 2, 4, 14, 6}[rank]
	case kind == rook:
		return [8]int{0, 0, 2, 4, 6, 8, 10, 4}[rank]
	case kind == queen && middle:
		return 2 - file - rank
	case kind == queen:
		return 10 - 4*(file+far)
	case middle:
		return [4]int{-20, -12, 18, 12}[file]*min(1, max(0, 2-rank)) - 18*min(rank, 4)
	}
	return 20 - 4*(file*file+far*far)
}

//go:embed presets.toml
var presetsTOML []byte

// presets returns the named vectors.
func presets() []params.Preset {
	s := space()
	pieces := s.Default()
	for i, p := range s {
		if strings.HasSuffix(p.Name, phases[0].suffix) || strings.HasSuffix(p.Name, phases[1].suffix) {
			if !strings.HasPrefix(p.Name, "value_") {
				pieces[i] = 0
			}
		}
	}
	return append([]params.Preset{
		{Name: defaultPreset, Doc: "The terms of the evaluation set by rules of thumb.", Vector: s.Default()},
		{Name: weakPreset, Doc: "Only the values of pieces: what a tuner should improve on.", Vector: pieces},
	}, params.MustPresets("engines/chess/presets.toml", presetsTOML, s)...)
}

// tuned returns the parameters that a tuning changes by default: the
// pieces' values against the pawn's, mobility and pairs of bishops.
func tuned(params.Vector, engines.Limits) (names []string) {
	for _, name := range []string{"value_N", "value_B", "value_R", "value_Q", "mob_N", "mob_B", "mob_R", "mob_Q", "bishop_pair", "connected"} {
		for _, phase := range phases {
			names = append(names, name+phase.suffix)
		}
	}
	return names
}

// Presets by name: the default one, and a weak one for tuners to recover from.
const (
	defaultPreset = "default"
	weakPreset    = "pieces"
)

// newWeights returns the evaluator's part of a vector of the space: the weights and paramExchange.
func newWeights(v params.Vector) *weights {
	w, i := &weights{}, 0
	next := func() pair {
		i += 2
		return newPair(int32(v[i-2]), int32(v[i-1]))
	}
	var value [6]pair
	for kind := range values {
		value[kind] = next()
	}
	for term := range terms {
		w.term[term] = next()
	}
	eachPlace(func(kind, sq, phase int) {
		if phase == 0 {
			worth := next() + value[kind]
			for _, at := range [2]int{sq, sq ^ 7} {
				w.piece[0][kind][at], w.piece[1][kind][at^56] = worth, worth
			}
		}
	})
	i = firstAdded()
	w.exchange = v[i-1] == 1
	for term := terms; term < allTerms; term++ {
		w.term[term] = next()
		w.more = w.more || w.term[term] != 0
	}
	return w
}

// firstAdded is the index of the first added term in the space, right after paramExchange.
var firstAdded = sync.OnceValue(func() int { return gameSpace().Index(termInfo[terms].name + phases[0].suffix) })

// checkVector checks a vector against the space.
func checkVector(v params.Vector) error {
	if err := space().Check(v); err != nil {
		return fmt.Errorf("chess player: %w", err)
	}
	return nil
}
