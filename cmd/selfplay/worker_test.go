package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
)

// connecting finds the address in the line that starts a worker.
var connecting = regexp.MustCompile(`selfplay worker --connect (\S+)\n`)

// TestCluster: a match that other processes play, some of which are killed, and
// whose coordinator is killed and goes on, keeps the bytes of one worker.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("plays thousands of games, twice")
	}
	t.Parallel()
	dir := t.TempDir()
	typed := strings.Fields(longMatch)
	clitest.OK(t, dir, "selfplay", append(typed, "--workers", "1", "--out", filepath.Join(dir, "1"))...)
	out := filepath.Join(dir, "many")
	c := clitest.Start(t, dir, "selfplay", append(typed, "--workers", "0", "--listen", "127.0.0.1:0", "--out", out)...)
	url := c.Said(t, connecting)
	first := clitest.Start(t, dir, "selfplay", "worker", "--connect", url, "--workers", "1")
	first.Said(t, regexp.MustCompile(`(playing) for`))
	second := clitest.Start(t, dir, "selfplay", "worker", "--connect", url, "--workers", "1")
	second.Said(t, regexp.MustCompile(`(playing) for`))
	first.Signal(t, os.Kill)
	if r := c.Wait(t); r.Code != 0 {
		t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
	}
	if err := clitest.Same(filepath.Join(dir, "1"), out, clitest.Repeatable); err != nil {
		t.Error(err)
	}
	second.Signal(t, os.Interrupt)
	if r := second.Wait(t); r.Code != 130 || !strings.Contains(r.Stderr, "left;") {
		t.Errorf("the worker ended with exit code %d\n%s", r.Code, r.Stderr)
	}
}

// TestOtherProcessor: a worker compiled for arm64, run by an emulator, is refused
// for its processor, and with --mixed takes part, to the bytes of this one.
func TestOtherProcessor(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program for arm64")
	}
	emulator, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		t.Skip("no emulator of arm64 here: install qemu-user-static")
	}
	dir := t.TempDir()
	arm := filepath.Join(dir, "selfplay-arm64")
	build := exec.Command("go", "build", "-o", arm, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, game := range []string{"quoridor --a final --b v12.7", "connectfour --a default --b strong --limits playouts=50", "gobang --a fixed --b fixed --limits depth=1", "mills --a paper --b paper10 --limits depth=2"} {
		typed := strings.Fields("match --pairs 6 --record-moves on --game " + game)
		name := typed[6]
		one, many := filepath.Join(dir, name+"1"), filepath.Join(dir, name+"2")
		clitest.OK(t, dir, "selfplay", append(typed, "--workers", "1", "--out", one)...)
		c := clitest.Start(t, dir, "selfplay", append(typed, "--workers", "0", "--mixed", "--listen", "127.0.0.1:0", "--out", many)...)
		clitest.Start(t, dir, emulator, arm, "worker", "--connect", c.Said(t, connecting), "--workers", "1")
		if r := c.Wait(t); r.Code != 0 {
			t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
		}
		if err := clitest.Same(one, many, clitest.Repeatable); err != nil {
			t.Error(err)
		}
	}
	c := clitest.Start(t, dir, "selfplay", strings.Fields("match --pairs 6 --game quoridor --a final --b v12.7 --discard --workers 0 --listen 127.0.0.1:0")...)
	w := clitest.Run(t, dir, emulator, arm, "worker", "--connect", c.Said(t, connecting))
	if w.Code != 1 || !strings.Contains(w.Stderr, "coordinator: revision") || !strings.Contains(w.Stderr, "arm64") {
		t.Errorf("exit code %d\n%s", w.Code, w.Stderr)
	}
}
