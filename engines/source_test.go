package engines

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// Programs for all systems hash the same modules.
func TestModulesOfOneSystem(t *testing.T) {
	if testing.Short() {
		t.Skip("short: lists all packages for each system")
	}
	modules := func(system string) []string {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "../cmd/selfplay", "../cmd/tune")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOARCH=amd64", "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		names := strings.Fields(string(out))
		slices.Sort(names)
		return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return slices.Contains(ofOneSystem, name) })
	}
	want := modules("linux")
	for _, system := range []string{"windows", "darwin", "freebsd"} {
		if got := modules(system); !slices.Equal(got, want) {
			t.Errorf("%s: %q; Linux %q", system, got, want)
		}
	}
}
