package fit

import (
	"errors"
	"math/rand/v2"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// totalTerm names the term of Evaluate that holds the value of the position for the side to
// move. It serves games without linear terms.
const totalTerm = "total"

var errNoTotal = errors.New("the evaluation has no total")

// linearOf returns the terms of a player: the game's own, else differences of its evaluation;
// nil if the game has neither.
func linearOf(v engines.Variant, o Options) *engines.LinearTerms {
	if v.Linear != nil {
		return v.Linear(o.Start, o.Limits)
	}
	return differences(v, o)
}

// differences derives terms from the change of the evaluation by a step of each parameter. It
// leaves out parameters that change nothing or are not linear (two steps do not change twice as
// much as one). It needs one evaluation per parameter and position.
func differences(v engines.Variant, o Options) *engines.LinearTerms {
	if v.Evaluate == nil {
		return nil
	}
	space := v.Game.Space
	l := &engines.LinearTerms{}
	var index []int
	for i, p := range space {
		if !p.Log && p.Labels == nil && (o.Params == nil || slices.Contains(o.Params, p.Name)) && linearIn(v, o.Start, i) {
			l.Names, index = append(l.Names, p.Name), append(index, i)
		}
	}
	if len(index) == 0 {
		return nil
	}
	l.Row = func(position string, row []float32) (rest float32, quiet bool, err error) {
		base, err := total(v, position, o.Start)
		rest = float32(base)
		for k, i := range index {
			var moved float64
			step := stepOf(space[i], o.Start[i])
			if err == nil {
				moved, err = total(v, position, with(o.Start, i, o.Start[i]+step))
			}
			row[k] = float32((moved - base) / step)
			rest -= float32(row[k] * float32(o.Start[i]))
		}
		return rest, true, err
	}
	return l
}

// stepOf returns a change of a parameter that can be made twice within its range.
func stepOf(p params.Param, x float64) float64 {
	step := max(p.Step, 1)
	if !p.Whole {
		step = p.Step
	}
	if x+2*step > p.Max {
		return -step
	}
	return step
}

// linearSamples is the number of positions at which differences are compared.
const linearSamples = 40

// linearIn reports whether the evaluation is linear in a parameter, as far as drawn positions
// show.
func linearIn(v engines.Variant, start params.Vector, i int) bool {
	step, changes := stepOf(v.Game.Space[i], start[i]), 0
	for n := range uint64(linearSamples) {
		ref := wander(v, rand.New(rand.NewPCG(n+1, 1)), 2*int(n))
		var values [3]float64
		for k := range values {
			var err error
			if values[k], err = total(v, ref.String(), with(start, i, start[i]+float64(float64(k)*step))); err != nil {
				return false
			}
		}
		if values[1] != values[0] {
			changes++
		}
		if d := (values[2] - values[1]) - (values[1] - values[0]); d > 1 || d < -1 { // more than rounding explains
			return false
		}
	}
	return changes > 0
}

// wander returns a position of an unfinished game, some random moves after an opening.
func wander(v engines.Variant, r *rand.Rand, plies int) engines.Referee {
	ref, next := v.NewReferee(), v.NewReferee()
	open := v.Opening(r, v.Game.OpeningPlies)
	if ref.Reset(open.Position) != nil || next.Reset(open.Position) != nil {
		return ref
	}
	for ply := range len(open.Moves) + plies {
		var m engines.Move
		if ply < len(open.Moves) {
			m = open.Moves[ply]
		} else {
			moves := ref.Moves(nil)
			m = moves[r.IntN(len(moves))]
		}
		next.Play(m)
		if o, _ := next.Result(); o != engines.Ongoing {
			break
		}
		ref.Play(m)
	}
	return ref
}

// with returns a copy of v in which value i is x.
func with(v params.Vector, i int, x float64) params.Vector {
	w := v.Clone()
	w[i] = x
	return w
}

// total returns the value of a position for the side to move.
func total(v engines.Variant, position string, w params.Vector) (float64, error) {
	terms, err := v.Evaluate(position, nil, w)
	if err != nil {
		return 0, err
	}
	for _, t := range terms {
		if t.Name == totalTerm {
			switch x := t.Value.(type) {
			case int:
				return float64(x), nil
			case float64:
				return x, nil
			}
		}
	}
	return 0, errNoTotal
}

// Terms returns the linear terms of a player, the parameters in o.Params among them, and those
// that are not linear. Nil o.Params means all parameters that are not frozen. Nil terms mean
// that there are none.
func Terms(v engines.Variant, o Options) (terms *engines.LinearTerms, fitted, excluded []string) {
	terms = linearOf(v, o)
	if terms == nil {
		return nil, nil, o.Params
	}
	for i := range v.Game.Space {
		p := &v.Game.Space[i]
		// The user set a frozen parameter that is not at its default.
		wanted := slices.Contains(o.Params, p.Name) || o.Params == nil && (!p.Frozen || o.Start[i] != p.Default)
		switch {
		case wanted && slices.Contains(terms.Names, p.Name):
			fitted = append(fitted, p.Name)
		case wanted && o.Params != nil:
			excluded = append(excluded, p.Name)
		}
	}
	return terms, fitted, excluded
}
