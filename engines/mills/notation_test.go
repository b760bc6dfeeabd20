package mills

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
)

func TestSetTextRefusesBadPositions(t *testing.T) {
	const empty = "......../......../........"
	for _, row := range []struct{ rules, text, want string }{
		{"", "W", "wrong number of fields (1); want 24 points by rings"},
		{"", empty + " W 12", "wrong number of fields (3)"},
		{"", empty + " W 12 12 - -", "wrong number of fields (6)"},
		{"", "......../......../....... W 12 12", "want 24 points by rings"},
		{"", ".................../...... W 12 12", "want 24 points by rings"},
		{"", "......../...o..../........ W 12 12", "'o' on point f4; want . W B or x"},
		{"", "......../....\xff.../........ W 12 12", "on point f2"},
		{"", empty + " w 12 12", `side to move "w"; want W or B`},
		{"", empty + " WB 12 12", `side to move "WB"; want W or B`},
		{"", empty + " W 13 12", `"13" men in hand of W; want 0 to 12`},
		{"", empty + " W 12 -1", `"-1" men in hand of B; want 0 to 12`},
		{"", empty + " W 12 300", `"300" men in hand of B; want 0 to 12`},
		{"preset=chengsan9", empty + " W 12 12", `"12" men in hand of W; want 0 to 9`},
		{"", "W......./......../........ W 12 12", "W has 13 men on the board and in hand; at most 12"},
		{"", "WWWWWWWW/WWWWW.../BBB..... W 0 0", "W has 13 men on the board and in hand; at most 12"},
		{"", "WW....../BB....../........ W 0 0", "both sides have fewer than three men"},
		{"", empty + " B 12 12", "B to place with 12 and 12 men in hand; W places with equal hands, B with one more than W"},
		{"", "W......./......../........ W 11 12", "W to place with 11 and 12 men in hand"},
		{"", "W......./B......./........ B 11 11", "B to place with 11 and 11 men in hand"},
		{"", "WWW..x../BBB...../........ W 0 0", "closed points (x) with no men in hand; they are free (.) once placing has ended"},
		{"closed_points=no", "WWW...../Bx....../........ B 9 10", "closed points (x) under the rule closed_points=no; write them free (.)"},
		{"", "WWW...../B......./........ B 9 10", "0 closed points (x) and 1 men lost of 12 a side"},
		{"", "x......./......../........ W 12 12", "1 closed points (x) and 0 men lost of 12 a side"},
		{"reform=restricted", "WWW...../BBB...../........ W 0 0 b6-b4 -", `step "b6-b4" not to be made by W; want a step of one of its men, or -`},
		{"reform=restricted", "WWW...../BBB...../........ W 0 0 a7 -", `step "a7" not to be made by W`},
		{"reform=restricted", "WWW...../BBB...../........ W 0 0 - z", `move "z"`},
	} {
		p := open(t, row.rules).start
		before := p
		err := p.SetText(row.text)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: error %v, want one with %q", row.text, err, row.want)
		}
		if p != before {
			t.Errorf("%q: the position changed on an error", row.text)
		}
	}
}

func TestParseMoveRefusesBadMoves(t *testing.T) {
	p := open(t, "").start
	for _, text := range []string{"", "d8", "D6", "h1", "d6-", "-d6", "d6-d6", "d6-d5-d7", "d6x", "xb4", "d6xb4xb4", "d6xd7xd5xe4xe5", "d6 d5", "d6--d5"} {
		if m, err := p.ParseMove(text); err == nil || !strings.Contains(err.Error(), "want a placement such as d6") {
			t.Errorf("%q: %x, %v; want an error that shows the form", text, m, err)
		}
	}
}

