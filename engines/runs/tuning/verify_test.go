package tuning

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/reports/rating"
)

// TestVerifyBySPRT expects the test to end the verification at its pair, also in a run that was
// stopped. Its verdict is in the outcome, the file and the report; the interval holds at any stop.
func TestVerifyBySPRT(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	table := map[string]any{"verify_sprt": "elo0=0,elo1=10", "verify_min": nil}
	r := create(t, small("bad", table))
	want := playRun(t, r, 1)
	whole := r.Head.Dir
	e, test := want.Verified()
	if test == nil || test.State != rating.AcceptH1 || want.Outcome() != shownBetter || !strings.HasPrefix(want.Conclusion(), "passed: ") || !e.AnyTime {
		t.Fatalf("%s; %+v", want.Conclusion(), e)
	}
	if test.N != e.N || test.N < 64 || test.N%64 == 0 {
		t.Fatalf("the test had %d pairs, the interval %d; want the same number, one that cuts a chunk, not the first", test.N, e.N)
	}
	if !strings.Contains(want.Head.Meta.Command, "--verify-sprt elo0=0,elo1=10,") || strings.Contains(want.Head.Meta.Command, "--verify-min") {
		t.Errorf("the test is not in the run's identity: %s", want.Head.Meta.Command)
	}
	r = create(t, small("bad", table))
	dir := r.Head.Dir
	stopIn(t, r, phaseVerify, 16)
	r = resume(t, dir, Methods)
	got := playRun(t, r, 3)
	if got.Conclusion() != want.Conclusion() || !slices.Equal(got.Recommend(), want.Recommend()) {
		t.Errorf("resumed: %s\nat once: %s", got.Conclusion(), want.Conclusion())
	}
	sameRun(t, whole, dir)
	text := page(t, got)
	if !strings.Contains(text, want.Conclusion()) || !strings.Contains(text, "stops as soon as a sequential test decides") ||
		strings.Contains(text, "not finished") || strings.Contains(text, "not shown to be better") {
		t.Errorf("%.900s", text)
	}
}

// TestUndecidedKeepsStart expects advice to keep the start where too few pairs were played for the
// test or the interval, also first in the file of the tuned values.
func TestUndecidedKeepsStart(t *testing.T) {
	if testing.Short() {
		t.Skip("plays whole tunings")
	}
	for _, c := range []struct {
		table   map[string]any
		verdict string
	}{
		{map[string]any{"verify_sprt": "elo0=0,elo1=1", "verify_min": nil, "verify_pairs": int64(5)}, "undecided"},
		{map[string]any{"verify_min": int64(5), "verify_pairs": int64(5)}, "not shown to be better: "},
	} {
		r := create(t, small("final", c.table))
		result := playRun(t, r, 2)
		if e, _ := result.Verified(); e == nil || e.N != 5 || result.Outcome() != notShown || !strings.HasPrefix(result.Conclusion(), c.verdict) {
			t.Errorf("%s: %s", result.Outcome(), result.Conclusion())
		}
		data, err := os.ReadFile(filepath.Join(r.Head.Dir, candidateName))
		text := string(data)
		if err != nil || !strings.HasPrefix(text, "# NOT SHOWN TO BE BETTER THAN THE START: ") || strings.Count(text, "NOT SHOWN TO BE BETTER THAN THE START") != 2 ||
			!strings.Contains(text, "selfplay match --game quoridor") {
			t.Errorf("%s (%v)", text, err)
		}
		keepsStart(t, result)
		if text := page(t, result); !strings.Contains(text, "Keep the start: the tuned values were not shown to be better.") ||
			strings.Contains(text, "Fewer than 64 pairs can show nothing") != (c.table["verify_sprt"] == nil) {
			t.Errorf("%.600s", text)
		}
	}
}

// TestFurtherGamesAreNamed expects the number of games to show a gain that was measured but not
// shown.
func TestFurtherGamesAreNamed(t *testing.T) {
	interval, test := map[string]any{}, map[string]any{"verify_sprt": "elo0=0,elo1=10", "verify_min": nil}
	for _, c := range []struct {
		table map[string]any
		pairs rating.Pairs
		says  string
	}{
		{interval, rating.Pairs{50, 0, 110, 0, 40}, "The verification suggests no gain: only a longer tuning may find one."},
		{interval, rating.Pairs{40, 0, 110, 0, 50}, "If the gain is what was measured, about 8,300 more games of verification (--verify-pairs) show it"},
		{interval, rating.Pairs{0, 0, 10, 0, 20}, "Fewer than 64 pairs can show nothing"},
		{test, rating.Pairs{50, 0, 110, 0, 40}, "The verification suggests no gain: only a longer tuning may find one."},
		{test, rating.Pairs{40, 0, 110, 0, 50}, "If the gain is what was measured, about 2,300 more games of verification"},
		{test, rating.Pairs{200, 0, 100, 0, 100}, "The test has ended: only a longer tuning"},
		{test, rating.Pairs{0, 0, 10, 0, 20}, "A longer tuning"},
	} {
		p, err := small("final", c.table).Plan()
		if err != nil {
			t.Fatal(err)
		}
		g := newStages(p.Config.(*Config), 1)[0]
		g.tallies = []rating.Pairs{c.pairs}
		if says := g.further(); !strings.HasPrefix(says, c.says) {
			t.Errorf("%v: %s, want %s", c.pairs, says, c.says)
		}
	}
}

