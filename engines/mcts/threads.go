package mcts

import (
	"context"
	"sync"

	"selfplaylab/engines"
)

// MaxThreads is the maximum number of trees.
const MaxThreads = 64

// Threads sets the number of trees, each searched by its own goroutine, at most MaxThreads; 0
// means one. It forgets the trees. It panics if n is out of range.
//
// Each tree has its part of the memory and of the limits of playouts and nodes, and its own
// random numbers. The results of the moves at the root are added up (root parallelisation:
// Chaslot, Winands and van den Herik 2008). Under equal limits the result therefore depends on
// the number of trees and not on scheduling.
func (s *Search[T, P]) Threads(n int) {
	if n < 0 || n > MaxThreads {
		panic("mcts.Threads: want 0 to 64")
	}
	n = max(n, 1)
	part := max(s.capacity/n, 1)
	s.others = s.others[:min(n-1, len(s.others))]
	for len(s.others) < n-1 {
		b := New[T, P](part)
		b.opt, b.rule, b.root = s.opt, s.rule, s.root
		if s.makeSolver != nil {
			b.solver = s.makeSolver()
		}
		s.others = append(s.others, b)
	}
	for _, b := range append(s.others, s) {
		b.tree.limit, b.among = part, n
		b.tree.plant()
	}
}

// runAll runs the search with several trees.
func (s *Search[T, P]) runAll(ctx context.Context, seed uint64, limits engines.Limits) Result {
	if limits.Playouts == 0 && limits.Nodes == 0 && limits.Time == 0 {
		limits.Playouts = defaultPlayouts
	}
	var others sync.WaitGroup
	for i, b := range s.others {
		others.Go(func() {
			engines.Metered(ctx, func() { b.grind(ctx, engines.Seed(seed, uint64(i+1)), s.share(limits, i+1)) })
		})
	}
	s.grind(ctx, seed, s.share(limits, 0))
	others.Wait()
	for _, b := range s.others {
		s.found.Playouts += b.found.Playouts
		s.found.Nodes += b.found.Nodes
		s.found.Descents += b.found.Descents
		s.found.Exact += b.found.Exact
		s.found.Cut += b.found.Cut
		s.found.Depth = max(s.found.Depth, b.found.Depth)
		s.found.Stopped = s.found.Stopped || b.found.Stopped
	}
	children := s.merge()
	root := s.tree.nodes[0]
	for _, b := range s.others {
		if root.result == engines.Ongoing {
			root.result, root.plies = b.tree.nodes[0].result, b.tree.nodes[0].plies
		}
	}
	if s.opt.Solver && root.result == engines.Ongoing {
		prove(&root, children, P(&s.root).Turn())
	}
	s.judge(&root, children)
	return s.found
}

// share returns the i-th tree's part of the limits, at least 1 each.
func (s *Search[T, P]) share(l engines.Limits, i int) engines.Limits {
	n := int64(s.trees())
	part := func(total int64) int64 {
		if total == 0 {
			return 0
		}
		return max((total+n-1-int64(i))/n, 1)
	}
	l.Playouts, l.Nodes = part(l.Playouts), part(l.Nodes)
	return l
}

// merge returns the sums of all trees' results for the moves at the root, which have the same
// order in every tree.
func (s *Search[T, P]) merge() []node {
	s.merged = append(s.merged[:0], s.tree.children(&s.tree.nodes[0])...)
	for _, b := range s.others {
		for i, c := range b.tree.children(&b.tree.nodes[0]) {
			m := &s.merged[i]
			m.visits += c.visits
			m.points += c.points
			if m.result == engines.Ongoing {
				m.result, m.plies = c.result, c.plies
			}
		}
	}
	return s.merged
}

// grind searches as Run does, without choosing a move.
func (s *Search[T, P]) grind(ctx context.Context, seed uint64, limits engines.Limits) {
	s.found = Result{}
	s.rng = NewRand(seed)
	s.clock.Start(limits.Time)
	s.budget = newBudget(ctx, limits, &s.clock)
	s.tree.foresee(limits.Time)
	s.check = firstCheck
	if s.solves() {
		s.solver.Forget()
	}
	for s.tree.nodes[0].result == engines.Ongoing {
		s.descend()
		s.found.Descents++
		if s.opt.Answers > 0 && s.found.Playouts >= s.check {
			s.checkAnswers()
		}
		if s.spent() {
			break
		}
	}
}
