package tuners

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/testmode"
)

// small returns a comparison that takes a second.
func small() *Config {
	a := New()
	a.Methods = []string{"quad", "spsa  --c-end=2 --pairs 4"}
	a.Problems = config.Names{"log", "ROSENBROCK", "LOG2"}
	a.Games = config.Names{"400:3", "100"}
	a.Repeats = 4
	return a
}

func played(t *testing.T, a *Config, workers int) *Result {
	t.Helper()
	r, err := a.Run(context.Background(), workers, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRowsDoNotDependOnWorkers plays on any number of workers: the rows are the same, in order,
// and read back unchanged.
func TestRowsDoNotDependOnWorkers(t *testing.T) {
	one := played(t, small(), 1)
	want, err := one.CSV()
	if err != nil {
		t.Fatal(err)
	}
	got, err := played(t, small(), 7).CSV()
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("with 7 workers %v\n%s\nwith one\n%s", err, got, want)
	}
	rows := read(t, "rows.csv", want)
	if diff := cmp.Diff(one.Rows, rows); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if len(rows) != 12 || rows[0].Games != 100 || rows[0].Repeats != 4 || rows[6].Games != 400 || rows[6].Repeats != 3 ||
		rows[1].Tuner != "spsa --c-end=2 --pairs 4" || rows[4].Problem != "LOG2" {
		t.Errorf("rows %+v", rows)
	}
	losses, compared, err := one.losses(rows)
	if err != nil || len(losses) > 0 || compared != 12 {
		t.Errorf("against themselves: %v, %d rows, %v", losses, compared, err)
	}
}

// TestPageNamesSourceOfCLOP writes the page and its figures, which name the source of CLOP's
// numbers.
func TestPageNamesSourceOfCLOP(t *testing.T) {
	r := played(t, small(), 2)
	text, err := r.Page("lab tuners --games 400:3,100", "One\nline.\n\nAnother.").Markdown("figures")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"lab tuners --games 400:3,100", "400 games, 3 repeats", "geometric mean", "ROSENBROCK", "## Reading\n\nOne line.\n\nAnother.", "## Where quad is not the best", "Worse than its start on average: `quad` "} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := r.Page("", "").Files(); err != nil {
		t.Error(err)
	}
	a := small()
	a.Games = config.Names{"1000:2"}
	if table := played(t, a, 2).Table(1000); table[0][4] != "CLOP" || table[1][4] != "4.40" || table[3][4] != "14.9" {
		t.Errorf("%q", table)
	}
	if x, ok := clopRegret("LOG5", 100_000); ok {
		t.Errorf("CLOP was not run there, and has %v", x)
	}
	a.RandomStarts = true
	if table := played(t, a, 2).Table(1000); slices.Contains(table[0], "CLOP") {
		t.Error("CLOP's figures are not of random starts")
	}
}

// TestAddedRowsJoinTheTables adds rows of other methods and budgets. A missing row is a dash,
// and no method is compared without its row.
func TestAddedRowsJoinTheTables(t *testing.T) {
	r := played(t, small(), 2)
	other := func(problem string, games int, regret float64) Row {
		return Row{Problem: problem, Tuner: "other", Starts: "own", Games: games, Repeats: 20, Regret: regret, SE: .001, High: .3, Start: .16, Worse: 3}
	}
	r.Add([]Row{other("LOG", 400, .01), other("LOG2", 400, .02), other("LOG", 50, .1), other("STEP", 400, .1), r.Rows[0],
		{Problem: "LOG", Tuner: "random", Starts: "random", Games: 400}})
	if len(r.Rows) != 15 || len(r.Methods) != 3 || !slices.Equal(r.Games, []int{50, 100, 400}) {
		t.Fatalf("%d rows, methods %v, games %v", len(r.Rows), r.Methods, r.Games)
	}
	want := [][]string{{"problem", "start", "other"}, {"LOG", "160", "100 ± 2.09; 300, 15 %"}, {"geometric mean", "", "-"}}
	if diff := cmp.Diff(want, r.Table(50)); diff != "" {
		t.Error(diff)
	}
	if table := r.Table(400); table[2][4] != "-" || table[3][4] != "20.0 ± 2.09; 300, 15 %" || r.Title(400) != "400 games, 3 to 20 repeats" {
		t.Errorf("%s: %q", r.Title(400), table)
	}
	text, err := r.Page("lab", "").Markdown("figures")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"`other`, over the 2 of them on which it was run, ", "`other` 15.0 % of 60", "| 400 | LOG | `other` |"} {
		if strings.Contains(string(text), want) != (want[0] == '`') {
			t.Errorf("%q on the page or missing:\n%s", want, text)
		}
	}
}

