package experiment_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/experiment"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports"
)

const small = `schema = 1
title = "A small question"
source = "A source"

[[run]]
name = "half"
kind = "match"
label = "all halved"
game = "quoridor"
a = "final,rush_bonus=5000"
b = "final"
pairs = 20
record-moves = "on"
calibration = [-1e9, 0, 1e9]
quick = { pairs = 4 }

[[run]]
name = "check"
kind = "match"
game = "quoridor"
a = "{runs}/half/mine.toml,a_E=20@time=1h"
b = "{here}/other.toml"
pairs = 6

[[run]]
name = "field"
kind = "tournament"
game = "quoridor"
player = ["final", "mine:{runs}/half/mine.toml", "{runs}/half/mine.toml"]
pairs = 4

[[run]]
name = "look"
kind = "search"
game = "gobang"
player = ["full:fixed,search=minimax@depth=1", "fixed@depth=1"]
positions = 3

[[figure]]
name = "sizes"
title = "Sizes"
value = "elo"
rows = ["half", "check"]

[[figure]]
name = "nodes"
title = "Nodes"
value = "nodes"
rows = ["look"]

[[claim]]
says = "it is nothing"
measured = '{{same "half"}}, {{games "half"}} times'
verdict = "held"
checks = ["half identical", "look/fixed@depth=1 same-scores"]
`

const halved = "game = \"quoridor\"\n[values]\na_E = 11\n"

// written writes an experiment's file, and a parameter file that it reads, to a new folder.
func written(t *testing.T, text string) (file string) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "small.toml")
	write(t, file, text)
	write(t, filepath.Join(dir, "other.toml"), halved)
	return file
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func testKinds() []runs.Kind { return kinds.All().ForExperiments() }

// begun returns a study of the file in a folder.
func begun(t *testing.T, file, dir string, quick bool) *experiment.Study {
	t.Helper()
	s, err := experiment.ReadFile(file, quick, testKinds())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Begin(dir, "typed"); err != nil {
		t.Fatal(err)
	}
	return s
}

// leaving plays with some workers; when the second run is to begin, the first has
// left the file that it reads.
func leaving(t *testing.T, s *experiment.Study, workers int) experiment.Show {
	return func(place int, _ experiment.Run) (runs.Options, func()) {
		if place == 1 {
			write(t, filepath.Join(s.Dir, "half", "mine.toml"), halved)
		}
		return runs.Options{Workers: workers}, func() {}
	}
}

func finish(t *testing.T, s *experiment.Study) (experiment.Result, reports.Page) {
	t.Helper()
	result, page, err := s.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return result, page
}

// timeless clears the times of results, which do not repeat.
func timeless(r experiment.Results) experiment.Results {
	for i := range r.Searches {
		r.Searches[i].Seconds = 0
	}
	return r
}

