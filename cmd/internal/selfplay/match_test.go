package selfplay

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs/match"
)

// selfplay runs the command in this process.
func selfplay(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	err = root(t.Context(), args, &out, &errs)
	return out.String(), errs.String(), err
}

// quoridorMatch is a match of two presets with further flags, split at spaces.
func quoridorMatch(t *testing.T, flags string) (stdout, stderr string, err error) {
	t.Helper()
	return selfplay(t, append(strings.Fields("match --game quoridor --a final --b v12.7"), strings.Fields(flags)...)...)
}

// result is what these tests read of a match's JSON.
type result struct {
	Pairs  [5]int
	Wins   int
	Draws  int
	Ends   map[string]int
	FaultA int `json:"faults_a"`
	SPRT   *struct {
		State, Verdict    string
		LLR, Lower, Upper float64
		Pairs             int
	}
	Repeatable *bool
	Run        string
}

func playMatch(t *testing.T, flags string) result {
	t.Helper()
	out, errs, err := quoridorMatch(t, flags+" --json")
	if err != nil {
		t.Fatalf("%s: %v\n%s", flags, err, errs)
	}
	var r result
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%s: %v\n%s", flags, err, out)
	}
	return r
}

// TestMatchSPRT: the test stops at the same pair for any number of workers, with
// the same bytes, and says so in words; resuming a finished match plays nothing.
func TestMatchSPRT(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	want := playMatch(t, "--sprt elo0=0,elo1=60 --workers 1 --out "+a)
	if want.SPRT == nil || want.SPRT.State != "H1" || want.SPRT.LLR < want.SPRT.Upper || !strings.HasPrefix(want.SPRT.Verdict, "passed") {
		t.Fatalf("%+v", want.SPRT)
	}
	total := 0
	for _, n := range want.Pairs {
		total += n
	}
	if total != want.SPRT.Pairs || total%64 == 0 {
		t.Fatalf("%d pairs, the test had %d; want a number that cuts a chunk", total, want.SPRT.Pairs)
	}
	if got := playMatch(t, "--sprt elo0=0,elo1=60 --workers 7 --out "+b); got.Pairs != want.Pairs {
		t.Errorf("7 workers: %v, want %v", got.Pairs, want.Pairs)
	}
	if err := clitest.Same(a, b, clitest.Repeatable); err != nil {
		t.Error(err)
	}
	out, _, err := selfplay(t, "match", "--resume", b)
	if err != nil || !strings.Contains(out, "\ntest             passed: +60.0 Elo or more accepted") {
		t.Errorf("resumed: %v\n%s", err, out)
	}
	if err := clitest.Same(a, b, clitest.Repeatable); err != nil {
		t.Errorf("resumed: %v", err)
	}
	// --pairs is the most that are played.
	short := playMatch(t, "--sprt elo0=0,elo1=5 --pairs 10 --discard")
	if short.SPRT.State != "continue" || short.SPRT.Pairs != 10 || !strings.HasPrefix(short.SPRT.Verdict, "undecided") {
		t.Errorf("%+v", short.SPRT)
	}
	if plain := playMatch(t, "--pairs 2 --discard"); plain.SPRT != nil || !*plain.Repeatable {
		t.Errorf("without a test: %+v", plain)
	}
}

// TestMatchRefusesBadFlags before anything is played or made.
func TestMatchRefusesBadFlags(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good", "e2 e8\ne2 e8 e3\n")
	for flags, want := range map[string]string{
		"--sprt elo0=5,elo1=5":                                "equal",
		"--sprt elo0=5,elo1=0":                                "reversed",
		"--sprt elo0=0,elo1=390":                              "too far apart",
		"--sprt elo0=0,elo1=5,alpha=0":                        "alpha",
		"--sprt elo0=0,elo1=5,alpha=0.5":                      "alpha=0.5",
		"--sprt elo0=0,elo1=5,beta=-1":                        "beta=-1",
		"--sprt elo0=0,elo1=5,model=bayes":                    "bayes",
		"--sprt elo0=NaN,elo1=5":                              "--sprt",
		"--sprt five":                                         "want elo0=N,elo1=N",
		"--sprt=":                                             "--sprt",
		"--pairs 0":                                           "--pairs 0",
		"--sprt elo0=0,elo1=5 --pairs 0":                      "--pairs 0",
		"--openings " + filepath.Join(dir, "none"):            "none: no such file",
		"--openings=":                                         "--openings",
		"--openings " + file("illegal", "e2 e8\n\ne2 e2 # x"): "illegal:3: move 2: e2 is not legal",
		"--openings " + file("twice", "e2 e8\n#\ne2 e8") + " --pairs 2": "twice holds 1 opening (1 duplicate left out), and each is played once",
		"--openings " + file("unreadable", "e2 e8\nwhat"):               "unreadable:2: move 1",
		"--openings " + file("empty", "# none"):                         "holds no opening",
		"--openings " + good + " --pairs 3":                             "holds 2 openings",
		"--openings " + good + " --opening-plies 0":                     "--opening-plies 0: want at least 1 with a file of openings",
		"--openings " + good + " --max-plies 3":                         "--max-plies 3: an opening alone has 3 plies",
		"--max-plies -1":                                                "--max-plies -1",
		"--max-plies 4":                                                 "--max-plies 4: an opening alone has 4 plies",
		"--resign score=4":                                              "--resign: resign rule",
		"--draw score=-4,moves=3":                                       "--draw: draw rule",
		"--timeout -1s":                                                 "--timeout -1s",
		"--timeout 1s --limits-b time=1s":                               "want more than the time limit",
		"--fault-limit games=0,share=0.1":                               "--fault-limit",
		"--output cutechess":                                            "want fastchess, or leave it out",
		"--output fastchess --json":                                     "[json output]",
		"--fault-limit 5":                                               "--fault-limit",
		"--fault-limit games=5,share=1.5":                               "--fault-limit",
		"--resume " + filepath.Join(dir, "x") + " --sprt elo0=0,elo1=5": "cannot be changed when resuming",
	} {
		out := filepath.Join(dir, "run")
		args := flags
		if !strings.Contains(flags, "--resume") {
			args += " --out " + out
		}
		stdout, _, err := quoridorMatch(t, args)
		if err == nil || !strings.Contains(err.Error(), want) || stdout != "" {
			t.Errorf("%s: %v, want %q", flags, err, want)
		}
		if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("%s: a run directory was made (%v)", flags, err)
		}
	}
}

