package gobang

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplaylab/engines"
)

// TestEmbeddedLessonsAreComplete expects a line for
// every combination, and an error for a broken table.
func TestEmbeddedLessonsAreComplete(t *testing.T) {
	list, err := parseLessons(learnedText)
	if err != nil {
		t.Fatal(err)
	}
	open3, open2 := list[combinations().of[0x2228]], list[combinations().of[0x2226]]
	if open3.own <= open2.own || open3.foe <= open2.foe || open2.own <= 0 {
		t.Errorf("an open three %+v should be likelier than an open two %+v, and that than nothing", open3, open2)
	}
	for _, broken := range []string{strings.Replace(learnedText, "\n", " x\n", 1), learnedText[:len(learnedText)/2], ""} {
		if _, err := parseLessons(broken); err == nil {
			t.Errorf("a broken table of %d bytes is read", len(broken))
		}
	}
}

// TestLearnedIsSymmetric expects the same values and ranks
// on a board turned by a quarter and on its mirror image.
func TestLearnedIsSymmetric(t *testing.T) {
	const size = 9
	turns := []func(x, y int) cell{
		func(x, y int) cell { return at(y, size-1-x) },
		func(x, y int) cell { return at(size-1-x, y) },
	}
	r := rand.New(rand.NewPCG(31, 1))
	for range 40 {
		s := tactical(r, variant{size: size})
		f := newField(s.rules)
		f.configure(preset(t, "grandmaster"))
		f.load(&s)
		for _, turn := range turns {
			turned := newState(s.rules)
			turned.turn = s.turn
			for side := range s.stones {
				for _, m := range s.stones[side].appendMoves(nil) {
					turned.put(engines.Side(side), turn(cellOf(m).xy()))
				}
			}
			g := newField(s.rules)
			g.configure(preset(t, "grandmaster"))
			g.load(&turned)
			if f.Eval() != g.Eval() {
				t.Fatalf("value %d, turned %d", f.Eval(), g.Eval())
			}
			for _, m := range s.Moves(nil) {
				var ranks [2]int32
				f.rank([]engines.Move{m}, ranks[:1])
				g.rank([]engines.Move{turn(cellOf(m).xy()).move()}, ranks[1:])
				if ranks[0] != ranks[1] {
					t.Fatalf("rank of %s %d, turned %d", s.MoveString(m), ranks[0], ranks[1])
				}
			}
		}
	}
}

// TestLazySearchIsExact expects the same result with
// lazy, in fewer nodes, from a search without selection.
func TestLazySearchIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	var nodes [2]int64
	for range 30 {
		s := tactical(r, variant{size: 9})
		var decisions [2]engines.Decision
		for lazy := range decisions {
			v := preset(t, "grandmaster")
			for name, x := range map[string]float64{"lazy": float64(lazy), "margin": 0, "width": 0, "reduce": 0, "table": 0, "root_threes": 0} {
				v[space.Index(name)] = x
			}
			p := newPlayer(s.rules)
			if err := p.Configure(v); err != nil {
				t.Fatal(err)
			}
			if err := p.Reset(s.String(), 0); err != nil {
				t.Fatal(err)
			}
			d, err := p.Choose(context.Background(), nil, engines.Limits{Depth: 3})
			if err != nil {
				t.Fatal(err)
			}
			nodes[lazy] += d.Nodes
			d.Nodes = 0
			decisions[lazy] = d
		}
		if decisions[0] != decisions[1] {
			t.Fatalf("%+v, lazy %+v in %s", decisions[0], decisions[1], s.String())
		}
	}
	if nodes[1] >= nodes[0] {
		t.Errorf("%d nodes, lazy %d", nodes[0], nodes[1])
	}
}