// TestLossesIgnoreChance accepts a tenth more regret on one problem as chance. Twice as much is
// a loss, and so is a little more on every problem.
func TestLossesIgnoreChance(t *testing.T) {
	r := &Result{Names: []string{"a", "b", "c", "d"}, Methods: []string{"quad"}, Games: []int{10}}
	var before []Row
	for _, name := range r.Names {
		before = append(before, Row{Problem: name, Tuner: "quad", Games: 10, Regret: .01, SE: .001})
	}
	for _, c := range []struct {
		factors [4]float64
		want    []string
	}{
		{[4]float64{1.1, 1, .9, 1}, nil},
		{[4]float64{.5, 2, .9, .5}, []string{"b"}},
		{[4]float64{1.25, 1.2, 1.2, 1.25}, []string{""}},
	} {
		r.Rows = nil
		for i, b := range before {
			b.Regret, b.SE = b.Regret*c.factors[i], b.SE*c.factors[i]
			r.Rows = append(r.Rows, b)
		}
		losses, _, err := r.losses(before)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range losses {
			got = append(got, l.Problem)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("factors %v (-want +got): %s", c.factors, diff)
		}
	}
	if _, _, err := r.losses(before[:0]); err == nil {
		t.Error("no error without a row in common")
	}
}

// TestImpossibleComparisonIsRefused expects the error before anything is run.
func TestImpossibleComparisonIsRefused(t *testing.T) {
	for want, edit := range map[string]func(*Config){
		"want from 2 repeats":          func(a *Config) { a.Games, a.Repeats = nil, 1 },
		"games x: want from 2 repeats": func(a *Config) { a.Games = config.Names{"10:x"} },
		`games "9": want even`:         func(a *Config) { a.Games = config.Names{"9"} },
		"games 10: given twice":        func(a *Config) { a.Games = config.Names{"10", "10:5"} },
		"did you mean LOG12?":          func(a *Config) { a.Problems = config.Names{"LOG13"} },
		"two problems are named LOG":   func(a *Config) { a.Problems = config.Names{"LOG", "log"} },
		"unknown method":               func(a *Config) { a.Methods = []string{"anneal"} },
		`"spsa --cend 1": cend is not a known key; did you mean c_end?`: func(a *Config) { a.Methods = []string{"spsa --cend 1"} },
		"want more than 0":          func(a *Config) { a.Methods = []string{"spsa --c-end -1"} },
		"--pairs: want flags":       func(a *Config) { a.Methods = []string{"spsa --pairs"} },
		"--pairs 0: want":           func(a *Config) { a.Methods = []string{"spsa --pairs 0"} },
		"want flags of that method": func(a *Config) { a.Methods = []string{"spsa classic"} },
		"given twice":               func(a *Config) { a.Methods = []string{"quad", " quad"} },
		"want the name of a method": func(a *Config) { a.Methods = []string{" "} },
	} {
		a := small()
		edit(a)
		if _, err := a.Run(context.Background(), 1, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error about %q", err, want)
		}
	}
}

// publishedRows is the file of the published comparison.
const publishedRows = "../../../../reports/published/tuners/" + RowsName

// playAgain plays rows of a published file again: all of them exist, and none is worse than
// published, beyond chance (see losses). It returns the file's rows.
func playAgain(t *testing.T, name string, a *Config) []Row {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, r := read(t, name, data), played(t, a, 2)
	losses, compared, err := r.losses(before)
	if err != nil || compared != len(r.Rows) {
		t.Fatalf("%d of %d rows are published, %v; publish again", compared, len(r.Rows), err)
	}
	for _, l := range losses {
		t.Error(l)
	}
	return before
}

// TestOtherProblemsStayAsPublished plays the problems of other projects again, whose page also
// has the rivals' rows.
func TestOtherProblemsStayAsPublished(t *testing.T) {
	testmode.SkipUnlessLong(t) // a study of tuners
	a := New()
	a.Games, a.Methods, a.Problems = config.Names{"1000:40"}, []string{"quad", "spsa"}, config.Names{"others"}
	before := playAgain(t, filepath.Join(filepath.Dir(publishedRows), "others", RowsName), a)
	for _, rival := range []string{"cma", "tpe", "gp"} {
		if !slices.ContainsFunc(before, func(row Row) bool { return row.Tuner == rival && row.Repeats >= 20 && row.Regret > 0 }) {
			t.Errorf("no rows of %s", rival)
		}
	}
}

// TestTunersStayAsGoodAsPublished plays the smallest budget of the published comparison again:
// no tuner is worse than published, beyond chance (see losses), and the published rows are of
// methods that tune has.
func TestTunersStayAsGoodAsPublished(t *testing.T) {
	testmode.SkipUnlessLong(t) // a study of tuners
	a := New()
	a.Games = config.Names{"1000:40"}
	before := playAgain(t, publishedRows, a)
	for _, row := range before {
		if row.Tuner == defaultMethods[0] && !(row.Regret < row.Start+2*row.SE) {
			t.Errorf("published: %s on %s after %d games is worse than its start: %+v", row.Tuner, row.Problem, row.Games, row)
		}
		if math.IsNaN(row.Regret) {
			t.Error(row)
		}
	}
}
