package formats_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"selfplaylab/params"
	"selfplaylab/params/formats"
)

// TestReadToolExamples reads rows as the tools' documents show them.
func TestReadToolExamples(t *testing.T) {
	for _, c := range []struct {
		format, text string
		want         params.Space
	}{
		{"openbench", "lmr_base, float, 0.5, 0.0, 1.0, 0.05, 0.002\n# a note\nrazor, int, 200, 0, 400, 20.0, 0.002\n", params.Space{
			{Name: "lmr_base", Default: 0.5, Max: 1, Step: 0.05}, {Name: "razor", Default: 200, Max: 400, Step: 20, Whole: true}}},
		{"fishtest", "mobility[0],-62,-200,76,13.8,0.0020\nscale,0.75,0,2,0.1,0.002\n", params.Space{
			{Name: "mobility[0]", Default: -62, Min: -200, Max: 76, Step: 13.8, Whole: true}, {Name: "scale", Default: 0.75, Max: 2, Step: 0.1}}},
		{"yaneuraou", "PARAM_A,int,40.6,10,80,3,0.0020 // about futility\nPARAM_B,int,5,0,9,1,0.002 // off[[NOT USED]]\n", params.Space{
			{Name: "PARAM_A", Default: 41, Min: 10, Max: 80, Step: 3, Whole: true}, {Name: "PARAM_B", Default: 5, Max: 9, Step: 1, Whole: true, Frozen: true}}},
		{"weather-factory", `{"Tempo": {"value": 20, "min_value": 0, "max_value": 40, "step": 2}, "C": {"value": 1.5, "min_value": 0.1, "max_value": 4, "step": 0.2}}`, params.Space{
			{Name: "Tempo", Default: 20, Max: 40, Step: 2, Whole: true}, {Name: "C", Default: 1.5, Min: 0.1, Max: 4, Step: 0.2}}},
		{"rows", "info string param C real 0.5 0.05 4 0.3 log\nparam loop int 1 0 2 1\n", params.Space{
			{Name: "C", Default: 0.5, Min: 0.05, Max: 4, Step: 0.3, Log: true}, {Name: "loop", Default: 1, Max: 2, Step: 1, Whole: true}}},
	} {
		got, err := formats.Read(c.format, []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.format, err)
		} else if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.format, d)
		}
	}
}

