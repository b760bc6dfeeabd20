package gamefile_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/games"
)

// TestWrittenGameReadsBack reads written games move by move, and rejects texts that are not
// games.
func TestWrittenGameReadsBack(t *testing.T) {
	for _, c := range []struct{ form, game string }{
		{"pgn", "mills"}, {"pgn", "quoridor"}, {"pgn", "connectfour"}, {"pgn", "gobang"}, {"sgf", "gobang"}, {"psq", "gobang"},
	} {
		form, err := gamefile.Find(c.form, c.game)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		var want []*gamefile.Game
		for seed := range uint64(3) {
			g := played(t, c.game, "", seed)
			want = append(want, g)
			if err := form.Write(&file, g); err != nil {
				t.Fatal(err)
			}
			if form.Single {
				break
			}
		}
		got, err := gamefile.Read(want[0].Variant, "x."+c.form, file.Bytes(), nil)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s of %s: %d games of %d: %v", c.form, c.game, len(got), len(want), err)
		}
		for i, g := range got {
			if c.form != "psq" && opened(&g) != opened(want[i]) {
				t.Errorf("%s of %s, game %d: %d moves of the opening, want %d", c.form, c.game, i, opened(&g), opened(want[i]))
			}
			if g.Position != want[i].Position || g.Outcome != want[i].Outcome || !slices.Equal(texts(&g), texts(want[i])) {
				t.Errorf("%s of %s, game %d: %q %v %v\nwant %q %v %v", c.form, c.game, i, g.Position, g.Outcome, texts(&g), want[i].Position,
					want[i].Outcome, texts(want[i]))
			}
		}
	}
	v := played(t, "gobang", "", 1).Variant
	for name, c := range map[string]struct{ text, want string }{
		"x.pgn":  {"[Result \"1-0\"]\n\n1. h8 h8 1-0", "x.pgn:1: move 2: h8 is not legal"},
		"x.sgf":  {"(;GM[4];B[bb]\n)(;GM[4]AB[aa];B[bb])", "x.sgf:2: this game starts with stones"},
		"x.csv":  {"", "want pgn"},
		"no.pgn": {"\r\n", "no.pgn: it holds no games"},
		"x.json": {"", "want pgn"},
	} {
		if _, err := gamefile.Read(v, name, []byte(c.text), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestGameEndedByFaultHasNoResult has games that a fault ended, as in a run's record. Games
// that ended by the rules have their result.
func TestGameEndedByFaultHasNoResult(t *testing.T) {
	g := played(t, "gobang", "", 1)
	for form, endings := range map[string][2]string{
		"pgn": {"[Result \"1-0\"]\n[Termination \"%s\"]\n\n1. h8 1-0\n\n[Result \"1-0\"]\n\n1. h8 1-0\n", "Time forfeit,illegal move,abandoned"},
		"sgf": {"(;GM[4]RE[B+%s];B[hh])(;GM[4]RE[B+R];B[hh])", "T,F,Time"},
	} {
		for word := range strings.SplitSeq(endings[1], ",") {
			list, err := gamefile.Read(g.Variant, "x."+form, fmt.Appendf(nil, endings[0], word), nil)
			if err != nil || len(list) != 2 || list[0].Outcome != engines.Ongoing || list[1].Outcome != engines.FirstWins {
				t.Errorf("%s: %v %v", word, list, err)
			}
		}
	}
}

// TestForeignChessPGNIsRead reads PGN as other programs and people write it.
func TestForeignChessPGNIsRead(t *testing.T) {
	const pgn = `% an escape
[White "a \"x\""] [Black "?"]

1. e4 { over
[lines] ; ( } 1... d5{x}2.e5$1 f5 ! 3. exf6 e.p.$14 ( 3. d4 ; no end )
(3. Nf3) ) 3... Nxf6 4.Nge2 Bg4 5. g2-g3 N8d7 6. Bg2 e6 7. 0-0 Bd6 8. d2d4 1/2
[SetUp "1"]
[FEN "8/P6k/8/3pP3/8/8/7K/8 w - d6 0 1"]

1.exd6e.p. Kg7 2. a8Q! 1-0 1. d4 Nf6 1/2-1/2

[Result "0-1"]

1. c4 e5
[Result "1/2-1/2"]
1. b3 *
`
	want := []string{"e4 d5 e5 f5 exf6 Nxf6 Nge2 Bg4 g2-g3 N8d7 Bg2 e6 0-0 Bd6 d2d4 1/2", "exd6e.p. Kg7 a8Q! 1-0", "d4 Nf6 1/2", "c4 e5 0-1", "b3 *"}
	v, err := games.Open("chess", "")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"x.pgn": pgn, "crlf.pgn": strings.ReplaceAll(pgn, "\n", "\r\n"), "X.PGN": pgn} {
		var got []string
		list, err := gamefile.Read(v, name, []byte(text), nil)
		for _, g := range list {
			got = append(got, strings.Join(append(texts(&g), g.Outcome.String()), " "))
		}
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%s: error %v, games (-want +got):\n%s", name, err, d)
		}
	}
	list, err := gamefile.Read(v, "x.pgn", []byte("1. e4 {book} e5 { book } 2. d4 { bookish } *"), nil)
	if err != nil || opened(&list[0]) != 2 {
		t.Errorf("%v: not two moves of the opening: %+v", err, list)
	}
}

