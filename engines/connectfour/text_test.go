package connectfour

import (
	"math/rand/v2"
	"strings"
	"testing"

	"selfplaylab/engines"
)

// fails checks that err contains want.
func fails(t *testing.T, label string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want one with %q", label, err, want)
	}
}

// TestSetTextReadsColumnsOfMoves sets the position that a text of columns leads to.
func TestSetTextReadsColumnsOfMoves(t *testing.T) {
	p := rules{rows: 6, cols: 7, cell: noCell}.initial()
	if err := p.SetText("2252576253462244"); err != nil {
		t.Fatal(err)
	}
	if got, want := p.String(), ".2...../.1...../.2...../.2.21../.2.112./.121112 1"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	for _, text := range []string{"8", "1111111", "12121212"} {
		before := p.String()
		if err := p.SetText(text); err == nil || !strings.Contains(err.Error(), "move ") || p.String() != before {
			t.Errorf("%s: %v, and the position is %s", text, err, p.String())
		}
	}
}

func TestSetTextRefusesBadText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "want rows from the top"},
		{"no side", "..../..../..../....", "then the side to move"},
		{"side 3", "..../..../..../.... 3", "then the side to move"},
		{"more after the side", "..../..../..../.... 1 1", "then the side to move"},
		{"three rows", "..../..../.... 1", "3 rows of 4 columns; want 4 to 12"},
		{"three columns", ".../.../.../... 1", "4 rows of 3 columns"},
		{"thirteen rows", strings.Repeat("..../", 12) + ".... 1", "13 rows"},
		{"thirteen columns", strings.Repeat(strings.Repeat(".", 13)+"/", 3) + strings.Repeat(".", 13) + " 1", "13 columns"},
		{"ragged", "..../..../...../.... 1", "row 2 has 5 columns and row 0 has 4"},
		{"letter", "..../..../..o./.... 1", "row 2: 'o' at column 2"},
		{"two forbidden cells", ".x../..../...x/.... 1", "forbidden cells at 0:1 and 2:3; want at most one"},
		{"floating", "..../..../.1../.... 2", "row 2, column 1 floats"},
		{"floating over the forbidden cell", "..../.1../.x../.... 2", "row 1, column 1 floats"},
		{"wrong side", "..../..../..../1... 1", "1 stones of side 1 and 0 of side 2 with side 1 to move"},
		{"too many of one side", "..../..../..../111. 2", "3 stones of side 1"},
		{"second moved first", "..../..../..../2... 1", "0 stones of side 1 and 1 of side 2"},
		{"side to move has four", "..../.2../22../1111 1", "4 stones of side 1 and 3 of side 2"},
		{"both have four", "..../..../2222/1111 1", "side 1 is to move and has four"},
	} {
		p := boardOf(6, 7, nil)
		before := p
		fails(t, c.name, p.SetText(c.text), c.want)
		if p != before {
			t.Errorf("%s: the position changed", c.name)
		}
	}
}

func TestSetTextAcceptsFinishedGames(t *testing.T) {
	for _, c := range []struct {
		text    string
		outcome engines.Outcome
	}{
		{"..../..../..../.... 1", engines.Ongoing},
		{" ..../..../..../....  1\n", engines.Ongoing},
		{"..../.12./.x1./.21. 2", engines.Ongoing},
		{"..../..../222./1111 2", engines.FirstWins},
		{"..../..1./111./2222 1", engines.SecondWins},
		{"2122/1211/2122/1211 1", engines.Draw},
		{"212x/1211/2122/1211 2", engines.Draw},
		{"............/............/............/............/............/............/............/............/............/............/............/...........x 1", engines.Ongoing},
	} {
		p := position{rules: rules{cell: anyCell}}
		if err := p.SetText(c.text); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if p.Outcome() != c.outcome {
			t.Errorf("%s: %v, want %v", c.text, p.Outcome(), c.outcome)
		}
		if want := strings.Join(strings.Fields(c.text), " "); p.String() != want {
			t.Errorf("%s reads back as %s", want, &p)
		}
	}
}

// TestSetTextKeepsRules refuses boards that the rules exclude.
func TestSetTextKeepsRules(t *testing.T) {
	for _, c := range []struct{ rules, text, want string }{
		{"rows=6", "..../..../..../.... 1", "board of 4 rows under the rule rows=6"},
		{"cols=7", "..../..../..../.... 1", "board of 4 columns under the rule cols=7"},
		{"forbidden=none", "..../..../.x../.... 1", "forbidden cell 2:1 under the rule forbidden=none"},
		{"forbidden=2:2", "..../..../.x../.... 1", "forbidden cell 2:1 under the rule forbidden=2:2"},
		{"forbidden=2:2", "..../..../..../.... 1", "forbidden cell none under the rule forbidden=2:2"},
	} {
		fails(t, c.rules, open(t, c.rules).NewReferee().Reset(c.text), c.want)
		fails(t, c.rules, open(t, c.rules).NewPlayer().Reset(c.text, 1), c.want)
	}
	for _, rules := range []string{"", "rows=4,cols=4", "forbidden=2:1", "rows=4,cols=4,forbidden=2:1"} {
		if err := open(t, rules).NewReferee().Reset("..../..../.x../.... 1"); err != nil {
			t.Errorf("%s: %v", rules, err)
		}
	}
}

