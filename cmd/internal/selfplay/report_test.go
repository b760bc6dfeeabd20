package selfplay

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/tournament"
	"selfplaylab/engines/schedule"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports/rating"
)

// recorded is a match that was never played: its record is written, and read
// again by what is tested. It stays the same whatever the players become.
type recorded struct {
	meta   datasets.Meta
	spec   match.Config
	pairs  []string                  // by A's results: "wl" won as first and lost as second; d for drawn
	change func(g *datasets.GameRow) // of every game, if not nil
}

// newRecorded is a match of 26 + 14 + 40 pairs, mixed.
func newRecorded() *recorded {
	r := &recorded{
		meta: datasets.Meta{
			Kind: "match", Game: "quoridor", GameVersion: 1, Rules: "variant=seed", Seed: 7, Revision: "abc123",
			Program: "selfplaylab 0.1.0", Go: "go1.26", Command: "selfplay match --game quoridor | ...", CommandLine: "selfplay match",
			Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Parameters: []string{"path", "wall", "edge"},
		},
		spec: match.Config{
			A: player.Config{Name: "new", Player: "new", Values: []float64{1.5, 2, 3}}, B: player.Config{Name: "old", Player: "old", Values: []float64{1, 2, 3}},
			Pairs: 80, MatchRules: runs.MatchRules{Level: 0.95, OpeningPlies: 1, FaultLimit: schedule.DefaultFaultLimit},
		},
	}
	for i := range 80 {
		r.pairs = append(r.pairs, []string{"ww", "wl", "wd", "wl", "ll", "wl", "lw", "dd"}[i*i%61%8])
	}
	return r
}

