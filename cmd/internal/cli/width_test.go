package cli

import (
	"bytes"
	"testing"
)

func TestWidth(t *testing.T) {
	if w := Width(&bytes.Buffer{}); w != 80 {
		t.Errorf("%d columns without a terminal", w)
	}
}
