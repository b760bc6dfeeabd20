package mills

import "selfplaylab/engines"

// Reasons a game of mills ends on the board.
const (
	fewMen    engines.Reason = "men"     // the loser has fewer than three men
	blocked   engines.Reason = "blocked" // the loser, to move, has no step
	fullBoard engines.Reason = "full"    // placing filled the board
)

// Outcome returns the result on the board, Ongoing before the end.
func (p *position) Outcome() engines.Outcome {
	if p.number(engines.First) < 3 {
		return engines.SecondWins
	}
	if p.number(engines.Second) < 3 {
		return engines.FirstWins
	}
	if p.placing() || p.canStep() {
		return engines.Ongoing
	}
	if p.free() == 0 {
		switch {
		case p.laws&fullDraw != 0:
			return engines.Draw
		case p.laws&fullFirst != 0:
			return engines.SecondWins
		}
	}
	return engines.Win(p.turn.Other())
}

// Reason returns the reason of the game's end.
func (p *position) Reason() engines.Reason {
	switch {
	case p.Outcome() == engines.Ongoing:
		return engines.NoReason
	case p.number(engines.First) < 3 || p.number(engines.Second) < 3:
		return fewMen
	case p.free() == 0:
		return fullBoard
	}
	return blocked
}

// canStep reports whether the side to move, in the moving phase, has a step.
func (p *position) canStep() bool {
	free, us := p.free(), p.men[p.turn&1]
	if p.flies() {
		return free != 0 // there are at least three steps, so one of them is not banned
	}
	spokes := p.laws.spokes()
	if adjacent(us, spokes)&free == 0 {
		return false
	}
	if p.laws&noReform == 0 || stepsOf(us, free, spokes).number() > 1 {
		return true
	}
	return p.banned() == noStepToUndo
}

// banned returns the step that noReform forbids the side to move, or noStepToUndo.
// It is the step straight back from a mill to a mill.
// A step back out of a mill that the opponent has broken is
// allowed, as in Sanmill (RestrictRepeatedMillsFormation).
func (p *position) banned() engines.Move {
	step := engines.Move(p.back[p.turn&1])
	if step == noStepToUndo {
		return noStepToUndo
	}
	us, spokes := p.men[p.turn&1], p.laws.spokes()
	from, to := departure(step), arrival(step)
	if us>>from&1 == 0 || p.free()>>to&1 == 0 || inLines(us, spokes)>>from&1 == 0 ||
		closersOf(us&^(1<<from), spokes).any()>>to&1 == 0 {
		return noStepToUndo
	}
	return step
}
