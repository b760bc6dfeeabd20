package web

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkList reads a folder of a thousand runs for the first time, and again
// where nothing has changed.
func BenchmarkList(b *testing.B) {
	root := b.TempDir()
	dir := playMatch(b, b.TempDir(), "one", 200)
	for i := range 1000 {
		if err := os.CopyFS(filepath.Join(root, fmt.Sprint("run-", i)), os.DirFS(dir)); err != nil {
			b.Fatal(err)
		}
	}
	ids, err := newLibrary(root).find()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			newLibrary(root).read(ids)
		}
	})
	b.Run("again", func(b *testing.B) {
		l := newLibrary(root)
		l.read(ids)
		for b.Loop() {
			if _, err := l.find(); err != nil {
				b.Fatal(err)
			}
			l.read(ids)
		}
	})
}
