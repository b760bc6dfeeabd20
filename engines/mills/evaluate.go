package mills

import (
	"math"
	"strings"

	"selfplaylab/engines"
)

// The terms of the evaluator besides the men.
// Each counts something for a side.
// The evaluation multiplies the mover's count less the opponent's by the weight of the phase.
const (
	termMob  = iota // steps: adjacent free points, summed over the side's men
	termTwo         // lines with two own men whose third point is free, and in the moving phase within a step of a third man
	termBlk         // opposing men without a free neighbour
	termMill        // complete lines
	termDbl         // running mills: men in a mill whose step closes another
	termPos         // degree of the points held, less three
	terms
)

var termNames = [terms]string{"mob", "two", "blk", "mill", "dbl", "pos"}

// weights holds a parameter vector in the form that the evaluation uses.
type weights struct {
	men   [16]int32 // by number of men on the board and in hand: w times the curve
	phase [2]phaseWeights
}

// The phases, as indices.
const (
	placingPhase = 0
	movingPhase  = 1
)

// phaseWeights are the weights of the terms in one phase.
type phaseWeights struct {
	term    [terms]int32
	any     bool  // one of them, or hit, is not zero
	hit     int32 // for the side to move, if it can close a mill at once
	closing bool  // whether two, dbl or hit is not zero
}

// The curves that w multiplies. The paper's F is the square.
const (
	curveSquare = iota
	curveLinear
	curveRoot
)

var curveLabels = []string{"square", "linear", "root"}

// curve returns the worth of n men at w = 1.
// The root is scaled so that a man is worth about as much as by the square.
func curve(kind, n int) int32 {
	switch kind {
	case curveLinear:
		return int32(n)
	case curveRoot:
		return int32(math.Round(100 * math.Sqrt(float64(n))))
	}
	return int32(n * n)
}

// evaluate returns the value of p for the side to move.
// Points closed while placing count as free, except as the
// third point of a line, which only a placement fills.
func (w *weights) evaluate(p *position) int32 {
	side := p.turn & 1
	us, them := p.men[side], p.men[side^1]
	score := w.men[(count(us)+int(p.hand[side]))&15] - w.men[(count(them)+int(p.hand[side^1]))&15]
	phase := movingPhase
	if p.placing() {
		phase = placingPhase
	}
	t := &w.phase[phase]
	if !t.any {
		return score
	}
	free := everywhere &^ (us | them)
	if p.laws&flyAtThree != 0 {
		for term, weight := range t.term {
			score += weight * int32(p.measure(term, us, them, free)-p.measure(term, them, us, free))
		}
		if t.hit != 0 && p.twos(us, free, p.laws.spokes()) > 0 {
			score += t.hit
		}
		return score
	}
	return score + t.sum(p, us, them, free, t.hit) - t.sum(p, them, us, free, 0)
}

// sum returns the weighted sum of all terms for a side if nobody flies. It equals the sum over
// measure and computes shared parts once. hit is the value of being able to close a mill.
func (p *phaseWeights) sum(at *position, us, them, free uint32, hit int32) int32 {
	spokes := at.laws.spokes()
	s := stepsOf(us, free, spokes)
	score := p.term[termMob] * int32(s.number())
	if p.closing {
		c := closersOf(us, spokes)
		var twos int
		if at.placing() {
			twos = c.number(free &^ at.closed)
		} else {
			twos = c.within(s).number(free)
		}
		score += p.term[termTwo] * int32(twos)
		if twos > 0 {
			score += hit
		}
		if weight := p.term[termDbl]; weight != 0 {
			score += weight * int32(count(s.closing(c).origins()&inLines(us, spokes)))
		}
	}
	if weight := p.term[termBlk]; weight != 0 {
		score += weight * int32(count(them&^adjacent(free, spokes)))
	}
	if weight := p.term[termMill]; weight != 0 {
		sides, radials := fullLines(us, spokes)
		score += weight * int32(count(sides)+count(radials))
	}
	if weight := p.term[termPos]; weight != 0 {
		score += weight * int32(degrees(us, spokes))
	}
	return score
}

