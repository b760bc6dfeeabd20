package connectfour

import (
	"selfplaylab/engines"
	"selfplaylab/engines/mcts"
)

// solver finds out how games end, by what the options say.
type solver struct {
	options mcts.Options
	ending  ending
	forcing forcing
}

func newSolver() mcts.Solver[position] { return &solver{} }

// Begin forgets what was found out before.
func (s *solver) Begin(o mcts.Options) {
	s.options = o
	s.ending.forget()
	s.forcing.forget()
}

// Solve returns how the game goes on from p with best play.
func (s *solver) Solve(p *position, most int64, stop func() bool) (o engines.Outcome, plies int, spent int64) {
	if s.options.Fours {
		plies, spent = s.forcing.wins(p, min(most, foursMost))
		if plies > 0 {
			return engines.Win(p.Turn()), plies, spent
		}
		most -= spent
	}
	if me, other, free := p.cells(); !s.options.Ending || calm(me, other, free) > likely(most) {
		return engines.Ongoing, 0, spent
	}
	s.ending.stop = stop
	v, nodes, ok := s.ending.solve(p, most)
	spent += nodes
	switch {
	case !ok:
		return engines.Ongoing, 0, spent
	case v.class == 0:
		return engines.Draw, int(p.left), spent
	case v.class > 0:
		return engines.Win(p.Turn()), int(v.plies), spent
	}
	return engines.Win(p.Turn().Other()), int(v.plies), spent
}
