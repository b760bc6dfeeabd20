package selfplay

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
)

func TestReplayMatch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	playMatch(t, "--pairs 66 --max-plies 50 --out "+dir)
	out, _, err := selfplay(t, "replay", dir, "1:1:1")
	if err != nil || !strings.Contains(out, "trial 1, pair 1, game 1 of "+dir) || !strings.Contains(out, "the players repeat every move") || strings.Count(out, "walls in hand") < 30 {
		t.Errorf("%v\n%.1000s", err, out)
	}
	brief, _, err := selfplay(t, "replay", dir, "131", "--brief") // the same game by its number
	if err != nil || strings.Contains(brief, "walls in hand") || !strings.HasSuffix(brief, out[strings.LastIndex(out, "\ntrial"):]) {
		t.Errorf("%v\n%s", err, brief)
	}
	out, _, err = selfplay(t, "replay", dir, "0", "--json")
	var r struct {
		Repeats bool
		Seed    string
		Plies   []struct{ By, Move, Board string }
	}
	if json.Unmarshal([]byte(out), &r) != nil || err != nil || !r.Repeats || len(r.Plies) < 30 || r.Plies[0].By != "opening" || r.Plies[4].By != "A (final)" || r.Plies[5].By != "B (v12.7)" {
		t.Errorf("%v\n%.1000s", err, out)
	}
	for _, c := range []struct{ game, want string }{
		{"132", "holds 132 games"},
		{"2:0:0", "no trial 2"},
		{"1:2:0", "trial 1 holds 2 pairs"},
		{"0:0:2", "no game 0:0:2"},
		{"-1", "game \"-1\""},
		{"0:1", "want TRIAL:PAIR:GAME"},
		{"x", "want TRIAL:PAIR:GAME"},
		{"", "want TRIAL:PAIR:GAME"},
	} {
		if _, _, err := selfplay(t, "replay", "--", dir, c.game); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("game %q: %v, want %q", c.game, err, c.want)
		}
	}
	if _, _, err := selfplay(t, "replay", dir); err == nil || !strings.Contains(err.Error(), "want a game of "+dir+" too: TRIAL:PAIR:GAME") {
		t.Errorf("no game: %v", err)
	}
	if _, _, err := selfplay(t, "replay", t.TempDir(), "0"); err == nil || !strings.Contains(err.Error(), "no run at") {
		t.Errorf("no run: %v", err)
	}
}

// TestReplayFindsOtherPlayers: a run whose record another player would make
// diverges, with an error and in JSON.
func TestReplayFindsOtherPlayers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	playMatch(t, "--pairs 3 --out "+dir)
	forged := filepath.Join(t.TempDir(), "forged")
	copyFirst(t, dir, forged, func(row *datasets.TrialRow) { row.A, row.B = row.B, row.A })
	_, _, err := selfplay(t, "replay", forged, "0")
	if d, ok := errors.AsType[*play.Divergence](err); !ok || d.Ply < 5 || !strings.Contains(err.Error(), "trial 0, pair 0, game 0: diverges at ply") {
		t.Errorf("ended with %v", err)
	}
	out, _, err := selfplay(t, "replay", forged, "0", "--json")
	if err == nil || !strings.Contains(out, `"repeats":false,"divergence":{"ply":`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestReplayContest: games of a tournament repeat with each player's own limits.
func TestReplayContest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if _, errs, err := selfplay(t, strings.Fields("tournament --game quoridor --player final --player v12.7 --player bad --pairs 3 --out "+dir)...); err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	for _, game := range []string{"0:0:0", "1:1:1", "2:2:0"} {
		if out, _, err := selfplay(t, "replay", dir, game, "--brief"); err != nil {
			t.Errorf("%s: %v\n%s", game, err, out)
		}
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
}

// TestReplayShowsValuesOfEngines expects the values by which two seats of a tuned engine differ,
// because a log or a fault names only one of them.
func TestReplayShowsValuesOfEngines(t *testing.T) {
	out, _, err := selfplay(t, "replay", "../../../engines/runs/kinds/testdata/corpus/0.4.0-20261129/quad-engine", "0:0:0", "--as-recorded", "--brief")
	if err != nil || !regexp.MustCompile(`(?m)^A has \w+=[-.\d]+$`).MatchString(out) || !regexp.MustCompile(`(?m)^B has \w+=[-.\d]+$`).MatchString(out) {
		t.Errorf("error %v, output\n%s", err, out)
	}
}
