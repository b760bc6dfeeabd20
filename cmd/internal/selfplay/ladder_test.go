package selfplay

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
)

func TestStatBlock(t *testing.T) {
	for _, c := range []struct {
		games rating.Games
		want  [5]string
	}{
		{rating.Games{Wins: 57, Losses: 43}, [5]string{"0.57", "0.43", "0", "0.57", "0.43"}},
		{rating.Games{Wins: 100}, [5]string{"1", "0", "0", "1", "0"}},
		{rating.Games{Wins: 1, Draws: 1, Losses: 1}, [5]string{"0.3333", "0.3333", "0.3333", "0.6667", "0.6667"}},
		{rating.Games{}, [5]string{"0", "0", "0", "0", "0"}},
	} {
		out := tournament.Stat(c.games)
		want := "Stat:\nratio of A wins : " + c.want[0] + "\nratio of B wins : " + c.want[1] + "\nratio of Tie : " + c.want[2] +
			"\nratio of (A wins + tie) : " + c.want[3] + "\nratio of (B wins + tie) : " + c.want[4] + "\n"
		if out != want {
			t.Errorf("%v:\n%s, want\n%s", c.games, out, want)
		}
	}
}

func TestLadderCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("plays whole ladders")
	}
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	args := []string{"ladder", "--game", "quoridor", "--player", "mine:final", "--rounds", "10"}
	text := mustCommand(t, append(args, "--workers", "1", "--out", one)...)
	l, err := published.ReadLadder("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range l.Rungs {
		if !strings.Contains(text, "\n"+r.Name+": ") {
			t.Errorf("no line of rung %s in\n%s", r.Name, text)
		}
	}
	if !strings.Contains(text, "/20 ") || !strings.Contains(text, "rating on the ladder ") {
		t.Errorf("%s", text)
	}
	again := mustCommand(t, append(args, "--workers", "3", "--out", two)...)
	if strings.ReplaceAll(again, two, one) != text {
		t.Errorf("with 3 workers\n%s, with 1\n%s", again, text)
	}
	if err := clitest.Same(one, two, clitest.Repeatable); err != nil {
		t.Error(err)
	}
	canonicalAgain(t, one)
	var result struct {
		Elo, SE float64
		Rungs   []struct {
			Opponent            string
			Wins, Draws, Losses int
		}
	}
	out := mustCommand(t, "ladder", "--resume", one, "--json")
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Rungs) != len(l.Rungs) || !(result.SE > 0) {
		t.Errorf("%s", out)
	}
	for i, r := range result.Rungs {
		if r.Opponent != l.Rungs[i].Name || r.Wins+r.Draws+r.Losses != 20 {
			t.Errorf("rung %d: %+v", i, r)
		}
		if r.Opponent == "final" && r.Wins != r.Losses {
			t.Errorf("against itself %d won, %d lost", r.Wins, r.Losses)
		}
	}
	if limit := 4 * result.SE; !(result.Elo < limit && result.Elo > -limit) {
		t.Errorf("the anchor's own player is rated %v ± %v", result.Elo, result.SE)
	}
	if _, err := os.Stat(filepath.Join(one, "report.html")); err != nil {
		t.Error(err)
	}
}

func TestLadderAgainstOne(t *testing.T) {
	text := mustCommand(t, "ladder", "--game", "quoridor", "--player", "final", "--against", "final", "--rounds", "10", "--discard")
	want := "Stat:\nratio of A wins : 0.5\nratio of B wins : 0.5\nratio of Tie : 0\nratio of (A wins + tie) : 0.5\nratio of (B wins + tie) : 0.5\n\nA's Elo against B "
	if !strings.HasPrefix(text, "How strong is final at Quoridor?\n") || !strings.Contains(text, want) || !strings.Contains(text, "rating on the ladder ") {
		t.Errorf("%s\nwant it to begin with\n%s", text, want)
	}
}

func TestLadderRefuses(t *testing.T) {
	base := []string{"ladder", "--game", "quoridor"}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "--player: 0 players: want one"},
		{[]string{"--player", "final", "--player", "bad"}, "2 players"},
		{[]string{"--player", "final", "--rounds", "0"}, "--rounds 0"},
		{[]string{"--player", "final", "--against", "101.dll"}, `no rung "101.dll"`},
		{[]string{"--player", "final", "--rules", "variant=standard"}, "measured under variant=seed"},
		{[]string{"--player", "final", "--publish", "x"}, "--calibrate"},
		{[]string{"--calibrate", "--against", "final"}, "--against"},
		{[]string{"--calibrate", "--discard"}, "--discard"},
		{[]string{"--calibrate", "--player", "final", "--out", "never"}, "a tournament of one"},
	} {
		if _, _, err := selfplay(t, append(slices.Clone(base), c.flags...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.flags, err, c.want)
		}
	}
}

