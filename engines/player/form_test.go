package player

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/quoridor"
	"selfplaylab/params/formats"
)

// TestFormFileGivesValues reads other tools' parameter files. Errors name parameters that the
// game lacks and values out of range.
func TestFormFileGivesValues(t *testing.T) {
	game := quoridor.Game()
	start, err := Values(game, "bad,a_E=-7.5,rush_dist=6")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for form, name := range map[string]string{
		"openbench": "a.txt", "fishtest": "b.csv", "yaneuraou": "c.params", "weather-factory": "d.json", "rows": "f.txt", "toml": "g.toml",
	} {
		data, err := formats.Write(form, game.Space, start)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Parse(game, write(name, string(data))+",a_M=9", engines.Limits{})
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		if other := OtherRanges(game, e.Player); len(other) > 0 {
			t.Errorf("%s: other ranges than the game's, whose they are: %v", form, other)
		}
		named, err := Parse(game, "mine:"+form+":"+write("unnamed", string(data))+",a_M=9", engines.Limits{})
		if err != nil || named.Name != "mine" || !slices.Equal(named.Values, e.Values) {
			t.Errorf("%s, named: %+v, %v", form, named, err)
		}
		want := start.Clone()
		want[game.Space.Index("a_M")] = 9
		for i, p := range game.Space {
			if e.Values[i] != want[i] {
				t.Errorf("%s: %s = %v, want %v", form, p.Name, e.Values[i], want[i])
			}
		}
	}
	for _, c := range []struct{ name, text, want string }{
		{"x.txt", "a_Q, float, 1, 0, 2, 1, 0.002\n", "did you mean a_E?"},
		{"x.txt", "a_E, float, 1000, 0, 2000, 1, 0.002\n", "a_E = 1000 is out of range; allowed: -20 to 100"},
		{"x.txt", "a_E, float, 1, 0\n", "its form is none that is known"},
		{"x.json", "{\n\n\"a_E\": {\"value\": 1}}", "line 3: a_E: want value, min_value"},
	} {
		if _, err := Values(game, write(c.name, c.text)); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}