// TestStoppedStudyEndsAlike expects runs to read files of earlier runs, and equal results of an
// experiment that was stopped in every run, moved, renamed and continued by other numbers of
// workers.
func TestStoppedStudyEndsAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("plays a study three times")
	}
	file := written(t, small)
	whole := begun(t, file, filepath.Join(t.TempDir(), "whole"), false)
	if err := whole.Play(context.Background(), "", leaving(t, whole, 2)); err != nil {
		t.Fatal(err)
	}
	if report, err := os.ReadFile(filepath.Join(whole.Dir, "half", "report.md")); !strings.Contains(string(report), "\n## Move by move\n") {
		t.Error("the report of a run has no section of its recorded moves:", err)
	}
	want, page := finish(t, whole)
	if r := want.Results; len(r.Rows) != 5 || len(r.Searches) != 2 || len(r.Shown) != 2 {
		t.Fatalf("%+v", r)
	}
	for i, names := range [][2]string{
		{"all halved", "final"}, {"half/mine.toml,a_E=20@time=1h", "other.toml"}, {"final", "mine"}, {"final", "half/mine.toml"}, {"mine", "half/mine.toml"},
	} {
		if r := want.Results.Rows[i]; r.A != names[0] || r.B != names[1] {
			t.Errorf("row %d is %s v %s", i, r.A, r.B)
		}
	}
	text, err := page.Markdown("figures")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"selfplay run small.toml  ", "in `small.toml`", "| `half` | `all halved` |", "| `fixed` | depth=1 | 3 |", "sizes.svg", "field-ratings.svg", "held", "| `mine` | `half/mine.toml` |",
		"> - `half`: A and B decided alike in all of ", "> - `field`: `mine` and `half/mine.toml` decided alike"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the page does not say %q:\n%s", part, text)
		}
	}
	if strings.Contains(string(text), "reproduce") {
		t.Error("the page of an experiment of one's own tells to reproduce it")
	}

	dir := filepath.Join(t.TempDir(), "stopped")
	begun(t, file, dir, false)
	stopped := errors.New("stopped")
	for place := range 4 {
		s, err := experiment.Open(dir, testKinds())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		left := leaving(t, s, 1+place%3)
		err = s.Play(ctx, "", func(i int, r experiment.Run) (runs.Options, func()) {
			o, done := left(i, r)
			if i == place {
				o.Progress = func(p runs.Progress) { cancel(stopped) }
			}
			return o, done
		})
		if !errors.Is(err, stopped) {
			t.Fatalf("run %d was not stopped: %v", place, err)
		}
		if _, err := s.NewResult(); err == nil {
			t.Error("told an experiment that is not finished")
		}
		moved := filepath.Join(t.TempDir(), "moved")
		if err := os.Rename(dir, moved); err != nil {
			t.Fatal(err)
		}
		dir = moved
	}
	s, err := experiment.Open(dir, testKinds())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Play(context.Background(), "", leaving(t, s, 2)); err != nil {
		t.Fatal(err)
	}
	got, _ := finish(t, s)
	if diff := cmp.Diff(timeless(want.Results), timeless(got.Results), cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Error(diff)
	}
}

