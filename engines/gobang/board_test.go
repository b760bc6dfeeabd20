package gobang

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/alphabeta"
	"selfplaylab/engines/testmode"
)

// mirror returns a slow position equal to s.
func mirror(s *state) *slow {
	m := &slow{size: s.rules.size, exact: s.rules.exactFive}
	for side := range s.stones {
		for _, move := range s.stones[side].appendMoves(nil) {
			x, y := cellOf(move).xy()
			m.cell[x][y] = stoneLetters[side]
		}
	}
	return m
}

// checkBoard compares all values of b with the slow position's.
func checkBoard(t *testing.T, b *board, s *state, v []float64) {
	t.Helper()
	m := mirror(s)
	fail := func(label string, got, want any) {
		t.Helper()
		t.Fatalf("%s: %v, want %v\n%s%v", label, got, want, s.Board(0).Text(), v)
	}
	for side, colour := range []byte(stoneLetters) {
		if got, want := b.sideScore(engines.Side(side)), m.side(colour, v); got != want {
			fail(string(colour)+" side score", got, want)
		}
		m.each(colour, func(x, y int) {
			if got, want := b.stoneScore(at(x, y)), m.score(x, y, v); got != want {
				fail(fmt.Sprint("score of ", x, ",", y), got, want)
			}
		})
		if got, want := b.has(engines.Side(side), won), m.won(colour); got != want {
			fail(string(colour)+" won", got, want)
		}
		var winning []engines.Move
		if !m.won(colour) {
			winning = slowWinning(m, colour)
		}
		g := b.winning(engines.Side(side))
		if got := g.appendMoves(nil); !b.has(engines.Side(side), won) && !slices.Equal(got, winning) {
			fail(string(colour)+" winning cells", got, winning)
		}
		if got := b.has(engines.Side(side), threat); !m.won(colour) && got != (len(winning) > 0) {
			fail("threat", got, winning)
		}
		key := b.Key()
		if b.me != engines.Side(side) {
			b.me = engines.Side(side)
			if b.Key() == key {
				fail("key, with the other side's score meant", b.Key(), "another")
			}
		}
		want := m.board(colour, colourOf(b.turn), v)
		want = min(max(want, -int64(alphabeta.MaxEval)), int64(alphabeta.MaxEval))
		got := int64(b.Eval())
		if b.turn != b.me {
			got = -got
		}
		if got != want {
			fail(string(colour)+" board score", got, want)
		}
	}
	var near []engines.Move
	for _, c := range m.candidates(b.distance) {
		near = append(near, at(c[0], c[1]).move())
	}
	if g := b.near(); !slices.Equal(g.appendMoves(nil), near) {
		fail("candidates", g.appendMoves(nil), near)
	}
	if b.turn != s.turn || b.count != s.count || b.stones != s.stones || b.key != s.key {
		fail("stones, turn or key", b.key, s.key)
	}
}

func slowWinning(m *slow, colour byte) (list []engines.Move) {
	for x := range m.size {
		for y := range m.size {
			if m.cell[x][y] != 0 {
				continue
			}
			m.cell[x][y] = colour
			if m.wonAt(x, y, colour) {
				list = append(list, at(x, y).move())
			}
			m.cell[x][y] = 0
		}
	}
	return list
}

// randomRules draws a variant, smaller boards more often.
func randomRules(r *rand.Rand) variant {
	return variant{size: minSize + min(r.IntN(maxSize-minSize+1), r.IntN(maxSize-minSize+1)), exactFive: r.IntN(3) == 0}
}

// randomMove returns a random move, in most cases near a stone.
func randomMove(r *rand.Rand, b *board, s *state) engines.Move {
	list := s.Moves(nil)
	if g := b.near(); r.IntN(4) > 0 && s.count > 0 {
		list = g.appendMoves(nil)
	}
	return list[r.IntN(len(list))]
}

