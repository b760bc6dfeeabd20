package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
)

// longRun is a run of some seconds and two parts.
const longRun = "--game quoridor --iters 300 --pairs 8 --screen-pairs 8 --verify-min 128 --verify-pairs 128 --seed 11"

// A run that was killed or interrupted, however often, ends with the bytes of
// one that was not.
func TestStopped(t *testing.T) {
	clitest.SkipUnderRace(t)
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "run")
	started := time.Now()
	clitest.OK(t, ".", "tune", append(strings.Fields(longRun), "--out", whole, "--workers", "2")...)
	took := time.Since(started)
	if _, err := os.Stat(filepath.Join(whole, "trials", "part-000001.parquet")); err != nil {
		t.Fatal("the run is too short to show anything: ", err)
	}
	t.Run("killed", func(t *testing.T) {
		if testing.Short() {
			t.Skip("some seconds")
		}
		t.Parallel()
		testKilled(t, whole, took)
	})
	t.Run("interrupted", func(t *testing.T) {
		t.Parallel()
		testInterrupted(t, whole)
	})
	t.Run("damaged", func(t *testing.T) {
		t.Parallel()
		testDamaged(t, whole)
	})
}

// testKilled kills a process at random moments, then at the moments when files
// appear, and resumes it each time with another number of workers.
func testKilled(t *testing.T, whole string, took time.Duration) {
	dir := filepath.Join(t.TempDir(), "run")
	r := rand.New(rand.NewPCG(20261121, 4))
	var moments []func()
	for range 3 {
		delay := time.Duration(r.Float64() * 0.6 * float64(took))
		moments = append(moments, func() { time.Sleep(delay) })
	}
	for _, name := range []string{
		"games/part-000000.parquet", "trials/part-000000.parquet", "tuned.toml", "games/part-000001.parquet", "figures", "report.html",
	} {
		moments = append(moments, func() { await(filepath.Join(dir, name), 10*took+10*time.Second) })
	}
	kills := 0
	for i, wait := range moments {
		p := clitest.Start(t, ".", "tune", goOn(dir, 1+i%3)...)
		wait()
		if p.Kill(t) {
			kills++
		}
		checkReadable(t, dir, whole)
	}
	t.Logf("%d of %d kills met the process alive", kills, len(moments))
	if kills < 3 {
		t.Errorf("only %d of %d kills met the process alive", kills, len(moments))
	}
	clitest.OK(t, ".", "tune", goOn(dir, 2)...)
	if err := clitest.Same(whole, dir, clitest.Repeatable); err != nil {
		t.Error(err)
	}
}

// goOn returns the arguments that start the run in dir or resume it: a process
// killed at its very start has left nothing to resume.
func goOn(dir string, workers int) []string {
	w := fmt.Sprint(workers)
	if _, err := os.Stat(filepath.Join(dir, "run.toml")); err != nil {
		return append(strings.Fields(longRun), "--out", dir, "--workers", w)
	}
	return []string{"resume", dir, "--workers", w}
}

// await waits until a file is there, looking often: a kill should come soon
// after. It gives up in the end, which the caller notices by what follows.
func await(path string, most time.Duration) {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
}

// checkReadable checks that what a killed run left is the beginning of the whole
// one, and that a report can be made of it.
func checkReadable(t *testing.T, dir, whole string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "run.toml")); errors.Is(err, fs.ErrNotExist) {
		return
	}
	got, want := rows(t, dir), rows(t, whole)
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
	if unfinished := n < len(want.trials); unfinished != strings.Contains(string(report), "\nUnfinished: ") {
		t.Errorf("%d of %d trials are recorded, and the report says\n%.300s", n, len(want.trials), report)
	}
}

type record struct {
	trials []datasets.TrialRow
	games  []datasets.GameRow
}

func rows(t *testing.T, dir string) (r record) {
	t.Helper()
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range log.Trials(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		r.trials = append(r.trials, row)
	}
	for row, err := range log.Games(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		r.games = append(r.games, row)
	}
	return r
}