func TestMoveStringOfNoPoint(t *testing.T) {
	p := open(t, "").start
	for _, row := range []struct{ text, canonical string }{
		{"d6", "d6"}, {"a7", "a7"}, {"d6-d5", "d6-d5"}, {"a7-d7", "a7-d7"}, {"d6xb4", "d6xb4"},
		{"d6-d5xb4", "d6-d5xb4"}, {"d6-d5xb4xa7xc4", "d6-d5xa7xb4xc4"},
	} {
		m, err := p.ParseMove(row.text)
		if err != nil || p.MoveString(m) != row.canonical || m == 0 {
			t.Errorf("%q is %x, %q, %v", row.text, m, p.MoveString(m), err)
		}
	}
	if got := p.MoveString(^engines.Move(0)); !strings.Contains(got, "?") {
		t.Errorf("a move of no points is %q", got)
	}
}

func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"d6", "d6-d5", "d6xb4", "d6-d5xb4", "d6-d5xb4xa7", "", "x", "-", "d6-"} {
		f.Add(text)
	}
	p := open(f, "").start
	f.Fuzz(func(t *testing.T, text string) {
		m, err := p.ParseMove(text)
		if err != nil {
			return
		}
		again, err := p.ParseMove(p.MoveString(m))
		if err != nil || again != m {
			t.Errorf("%q is %x, written %q, read back %x, %v", text, m, p.MoveString(m), again, err)
		}
	})
}

func FuzzSetText(f *testing.F) {
	for _, row := range perftTable[1:] {
		f.Add(row.position, "")
	}
	f.Add("WW.W.B../...W.B../...W.B.. B 0 0 g4-g7 -", "reform=restricted")
	f.Add("......../......../........ W 9 9", "preset=chengsan9")
	starts := map[string]position{}
	for _, rules := range []string{"", "reform=restricted", "preset=chengsan9", "closed_points=no,fly_at=3"} {
		starts[rules] = open(f, rules).start
	}
	f.Fuzz(func(t *testing.T, text, rules string) {
		p, known := starts[rules]
		if !known || p.SetText(text) != nil {
			return
		}
		q := p
		if err := q.SetText(p.String()); err != nil || q != p {
			t.Fatalf("%q is %s, read back %s, %v", text, &p, &q, err)
		}
		// Whatever is accepted can be played on, drawn and hashed.
		for _, m := range p.Moves(nil) {
			next := p
			next.Play(m)
			if again := placed(t, p, next.String()); again.Key() != next.Key() {
				t.Fatalf("%s after %s: key %x, read back %x", &next, p.MoveString(m), next.Key(), again.Key())
			}
		}
		if p.Board(0).Text() == "" {
			t.Fatal("no drawing")
		}
	})
}

func TestBoardTextShowsPosition(t *testing.T) {
	for _, row := range []struct{ rules, position, want string }{
		{"", ".BBW.xWx/..BW..WB/..BW.... W 6 6", `
7  .-----------B-----------B
   | \         |         / |
6  |   .-------.-------B   |
   |   | \     |     / |   |
5  |   |   .---.---B   |   |
   |   |   |       |   |   |
4  x---B---.       W---W---W
   |   |   |       |   |   |
3  |   |   .---.---.   |   |
   |   | /     |     \ |   |
2  |   W-------.-------.   |
   | /         |         \ |
1  W-----------x-----------.
   a   b   c   d   e   f   g
W to move, in hand W 6, B 6; x is closed until placing ends
`},
		{"diagonals=no", "WWB....B/.B....../........ W 0 0", `
7  W-----------W-----------B
   |           |           |
6  |   .-------B-------.   |
   |   |       |       |   |
5  |   |   .---.---.   |   |
   |   |   |       |   |   |
4  B---.---.       .---.---.
   |   |   |       |   |   |
3  |   |   .---.---.   |   |
   |   |       |       |   |
2  |   .-------.-------.   |
   |           |           |
1  .-----------.-----------.
   a   b   c   d   e   f   g
ended 0-1 (men)
`},
	} {
		p := placed(t, open(t, row.rules).start, row.position)
		if d := cmp.Diff(row.want[1:], p.Board(0).Text()); d != "" {
			t.Errorf("%s (-want +got)\n%s", row.position, d)
		}
	}
}