// wander plays up to stones stones of a random game on a board, a state and others.
// Instead of one move in back it takes back a move.
// It calls look after every change.
func wander(r *rand.Rand, b *board, s *state, stones, back int, look func(), others ...interface {
	Play(m engines.Move)
	undo()
}) {
	var line []state
	for s.outcome == engines.Ongoing && len(line) < stones {
		if r.IntN(back) == 0 && len(line) > 0 {
			b.undo()
			for _, o := range others {
				o.undo()
			}
			*s, line = line[len(line)-1], line[:len(line)-1]
		} else {
			line = append(line, *s)
			m := randomMove(r, b, s)
			b.Play(m)
			for _, o := range others {
				o.Play(m)
			}
			s.Play(m)
		}
		look()
	}
}

// TestBoardMatchesSlowReference plays random games with moves taken back now
// and then, and compares everything with the slow reference after every change.
func TestBoardMatchesSlowReference(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays many games")
	}
	games := testmode.Times(10, 10)
	r := rand.New(rand.NewPCG(1, 1))
	for range games {
		rules, v := randomRules(r), randomVector(r)
		if rules.size > 9 && v[pEvaluator] == byPattern {
			v[pEvaluator] = bySum // the slow patterns of long lines take too long; TestPatternsMatchDefinition has them
		}
		b, s := newBoard(rules), newState(rules)
		b.configure(v)
		b.load(&s)
		wander(r, b, &s, 60, 5, func() { checkBoard(t, b, &s, v) })
		fresh := newBoard(rules)
		fresh.configure(v)
		fresh.load(&s)
		checkBoard(t, fresh, &s, v)
	}
}

// TestMovesAnswerFours expects, with preset fixed, a win alone, then the answers
// to a four, then the candidates; with preset source always the candidates.
func TestMovesAnswerFours(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 1))
	wins, answers := 0, 0
	for game := range 60 {
		rules := variant{size: 7 + r.IntN(3), exactFive: r.IntN(3) == 0}
		b, s := newBoard(rules), newState(rules)
		b.configure(preset(t, []string{"fixed", "source"}[game%2]))
		for s.outcome == engines.Ongoing {
			b.load(&s)
			m, got := mirror(&s), b.Moves(nil)
			var want []engines.Move
			for _, c := range m.candidates(1) {
				want = append(want, at(c[0], c[1]).move())
			}
			own, foe := slowWinning(m, colourOf(s.turn)), slowWinning(m, colourOf(s.turn.Other()))
			switch {
			case s.count == 0:
				want = []engines.Move{b.start().move()}
			case b.terminal && len(own) > 0:
				wins++
				want = own[:1]
			case b.terminal && len(foe) > 0:
				answers++
				want = foe
			}
			if !slices.Equal(got, want) {
				t.Fatalf("moves %v, want %v\n%s", got, want, s.Board(0).Text())
			}
			list := s.Moves(nil)
			if s.count > 0 {
				list = want
				if len(own) > 0 && r.IntN(3) > 0 { // leave fours for a while
					list = s.Moves(nil)
				}
			}
			s.Play(list[r.IntN(len(list))])
		}
	}
	if wins == 0 || answers == 0 {
		t.Errorf("%d wins, %d answers to fours", wins, answers)
	}
}

// TestBoardCountsShapesAfterFive plays on after a five, as the source's
// search does: shapes of six and more, and fives of both sides, are counted.
func TestBoardCountsShapesAfterFive(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 10 {
		rules, v := variant{size: 6 + r.IntN(3)}, randomVector(r)
		b, s := newBoard(rules), newState(rules)
		b.configure(v)
		b.load(&s)
		for s.count < rules.size*rules.size {
			g := s.allowed()
			list := g.appendMoves(nil)
			m := list[r.IntN(len(list))]
			b.Play(m)
			s.outcome = engines.Ongoing
			s.Play(m)
			checkBoard(t, b, &s, v)
		}
		for b.trailSize > 0 {
			b.undo()
		}
		if start := newState(rules); b.key != start.key || b.count != 0 || b.facts != [2]uint64{} || b.sum != [2]int64{} || b.content != b.geo.empty {
			t.Fatal("undo does not lead back to the empty board")
		}
	}
}

