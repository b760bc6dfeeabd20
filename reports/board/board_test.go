package board_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"selfplaylab/reports/board"
)

var sides = [2]board.Side{
	{Name: "First", Letter: "X", Tone: board.Red},
	{Name: "Second", Letter: "O", Tone: board.White},
}

func full(kind board.Kind, width, height int) board.Board {
	b := board.Board{Title: "Game", Kind: kind, Width: width, Height: height, Sides: sides}
	b.FillGrid(func(x, y int) string { return fmt.Sprint(x, ":", y) })
	return b
}

func TestTextShowsEveryKind(t *testing.T) {
	lattice := full(board.Lattice, 3, 2)
	lattice.Files, lattice.Ranks, lattice.Caption = board.Letters(3), board.Falling(2), "X to move\nsoon"
	lattice.Pieces = []board.Piece{{At: board.At{X: 2, Y: 0}, Side: 1}, {At: board.At{X: 0, Y: 1}}}
	rack := full(board.Rack, 3, 2)
	rack.Files = board.Rising(3)
	rack.Marks = []board.Mark{{At: board.At{X: 1, Y: 1}, Kind: board.Forbidden}}
	rooms := full(board.Rooms, 3, 3)
	rooms.Files, rooms.Ranks = board.Letters(3), board.Falling(3)
	rooms.Pieces = []board.Piece{{At: board.At{X: 1, Y: 2}}}
	rooms.Walls = []board.Wall{{X1: -0.5, Y1: 0.5, X2: 1.5, Y2: 0.5}, {X1: 1.5, Y1: 0.5, X2: 1.5, Y2: 2.5}}
	network := board.Board{Kind: board.Network, Width: 3, Height: 3, Files: board.Letters(3), Ranks: board.Falling(3), Sides: sides}
	corner := []board.At{{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: 2}, {X: 0, Y: 2}}
	for i, at := range corner {
		network.Places = append(network.Places, board.Place{At: at})
		network.Lines = append(network.Lines, board.Line{From: at, To: corner[(i+1)%4], Kind: board.Edge})
	}
	middle := board.At{X: 1, Y: 1}
	network.Places = append(network.Places, board.Place{At: middle})
	network.Lines = append(network.Lines, board.Line{From: corner[0], To: middle, Kind: board.Edge},
		board.Line{From: corner[3], To: middle, Kind: board.Edge}, board.Line{From: corner[1], To: corner[3], Kind: board.Row})
	for _, c := range []struct {
		b    board.Board
		want string
	}{
		{lattice, " 2 . . O\n 1 X . .\n   a b c\nX to move\nsoon\n"},
		{rack, "  .  .  .\n  .  x  .\n  1  2  3\n"},
		{full(board.Squares, 2, 1), "   . .\n"},
		{rooms, `
   +---+---+---+
 3 |           |
   |━━━·━━━·   |
 2 |       ┃   |
   |   ·   ·   |
 1 |     X ┃   |
   +---+---+---+
     a   b   c
`[1:]},
		{network, `
3  .-------.
   | \     |
2  |   .   |
   | /     |
1  .-------.
   a   b   c
`[1:]},
	} {
		if d := cmp.Diff(c.want, c.b.Text()); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.b.Kind, d)
		}
	}
}

