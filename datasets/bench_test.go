package datasets

import (
	"os"
	"path/filepath"
	"testing"
)

// realGames returns the trials of testdata/v2, each with its 16 games.
func realGames(b *testing.B) (trials []TrialRow, games [][]GameRow, log *Log) {
	log = must[*Log](b)(Read("testdata/v2"))
	for t, err := range log.Trials(Filter{}) {
		if err != nil {
			b.Fatal(err)
		}
		trials = append(trials, t)
		games = append(games, collect(b, log.Games(Filter{From: t.Trial, To: t.Trial + 1})))
	}
	return trials, games, log
}

// BenchmarkAppend writes real games, 16 a trial, part after part. (Bytes a game
// are not stated here: the games repeat.)
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
	log := must[*Log](b)(Read("testdata/v2"))
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
