package mills

import (
	"strings"
	"testing"
	"unsafe"

	"selfplaylab/engines"
)

const paperRules = "preset=paper,men=12,diagonals=yes,closed_points=yes,opens=last_placer,capture=must,double_mill=one,targets=any,fly_at=0,reform=free,full_board=stm_loses,repetition=3,no_capture=100"

// canonicalWith returns the paper's rules with some changed.
func canonicalWith(changes ...string) string {
	fields := strings.Split(paperRules, ",")
	for _, change := range changes {
		name, _, _ := strings.Cut(change, "=")
		for i, f := range fields {
			if strings.HasPrefix(f, name+"=") {
				fields[i] = change
			}
		}
	}
	return strings.Join(fields, ",")
}

func TestRulesHaveCanonicalText(t *testing.T) {
	for _, row := range []struct{ given, want string }{
		{"", paperRules},
		{"preset=paper", paperRules},
		{"preset=dasanqi", canonicalWith("preset=dasanqi", "full_board=first_loses")},
		{"full_board=first_loses", canonicalWith("preset=dasanqi", "full_board=first_loses")},
		{"preset=ninechess,double_mill=one,targets=any", canonicalWith("preset=dasanqi", "full_board=first_loses")},
		{"preset=dasanqi,full_board=stm_loses", paperRules},
		{"preset=dasanqi,full_board=draw", canonicalWith("full_board=draw")},
		{"preset=ninechess", canonicalWith("preset=ninechess", "full_board=first_loses", "double_mill=per_mill", "targets=loose_first")},
		{"preset=chengsan9", canonicalWith("preset=chengsan9", "men=9", "diagonals=no", "opens=first_placer", "targets=loose_first")},
		{"preset=morris", canonicalWith("preset=morris", "men=9", "diagonals=no", "opens=first_placer", "closed_points=no", "targets=loose_first",
			"fly_at=3")},
		{"repetition=0,no_capture=7", canonicalWith("repetition=0", "no_capture=7")},
	} {
		rules, err := engines.ParseRules(row.given)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Game().Open(rules)
		if err != nil || v.Rules != row.want {
			t.Errorf("%q is %s, %v\nwant %s", row.given, v.Rules, err, row.want)
			continue
		}
		if again, err := engines.ParseRules(v.Rules); err != nil {
			t.Error(err)
		} else if w, err := Game().Open(again); err != nil || w.Rules != v.Rules {
			t.Errorf("%s read back is %s, %v", v.Rules, w.Rules, err)
		}
	}
}

func TestRulesRefuseBadValues(t *testing.T) {
	for _, row := range []struct{ given, want string }{
		{"colour=red", `mills has no rule "colour"`},
		{"diagonal=yes", "did you mean diagonals?"},
		{"preset=papers", "want paper | dasanqi | ninechess | morris | chengsan9"},
		{"men=8", "want 9 | 10 | 11 | 12"},
		{"full_board=mutual", "want stm_loses | first_loses | draw"},
		{"repetition=1", "want a whole number, 2 to 100, or 0 for never"},
		{"repetition=-3", "want a whole number, 2 to 100, or 0 for never"},
		{"no_capture=1e9", "want a whole number, 1 to 10000, or 0 for never"},
		{"no_capture=10001", "want a whole number, 1 to 10000, or 0 for never"},
		{"no_capture=007", "want a whole number, 1 to 10000, or 0 for never"},
	} {
		rules, err := engines.ParseRules(row.given)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Game().Open(rules); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: error %v, want one with %q", row.given, err, row.want)
		}
	}
}

func TestPositionIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(position{}); size > 32 {
		t.Errorf("Position has %d bytes; searches copy it at every node, want at most 32", size)
	}
}

// referee returns a referee of a game after moves from a position.
func referee(t *testing.T, rules, position string, moves ...string) engines.Referee {
	t.Helper()
	s := open(t, rules)
	r := engines.NewReferee(s.start, s.bounds)
	if err := r.Reset(position); err != nil {
		t.Fatal(err)
	}
	for _, text := range moves {
		m, err := r.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Legal(m) {
			t.Fatalf("%s is not legal in %s", text, r)
		}
		r.Play(m)
	}
	return r
}

