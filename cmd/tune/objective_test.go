package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/testmode"
)

// examples are the folder of objectives that docs/objective.md shows.
const examples = "../../engines/external/examples"

// TestExamples runs the objectives of docs/objective.md, where Python is there: better
// values are found, and the page shows the program as it is.
func TestExamples(t *testing.T) {
	testmode.SkipUnlessLong(t) // programs of the manual
	t.Parallel()
	page, err := os.ReadFile("../../docs/objective.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(examples, "noisy.py"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```py\n"+string(script)+"```\n") {
		t.Error("docs/objective.md does not show engines/external/examples/noisy.py as it is")
	}
	testmode.DirectPython()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	for _, c := range []struct{ script, space, more, want string }{
		{"noisy.py", "noisy.toml", "--direction minimize --games 1000", "tuned-noisy.toml"},
		{"tictactoe.py", "tictactoe.txt", "--games 1000", "tuned-tictactoe.txt"},
	} {
		t.Run(c.script, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "run")
			args := append([]string{"--objective", "python3 " + c.script, "--space", c.space, "--out", dir, "--verify-min", "100", "--verify-pairs", "300"}, strings.Fields(c.more)...)
			r := clitest.OK(t, examples, "tune", args...)
			for _, want := range []string{"on fresh seeds: better", " calls in ", "go on       tune --objective 'python3 " + c.script + "' --space", c.want} {
				if !strings.Contains(r.Stdout, want) {
					t.Errorf("no %q in\n%s", want, r.Stdout)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, c.want)); err != nil {
				t.Error(err)
			}
			if r := clitest.OK(t, examples, "tune", "resume", dir, "--listen", "127.0.0.1:0"); !strings.Contains(r.Stderr, "--cluster changes nothing") {
				t.Errorf("it invites workers that have nothing to play:\n%s", r.Stderr)
			}
			clitest.OK(t, examples, "tune", "report", dir)
			told, err := kinds.All().Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := told.Find("0:0:0"); err == nil || !strings.Contains(err.Error(), "no game to show") {
				t.Errorf("to be replayed: %v", err)
			}
		})
	}
}
