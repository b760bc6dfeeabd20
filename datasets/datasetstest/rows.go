package datasetstest

import (
	"testing"

	"selfplaylab/datasets"
)

// Rows returns the trials and games of the run in dir that the filter selects, in the
// order in which they were recorded. A run or row that cannot be read fails the test.
func Rows(t testing.TB, dir string, f datasets.Filter) (trials []datasets.TrialRow, games []datasets.GameRow) {
	t.Helper()
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range log.Trials(f) {
		if err != nil {
			t.Fatal(err)
		}
		trials = append(trials, row)
	}
	for row, err := range log.Games(f) {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, row)
	}
	return trials, games
}