// TestEachRuleHolds plays the sentences of the rules, a small position each.
func TestEachRuleHolds(t *testing.T) {
	const (
		closing  = "WW....../BB....../........ W 10 10" // g7 closes a mill
		oneLoose = "WW....../BBB.B.xx/........ W 8 8"
		noLoose  = "WW....../BBB...x./........ W 9 9"
		twoMills = "WW.WW..B/B.W..BBB/.B.B..W. W 0 0" // f6-g7 closes two
		corner   = "WWW....B/BB....../B....... W 0 0"
		threeMen = "WW.W..../BB....../BB...... W 0 0"
	)
	for _, row := range []struct {
		name, rules, position string
		legal, illegal        string // moves, blank-separated
	}{
		{"a mill must take", "", closing, "g7xb6 g7xd6 g4", "g7 g7xa7 g7xc5 g4xb6"},
		{"if there is a man to take", "", "WW....xx/......../........ W 10 10", "g7 g4", "g7xa4 g7xd7 a1"},
		{"or may", "capture=may", closing, "g7xb6 g7", "g7xc5"},
		{"a man in a mill may be taken", "", oneLoose, "g7xf2 g7xb6", "g7"},
		{"or loose men first", "targets=loose_first", oneLoose, "g7xf2", "g7xb6"},
		{"unless there is none", "targets=loose_first", noLoose, "g7xb6", "g7"},
		{"two lines at once take one", "", twoMills, "f6-g7xa4", "f6-g7xa4xb6 f6-g7"},
		{"or one each", "double_mill=per_mill", twoMills, "f6-g7xa4xb6", "f6-g7xa4 f6-g7"},
		{"a point closed while placing", "", "WWW...../Bx....../........ B 9 10", "b2", "d6"},
		{"or free at once", "closed_points=no", "WWW...../B......./........ B 9 10", "b2 d6", "b6"},
		{"steps go to the next point", "", corner, "g7-g4 g7-f6", "g7-g1 g7-e5 d7-g7 a7-a4 d7-d6"},
		{"corners have no lines without diagonals", "preset=chengsan9", corner, "g7-g4", "g7-f6"},
		{"nobody flies", "", threeMen, "g4-g1 g4-g7xb6", "g4-a1 g4-g7"},
		{"unless with three men", "fly_at=3", threeMen, "g4-g1 g4-a1 g4-g7xb6", "g4-g7 g4-b6"},
	} {
		r := referee(t, row.rules, row.position)
		for _, text := range strings.Fields(row.legal) {
			if !legal(t, r, text) {
				t.Errorf("%s: %s is not legal in %s", row.name, text, row.position)
			}
		}
		for _, text := range strings.Fields(row.illegal) {
			if legal(t, r, text) {
				t.Errorf("%s: %s is legal in %s", row.name, text, row.position)
			}
		}
	}
}

func legal(t *testing.T, r engines.Referee, text string) bool {
	t.Helper()
	m, err := r.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return r.Legal(m)
}

// TestLastPlacerStepsFirst checks that the last placer also takes the first step,
// that closed points are free from then on, and the option of the first placer.
func TestLastPlacerStepsFirst(t *testing.T) {
	const placing = ".xWxWB.B/W.xBWBxB/WWWWxB.B W 2 2"
	for _, row := range []struct {
		rules string
		turn  engines.Side
	}{{"", engines.Second}, {"opens=first_placer", engines.First}} {
		r := referee(t, row.rules, placing, "d6", "a1", "c3", "a7xd6")
		if r.Turn() != row.turn {
			t.Errorf("rules %q: side %d takes the first step, want %d", row.rules, r.Turn(), row.turn)
		}
		if strings.Contains(r.String(), "x") {
			t.Errorf("%s: points still closed", r)
		}
	}
}

func TestEveryEndHasReason(t *testing.T) {
	const lastPlacement = "BWBBWWBW/BWBBWBW./WWBWBWBW B 0 1"
	for _, row := range []struct {
		rules, position string
		moves           []string
		outcome         engines.Outcome
		reason          engines.Reason
	}{
		{"", lastPlacement, []string{"b4"}, engines.FirstWins, fullBoard},
		{"full_board=first_loses", lastPlacement, []string{"b4"}, engines.SecondWins, fullBoard},
		{"full_board=draw", lastPlacement, []string{"b4"}, engines.Draw, fullBoard},
		{"full_board=draw", "WWWB..BW/BBB....B/........ W 0 0", nil, engines.SecondWins, blocked},
		{"", "WW.W..../B.B....B/........ W 0 0", []string{"g4-g7xb6"}, engines.FirstWins, fewMen},
		{"", "WW....../B.B....B/........ W 0 0", nil, engines.SecondWins, fewMen},
	} {
		r := referee(t, row.rules, row.position, row.moves...)
		if o, reason := r.Result(); o != row.outcome || reason != row.reason {
			t.Errorf("%s %v under %q: %s by %q, want %s by %q", row.position, row.moves, row.rules, o, reason, row.outcome, row.reason)
		}
		if n := len(r.Moves(nil)); n != 0 {
			t.Errorf("%s: %d moves after the end", r, n)
		}
		if legal(t, r, "a7-a4") {
			t.Errorf("%s: a move is legal after the end", r)
		}
	}
}

