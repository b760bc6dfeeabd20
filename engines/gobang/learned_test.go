package gobang

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplaylab/engines"
)

// TestLearnedText: the embedded table has a line for every combination, and a broken
// one is told.
func TestLearnedText(t *testing.T) {
	list, err := parseLessons(learnedText)
	if err != nil {
		t.Fatal(err)
	}
	open3, open2 := list[combinations[0x2228]], list[combinations[0x2226]]
	if open3.own <= open2.own || open3.foe <= open2.foe || open2.own <= 0 {
		t.Errorf("an open three %+v should be likelier than an open two %+v, and that than nothing", open3, open2)
	}
	for _, broken := range []string{strings.Replace(learnedText, "\n", " x\n", 1), learnedText[:len(learnedText)/2], ""} {
		if _, err := parseLessons(broken); err == nil {
			t.Errorf("a broken table of %d bytes is read", len(broken))
		}
	}
}

// TestLearnedIsSymmetric: values and ranks are those of the board turned by a quarter
// and of its mirror image.
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

// TestLazyIsExact: a search without selection finds the same with lazy, in fewer nodes.
func TestLazyIsExact(t *testing.T) {
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

// TestFitRecoversWeights from simulated results and choices, with the games apart
// foretold as well.
func TestFitRecoversWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 1))
	truth := []float64{0.8, -0.5, 0.3, 0, -1.2}
	var l Lessons
	for range 40000 {
		z := 0.0
		for k, w := range truth {
			if r.IntN(2) == 0 {
				l.positions.features = append(l.positions.features, uint32(k))
				z += w
			}
		}
		l.positions.end(r.IntN(10) == 0)
		points := 0.0
		if r.Float64() < 1/(1+math.Exp(-z)) {
			points = 1
		}
		l.points = append(l.points, points)
	}
	got, err := fit(len(truth), l.surprise)
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range truth {
		if math.Abs(got[k]-w) > 0.1 {
			t.Errorf("weight %d: %.3f, want %.3f", k, got[k], w)
		}
	}
	if learned, ideal := l.surprise(got, nil, true), l.surprise(truth, nil, true); learned > 1.01*ideal {
		t.Errorf("surprise of what was kept apart %.1f, of the truth %.1f", learned, ideal)
	}
}

// TestFitRecoversChoices: of candidates that differ in what they make for the own side.
func TestFitRecoversChoices(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 1))
	truth := []float64{0, 1, -0.7, 2}
	var l Lessons
	for range 20000 {
		list := []uint32{uint32(r.IntN(4)), uint32(r.IntN(4)), uint32(r.IntN(4))}
		total := 0.0
		for _, k := range list {
			total += math.Exp(truth[k])
		}
		x, i := r.Float64()*total, 0
		for ; i < 2 && x > math.Exp(truth[list[i]]); i++ {
			x -= math.Exp(truth[list[i]])
		}
		list[0], list[i] = list[i], list[0]
		l.choices.features = append(l.choices.features, list...)
		l.choices.end(false)
	}
	got, err := fit(2*combinationCount, l.surpriseOfMoves)
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range truth {
		if math.Abs(got[k]-got[0]-w) > 0.1 {
			t.Errorf("weight %d: %.3f, want %.3f", k, got[k]-got[0], w)
		}
	}
}

// TestLearn makes a table of a few games, twice the same, and refuses moves that are
// none.
func TestLearn(t *testing.T) {
	var tables [2]strings.Builder
	for i := range tables {
		l := NewLessons()
		r := rand.New(rand.NewPCG(36, 1))
		for game := range 40 {
			rules := variant{size: 15}
			o := rules.opening(r, 10)
			s := newState(rules)
			var moves []string
			for _, m := range o.Moves {
				moves = append(moves, s.MoveString(m))
				s.Play(m)
			}
			if err := l.Add(moves, 4, float64(game%2), game%10 == 0); err != nil {
				t.Fatal(err)
			}
		}
		var notes strings.Builder
		if err := l.Learn(&tables[i], &notes); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(notes.String(), "moves") {
			t.Errorf("notes %q", notes.String())
		}
	}
	if tables[0].String() != tables[1].String() {
		t.Error("two tables of the same games differ")
	}
	if _, err := parseLessons(tables[0].String()); err != nil {
		t.Error(err)
	}
	if err := NewLessons().Add([]string{"h8", "h8"}, 0, 1, false); err == nil {
		t.Error("a stone on a stone is learned from")
	}
}