// TestPatternsMatchDefinition compares the patterns of random lines with their definition.
func TestPatternsMatchDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	seen := map[uint8]int{}
	for range 3000 {
		n := 1 + r.IntN(11)
		line, l := make([]byte, n), emptyLine(n)
		for i := range line {
			if d := max(r.IntN(6)-3, 0); d > 0 {
				line[i] = stoneLetters[d-1]
				l ^= stoneBit(engines.Side(d-1), uint8(i))
			}
		}
		exact := r.IntN(2) == 0
		info := analyse(l, exact, true)
		for side, colour := range []byte(stoneLetters) {
			want := slowPattern(line, colour, exact)
			seen[want]++
			if info.kind[side] != want {
				t.Fatalf("%q exact %v: pattern %d of %c, want %d", line, exact, info.kind[side], colour, want)
			}
		}
	}
	for k := uint8(noPattern); k < patterns; k++ {
		if seen[k] == 0 {
			t.Errorf("pattern %d never came up", k)
		}
	}
}

func TestPatternsOfNamedLines(t *testing.T) {
	for _, c := range []struct {
		line string
		want uint8
	}{
		{"...............", noPattern},
		{".......B.......", noPattern},
		{"......BB.......", open2},
		{"W.BB...........", broken2},
		{"......B.B......", open2},
		{"......B..B.....", broken2},
		{"WBB............", half2},
		{"W.BB.W", noPattern},
		{".....BBB.......", open3},
		{"...B.BB........", broken3},
		{"WBBB...........", half3},
		{"W.BBB.W", half3},
		{"W.BBB..W", broken3},
		{".....BBBB......", open4},
		{"WBBBB.....", half4},
		{"...BB.BB...", half4},
		{"B.BBB.B", open4},
		{"BBBBB", full5},
		{"WBBBBW", noPattern},
	} {
		if got := analyse(encode(c.line), false, true).kind[black]; got != c.want {
			t.Errorf("%s: pattern %d, want %d", c.line, got, c.want)
		}
	}
}

// encode reads a line in the form of position texts.
func encode(text string) line {
	l := emptyLine(len(text))
	for i, c := range []byte(text) {
		if side := strings.IndexByte(stoneLetters, c); side >= 0 {
			l ^= stoneBit(engines.Side(side), uint8(i))
		}
	}
	return l
}

// TestPoolForgetsLines fills a pool far beyond its first size and empties it.
func TestPoolForgetsLines(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	p := newPool(false)
	for round := range 2 {
		for range 3 * poolStart {
			n := 5 + r.IntN(maxSize-4)
			own := r.Uint32N(1 << n)
			l := emptyLine(n) | line(own) | line(r.Uint32N(1<<n)&^own)<<maxSize
			id := p.find(l)
			if p.find(l) != id {
				t.Fatal("a line has two ids")
			}
			if want := analyse(l, false, false); p.infos[id] != want {
				t.Fatalf("line %x differs from its analysis", uint64(l))
			}
		}
		if round == 0 {
			p.reset()
			if len(p.infos) != 0 {
				t.Fatal("reset keeps lines")
			}
		}
	}
}

