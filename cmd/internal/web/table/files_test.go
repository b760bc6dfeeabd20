package table

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplaylab/engines"
)

// TestSavedFileOpensAsSameGame: moves, rules, players, opening, result and reason survive a file of
// each format, whatever game is chosen where the file is opened.
func TestSavedFileOpensAsSameGame(t *testing.T) {
	const gobang = "size=9,exact_five=yes"
	for _, c := range []struct {
		game, rules, position, moves, format string
		record                               record
		lost                                 string // values that the format cannot hold
	}{
		{"quoridor", "", "", "e2 e8 e3h", "pgn", record{Outcome: engines.FirstWins, Reason: engines.Resigned, Opening: 1}, ""},
		{"chess", "", "3rk3/4P3/8/8/8/8/P7/4K3 w - -", "e7d8q e8d8", "pgn", record{Outcome: engines.Draw, Reason: engines.Agreed}, ""},
		{"gobang", gobang, "", "e5 e6 d5", "pgn", record{Outcome: engines.SecondWins, Reason: engines.Resigned, Opening: 2}, ""},
		{"gobang", gobang, "", "e5 e6 d5", "sgf", record{Outcome: engines.SecondWins, Reason: engines.Resigned, Opening: 2}, ""},
		{"gobang", gobang, "", "e5 a1 d5 a2 c5 a3 b5 a4 f5", "sgf", record{}, ""}, // by the rules
		{"gobang", gobang, "", "e5 a1 d5 a2 c5 a3 b5 a4 f5", "psq", record{}, ""},
		{"gobang", gobang, "", "e5 e6 d5", "psq", record{Outcome: engines.SecondWins, Reason: engines.Resigned, Opening: 2}, "result and opening"},
	} {
		name := c.game + " as " + c.format
		c.record.Players, c.record.Date = [2]string{"a person", `level 8: "新"`}, time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
		q := Question{Op: "write", Game: c.game, Rules: c.rules, Position: c.position, Moves: c.moves, Format: c.format, Record: &c.record}
		a, err := Ask(context.Background(), q)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		file := a.(writtenFile)
		if file.Name != c.game+"."+c.format {
			t.Errorf("%s: the file is called %s", name, file.Name)
		}
		a, err = Ask(context.Background(), Question{Op: "read", Game: "mills", Name: file.Name, Text: file.Text})
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, file.Text)
			continue
		}
		list := a.([]readGame)
		if len(list) != 1 {
			t.Fatalf("%s: %d games", name, len(list))
		}
		got := list[0]
		q.Op = "show"
		if a, err = Ask(context.Background(), q); err != nil {
			t.Fatal(err)
		}
		shown := a.(Shown)
		if got.Game != c.game || got.Rules != shown.Rules || got.Position != c.position && c.game != "chess" || strings.Join(got.Moves, " ") != c.moves || !slices.Equal(got.Turns, shown.Turns) {
			t.Errorf("%s: read as %+v\n%s", name, got, file.Text)
		}
		want := c.record
		if shown.Outcome != "" {
			if err := want.Outcome.UnmarshalText([]byte(shown.Outcome)); err != nil {
				t.Fatal(err)
			}
			want.Reason = engines.Reason(shown.Reason)
		}
		if c.lost != "" {
			want.Outcome, want.Reason, want.Opening = engines.Ongoing, engines.NoReason, 0
		}
		if got.Players != want.Players || got.Outcome != want.Outcome || got.Reason != want.Reason || got.Opening != want.Opening {
			t.Errorf("%s: read as %+v\nwant %+v\n%s", name, got.record, want, file.Text)
		}
	}
}