// TestCalibrate measures a ladder and checks what is written, from which the
// command itself makes the same again.
func TestCalibrate(t *testing.T) {
	dir := t.TempDir()
	mustCommand(t, "ladder", "--calibrate", "--game", "quoridor", "--rounds", "40", "--player", "top:final", "--player", "low:bad", "--player", "mid:v30.7",
		"--anchor", "mid", "--out", filepath.Join(dir, "run"), "--publish", filepath.Join(dir, "ladder"))
	data, err := os.ReadFile(filepath.Join(dir, "ladder", published.LadderName))
	if err != nil {
		t.Fatal(err)
	}
	l, err := published.DecodeLadder("ladder.toml", data)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range l.Rungs {
		names = append(names, r.Name)
	}
	if !slices.Equal(names, []string{"low", "mid", "top"}) || l.Anchor != "mid" || l.Rungs[1].Elo != 0 || l.Rungs[0].Games != 160 {
		t.Errorf("%+v", l.Rungs)
	}
	readme, err := os.ReadFile(filepath.Join(dir, "ladder", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), l.Command) || !strings.Contains(string(readme), "figures/ratings.svg") {
		t.Errorf("README.md:\n%s", readme)
	}
	words := append(strings.Fields(l.Command)[1:], "--out", filepath.Join(dir, "again"), "--workers", "1")
	mustCommand(t, words...)
	if err := clitest.Same(filepath.Join(dir, "run"), filepath.Join(dir, "again"), clitest.Repeatable); err != nil {
		t.Error(err)
	}
}

// TestOwnLadder: a ladder measured here is played like a published one, and its
// command is what the run says; the run keeps the ladder, so the file may go.
func TestOwnLadder(t *testing.T) {
	dir := t.TempDir()
	mustCommand(t, "ladder", "--calibrate", "--game", "quoridor", "--rounds", "20", "--player", "top:final", "--player", "low:bad", "--out", filepath.Join(dir, "run"))
	file := filepath.Join(dir, "run", published.LadderName)
	climb := filepath.Join(dir, "climb")
	text := mustCommand(t, "ladder", "--game", "quoridor", "--player", "v12.7", "--ladder", file, "--rounds", "4", "--out", climb)
	if !strings.Contains(text, "\nlow: ") || !strings.Contains(text, "where top is 0") {
		t.Errorf("%s", text)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if again := mustCommand(t, "ladder", "--resume", climb); withoutTimes(again) != withoutTimes(text) {
		t.Errorf("without the ladder's file\n%s, with it\n%s", again, text)
	}
	for args, want := range map[string]string{
		"--game quoridor --ladder " + file:            "--ladder: open ",
		"--game quoridor --ladder sha256:00":          "the published one of quoridor is sha256:",
		"--game quoridor --ladder " + climb:           "--ladder: ",
		"--game gobang --ladder " + ownLadder(t):      "is of quoridor, not of gobang",
		"--calibrate --game quoridor --ladder x.toml": "players are given too",
	} {
		if _, _, err := selfplay(t, append([]string{"ladder", "--player", "a_E=3", "--out", filepath.Join(dir, "never")}, strings.Fields(args)...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", args, err, want)
		}
	}
}

// ownLadder is the file of the published ladder of Quoridor.
func ownLadder(t *testing.T) string {
	t.Helper()
	l, err := published.ReadLadder("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	data, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "own.toml")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestLadderPublishesCalibrationsOnly: what is no calibration is not published,
// and can still be gone on with.
func TestLadderPublishesCalibrationsOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	text := mustCommand(t, "ladder", "--game", "quoridor", "--player", "final", "--rounds", "1", "--out", dir)
	if _, _, err := selfplay(t, "ladder", "--resume", dir, "--publish", filepath.Join(dir, "p")); err == nil || !strings.Contains(err.Error(), "the run of one player") {
		t.Errorf("published a challenge: %v", err)
	}
	if again := mustCommand(t, "ladder", "--resume", dir); withoutTimes(again) != withoutTimes(text) {
		t.Errorf("%s, want\n%s", again, text)
	}
}

// TestPublishedLadders: the rungs of every published ladder are the players that
// their texts name in this program.
func TestPublishedLadders(t *testing.T) {
	for _, name := range published.Games() {
		game, err := games.Find(name)
		if err != nil {
			t.Error(err)
			continue
		}
		l, err := published.ReadLadder(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if l.GameVersion != game.Version {
			t.Errorf("%s: measured with version %d, this is %d: measure it again", game.Name, l.GameVersion, game.Version)
		}
		rules, err := engines.ParseRules(l.Rules)
		if err != nil {
			t.Error(err)
		}
		if v, err := game.Open(rules); err != nil || v.Rules != l.Rules {
			t.Errorf("%s: rules %s: %v", game.Name, l.Rules, err)
		}
		if l, err = l.Extend(game.Space.Names(), game.Space.Default()); err != nil {
			t.Error(err)
		}
		for _, r := range l.Rungs {
			text := strings.TrimSuffix(r.Player+"@"+r.Limits, "@")
			p, err := player.Parse(game, text, engines.Limits{})
			if err != nil {
				t.Errorf("%s: rung %s: %v", game.Name, r.Name, err)
			} else if p.Limits.String() != r.Limits || !slices.Equal(p.Values, r.Values) {
				t.Errorf("%s: rung %s is not %s any more", game.Name, r.Name, text)
			}
		}
		anchor, err := l.Rung(l.Anchor)
		if err != nil || anchor.Player != game.DefaultPreset || anchor.Limits != game.Limits.String() {
			t.Errorf("%s: the anchor is not the default player: %+v", game.Name, anchor)
		}
	}
}
