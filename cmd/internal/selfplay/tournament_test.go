package selfplay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/engines/schedule"
)

// canonicalAgain plays a run's canonical command, which must play the same games.
func canonicalAgain(t *testing.T, dir string) {
	t.Helper()
	again := filepath.Join(t.TempDir(), "again")
	mustCommand(t, append(strings.Fields(canonical(t, dir))[1:], "--out", again)...)
	if err := clitest.Same(dir, again, clitest.Repeatable); err != nil {
		t.Errorf("its canonical command plays other games: %v", err)
	}
}

// mustCommand runs selfplay in this process and returns what it prints.
func mustCommand(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := selfplay(t, args...)
	if err != nil {
		t.Fatalf("selfplay %q: %v\n%s", args, err, stderr)
	}
	return stdout
}

// TestTournamentCommand: the same rows and results for any number of workers,
// and a report with them.
func TestTournamentCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("plays whole tournaments")
	}
	dir := t.TempDir()
	args := []string{"tournament", "--game", "quoridor", "--player", "final", "--player", "v12.7", "--player", "low:final,a_E=0", "--pairs", "20", "--round", "7", "--seed", "3"}
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	text := mustCommand(t, append(args, "--workers", "1", "--out", one)...)
	for _, want := range []string{"rank", "Elo is relative to final", "score of the row against the column, % of 40 games\n", "chance that the row is stronger", "first player", "games ended by", "CPU time"} {
		if !strings.Contains(text, want) {
			t.Errorf("output without %q:\n%s", want, text)
		}
	}
	again := mustCommand(t, append(args, "--workers", "3", "--out", two)...)
	measured := regexp.MustCompile(`(?m)^CPU time .*per decision$`)
	if measured.ReplaceAllString(strings.ReplaceAll(again, two, one), "") != measured.ReplaceAllString(text, "") {
		t.Errorf("with 3 workers\n%s, with 1\n%s", again, text)
	}
	if err := clitest.Same(one, two, clitest.Repeatable); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"report.html", "report.md", "figures/cross.svg", "figures/ratings.svg", "figures/superiority.svg"} {
		if _, err := os.Stat(filepath.Join(one, name)); err != nil {
			t.Error(err)
		}
	}
	canonicalAgain(t, one)
	var result struct {
		Anchor  string
		Games   int
		Players []struct {
			Name string
			Elo  float64
		}
		Pairings []struct {
			X, Than string
			Pairs   [5]int
		}
		Superiority [][]float64
	}
	out := mustCommand(t, "tournament", "--resume", one, "--json")
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	if result.Anchor != "final" || result.Games != 120 || len(result.Players) != 3 || len(result.Pairings) != 3 || len(result.Superiority) != 3 {
		t.Errorf("%s", out)
	}
	if last := result.Players[2]; last.Name != "low" || !(last.Elo < result.Players[1].Elo) {
		t.Errorf("a player without its main weight is not last: %s", out)
	}
}

// times holds the times in the text of a tournament, which do not repeat.
var times = regexp.MustCompile(`(?m)^CPU time .*\n|, under a second$|, \d+ s$`)

// withoutTimes returns the text of a tournament without them.
func withoutTimes(text string) string { return times.ReplaceAllString(text, "") }

// TestTournamentResume: cut short between any two trials and resumed, a
// tournament ends with the same bytes and words.
func TestTournamentResume(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	args := []string{"tournament", "--game", "quoridor", "--player", "final", "--player", "v12.7", "--player", "bad", "--pairs", "6", "--round", "2", "--seed", "4"}
	want := mustCommand(t, append(args, "--out", whole)...)
	for _, stop := range []int{1, 4, 8} {
		cut := filepath.Join(dir, "cut", fmt.Sprint(stop))
		cutAfter(t, whole, cut, int64(stop))
		got := mustCommand(t, "tournament", "--resume", cut, "--workers", "1")
		if got = strings.ReplaceAll(got, cut, whole); withoutTimes(got) != withoutTimes(want) {
			t.Errorf("resumed after %d trials:\n%s, want\n%s", stop, got, want)
		}
		if err := clitest.Same(whole, cut, clitest.Repeatable); err != nil {
			t.Error(err)
		}
	}
}

