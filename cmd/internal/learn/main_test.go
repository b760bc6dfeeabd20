package main

import (
	"strings"
	"testing"

	"selfplaylab/engines/gobang"
)

// TestOtherRuns: what is no run of gobang is refused by name.
func TestOtherRuns(t *testing.T) {
	for dir, want := range map[string]string{"../../../datasets/testdata/v2": "quoridor", "nowhere": "nowhere"} {
		if err := add(gobang.NewLessons(), dir, map[string]bool{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", dir, err, want)
		}
	}
}
