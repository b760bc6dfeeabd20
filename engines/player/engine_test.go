package player_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// TestParseExternalEngine reads an engine file in place of a preset.
func TestParseExternalEngine(t *testing.T) {
	game, err := games.Find("gobang")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "with space@home")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, more string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("cmd = \"./x\"\nprotocol = \"gomocup\"\ngames = [\"gobang\"]\n"+more), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain, limited := write("plain.toml", ""), write("limited.toml", "name = \"quick\"\nlimits = \"nodes=70\"\n")
	defaults := engines.Limits{Depth: 3}
	for _, c := range []struct{ text, name, limits, set string }{
		{"engine:" + plain, "plain", "depth=3", ""},
		{"engine:" + plain + ",MAX=6, b = 2", "plain,MAX=6, b = 2", "depth=3", "MAX=6; b = 2"},
		{"engine:" + plain + ",MAX=6@nodes=5,time=1s", "plain,MAX=6@nodes=5,time=1s", "nodes=5,time=1s", "MAX=6"},
		{"engine:" + limited, "quick", "nodes=70", ""},
		{"engine:" + limited + "@depth=2", "quick@depth=2", "depth=2", ""},
		{"mine:engine:" + limited + ",MAX=6@depth=2", "mine", "depth=2", "MAX=6"},
	} {
		e, err := player.Parse(game, c.text, defaults)
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.text, err)
		case e.Engine == nil || e.Name != c.name || e.Limits.String() != c.limits || strings.Join(e.Engine.Set, ";") != c.set || len(e.Values) != 0:
			t.Errorf("%s: %+v, %+v", c.text, e, e.Engine)
		case e.Check(game) != nil || e.Repeatable():
			t.Errorf("%s: %v; a program not yet seen to repeat counts as one", c.text, e.Check(game))
		}
	}
	for text, want := range map[string]string{
		"engine:":                          "want an engine file",
		"engine:nofile.toml":               "nofile.toml",
		"engine:" + plain + ",MAX":         "want name=value",
		"engine:" + plain + ",=3":          "want name=value",
		"engine:" + plain + "@speed=2":     "want depth=N",
		"engine:" + write("x.toml", "y=1"): "x.toml:4",
		":engine:" + plain:                 "want a name before the colon",
		"engine:" + plain + ",MAX=6@":      "want a budget after the @",
		"engine:" + t.TempDir():            "directory",
	} {
		if e, err := player.Parse(game, text, defaults); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v; want %q", text, e, err, want)
		}
	}
	quoridor, err := games.Find("quoridor")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := player.Parse(quoridor, "engine:"+plain, defaults); !player.Refused(err) {
		t.Errorf("another game: %v; want a refusal", err)
	}
}

// TestSameIgnoresEngineName compares programs by file, key and options.
func TestSameIgnoresEngineName(t *testing.T) {
	one := func(name, key string) player.Config {
		return player.Config{Name: name, Engine: &player.Engine{File: "/f", Key: key}}
	}
	a, b, c, ours := one("a", "1"), one("b", "1"), one("a", "2"), player.Config{Name: "a"}
	if !a.Same(b) || a.Identity(nil) != b.Identity(nil) {
		t.Error("one program under two names is two")
	}
	for _, other := range []player.Config{c, ours} {
		if a.Same(other) || a.Identity(nil) == other.Identity(nil) || other.SamePlayer(a) {
			t.Errorf("%+v is called the same player as %+v", other, a)
		}
	}
	if !ours.SamePlayer(player.Config{Name: "b", Values: []float64{1}}) {
		t.Error("our player must be kept for other values")
	}
}

// TestTypedLeavesOutDefaults writes only values that differ from the defaults.
func TestTypedLeavesOutDefaults(t *testing.T) {
	space := params.Space{{Name: "w", Max: 10, Default: 3, Step: 1, Whole: true}, {Name: "c", Min: 0.1, Max: 4, Default: 0.5, Step: 0.3}}
	e := player.Config{Engine: &player.Engine{File: "my.toml"}, Values: params.Vector{3, 0.75}}
	lines, err := player.Typed(e, "ugi", space)
	if want := []string{"engine:my.toml,c=0.75", "setoption name c value 0.75"}; err != nil || !slices.Equal(lines, want) {
		t.Errorf("%q, %v; want %q", lines, err, want)
	}
}

// TestRowsOfEachProtocol writes values in the form of every protocol.
func TestRowsOfEachProtocol(t *testing.T) {
	space := params.Space{{Name: "margin", Default: 30, Min: 0, Max: 100, Step: 5, Whole: true}}
	for _, p := range protocol.All() {
		rows, err := player.Rows(p.Name, space, params.Vector{42})
		if err != nil || !strings.Contains(string(rows), "margin") || !strings.Contains(string(rows), "42") {
			t.Errorf("%s: %q, %v", p.Name, rows, err)
		}
	}
}
