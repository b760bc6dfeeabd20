package selfplay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/testmode"
)

// longMatch is a match of some seconds and two parts, in all tables.
const longMatch = "match --game quoridor --a final --b v16.7 --pairs 2400 --seed 5 --record-moves on --json"

// finishedMatch is longMatch played by one worker, which several tests compare with.
type finishedMatch struct {
	once         sync.Once
	dir, printed string
}

var finished finishedMatch

// run plays it with the first test that needs it, next to the folder of the programs, which
// TestMain removes.
func (f *finishedMatch) run(t *testing.T) (dir, printed string) {
	t.Helper()
	f.once.Do(func() {
		program, err := exec.LookPath("selfplay")
		if err != nil {
			t.Fatal(err)
		}
		f.dir = filepath.Join(filepath.Dir(program), "..", "finished", "run")
		f.printed = clitest.OK(t, ".", "selfplay", append(strings.Fields(longMatch), "--out", f.dir, "--workers", "1")...).Stdout
		if _, err := os.Stat(filepath.Join(f.dir, "trials", "part-000001.parquet")); err != nil {
			t.Fatal("the match is too short to show anything: ", err)
		}
	})
	if f.printed == "" {
		t.Fatal("the match to compare with was not played")
	}
	return f.dir, f.printed
}

// The number of workers never shows, nor does it matter whether the command is
// the one that was typed or the canonical one of run.toml.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("plays every kind of match twice")
	}
	t.Parallel()
	for name, flags := range map[string]string{
		"seed":     "--a final --b v12.7,a_M=6 --pairs 100",
		"standard": "--a v30.7 --b bad,coin=v --pairs 70 --rules variant=standard --opening-plies 7 --limits-a time=3s --seed 18446744073709551615",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			one, two, sixteen := filepath.Join(dir, "1"), filepath.Join(dir, "2"), filepath.Join(dir, "16")
			typed := append([]string{"match", "--game", "quoridor"}, strings.Fields(flags)...)
			clitest.OK(t, dir, "selfplay", append(typed, "--workers", "1", "--out", one)...)
			clitest.OK(t, dir, "selfplay", append(typed, "--workers", "2", "--out", two)...)
			canonical := strings.Fields(canonical(t, one))
			if canonical[0] != "selfplay" {
				t.Fatalf("command is %q", canonical)
			}
			clitest.OK(t, dir, "selfplay", append(canonical[1:], "--workers", "16", "--out", sixteen)...)
			for _, other := range []string{two, sixteen} {
				if err := clitest.Same(one, other, clitest.Repeatable); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// canonical returns the canonical command of a run.
func canonical(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "run.toml"))
	if err != nil {
		t.Fatal(err)
	}
	var run struct {
		Command string `toml:"command"`
	}
	if err := toml.Unmarshal(data, &run); err != nil {
		t.Fatal(err)
	}
	return run.Command
}

// A match that was killed or interrupted ends with the bytes and the table of
// one that was not.
func TestStopped(t *testing.T) {
	clitest.SkipUnderRace(t)
	testmode.SkipUnlessLong(t) // a storm of kills
	t.Parallel()
	whole, table := finished.run(t)
	for _, stops := range [][]string{
		{"kill match 2", "interrupt match 300", "kill match 700", "terminate match 900", "kill match 4130"},
		{"kill match 2", "kill match 700", "kill match 4000", "kill match 4130", "kill match 4600"},
		{"interrupt match 300", "terminate match 900"},
	} {
		t.Run(strings.Join(stops, ", "), func(t *testing.T) {
			t.Parallel()
			testStopped(t, whole, table, stops)
		})
	}
}