// TestMatchOpenings: a book is played line by line, kept with the run, and a run
// whose book was changed is not gone on with.
func TestMatchOpenings(t *testing.T) {
	dir := t.TempDir()
	book := filepath.Join(dir, "book")
	if err := os.WriteFile(book, []byte("# three\ne2 e8\ne2 e8 e3\nd1 | \n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := quoridorMatch(t, "--openings "+book+" --discard"); err == nil || !strings.Contains(err.Error(), book+":4:") {
		t.Errorf("a position that is none: %v", err)
	}
	if err := os.WriteFile(book, []byte("# three\ne2 e8\ne2 e8 e3\n|\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "run")
	r := playMatch(t, "--openings "+book+" --out "+out)
	if r.Pairs[0]+r.Pairs[1]+r.Pairs[2]+r.Pairs[3]+r.Pairs[4] != 3 {
		t.Errorf("pairs %v, want one for each opening", r.Pairs)
	}
	log, err := datasets.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	starts, i := []string{"e2 e8", "e2 e8 e3", ""}, 0
	for g, err := range log.Games(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if start := starts[i/2]; !strings.HasPrefix(g.Moves, start) || int(g.OpeningPlies) != len(strings.Fields(start)) {
			t.Errorf("game %d starts %.20s with %d given plies", i, g.Moves, g.OpeningPlies)
		}
		i++
	}
	if !strings.Contains(log.Meta.Command, "--openings sha256:") {
		t.Errorf("the book is not in the run's identity: %s", log.Meta.Command)
	}
	if err := os.Remove(book); err != nil { // the run has its own copy
		t.Fatal(err)
	}
	if _, _, err := selfplay(t, "match", "--resume", out); err != nil {
		t.Errorf("resumed: %v", err)
	}
	if err := os.WriteFile(filepath.Join(out, "openings.txt"), []byte("e2 e8\ne2 e8 e3\n|\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := selfplay(t, "match", "--resume", out); err == nil || !strings.Contains(err.Error(), "was changed since the run began") {
		t.Errorf("a changed book: %v", err)
	}
}

// TestMatchResumesWithWhatItWasAsked: a match cut short by hand goes on under
// the same test, adjudication and book, to the same bytes.
func TestMatchResumesWithWhatItWasAsked(t *testing.T) {
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole"), filepath.Join(dir, "cut")
	flags := "--pairs 150 --max-plies 60 --resign score=150,moves=2 --timeout 60s"
	r := playMatch(t, flags+" --out "+whole)
	if r.Ends["adjudicated"] == 0 || r.Ends["adjudicated"] == 300 {
		t.Errorf("ends %v: want some of either kind", r.Ends)
	}
	copyFirst(t, whole, cut, func(*datasets.TrialRow) {})
	if _, _, err := selfplay(t, "match", "--resume", cut); err != nil {
		t.Fatal(err)
	}
	if err := clitest.Same(whole, cut, clitest.Repeatable); err != nil {
		t.Error(err)
	}
}

// copyFirst makes a run of the first trial of a match, changed.
func copyFirst(t *testing.T, from, to string, change func(*datasets.TrialRow)) {
	t.Helper()
	log, err := datasets.Read(from)
	if err != nil {
		t.Fatal(err)
	}
	var spec match.Config
	if err := log.Spec(&spec); err != nil {
		t.Fatal(err)
	}
	w, err := datasets.Create(to, log.Meta, &spec)
	if err != nil {
		t.Fatal(err)
	}
	var games []datasets.GameRow
	for g, err := range log.Games(datasets.Filter{To: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	for row, err := range log.Trials(datasets.Filter{To: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		change(&row)
		if err := w.Append(row, games, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestMatchByTheClock is marked as not repeatable, and mixing is warned of.
func TestMatchByTheClock(t *testing.T) {
	out, errs, err := quoridorMatch(t, "--pairs 1 --limits-a time=1s --discard")
	if err != nil || !strings.Contains(out, "do not repeat exactly") || !strings.Contains(errs, "A is limited by wall-clock time, B is not") {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
	r := playMatch(t, "--pairs 1 --limits time=1s --discard")
	if r.Repeatable == nil || *r.Repeatable {
		t.Error("a match by the clock is called repeatable")
	}
	_, errs, err = quoridorMatch(t, "--pairs 1 --limits time=1s --discard")
	if err != nil || strings.Contains(errs, "warning") {
		t.Errorf("both by the clock: %v %s", err, errs)
	}
}
