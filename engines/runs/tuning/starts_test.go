package tuning

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/engines/player"
	"selfplaylab/engines/quoridor"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
)

// TestStartsListTunedParameters expects, of an engine with many parameters, the start values of the
// tuned ones, and the hash of all.
func TestStartsListTunedParameters(t *testing.T) {
	starts := func(n int) string {
		s := &Config{Program: &Program{}, Active: []string{"p1"}}
		for i := range n {
			s.Program.Params = append(s.Program.Params, params.Param{Name: fmt.Sprintf("p%d", i), Max: 100, Frozen: i == 2})
			s.Start.Values = append(s.Start.Values, float64(i))
		}
		return strings.Join(s.starts(), "\n")
	}
	if text := starts(maxStarts); !strings.HasPrefix(text, "start values: p0=0 p1=1 p2=2 ") || strings.Contains(text, "of all") ||
		!strings.HasSuffix(text, "\nnot tuned (frozen, a step of 0, a single value, or values with names): p2") {
		t.Error(text)
	}
	if text := starts(maxStarts + 1); !strings.HasPrefix(text, "start values: p1=1 (of all 41 parameters: SHA-256 ") {
		t.Error(text)
	}
}

// TestUnusedRangesAreNamed expects a warning of ranges and steps in a start's file that do not
// count, for tuned parameters.
func TestUnusedRangesAreNamed(t *testing.T) {
	game := quoridor.Game()
	file := filepath.Join(t.TempDir(), "start.txt")
	if err := os.WriteFile(file, []byte("a_E, float, 20, 10, 30, 2, 0.002\nb_gain, float, 1, 0, 2, 1, 0.002\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := &Config{Start: player.Ask(file + ",a_M=9"), Active: []string{"a_E"}}
	if err := c.seat(game); err != nil {
		t.Fatal(err)
	}
	c.task = &analysis.Task{Game: game}
	text := strings.Join(c.unusedRanges(), "\n")
	if !strings.HasSuffix(text, "; used are a_E -20 to 100, step 6 points/step (in the file 10 to 30, step 2)") {
		t.Error(text)
	}
}