// write makes the run directory, in trials of 64 pairs.
func (r *recorded) write(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	w, err := datasets.Create(dir, r.meta, &r.spec)
	if err != nil {
		t.Fatal(err)
	}
	k := int64(0)
	for chunk := range slices.Chunk(r.pairs, 64) {
		row, games := r.trial(k, chunk)
		if err := w.Append(row, games, nil); err != nil {
			t.Fatal(err)
		}
		k++
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (r *recorded) trial(k int64, pairs []string) (datasets.TrialRow, []datasets.GameRow) {
	row := datasets.TrialRow{Trial: k, Phase: "match", A: r.spec.A.Values, B: r.spec.B.Values, Openings: uint64(k), Pairs: int32(len(pairs)), Games: int32(2 * len(pairs))}
	var games []datasets.GameRow
	var tally rating.Pairs
	for i, results := range pairs {
		var half [2]int
		for n, result := range results {
			half[n] = strings.IndexRune("ldw", result)
			g := datasets.GameRow{
				Trial: k, Phase: "match", Pair: int32(i), Game: int32(n), OpeningPlies: 1, Moves: fmt.Sprintf("e%d m%d.%d", i%9, k, i), Plies: int32(40 + i%30),
				AScore: float64(half[n]) / 2, Reason: "goal", Outcome: [3]string{"0-1", "1/2", "1-0"}[half[n]],
			}
			if n == 1 {
				g.Outcome = [3]string{"1-0", "1/2", "0-1"}[half[n]]
			}
			if half[n] == 1 {
				g.Reason = "repetition"
			}
			if r.change != nil {
				r.change(&g)
			}
			if engines.Reason(g.Reason).Fault() {
				row.FaultsA += int32((2 - half[n]) / 2)
				row.FaultsB += int32(half[n] / 2)
			}
			row.FirstPoints += []int32{int32(half[n]), int32(2 - half[n])}[n]
			row.Wins, row.Draws, row.Losses = row.Wins+int32(half[n]/2), row.Draws+int32(half[n]%2), row.Losses+int32((2-half[n])/2)
			row.Plies += int64(g.Plies)
			games = append(games, g)
		}
		tally.Add(half[0], half[1])
	}
	row.LL, row.LD, row.Even, row.WD, row.WW = int32(tally[0]), int32(tally[1]), int32(tally[2]), int32(tally[3]), int32(tally[4])
	return row, games
}

// text is the report as Markdown, after it was written by the command.
func (r *recorded) text(t *testing.T) string {
	t.Helper()
	dir := r.write(t)
	out := mustCommand(t, "report", dir)
	if want := filepath.Join(dir, "report.html") + "\n"; out != want {
		t.Errorf("printed %q, want %q", out, want)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil || len(page) < 1000 {
		t.Errorf("report.html of %d bytes: %v", len(page), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), dir, "DIR")
}

// TestMatchReport compares the report of a recorded match, word by word.
func TestMatchReport(t *testing.T) {
	t.Parallel()
	testmode.Golden(t, filepath.Join("testdata", "match_report.md"), []byte(newRecorded().text(t)))
}

// TestMatchReportSays: what a reader must know is there, and only where it is so.
func TestMatchReportSays(t *testing.T) {
	t.Parallel()
	plain := newRecorded().text(t)
	for name, c := range map[string]struct {
		change func(r *recorded)
		want   []string
	}{
		"unfinished": {
			func(r *recorded) { r.spec.Pairs = 100 },
			[]string{"The match is not finished: 80 of 100 pairs are recorded. `selfplay match --resume DIR` continues it."},
		},
		"nothing yet": {
			func(r *recorded) { r.pairs = nil },
			[]string{"**No result yet**, no game is recorded", "0 of 80 pairs"},
		},
		"few": {
			func(r *recorded) { r.pairs, r.spec.Pairs = r.pairs[:20], 20 },
			[]string{"**Too early to say**, 20 pairs; an interval begins with 32"},
		},
		"clock": {
			func(r *recorded) { r.spec.A.Limits.Time = time.Second },
			[]string{"limited by wall-clock time", "| limits | time=1s | no limits |"},
		},
		"faults": {
			func(r *recorded) {
				r.change = func(g *datasets.GameRow) {
					if g.Outcome != "1/2" && g.Pair < 3 {
						g.Reason = string(engines.Crash)
					}
				}
			},
			[]string{"A lost 5 games and B 7 games by faults (A: 5 by crash; B: 7 by crash)."},
		},
		"bound": {
			func(r *recorded) {
				r.change = func(g *datasets.GameRow) {
					if g.Outcome == "1/2" {
						g.Reason = string(engines.PlyBound)
					}
				}
			},
			[]string{"cut off at a bound of plies and counted as draws"},
		},
		"adjudicated": {
			func(r *recorded) {
				r.change = func(g *datasets.GameRow) { g.Reason = string(engines.Adjudicated) }
			},
			[]string{"100.0 % of the games (160 of 160) were ended by a rule of the match (adjudicated)"},
		},
		"better": {
			func(r *recorded) {
				for i := range r.pairs {
					r.pairs[i] = "ww"
				}
			},
			[]string{"**Yes, &gt; +1200 Elo**, +530 to &gt; +1200"},
		},
		"worse": {
			func(r *recorded) {
				for i := range 60 {
					r.pairs[i] = "ll"
				}
			},
			[]string{"**No, -"},
		},
		"far ahead after few": {
			func(r *recorded) {
				r.pairs = []string{"ww", "ww", "ww", "wl", "ww", "ww", "ww", "ww"}
			},
			[]string{"**Too early to say**, 8 pairs"},
		},
		"one player, two limits": {
			func(r *recorded) { r.spec.B.Name, r.spec.A.Limits.Depth, r.spec.B.Limits.Depth = "new", 3, 2 },
			[]string{"Is `new` (`depth=3`) stronger than `new` (`depth=2`)"},
		},
		"equal players": {
			func(r *recorded) { r.spec.B = r.spec.A },
			[]string{"`new` as A", "`new` as B", "All parameters have equal values."},
		},
		"repeats": {
			func(r *recorded) {
				r.change = func(g *datasets.GameRow) { g.Moves = "e2 e8" }
			},
			[]string{"Only 1 of 80 pairs are different", "All 80 pairs began from `e2`"},
		},
		"test": {
			func(r *recorded) {
				r.spec.Pairs = 100_000
				if err := r.spec.SPRT.UnmarshalText([]byte("elo0=0,elo1=100,model=normalized")); err != nil {
					panic(err)
				}
			},
			[]string{" · sequential test", "LLR ", "(figures/test.svg)"},
		},
		"book": {
			func(r *recorded) {
				r.spec.Openings, r.spec.OpeningsHash, r.spec.OpeningCount, r.spec.OpeningPlies, r.spec.MaxPlies = "my book.txt", "00ff", 200, 16, 300
			},
			[]string{"| `my book.txt`, 200 openings of at most 16 plies, SHA-256 `00ff` |", "| bound of plies | 300 |"},
		},
		"a game of another program": {
			func(r *recorded) { r.meta.Game, r.meta.GameVersion = "hex", 3 },
			[]string{"\nhex · match · ", "| hex, version 3, variant=seed |"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecorded()
			c.change(r)
			got := r.text(t)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
				if strings.Contains(plain, want) {
					t.Errorf("%q is in every report", want)
				}
			}
		})
	}
}

// TestReportOfContests: tournaments and ladders, of a record cut short too, say
// the same as the command that played them.
func TestReportOfContests(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays tournaments")
	}
	dir := t.TempDir()
	for name, args := range map[string][]string{
		"tournament": {"tournament", "--game", "quoridor", "--player", "final", "--player", "v12.7", "--player", "bad", "--pairs", "8", "--round", "4"},
		"ladder":     {"ladder", "--game", "quoridor", "--player", "final", "--rounds", "4"},
	} {
		run := filepath.Join(dir, name)
		mustCommand(t, append(args, "--out", run)...)
		want, err := os.ReadFile(filepath.Join(run, "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(run, "report.html")); err != nil {
			t.Fatal(err)
		}
		mustCommand(t, "report", run)
		got, err := os.ReadFile(filepath.Join(run, "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: the report written again differs (-want +got):\n%s", name, diff)
		}
		if strings.Contains(string(got), "is not finished") {
			t.Errorf("%s: a finished one is called unfinished", name)
		}
	}
}

// TestReportOfUnfinishedContests takes the record away trial by trial.
func TestReportOfUnfinishedContests(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	mustCommand(t, "tournament", "--game", "quoridor", "--player", "final", "--player", "v12.7", "--player", "bad", "--pairs", "4", "--round", "2", "--out", whole)
	log, err := datasets.Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	var spec tournament.Config
	if err := log.Spec(&spec); err != nil {
		t.Fatal(err)
	}
	for _, keep := range []int64{0, 1, 4} {
		cut := filepath.Join(dir, fmt.Sprint(keep))
		w, err := datasets.Create(cut, log.Meta, &spec)
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range log.Trials(datasets.Filter{To: keep}) {
			if keep == 0 {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			var games []datasets.GameRow
			for g, err := range log.Games(datasets.Filter{From: row.Trial, To: row.Trial + 1}) {
				if err != nil {
					t.Fatal(err)
				}
				games = append(games, g)
			}
			if err := w.Append(row, games, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		mustCommand(t, "report", cut)
		text, err := os.ReadFile(filepath.Join(cut, "report.md"))
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("The tournament is not finished: %d of 24 games are recorded.", 4*keep); !strings.Contains(string(text), want) {
			t.Errorf("%d trials: no %q in\n%s", keep, want, text)
		}
	}
}

func TestReportRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(r *recorded)
		want   string
	}{
		"kind":   {func(r *recorded) { r.meta.Kind = "dance" }, `is a run of "dance", which this program does not know; known: match`},
		"level":  {func(r *recorded) { r.spec.Level = 1 }, "run.toml: [spec]: confidence 1"},
		"values": {func(r *recorded) { r.meta.Parameters, r.pairs = []string{"x"}, nil }, "vector of 3 values for a space of 1 parameters"},
	} {
		r := newRecorded()
		c.change(r)
		if _, _, err := selfplay(t, "report", r.write(t)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	if _, _, err := selfplay(t, "report", t.TempDir()); err == nil {
		t.Error("reported of an empty folder")
	}
	// A report that cannot be written does not take the result along.
	dir := filepath.Join(t.TempDir(), "run")
	mustCommand(t, "match", "--game", "quoridor", "--a", "final", "--b", "bad", "--pairs", "2", "--out", dir)
	if err := os.RemoveAll(filepath.Join(dir, "report.html")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "report.html", "in the way"), 0o777); err != nil {
		t.Fatal(err)
	}
	out, _, err := selfplay(t, "match", "--resume", dir)
	if err == nil || !strings.Contains(err.Error(), "selfplay report "+dir) || !strings.Contains(out, "A's score") || strings.Contains(out, "report.html") {
		t.Errorf("error %v after\n%s", err, out)
	}
}
