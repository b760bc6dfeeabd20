package tuning

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/runs"
)

// outputs returns the text and the JSON of a result, and its page.
func outputs(t *testing.T, result *Result) (printed, object, report string) {
	t.Helper()
	var out strings.Builder
	if err := result.Text(&out, runs.Ended{}); err != nil {
		t.Fatal(err)
	}
	return out.String(), asJSON(t, result), page(t, result)
}

// unverifiedQuad returns a tuning by quad without a verification.
func unverifiedQuad(start string, games int64) *Config {
	return quadOf(start, map[string]any{"params": nil, "games": games, "verify_pairs": int64(0), "verify_min": nil})
}

// TestUnreliableGainKeepsStart expects every output to begin with the missing gain, and the start's
// values for use, where the tuner's games show no gain and nothing was verified.
func TestUnreliableGainKeepsStart(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	config := unverifiedQuad("final", 160)
	config.Freeze = []string{"a_EB"} // all together begin with a walk, which soon is far from the start
	r := create(t, config)
	dir := r.Head.Dir
	stopIn(t, r, phaseTune, 60)
	const says = "o reliable recommendation yet; "
	early := read(t, dir, Methods)
	if _, err := early.Summary(); err != nil || early.current().learned != 0 {
		t.Errorf("a summary, which pages want every second, repeats the tuner's fits (%v)", err)
	}
	if text := page(t, early); !strings.Contains(text, "**No result yet**, n"+says) {
		t.Errorf("unfinished:\n%.500s", text)
	}
	result := playRun(t, resume(t, dir, Methods), 2)
	s := result.Standing()
	if s == nil || s.Reliable || !s.Few || s.Gain != nil || result.Outcome() != unverified {
		t.Fatalf("%+v, %s", s, result.Outcome())
	}
	keepsStart(t, result)
	printed, object, report := outputs(t, result)
	if a, b := strings.Index(printed, "n"+says), strings.Index(printed, "parameter "); a < 0 || a > b {
		t.Errorf("%s", printed)
	}
	if !strings.Contains(report, "**Tuned, not verified**, n"+says) || !strings.Contains(report, "Keep the start: the tuned values were not verified") {
		t.Errorf("%.900s", report)
	}
	if !strings.Contains(object, `"standing":{"gain":null,"reliable":false,"more_games":280,"few":true,`) {
		t.Errorf("%.900s", object)
	}
	data, err := os.ReadFile(filepath.Join(dir, candidateName))
	if err != nil || !strings.HasPrefix(string(data), "# NOT VERIFIED, and the tuning's own games do not") {
		t.Errorf("%s (%v)", data, err)
	}
}

// TestReliableGainUsesTuned expects the tuned values for use where the tuner's games show a gain,
// marked as not verified, and no curve of the gain.
func TestReliableGainUsesTuned(t *testing.T) {
	result := playRun(t, create(t, unverifiedQuad("final", 200)), 2)
	s := result.current().evidence()
	s.Reliable, s.MoreGames = true, 0 // as if it had won nearly all games
	if !slices.Equal(result.tunedValues(), result.Recommend()) {
		t.Fatalf("%v", result.tunedValues())
	}
	printed, object, report := outputs(t, result)
	if strings.Contains(printed+report, "reliable recommendation") || !strings.Contains(object, `"reliable":true`) ||
		!strings.Contains(report, "were not verified: do not call them better") || strings.Contains(report, "## Progress") {
		t.Errorf("%s\n%.900s", printed, report)
	}
	files, err := result.Files()
	if err != nil || !strings.HasPrefix(string(files[tunedName]), "# NOT VERIFIED: the tuning's own games show a gain") || files[candidateName] != nil {
		t.Errorf("%s, %s (%v)", files[tunedName], files[candidateName], err)
	}
}

// TestPlayedRecommendationsConvince shows a gain over a bad start by the recommendations that
// were played against it, without a verification: the tuned values are kept.
func TestPlayedRecommendationsConvince(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays some tunings")
	}
	result := playRun(t, create(t, unverifiedQuad("bad", 1200)), 2)
	if s := result.Standing(); s == nil || !s.Reliable || result.candidateOnly() {
		t.Errorf("%+v", s)
	}
	text := page(t, result)
	if !strings.Contains(text, "**Tuned, not verified**") || !strings.Contains(text, "its recommendations scored +") {
		t.Errorf("%.900s", text)
	}
}

// TestVerificationReplacesStanding expects the verification alone in all outputs once it has begun.
func TestVerificationReplacesStanding(t *testing.T) {
	result := playRun(t, create(t, quadOf("final", map[string]any{"params": "a_MB", "games": int64(60), "verify_min": int64(5), "verify_pairs": int64(5)})), 2)
	if s := result.current().evidence(); s == nil || s.Reliable || s.Few || s.Gain == nil || s.Gain.Low >= 0 || s.Gain.High <= 0 {
		t.Fatalf("of the tuner: %+v", s)
	}
	printed, object, report := outputs(t, result)
	if result.Standing() != nil || strings.Contains(printed+report, "reliable recommendation") || !strings.Contains(object, `"standing":null`) {
		t.Errorf("%s\n%.900s", printed, report)
	}
}

// TestStandingOfOthers: methods without a standing leave the tuned values.
func TestStandingOfOthers(t *testing.T) {
	none := map[string]any{"verify_pairs": int64(0), "verify_min": nil}
	for _, a := range []*Config{
		small("bad", map[string]any{"iters": int64(5), "verify_pairs": int64(0), "verify_min": nil}),
		small("final", map[string]any{"method": "grid", "params": nil, "iters": nil, "grid": []any{"a_E=20,40"}, "pairs": int64(4),
			"verify_pairs": none["verify_pairs"], "verify_min": nil}),
	} {
		result := playRun(t, create(t, a), 2)
		if result.Standing() != nil || result.candidateOnly() || !slices.Equal(result.tunedValues(), result.Recommend()) {
			t.Errorf("%s: %+v", result.Config.Method, result.Standing())
		}
	}
}

// TestReportAtStop expects the report of a tuning that is verified at a stop to be that of its
// tuner at that stop.
func TestReportAtStop(t *testing.T) {
	r := create(t, quadOf("bad", map[string]any{"games": int64(400), "stop": []any{"150"}}))
	stopIn(t, r, phaseVerify, 20)
	result := read(t, r.Head.Dir, Methods)
	tuner, err := result.current().tuner()
	if err != nil || !slices.Equal(tuner.Recommend(), result.current().Best) {
		t.Errorf("it recommends %v instead of %v, %v", tuner.Recommend(), result.current().Best, err)
	}
}
