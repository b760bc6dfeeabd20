package mills

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/testmode"
)

// open returns the setup of rules written as for --rules.
func open(t testing.TB, text string) setup {
	t.Helper()
	rules, err := engines.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Game().Open(rules)
	if err != nil {
		t.Fatal(err)
	}
	return canonicalSetup(t, v.Rules)
}

// canonicalSetup reads a canonical rules text, in which every option is named.
func canonicalSetup(t testing.TB, text string) setup {
	t.Helper()
	rules, err := engines.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := read(rules, options())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func placed(t testing.TB, start position, text string) *position {
	t.Helper()
	if text != "" {
		if err := start.SetText(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return &start
}

// perftTable holds the counts under preset paper that
// Sanmill's generator and a separate program in C++ agree on.
var perftTable = []struct {
	position string
	counts   []uint64 // from depth 1
}{
	{"", []uint64{24, 552, 12144, 255024, 5150880, 99761472, 1899127296}},
	{".BBW.xWx/..BW..WB/..BW.... W 6 6", []uint64{16, 241, 3240, 43524, 524704}},
	{".xWxWB.B/W.xBWBxB/WWWWxB.B W 2 2", []uint64{10, 30, 102, 138, 1854, 75832, 1315645}},
	{"BWBBWWBW/BWBBWBW./WWBWBWBW B 0 1", []uint64{1, 0, 0}},
	{"WWW..B.B/W.W...B./..BBBWB. W 0 0", []uint64{14, 271, 3708, 48443, 696112, 10073407}},
	{"WW.WW..B/B.W..BBB/.B.B..W. W 0 0", []uint64{30, 422, 5643, 92501, 1269176}},
	{"WW..W.../..W...../...B.BB. W 0 0", []uint64{13, 98, 1077, 6502, 71622, 573317}},
	{"WWWB..BW/BBB....B/........ W 0 0", []uint64{0}},
}

func TestPerftMatchesKnownCounts(t *testing.T) {
	const bulk = 20_000_000 // leaves that take a moment
	s := open(t, "")
	for _, row := range perftTable {
		referee := engines.NewReferee[position](s.start, s.bounds)
		if err := referee.Reset(row.position); err != nil {
			t.Fatal(err)
		}
		for i, want := range row.counts {
			if !testmode.Long() && want > bulk {
				continue
			}
			if got := referee.Perft(i + 1); got != want {
				t.Errorf("%q depth %d: %d leaves, want %d", row.position, i+1, got, want)
			}
		}
	}
}

// TestGamesHaveKnownMoves replays complete games whose number of legal turns is known at every ply.
func TestGamesHaveKnownMoves(t *testing.T) {
	data, err := os.ReadFile("testdata/games.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Games []struct {
			Moves  []string `json:"moves"`
			Counts []int    `json:"legal_counts"`
			Final  string   `json:"final"`
			Winner string   `json:"winner"`
			How    string   `json:"how"`
		} `json:"random_games"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Games) == 0 {
		t.Fatal("no games")
	}
	for i, g := range file.Games {
		p := open(t, "").start
		for ply, text := range g.Moves {
			if o := p.Outcome(); o != engines.Ongoing {
				t.Fatalf("game %d ply %d: ended %s", i, ply, o)
			}
			if n := len(p.Moves(nil)); n != g.Counts[ply] {
				t.Fatalf("game %d ply %d: %d legal turns, want %d", i, ply, n, g.Counts[ply])
			}
			m, err := p.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			if !p.Legal(m) {
				t.Fatalf("game %d ply %d: %s is not legal", i, ply, text)
			}
			p.Play(m)
		}
		winner := map[string]engines.Outcome{"W": engines.FirstWins, "B": engines.SecondWins}[g.Winner]
		reason := map[string]engines.Reason{"fewer than 3": fewMen, "blocked": blocked}[g.How]
		if p.String() != g.Final || p.Outcome() != winner || p.Reason() != reason {
			t.Errorf("game %d: %s, %s by %s; want %s, %s by %s", i, &p, p.Outcome(), p.Reason(), g.Final, winner, reason)
		}
	}
}

// randomRules draws a value for every option.
func randomRules(r *rand.Rand) engines.Rules {
	rules := engines.Rules{}
	for _, o := range options() {
		rules[o.Name] = o.Default
		if o.Values != nil {
			rules[o.Name] = o.Values[r.IntN(len(o.Values))]
		}
	}
	rules["preset"] = "paper"
	return rules
}

// TestRulesMatchSlowReference plays random games under every
// preset and under random rules, next to the slow reference.
func TestRulesMatchSlowReference(t *testing.T) {
	if testing.Short() {
		t.Skip("short: compares many boards")
	}
	r := rand.New(rand.NewPCG(1, 2))
	games := testmode.Times(300, 4)
	seen := seen{ends: map[engines.Reason]int{}}
	for i := range games {
		rules := randomRules(r)
		if i < 4*len(rulePresets) {
			v, err := Game().Open(engines.Rules{"preset": rulePresets[i%len(rulePresets)].name})
			if err != nil {
				t.Fatal(err)
			}
			if rules, err = engines.ParseRules(v.Rules); err != nil {
				t.Fatal(err)
			}
		}
		seen.ends[playAgainstSlow(t, r, rules, &seen)]++
	}
	if seen.ends[fewMen] == 0 || seen.ends[blocked] == 0 || seen.double == 0 || seen.flights == 0 || seen.banned == 0 || seen.declined == 0 {
		t.Errorf("the games did not show every rule: %+v", seen)
	}
}

// seen counts the events that random games must show to be a test.
type seen struct {
	ends                              map[engines.Reason]int
	double, flights, banned, declined int
}

func (s *seen) note(p *position, moves []engines.Move) {
	if p.banned() != noStepToUndo {
		s.banned++
	}
	if !p.placing() && p.flies() {
		s.flights++
	}
	for i, m := range moves {
		if m>>(takenShift+fieldBits) != 0 {
			s.double++
		}
		if i > 0 && m&stepMask == moves[i-1]&stepMask && hasCapture(m) && !hasCapture(moves[i-1]) {
			s.declined++
		}
	}
}

// playAgainstSlow plays one random game of at most 150 plies and returns the reason of its end.
func playAgainstSlow(t *testing.T, r *rand.Rand, rules engines.Rules, seen *seen) engines.Reason {
	s, err := read(rules, options())
	if err != nil {
		t.Fatal(err)
	}
	p, ref := s.start, slowStart(rules)
	w := randomWeights(r)
	for range 150 {
		checkSame(t, &p, ref, &w, s.text)
		moves := p.Moves(nil)
		seen.note(&p, moves)
		if len(moves) == 0 {
			return p.Reason()
		}
		m := moves[r.IntN(len(moves))]
		text := p.MoveString(m)
		p.Play(m)
		ref.play(text)
	}
	return engines.NoReason
}

func checkSame(t *testing.T, p *position, ref *slow, w *weights, rules string) {
	t.Helper()
	if p.String() != ref.text() {
		t.Fatalf("%s, want %s under %s", p, ref.text(), rules)
	}
	var turns []string
	for _, m := range p.Moves(nil) {
		text := p.MoveString(m)
		if back, err := p.ParseMove(text); err != nil || back != m {
			t.Fatalf("move %x is %s, read back as %x, %v", m, text, back, err)
		}
		turns = append(turns, text)
	}
	slices.Sort(turns)
	if d := cmp.Diff(ref.turns(), turns); d != "" {
		t.Fatalf("%s under %s: turns (-want +got)\n%s", p, rules, d)
	}
	outcome, reason := ref.outcome()
	if p.Outcome() != outcome || p.Reason() != reason {
		t.Fatalf("%s under %s: %s by %q, want %s by %q", p, rules, p.Outcome(), p.Reason(), outcome, reason)
	}
	q := *p
	if err := q.SetText(p.String()); err != nil || q.Key() != p.Key() {
		t.Fatalf("%s under %s read back: %v, key %x, want %x", p, rules, err, q.Key(), p.Key())
	}
	checkTerms(t, p, ref, w, rules)
}

func checkTerms(t *testing.T, p *position, ref *slow, w *weights, rules string) {
	t.Helper()
	side := int(p.Turn())
	own, other := ref.terms(side), ref.terms(1-side)
	phase := movingPhase
	if ref.placing() {
		phase = placingPhase
	}
	want := w.men[ref.men(side)] - w.men[ref.men(1-side)]
	free := everywhere &^ (p.men[0] | p.men[1])
	for term := range terms {
		if got := p.measure(term, p.men[side], p.men[1-side], free); got != own[term] {
			t.Fatalf("%s under %s: %s is %d, want %d", p, rules, termNames[term], got, own[term])
		}
		want += w.phase[phase].term[term] * int32(own[term]-other[term])
	}
	if own[termTwo] > 0 {
		want += w.phase[phase].hit
	}
	if got := w.evaluate(p); got != want {
		t.Fatalf("%s under %s: value %d, want %d", p, rules, got, want)
	}
}

func randomWeights(r *rand.Rand) weights { return newWeights(randomVector(r)) }

func randomVector(r *rand.Rand) []float64 {
	v := space().Default()
	for i, p := range space() {
		v[i] = p.Clip(p.Min + r.Float64()*(p.Max-p.Min))
	}
	return v
}

// TestPlacingKeepsInvariants checks what the paper's rules imply for placing.
func TestPlacingKeepsInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	full := 0
	start := open(t, "").start
	for range 300 {
		p := start
		captures := 0
		for ply := range 24 {
			if free := count(p.free()); free != 24-ply {
				t.Fatalf("%s: %d points free before ply %d, want %d", &p, free, ply, 24-ply)
			}
			m := drawMove(r, &p)
			if m == 0 {
				break
			}
			if hasCapture(m) {
				captures++
			}
			p.Play(m)
		}
		if p.placing() {
			continue // ended early
		}
		if p.Turn() != engines.Second {
			t.Fatalf("%s: the last placer does not open", &p)
		}
		if free := count(p.free()); free != captures {
			t.Fatalf("%s: %d points free when steps begin after %d captures", &p, free, captures)
		}
		if captures == 0 {
			full++
			if p.Outcome() != engines.FirstWins || p.Reason() != fullBoard {
				t.Fatalf("%s: full board is %s by %s", &p, p.Outcome(), p.Reason())
			}
		}
	}
	if full == 0 {
		t.Error("no game filled the board: the test did not see that case")
	}
}

// drawMove draws a legal move, mostly a quiet one so that boards fill; 0 after the end.
func drawMove(r *rand.Rand, p *position) engines.Move {
	moves := p.Moves(nil)
	if quiet := slices.DeleteFunc(slices.Clone(moves), hasCapture); len(quiet) > 0 && r.IntN(20) > 0 {
		moves = quiet
	}
	if len(moves) == 0 || p.Outcome() != engines.Ongoing {
		return 0
	}
	return moves[r.IntN(len(moves))]
}

// symmetries returns the 16 permutations of points that keep every line: the 8
// of the square, with and without an exchange of the outer and the inner ring.
func symmetries() [][points]int {
	var all [][points]int
	for turn := range 4 {
		for _, mirror := range []bool{false, true} {
			for _, swap := range []bool{false, true} {
				var s [points]int
				for i := range s {
					ring, p := i/8, i%8
					if mirror {
						p = (8 - p) % 8
					}
					if swap {
						ring = 2 - ring
					}
					s[i] = 8*ring + (p+2*turn)%8
				}
				all = append(all, s)
			}
		}
	}
	return all
}

// permute writes position text with every point moved.
func permute(text string, s [points]int) string {
	board, rest, _ := strings.Cut(text, " ")
	board = strings.ReplaceAll(board, "/", "")
	out := []byte(board)
	for i, to := range s {
		out[to] = board[i]
	}
	return string(out[:8]) + "/" + string(out[8:16]) + "/" + string(out[16:]) + " " + rest
}

func TestSymmetriesKeepMoves(t *testing.T) {
	s := open(t, "")
	w := randomWeights(rand.New(rand.NewPCG(5, 6)))
	for _, row := range perftTable[1:] {
		depth := min(3, len(row.counts))
		seen := map[string]bool{}
		for _, sym := range symmetries() {
			text := permute(row.position, sym)
			seen[text] = true
			p := placed(t, s.start, text)
			if got := engines.Perft(p, depth); got != row.counts[depth-1] {
				t.Errorf("%s: perft %d is %d, want %d as for %s", text, depth, got, row.counts[depth-1], row.position)
			}
			if got, want := w.evaluate(p), w.evaluate(placed(t, s.start, row.position)); got != want {
				t.Errorf("%s: value %d, want %d as for %s", text, got, want, row.position)
			}
		}
		if len(seen) != 16 {
			t.Errorf("%s has %d images; want a position without symmetry of its own, 16", row.position, len(seen))
		}
	}
}

// TestKeysTellPositionsApart expects that Play updates the hash that SetText
// computes anew, and that no two different positions of many games share a key.
func TestKeysTellPositionsApart(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	texts := map[uint64]string{}
	start := open(t, "").start
	for range 200 {
		p := start
		for range 60 {
			if text, seen := texts[p.Key()]; seen && text != p.String() {
				t.Fatalf("%s and %s share a key", text, &p)
			}
			texts[p.Key()] = p.String()
			if fresh := placed(t, start, p.String()); fresh.Key() != p.Key() {
				t.Fatalf("%s: key %x, from its text %x", &p, p.Key(), fresh.Key())
			}
			m := drawMove(r, &p)
			if m == 0 {
				break
			}
			p.Play(m)
		}
	}
}
