package tune

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/datasets/datasetstest"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports/text"
)

// exitKeepStart is the exit code of a tuning after which the start is to be kept.
const exitKeepStart = 3

// longRun is a run of some seconds and two parts.
const longRun = "--game quoridor --params a_E,a_M,b_gain --iters 300 --pairs 8 --screen-pairs 8 --verify-min 128 --verify-pairs 128 --rate-pairs 4 --seed 11"

// whole runs tune to its end, whatever its tuned values are worth.
func whole(t *testing.T, dir string, args ...string) clitest.Result {
	t.Helper()
	r := clitest.Run(t, dir, "tune", args...)
	if r.Code != 0 && r.Code != exitKeepStart {
		t.Fatalf("tune %q in %s: exit code %d\n%s", args, dir, r.Code, r.Stderr)
	}
	return r
}

// A run that was killed or interrupted, however often, ends with the bytes of
// one that was not.
func TestStopped(t *testing.T) {
	clitest.SkipUnderRace(t)
	testmode.SkipUnlessLong(t) // a storm of kills
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	whole(t, ".", append(strings.Fields(longRun), "--out", dir, "--workers", "2")...)
	if _, err := os.Stat(filepath.Join(dir, "trials", "part-000001.parquet")); err != nil {
		t.Fatal("the run is too short to show anything: ", err)
	}
	for _, stops := range [][]string{
		{"interrupt screen 2", "terminate tune 3000", "kill tune 4400", "kill verify 100"},
		{"kill screen 16", "kill tune 2000", "kill tune 4400", "kill verify 100", "kill rate 8", "kill rate 150", "kill worth 8", "kill worth 400"},
		{"interrupt screen 2", "terminate tune 3000"},
	} {
		t.Run(strings.Join(stops, ", "), func(t *testing.T) {
			t.Parallel()
			testStopped(t, dir, stops)
		})
	}
	t.Run("damaged", func(t *testing.T) {
		t.Parallel()
		testDamaged(t, dir)
	})
}

// testStopped has the process killed, interrupted by Ctrl-C and ended by SIGTERM in the
// phases of a run, before and after the first part of its record is on disk. It is resumed
// with other numbers of workers; after an interrupt, by the very command that it prints.
func testStopped(t *testing.T, finished string, stops []string) {
	dir := filepath.Join(t.TempDir(), "it's here", "run")
	recorded := 0
	next := append(append([]string{"tune"}, strings.Fields(longRun)...), "--out", dir, "--workers", "2")
	for i, stop := range stops {
		killed := strings.HasPrefix(stop, "kill ")
		if !killed && runtime.GOOS == "windows" {
			continue // no signals to send
		}
		res := clitest.RunUntil(t, ".", stop, next[0], next[1:]...)
		next = []string{"tune", "resume", dir, "--workers", fmt.Sprint(1 + (i+1)%3)}
		if !killed {
			command := clitest.Continued(t, stop, res)
			if !strings.HasPrefix(command, "tune --resume ") {
				t.Fatalf("%s: it would continue with %q", stop, command)
			}
			next = []string{"sh", "-c", "exec " + command + " --workers 1"}
		} else if res.Code >= 0 {
			t.Fatalf("%s: exit code %d, and not killed\n%s", stop, res.Code, res.Stderr)
		}
		checkReadable(t, dir, finished)
		n := len(rows(t, dir).trials)
		if killed && stop != "kill screen 16" && stop != "kill tune 2000" && n == 0 || n < recorded {
			t.Errorf("%s: %d trials are recorded, %d were before", stop, n, recorded)
		}
		recorded = n
	}
	if res := clitest.Run(t, ".", next[0], next[1:]...); res.Code != 0 && res.Code != exitKeepStart {
		t.Fatalf("exit code %d\n%s", res.Code, res.Stderr)
	}
	if err := clitest.Same(finished, dir, clitest.Repeatable); err != nil {
		t.Error(err)
	}
}

// checkReadable checks that what a killed run left is the beginning of the whole
// one, and that a report can be made of it.
func checkReadable(t *testing.T, dir, finished string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "run.toml")); errors.Is(err, fs.ErrNotExist) {
		return
	}
	got, want := rows(t, dir), rows(t, finished)
	n, m := len(got.trials), len(got.games)
	if diff := cmp.Diff(want.trials[:n], got.trials, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("trials differ (-whole +killed):\n%s", diff)
	}
	if diff := cmp.Diff(want.games[:m], got.games, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("games differ (-whole +killed):\n%s", diff)
	}
	clitest.OK(t, ".", "tune", "report", dir)
	report, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	counts := unfinished.FindStringSubmatch(string(report))
	if n == len(want.trials) {
		if counts != nil {
			t.Errorf("all %d trials are recorded, and the report says %q", n, counts[0])
		}
		return
	}
	if counts == nil || counts[1] != text.Count(got.tuned()) || counts[2] != text.Count(want.tuned()) {
		t.Errorf("%d of %d tuning games are recorded, and the report says %q:\n%.300s", got.tuned(), want.tuned(), counts, report)
	}
}

