package mcts

import (
	"runtime"
	"slices"
	"testing"

	"selfplaylab/engines"
)

// TestThreadsEqualSearchesOneByOne expects the same results from several trees as from searches
// one by one with their seeds and parts of the limits, under any scheduling.
func TestThreadsEqualSearchesOneByOne(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, limits := range []engines.Limits{{Playouts: 3000}, {Nodes: 3000}} {
		single := begin[board](t, board{}, options())
		var want []Child
		visits, points := map[engines.Move]int64{}, map[engines.Move]float64{}
		playouts := int64(0)
		for _, seed := range []uint64{5, engines.Seed(5, 1), engines.Seed(5, 2)} {
			part := engines.Limits{Playouts: limits.Playouts / 3, Nodes: limits.Nodes / 3}
			single.Begin(&board{})
			playouts += single.Run(ctx, seed, part).Playouts
			want = single.Children()
			for _, c := range want {
				visits[c.Move] += c.Visits
				points[c.Move] += c.WinRate * float64(c.Visits)
			}
		}
		var first Result
		for _, processors := range []int{1, 2, 8} {
			runtime.GOMAXPROCS(processors)
			s := New[board](1 << 16)
			if err := s.Configure(options()); err != nil {
				t.Fatal(err)
			}
			s.Threads(3)
			s.Begin(&board{})
			r := s.Run(ctx, 5, limits)
			if r.Playouts != playouts {
				t.Errorf("%v: %d playouts, want %d", limits, r.Playouts, playouts)
			}
			for i, c := range s.Children() {
				if rate := points[c.Move] / float64(visits[c.Move]); c.Move != want[i].Move || c.Visits != visits[c.Move] || max(c.WinRate-rate, rate-c.WinRate) > 1e-12 {
					t.Errorf("%v: %+v, want %d visits and %v", limits, c, visits[c.Move], rate)
				}
			}
			if first == (Result{}) {
				first = r
			}
			if r != first {
				t.Errorf("%v: on %d processors %+v, on one %+v", limits, processors, r, first)
			}
		}
	}
}

// TestThreadsProveTogether expects the results that all trees prove together, and keeps the
// trees as a single one.
func TestThreadsProveTogether(t *testing.T) {
	o := options()
	o.Solver = true
	for n := uint8(1); n <= 12; n++ {
		p := newPile(n)
		s := New[pile](1 << 16)
		if err := s.Configure(o); err != nil {
			t.Fatal(err)
		}
		s.Threads(4)
		s.Begin(&p)
		r := s.Run(ctx, 1, engines.Limits{Playouts: 100_000})
		if want := solve(&p); r.Proven != want {
			t.Errorf("%d left: %+v, want %v", n, r, want)
		}
	}
	p := newPile(40)
	s := New[pile](1 << 16)
	if err := s.Configure(options()); err != nil {
		t.Fatal(err)
	}
	s.Threads(2)
	s.Begin(&p)
	s.Run(ctx, 1, engines.Limits{Playouts: 4000})
	known := slices.Clone(s.Children())
	s.Advance(2)
	s.Run(ctx, 2, engines.Limits{Playouts: 2})
	visits := int64(0)
	for _, c := range s.Children() {
		visits += c.Visits
	}
	if at := slices.IndexFunc(known, func(c Child) bool { return c.Move == 2 }); visits < known[at].Visits-2 {
		t.Errorf("%d visits after the move, %d before it: a tree was lost", visits, known[at].Visits)
	}
	s.Threads(1)
	s.Begin(&p)
	one := begin[pile](t, p, options())
	if got, want := s.Run(ctx, 3, engines.Limits{Playouts: 500}), one.Run(ctx, 3, engines.Limits{Playouts: 500}); got != want {
		t.Errorf("one thread again: %+v, want %+v", got, want)
	}
}
