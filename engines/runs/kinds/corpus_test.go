package kinds_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/datasets/datasetstest"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule"
	"selfplaylab/engines/testmode"
)

// corpus is the folder of the runs of earlier versions.
const corpus = "testdata/corpus"

// first and newest are the folders in it of the first and the latest version.
const (
	first  = "0.4.0-20261123-first"
	newest = "0.4.0-20261129"
)

// corpusRuns lists the runs of the corpus by their names: VERSION/RUN.
func corpusRuns(t testing.TB) (names []string) {
	t.Helper()
	dirs, err := datasets.Find(corpus)
	if err != nil || len(dirs) < 80 {
		t.Fatalf("%d runs, %v", len(dirs), err)
	}
	for _, dir := range dirs {
		name, err := filepath.Rel(corpus, dir)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(name))
	}
	return names
}

// removed maps runs of the corpus that this version only lists and exports to a part of the
// error that refuses everything else.
var removed = map[string]string{
	"game":   "a game played on a board",
	"racing": "racing was removed: grid with --alpha",
	"mixed":  "choice was removed: method grid with --alpha",

	"objective-pairs":  "a tuning for a program's scores",
	"objective-spsa":   "a tuning for a program's scores",
	"objective-values": "a tuning for a program's scores",
}

// knownRuns lists the runs of the corpus without the removed kinds and methods.
func knownRuns(t testing.TB) []string {
	t.Helper()
	return slices.DeleteFunc(corpusRuns(t), func(name string) bool { return removed[path.Base(name)] != "" })
}