// testInterrupted stops a run by Ctrl-C and SIGTERM and goes on with the very
// command that it prints.
func testInterrupted(t *testing.T, whole string) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
	dir := filepath.Join(t.TempDir(), "it's here", "run")
	p := clitest.Start(t, ".", "tune", append(strings.Fields(longRun), "--out", dir, "--workers", "1")...)
	for i, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		for end := time.Now().Add(30 * time.Second); !strings.Contains(p.Stderr(), "run directory:") && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if i == 0 {
			refuseSecond(t, dir)
		}
		time.Sleep(50 * time.Millisecond)
		p.Signal(t, signal)
		res := p.Wait(t)
		if res.Code != 130 {
			t.Fatalf("exit code %d after %v, want 130\n%s", res.Code, signal, res.Stderr)
		}
		if res.Stdout != "" {
			t.Errorf("stdout of an interrupted run: %q", res.Stdout)
		}
		checkReadable(t, dir, whole)
		_, command, ok := strings.Cut(res.Stderr, "interrupted; nothing is lost. Go on with:\n  ")
		if !ok || !strings.HasPrefix(command, "tune --resume ") {
			t.Fatalf("no command to go on with:\n%s", res.Stderr)
		}
		p = clitest.Start(t, ".", "sh", "-c", "exec "+strings.TrimSpace(command)+" --workers 1")
	}
	if res := p.Wait(t); res.Code != 0 {
		t.Fatalf("exit code %d\n%s", res.Code, res.Stderr)
	}
	if err := clitest.Same(whole, dir, clitest.Repeatable); err != nil {
		t.Error(err)
	}
}

// A Ctrl-C that cannot save what was played says so and is a failure.
func TestInterruptedAndUnsaved(t *testing.T) {
	clitest.SkipUnderRace(t)
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	p := clitest.Start(t, ".", "tune", append(strings.Fields(longRun), "--iters", "1000000", "--out", dir, "--workers", "1")...)
	await(filepath.Join(dir, "run.toml"), 30*time.Second)
	time.Sleep(time.Second) // long enough for a first trial, whose rows cannot be saved
	if err := os.Rename(filepath.Join(dir, "games"), filepath.Join(dir, "games-moved")); err != nil {
		t.Fatal(err)
	}
	p.Signal(t, os.Interrupt)
	res := p.Wait(t)
	if res.Code != 1 || strings.Contains(res.Stderr, "nothing is lost") {
		t.Fatalf("exit code %d, want 1 and no comfort\n%s", res.Code, res.Stderr)
	}
	for _, want := range []string{filepath.Join(dir, "games"), "no such file or directory", "once the cause is mended: tune --resume " + dir} {
		if !strings.Contains(res.Stderr, want) {
			t.Errorf("no %q in\n%s", want, res.Stderr)
		}
	}
	if err := os.Rename(filepath.Join(dir, "games-moved"), filepath.Join(dir, "games")); err != nil {
		t.Fatal(err)
	}
	clitest.OK(t, ".", "tune", "report", dir)
}

// refuseSecond tries to work on a run that another process works on.
func refuseSecond(t *testing.T, dir string) {
	t.Helper()
	res := clitest.Run(t, ".", "tune", "resume", dir)
	if want := "another process is writing it; wait for it to end or stop it"; res.Code != 1 || !strings.Contains(res.Stderr, want) {
		t.Errorf("a second process: exit code %d, want 1 and %q\n%s", res.Code, want, res.Stderr)
	}
	if res := clitest.Run(t, ".", "tune", append(strings.Fields(longRun), "--out", dir)...); res.Code != 1 || !strings.Contains(res.Stderr, "already holds a run") {
		t.Errorf("a second run in its place: exit code %d\n%s", res.Code, res.Stderr)
	}
	clitest.OK(t, ".", "tune", "report", dir)
}

// testDamaged spoils the second of two parts and does what the error says.
func testDamaged(t *testing.T, whole string) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
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
	clitest.OK(t, ".", "tune", "resume", dir)
	if err := clitest.Same(whole, dir, clitest.Repeatable); err != nil {
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
