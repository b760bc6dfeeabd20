package params

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var space = Space{
	{Name: "a_E", Doc: "path", Min: -20, Max: 100, Default: 22, Step: 3},
	{Name: "dist", Doc: "steps", Min: 0, Max: 9, Default: 4, Step: 1, Whole: true},
	{Name: "C", Doc: "UCB", Min: 0.05, Max: 4, Default: 1.4, Step: 0.3, Log: true},
	{Name: "loop", Doc: "which", Max: 1, Whole: true, Frozen: true, Labels: []string{"source", "standard"}},
}

// A file that a run wrote says when its values were changed; one written by hand, or with
// other spaces and comments, is not called edited.
func TestFileEdited(t *testing.T) {
	space := Space{{Name: "b", Min: 0, Max: 9, Default: 1, Step: 1}, {Name: "a", Max: 2, Labels: []string{"x", "y", "z"}, Whole: true}}
	text := string(File{Game: "g", Name: "n", Doc: "better", Vector: Vector{2.5, 1}}.Encode(space))
	for change, want := range map[string]bool{"b = 2.5->b = 2.50": false, "b = 2.5->b = 2.6": true, "\"y\"->\"z\"": true,
		"a = \"y\"->": true, "values_sha256->#": false, "doc->#": false} {
		old, now, _ := strings.Cut(change, "->")
		edited := strings.Replace(text, old, now, 1)
		if f, err := Decode("file", []byte(edited), "g", space); err != nil || edited == text || f.Edited != want {
			t.Errorf("%s: edited %v, want %v: %v", change, f.Edited, want, err)
		}
	}
}

func TestFileRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Vector{
			rapid.Float64Range(-20, 100).Draw(t, "a_E"), float64(rapid.IntRange(0, 9).Draw(t, "dist")),
			rapid.Float64Range(0.05, 4).Draw(t, "C"), float64(rapid.IntRange(0, 1).Draw(t, "loop")),
		}
		f := File{Game: "g", Name: "n", Doc: "some \"quoted\" text\nin two lines", Vector: v}
		got, err := Decode("file", f.Encode(space), "g", space)
		if err != nil || !slices.Equal(got.Vector, v) || got.Doc != f.Doc || got.Name != f.Name {
			t.Fatalf("%v: %+v", err, got)
		}
	})
}

func TestFileErrors(t *testing.T) {
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
		"game = \"g\"\n[values]\na_E = true":        "f.toml:3: a_E is a bool, not a number",
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
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none.toml"), "g", space); err == nil || !strings.Contains(err.Error(), "none.toml") {
		t.Errorf("missing file: %v", err)
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.toml")
	if err := os.WriteFile(path, []byte("game = 'g'\n[values]\nloop = 'standard'\ndist = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := ReadFile(path, "g", space)
	if err != nil || !slices.Equal(f.Vector, Vector{22, 3, 1.4, 1}) {
		t.Errorf("%v, %v", f.Vector, err)
	}
}

func TestPresets(t *testing.T) {
	text := "[[preset]]\nname='a'\n[preset.values]\na_E=1\n[[preset]]\nname='b'\nbase='a'\n[preset.values]\ndist=2\n"
	presets, err := decodePresets("p.toml", []byte(text), space)
	if err != nil || len(presets) != 2 || !slices.Equal(presets[1].Vector, Vector{1, 2, 1.4, 0}) {
		t.Errorf("%+v, %v", presets, err)
	}
	for text, want := range map[string]string{
		"[[preset]]\nname='b'\nbase='a'":                                              "not an earlier preset",
		"[[preset]]\nname='a'\n[preset.values]\n\n[[preset]]\n[preset.values]\nz = 3": "p.toml:7: unknown parameter",
	} {
		if _, err := decodePresets("p.toml", []byte(text), space); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
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

func TestSet(t *testing.T) {
	v, err := space.Set(space.Default(), []string{"a_E=-3.5", " loop = standard"})
	if err != nil || !slices.Equal(v, Vector{-3.5, 4, 1.4, 1}) {
		t.Errorf("%v, %v", v, err)
	}
	for text, want := range map[string]string{
		"a_E": "name=value", "q=1": "unknown parameter", "a_E=NaN": "finite", "a_E=x": "not a value",
		"dist=12": "whole, 0 to 9", "loop=2": "source | standard",
	} {
		if _, err := space.Set(space.Default(), []string{text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestActive(t *testing.T) {
	for _, c := range []struct {
		only, freeze []string
		want         []int
	}{
		{nil, nil, []int{0, 1, 2}},
		{nil, []string{"C"}, []int{0, 1}},
		{[]string{"loop", "a_E"}, nil, []int{0, 3}},
	} {
		if got, err := space.Active(c.only, c.freeze); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v %v: %v, %v", c.only, c.freeze, got, err)
		}
	}
	if _, err := space.Active([]string{"zz"}, nil); err == nil {
		t.Error("unknown name taken")
	}
	if _, err := space.Active(nil, []string{"zz"}); err == nil {
		t.Error("unknown name taken")
	}
}

func TestCoordinates(t *testing.T) {
	for _, p := range space[:3] {
		lo, hi := p.Bounds()
		for i := range 11 {
			u := lo + (hi-lo)*float64(i)/10
			x := p.Value(u)
			if x < p.Min || x > p.Max || math.Abs(p.Coordinate(x)-u) > 1e-4*(hi-lo) {
				t.Errorf("%s: coordinate %v, value %v, back %v", p.Name, u, x, p.Coordinate(x))
			}
		}
		if p.Value(lo-5) != p.Min || p.Value(hi+5) != p.Max {
			t.Errorf("%s: values beyond the bounds are not clipped", p.Name)
		}
	}
}
