package datasets

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestChangedSpecIsRefused rejects a run.toml whose values changed since it was written, and
// accepts other layout and order.
func TestChangedSpecIsRefused(t *testing.T) {
	whole := contents(t, newRun(t, 3))
	good := whole[runName]
	for _, test := range []struct {
		name, old, new string
		refused        bool
	}{
		{"spec", "step = 0.1", "step = 0.2", true},
		{"spec's type", "step = 0.1", "step = '0.1'", true},
		{"command", "--seed 7", "--seed 8", true},
		{"version of rules", "game_version = 2", "game_version = 3", true},
		{"key dropped", "method = 'spsa'\n", "", true},
		{"key added", "method = 'spsa'\n", "method = 'spsa'\nmore = []\n", true},
		{"no checksum", checksumName, "# ", true},
		{"comment", "[spec]", "# mine\n[spec] # too", false},
		{"layout", "method = 'spsa'", `method   =  "spsa"`, false},
		{"order", "kind = 'tune'\ngame = 'quoridor'", "game = 'quoridor'\nkind = 'tune'", false},
		{"byte order mark", "# The", "\ufeff# The", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(good, test.old) {
				t.Fatalf("run.toml lacks %q:\n%s", test.old, good)
			}
			dir := newRunFrom(t, whole)
			put(t, dir, runName, []byte(strings.Replace(good, test.old, test.new, 1)))
			log, err := Read(dir)
			if !test.refused {
				if err != nil {
					t.Fatal(err)
				}
				checkLog(t, log, 3)
				var got testSpec
				if err := log.Spec(&got); err != nil || got != spec {
					t.Errorf("spec %+v, %v", got, err)
				}
				return
			}
			wantError(t, err, runName, checksumName, "put back the file")
			_, _, err = Resume(dir)
			wantError(t, err, runName, checksumName)
		})
	}
}

// Every kind of value has bytes of its own, and names are read back.
func TestMetaComesBack(t *testing.T) {
	meta := testMeta
	meta.Name = "Quoridor 步步为营"
	log := must[*Log](t)(Read(newRunWith(t, meta, 3)))
	if diff := cmp.Diff(meta, log.Meta); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var got testSpec
	if err := log.Spec(&got); err != nil || got != spec {
		t.Errorf("spec %+v, %v", got, err)
	}
	seen := map[string]any{}
	for _, v := range []any{int64(1), 1.0, "1", true, "true", []any{int64(1)}, []any{}, []any{[]any{}}, map[string]any{}, map[string]any{"1": int64(1)}, map[string]any{"1": 1.0}, testMeta.Created, "f1"} {
		text := string(appendMeaning(nil, v))
		if other, ok := seen[text]; ok {
			t.Errorf("%#v and %#v are both %s", v, other, text)
		}
		seen[text] = v
	}
}

func TestCreateRefusesNames(t *testing.T) {
	for _, change := range []func(*Meta){
		func(m *Meta) { m.Name = "a\x1b[31m" },
		func(m *Meta) { m.Kind = "a\nb" },
		func(m *Meta) { m.Game = "\u202egame" },
		func(m *Meta) { m.Parameters = []string{"a", "b\x00"} },
		func(m *Meta) { m.Name = strings.Repeat("n", longestLabel+1) },
	} {
		meta := testMeta
		change(&meta)
		dir := filepath.Join(t.TempDir(), "run")
		_, err := Create(dir, meta, nil)
		wantError(t, err, "run metadata")
		if _, err := os.Stat(dir); err == nil {
			t.Error("a refused run left its folder")
		}
	}
}

func TestPrintableEscapesControlCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"Quoridor 步步为营, ü ½ -": "Quoridor 步步为营, ü ½ -",
		"red\x1b[31m\a":        `red\x1b[31m\a`,
		"two\nlines\tand\r":    `two\nlines\tand\r`,
		"bad \xff\xfe byte":    `bad \xff\xfe byte`,
		"mark \ufffd itself":   "mark \ufffd itself",
		"turned \u202e round":  `turned \u202e round`,
		"\u009b31m":            `\u009b31m`,
		`back\slash "quoted"`:  `back\slash "quoted"`,
		"a\u00a0space":         `a\u00a0space`,
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b\xff\u202e")
	f.Fuzz(func(t *testing.T, text string) {
		shown := Printable(text)
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
			t.Errorf("%q shows as %q", text, shown)
		}
		if Printable(shown) != shown {
			t.Errorf("%q shows as %q, which shows as %q", text, shown, Printable(shown))
		}
	})
}

// A list of runs prints no control characters of their names.
func TestListIsPrintable(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "evil\x1b]0;owned\a\nname")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Skipf("no such names here: %v", err)
	}
	put(t, dir, runName, []byte("schema = 2\n\"\x7f\" = 1\n"))
	for _, info := range must[[]Info](t)(list(root)) {
		if text := info.Err.Error(); Printable(text) != text || !strings.Contains(text, `evil\x1b]0;owned\a\nname`) {
			t.Errorf("%q", text)
		}
	}
}

