package player

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

func TestParseReadsPresetsAndFiles(t *testing.T) {
	game, err := games.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte("game = \"quoridor\"\n[values]\na_E = 17\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	hive := filepath.Join(t.TempDir(), "seed=1", "mine.toml")
	if err := os.Mkdir(filepath.Dir(hive), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hive, []byte("game = \"quoridor\"\n[values]\na_E = 18\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	bad, err := game.Preset("bad")
	if err != nil {
		t.Fatal(err)
	}
	aE, aM := game.Space.Index("a_E"), game.Space.Index("a_M")
	for _, c := range []struct {
		text   string
		aE, aM float64
	}{
		{"final", 22, 5},
		{"bad", bad.Vector[aE], bad.Vector[aM]},
		{"bad,a_E=3", 3, bad.Vector[aM]},
		{"final,a_E=3,a_M=4", 3, 4},
		{"a_E=3", 3, 5},
		{"a_E=3,a_M=4", 3, 4},
		{file, 17, 5},
		{file + ",a_M=4", 17, 4},
		{hive, 18, 5},
		{hive + ",a_M=4", 18, 4},
	} {
		p, err := Parse(game, c.text, engines.Limits{})
		if err != nil || p.Name != c.text || p.Values[aE] != c.aE || p.Values[aM] != c.aM {
			t.Errorf("%s: %+v, %v; want a_E = %v, a_M = %v", c.text, p, err, c.aE, c.aM)
		}
	}
	for text, want := range map[string]string{
		"":               `want a preset of quoridor`,
		"fnial":          `no preset "fnial"; did you mean final?; a parameter file is named with its path, such as ./fnial.toml`,
		"mine.toml":      "no such file",
		"./fnial":        "no such file",
		"final,":         `"" is not of the form name=value`,
		",a_E=1":         `no preset ""`,
		"final,a_E":      `"a_E" is not of the form name=value`,
		"final,a_E=NaN":  "not a finite number",
		"a_E=3,a_E=3":    "a_E is set twice",
		"final,,a_E=1":   `"" is not of the form name=value`,
		file + ",a_E=1e": "is not a value",
	} {
		if p, err := Parse(game, text, engines.Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v; want %q", text, p, err, want)
		}
	}
	if q, err := game.Preset("bad"); err != nil || !slices.Equal(q.Vector, bad.Vector) {
		t.Error("an override changed the preset")
	}
}

// TestParseNameAndBudget reads a name before and a budget after the player.
func TestParseNameAndBudget(t *testing.T) {
	game, err := games.Find("gobang")
	if err != nil {
		t.Fatal(err)
	}
	defaults := engines.Limits{Depth: 3}
	plain, err := Parse(game, "fixed", defaults)
	if err != nil || plain.Name != "fixed" || plain.Limits != defaults {
		t.Errorf("%+v, %v", plain, err)
	}
	deep, err := Parse(game, "deep:fixed@depth=5", defaults)
	if err != nil || deep.Name != "deep" || deep.Player != "fixed" || deep.Limits.Depth != 5 || deep.Same(plain) || deep.Identity(nil) == plain.Identity(nil) {
		t.Errorf("%+v, %v", deep, err)
	}
	other, err := Parse(game, "other:fixed@depth=3", engines.Limits{})
	if err != nil || !other.Same(plain) || other.Identity(nil) != plain.Identity(nil) {
		t.Errorf("%+v is another player than %+v (%v)", other, plain, err)
	}
	unnamed, err := Parse(game, "fixed@depth=5", defaults)
	if err != nil || unnamed.Name != "fixed@depth=5" || unnamed.Player != "fixed" {
		t.Errorf("%+v, %v", unnamed, err)
	}
	for text, want := range map[string]string{
		":fixed":         "want a name before the colon",
		"\x1b[31m:fixed": `player "\x1b[31m:fixed" holds characters that cannot be shown`,
		"fixed@":         "want a budget after the @",
		"fixed@deep":     "want depth=N",
		"a:fixd@time=1":  "limits",
	} {
		if _, err := Parse(game, text, defaults); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	// A file with values of a tuned external engine is not a parameter file of this program:
	// the error says what to type.
	dir := t.TempDir()
	for _, name := range []string{"tuned.toml", TypedName} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("game = \"gobang\"\n[values]\nHash = 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err = Parse(game, filepath.Join(dir, "tuned.toml"), defaults)
	if want := "engine was tuned there: " + filepath.Join(dir, TypedName) + " holds what to type"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	// The error suggests the given player under a free name.
	second, err := Parse(game, "second:fixed", defaults)
	if err != nil {
		t.Fatal(err)
	}
	for want, list := range map[string][]Config{
		"such as second:fixed@" + plain.Limits.String():  {plain, plain},
		"such as player3:fixed@" + plain.Limits.String(): {second, plain, plain},
	} {
		err := CheckNames(list)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
			continue
		}
		again, err := Parse(game, want[len("such as "):], defaults)
		if err != nil || CheckNames(append(list[:len(list)-1:len(list)-1], again)) != nil || again.Limits != plain.Limits {
			t.Errorf("%s: %+v, %v", want, again, err)
		}
	}
	if err := CheckNames([]Config{plain, deep, plain}); err == nil || !strings.Contains(err.Error(), `two players are named "fixed"`) {
		t.Error(err)
	}
}

// TestGameOfParameterFile reads the game from a parameter file, also with a name, values and
// a budget around it.
func TestGameOfParameterFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte("\xef\xbb\xbfgame = \"gobang\"\n[values]\nnothing = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		file: "gobang", "name:" + file: "gobang", file + ",a=1@depth=3": "gobang",
		"": "", "final": "", "final,a_E=1": "", file + "x.toml": "", "name:": "", "@": "",
	} {
		if got := GameOf(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
