package cli

import (
	"bytes"
	"testing"
)

// TestPipeHasDefaultWidth expects 80 columns without a terminal.
func TestPipeHasDefaultWidth(t *testing.T) {
	if w := Width(&bytes.Buffer{}); w != 80 {
		t.Errorf("%d columns without a terminal", w)
	}
}