// opened counts the moves of the opening.
func opened(g *gamefile.Game) (n int) {
	for _, m := range g.Moves {
		if m.Opening {
			n++
		}
	}
	return n
}

func texts(g *gamefile.Game) (list []string) {
	for _, m := range g.Moves {
		list = append(list, m.Text)
	}
	return list
}

func FuzzRead(f *testing.F) {
	f.Add("pgn", "[FEN \"x\"]\n1. h8 {a} i8 1-0")
	f.Add("sgf", "(;GM[4]RE[B+];B[aa];W[bb])")
	f.Add("psq", "Piskvorky 15x15, 11:11, 0\r\n1,1,0\r\n")
	f.Fuzz(func(t *testing.T, form, text string) {
		v := played(t, "gobang", "", 1).Variant
		_, _ = gamefile.Read(v, "x."+form, []byte(text), nil) // must not panic
	})
}

// TestReadMovesWhereverTheyStand reads moves behind a tag, other spellings of a tag, other line
// ends, and annotations as people write them.
func TestReadMovesWhereverTheyStand(t *testing.T) {
	v, err := games.Open("chess", "")
	if err != nil {
		t.Fatal(err)
	}
	const pawns = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"
	for text, want := range map[string]string{
		"[Event \"x\"] 1. e4 e5 *\n\n[Event \"y\"] 1. d4 d5 *":               "e4 e5|d4 d5",
		"[Event \"x\"]\r\r1. e4 e5 *\r\r[Event \"y\"]\r\r1. d4 d5 *\r":       "e4 e5|d4 d5",
		"[Event \"x\"] [Site \"y\"] 1. e4 1-0 [Event \"z\"] 1. c4 0-1":       "e4|c4",
		"[Fen \"" + pawns + "\"]\n\n1. e4 e5 *":                              pawns + " e4 e5",
		"[ FEN \"" + pawns + "\" ]\n1. e4 *":                                 pawns + " e4",
		"[Event \"the \"big\" one\"]\n1. e4 *":                               "e4",
		"1. d4 d5 = 2. c4 += e6 =+ *":                                        "d4 d5 c4 e6",
		"1. d4 {x} 1. ... Nf6 2. Nf3":                                        "d4 Nf6 Nf3",
		"1. d4 1... Nf6 1. e4 e5":                                            "d4 Nf6|e4 e5",
		"1. ♙e4 ♟e5 2. ♘f3± ♞c6 3. Bc4 ∓ Bc5 4. o-o Nf6!? ½-½":               "♙e4 ♟e5 ♘f3 ♞c6 Bc4 Bc5 o-o Nf6!?",
		"1 e4 e5 2 Nf3 Nc6 *\n\n1) d4 d5 2) c4 *":                            "e4 e5 Nf3 Nc6|d4 d5 c4",
		"1. e4 e5 2 . Nf3 2 ... Nc6 *":                                       "e4 e5 Nf3 Nc6",
		"1.\u00a0e2–e4 e7—e5\u200b 2. Nf3 Nc6 3. Bc4 Bc5 4. O–O 1–0":         "e2-e4 e7-e5 Nf3 Nc6 Bc4 Bc5 O-O",
		"1. Pe4 d5 2. e:d5 Nf6 3. Bb5ch Bd7 4. B:d7+!? *":                    "Pe4 d5 e:d5 Nf6 Bb5ch Bd7 B:d7+!?",
		"[Event \"x\"]\u2028\u20281. e4 *\u2028\u2028[Event \"y\"] 1. d4 *":  "e4|d4",
		"[FEN \"8/P6k/8/3pP3/8/8/7K/8 w - d6 0 1\"] 1. exd6ep Kg7 2. a8=q *": "8/P6k/8/3pP3/8/8/7K/8 w - d6 0 1 exd6ep Kg7 a8=q",
	} {
		var got []string
		list, err := gamefile.Read(v, "x.pgn", []byte(text), nil)
		for _, g := range list {
			got = append(got, strings.TrimSpace(g.Position+" "+strings.Join(texts(&g), " ")))
		}
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%q: read %q, error %v; want %q", text, strings.Join(got, "|"), err, want)
		}
	}
	for text, want := range map[string]string{
		"1. e4 -- 2. d4 *":          `"--": want a move`,
		"[Event \"x]\n1. e4 *":      "x.pgn:1:",
		"1. e4 {an open comment":    "does not end",
		"1. e4 (1. d4 *":            "does not end",
		"\n[Game \"mills\"]\n1. e4": "x.pgn:2: this is a game of mills, not of chess",
	} {
		if _, err := gamefile.Read(v, "x.pgn", []byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// TestReadTakesStatedRules reads the size and rules that files state, also if the caller's
// differ, and rejects other games by name.
func TestReadTakesStatedRules(t *testing.T) {
	nine := played(t, "mills", "men=9", 2)
	list, err := gamefile.Read(played(t, "mills", "", 1).Variant, "x.pgn", []byte(written(t, "pgn", nine)), nil)
	if err != nil || list[0].Variant.Rules != nine.Variant.Rules {
		t.Errorf("mills with nine men: error %v, games %+v", err, list)
	}
	v := played(t, "gobang", "", 1).Variant
	for text, want := range map[string]string{
		"x.sgf (;GM[4]SZ[19];B[ss];W[sr])":                                            "size=19,exact_five=no",
		"x.sgf (;GM[4]RU[Standard]SZ[9] ;C[a \\] b]B[ii]BL[3];W[hh](;B[aa])(;B[bb]))": "size=9,exact_five=yes",
		"x.psq Piskvorky 20x20, 11:11, 0\n20,20,5\n1,1,7\na\nb\n-1\n1,Standard":       "size=20,exact_five=yes",
	} {
		name, text, _ := strings.Cut(text, " ")
		list, err := gamefile.Read(v, name, []byte(text), nil)
		if err != nil || len(list) != 1 || !strings.Contains(list[0].Variant.Rules, want) || len(list[0].Moves) < 2 {
			t.Errorf("%s: error %v, games %+v; want %s", text, err, list, want)
		}
	}
	for text, want := range map[string]string{
		"x.sgf (;GM[1]SZ[19];B[pd])":                        "x.sgf:1: GM[1] is another game",
		"x.sgf (;GM[4]RU[Renju];B[hh])":                     `rules "Renju": want Freestyle or Standard`,
		"x.sgf (;GM[4]SZ[99];B[hh])":                        "rule size=99",
		"x.sgf (;GM[4]SZ[9];B[ii];W[]":                      "want a place",
		"x.sgf (;GM[4]SZ[9];B[ii]":                          "does not end",
		"x.psq Piskvorky 20x15, 0:0, 0\n1,1,1\n":            "want a square board",
		"x.psq Piskvorky 15x15, 0:0, 0\n1,1,1\n-1\n0,Renju": `x.psq:4: rules "Renju"`,
	} {
		name, text, _ := strings.Cut(text, " ")
		if _, err := gamefile.Read(v, name, []byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}

// TestReadLeavesOutAndReports reads the other games of a file if one cannot be read.
func TestReadLeavesOutAndReports(t *testing.T) {
	v, err := games.Open("chess", "")
	if err != nil {
		t.Fatal(err)
	}
	const good = "[Event \"x\"]\n\n1. e4 {a comment} e5 (1... c5) *\n\n"
	for bad, want := range map[string]string{
		"1. e4 -- *":                                "x.pgn:10: move 2",
		"[Event x]\n[Result \"*\"]\n\n1. e4 *":      "x.pgn:10: \"[Event x]\": want a tag",
		"[Event \"x\"]\n[White y]\n\n1. e4 *":       "x.pgn:11: \"[White y]\": want a tag",
		"[Event \"x\"]\n\n1. e4 {no end e5 *":       "x.pgn:12: a comment",
		"[Event \"x\"]\n\n1. e4 (1. d4 d5 *":        "x.pgn:10: a variation",
		"[Variant \"Crazyhouse\"]\n\n1. e4 e5 *":    "x.pgn:10: [Variant \"Crazyhouse\"]: a game by other rules",
		"[Game \"mills\"]\n[Rules \"men\"]\n\n1. *": "x.pgn:11: [Rules \"men\"]",
	} {
		text := strings.Repeat(good, 2) + "\n" + bad + "\n\n" + strings.Repeat(good, 3)
		var out []string
		list, err := gamefile.Read(v, "x.pgn", []byte(text), func(err error) { out = append(out, err.Error()) })
		if err != nil || len(list) != 5 || len(out) != 1 || !strings.Contains(out[0], want) {
			t.Errorf("%q: %d games, error %v, left out %q; want %s", bad, len(list), err, out, want)
		}
	}
	v = played(t, "gobang", "", 1).Variant
	for _, bad := range []string{"GM[1]", "RU[Caro]", "SZ[99]", "AB[aa]"} {
		left := 0
		list, err := gamefile.Read(v, "x.sgf", []byte("(;GM[4];B[hh])\n(;"+bad+";B[aa](;W[bb])(;W[cc]))\n(;GM[4];B[gg])"), func(error) { left++ })
		if err != nil || len(list) != 2 || left != 1 {
			t.Errorf("%s: %d games, %d left out, error %v", bad, len(list), left, err)
		}
	}
	v, err = games.Open("connectfour", "")
	if err != nil {
		t.Fatal(err)
	}
	list, err := gamefile.Read(v, "x.pgn", []byte("1. 1 2 2. 2 3 *\n\n1 2 2 3 *"), nil) // columns are no numbers of moves
	if err != nil || len(list) != 2 || len(list[0].Moves)+len(list[1].Moves) != 8 {
		t.Errorf("error %v, games %+v", err, list)
	}
}