// TestSearchEqualsMinimax expects minimax's value from every
// kind of search, on positions of random games on small boards.
func TestSearchEqualsMinimax(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	hooks := alphabeta.Hooks[board]{Undo: (*board).undo, Rank: (*board).rank, Forced: (*board).forced}
	var searches []*alphabeta.Search[board, *board]
	for _, o := range []alphabeta.Options{
		{Minimax: true},
		{},
		{Table: 1 << 6},
		{Table: 1 << 14},
		{Table: 1 << 14, Unordered: true},
		{Table: 1 << 14, Ties: alphabeta.TieEval},
		{Table: 1 << 15, Ties: alphabeta.TieEval},
	} {
		searches = append(searches, alphabeta.New[board](o, hooks))
	}
	trials, ended := 120, 0
	if testing.Short() {
		trials = 40
	}
	for range trials {
		rules, v := variant{size: 5 + r.IntN(3), exactFive: r.IntN(3) == 0}, randomVector(r)
		b, s := newBoard(rules), newState(rules)
		b.configure(v)
		b.load(&s)
		for range 4 + r.IntN(rules.size*rules.size-8) {
			if m := randomMove(r, b, &s); s.outcome == engines.Ongoing {
				next := s
				if next.Play(m); next.outcome != engines.Ongoing {
					break
				}
				s = next
				b.Play(m)
			}
		}
		b.me = s.turn
		depth := 1 + r.IntN(3)
		if b.area-b.count < 12 {
			depth++
		}
		want := searches[0].Think(context.Background(), b, nil, engines.Limits{Depth: depth})
		if _, proven := alphabeta.Mate(want.Score); proven {
			ended++
		}
		for i, search := range searches[1:] {
			search.NewGame()
			if got := search.Think(context.Background(), b, nil, engines.Limits{Depth: depth}); got.Score != want.Score {
				t.Fatalf("search %d depth %d: %d, want %d\n%s%v", i+1, depth, got.Score, want.Score, s.Board(0).Text(), v)
			}
		}
		checkBoard(t, b, &s, v) // the searches have restored the board
	}
	if ended == 0 {
		t.Error("no search saw the end of a game")
	}
}

// TestSourceSearchMatchesSlowSearch compares preset source with the slow search, for both colours.
func TestSourceSearchMatchesSlowSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("short: searches many positions")
	}
	r := rand.New(rand.NewPCG(6, 1))
	for range 40 {
		rules := variant{size: 5 + r.IntN(4)}
		v := preset(t, "source")
		for i := range shapes {
			v[pLive2+i] = space[pLive2+i].Clip(v[pLive2+i] * (0.5 + r.Float64()))
		}
		p := newPlayer(rules)
		if err := p.Configure(v); err != nil {
			t.Fatal(err)
		}
		b, s := newBoard(rules), newState(rules)
		b.configure(v)
		b.load(&s)
		for range 1 + r.IntN(rules.size*rules.size-1) {
			m := randomMove(r, b, &s)
			if next := s; next.outcome == engines.Ongoing {
				if next.Play(m); next.outcome != engines.Ongoing {
					break
				}
				s = next
				b.load(&s)
			}
		}
		depth := 1 + r.IntN(3)
		if err := p.Reset(s.String(), 0); err != nil {
			t.Fatal(err)
		}
		got, err := p.Choose(context.Background(), nil, engines.Limits{Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		m := mirror(&s)
		x, y, score := m.best(depth, colourOf(s.turn), v)
		if got.Move != at(x, y).move() || int64(got.Score) != score {
			t.Fatalf("depth %d: %s score %v, want %s score %d\n%s", depth, s.MoveString(got.Move), got.Score, cellString(at(x, y), rules.size), score, s.Board(0).Text())
		}
	}
}

// TestRootMovesHaveMinimaxScores checks the value of every root move of the search vectors.
func TestRootMovesHaveMinimaxScores(t *testing.T) {
	for _, v := range readVectors(t).Search {
		s := newState(variant{size: 15})
		if err := s.SetText(joinRows(v.Rows) + " W"); err != nil {
			t.Fatal(err)
		}
		b := newBoard(s.rules)
		b.configure(preset(t, "source"))
		b.load(&s)
		search := alphabeta.New[board](alphabeta.Options{Ties: alphabeta.TieEval, Table: 1 << 15}, engine(b).Hooks)
		b.me = white
		moves := b.Moves(nil)
		if len(moves) != len(v.RootScores) {
			t.Fatalf("%s: %d root moves, want %d", v.Name, len(moves), len(v.RootScores))
		}
		for i, want := range v.RootScores {
			if moves[i] != at(int(want[0]), int(want[1])).move() {
				t.Fatalf("%s: root move %d is %s, want %v", v.Name, i, s.MoveString(moves[i]), want)
			}
			b.Play(moves[i])
			got := search.Think(context.Background(), b, nil, engines.Limits{Depth: v.Depth - 1})
			b.undo()
			if -int64(got.Score) != want[2] {
				t.Errorf("%s: %s scores %d, want %d", v.Name, s.MoveString(moves[i]), -got.Score, want[2])
			}
		}
	}
}