// testStopped has the match killed, interrupted by Ctrl-C and ended by SIGTERM: at its
// start, within the first part of its record, and in the second. An interrupt prints the
// command that goes on.
func testStopped(t *testing.T, whole, table string, stops []string) {
	dir := filepath.Join(t.TempDir(), "it's here", "run")
	for i, stop := range stops {
		killed := strings.HasPrefix(stop, "kill ")
		if !killed && runtime.GOOS == "windows" {
			continue // no signals to send
		}
		res := clitest.RunUntil(t, ".", stop, "selfplay", goOn(dir, 1+i%3)...)
		if killed && res.Code >= 0 {
			t.Fatalf("%s: exit code %d, and not killed\n%s", stop, res.Code, res.Stderr)
		}
		checkReadable(t, dir)
		if !killed {
			if command, want := clitest.Continued(t, stop, res), "selfplay match --resume "+runs.Quote(dir); command != want {
				t.Fatalf("%s: it would continue with %q; want %s", stop, command, want)
			}
		}
	}
	checkEnd(t, whole, dir, table, clitest.OK(t, ".", "selfplay", goOn(dir, 2)...).Stdout)
}

// goOn returns the arguments that start the match in dir or resume it: a process
// killed at its very start has left nothing to resume.
func goOn(dir string, workers int) []string {
	w := fmt.Sprint(workers)
	if _, err := os.Stat(filepath.Join(dir, "run.toml")); err != nil {
		return append(strings.Fields(longMatch), "--out", dir, "--workers", w)
	}
	return []string{"match", "--resume", dir, "--workers", w, "--json"}
}

// checkReadable reads all that a killed match left.
func checkReadable(t *testing.T, dir string) {
	t.Helper()
	log, err := datasets.Read(dir)
	if _, started := os.Stat(filepath.Join(dir, "run.toml")); errors.Is(started, fs.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	games := int64(0)
	for _, err := range log.Games(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		games++
	}
	for _, err := range log.Moves(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if games != log.NumGames {
		t.Errorf("%d games can be read, %d are recorded", games, log.NumGames)
	}
}

// checkEnd compares rows and results; only the name of the folder and the measured time
// of processors may differ.
func checkEnd(t *testing.T, whole, dir, want, got string) {
	t.Helper()
	if err := clitest.Same(whole, dir, clitest.Repeatable); err != nil {
		t.Error(err)
	}
	var tables [2]map[string]any
	for i, text := range []string{want, got} {
		if err := json.Unmarshal([]byte(text), &tables[i]); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		for _, key := range []string{"run", "cpu_time_a", "cpu_time_b"} {
			if _, ok := tables[i][key]; !ok {
				t.Errorf("%s is not in %s", key, text)
			}
			delete(tables[i], key)
		}
	}
	if diff := cmp.Diff(tables[0], tables[1]); diff != "" {
		t.Errorf("results differ (-whole +resumed):\n%s", diff)
	}
}

// Nobody else may write into the folder of a match that is played.
func TestOneWriter(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	clitest.OK(t, ".", "selfplay", "match", "--game", "quoridor", "--a", "final", "--b", "bad", "--pairs", "2", "--out", dir)
	w, _, err := datasets.Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	second := clitest.Run(t, ".", "selfplay", "match", "--resume", dir)
	if want := "another process is writing it; wait for it to end or stop it"; second.Code != 1 || !strings.Contains(second.Stderr, want) {
		t.Errorf("a second process: exit code %d, want 1 and %q\n%s", second.Code, want, second.Stderr)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Ctrl-C stops what keeps nothing, too: at once and with the same exit code.
func TestInterruptedTools(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]string{
		"match": "match --game quoridor --a final --b v16.7 --pairs 1000000 --discard",
		"perft": "perft --game quoridor --depth 7",
		"bench": "bench --game quoridor --seconds 600",
		"best":  "best --game mills --limits depth=60",
		"plan":  "plan --game quoridor --elo 5 --seconds 600",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(cli.ErrInterrupted) // before it begins: nothing depends on how fast it is
			var stdout, stderr bytes.Buffer
			err := root(ctx, strings.Fields(args), &stdout, &stderr)
			if !cli.Interrupted(err) || stdout.Len() > 0 {
				t.Errorf("ended with %v; stdout %q\n%s", err, &stdout, &stderr)
			}
			if want := "interrupted; nothing was kept (--discard)"; name == "match" && !strings.Contains(stderr.String(), want) {
				t.Errorf("no %q in %q", want, &stderr)
			}
		})
	}
}

func skipWithoutSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
}