// TestTextsChangeWithoutPlaying expects the texts of the present file if its runs have not changed
// since the beginning, else the file and the reading of the beginning.
func TestTextsChangeWithoutPlaying(t *testing.T) {
	file := written(t, small)
	reading := filepath.Join(filepath.Dir(file), "reading.md")
	write(t, reading, "Before")
	dir := filepath.Join(t.TempDir(), "x")
	begun(t, file, dir, true)
	write(t, file, strings.Replace(small, "A small question", "A large question", 1))
	write(t, reading, "After")
	s, err := experiment.Open(dir, testKinds())
	if err != nil || !s.Reworded || s.Experiment.Title != "A large question" || s.Reading != "After" {
		t.Errorf("%+v, %v", s, err)
	}
	write(t, file, strings.Replace(small, "pairs = 20", "pairs = 21", 1))
	s, err = experiment.Open(dir, testKinds())
	if err != nil || s.Reworded || s.Experiment.Runs[0].Full[3].Texts[0] != "20" || s.Experiment.Title != "A small question" || s.Reading != "Before" {
		t.Errorf("%+v, %v", s, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if s, err = experiment.Open(dir, testKinds()); err != nil || !s.Reworded || s.Reading != "Before" {
		t.Errorf("%+v, %v", s, err)
	}
	again, err := experiment.ReadFile(written(t, small), false, testKinds())
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Begin(dir, ""); !errors.Is(err, experiment.ErrBegun) {
		t.Errorf("begun twice: %v", err)
	}
	other := t.TempDir()
	write(t, filepath.Join(other, "letter.txt"), "dear")
	if err := again.Begin(other, ""); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("begun among other things: %v", err)
	}
	if _, err := experiment.Open(other, testKinds()); err == nil || !strings.Contains(err.Error(), "holds no experiment") {
		t.Errorf("%v", err)
	}
}

// TestCheckNamesLineAndRemedy expects file, line, run and remedy in every error, and no folder.
func TestCheckNamesLineAndRemedy(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`kind = "match"`, `kind = "mach"`, `small.toml:7: [[run]] "half": kind = "mach": want one of match, `},
		{"pairs = 20\n", "pears = 20\n", `small.toml:12: [[run]] "half": pears is not a known key; did you mean pairs?`},
		{"pairs = 20\n", "workers = 20\n", `small.toml:12: [[run]] "half": workers is not a known key`},
		{"pairs = 20\n", "pairs = 0\n", `small.toml:12: [[run]] "half": pairs 0: want at least 1`},
		{"pairs = 20\n", "pairs = [1, 2]\n", `small.toml:12: [[run]] "half": pairs: want one value, not a list`},
		{"pairs = 20\n", "opening-plies = 99\n", `small.toml:12: [[run]] "half": opening_plies 99: want 0 to`},
		{"quick = { pairs = 4 }", "quick = { pairs = 0 }", `small.toml:15: [[run]] "half": pairs 0: want at least 1`},
		{`b = "final"`, `b = "finale"`, `small.toml:11: [[run]] "half": b: quoridor has no preset "finale"; did you mean final?`},
		{`b = "final"`, ``, `small.toml:5: [[run]] "half": b: want both players`},
		{"record-moves = \"on\"\n", "", `small.toml:13: [[run]] "half": calibration: scores are those of recorded moves; want record_moves = "on"`},
		{"pairs = 6\n", "pairs = \"many\"\n", `small.toml:23: [[run]] "check": pairs: "many": want a whole number`},
		{"positions = 3", "positions = 0", `small.toml:37: [[run]] "look": positions 0: want at least 1`},
		{"{runs}/half/mine.toml,", "{runs}/haf/mine.toml,", `small.toml:21: [[run]] "check": a: {runs}/haf: no earlier run "haf"; did you mean half?`},
		{"{runs}/half/mine.toml,", "{runs}/look/mine.toml,", `small.toml:21: [[run]] "check": a: {runs}/look: no earlier run "look"`},
		{`game = "gobang"`, `game = "go"`, `small.toml:35: [[run]] "look": game: unknown game "go"`},
	} {
		text := strings.Replace(small, c.old, c.new, 1)
		if text == small {
			t.Fatalf("%q is not in the file", c.old)
		}
		if _, err := experiment.ReadFile(written(t, text), false, testKinds()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	e, err := experiment.Decode("x.toml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Check(testKinds(), ""); err == nil || !strings.Contains(err.Error(), `x.toml:22: [[run]] "check": {here} is not supported`) {
		t.Errorf("%v", err)
	}
	// A file that an earlier run did not leave is reported when its reader begins.
	s := begun(t, written(t, small), filepath.Join(t.TempDir(), "x"), true)
	err = s.Play(context.Background(), "", func(int, experiment.Run) (runs.Options, func()) { return runs.Options{Workers: 1}, func() {} })
	if err == nil || !strings.Contains(err.Error(), `small.toml:21: [[run]] "check": a: parameter file: open `) {
		t.Errorf("%v", err)
	}
}

// TestPublishWritesPageAndCounts publishes a full run with its page and a quick run with its
// counts, and neither over a foreign README.md.
func TestPublishWritesPageAndCounts(t *testing.T) {
	const one = `schema = 1
title = "The same"

[[run]]
name = "same"
kind = "match"
game = "quoridor"
a = "final,selfharm_bonus=7"
b = "final"
pairs = 10
quick = { pairs = 4 }

[[claim]]
says = "it is the same"
measured = '{{same "same"}}'
verdict = "held"
checks = ["same identical"]
`
	root := t.TempDir()
	folder := filepath.Join(root, "one")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, experiment.FileName)
	write(t, file, one)
	write(t, filepath.Join(folder, "reading.md"), "Scored {{score \"same\"}}.")
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var warned []string // by the runs' own reports
	publish := func(quick bool) error {
		s := begun(t, file, filepath.Join(t.TempDir(), "x"), quick)
		if err := s.Play(context.Background(), "", leaving(t, s, 2)); err != nil {
			t.Fatal(err)
		}
		result, page := finish(t, s)
		warned = result.Warnings
		return s.Publish(result, page)
	}
	write(t, filepath.Join(folder, reports.ReadmeName), "mine")
	if err := publish(false); err == nil || read(reports.ReadmeName) != "mine" {
		t.Errorf("published over another page: %v", err)
	}
	if err := os.Remove(filepath.Join(folder, reports.ReadmeName)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(publish(true), publish(false)); err != nil {
		t.Fatal(err)
	}
	outcome, err := experiment.DecodeOutcome("outcome.toml", []byte(read(experiment.OutcomeName)))
	if err != nil || outcome.Quick.Games != 8 || outcome.Full.Games != 20 || outcome.Full.Workers != 2 {
		t.Errorf("%+v, %v", outcome, err)
	}
	if text := read(reports.ReadmeName); !strings.Contains(text, "Scored 50.0 % ") || !strings.Contains(text, "selfplay run experiment.toml") {
		t.Error(text)
	}
	p, err := experiment.ReadPublication(os.DirFS(root), "one")
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Compare(p.Quick, true); c.Same != 1 || len(c.Differences) > 0 {
		t.Errorf("%+v", c)
	}
	name, err := experiment.WriteIndex(root)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "| it is the same | 0 of") || !strings.Contains(string(text), "selfplay run NAME/experiment.toml") {
		t.Errorf("%s, %v", text, err)
	}
	// The page follows from the counts, without the warnings of the runs' reports; published
	// warnings stay.
	plain := read(reports.ReadmeName)
	for _, page := range []string{plain, strings.Replace(plain, "\n\n## Claims", "\n\n> **Read this first**\n>\n> - Two builds played.\n\n## Claims", 1)} {
		write(t, filepath.Join(folder, reports.ReadmeName), page)
		if err := experiment.Rewrite(root, kinds.All().WithCommand()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(page, read(reports.ReadmeName)); diff != "" {
			t.Errorf("published and written again (-, +):\n%s", diff)
		}
	}
	if len(warned) == 0 || strings.Contains(plain, "Read this first") {
		t.Errorf("%q, %s", warned, plain)
	}
	// New words need no games: the page is written again from the counts.
	counts := read(experiment.RowsName)
	write(t, file, strings.Replace(one, "The same", "Other words", 1))
	if err := experiment.Rewrite(root, kinds.All().WithCommand()); err != nil {
		t.Fatal(err)
	}
	if text := read(reports.ReadmeName); !strings.HasPrefix(text, "# Other words\n") || !strings.Contains(text, "Scored 50.0 % ") || read(experiment.RowsName) != counts {
		t.Error(text, read(experiment.RowsName))
	}
	// A verdict must follow from the results.
	write(t, file, strings.Replace(one, "same identical", "same better", 1))
	s := begun(t, file, filepath.Join(t.TempDir(), "x"), false)
	if err := s.Play(context.Background(), "", leaving(t, s, 2)); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Finish(context.Background())
	if _, ok := errors.AsType[*experiment.PageError](err); !ok || !strings.Contains(err.Error(), `claim 1: the verdict is "held", but the results find "same better" open; change the verdict`) {
		t.Errorf("%v", err)
	}
}

// TestManualHelpsWithEveryKey expects help for every key of every kind, and no key of a kind that a
// [[run]] has itself.
func TestManualHelpsWithEveryKey(t *testing.T) {
	text := experiment.Manual(testKinds())
	own, _, _ := strings.Cut(text[strings.Index(text, "Keys of every [[run]]:"):], "\n\n")
	for _, k := range testKinds() {
		for _, f := range config.Fields(k.New()) {
			if !strings.Contains(text, "\n  "+f.Name+" ") {
				t.Errorf("the manual lacks %s of %s", f.Name, k.Name)
			}
			if strings.Contains(own, "\n  "+f.Name+" ") {
				t.Errorf("%s of %s cannot be asked: a [[run]] has a key of that name", f.Name, k.Name)
			}
		}
	}
	if open := regexp.MustCompile(`[^{]\{(games|methods|kinds)\}`).FindString(text); open != "" {
		t.Errorf("the manual has a placeholder: %q", open)
	}
	for line := range strings.Lines(text) {
		if len(line) > 90 && !strings.HasPrefix(line, "Keys of a [[run]]") {
			t.Errorf("a long line: %s", line)
		}
	}
}

// TestPublishedIndexIsCurrent expects the index of all claims to follow from the results. Where
// golden files are updated, it writes all published pages again from their counts, after a change
// of words or columns.
func TestPublishedIndexIsCurrent(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(publishedFolder)); err != nil {
		t.Fatal(err)
	}
	if testmode.Update() {
		dir = publishedFolder
		if err := experiment.Rewrite(dir, kinds.All().ForExperiments()); err != nil {
			t.Fatal(err)
		}
	}
	name, err := experiment.WriteIndex(dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(publishedFolder, "README.md")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s/README.md is not made of the results: %v", publishedFolder, err)
	}
}

const publishedFolder = "../../../reports/published"
