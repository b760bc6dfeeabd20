package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/gobang"
)

// TestOtherRuns: a run of another game, or by other rules, is refused by name.
func TestOtherRuns(t *testing.T) {
	small := filepath.Join(t.TempDir(), "small")
	w, err := datasets.Create(small, datasets.Meta{
		Kind: "match", Game: "gobang", GameVersion: 1, Rules: "preset=standard,size=9,exact_five=no,opening_ring=no", Created: time.Now(), Parameters: []string{"a"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"../../../datasets/testdata/v3": "quoridor", "nowhere": "nowhere", small: "size=9"} {
		if err := add(gobang.NewLessons(), dir, map[string]bool{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", dir, err, want)
		}
	}
}
