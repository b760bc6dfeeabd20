package gobang

import (
	"selfplaylab/engines"
	"selfplaylab/params"
)

// linear implements engines.Variant.Linear: the weights of a field are linear terms.
// It returns nil for the source's evaluator, because a largest shape is not linear.
func (v variant) linear(w params.Vector, _ engines.Limits) *engines.LinearTerms {
	if w[pThreats] == 0 {
		return nil
	}
	f := newField(v)
	f.configure(w)
	l := &engines.LinearTerms{Quiet: true}
	for _, p := range termParams {
		l.Names = append(l.Names, p.name)
	}
	l.Row = func(position string, row []float32) (rest float32, quiet bool, err error) {
		s := newState(v)
		if err := engines.SetUp[state](&s, position, nil); err != nil {
			return 0, false, err
		}
		f.load(&s)
		rest, quiet = f.linear(row)
		return rest, quiet, nil
	}
	return l
}

// linear fills the row of a loaded position.
// It counts each term by setting its weight to 1 and all others to 0.
// rest is the part of the value without weights.
// A position is quiet unless the side to move can win by its next stone or four.
func (f *field) linear(row []float32) (rest float32, quiet bool) {
	me, foe := f.turn, f.turn.Other()
	var t fieldTerms
	for i, p := range termParams {
		t = fieldTerms{}
		*p.of(&t) = 1
		row[i] = float32(f.made(&t, me) - f.made(&t, foe))
		for class := three; class <= straightFour; class++ {
			if f.counts[me][class] > 0 {
				row[i] += float32(t.has[class])
			}
			if f.counts[foe][class] > 0 {
				row[i] -= float32(t.faces[class])
			}
		}
	}
	mover, other := f.learned[me].mover, f.learned[foe].other
	rest = float32(mover*f.terms.learned/1000 - other*f.terms.learned/1000 + f.networkPoints())
	for class := fourThree; class < classes; class++ {
		if f.counts[me][class] > 0 {
			return rest, false
		}
	}
	return rest, true
}

// made returns the weighted sum over all threats that a side's stones would make on free cells.
func (f *field) made(t *fieldTerms, side engines.Side) (sum int32) {
	for _, makes := range f.makes {
		sum += t.lines(makes >> (16 * uint(side)))
	}
	return sum
}
