package main

import (
	"os"
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
