package play

import (
	"fmt"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

func TestParseBookFindsDuplicates(t *testing.T) {
	v := open(t, nil)
	text := "\ufeff# all of them\n\ne2 e8\te3\r\n  e2 e8 d1h # a wall\ne5 e6 9 9 1 h:a1,e4 v:- | \n|\ne5 e6 9 9 1 h:a1,e4 v:- | e6v\n" +
		"e2 e8 e3 # as line 3\n| e2 e8 d1h # as line 4\n"
	book, duplicates, err := ParseBook("book.txt", []byte(text), v, 0)
	if err != nil || duplicates != 2 {
		t.Fatalf("%d duplicates, want 2; error %v", duplicates, err)
	}
	want := []struct {
		position string
		moves    int
	}{{"", 3}, {"", 3}, {"e5 e6 9 9 1 h:a1,e4 v:-", 0}, {"", 0}, {"e5 e6 9 9 1 h:a1,e4 v:-", 1}}
	if len(book) != len(want) {
		t.Fatalf("%d openings, want %d", len(book), len(want))
	}
	for i, o := range book {
		if o.Position != want[i].position || len(o.Moves) != want[i].moves {
			t.Errorf("opening %d: %+v", i, o)
		}
	}
}

// TestChessBooksAreRead reads lines of EPD, and games of PGN with comments and variations,
// which are skipped.
func TestChessBooksAreRead(t *testing.T) {
	v, err := games.Open("chess", "")
	if err != nil {
		t.Fatal(err)
	}
	const epd = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"Sicilian # 1\"; hmvc 0; # most played\n" +
		"4k3/8/8/8/8/8/4P3/4K3 w - - 7 33\nd2d4 Nf6\n"
	const pgn = `[Event "?"]
[Result "*"]

1. e4 {best; by test} c5 2.Nf3 (2. Nc3 Nc6 (2... e6)) 2... d6 $1 ; to the end
3. d4 *

[Event "?"]
[FEN "4k3/8/8/8/8/8/4P3/R3K3 w Q - 7 33"]

1. O-O-O! Ke7 1/2-1/2
[White "no moves"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]

*
`
	for name, c := range map[string]struct {
		text  string
		plies int
		want  string
	}{
		"two plies": {"% of a program\n\n%\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. f3 e5 2. Nf3 *\n\n1. e4 *\n", 2, ` 2,  1, `},
		"positions": {epd, 1, `rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "Sicilian # 1"; hmvc 0; 0, 4k3/8/8/8/8/8/4P3/4K3 w - - 7 33 0,  1, `},
		"a.epd":     {epd, 0, `rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "Sicilian # 1"; hmvc 0; 0, 4k3/8/8/8/8/8/4P3/4K3 w - - 7 33 0,  2, `},
		"b.pgn":     {"1.e4 e5 2. Nf3\n1. d4 1... d5\n\n1. c4 *\n", 0, ` 3,  2,  1, `},
		"a.pgn":     {pgn, 0, ` 5, 4k3/8/8/8/8/8/4P3/R3K3 w Q - 7 33 2, 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1 0, `},
	} {
		book, _, err := ParseBook(name, []byte(c.text), v, c.plies)
		got := ""
		for _, o := range book {
			got += fmt.Sprintf("%s %d, ", o.Position, len(o.Moves))
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %s (error %v); want %s", name, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"[Event \"?\"]\n\n1. e4 {no end":                                     "b:1: a comment of this game does not end",
		"[Event \"?\"]\n\n1. e4 e5 2. Nf6 *":                                 "b:1: move 3",
		"[Variant \"Standard\"]\n\n1. e4 *\n[Variant \"Atomic\"]\n\n1. d4 *": `b:4: [Variant "Atomic"]: a game by other rules`,
		"4k3/8/8/8/8/8/8/4K3 w - - x y":                                      `is no position: move "4k3/8/8/8/8/8/8/4K3": want a move such as e2e4 or e7e8q, or a legal move such as Nf3, exd5, e8=Q or O-O; position "4k3/8/8/8/8/8/8/4K3 w - - x y": "x y" after`,
		"[FEN \"4k3/8 w - -\"]\n\n1. e4 *":                                   "b:1: position",
	} {
		if _, _, err := ParseBook("b", []byte(text), v, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func TestBadBookNamesFileAndLine(t *testing.T) {
	v := open(t, nil)
	for _, c := range []struct{ name, text, want string }{
		{"illegal", "e2 e8\n\ne2 e2", `b.txt:3: move 2: e2 is not legal`},
		{"unreadable", "e2 e8\nhello", `b.txt:2: move 1:`},
		{"position", "x y z | e2", `b.txt:1:`},
		{"empty", "", "b.txt: holds no opening"},
		{"comments", "# one\n  # two\n", "b.txt: holds no opening"},
		{"over", "e8 a5 10 10 0 h:- v:- | e9", "b.txt:1: the game is over (1-0, goal) after 1 moves; an opening has fewer, and --opening-plies N takes the first N"},
		{"goes on after the end", "e8 a5 10 10 0 h:- v:- | e9 a4", "b.txt:1: move 2: a4 comes after the end of the game (1-0, goal)"},
		{"binary", "\x00\xff\xfe", "b.txt: not a plain text: want UTF-8"},
	} {
		if _, _, err := ParseBook("b.txt", []byte(c.text), v, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// FuzzParseBook reads any text: openings that are accepted start unfinished games.
func FuzzParseBook(f *testing.F) {
	games := games.Games()
	f.Add(0, "e2 e8\ne5 e6 9 9 1 h:a1,e4 v:- | e6v # x")
	f.Add(1, "h8 h9\n| ")
	f.Add(2, "3 3 3")
	f.Add(3, "a1 d1\n#")
	f.Fuzz(func(t *testing.T, game int, text string) {
		v, err := games[uint(game)%uint(len(games))].Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		book, _, err := ParseBook("b", []byte(text), v, 0)
		if err != nil {
			return
		}
		ref := v.NewReferee()
		seen := map[string]bool{}
		for _, o := range book {
			var r record
			if err := (&table{ref: ref}).open(&r, o); err != nil {
				t.Fatal(err)
			}
			if outcome, _ := ref.Result(); outcome != engines.Ongoing || seen[ref.String()] {
				t.Fatalf("%q gave an opening that is over or twice", text)
			}
			seen[ref.String()] = true
		}
	})
}
