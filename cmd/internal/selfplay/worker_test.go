package selfplay

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/testmode"
)

// connecting finds the address in the line that starts a worker.
var connecting = regexp.MustCompile(`selfplay worker --connect (\S+)\n`)

// TestCluster: a match that other processes play, one of which is killed, keeps the
// bytes of one worker; see TestTorture.
func TestCluster(t *testing.T) {
	testmode.SkipUnlessLong(t) // plays thousands of games
	t.Parallel()
	dir := t.TempDir()
	whole, _ := finished.run(t)
	out := filepath.Join(dir, "many")
	c := start(t, dir, "selfplay", append(strings.Fields(longMatch), "--workers", "0", "--listen", "127.0.0.1:0", "--out", out)...)
	url := c.Said(t, connecting)
	first := start(t, dir, "selfplay", "worker", "--connect", url, "--workers", "1")
	first.Said(t, regexp.MustCompile(`(playing) for`))
	second := start(t, dir, "selfplay", "worker", "--connect", url, "--workers", "1")
	second.Said(t, regexp.MustCompile(`(playing) for`))
	first.Signal(t, os.Kill)
	if r := c.Wait(t); r.Code != 0 {
		t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
	}
	if err := clitest.Same(whole, out, clitest.Repeatable); err != nil {
		t.Error(err)
	}
	told := c.Wait(t).Stderr
	for _, want := range []string{"keeps about 120 cores busy: no game waits for another", "played again to compare: all alike"} {
		if !strings.Contains(told, want) {
			t.Errorf("it does not say %q:\n%s", want, told)
		}
	}
	second.Signal(t, os.Interrupt)
	if r := second.Wait(t); r.Code != 130 || !strings.Contains(r.Stderr, "left;") {
		t.Errorf("the worker ended with exit code %d\n%s", r.Code, r.Stderr)
	}
}

// TestOtherEvaluator: a worker compiled with another constant in an evaluator says
// the same revision, Go release and processor, and is refused for its source, and with
// --mixed for its moves, with both lines. A game that the constant is no part of it may
// play then.
func TestOtherEvaluator(t *testing.T) {
	testmode.SkipUnlessLong(t) // compiles the program
	dir := t.TempDir()
	source, err := filepath.Abs("../../../engines/mills/evaluate.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	const right, wrong = "return int32(n * n)", "return int32(n*n + n)"
	if strings.Count(string(text), right) != 1 {
		t.Fatalf("%s has %q no more: choose another constant", source, right)
	}
	changed, overlay := filepath.Join(dir, "evaluate.go"), filepath.Join(dir, "overlay.json")
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	if err == nil {
		err = errors.Join(os.WriteFile(changed, []byte(strings.Replace(string(text), right, wrong, 1)), 0o666), os.WriteFile(overlay, replaced, 0o666))
	}
	if err != nil {
		t.Fatal(err)
	}
	const good = "selfplay" // this test's binary, which knows no revision
	bad := filepath.Join(dir, "selfplay-other")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-w", "-overlay", overlay, "-o", bad, "../../selfplay").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const mills = "match --pairs 20 --game mills --a paper --b paper10 --limits depth=2 --discard --workers 0 --listen 127.0.0.1:0"
	for typed, want := range map[string]string{mills: "it is another build", mills + " --mixed": "its numbers are others"} {
		c := start(t, dir, good, strings.Fields(typed)...)
		w := clitest.Run(t, dir, bad, "worker", "--once", "--connect", c.Said(t, connecting))
		if w.Code != 1 || !strings.Contains(w.Stderr, want) || strings.Count(w.Stderr, " (revision ") != 2 {
			t.Errorf("exit code %d\n%s", w.Code, w.Stderr)
		}
	}
	c := start(t, dir, good, strings.Fields("match --pairs 20 --game quoridor --a final --b v12.7 --discard --workers 0 --mixed --listen 127.0.0.1:0")...)
	start(t, dir, bad, "worker", "--connect", c.Said(t, connecting))
	if r := c.Wait(t); r.Code != 0 {
		t.Errorf("exit code %d\n%s", r.Code, r.Stderr)
	}
}

// TestOtherProcessor: a worker compiled for arm64 from the same source, run by an
// emulator, takes part, to the bytes of this one.
func TestOtherProcessor(t *testing.T) {
	testmode.SkipUnlessLong(t) // compiles everything for another processor
	emulator, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		t.Skip("no emulator of arm64 here: install qemu-user-static")
	}
	dir := t.TempDir()
	this, arm := filepath.Join(dir, "selfplay-this"), filepath.Join(dir, "selfplay-arm64")
	for program, processor := range map[string]string{this: runtime.GOARCH, arm: "arm64"} {
		build := exec.Command("go", "build", "-ldflags=-w -X selfplaylab/engines.source=same", "-o", program, ".")
		build.Env = append(os.Environ(), "GOARCH="+processor, "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, game := range []string{"connectfour --a default --b strong --limits playouts=50", "quoridor --a final --b v12.7", "gobang --a fixed --b fixed --limits depth=1", "mills --a paper --b paper10 --limits depth=2"} {
		typed := strings.Fields("match --pairs 6 --record-moves on --game " + game)
		name := typed[6]
		one, many := filepath.Join(dir, name+"1"), filepath.Join(dir, name+"2")
		clitest.OK(t, dir, "selfplay", append(typed, "--workers", "1", "--out", one)...)
		c := start(t, dir, this, append(typed, "--workers", "0", "--listen", "127.0.0.1:0", "--out", many)...)
		start(t, dir, emulator, arm, "worker", "--connect", c.Said(t, connecting), "--workers", "1")
		if r := c.Wait(t); r.Code != 0 {
			t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
		}
		if err := clitest.Same(one, many, clitest.Repeatable); err != nil {
			t.Error(err)
		}
	}
}
