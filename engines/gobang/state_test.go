package gobang

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
)

// setUp returns the position of a text, its size read from it.
func setUp(t testing.TB, text string) state {
	t.Helper()
	s := newState(variant{size: strings.Count(text, "/") + 1})
	if err := s.SetText(text); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPerftIsProduct: nobody can win before the ninth ply, so the counts are products.
func TestPerftIsProduct(t *testing.T) {
	for _, c := range []struct {
		rules string
		depth int
		want  uint64
	}{
		{"", 1, 225},
		{"", 3, 225 * 224 * 223},
		{"size=5", 4, 25 * 24 * 23 * 22},
		{"size=22", 2, 484 * 483},
		{"opening_ring=yes", 2, (225 - 121) * 224},
		{"preset=source,size=6", 3, (36 - 4) * 35 * 34},
		{"size=5,opening_ring=yes", 2, 24 * 24},
	} {
		referee := open(t, c.rules).NewReferee()
		if err := referee.Reset(""); err != nil {
			t.Fatal(err)
		}
		if got := referee.Perft(c.depth); got != c.want {
			t.Errorf("%q perft %d = %d, want %d", c.rules, c.depth, got, c.want)
		}
	}
}

// slowPerft counts sequences with the slow position.
func slowPerft(m *slow, colour byte, depth int) (nodes uint64) {
	if depth == 0 {
		return 1
	}
	if m.won('B') || m.won('W') {
		return 0
	}
	for x := range m.size {
		for y := range m.size {
			if m.cell[x][y] == 0 {
				m.cell[x][y] = colour
				nodes += slowPerft(m, 'B'+'W'-colour, depth-1)
				m.cell[x][y] = 0
			}
		}
	}
	return nodes
}

// TestPerftCountsEnds counts the games that end by five and by a full board.
func TestPerftCountsEnds(t *testing.T) {
	for _, text := range []string{
		"BBBB./WWWW./BWBW./WBWB./.BWB. B",
		"BBBB./WWWW./BWBW./WBWB./.BWB. W",
		"BB.BBB/WWW.W./BWBWBW/WBWBWB/BWBBWB/WBWWB. B",
		"B...B/.B.B./WWWW./.B.B./B...W B",
	} {
		for _, exact := range []string{"no", "yes"} {
			n := strings.Count(text, "/") + 1
			game := open(t, fmt.Sprintf("size=%d,exact_five=%s", n, exact))
			referee := game.NewReferee()
			if err := referee.Reset(text); err != nil {
				t.Fatal(err)
			}
			s := newState(variant{size: n, exactFive: exact == "yes"})
			if err := s.SetText(text); err != nil {
				t.Fatal(err)
			}
			for depth := range 5 {
				if got, want := referee.Perft(depth), slowPerft(mirror(&s), colourOf(s.turn), depth); got != want {
					t.Errorf("%s exact_five=%s: perft %d = %d, want %d", text, exact, depth, got, want)
				}
			}
		}
	}
}

// TestRandomGamesFollowRules expects that exactly the listed moves are legal, that texts
// and moves read back, and that referee, slow position and search agree about the end.
func TestRandomGamesFollowRules(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	outcomes := map[engines.Outcome]int{}
	for range 40 {
		rules := randomRules(r)
		rules.ring = r.IntN(2) == 0
		s, b := newState(rules), newBoard(rules)
		b.load(&s)
		for s.outcome == engines.Ongoing {
			list := s.Moves(nil)
			checkLegal(t, &s, list)
			checkTexts(t, &s, list)
			m := list[r.IntN(len(list))]
			if near := b.Moves(nil); r.IntN(10) > 0 {
				m = near[r.IntN(len(near))]
			}
			s.Play(m)
			b.Play(m)
			if b.Outcome() != s.outcome {
				t.Fatalf("the search sees %v, the rules %v:\n%s", b.Outcome(), s.outcome, s.Board(0).Text())
			}
			if slow := mirror(&s); slow.won('B') != (s.outcome == engines.FirstWins) || slow.won('W') != (s.outcome == engines.SecondWins) {
				t.Fatalf("outcome %v:\n%s", s.outcome, s.Board(0).Text())
			}
		}
		outcomes[s.outcome]++
		if len(s.Moves(nil)) != 0 || s.Legal(at(0, 0).move()) || s.Reason() == engines.NoReason {
			t.Fatalf("after the end: moves %v, reason %q", s.Moves(nil), s.Reason())
		}
		checkTexts(t, &s, nil)
	}
	if outcomes[engines.FirstWins] == 0 || outcomes[engines.SecondWins] == 0 || outcomes[engines.Draw] == 0 {
		t.Errorf("outcomes %v; every one should come up", outcomes)
	}
}

func checkLegal(t *testing.T, s *state, list []engines.Move) {
	t.Helper()
	if !slices.IsSorted(list) || len(list) == 0 {
		t.Fatalf("moves %v", list)
	}
	legal := 0
	for m := range engines.Move(1100) {
		if s.Legal(m) {
			legal++
			if !slices.Contains(list, m) {
				t.Fatalf("%d is legal and not listed", m)
			}
		}
	}
	if legal != len(list) || s.Legal(1<<31) || s.Legal(^engines.Move(0)) {
		t.Fatalf("%d legal moves, %d listed", legal, len(list))
	}
}

func checkTexts(t *testing.T, s *state, list []engines.Move) {
	t.Helper()
	again := newState(s.rules)
	if err := again.SetText(s.String()); err != nil {
		t.Fatal(err)
	}
	if again != *s {
		t.Fatalf("%q reads back as %q", s.String(), again.String())
	}
	for _, m := range list {
		x, y := cellOf(m).xy()
		for _, text := range []string{s.MoveString(m), fmt.Sprintf("%d,%d", x, y)} {
			if got, err := s.ParseMove(text); err != nil || got != m {
				t.Fatalf("move %q reads as %d, %v; want %d", text, got, err, m)
			}
		}
	}
}

func TestNotationReadsBack(t *testing.T) {
	s := newState(variant{size: 15})
	for text, want := range map[string]cell{"a15": at(0, 0), "h8": at(7, 7), "a1": at(0, 14), "o1": at(14, 14), "7,7": at(7, 7), "0,14": at(0, 14)} {
		if m, err := s.ParseMove(text); err != nil || cellOf(m) != want {
			t.Errorf("%s: cell %d, %v; want %d", text, cellOf(m), err, want)
		}
	}
	for _, text := range []string{"", "h", "8", "p1", "a0", "a16", "h08", "H8", "h-1", "15,0", "0,15", "-1,0", "+1,0", "1,", ",1", "1,2,3", "1, 2", "h8 ", "a99999999999999999999"} {
		if m, err := s.ParseMove(text); err == nil {
			t.Errorf("%q reads as %s", text, s.MoveString(m))
		}
	}
}

func TestMoveStringOffBoard(t *testing.T) {
	s := newState(variant{size: 15})
	for _, m := range []engines.Move{0, at(15, 0).move(), at(0, 15).move(), 1 << 31, ^engines.Move(0)} {
		text := s.MoveString(m)
		if _, err := s.ParseMove(text); err == nil || text[0] != '#' {
			t.Errorf("move %d is written %q, error %v", m, text, err)
		}
	}
}

func TestBoardDescribesPosition(t *testing.T) {
	s := setUp(t, "B..../.W.../...../...../....B W")
	want := ` 5 B . . . .
 4 . W . . .
 3 . . . . .
 2 . . . . .
 1 . . . . B
   a b c d e
W to move
`
	if got := s.Board(0).Text(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if s := setUp(t, "BBBBB/...../...../...../..... W"); !strings.Contains(s.Board(0).Text(), "over: 1-0 by five") {
		t.Errorf("the end is not shown:\n%s", s.Board(0).Text())
	}
}

func TestOutcomesOfSetUpPositions(t *testing.T) {
	full := "BBBWW/WWWBB/BBBWW/WWWBB/BBBWW"
	for _, c := range []struct {
		text, exact string
		outcome     engines.Outcome
	}{
		{"BBBBB/...../...../...../..... W", "no", engines.FirstWins},
		{"BBBBB/...../...../...../..... B", "no", engines.FirstWins},
		{"W..../.W.../..W../...W./....W B", "no", engines.SecondWins},
		{"....W/...W./..W../.W.../W.... B", "yes", engines.SecondWins},
		{"BBBBBB/....../....../....../....../...... W", "no", engines.FirstWins},
		{"BBBBBB/....../....../....../....../...... W", "yes", engines.Ongoing},
		{"BBBB.B/....../....../....../....../...... W", "no", engines.Ongoing},
		{full + " W", "no", engines.Draw},
	} {
		game := open(t, fmt.Sprintf("size=%d,exact_five=%s", strings.Count(c.text, "/")+1, c.exact))
		referee := game.NewReferee()
		if err := referee.Reset(c.text); err != nil {
			t.Fatal(err)
		}
		if got, _ := referee.Result(); got != c.outcome {
			t.Errorf("%s exact_five=%s: %v, want %v", c.text, c.exact, got, c.outcome)
		}
	}
}

func TestSetTextRefusesBadText(t *testing.T) {
	empty := strings.Repeat("...../", 4) + "....."
	for _, c := range []struct{ text, want string }{
		{"", "side to move"},
		{empty, "side to move"},
		{empty + " X", "side to move"},
		{empty + " b", "side to move"},
		{empty + " W ", "side to move"},
		{"...../..... B", "2 rows on a board of size 5"},
		{empty + "/..... B", "6 rows on a board of size 5"},
		{"....../...../...../...../..... B", "row y=0 has 6 cells"},
		{"...../..../...../...../..... B", "row y=1 has 4 cells"},
		{"...../..w../...../...../..... B", "cell 2,1 is 'w'"},
		{"BBBBB/WWWWW/...../...../..... B", "both sides"},
	} {
		s := newState(variant{size: 5})
		s.Play(at(2, 2).move())
		before := s
		err := s.SetText(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q in it", c.text, err, c.want)
		}
		if s != before {
			t.Errorf("%q: the position changed", c.text)
		}
	}
}

func TestRulesRefuseBadValues(t *testing.T) {
	for _, rules := range []string{"size=4", "size=23", "size=-1", "size=x", "size=015", "exact_five=maybe", "opening_ring=1", "preset=mine", "width=15"} {
		r, err := engines.ParseRules(rules)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Game().Open(r); err == nil {
			t.Errorf("%s was accepted", rules)
		}
	}
	for given, want := range map[string]string{
		"":                              "preset=standard,size=15,exact_five=no,opening_ring=no",
		"preset=source":                 "preset=source,size=15,exact_five=no,opening_ring=yes",
		"opening_ring=yes":              "preset=source,size=15,exact_five=no,opening_ring=yes",
		"preset=source,opening_ring=no": "preset=standard,size=15,exact_five=no,opening_ring=no",
		"size=22,exact_five=yes":        "preset=standard,size=22,exact_five=yes,opening_ring=no",
	} {
		if got := open(t, given).Rules; got != want {
			t.Errorf("rules %q are %q, want %q", given, got, want)
		}
	}
}

func FuzzSetText(f *testing.F) {
	f.Add("B..../.W.../...../...../....B W")
	f.Add("BBBBB/...../...../...../..... W")
	f.Add("//// B")
	f.Fuzz(func(t *testing.T, text string) {
		s := newState(variant{size: 5})
		if err := s.SetText(text); err != nil {
			return
		}
		if s.String() != text {
			t.Errorf("%q reads back as %q", text, s.String())
		}
		if (len(s.Moves(nil)) == 0) != (s.Outcome() != engines.Ongoing) {
			t.Errorf("%q: %d moves, outcome %v", text, len(s.Moves(nil)), s.Outcome())
		}
	})
}

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"h8", "7,7", "a1", "v22", "21,0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := newState(variant{size: maxSize})
		m, err := s.ParseMove(text)
		if err != nil {
			return
		}
		if !s.Legal(m) {
			t.Errorf("%q reads as %d, which is off the board", text, m)
		}
		x, y := cellOf(m).xy()
		if s.MoveString(m) != text && fmt.Sprintf("%d,%d", x, y) != text {
			t.Errorf("%q reads as %s", text, s.MoveString(m))
		}
	})
}