// unfinished is the sentence of a report of an unfinished tuning.
var unfinished = regexp.MustCompile(`The run is not finished: ([0-9,]+) of ([0-9,]+) tuning games are recorded\.`)

type table struct {
	trials []datasets.TrialRow
	games  []datasets.GameRow
}

// tuned returns the number of games of the tuner's trials.
func (r table) tuned() (n int) {
	for _, g := range r.games {
		if g.Phase == "tune" {
			n++
		}
	}
	return n
}

func rows(t *testing.T, dir string) (r table) {
	t.Helper()
	r.trials, r.games = datasetstest.Rows(t, dir, datasets.Filter{})
	return r
}

// A Ctrl-C that cannot save what was played says so and is a failure.
func TestInterruptedAndUnsaved(t *testing.T) {
	if testing.Short() {
		t.Skip("short: kills a program")
	}
	clitest.SkipUnderRace(t)
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
	t.Parallel()
	dir := t.TempDir()
	res := clitest.RunUntil(t, dir, "spoil tune 100", "tune", append(strings.Fields(longRun), "--iters", "1000000", "--out", "run", "--workers", "1")...)
	if res.Code != 1 || strings.Contains(res.Stderr, "nothing is lost") {
		t.Fatalf("exit code %d, want 1 and no comfort\n%s", res.Code, res.Stderr)
	}
	for _, want := range []string{filepath.Join("run", "games"), "no such file or directory", "The record is kept; once the cause is fixed, continue with: tune --resume run"} {
		if !strings.Contains(res.Stderr, want) {
			t.Errorf("no %q in\n%s", want, res.Stderr)
		}
	}
	if err := os.Rename(filepath.Join(dir, "run", "games-moved"), filepath.Join(dir, "run", "games")); err != nil {
		t.Fatal(err)
	}
	clitest.OK(t, dir, "tune", "report", "run")
}

// A run that another process works on is refused, and can be read.
func TestSecondProcess(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	cfg := tuning.New()
	if err := config.Table(cfg, map[string]any{"game": "quoridor", "iters": int64(1)}); err != nil {
		t.Fatal(err)
	}
	plan, err := cfg.Plan()
	if err != nil {
		t.Fatal(err)
	}
	held, err := record.Create(dir, plan, record.Origin{}) // this process holds it
	if err != nil {
		t.Fatal(err)
	}
	res := clitest.Run(t, ".", "tune", "resume", dir)
	if want := "another process is writing it; wait for it to end or stop it"; res.Code != 1 || !strings.Contains(res.Stderr, want) {
		t.Errorf("a second process: exit code %d, want 1 and %q\n%s", res.Code, want, res.Stderr)
	}
	if res := clitest.Run(t, ".", "tune", append(strings.Fields(longRun), "--out", dir)...); res.Code != 1 || !strings.Contains(res.Stderr, "already holds a run") {
		t.Errorf("a second run in its place: exit code %d\n%s", res.Code, res.Stderr)
	}
	clitest.OK(t, ".", "tune", "report", dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := held.Play(ctx, runs.Options{}); !errors.Is(err, context.Canceled) { // gives it up
		t.Error(err)
	}
}

// testDamaged spoils the second of two parts and does what the error says.
func testDamaged(t *testing.T, finished string) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(dir, os.DirFS(finished)); err != nil {
		t.Fatal(err)
	}
	spoilt := filepath.Join(dir, "games", "part-000001.parquet")
	if err := os.Truncate(spoilt, 1000); err != nil {
		t.Fatal(err)
	}
	res := clitest.Run(t, ".", "tune", "resume", dir)
	for _, want := range []string{
		spoilt + ": truncated or not parquet", "move part-000001.parquet and all later parts out of both folders, games and trials, then resume",
	} {
		if res.Code != 1 || !strings.Contains(res.Stderr, want) {
			t.Errorf("exit code %d, want 1 and %q\n%s", res.Code, want, res.Stderr)
		}
	}
	for _, table := range []string{"games", "trials"} {
		if err := os.Remove(filepath.Join(dir, table, "part-000001.parquet")); err != nil {
			t.Fatal(err)
		}
	}
	first := len(rows(t, dir).trials)
	if want := fmt.Sprintf("trials from %d on are played again", first); first == 0 || !strings.Contains(res.Stderr, want) {
		t.Errorf("no %q in\n%s", want, res.Stderr)
	}
	whole(t, ".", "resume", dir)
	if err := clitest.Same(finished, dir, clitest.Repeatable); err != nil {
		t.Error(err)
	}
}

// The command is on the PATH, or no test here tests it.
func TestCommandIsOnPath(t *testing.T) {
	path, err := exec.LookPath("tune")
	if err != nil {
		t.Fatal(err)
	}
	if got := clitest.OK(t, ".", path, "--version").Stdout; !strings.HasPrefix(got, "tune version ") {
		t.Errorf("%s is another program: %s", path, got)
	}
}