// TestUnverifiedClaimsNothing expects no claim without a verification.
func TestUnverifiedClaimsNothing(t *testing.T) {
	r := create(t, small("bad", map[string]any{"verify_min": nil, "verify_pairs": int64(0), "iters": int64(5)}))
	result := playRun(t, r, 2)
	if result.Outcome() != unverified || result.Outcome().keepStart() || !result.Finished() || !strings.Contains(page(t, result), "were not verified: do not call them better") {
		t.Errorf("%s: %s", result.Outcome(), result.Conclusion())
	}
	data, err := os.ReadFile(filepath.Join(r.Head.Dir, tunedName))
	if err != nil || !strings.HasPrefix(string(data), "# NOT VERIFIED: ") {
		t.Errorf("%s (%v)", data, err)
	}
}

// TestVerifyingUsesStart expects the start's values for use until a verification has shown that the
// tuned values are better.
func TestVerifyingUsesStart(t *testing.T) {
	r := create(t, small("bad", map[string]any{"iters": int64(5)}))
	stopIn(t, r, phaseVerify, 120) // after the first look, at 50 pairs
	result := read(t, r.Head.Dir, Methods)
	result.tallies = result.tallies[:1] // it may have gone on for a while
	for _, shown := range []bool{false, true} {
		if shown {
			result.tallies = []rating.Pairs{{4: 100}}
		}
		if result.Outcome() != unverified || result.same() || result.candidateOnly() == shown {
			t.Errorf("%s: %v", result.Conclusion(), result.tunedValues())
		}
	}
}

// TestRatePlaysPoolOnSameOpenings expects start and tuned values to play each other, the presets and
// the game's pool on the same openings, and to be rated together with the games of the verification.
func TestRatePlaysPoolOnSameOpenings(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	r := create(t, small("bad", map[string]any{"rate_pairs": int64(6)}))
	result := playRun(t, r, 2)
	names := []string{}
	for _, e := range result.ratingPhase.joint.players() {
		names = append(names, e.Name)
	}
	// The start equals preset bad, which is listed once.
	if names[0] != "start" || names[1] != "tuned" || !slices.Contains(names, "preset final") || slices.Contains(names, "preset bad") {
		t.Fatalf("players %q", names)
	}
	trials, games := rowsOf(t, r.Head.Dir, phaseRate)
	if n, want := openings(games), 2*(len(names)-2)+1; len(trials) != want || n > 6 || !slices.Contains(names, "final@depth=2") {
		t.Errorf("%d pairings of %q with %d openings, want %d with the same 6", len(trials), names, n, want)
	}
	result.Config.PoolStar = false // as in a run of an earlier version
	if n := len(result.ratingPhase.lineup().meets); n != len(names)*(len(names)-1)/2 {
		t.Errorf("%d pairings of all players", n)
	}
	result.Config.PoolStar = true
	ratings, err := result.Ratings()
	if err != nil {
		t.Fatal(err)
	}
	verified, _ := result.Verified()
	if got, want := result.ratingPhase.joint.all.Games(1, 0).N()/2, verified.N+6; got != want {
		t.Errorf("%d pairs of tuned and start are rated, want those of the verification and 6: %d", got, want)
	}
	if d := ratings.Players[1].Elo - verified.Elo; d < -verified.EloError() || d > verified.EloError() {
		t.Errorf("rated %v, verified %v", ratings.Players[1].Elo, verified)
	}
	text := page(t, result)
	start, final := strings.Index(text, "\n| start |"), strings.Index(text, "\n| preset final |")
	if start < 0 || final < 0 || final > start {
		t.Errorf("final is not rated above the start, preset bad:\n%s", text)
	}
	for _, part := range []string{"The running interval", "The narrower interval of a single look", "The games of the verification are included"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in the report", part)
		}
	}
}
