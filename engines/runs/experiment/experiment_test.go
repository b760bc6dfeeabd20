package experiment

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/reports"
)

const sample = `schema = 1
title = "A question"
doc = """
One paragraph,
in two lines.

Another."""

[[run]]
name = "half"
kind = "match"
about = "why"
game = "quoridor"
a = "final,a_E=11"
pairs = 5000
max_plies = 120
calibration = [0, 0.5, 1]
quick = { pairs = 20, seed = 7 }

[[run]]
name = "sweep"
kind = "grid"
grid = ["a_E=0:44:11", "b_gain=0,40"]
[run.quick]
pairs = 3

[[claim]]
says = "it is better"
measured = "{{elo \"half\"}}"
verdict = "did not hold"
checks = ["half worse"]
`

func TestDecodeReadsSettings(t *testing.T) {
	e, err := decode("x.toml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	half := e.Runs[0]
	want := []Item{{"a", []string{"final,a_E=11"}, 14}, {"game", []string{"quoridor"}, 13}, {"max_plies", []string{"120"}, 16}, {"pairs", []string{"5000"}, 15}}
	if diff := cmp.Diff(want, half.Full); diff != "" {
		t.Error(diff)
	}
	quick := []Item{want[0], want[1], want[2], {"pairs", []string{"20"}, 18}, {"seed", []string{"7"}, 18}}
	if diff := cmp.Diff(quick, half.settings(true)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, half.settings(false)); diff != "" {
		t.Errorf("asking for the quick run changed the full one: %s", diff)
	}
	if diff := cmp.Diff([]float64{0, 0.5, 1}, half.Bins); diff != "" {
		t.Error(diff)
	}
	sweep := e.Runs[1]
	want = []Item{{"grid", []string{"a_E=0:44:11", "b_gain=0,40"}, 23}, {"pairs", []string{"3"}, 25}}
	if diff := cmp.Diff(want, sweep.settings(true)); diff != "" {
		t.Error(diff)
	}
	if got := reports.Paragraphs(e.Doc); !reflect.DeepEqual(got, []string{"One paragraph, in two lines.", "Another."}) {
		t.Errorf("paragraphs %q", got)
	}
}

// TestDecodeNamesLineAndRemedy expects file, line and remedy in every error; errors of missing keys
// at the top have no line.
func TestDecodeNamesLineAndRemedy(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"schema = 1", "schema = 2", "x.toml: schema = 2: this program reads 1"},
		{"title = \"A question\"", "", "x.toml: no title"},
		{"title = ", "titel = ", `x.toml:2: unknown key "titel"`},
		{"title = ", "title  ", "x.toml:2:"},
		{`name = "half"`, `name = "a half"`, `x.toml:10: [[run]] "a half": want a name of small letters`},
		{`name = "half"`, `name = ["a", "b"]`, "x.toml:10: [[run]] \"\": name: want one value, not a list"},
		{"max_plies = 120", "max_plies = 120\nmax-plies = 130", "x.toml:17: [[run]] \"half\": max_plies is given twice"},
		{`name = "sweep"`, `name = "half"`, `two runs are named "half"`},
		{"[0, 0.5, 1]", "[0, 0]", "x.toml:17: [[run]] \"half\": calibration: want two or more rising numbers"},
		{"[0, 0.5, 1]", "[0, 0.5, 1]\ncalibration_of = \"c\"", "x.toml:18: [[run]] \"half\": calibration_of \"c\": want a or b"},
		{"[0, 0.5, 1]", "[0.5]", "x.toml:17: [[run]] \"half\": calibration: want two or more rising numbers"},
		{"pairs = 5000", "pairs = 2020-01-01", "x.toml:15: [[run]] \"half\": pairs: want a text, a number"},
		{"{ pairs = 20, seed = 7 }", "3", "x.toml:18: [[run]] \"half\": quick must be a table"},
		{"[run.quick]\npairs = 3", "[run.quick]\npairs = {}", "x.toml:25: [[run]] \"sweep\": pairs: want a text"},
		{`says = "it is better"`, "", "x.toml:27: [[claim]] 1: want says and measured"},
		{"did not hold", "maybe", `x.toml:27: [[claim]] 1: verdict = "maybe": want it to begin with one of: held, partly`},
		{"half worse", "half bad", `x.toml:27: [[claim]] 1: check "half bad": want a result and one of better`},
		{"half worse", "hlaf worse", `x.toml:27: [[claim]] 1: no run "hlaf" for the result "hlaf"; did you mean half?`},
		{`{{elo \"half\"}}`, `{{elo \"hlaf\"}}`, `x.toml:27: [[claim]] 1: {{elo "hlaf"}}: no run "hlaf" for the result "hlaf"; did you mean half?`},
		{`{{elo \"half\"}}`, `{{ego \"half\"}}`, `x.toml:27: [[claim]] 1: measured:1: function "ego" not defined; selfplay help run`},
		{"[[claim]]", "[[figure]]\nname = \"f\"\nvalue = \"elo\"\nrows = [\"other/x\"]\n[[claim]]", `x.toml:27: [[figure]] "f": no run "other" for the result "other/x"`},
		{"[[claim]]", "[[figure]]\nname = \"f\"\nvalue = \"size\"\nrows = [\"half\"]\n[[claim]]", `x.toml:27: [[figure]] "f": value = "size": want one of elo`},
		{"[[claim]]", "[[figure]]\nname = \"f\"\nvalue = \"elo\"\n[[claim]]", "x.toml:27: [[figure]] \"f\": no rows"},
		{"[[claim]]", "[[figure]]\nname = \"f\"\nvalue = \"elo\"\nrows = [\"half\"]\nx = [1, 2]\n[[claim]]", "x.toml:27: [[figure]] \"f\": 2 x for 1 rows"},
	} {
		text := strings.Replace(sample, c.old, c.new, 1)
		if text == sample {
			t.Fatalf("%q is not in the sample", c.old)
		}
		if _, err := decode("x.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	if _, err := decode("x.toml", []byte("schema = 1\ntitle = \"t\"\n")); err == nil || !strings.Contains(err.Error(), "no [[run]]") {
		t.Errorf("without runs: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("schema = 1\ntitle = \"t\"\n[[run]]\nname=\"a\"\nkind=\"tune\"\nx=[[1]]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := decode("x", data)
		if err == nil && (len(e.Runs) == 0 || e.Title == "") {
			t.Errorf("accepted %q", data)
		}
	})
}

// TestPageNamesOtherSeeds expects seed 1 on the page for the runs that have it alone.
func TestPageNamesOtherSeeds(t *testing.T) {
	own := func(name, seed string) Run {
		return Run{own: own{Name: name}, Full: []Item{{"seed", []string{seed}, 1}}}
	}
	defaults := Run{}
	for want, list := range map[string][]Run{
		"1 in every run": {defaults, defaults}, "1, but 7 in a": {own("a", "7"), defaults}, "7 in a, 8 in b": {own("a", "7"), own("b", "8")},
	} {
		if got := (Result{Experiment: Experiment{Runs: list}}).seeds(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