// cutAfter makes a run of the first trials of a tournament, as a kill leaves it.
func cutAfter(t *testing.T, from, to string, trials int64) {
	t.Helper()
	log, err := datasets.Read(from)
	if err != nil {
		t.Fatal(err)
	}
	var spec tournament.Config
	if err := log.Spec(&spec); err != nil {
		t.Fatal(err)
	}
	w, err := datasets.Create(to, log.Meta, spec)
	if err != nil {
		t.Fatal(err)
	}
	for f, err := range schedule.Recorded(log, datasets.Filter{To: trials}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(f.Trial, f.Games, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestEqualPlayersInTournament: one player under two names scores exactly 50 %.
func TestEqualPlayersInTournament(t *testing.T) {
	out := mustCommand(t, "tournament", "--game", "connectfour", "--player", "a:default", "--player", "b:default", "--limits", "playouts=50", "--pairs", "10", "--discard", "--json")
	var result struct{ Pairings []struct{ Pairs [5]int } }
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Pairings) != 1 || result.Pairings[0].Pairs != [5]int{2: 10} {
		t.Errorf("%s", out)
	}
}

func TestGauntletAndNeighbours(t *testing.T) {
	args := []string{"tournament", "--game", "quoridor", "--player", "final", "--player", "v12.7", "--player", "v16.7", "--player", "bad", "--pairs", "4", "--discard", "--json"}
	for _, c := range []struct {
		flags []string
		want  []string
	}{
		{[]string{"--gauntlet", "v16.7"}, []string{"v16.7 final", "v16.7 v12.7", "v16.7 bad"}},
		{[]string{"--neighbours", "1"}, []string{"final v12.7", "v12.7 v16.7", "v16.7 bad"}},
	} {
		var result struct{ Pairings []struct{ A, B string } }
		if err := json.Unmarshal([]byte(mustCommand(t, append(args, c.flags...)...)), &result); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range result.Pairings {
			got = append(got, p.A+" "+p.B)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.flags, got, c.want)
		}
	}
}

func TestTournamentRefuses(t *testing.T) {
	base := []string{"tournament", "--game", "quoridor", "--discard", "--player", "final"}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "a tournament of one"},
		{[]string{"--player", "final"}, `two players are named "final"`},
		{[]string{"--player", "v12.7", "--gauntlet", "v12.6"}, "--gauntlet"},
		{[]string{"--player", "v12.7", "--anchor", "x"}, "--anchor"},
		{[]string{"--player", "v12.7", "--pairs", "0"}, "--pairs 0"},
		{[]string{"--player", "v12.7", "--round", "0"}, "--round 0"},
		{[]string{"--player", "v12.7", "--neighbours", "0"}, "--neighbours 0"},
		{[]string{"--player", "v12.7", "--neighbours", "1", "--gauntlet", "final"}, "want one"},
		{[]string{"--player", "v12.7", "--confidence", "1"}, "--confidence 1"},
		{[]string{"--player", "v12.7", "--workers", "0"}, "--workers 0"},
		{[]string{"--player", "v12.7", "--limits", "depth=x"}, "--limits"},
		{[]string{"--player", "v12.7", "--fault-limit", "3"}, "--fault-limit"},
		{[]string{"--player", "v12.7", "--out", "x"}, "--out"},
		{[]string{"--player", "nobody"}, "no preset"},
	} {
		if _, _, err := selfplay(t, append(slices.Clone(base), c.flags...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.flags, err, c.want)
		}
	}
	dir := filepath.Join(t.TempDir(), "m")
	mustCommand(t, "match", "--game", "quoridor", "--a", "final", "--b", "bad", "--pairs", "2", "--out", dir)
	if _, _, err := selfplay(t, "tournament", "--resume", dir); err == nil || !strings.Contains(err.Error(), `a run of "match"`) {
		t.Errorf("resumed a match: %v", err)
	}
	if _, _, err := selfplay(t, "tournament", "--resume", dir, "--pairs", "9"); err == nil || !strings.Contains(err.Error(), "--pairs cannot be changed") {
		t.Errorf("changed the question: %v", err)
	}
}

// TestClockIsWarnedOf: games under a wall clock are marked, in words and in data.
func TestClockIsWarnedOf(t *testing.T) {
	args := []string{"tournament", "--game", "quoridor", "--player", "final@time=5s", "--player", "bad", "--pairs", "2", "--discard"}
	stdout, stderr, err := selfplay(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{stdout, stderr} {
		if !strings.Contains(text, "warning: A player is bound to a wall clock: these games do not repeat exactly") {
			t.Errorf("no warning in\n%s", text)
		}
	}
	if out := mustCommand(t, append(args, "--json")...); !strings.Contains(out, `"repeatable":false`) {
		t.Errorf("%s", out)
	}
}