func TestLabelsChangeWhileRunIsWritten(t *testing.T) {
	meta := testMeta
	meta.Name = "first"
	dir := newRunWith(t, meta, 2)
	labels := func() Labels {
		runs := must[[]Info](t)(list(dir))
		if runs[0].Err != nil {
			t.Fatal(runs[0].Err)
		}
		return runs[0].Labels
	}
	if got := labels(); got.Name != "first" || got.Tags != nil {
		t.Errorf("at first %+v", got)
	}
	w, _, err := Resume(dir) // labels may change while the run is written
	if err != nil {
		t.Fatal(err)
	}
	if err := SetLabels(dir, Labels{Name: "better ü", Tags: []string{"wide", "paper", "wide"}, Note: "one''' \\ \"\"\"\ntwo ü\n"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Labels{Name: "better ü", Tags: []string{"paper", "wide"}, Note: "one''' \\ \"\"\"\ntwo ü"}, labels()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, bad := range []Labels{{Name: "a\x1b"}, {Tags: []string{""}}, {Tags: []string{"a\n"}}, {Name: strings.Repeat("ü", longestLabel+1)},
		{Note: "a\nb\x1b"}, {Note: strings.Repeat("ü", longestNote+1)}} {
		if SetLabels(dir, bad) == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if got := labels(); got.Name != "better ü" {
		t.Errorf("a refused label left %+v", got)
	}
	if err := SetLabels(dir, Labels{}); err != nil || labels().Name != "first" {
		t.Errorf("taken away: %+v, %v", labels(), err)
	}
	put(t, dir, labelsName, []byte("name = 'x'\nnames = 1\n"))
	wantError(t, must[[]Info](t)(list(dir))[0].Err, labelsName+":2", "names")
	wantError(t, SetLabels(t.TempDir(), Labels{Name: "x"}), "no run at")
}

// TestRemoveDeletesDamagedAndOldRuns removes runs of any version with all their files, damaged
// or not.
func TestRemoveDeletesDamagedAndOldRuns(t *testing.T) {
	for name, change := range map[string]func(dir string){
		"whole":   func(string) {},
		"damaged": func(dir string) { put(t, dir, games0, []byte("x")) },
		"old": func(dir string) {
			put(t, dir, runName, []byte("schema = 1\nkind = 'tune'\ngame = 'quoridor'\nother = 1\n"))
		},
		"half removed": func(dir string) { remove(t, dir, trials0); remove(t, dir, games0) },
		"unfinished":   func(dir string) { put(t, dir, ".run.toml.7-1.tmp", nil); put(t, dir, "games/.part.7-1.tmp", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := newRunWith(t, movesMeta, 7)
			if err := SetLabels(dir, Labels{Name: "x"}); err != nil {
				t.Fatal(err)
			}
			put(t, dir, sessionsName, []byte("{}\n"))
			put(t, dir, "report.html", nil)
			if err := os.MkdirAll(filepath.Join(dir, "figures"), 0o777); err != nil {
				t.Fatal(err)
			}
			put(t, dir, "figures/a.svg", nil)
			change(dir)
			if err := Remove(dir, "report.html", "figures", "tuned.toml"); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the folder is still there: %v", err)
			}
		})
	}
}

// TestRemoveKeepsForeignFiles leaves a folder unchanged that is no run, is being written, or
// has files of others.
func TestRemoveKeepsForeignFiles(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change func(dir string)
		want   string
	}{
		"foreign file":     {func(dir string) { put(t, dir, "thesis.tex", nil) }, "thesis.tex is not of a run; move it away"},
		"foreign in parts": {func(dir string) { put(t, dir, "games/mine.csv", nil) }, "mine.csv is not of a run"},
		"hidden file":      {func(dir string) { put(t, dir, ".notes", nil) }, ".notes is not of a run"},
		"folder as a part": {func(dir string) { must[any](t)(nil, os.Mkdir(filepath.Join(dir, "games", partName(9)), 0o777)) }, partName(9)},
		"link beside":      {func(dir string) { must[any](t)(nil, os.Symlink(victim, filepath.Join(dir, "report.html"))) }, "report.html is not of a run"},
		"link for a table": {func(dir string) { must[any](t)(nil, os.Symlink(filepath.Dir(victim), filepath.Join(dir, "moves"))) }, "moves is not of a run"},
		"no run.toml":      {func(dir string) { remove(t, dir, runName) }, "holds no run.toml"},
		"another run.toml": {func(dir string) { put(t, dir, runName, []byte("[tool]\nname = 'x'\n")) }, "does not say schema, kind and game"},
		"run.toml is a link": {func(dir string) {
			remove(t, dir, runName)
			must[any](t)(nil, os.Symlink(victim, filepath.Join(dir, runName)))
		}, "not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newRun(t, 7)
			test.change(dir)
			before := must[[]os.DirEntry](t)(os.ReadDir(dir))
			wantError(t, Remove(dir, "report.html"), dir, test.want)
			if after := must[[]os.DirEntry](t)(os.ReadDir(dir)); len(after) != len(before) {
				t.Errorf("%v became %v", before, after)
			}
		})
	}
	dir := newRun(t, 2)
	w, _, err := Resume(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := Remove(dir); !errors.Is(err, errLocked) {
		t.Errorf("while it is written: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	wantError(t, Remove(link), "is a link")
	checkLog(t, must[*Log](t)(Read(dir)), 2)
	if data := must[[]byte](t)(os.ReadFile(victim)); !bytes.Equal(data, []byte("mine")) {
		t.Error("a link was followed")
	}
}
