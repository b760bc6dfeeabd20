package params

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"selfplaylab/params/tomlx"
)

// TestPresetsReadAsLibraryReads compares every game's presets with the TOML library.
func TestPresetsReadAsLibraryReads(t *testing.T) {
	paths, err := filepath.Glob("../engines/*/presets.toml")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var want presetsTOML
		if err := tomlx.Decode(path, data, &want, Suggest); err != nil {
			t.Fatal(err)
		}
		got, err := presetTables(path, data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(presetTOML{})); diff != "" {
			t.Errorf("%s (-library +plain):\n%s", path, diff)
		}
	}
}

// TestPresetTablesRejectOtherTOML reports other TOML with its line.
func TestPresetTablesRejectOtherTOML(t *testing.T) {
	for _, text := range []string{
		"name = \"x\"", "[preset.values]", "[[preset]]\n[other]", "[[preset]]\nname = 3", "[[preset]]\nadded = \"yes\"", "[[preset]]\nother = 1",
		"[[preset]]\nname = \"x\" # comment", "[[preset]]\n[preset.values]\na = [1, 2]", "[[preset]]\n[preset.values]\na = 'x'", "[[preset]]\n[preset.values]\na",
	} {
		if doc, err := presetTables("f", []byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, doc)
		}
	}
}
