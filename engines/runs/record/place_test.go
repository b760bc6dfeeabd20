package record

import (
	"os"
	"sync"
	"testing"
)

// TestNewFolderNeverCollides makes many folders with default names at the same time.
func TestNewFolderNeverCollides(t *testing.T) {
	const many = 40
	root := t.TempDir()
	var makers sync.WaitGroup
	for range many {
		makers.Go(func() {
			if _, err := NewFolder(root, "quoridor-match"); err != nil {
				t.Error(err)
			}
		})
	}
	makers.Wait()
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != many {
		t.Errorf("%d folders, want %d (error %v)", len(entries), many, err)
	}
}