// TestFixedParametersStayFixed reads rows that tools write for parameters they do not tune: a
// step of 0, a range of one value, a mark. Writing returns the same rows.
func TestFixedParametersStayFixed(t *testing.T) {
	for format, text := range map[string]string{
		"openbench":       "A, int, 5, 0, 10, 0, 0.002\nB, float, 0.5, 0.0, 1.0, 0, 0.002\n",
		"fishtest":        "x,0,0,0,0,0.002\ny,7,0,20,0,0.002\n",
		"yaneuraou":       "P,int,5,5,5,0,0.002 [[NOT USED]]\nQ,int,5,0,9,1,0.002 [[NOT USED]]\n",
		"weather-factory": `{"T": {"value": 20, "min_value": 0, "max_value": 40, "step": 0}, "U": {"value": 1, "min_value": 1, "max_value": 1, "step": 0}}`,
	} {
		s, err := formats.Read(format, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if on, err := s.Active(nil, nil); err != nil || len(on) > 0 {
			t.Errorf("%s: tunes %v, error %v", format, on, err)
		}
		data, err := formats.Write(format, s, s.Default())
		if again, err2 := formats.Read(format, data); err != nil || err2 != nil || !cmp.Equal(s, again) {
			t.Errorf("%s: wrote\n%s(%v, %v), read %+v, want %+v", format, data, err, err2, again, s)
		} else if format != "weather-factory" && !cmp.Equal(text, strings.ReplaceAll(string(data), "\n\n", "\n")) {
			t.Errorf("%s: wrote\n%s", format, data)
		}
	}
	s, err := formats.Read("fishtest", []byte("x,0,0,0,0,0.002\ny,7,0,20,0,0.002\n"))
	if err != nil {
		t.Fatal(err)
	}
	if on, err := s.Active([]string{"y"}, nil); err != nil || len(on) != 1 {
		t.Errorf("a fixed parameter that is named: %v, %v", on, err)
	}
	if _, err := s.Active([]string{"x"}, nil); err == nil || !strings.Contains(err.Error(), "x has a single value, 0") {
		t.Errorf("a range of one value that is named: %v", err)
	}
}

// TestCategoriesAreLeftOut writes no category as a number: tools would tune it.
func TestCategoriesAreLeftOut(t *testing.T) {
	s := params.Space{{Name: "mode", Labels: []string{"a", "b"}, Whole: true, Max: 1, Step: 1, Frozen: true}, {Name: "w", Max: 9, Step: 1, Whole: true}}
	for _, f := range formats.All() {
		data, err := formats.Write(f.Name, s, params.Vector{1, 4})
		omitted := formats.Omitted(f.Name, s)
		if err != nil || strings.Contains(string(data), "mode") != (f.Name == "toml") || len(omitted) == 1 == (f.Name == "toml") {
			t.Errorf("%s: left out %v, error %v\n%s", f.Name, omitted, err, data)
		}
	}
}

// TestErrorsNameLineOrParameter names the line or parameter of each error.
func TestErrorsNameLineOrParameter(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"openbench", "a, int, 1, 0, 2, 1, 0.002\na, int, 1, 0, 2, 1, 0.002\n", `line 2: parameter "a" stands twice`},
		{"openbench", "a, bool, 1, 0, 2, 1, 0.002\n", "want int or float"},
		{"fishtest", "a,3,0,2,1,0.002\n", "line 1"},
		{"fishtest", "a,3,2,0,1,0.002\n", "want min below max"},
		{"rows", "param a real 1 1 1 0\n", "want min below max"},
		{"fishtest", "a,3,0,2\n", "want name,value,min,max,c_end,r_end"},
		{"fishtest", "\n# nothing\n", "there are none"},
		{"weather-factory", `{"a": {"value": 1}}`, "a: want value, min_value, max_value and step"},
		{"weather-factory", `[1]`, "want a JSON object"},
		{"rows", "param a real x 0 1 1\n", `"x" is no number`},
		{"toml", "[[param]]\nname = a\n", "line 2:8: toml: unexpected"},
		{"toml", "[[param]]\nname = \"a\"\nmini = 3\n", "line 3: unknown key \"param.mini\""},
		{"toml", "[[param]]\nname = \"a\"\nmin = 1\nmax = 5\ndefault = 2\nstep = 0\n", `line 1: param "a": step 0: want a change worth trying, or leave it out`},
		{"toml", "[[param]]\nname = \"a\"\nmin = 1\nmax = 5\ndefault = 2\nstep = 4.5\n", `line 1: param "a": step 4.5 is wider than the range, 1 to 5`},
		{"toml", "[[param]]\nname = \"a\"\nmin = 1\nmax = 5\ndefault = 2\nlog = true\nstep = 2\n", `line 1: param "a": step 2 of ln(value) is wider than the range, 1 to 5, of 1.61`},
		{"openbench", "a, int, 1, 0, 2, 3, 0.002\n", "line 1: param \"a\": step 3 is wider"},
		{"toml", "[[param]]\nname = \"a\\tb\"\nmin = 1\nmax = 5\ndefault = 2\n", `line 1: name "a\tb": want up to 200 printable characters`},
		{"toml", "[[param]]\nname = \"a\"\nmin = 0\nmax = 1e300\ndefault = 2\n", "line 1: param \"a\": min 0, max 1e+300: want finite numbers, at most 1e+80"},
		{"toml", "[[param]]\nname = \"a\"\nmin = 1\nmax = 1.0000000000000002\ndefault = 1\n", "line 1: param \"a\": min 1, max 1.0000000000000002: too close"},
		{"toml", "[[param]]\nname = \"a\"\nmin = 0\nmax = 1e-300\ndefault = 0\nwhole = false\n", "too close for what is tried between to differ"},
		{"fishtest", "a,3,0,1e999,1,0.002\n", `line 1: row "a,3,0,1e999,1,0.002": "1e999" is no finite number`},
		{"fishtest", manyRows(), "line 5001: more than 5000 parameters"},
		{"weather-factory", "{\n\"a\": {\"value\": 1, \"min_value\": 0, \"max_value\": 2},\n}", "line 3: invalid character"},
		{"weather-factory", `{"a": 3}`, "line 1: a: 3: want an object of value, min_value, max_value and step"},
		{"cutechess", "", "known: toml, rows, openbench, fishtest"},
	} {
		if _, err := formats.Read(c.format, []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v; want %q in it", c.format, c.text, err, c.want)
		}
	}
}

