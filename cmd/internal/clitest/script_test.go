package clitest

import (
	"fmt"
	"strings"
	"testing"
)

// TestFailedScriptShowsEndsOfOutputs expects the script's own lines, short outputs whole, and of a
// long one its first and last lines.
func TestFailedScriptShowsEndsOfOutputs(t *testing.T) {
	var rows []string
	for i := range 500 {
		rows = append(rows, fmt.Sprint("row ", i))
	}
	log := "> exec export\n[stdout]\n" + strings.Join(rows, "\n") + "\n> stdout 'x'\nFAIL: no match\nshort"
	got := shorten(log)
	if n := strings.Count(got, "\n"); n != 2*maxShown+6-1 {
		t.Errorf("%d line ends", n)
	}
	for _, want := range []string{"> exec export\n[stdout]\nrow 0\n", "row 19\n... 460 more lines ...\nrow 480\n", "row 499\n> stdout 'x'\nFAIL: no match\nshort"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
