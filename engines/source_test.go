package engines

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/params"
)

// TestSources: the hash covers every file that is compiled here and in the folders of
// games, players and their protocols, and no test.
func TestSources(t *testing.T) {
	files := map[string]bool{}
	err := fs.WalkDir(sources, ".", func(path string, d fs.DirEntry, err error) error {
		files[path] = !d.IsDir()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*.go", "*/*.go", "external/*/*.go", "*/*.toml", "*/*.txt"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if files[filepath.ToSlash(path)] == strings.HasSuffix(path, "_test.go") {
				t.Errorf("%s: hashed %v", path, files[filepath.ToSlash(path)])
			}
		}
	}
	if hash := SourceHash(); len(hash) != 32 {
		t.Error(hash)
	}
	if paths, err := filepath.Glob("../params/*.go"); err != nil || len(paths) == 0 {
		t.Fatal(err)
	} else {
		for _, path := range paths {
			_, err := os.Stat(path)
			_, in := fs.Stat(params.Sources, filepath.Base(path))
			if err != nil || (in == nil) == strings.HasSuffix(path, "_test.go") {
				t.Errorf("%s: %v, %v", path, err, in)
			}
		}
	}
}
