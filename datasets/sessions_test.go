package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSessionsSurviveKills reads the noted sessions, between the traces of kills.
func TestSessionsSurviveKills(t *testing.T) {
	dir := newRun(t, 2)
	if got, err := Sessions(dir); err != nil || got != nil {
		t.Fatalf("before any: %v, %v", got, err)
	}
	first := Session{Started: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Seconds: 2.5, Games: 100, Workers: 2, Trials: 2, CPU: "linux/amd64",
		CommandLine: strings.Repeat("a command line longer than a scanner's buffer ", 3000)}
	second := Session{Started: first.Started.Add(time.Hour), Host: "here", Cores: 4, Trials: 2,
		Machines: []Machine{{Host: "there", CPU: "linux/arm64", Cores: 8, Workers: 7, Games: 50}}}
	w, log, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Note(Session{Started: first.Started}), w.Note(first)); err != nil { // noted at the start and at the end
		t.Fatal(err)
	}
	path := filepath.Join(dir, sessionsName)
	whole := must[[]byte](t)(os.ReadFile(path))
	put(t, dir, sessionsName, append(whole, `{"started":"2026-11-2`...)) // truncated by a kill
	if err := w.Note(second); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Session{first, second}, must[[]Session](t)(log.Sessions())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantError(t, w.Note(first), dir, "closed")
}

// A link in place of the list of sessions is neither written through nor read through.
func TestSessionsFollowNoLink(t *testing.T) {
	dir, victim := newRun(t, 2), filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{victim, filepath.Join(filepath.Dir(victim), "absent")} {
		path := filepath.Join(dir, sessionsName)
		if err := os.Symlink(target, path); err != nil {
			t.Skipf("no links here: %v", err)
		}
		w, _, err := Resume(dir)
		if err != nil {
			t.Fatal(err)
		}
		wantError(t, w.Note(Session{Games: 1}), path, "not a regular file")
		_, err = Sessions(dir)
		wantError(t, err, path, "not a regular file")
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		remove(t, dir, sessionsName)
	}
	if data := must[[]byte](t)(os.ReadFile(victim)); string(data) != "{}\n" {
		t.Errorf("the file that the link names became %q", data)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(victim), "absent")); err == nil {
		t.Error("the link's absent target was made")
	}
}
