package formats

import (
	"strings"
	"testing"
)

// TestChoicesReadBack reads a parameter with choices back, and rejects choices beside a range.
func TestChoicesReadBack(t *testing.T) {
	const text = `[[param]]
name = "solver"
choices = ["cg", "gmres", "none"]
default = "gmres"
`
	s, err := Read("toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if p := s[0]; p.Default != 1 || p.Max != 2 || !p.Whole || !p.Frozen || p.Format(2) != "none" {
		t.Errorf("%+v", p)
	}
	data, err := Write("toml", s, []float64{2})
	if again, readErr := Read("toml", data); err != nil || readErr != nil || again[0].Default != 2 || again[0].Range() != s[0].Range() {
		t.Errorf("%s: %v, %v, %+v", data, err, readErr, again)
	}
	for change, want := range map[string]string{
		`default = "gmres"|default = "lu"`:                      "one of the choices cg, gmres, none",
		`default = "gmres"|default = 1`:                         "one of the choices",
		`choices = ["cg", "gmres", "none"]|choices = ["gmres"]`: "at least two",
		`"none"|"cg"`: "each once",
		`default = "gmres"|default = "cg"` + "\nmin = 0": "leave those out",
		`"none"|"a,b"`: "without commas",
	} {
		from, to, _ := strings.Cut(change, "|")
		if _, err := Read("toml", []byte(strings.Replace(text, from, to, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", change, err, want)
		}
	}
}