// manyRows are more parameters than a file may hold.
func manyRows() string {
	var b strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&b, "p%d,3,0,10,1,0.002\n", i)
	}
	return b.String()
}

// drawSpace draws a space that every form can hold, and a vector in it.
func drawSpace(t *rapid.T) (params.Space, params.Vector) {
	var s params.Space
	var v params.Vector
	for i := range rapid.IntRange(1, 6).Draw(t, "size") {
		p := params.Param{Name: string(rune('a'+i)) + rapid.StringMatching(`[A-Za-z0-9_\[\].]{0,8}`).Draw(t, "name"), Whole: rapid.Bool().Draw(t, "whole")}
		if p.Whole {
			p.Min = float64(rapid.IntRange(-1000, 1000).Draw(t, "min"))
			p.Max = p.Min + float64(rapid.IntRange(1, 1000).Draw(t, "width"))
			p.Default = float64(rapid.IntRange(int(p.Min), int(p.Max)).Draw(t, "value"))
		} else {
			p.Min = rapid.Float64Range(-1e6, 1e6).Draw(t, "min")
			p.Max = p.Min + rapid.Float64Range(0.001, 1e6).Draw(t, "width")
			p.Default = rapid.Float64Range(p.Min, p.Max).Draw(t, "value")
		}
		p.Step = formats.DefaultStep(p)
		s = append(s, p)
		v = append(v, p.Default)
	}
	return s, v
}

// TestWrittenSpaceReadsBack reads every written space back as the same.
func TestWrittenSpaceReadsBack(t *testing.T) {
	for _, f := range formats.All() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s, v := drawSpace(t)
				data, err := formats.Write(f.Name, s, v)
				if err != nil {
					t.Fatal(err)
				}
				got, err := formats.Read(f.Name, data)
				if err != nil {
					t.Fatalf("%v\n%s", err, data)
				}
				if d := cmp.Diff(s, got); d != "" {
					t.Fatalf("(-want +got):\n%s\n%s", d, data)
				}
			})
		})
	}
}

// TestLogScaleIsRejected rejects a logarithmic scale in formats without one.
func TestLogScaleIsRejected(t *testing.T) {
	s := params.Space{{Name: "C", Min: 0.1, Max: 10, Default: 1, Step: 0.2, Log: true}}
	refused := 0
	for _, f := range formats.All() {
		data, err := formats.Write(f.Name, s, s.Default())
		if err != nil {
			refused++
			if !strings.Contains(err.Error(), "toml and rows do") {
				t.Errorf("%s: %v", f.Name, err)
			}
			continue
		}
		if got, err := formats.Read(f.Name, data); err != nil || !got[0].Log {
			t.Errorf("%s: %v, %+v", f.Name, err, got)
		}
	}
	if refused != 4 {
		t.Errorf("%d forms refuse a logarithmic scale; want 4", refused)
	}
}

// TestReadFileFindsFormat finds a file's format by its name, its content or a prefix.
func TestReadFileFindsFormat(t *testing.T) {
	s := params.Space{{Name: "a", Max: 10, Default: 2, Step: 0.5}, {Name: "b", Max: 10, Default: 3, Step: 1, Whole: true}} // the default steps, because some formats have no column for them
	names := map[string]string{
		"toml": "a.toml", "yaneuraou": "a.params", "rows": "rows.txt", "openbench": "ob.txt", "fishtest": "f.csv", "weather-factory": "w.json",
	}
	for _, f := range formats.All() {
		data, err := formats.Write(f.Name, s, s.Default())
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), names[f.Name])
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{path, f.Name + ":" + path} {
			got, err := formats.ReadFile(text)
			if err != nil || got.Form != f.Name || got.Path != path {
				t.Errorf("%s: %+v, %v", text, got, err)
			} else if d := cmp.Diff(s, got.Space); d != "" {
				t.Errorf("%s (-want +got):\n%s", text, d)
			}
		}
	}
}

