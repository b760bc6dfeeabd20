package main

import (
	"os/exec"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
)

// The comparison on the example's objective prints the same rows with one worker and two.
func TestObjective(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	const examples = "../../../engines/external/examples"
	args := strings.Fields("tuners --objective PROGRAM --space noisy.toml --direction minimize --games 60 --repeats 2 --method quad --csv --workers")
	args[2] = "python3 noisy.py"
	one, two := clitest.OK(t, examples, "lab", append(args, "1")...), clitest.OK(t, examples, "lab", append(args, "2")...)
	if !strings.Contains(one.Stdout, "\nobjective,quad,own,60,2,") || one.Stdout != two.Stdout {
		t.Errorf("%s\nby 2 workers\n%s", one.Stdout, two.Stdout)
	}
}