// anyBoard draws boards of every kind, sensible or not.
func anyBoard(t *rapid.T) board.Board {
	kinds := []board.Kind{board.Squares, board.Rooms, board.Lattice, board.Network, board.Rack, "other"}
	b := full(rapid.SampledFrom(kinds).Draw(t, "kind"), rapid.IntRange(1, 22).Draw(t, "width"), rapid.IntRange(1, 22).Draw(t, "height"))
	at := func() board.At {
		return board.At{X: rapid.IntRange(0, b.Width-1).Draw(t, "x"), Y: rapid.IntRange(0, b.Height-1).Draw(t, "y")}
	}
	half := func() float64 { return float64(rapid.IntRange(-1, 40).Draw(t, "half")) / 2 }
	b.Title = rapid.String().Draw(t, "title")
	b.Caption = rapid.SampledFrom([]string{"", "to move", "a\nb"}).Draw(t, "caption")
	b.Outcome = rapid.SampledFrom([]string{"", "1-0", "0-1", "1/2"}).Draw(t, "outcome")
	for range rapid.IntRange(0, 3).Draw(t, "n") {
		b.Pieces = append(b.Pieces, board.Piece{At: at(), Side: rapid.IntRange(0, 1).Draw(t, "side"), Kind: "man"})
		b.Walls = append(b.Walls, board.Wall{X1: half(), Y1: half(), X2: half(), Y2: half()})
		b.Lines = append(b.Lines, board.Line{From: at(), To: at(), Kind: rapid.SampledFrom([]board.LineKind{board.Row, board.Banned}).Draw(t, "line")})
		b.Marks = append(b.Marks, board.Mark{At: at(), Kind: rapid.SampledFrom([]board.MarkKind{board.Forbidden, board.Goal, board.Star}).Draw(t, "mark")})
		b.Counters = append(b.Counters, board.Counter{Side: 1, Name: "walls", Value: rapid.Int().Draw(t, "value")})
		from, to := at(), at()
		b.Last = &board.Move{Text: rapid.String().Draw(t, "move"), From: &from, To: &to, Taken: []board.At{at()}, Wall: &b.Walls[0]}
	}
	return b
}

// TestAnyBoardDrawsAndReadsBack expects that any board draws as text and as XML, goes through
// JSON without loss, and gives the same bytes again.
func TestAnyBoardDrawsAndReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		o := board.Options{Bare: rapid.Bool().Draw(t, "bare"), Targets: rapid.Bool().Draw(t, "targets")}
		if n := strings.Count(b.Text(), "\n"); n < b.Height {
			t.Fatalf("%d lines for a board of %d rows", n, b.Height)
		}
		var svg, twice strings.Builder
		if err := errors.Join(b.SVG(&svg, o), b.SVG(&twice, o)); err != nil || svg.String() != twice.String() {
			t.Fatalf("drawn twice: %v", err)
		}
		wellFormed(t, svg.String())
		data, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		var again board.Board
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(b.Pieces, again.Pieces); d != "" {
			t.Fatal(d)
		}
		if second, err := json.Marshal(again); err != nil || string(second) != string(data) {
			t.Fatalf("%s comes back as %s (error %v)", data, second, err)
		}
	})
}

type fatal interface{ Fatalf(string, ...any) }

// wellFormed fails unless svg is one element of XML without a NaN.
func wellFormed(t fatal, svg string) {
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Fatalf("no numbers in %s", svg)
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
	}
}

