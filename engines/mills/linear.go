package mills

import (
	"selfplaylab/engines"
	"selfplaylab/params"
)

// linear implements engines.Variant.Linear: the men and every term of both phases.
// Men count by the parameter curve.
func (s setup) linear(v params.Vector, _ engines.Limits) *engines.LinearTerms {
	kind, all := int(v[paramCurve]), space()
	index := []int{paramW}
	for i := range 2 * terms {
		index = append(index, paramTerms+i)
	}
	index = append(index, paramHit, paramHit+1)
	l := &engines.LinearTerms{Points: []string{all[paramDraw].Name}}
	for _, i := range index {
		l.Names = append(l.Names, all[i].Name)
	}
	l.Row = func(at string, row []float32) (rest float32, quiet bool, err error) {
		p := s.start
		if err := engines.SetUp[position](&p, at, nil); err != nil {
			return 0, false, err
		}
		clear(row)
		return 0, p.linear(kind, row), nil
	}
	return l
}

// linear fills the row of a position. quiet reports
// that the side to move cannot close a mill at once.
func (p *position) linear(kind int, row []float32) (quiet bool) {
	side := p.turn & 1
	us, them := p.men[side], p.men[side^1]
	free, phase := everywhere&^(us|them), movingPhase
	if p.placing() {
		phase = placingPhase
	}
	row[0] = float32(curve(kind, p.number(side)) - curve(kind, p.number(side^1)))
	for term := range terms {
		row[1+2*term+phase] = float32(p.measure(term, us, them, free) - p.measure(term, them, us, free))
	}
	closes := p.twos(us, free, p.laws.spokes()) > 0
	if closes {
		row[1+2*terms+phase] = 1
	}
	return !closes
}
