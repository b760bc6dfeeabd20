package chess

import (
	"strings"
	"testing"

	"selfplaylab/engines"
)

func referee(t *testing.T, rules engines.Rules, start, moves string) engines.Referee {
	t.Helper()
	full := engines.Rules{"variant": standard, "fifty": "50", "repetition": "3", "max_moves": "0"}
	for name, value := range rules {
		full[name] = value
	}
	s, err := read(full)
	if err != nil {
		t.Fatal(err)
	}
	ref := engines.NewReferee(s.start, s.bounds)
	if err := ref.Reset(start); err != nil {
		t.Fatal(err)
	}
	for word := range strings.FieldsSeq(moves) {
		if o, why := ref.Result(); o != engines.Ongoing {
			t.Fatalf("over before %s: %v by %s", word, o, why)
		}
		m, err := ref.ParseMove(word)
		if err != nil || !ref.Legal(m) {
			t.Fatalf("%s is not legal in %s (%v)", word, ref, err)
		}
		ref.Play(m)
	}
	return ref
}

// TestEveryEndHasReason ends games in every way. Insufficient material is as in fastchess 1.8
// (Board::isInsufficientMaterial of its chess library); in addition, any number of bishops on
// squares of one colour is.
func TestEveryEndHasReason(t *testing.T) {
	knights := "g1f3 g8f6 f3g1 f6g8 "
	for _, c := range []struct {
		rules        engines.Rules
		start, moves string
		want         string
	}{
		{nil, "", "f2f3 e7e5 g2g4 d8h4", "0-1 mate"},
		{nil, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", "1/2 stalemate"},
		{nil, "", knights + knights, "1/2 repetition"},
		{nil, "", "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1", "1/2 repetition"},          // no capture on e3 was ever legal
		{nil, "4k2r/8/8/8/8/8/8/4K3 w k -", "e1e2 h8h7 e2e1 h7h8 e1e2 h8h7 e2e1 h7h8", "* "}, // the right to castle is gone after the first move
		{nil, "4k2r/8/8/8/8/8/8/4K3 w - -", "e1e2 h8h7 e2e1 h7h8 e1e2 h8h7 e2e1 h7h8", "1/2 repetition"},
		{engines.Rules{"repetition": "2"}, "", knights, "1/2 repetition"},
		{engines.Rules{"repetition": "0"}, "", knights + knights + knights, "* "},
		{nil, "4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "a1a2 e8e7", "1/2 noprogress"},
		{nil, "4k3/8/8/8/8/8/8/R3K3 w - - hmvc 99; id \"a; b\";", "a1a2", "1/2 noprogress"},
		{nil, "4k3/8/8/8/8/8/8/R3K3 w - - 99 120; c0 \"a\";", "a1a2", "1/2 noprogress"},
		{nil, "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", "e2e4", "* "},
		{nil, "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", "1-0 mate"}, // mate comes before the fifty moves
		{engines.Rules{"fifty": "1"}, "", "g1f3 g8f6", "1/2 noprogress"},
		{engines.Rules{"max_moves": "1"}, "", "e2e4 e7e5", "1/2 plies"},
		{nil, "8/8/4k3/8/8/3K4/8/8 w - -", "", "1/2 material"},
		{nil, "8/8/4k3/8/8/3KN3/8/8 w - -", "", "1/2 material"},
		{nil, "8/8/4k3/8/8/3KB3/8/8 w - -", "", "1/2 material"},
		{nil, "8/8/4k3/8/8/3KBB2/8/8 w - -", "", "* "},
		{nil, "8/8/4k3/8/8/3KB1B1/8/8 w - -", "", "1/2 material"}, // two bishops of one side on squares of one colour
		{nil, "8/8/4k3/4b3/8/3KB3/8/8 w - -", "", "1/2 material"}, // one each
		{nil, "8/8/4k3/5b2/8/3KB3/8/8 w - -", "", "* "},
		{nil, "8/8/4k3/8/8/3KNN2/8/8 w - -", "", "* "},
		{nil, "8/8/4k3/5n2/8/3KN3/8/8 w - -", "", "* "},
		{nil, "8/8/4k3/4b3/8/3KB1B1/8/8 w - -", "", "1/2 material"}, // three on squares of one colour; fastchess continues
		{nil, "8/3k4/8/5b2/2B5/8/4B3/4K3 w - - 0 1", "", "1/2 material"},
		{nil, "8/3k4/8/5b2/2B5/3B4/8/4K2N w - - 0 1", "", "* "}, // with a knight a mate is possible
		{nil, "8/8/4k3/4p3/8/3K4/8/8 w - -", "", "* "},
	} {
		o, why := referee(t, c.rules, c.start, c.moves).Result()
		if got := o.String() + " " + string(why); got != c.want {
			t.Errorf("%v %q %q: %s, want %s", c.rules, c.start, c.moves, got, c.want)
		}
	}
}

// TestPositionTextsReadAndWrite reads texts of positions and compares the written ones.
func TestPositionTextsReadAndWrite(t *testing.T) {
	for _, c := range []struct {
		free       bool
		text, want string // want begins with ! for an error
	}{
		{false, initial + " 0 1", initial},
		{false, "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 2", "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3"},
		{false, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"},
		{false, "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", "3k4/8/8/8/3pP3/8/8/3RK3 b - -"}, // the pawn is pinned
		{false, "r3k2r/8/8/8/8/8/8/R3K2R w HAha -", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"},
		{true, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "r3k2r/8/8/8/8/8/8/R3K2R w HAha -"},
		{true, "rr2k3/8/8/8/8/8/8/RR2K3 w Qb -", "rr2k3/8/8/8/8/8/8/RR2K3 w Ab -"},
		{false, "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; id \"x\";", "4k3/8/8/8/8/8/8/4K3 w - -"},
		{false, "1r2k3/8/8/8/8/8/8/4K3 w b -", `!needs the rule variant=chess960`},
		{false, "4k3/8/8/8/8/8/8/4K3 w K -", `!castling right 'K'`},
		{true, "rr2k3/8/8/8/8/8/8/4K3 w ab -", `!two rooks of Black on the queen's side`},
		{false, "4k3/8/8/8/8/8/8/4K3 w -", "!too few fields (3)"},
		{false, "4k3/8/8/8/8/8/8/4K3 x - -", `!side to move "x"`},
		{false, "4k3/8/8/8/8/8/4K3 w - -", "!7 ranks"},
		{false, "4k4/8/8/8/8/8/8/4K3 w - -", "!9 squares"},
		{false, "4k3p/8/8/8/8/8/8/4K3 w - -", "!more than 8 squares"},
		{false, "4k3/8/8/8/8/8/8/8 w - -", "!White has 0 kings"},
		{false, "4k2P/8/8/8/8/8/8/4K3 w - -", "!a pawn stands on the first or last rank"},
		{false, "4k3/4R3/8/8/8/8/8/4K3 w - -", "!Black is in check, but not to move"},
		{false, "4k3/8/8/8/8/8/8/4K3 w - e6", `!square "e6"`},
		{false, "4k3/8/8/8/8/8/8/4K3 w - - x y", "!operations of EPD"},
		{false, "4k3/8/8/8/8/8/8/4K3 w - - 2 3; c0 \"x\";", "4k3/8/8/8/8/8/8/4K3 w - -"},
		{false, "4k3/8/8/8/8/8/8/4K3 w - - 2 3 ; c0 \"x\";", "4k3/8/8/8/8/8/8/4K3 w - -"},
		{false, "4k3/8/8/8/8/8/8/4K3 w - - 2 3 c0 \"x; 4\";", "4k3/8/8/8/8/8/8/4K3 w - -"},
		{false, "4k3/8/8/8/8/8/8/4K3 w - - 2 c0 \"x\";", "!move number"},
		{false, "4k3/8/8/8/8/8/8/4K3 w - - hmvc x;", "!operation hmvc"},
		{false, "QQQQQQQQ/QQQQQQQQ/8/7k/8/8/8/4K3 w - -", "!White has 17 men"},
	} {
		p := Position{free: c.free}
		err := p.SetText(c.text)
		switch want, fails := strings.CutPrefix(c.want, "!"); {
		case fails && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: error %v, want %s", c.text, err, want)
		case !fails && (err != nil || p.String() != want):
			t.Errorf("%q: %s, error %v; want %s", c.text, p.String(), err, want)
		}
	}
}

// TestMovesReadAndWriteUCIAndSAN reads and writes moves in UCI's form and in SAN.
func TestMovesReadAndWriteUCIAndSAN(t *testing.T) {
	const castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
	for _, c := range []struct {
		free            bool
		fen, text       string
		want, wantAsSAN string // "" for an error
	}{
		{false, initial, "Nf3", "g1f3", "Nf3"},
		{false, initial, "Ng1f3", "g1f3", "Nf3"},
		{false, initial, "Ngf3", "g1f3", "Nf3"}, // more than is needed
		{false, initial, "N1f3", "g1f3", "Nf3"},
		{false, initial, "Nbf3", "", ""},
		{false, initial, "e4", "e2e4", "e4"},
		{false, initial, "e2-e4", "e2e4", "e4"},
		{false, initial, "e2e5", "e2e5", ""},
		{false, initial, "Nf4", "", ""},
		{false, initial, "0000", "", ""},
		{false, initial, "e2e2", "", ""},
		{false, castling, "O-O", "e1g1", "O-O"},
		{false, castling, "0-0-0", "e1c1", "O-O-O"},
		{false, castling, "e1g1", "e1g1", "O-O"},
		{false, castling, "e1h1", "e1g1", "O-O"},
		{true, castling, "e1g1", "e1h1", "O-O"},
		{true, castling, "e1h1", "e1h1", "O-O"},
		{true, "5k2/8/8/8/8/8/8/5KR1 w G -", "f1g1", "f1g1", "O-O+"},
		{true, "5k2/8/8/8/8/8/8/5K1R w H -", "f1g1", "f1g1", "Kg1"}, // a step, not castling
		{false, "8/4P1k1/8/8/8/8/8/4K3 w - -", "e7e8Q", "e7e8q", "e8=Q"},
		{false, "8/4P1k1/8/8/8/8/8/4K3 w - -", "e8N+", "e7e8n", "e8=N+"},
		{false, "8/4P1k1/8/8/8/8/8/4K3 w - -", "e7e8k", "", ""},
		{false, "8/4P1k1/8/8/8/8/8/4K3 w - -", "e7e8", "e7e8", ""},
		{false, "4k3/8/8/R6R/8/8/8/R3K3 w - -", "Rad5", "a5d5", "Rad5"},
		{false, "4k3/8/8/R6R/8/8/8/R3K3 w - -", "Rd5", "", ""}, // two can
		{false, "4k3/8/8/R6R/8/8/8/R3K3 w - -", "R5a3", "a5a3", "R5a3"},
		{false, "6k1/8/8/Q6Q/8/8/8/Q3K3 w - -", "Qa5e5", "a5e5", "Qa5e5"},
		{false, "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "exd6", "e5d6", "exd6"},
		{false, "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "exd6e.p.", "e5d6", "exd6"},
		{false, "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "d6", "", ""},
	} {
		p := position(t, c.fen, c.free)
		m, err := p.ParseMove(c.text)
		if (err != nil) != (c.want == "") || err == nil && p.MoveString(m) != c.want {
			t.Errorf("%q in %s: %s, error %v; want %q", c.text, c.fen, p.MoveString(m), err, c.want)
			continue
		}
		if p.Legal(m) != (c.wantAsSAN != "") || p.Legal(m) && p.SAN(m) != c.wantAsSAN {
			t.Errorf("%q in %s: legal %v, SAN %s; want %q", c.text, c.fen, p.Legal(m), p.SAN(m), c.wantAsSAN)
		}
	}
}

// TestStartsFollowScharnaglNumbers expects Scharnagl's numbers, and 960 different starts.
func TestStartsFollowScharnaglNumbers(t *testing.T) {
	seen := map[string]bool{}
	for n := range starts {
		seen[firstRank(n)] = true
		p := position(t, startOf(n, starts-1-n), true)
		if p.String() != startOf(n, starts-1-n) {
			t.Errorf("start %d is written %s", n, p.String())
		}
	}
	if len(seen) != starts || firstRank(518) != "RNBQKBNR" || firstRank(0) != "BBQNNRKR" || firstRank(959) != "RKRNNQBB" {
		t.Errorf("%d starts; 0 is %s, 518 %s, 959 %s", len(seen), firstRank(0), firstRank(518), firstRank(959))
	}
}

func TestMovesAllocateNothing(t *testing.T) {
	p := position(t, perfts[1].fen, false)
	buf := make([]engines.Move, 0, maxMoves)
	if n := testing.AllocsPerRun(100, func() {
		buf = p.Moves(buf[:0])
		for _, m := range buf {
			after := p
			after.Play(m)
			if after.Outcome() != engines.Ongoing {
				t.Error("over")
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestReadingSANAllocatesLittle bounds memory, because books have millions of positions, which
// are first tried as moves, and files of games have as many moves.
func TestReadingSANAllocatesLittle(t *testing.T) {
	ref := referee(t, nil, "", "")
	for text, most := range map[string]float64{"Nf3": 60, strings.Fields(initial)[0]: 6} {
		n := testing.AllocsPerRun(100, func() { _, _ = ref.ParseMove(text) })
		if n > most {
			t.Errorf("ParseMove(%q) allocates %v times, want at most %v", text, n, most)
		}
	}
}
