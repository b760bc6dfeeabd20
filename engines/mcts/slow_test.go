package mcts

import (
	"math"

	"selfplaylab/engines"
)

// slow is the search in its plainest form: a tree of pointers, one result backed up at a time,
// wins as numbers.
type slow[T any, P Position[T]] struct {
	opt      Options
	rng      Rand
	root     *slowNode[T]
	playouts int64
}

type slowNode[T any] struct {
	position T
	move     engines.Move
	mover    engines.Side // moved to the node
	parent   *slowNode[T]
	children []*slowNode[T]
	wins     float64
	visits   float64
}

func newSlow[T any, P Position[T]](p T, o Options, seed uint64) *slow[T, P] {
	return &slow[T, P]{opt: o, rng: NewRand(seed), root: &slowNode[T]{position: p}}
}

func (s *slow[T, P]) run(playouts int64) {
	for s.playouts < playouts {
		n := s.root
		for {
			if len(n.children) == 0 {
				s.expand(n)
				if s.opt.Loop == Standard || s.playouts >= playouts {
					break
				}
			}
			n = s.best(n)
			if o := P(&n.position).Outcome(); o != engines.Ongoing {
				s.backUp(n, o)
				break
			}
		}
	}
}

func (s *slow[T, P]) expand(n *slowNode[T]) {
	for _, m := range P(&n.position).Moves(nil) {
		c := &slowNode[T]{position: n.position, move: m, mover: P(&n.position).Turn(), parent: n}
		P(&c.position).Play(m)
		n.children = append(n.children, c)
	}
	for _, c := range n.children {
		game := c.position
		s.backUp(c, P(&game).Playout(&s.rng, s.opt.Rollouts))
	}
}

func (s *slow[T, P]) backUp(n *slowNode[T], o engines.Outcome) {
	s.playouts++
	for ; n != nil; n = n.parent {
		n.visits++
		switch o {
		case engines.Win(n.mover):
			n.wins++
		case engines.Draw:
			n.wins += 0.5
		}
	}
}

func (s *slow[T, P]) best(n *slowNode[T]) *slowNode[T] {
	var best *slowNode[T]
	bound := math.Inf(-1)
	for _, c := range n.children {
		u := c.wins/(c.visits+s.opt.Eps) + s.opt.C*math.Sqrt(math.Log(n.visits+1)/(c.visits+s.opt.Eps))
		if u > bound {
			best, bound = c, u
		}
	}
	return best
}