// TestNamesInJSONNeverChange, because pages rely on them.
func TestNamesInJSONNeverChange(t *testing.T) {
	b := full(board.Rooms, 1, 1)
	at := board.At{X: 0, Y: 0}
	wall := board.Wall{X1: 0.5, X2: 0.5, Y1: -0.5, Y2: 1.5}
	b.Files, b.Ranks, b.Outcome, b.Reason = []string{"a"}, []string{"1"}, "1-0", "goal"
	b.Pieces, b.Walls = []board.Piece{{At: at, Side: 1, Kind: "pawn"}}, []board.Wall{wall}
	b.Lines = []board.Line{{From: at, To: at, Kind: board.Row}}
	b.Marks, b.Counters = []board.Mark{{At: at, Kind: board.Goal, Side: 1}}, []board.Counter{{Side: 1, Name: "walls", Value: 3}}
	b.Last = &board.Move{Text: "a1", From: &at, To: &at, Taken: []board.At{at}, Wall: &wall}
	b.Caption = "caption"
	const want = `{"title":"Game","kind":"rooms","width":1,"height":1,"files":["a"],"ranks":["1"],` +
		`"sides":[{"name":"First","letter":"X","tone":"red"},{"name":"Second","letter":"O","tone":"white"}],` +
		`"turn":0,"outcome":"1-0","reason":"goal","places":[{"x":0,"y":0,"name":"0:0"}],` +
		`"pieces":[{"x":0,"y":0,"side":1,"kind":"pawn"}],"walls":[{"x1":0.5,"y1":-0.5,"x2":0.5,"y2":1.5}],` +
		`"lines":[{"from":{"x":0,"y":0},"to":{"x":0,"y":0},"kind":"row"}],` +
		`"marks":[{"x":0,"y":0,"kind":"goal","side":1}],"counters":[{"side":1,"name":"walls","value":3}],` +
		`"last":{"text":"a1","from":{"x":0,"y":0},"to":{"x":0,"y":0},"taken":[{"x":0,"y":0}],"wall":{"x1":0.5,"y1":-0.5,"x2":0.5,"y2":1.5}},` +
		`"caption":"caption"}`
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(data)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestSentenceSaysTurnAndLastMove(t *testing.T) {
	b := full(board.Squares, 3, 3)
	b.Turn = 1
	for _, c := range []struct {
		outcome, reason string
		last            *board.Move
		want            string
	}{
		{"", "", nil, "Game, Second to move"},
		{"", "", &board.Move{Text: "b2"}, "Game, Second to move, last move b2"},
		{"1-0", "line", &board.Move{Text: "b2"}, "Game, 1-0 by line, last move b2"},
		{"1/2", "", nil, "Game, 1/2"},
	} {
		b.Outcome, b.Reason, b.Last = c.outcome, c.reason, c.last
		if got := b.Sentence(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		svg := draw(t, b, board.Options{})
		if !strings.Contains(svg, "<title>"+c.want+"</title>") || !strings.Contains(svg, `aria-label="`+c.want+`"`) {
			t.Errorf("the drawing does not say %q", c.want)
		}
	}
}

// TestOptionsAddTheirParts expects the parts of each option, and none of them without it.
func TestOptionsAddTheirParts(t *testing.T) {
	b := full(board.Squares, 3, 3)
	b.Places[0].Name = `<&">`
	for _, c := range []struct {
		o    board.Options
		text string
	}{
		{board.Options{}, `xmlns="http://www.w3.org/2000/svg"`},
		{board.Options{}, "<style>"},
		{board.Options{}, "prefers-color-scheme: dark"},
		{board.Options{Targets: true}, `data-name="&lt;&amp;&#34;&gt;"`},
	} {
		other := board.Options{Bare: true}
		if got := draw(t, b, c.o); !strings.Contains(got, c.text) {
			t.Errorf("%+v: no %s in %s", c.o, c.text, got)
		}
		if got := draw(t, b, other); strings.Contains(got, c.text) {
			t.Errorf("%+v: %s in %s", other, c.text, got)
		}
	}
}

// TestLastMoveIsMarked expects a mark on the last move.
func TestLastMoveIsMarked(t *testing.T) {
	for _, kind := range []board.Kind{board.Squares, board.Rooms, board.Lattice, board.Network, board.Rack} {
		b := full(kind, 4, 4)
		before := draw(t, b, board.Options{})
		b.Last = &board.Move{To: &board.At{X: 2, Y: 1}}
		if after := draw(t, b, board.Options{}); strings.Contains(before, "data-last") || !strings.Contains(after, "data-last") {
			t.Errorf("%s: the last move does not show", kind)
		}
		changed := board.At{X: 1, Y: 1}
		b.Pieces = []board.Piece{{At: changed}} // red, unlike the marks of the last move elsewhere
		b.Last.Taken = []board.At{changed}
		if cross := draw(t, b, board.Options{}); !strings.Contains(cross, `class="b-s-on-colour"`) {
			t.Errorf("%s: a red piece that changed sides is not seen to", kind)
		}
	}
}

func draw(t *testing.T, b board.Board, o board.Options) string {
	t.Helper()
	var s strings.Builder
	if err := b.SVG(&s, o); err != nil {
		t.Fatal(err)
	}
	return s.String()
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestSVGReturnsWriteError(t *testing.T) {
	if err := full(board.Rack, 2, 2).SVG(broken{}, board.Options{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}