func TestRulesHaveCanonicalText(t *testing.T) {
	for _, c := range []struct{ rules, canonical, initial string }{
		{"", "rows=random,cols=random,forbidden=random", strings.Repeat("........../", 9) + ".......... 1"},
		{"rows=4,cols=5,forbidden=none", "rows=4,cols=5,forbidden=none", "...../...../...../..... 1"},
		{"rows=04,cols=5,forbidden=03:00", "rows=4,cols=5,forbidden=3:0", "...../...../...../x.... 1"},
		{"rows=4,cols=4,forbidden=0:3", "rows=4,cols=4,forbidden=0:3", "...x/..../..../.... 1"},
		{"cols=4,forbidden=8:0", "rows=random,cols=4,forbidden=8:0", "..../..../..../..../..../..../..../..../x.../.... 1"},
	} {
		v := open(t, c.rules)
		if v.Rules != c.canonical {
			t.Errorf("rules %q are %q, want %q", c.rules, v.Rules, c.canonical)
		}
		ref := v.NewReferee()
		if err := ref.Reset(""); err != nil {
			t.Fatal(err)
		}
		if ref.String() != c.initial {
			t.Errorf("rules %q begin at %s, want %s", c.rules, ref, c.initial)
		}
		if again := open(t, c.canonical); again.Rules != c.canonical {
			t.Errorf("canonical rules %q read as %q", c.canonical, again.Rules)
		}
	}
}

func TestRulesRefuseBadValues(t *testing.T) {
	for _, c := range []struct{ rules, want string }{
		{"rows=3", "want a whole number from 4 to 12, or random"},
		{"rows=13", "want a whole number from 4 to 12, or random"},
		{"cols=-9", "want a whole number from 4 to 12, or random"},
		{"cols=9.5", "rule cols"},
		{"rows=many", "rule rows"},
		{"forbidden=9:9", "off the board; with rows=random and cols=random want a row from 0 to 8 and a column from 0 to 8"},
		{"rows=6,cols=7,forbidden=6:0", "want a row from 0 to 5 and a column from 0 to 6"},
		{"rows=6,cols=7,forbidden=0:7", "want a row from 0 to 5 and a column from 0 to 6"},
		{"forbidden=-1:0", "want row:col"},
		{"forbidden=5", "want row:col"},
		{"forbidden=1:2:3", "want row:col"},
		{"forbidden=all", "want row:col"},
		{"columns=9", "no rule"},
	} {
		r, err := engines.ParseRules(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Game().Open(r)
		fails(t, c.rules, err, c.want)
	}
}

func TestMovesReadBack(t *testing.T) {
	p := boardOf(9, 11, []int{0, 4})
	for c := 1; c <= 11; c++ {
		m, err := p.ParseMove(p.MoveString(engines.Move(c)))
		if err != nil || m != engines.Move(c) {
			t.Errorf("column %d: %d, %v", c, m, err)
		}
	}
	for _, text := range []string{"", "0", "12", "-1", "a", "1.5", "300", " 1"} {
		_, err := p.ParseMove(text)
		fails(t, text, err, "want a column from 1 to 11")
	}
	if p.Penalty() != 0 {
		t.Error("a fault does not lose")
	}
}

func TestBoardTextShowsPosition(t *testing.T) {
	p := boardOf(4, 10, []int{2, 1})
	for _, m := range []engines.Move{2, 2, 10} {
		p.Play(m)
	}
	want := `  .  .  .  .  .  .  .  .  .  .
  .  2  .  .  .  .  .  .  .  .
  .  x  .  .  .  .  .  .  .  .
  .  1  .  .  .  .  .  .  .  1
  1  2  3  4  5  6  7  8  9 10
side 2 to move
`
	if p.Board(0).Text() != want {
		t.Errorf("board\n%swant\n%s", p.Board(0).Text(), want)
	}
}

// FuzzSetText reads any text. An accepted text is a position by the slow rules.
func FuzzSetText(f *testing.F) {
	for _, text := range []string{
		"..../..../..../.... 1",
		"..../.12./.x1./.21. 2",
		"..../..../222./1111 2",
		"x..../...../...../...../12... 1",
		"..../.1../.x../.... 2",
		"2122/1211/2122/1211 1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := position{rules: rules{cell: anyCell}}
		if p.SetText(text) != nil {
			return
		}
		q := position{rules: p.rules}
		if err := q.SetText(p.String()); err != nil || q != p {
			t.Fatalf("%q: %s reads back as %s, %v", text, &p, &q, err)
		}
		r := rand.New(rand.NewPCG(1, 1))
		s := slowOf(p.String())
		for p.Outcome() == engines.Ongoing {
			compare(t, &p, s)
			moves := p.Moves(nil)
			m := moves[r.IntN(len(moves))]
			p.Play(m)
			s.play(int(m) - 1)
		}
	})
}
