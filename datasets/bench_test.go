package datasets

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// realGames returns the trials of testdata/v3, each with its 16 games.
func realGames(b *testing.B) (trials []TrialRow, games [][]GameRow, log *Log) {
	log = must[*Log](b)(Read("testdata/v3"))
	for t, err := range log.Trials(Filter{}) {
		if err != nil {
			b.Fatal(err)
		}
		trials = append(trials, t)
		games = append(games, collect(b, log.Games(Filter{From: t.Trial, To: t.Trial + 1})))
	}
	return trials, games, log
}

// BenchmarkAppend writes real games, 16 a trial, part after part. It reports no bytes a game,
// because the games repeat.
func BenchmarkAppend(b *testing.B) {
	trials, games, log := realGames(b)
	w := must[*Writer](b)(Create(filepath.Join(b.TempDir(), "run"), log.Meta, nil))
	b.ReportAllocs()
	n := int64(0)
	for b.Loop() {
		k := n % int64(len(trials))
		t := trials[k]
		t.Trial = n
		for i := range games[k] {
			games[k][i].Trial = n
		}
		if err := w.Append(t, games[k], nil); err != nil {
			b.Fatal(err)
		}
		n++
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(16*n)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkCheckpoint writes a part of 1,024 real games again and again.
func BenchmarkCheckpoint(b *testing.B) {
	trials, games, log := realGames(b)
	dir := filepath.Join(b.TempDir(), "run")
	w := must[*Writer](b)(Create(dir, log.Meta, nil))
	for i, t := range trials {
		if err := w.Append(t, games[i], nil); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		w.saved = 0
		if err := w.Checkpoint(); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	for _, table := range []string{"games", "trials"} {
		info := must[os.FileInfo](b)(os.Stat(filepath.Join(dir, table, partName(0))))
		b.ReportMetric(float64(info.Size())/float64(len(w.games)), table+"-bytes/game")
	}
}

// BenchmarkGames iterates over 1,024 real games.
func BenchmarkGames(b *testing.B) {
	log := must[*Log](b)(Read("testdata/v3"))
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		for _, err := range log.Games(Filter{}) {
			if err != nil {
				b.Fatal(err)
			}
			rows++
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "games/s")
}

// scaled writes a run of n games in trials of some pairs each, repeating the games of testdata.
func scaled(b *testing.B, n, pairs int) (dir string) {
	_, real, log := realGames(b)
	dir = filepath.Join(b.TempDir(), "run")
	w := must[*Writer](b)(Create(dir, log.Meta, nil))
	pool := slices.Concat(real...)
	games := make([]GameRow, 0, 2*pairs)
	for i, at := int64(0), 0; int(i)*2*pairs < n; i++ {
		trial := TrialRow{Trial: i, Phase: "match", Pairs: int32(pairs)}
		games = games[:0]
		for k := range 2 * pairs {
			g := pool[at%len(pool)]
			g.Trial, g.Phase, g.Pair, g.Game = i, trial.Phase, int32(k/2), int32(k%2)
			games = append(games, g)
			trial.add(g)
			at++
		}
		trial.countPairs(games)
		if err := w.Append(trial, games, nil); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return dir
}

// BenchmarkScale reports the cost per game of runs of growing length: it should stay constant.
// Run it with -benchtime 1x, one case at a time: peak-MB is the most memory that the process
// has held so far.
func BenchmarkScale(b *testing.B) {
	for _, pairs := range []int{1, 8} {
		for _, n := range []int{10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("pairs=%d/games=%d", pairs, n), func(b *testing.B) {
				if testing.Short() && n > 10_000 {
					b.Skip("takes seconds")
				}
				dir := ""
				step := func(name string, do func() error) {
					b.Run(name, func(b *testing.B) {
						for b.Loop() {
							if err := do(); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/game")
						b.ReportMetric(peakMB(b), "peak-MB")
					})
				}
				step("write", func() error { dir = scaled(b, n, pairs); return nil })
				step("open", func() error { _, err := Read(dir); return err })
				step("list", func() error { _, err := list(dir); return err })
				step("trials", func() error { return drain(must[*Log](b)(Read(dir)).Trials(Filter{})) })
				step("games", func() error { return drain(must[*Log](b)(Read(dir)).Games(Filter{})) })
				step("resume", func() error {
					w, _, err := Resume(dir)
					if err != nil {
						return err
					}
					return w.Close()
				})
			})
		}
	}
}

func drain[T any](rows iter.Seq2[T, error]) error {
	for _, err := range rows {
		if err != nil {
			return err
		}
	}
	return nil
}

// peakMB returns the most memory that the process has held, 0 if the system does not tell.
func peakMB(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kB, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	return float64(must[int](b)(strconv.Atoi(kB))) / 1024
}