// measure returns the count of a term for the side with men us.
func (p *position) measure(term int, us, them, free uint32) int {
	spokes := p.laws.spokes()
	switch term {
	case termMob:
		if p.fliesWith(us) {
			return 3 * count(free)
		}
		return stepsOf(us, free, spokes).number()
	case termTwo:
		return p.twos(us, free, spokes)
	case termBlk:
		if p.fliesWith(them) {
			return 0
		}
		return count(them &^ adjacent(free, spokes))
	case termMill:
		sides, radials := fullLines(us, spokes)
		return count(sides) + count(radials)
	case termDbl:
		s := stepsOf(us, free, spokes)
		return count(s.closing(closersOf(us, spokes)).origins() & inLines(us, spokes))
	}
	return degrees(us, spokes)
}

// fliesWith reports whether a side with these men flies.
func (p *position) fliesWith(men uint32) bool {
	return p.laws&flyAtThree != 0 && !p.placing() && count(men) == 3
}

// twos returns the count of the term two.
func (p *position) twos(us, free, spokes uint32) int {
	c := closersOf(us, spokes)
	if p.placing() || p.fliesWith(us) {
		return c.number(free &^ p.closed)
	}
	return c.within(stepsOf(us, free, spokes)).number(free)
}

// degrees returns the sum of the degrees of points, less three each: with diagonals 1 on the
// middle ring and 0 elsewhere, without them -1 on corners and 1 on the middle ring's middles.
func degrees(men, spokes uint32) int {
	if spokes == everywhere {
		return count(men & middleRing)
	}
	return count(men&middleRing&middles) - count(men&corners)
}

// evaluateTerms returns the parts of the evaluation: for each parameter in
// use the mover's count, the opponent's, and the worth of their difference.
func (w *weights) evaluateTerms(p *position) []engines.Term {
	side := p.turn & 1
	us, them := p.men[side], p.men[side^1]
	free := everywhere &^ (us | them)
	phase, name := movingPhase, "moving"
	if p.placing() {
		phase, name = placingPhase, "placing"
	}
	own, other := p.number(side), p.number(side^1)
	list := []engines.Term{
		{Name: "turn", Value: sideLetters[side : side+1], Doc: "side to move"},
		{Name: "phase", Value: name},
		engines.Both("w", own, other, int(w.men[own]-w.men[other])).Means("men on the board and in hand"),
	}
	for term, weight := range w.phase[phase].term {
		own, other := p.measure(term, us, them, free), p.measure(term, them, us, free)
		meaning, _, _ := strings.Cut(termDocs[term], ", net")
		list = append(list, engines.Both(termNames[term]+phaseSuffixes[phase], own, other, int(weight)*(own-other)).Means(meaning))
	}
	if hit := w.phase[phase].hit; hit != 0 {
		can := min(1, p.twos(us, free, p.laws.spokes()))
		list = append(list, engines.Both("hit"+phaseSuffixes[phase], can, 0, int(hit)*can).Means(hitDoc))
	}
	return append(list, engines.Term{Name: "total", Value: int(w.evaluate(p)), Doc: "worth of the position for the side to move"})
}

var phaseSuffixes = [2]string{placingPhase: "_place", movingPhase: "_move"}

// hitDoc is the document of the weights hit.
const hitDoc = "the side to move can close a mill at once"

// termDocs are the documents of the terms.
var termDocs = [terms]string{
	"an adjacent free point of a man (a step), net of the opponent's",
	"a line of two own men and a free third point, net",
	"an opposing man without a free neighbour, net",
	"a complete line, net",
	"a running mill: a man in a mill whose step closes another, net",
	"a point by its degree, less three, net",
}