// FuzzSpaceFile reads any file, or rejects it with an error that names the file.
func FuzzSpaceFile(f *testing.F) {
	f.Add("a.txt", []byte("a, int, 1, 0, 2, 1, 0.002\n"))
	f.Add("a.json", []byte(`{"a": {"value": 1, "min_value": 0, "max_value": 4}}`))
	f.Add("a.toml", []byte("[[param]]\nname = \"a\"\nmin = 0\nmax = 1\ndefault = 0.5\n"))
	f.Add("a", []byte("param a real 1 0 2 1\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		path := filepath.Join(t.TempDir(), "space"+filepath.Ext(filepath.Base(strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), ""))))
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Skip()
		}
		file, err := formats.ReadFile(path)
		if err != nil {
			if !strings.Contains(err.Error(), path) {
				t.Fatalf("%q: %v names no file", data, err)
			}
			return
		}
		for _, p := range file.Space {
			if err := formats.Sound(p); err != nil {
				t.Fatalf("%q: %v", data, err)
			}
		}
	})
}

// fuzzForm checks that any space read in a format can be written, and reads back as the same
// space.
func fuzzForm(f *testing.F, format string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := formats.Read(format, data)
		if err != nil {
			return
		}
		text, err := formats.Write(format, s, s.Default())
		if err != nil {
			t.Fatalf("%q is read as %+v and cannot be written: %v", data, s, err)
		}
		again, err := formats.Read(format, text)
		if err != nil {
			t.Fatalf("%q is written %q: %v", data, text, err)
		}
		if d := cmp.Diff(s, again); d != "" {
			t.Fatalf("%q, written %q (-first +again):\n%s", data, text, d)
		}
	})
}

func FuzzOpenBench(f *testing.F) {
	fuzzForm(f, "openbench", "a, int, 1, 0, 2, 1, 0.002\n", "b, float, 1e3, -1, 2e9, 0.5, 0")
}

func FuzzFishtest(f *testing.F) { fuzzForm(f, "fishtest", "a,1,0,2,1,0.002\n", "b,0.5,0,1,0.1,0.002") }

func FuzzYaneuraOu(f *testing.F) {
	fuzzForm(f, "yaneuraou", "A,int,1,0,2,1,0.002 [[NOT USED]] // x\n")
}

func FuzzWeather(f *testing.F) {
	fuzzForm(f, "weather-factory", `{"a": {"value": 1, "min_value": 0, "max_value": 4, "step": 2}}`)
}

func FuzzRows(f *testing.F) { fuzzForm(f, "rows", "info string param a real 1 0.5 2 1 log\n") }

// TestRangesOfChessTuningToolsAreNamed refuses ranges without start values by the name of their tool.
func TestRangesOfChessTuningToolsAreNamed(t *testing.T) {
	for _, text := range []string{`{"Hash": "Integer(1, 10)"}`, `{"engines": [], "parameter_ranges": {"A": "Real(0.0, 1.0, prior=log-uniform)"}}`} {
		path := filepath.Join(t.TempDir(), "ctt.json")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := formats.ReadFile(path); err == nil || !strings.Contains(err.Error(), "chess-tuning-tools") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestReadFileSkipsByteOrderMark reads files that begin with a byte order mark.
func TestReadFileSkipsByteOrderMark(t *testing.T) {
	for name, text := range map[string]string{
		"s.toml": "[[param]]\nname = \"a\"\nmin = 0\nmax = 10\ndefault = 1\n",
		"y.txt":  "a,int,1,0,10,1,0.002\nb,int,5,0,9,1,0.002 // off[[NOT USED]]\n",
		"s.txt":  "a, float, 1.0, 0.0, 10.0, 1.0, 0.002\n",
		"s.json": `{"a": {"value": 1, "min_value": 0, "max_value": 10, "step": 1}}`,
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("\ufeff"+text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := formats.ReadFile(path)
		if err != nil || len(s.Space) == 0 || s.Space[0].Name != "a" {
			t.Errorf("%s: %+v, %v", name, s.Space, err)
		}
	}
}