// TestRepetitionAndNoCaptureDraw moves two men back and forth.
func TestRepetitionAndNoCaptureDraw(t *testing.T) {
	const start = "WW.W..../......../BB.B.... W 0 0"
	shuffle := []string{"d7-d6", "d5-e5", "d6-d7", "e5-d5"}
	for _, row := range []struct {
		rules  string
		plies  int // of the shuffle, after which the game is drawn
		reason engines.Reason
	}{
		{"", 8, engines.Repetition}, // the first position for the third time
		{"repetition=2", 4, engines.Repetition},
		{"repetition=0,no_capture=7", 7, engines.NoProgress},
		{"repetition=0", 100, engines.NoProgress},
		{"repetition=0,no_capture=0", 24 + 19*100, engines.PlyBound},
	} {
		r := referee(t, row.rules, start)
		for ply := range row.plies {
			if o, reason := r.Result(); o != engines.Ongoing {
				t.Fatalf("rules %q: %s by %s after %d plies, want %d", row.rules, o, reason, ply, row.plies)
			}
			m, err := r.ParseMove(shuffle[ply%4])
			if err != nil || !r.Legal(m) {
				t.Fatalf("%s in %s: %v", shuffle[ply%4], r, err)
			}
			r.Play(m)
		}
		if o, reason := r.Result(); o != engines.Draw || reason != row.reason {
			t.Errorf("rules %q: %s by %q after %d plies, want a draw by %q", row.rules, o, reason, row.plies, row.reason)
		}
	}
}

// TestCaptureResetsQuietSteps checks that a capture starts the count of quiet steps anew.
func TestCaptureResetsQuietSteps(t *testing.T) {
	const rules, start = "no_capture=3,repetition=0", "WW.W..W./......../BB.B..B. W 0 0"
	moves := []string{"a1-b2", "c3-c4", "g4-g7xd5", "c4-c3", "b2-a1", "c3-c4"}
	for n := range moves {
		if o, _ := referee(t, rules, start, moves[:n]...).Result(); o != engines.Ongoing {
			t.Errorf("%s after %v", o, moves[:n])
		}
	}
	if o, reason := referee(t, rules, start, moves...).Result(); o != engines.Draw || reason != engines.NoProgress {
		t.Errorf("%s by %q three quiet steps after a capture", o, reason)
	}
}

// TestReformRestrictsRunningMill plays a running mill, which reform=restricted delays by a turn.
func TestReformRestrictsRunningMill(t *testing.T) {
	const running = "WWW..BB./...W.B../...W.B.. W 0 0"
	for _, row := range []struct {
		rules string
		back  bool
	}{{"", true}, {"reform=restricted", false}} {
		r := referee(t, row.rules, running, "g7-g4xa1", "d2-f2")
		if got := legal(t, r, "g4-g7xd1"); got != row.back {
			t.Errorf("rules %q: straight back legal is %v, want %v", row.rules, got, row.back)
		}
		r = referee(t, row.rules, running, "g7-g4xa1", "d2-f2", "a7-a4", "f2-g1", "a4-a7", "g1-f2")
		if !legal(t, r, "g4-g7xd1") {
			t.Errorf("rules %q: back after other steps is not legal", row.rules)
		}
	}
	r := referee(t, "reform=restricted", running, "g7-g4xa1")
	if want := "WW.W.B../...W.B../...W.B.. B 0 0 g4-g7 -"; r.String() != want {
		t.Errorf("%s, want %s", r, want)
	}
}

func TestIllegalMovesAreRefused(t *testing.T) {
	r := referee(t, "", "")
	if r.Legal(0) || r.Legal(^engines.Move(0)) {
		t.Error("no move at all is legal")
	}
	if m := r.Penalty(); m != 0 {
		t.Errorf("penalty %x; an illegal move loses", m)
	}
	if o, reason := r.Result(); o != engines.SecondWins || reason != engines.IllegalMove {
		t.Errorf("%s by %s after the first side's illegal move", o, reason)
	}
}