// TestPenaltyOfFileIsPlayed: a game with a lost turn opens again.
func TestPenaltyOfFileIsPlayed(t *testing.T) {
	q := Question{Game: "quoridor", Moves: "e2 e8"}
	q.Op = "penalty"
	a, err := Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	q.Op, q.Moves, q.Format, q.Record = "write", q.Moves+" "+a.(map[string]string)["move"], "pgn", &record{Outcome: engines.SecondWins, Reason: engines.Resigned}
	if a, err = Ask(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	file := a.(writtenFile)
	if !strings.Contains(file.Text, "penalty") {
		t.Errorf("no word of the penalty:\n%s", file.Text)
	}
	if a, err = Ask(context.Background(), Question{Op: "read", Game: "quoridor", Name: file.Name, Text: file.Text}); err != nil {
		t.Fatalf("%v\n%s", err, file.Text)
	}
	if got := a.([]readGame)[0].Moves; strings.Join(got, " ") != q.Moves {
		t.Errorf("read %q, want %q", got, q.Moves)
	}
}

// TestForeignFilesOfChosenGame expects other programs' files to be read by the game and rules of
// the page, each of several games.
func TestForeignFilesOfChosenGame(t *testing.T) {
	for _, c := range []struct{ game, rules, name, text, want string }{
		{"chess", "", "x.PGN", "[White \"Carlsen\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n\n1. d4 0-1\n", "e2e4 e7e5 1/2 Carlsen,d2d4 0-1 "},
		{"gobang", "size=9", "x.sgf", "(;GM[4]SZ[15]PB[a\\]b]RU[Freestyle]RE[W+R];B[hh];W[aa])", "h8 a15 0-1 a]b"},
		{"quoridor", "", "x.psq", "Piskvorky 20x20, 11:11, 0\r\n20,1,0\r\na\r\nb\r\n-1\r\n1,Freestyle\r\n", "t20 * a"},
	} {
		a, err := Ask(context.Background(), Question{Op: "read", Game: c.game, Rules: c.rules, Name: c.name, Text: c.text})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got []string
		for _, g := range a.([]readGame) {
			got = append(got, strings.Join(append(g.Moves, g.Outcome.String(), g.Players[0]), " "))
		}
		if s := strings.Join(got, ","); s != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, s, c.want)
		}
	}
}

// TestFileFaultsNameLine expects errors of a wrong file or question to name file, line and reason.
func TestFileFaultsNameLine(t *testing.T) {
	ended := &record{Outcome: engines.FirstWins, Reason: engines.Resigned}
	for _, c := range []struct {
		q    Question
		want string
	}{
		{Question{Op: "read", Game: "quoridor", Name: "x.pgn", Text: "\n[Result \"*\"]\n\n1. e2 e9 *"}, "x.pgn:2: move 2, e9: "},
		{Question{Op: "read", Game: "quoridor", Name: "x.pgn", Text: "[Game \"go\"]\n\n1. e2"}, `x.pgn:1: unknown game "go"`},
		{Question{Op: "read", Game: "gobang", Name: "x.sgf", Text: "(;RU[size=99];B[aa])"}, "x.sgf:1: "},
		{Question{Op: "read", Game: "gobang", Name: "x.txt", Text: "e2"}, "x.txt: \"txt\": want pgn, sgf, psq"},
		{Question{Op: "read", Game: "gobang", Name: "x.pgn"}, "x.pgn: it holds no games"},
		{Question{Op: "write", Game: "quoridor", Format: "sgf", Record: ended}, "sgf has games of gobang only"},
		{Question{Op: "write", Game: "quoridor", Format: "pgn"}, "needs its players"},
		{Question{Op: "write", Game: "gobang", Rules: "size=5", Position: "B..../...../...../...../..... W", Format: "psq", Record: ended}, "games from the empty board"},
	} {
		if _, err := Ask(context.Background(), c.q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.q, err, c.want)
		}
	}
}

// TestFileHasClock expects the clock of a game as a tag, and what a side had left after its moves.
func TestFileHasClock(t *testing.T) {
	left := 298.5
	q := Question{Op: "write", Game: "chess", Moves: "e2e4 e7e5", Format: "pgn", Record: &record{Limits: "tc=300+3", Left: []*float64{nil, &left}}}
	a, err := Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if text := a.(writtenFile).Text; !strings.Contains(text, "[TimeControl \"300+3\"]\n") || !strings.Contains(text, "\n1. e4 e5 {[%clk 0:04:58.500]} *\n") {
		t.Errorf("written:\n%s", text)
	}
	q.Record.Limits = "tc=soon"
	if _, err := Ask(context.Background(), q); err == nil {
		t.Error("a clock that is none is written")
	}
}
