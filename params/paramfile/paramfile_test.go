package paramfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"selfplaylab/params"
)

var space = params.Space{
	{Name: "a_E", Doc: "path", Min: -20, Max: 100, Default: 22, Step: 3},
	{Name: "dist", Doc: "steps", Min: 0, Max: 9, Default: 4, Step: 1, Whole: true},
	{Name: "C", Doc: "UCB", Min: 0.05, Max: 4, Default: 1.4, Step: 0.3, Log: true},
	{Name: "Skill Level", Doc: "two\n\tlines", Min: 0, Max: 20, Step: 1, Whole: true},
	{Name: "größe.\"x\" #", Min: 0, Max: 1, Step: .1},
	{Name: "loop", Doc: "which", Max: 1, Whole: true, Frozen: true, Labels: []string{"source", "standard"}},
}

// TestEditedFileIsMarked detects changed values in a file that a run wrote. Spaces, comments and files
// written by hand do not count.
func TestEditedFileIsMarked(t *testing.T) {
	space := params.Space{{Name: "b", Min: 0, Max: 9, Default: 1, Step: 1}, {Name: "a", Max: 2, Labels: []string{"x", "y", "z"}, Whole: true}}
	text := string(File{Game: "g", Name: "n", Doc: "better", Vector: params.Vector{2.5, 1}}.Encode(space))
	for change, want := range map[string]bool{"b = 2.5->b = 2.50": false, "b = 2.5->b = 2.6": true, "\"y\"->\"z\"": true,
		"a = \"y\"->": true, "values_sha256->#": false, "doc->#": false} {
		old, now, _ := strings.Cut(change, "->")
		edited := strings.Replace(text, old, now, 1)
		if f, err := Decode("file", []byte(edited), "g", space); err != nil || edited == text || f.Edited != want {
			t.Errorf("%s: edited %v, want %v: %v", change, f.Edited, want, err)
		}
	}
}

func TestFileReadsBackAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := params.Vector{
			rapid.Float64Range(-20, 100).Draw(t, "a_E"), float64(rapid.IntRange(0, 9).Draw(t, "dist")),
			rapid.Float64Range(0.05, 4).Draw(t, "C"), float64(rapid.IntRange(0, 20).Draw(t, "skill")),
			rapid.Float64Range(0, 1).Draw(t, "size"), float64(rapid.IntRange(0, 1).Draw(t, "loop")),
		}
		f := File{Game: "g", Name: "n", Doc: "some \"quoted\" text\nin two lines", Vector: v}
		got, err := Decode("file", f.Encode(space), "g", space)
		if err != nil || !slices.Equal(got.Vector, v) || got.Doc != f.Doc || got.Name != f.Name {
			t.Fatalf("%v: %+v", err, got)
		}
	})
}

func TestFileErrorsNameLineAndRange(t *testing.T) {
	for text, want := range map[string]string{
		"":                                          "no game",
		"game = \"h\"\n[values]":                    "parameters of h, not of g",
		"game = \"g\"":                              "no [values] table",
		"game = \"g\"\nvalues = 3":                  "f.toml:2",
		"game = \"g\"\n[values]\na_e = 1":           "f.toml:3: unknown parameter \"a_e\"; did you mean a_E?",
		"game = \"g\"\n[values]\n\na_E = 1e3":       "f.toml:4: a_E = 1000 is out of range; allowed: -20 to 100",
		"game = \"g\"\n[values]\na_E = nan":         "f.toml:3: a_E = NaN is not a finite number",
		"game = \"g\"\n[values]\na_E = inf":         "not a finite number",
		"game = \"g\"\n[values]\ndist = 1.5":        "f.toml:3: dist = 1.5 is not a whole number; allowed: whole, 0 to 9",
		"game = \"g\"\n[values]\na_E = \"x\"":       "f.toml:3: a_E = \"x\"; allowed",
		"game = \"g\"\n[values]\na_E = true":        "f.toml:3: a_E has a value of another type; allowed: -20 to 100",
		"game = \"g\"\n[values]\nloop = \"sauce\"":  "allowed: source | standard",
		"game = \"g\"\nbonus = 3\n[values]":         "f.toml:2: unknown key \"bonus\"",
		"game = \"g\"\n[values]\na_E = = 3":         "f.toml:3",
		"game = \"g\"\n[values]\na_E = 3\na_E = 4":  "f.toml",
		"game = \"g\"\nname = 3\n[values]\na_E = 3": "f.toml:2",
	} {
		if _, err := Decode("f.toml", []byte(text), "g", space); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.toml"), "g", space); err == nil || !strings.Contains(err.Error(), "none.toml") {
		t.Errorf("missing file: %v", err)
	}
}

func TestReadKeepsMissingDefaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.toml")
	if err := os.WriteFile(path, []byte("game = 'g'\n[values]\nloop = 'standard'\ndist = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Read(path, "g", space)
	if err != nil || !slices.Equal(f.Vector, params.Vector{22, 3, 1.4, 0, 0, 1}) {
		t.Errorf("%v, %v", f.Vector, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("game = 'g'\n[values]\na_E = 3\n")
	f.Add("game = 'g'\n[values]\nloop = 'standard'\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Decode("f", []byte(text), "g", space)
		if err == nil && space.Check(file.Vector) != nil {
			t.Fatalf("%v is outside the space", file.Vector)
		}
	})
}

// TestManyUnknownParametersAreFast finds the line of an unknown parameter in the largest file without
// counting lines again for each, and rejects larger files.
func TestManyUnknownParametersAreFast(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads large files")
	}
	var b strings.Builder
	b.WriteString("game = 'g'\n[values]\n")
	for i := range 16_000 {
		fmt.Fprintf(&b, "unknown%06d = 1\n", 16_000-i)
	}
	_, err := Decode("f.toml", []byte(b.String()), "g", params.Space{{Name: "a", Max: 1}})
	if err == nil || !strings.HasPrefix(err.Error(), "f.toml:16002: ") {
		t.Errorf("%v", err)
	}
	_, err = Decode("f.toml", []byte(strings.Repeat(b.String(), 2)), "g", params.Space{{Name: "a", Max: 1}})
	if err == nil || !strings.Contains(err.Error(), "it has about 32002 keys; want at most 20000") {
		t.Errorf("%v", err)
	}
}
