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
		"[Event \"?\"]\n\n1. e4 {no end":                                     "b:3: a comment of this game does not end",
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

// TestBookReadsFormsOfOtherPrograms reads openings of gobang and connect four as their authors write them.
func TestBookReadsFormsOfOtherPrograms(t *testing.T) {
	for _, c := range []struct{ name, game, rules, text, want string }{
		{"offsets from the centre", "gobang", "size=20", "8,-3, 6,-4, 5,-4\n\n-1,-1, 0,0, 1,0 # as drawn\n0,0\n", "s13 q14 p14; j11 k10 l10; k10"},
		{"offsets on an odd board", "gobang", "", "0,0, 1,-1, -7,7\n", "h8 i9 a1"},
		{"several moves in a word", "gobang", "", "h8i9h10\nH8 I9\n1. h8 2. i9\n7,7 8,6 9,9", "h8 i9 h10; h8 i9; h8 i9 j6"},
		{"SGF", "gobang", "", "(;GM[4]SZ[15];B[hh];W[ig])\n(;GM[4];B[aa])", "h8 i9; a15"},
		{"PSQ", "gobang", "size=20", "Piskvorky 20x20, 11:11, 0\r\n1,20,0\r\n2,19,10\r\nA\r\nB\r\n-1\r\n0,Freestyle\r\n", "a1 b2"},
		{"columns", "connectfour", "rows=6,cols=7,forbidden=none", "44453\n4 4\n", "4 4 4 5 3; 4 4"},
		{"carriage returns", "quoridor", "", "e2 e8\re2 d1h\r", "e2 e8; e2 d1h"},
		{"move numbers", "quoridor", "", "E2 1... e8\n2.e2 E8 3.d1H\n", "e2 e8; e2 e8 d1h"},
	} {
		v, err := games.Open(c.game, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		book, _, err := ParseBook("b.txt", []byte(c.text), v, 0)
		var list []string
		for _, o := range book {
			ref, words := v.NewReferee(), []string(nil)
			for _, m := range o.Moves {
				words = append(words, ref.MoveString(m))
				ref.Play(m)
			}
			list = append(list, strings.Join(words, " "))
		}
		if got := strings.Join(list, "; "); err != nil || got != c.want {
			t.Errorf("%s: %s (error %v); want %s", c.name, got, err, c.want)
		}
	}
}

// TestBookRefusesBadForms has unreadable lines in forms of other programs; the error names the
// line.
func TestBookRefusesBadForms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1,1, 2,2\n8,0, 0,0\n", "b.txt:2: 8,0: want an offset from the centre"},
		{"1,1, 2,2, 3\n", "b.txt:1: \"1,1, 2,2, 3\" has a column without a row"},
		{"(;GM[4]SZ[19];B[hh])", "b.txt:1: the file states the rules"},
		{"Piskvorky 20x20, 11:11, 0\n1,1,0\n-1\n", "b.txt:1: the file states the rules"},
		{"h8i9z\n", "b.txt:1: move 3, in h8i9z: "},
		{"h8h8\n", "b.txt:1: move 2, in h8h8: h8 is not legal"},
	} {
		v, err := games.Open("gobang", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := ParseBook("b.txt", []byte(c.text), v, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
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