// The games of an unfinished trial are kept, too, where a program plays that has no options.
func TestStoppedWithAnEngine(t *testing.T) {
	clitest.SkipUnderRace(t)
	testmode.SkipUnlessLong(t) // kills matches of slow programs
	skipWithoutSignals(t)
	t.Parallel()
	folder := t.TempDir()
	engine := "cmd = \"selfplay\"\nargs = [\"engine\", \"--game\", \"gobang\", \"--protocol\", \"gomocup\"]\nprotocol = \"gomocup\"\n" +
		"games = [\"gobang\"]\n"
	if err := os.WriteFile(filepath.Join(folder, "e.toml"), []byte(engine), 0o666); err != nil {
		t.Fatal(err)
	}
	res := clitest.RunUntil(t, folder, "interrupt match 6", "selfplay",
		strings.Fields("match --game gobang --a engine:e.toml@time=5ms+10s --b master@depth=3 --pairs 24 --workers 1 --out run")...)
	clitest.Continued(t, "interrupt match 6", res)
	clitest.OK(t, folder, "selfplay", "match", "--resume", "run")
	sessions, err := datasets.Sessions(filepath.Join(folder, "run"))
	if err != nil || len(sessions) != 2 || sessions[0].Games < 6 || sessions[0].Games+sessions[1].Games != 48 {
		t.Errorf("sessions %+v, %v; want 48 games in all", sessions, err)
	}
}

// What is played of a trial is kept when a run is stopped or killed within it, and is not
// played again. Here all is one trial, of more pairs than a worker may be ahead of what is
// taken, so that it cannot be over when it is stopped.
func TestStoppedWithinATrial(t *testing.T) {
	clitest.SkipUnderRace(t)
	if testing.Short() {
		t.Skip("plays for longer than it takes until something is saved")
	}
	skipWithoutSignals(t)
	t.Parallel()
	slow := strings.Fields("tournament --game connectfour --player default --player strong --limits playouts=200 --pairs 80 --round 80 --seed 5 " +
		"--record-moves on --workers 1")
	whole, dir := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "run")
	clitest.OK(t, ".", "selfplay", append(slow, "--out", whole)...)

	res := clitest.RunUntil(t, ".", "interrupt tournament 2", "selfplay", append(slow, "--out", dir)...)
	said := regexp.MustCompile(`nothing is lost, 0 games recorded, ([0-9]+) of unfinished trials kept\.`).FindStringSubmatch(res.Stderr)
	if res.Code != 130 || said == nil {
		t.Fatalf("exit code %d, want 130 and the games that are kept\n%s", res.Code, res.Stderr)
	}
	kept, err := strconv.ParseInt(said[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	again := []string{"tournament", "--resume", dir}
	if res := clitest.RunUntil(t, ".", "kill tournament 2", "selfplay", again...); res.Code >= 0 {
		t.Fatalf("exit code %d, and not killed\n%s", res.Code, res.Stderr)
	}
	clitest.OK(t, ".", "selfplay", again...)
	if err := clitest.Same(whole, dir, clitest.Repeatable); err != nil {
		t.Error(err)
	}
	sessions, err := datasets.Sessions(dir)
	if err != nil || len(sessions) != 2 || sessions[0].Games != kept || sessions[1].Games > 160-kept {
		t.Errorf("%d games are kept; sessions %+v, %v", kept, sessions, err)
	}
	if left, err := os.ReadFile(filepath.Join(dir, "pending.jsonl")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the run is over and keeps %q, %v", left, err)
	}
}