// TestRemovedRunsAreRefusedByName expects a run of a removed kind or method in lists, and an error
// with its name wherever it would be read or played.
func TestRemovedRunsAreRefusedByName(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range corpusRuns(t) {
		want := removed[path.Base(name)]
		if want == "" {
			continue
		}
		seen[path.Base(name)] = true
		dir := copied(t, name)
		s, _ := view.Look(dir, kinds.All())
		_, opened := kinds.All().Open(dir)
		_, resumed := record.Resume(dir, kinds.All().Find, record.Origin{})
		for _, err := range []error{errors.New(s.Fault), opened, resumed, view.Report(t.Context(), kinds.All(), dir)} {
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "export") {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	if len(seen) != len(removed) {
		t.Errorf("the corpus has %v of %v", seen, removed)
	}
}

// chosen reports whether a test of this form takes a run. A short test takes a few runs, the long
// form all, and others the runs of the first and the latest version.
func chosen(name string) bool {
	if testing.Short() {
		return name == first+"/quad" || name == first+"/match"
	}
	return testmode.Long() || strings.HasPrefix(name, first) || strings.HasPrefix(name, newest)
}

// copied copies a run of the corpus.
func copied(t testing.TB, name string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.CopyFS(to, os.DirFS(filepath.Join(corpus, name))); err != nil {
		t.Fatal(err)
	}
	return to
}

// export returns the SHA-256 of a table as CSV, and its number of rows.
func export[T datasets.TrialRow | datasets.GameRow | datasets.MoveRow](t testing.TB, log *datasets.Log, rows func(*datasets.Log) func(func(T, error) bool)) string {
	t.Helper()
	h := sha256.New()
	n, err := datasets.Export(t.Context(), h, datasets.CSV, log.Meta, "", rows(log))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d %x", n, h.Sum(nil)[:8])
}

// TestCorpusTablesAreUnchanged exports the rows of earlier versions, which must stay equal, and
// lists their runs.
func TestCorpusTablesAreUnchanged(t *testing.T) {
	var b bytes.Buffer
	for _, name := range corpusRuns(t) {
		dir := filepath.Join(corpus, name)
		s, _ := view.Look(dir, kinds.All())
		if s.Fault != "" && removed[path.Base(name)] == "" || s.Kind == "" || s.Fault == "" && s.What == "" || s.Created.IsZero() {
			t.Errorf("%s: %+v", name, s)
		}
		log, err := datasets.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if s.Trials != log.NumTrials || s.Games != log.NumGames {
			t.Errorf("%s: a list shows %d trials and %d games of %d and %d", name, s.Trials, s.Games, log.NumTrials, log.NumGames)
		}
		fmt.Fprintf(&b, "%s\n", name)
		fmt.Fprintf(&b, "  trials %s\n", export(t, log, func(l *datasets.Log) func(func(datasets.TrialRow, error) bool) { return l.Trials(datasets.Filter{}) }))
		fmt.Fprintf(&b, "  games %s\n", export(t, log, func(l *datasets.Log) func(func(datasets.GameRow, error) bool) { return l.Games(datasets.Filter{}) }))
		if log.Meta.RecordMoves != datasets.NoMoves {
			fmt.Fprintf(&b, "  moves %s\n", export(t, log, func(l *datasets.Log) func(func(datasets.MoveRow, error) bool) { return l.Moves(datasets.Filter{}) }))
		}
	}
	testmode.Golden(t, filepath.Join(corpus, "tables.txt"), b.Bytes())
}

// TestCorpusRunsAreReported writes the report of every run of an earlier version.
func TestCorpusRunsAreReported(t *testing.T) {
	for _, name := range knownRuns(t) {
		if !chosen(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := copied(t, name)
			if err := view.Report(t.Context(), kinds.All(), dir); err != nil {
				t.Fatal(err)
			}
			if page, err := os.ReadFile(filepath.Join(dir, "report.md")); err != nil || len(page) < 500 {
				t.Errorf("%s, %v", page, err)
			}
		})
	}
}

// TestCorpusGamesReplay shows games of earlier versions, and expects the same moves of their
// players.
func TestCorpusGamesReplay(t *testing.T) {
	played := 0
	for _, name := range knownRuns(t) {
		v, err := kinds.All().Open(filepath.Join(corpus, name))
		if err != nil {
			t.Fatal(err)
		}
		if v.Shown() != nil || v.Log.NumGames == 0 || strings.HasSuffix(name, "/match-referee") { // the program is not installed here
			continue
		}
		g, err := replay.Find(v, fmt.Sprint(v.Log.NumGames-1))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		plies := 0
		if err := g.Recorded(func(play.Ply) { plies++ }); err != nil || plies != int(g.Row.Plies) {
			t.Errorf("%s: %d plies of %d, %v", name, plies, g.Row.Plies, err)
		}
		if external := g.Trial.Seats[0].External() || g.Trial.Seats[1].External(); external || !g.Repeatable() {
			continue
		}
		if played++; testing.Short() && played > 5 {
			continue
		}
		if err := g.Play(t.Context(), func(play.Ply) {}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if played < 55 {
		t.Errorf("only %d games were played again", played)
	}
}

// rowsOf reads all trials of a run with their games, without the times of decisions.
func rowsOf(t testing.TB, dir string) (list []schedule.Finished) {
	t.Helper()
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for f, err := range schedule.Recorded(log, datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Moves {
			f.Moves[i].Micros = 0
		}
		list = append(list, f)
	}
	return list
}

// cut copies the first trials of a run, as if it had been stopped after them.
func cut(t testing.TB, from string, trials int64) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "cut")
	if err := datasetstest.Cut(from, to, trials); err != nil {
		t.Fatal(err)
	}
	if book, err := os.ReadFile(filepath.Join(from, "openings.txt")); err == nil {
		if err := os.WriteFile(filepath.Join(to, "openings.txt"), book, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// TestCorpusRunsResume expects nothing to play in a finished run of an earlier version. A stopped
// run of a release continues to the same rows, or its error names the program that continues it.
func TestCorpusRunsResume(t *testing.T) {
	continued := 0
	for _, name := range knownRuns(t) {
		if !chosen(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := copied(t, name)
			v, err := kinds.All().Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			if v.Shown() != nil || elsewhere(v) {
				t.Skip("no game of it is played here")
			}
			result, err := v.Result()
			if err != nil {
				t.Fatal(err)
			}
			s, err := result.Summary()
			if err != nil {
				t.Fatal(err)
			}
			whole := rowsOf(t, dir)
			if !s.Finished {
				if continues(t, dir, whole, 2) {
					continued++
				}
				return
			}
			if !continues(t, dir, whole, 0) || len(rowsOf(t, dir)) != len(whole) {
				t.Error("a finished run has changed")
			}
			half := len(whole) / 2
			dir = cut(t, dir, int64(half))
			if continues(t, dir, whole[:half], -1) {
				continued++
				if strings.HasPrefix(name, newest) && !strings.HasSuffix(name, "-clock") && !reflect.DeepEqual(rowsOf(t, dir), whole) {
					t.Error("a run that is resumed has other rows")
				}
			}
		})
	}
	if testmode.Long() && continued < 45 {
		t.Errorf("only %d runs went on", continued)
	}
}

// elsewhere reports whether programs that are not here play a run.
func elsewhere(r *runs.Recorded) bool {
	if r.Head.Unavailable != nil {
		return true
	}
	g, err := replay.Find(r, "0")
	return err == nil && (g.Trial.Seats[0].External() || g.Trial.Seats[1].External())
}

// continues resumes a run until it has a number of new games, or to its end, and reports whether it
// did. Its recorded rows must stay. Where its tuner would continue otherwise, the error must offer
// to verify the values found.
func continues(t testing.TB, dir string, recorded []schedule.Finished, games int64) bool {
	t.Helper()
	err := resume(t, dir, games)
	if after := rowsOf(t, dir); len(after) < len(recorded) || len(recorded) > 0 && !reflect.DeepEqual(after[:len(recorded)], recorded) {
		t.Error("recorded rows have changed")
	}
	switch {
	case err == nil || errors.Is(err, errEnough):
		return true
	case !strings.Contains(err.Error(), "; it is resumed by the program that began it, selfplaylab 0.4.0") ||
		!strings.Contains(err.Error(), " games: selfplay match --game"):
		t.Error(err)
	}
	return false
}

var errEnough = errors.New("enough")

// resume plays the rest of a run, or at least a number of its games.
func resume(t testing.TB, dir string, games int64) error {
	t.Helper()
	r, err := record.Resume(dir, kinds.All().Find, record.Origin{})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	begun := int64(-1)
	return r.Play(ctx, runs.Options{Workers: 1, Progress: func(p runs.Progress) {
		switch {
		case p.Replayed:
		case begun < 0:
			begun = p.Games
		case games >= 0 && p.Games-begun >= games:
			stop(errEnough)
		}
	}})
}

// TestCorpusTuningsExtend extends a finished tuning of an earlier version by the version of its
// tuner. It stays unchanged where this program has another version.
func TestCorpusTuningsExtend(t *testing.T) {
	tunings := 0
	for _, name := range knownRuns(t) {
		if !strings.HasPrefix(path.Base(name), "quad") || !chosen(name) {
			continue
		}
		tunings++
		t.Run(name, func(t *testing.T) {
			dir := copied(t, name)
			before := rowsOf(t, dir)
			extend, err := tuning.Kind().Command.Extend["games"]("4000")
			if err != nil {
				t.Fatal(err)
			}
			r, err := record.Extend(dir, kinds.All().Find, record.Origin{}, extend)
			if err != nil {
				if !strings.Contains(err.Error(), "; it is resumed by the program that began it, selfplaylab 0.4.0") && !strings.Contains(err.Error(), "executable file not found") {
					t.Error(err)
				}
				return
			}
			ctx, stop := context.WithCancelCause(t.Context())
			defer stop(nil)
			err = r.Play(ctx, runs.Options{Workers: 1, Progress: func(p runs.Progress) {
				if !p.Replayed && p.Games > 100 {
					stop(errEnough)
				}
			}})
			if after := rowsOf(t, dir); !errors.Is(err, errEnough) || len(after) <= len(before) || !reflect.DeepEqual(after[:len(before)], before) {
				t.Errorf("%d trials after %d, %v", len(after), len(before), err)
			}
		})
	}
	if testmode.Long() && tunings < 25 {
		t.Errorf("only %d tunings", tunings)
	}
}

// TestCorpusCaptionsAreUnchanged expects the command of a run as the version before wrote it,
// whatever names its flags now have. SPSA is left out, whose settings have changed, and ask-tell,
// whose flags have.
func TestCorpusCaptionsAreUnchanged(t *testing.T) {
	same := 0
	for _, name := range knownRuns(t) {
		if !strings.HasPrefix(name, newest) || strings.Contains(name, "spsa") || strings.Contains(name, "ask-tell") {
			continue
		}
		v, err := kinds.All().Open(filepath.Join(corpus, name))
		if err != nil {
			t.Fatal(err)
		}
		if v.Head.Unavailable != nil {
			continue
		}
		// TestRenamedFlagsBreakNoRun gives all flags this suffix.
		if got := strings.ReplaceAll(runs.CommandLine(v.Head, v.Config), "-renamed", ""); got != v.Log.Meta.Command {
			t.Errorf("%s:\n%s\nand not\n%s", name, got, v.Log.Meta.Command)
		}
		same++
	}
	if same < 25 {
		t.Errorf("only %d runs", same)
	}
}
