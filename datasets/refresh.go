package datasets

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// Refresh reads the rows recorded since the log was read or refreshed, by any process, and
// reports whether there are any. The new trials are those from the old NumTrials on.
//
// It checks the last part, if it has changed, and later parts, so its cost does not grow with
// the run. After an error the log is unchanged. Do not call it while an iterator of the log is
// in use.
func (l *Log) Refresh() (grown bool, err error) {
	// The number of parts is read first: a part with a successor is complete.
	n := len(l.spans)
	for trialsTable.exists(l.Dir, n) {
		n++
	}
	if n == len(l.spans) && !l.lastChanged() {
		return false, nil
	}
	fresh := *l
	from := max(0, len(l.spans)-1)
	fresh.spans = slices.Clone(l.spans[:from])
	for _, s := range l.spans[from:] {
		fresh.NumTrials -= s.trials
		fresh.NumGames -= s.games
	}
	if err := fresh.readParts(n); err != nil {
		return false, err
	}
	for k := from; k < len(l.spans); k++ {
		if old := l.spans[k]; !fresh.spans[k].extends(old, true) {
			return false, fmt.Errorf("%s: changed since the run was opened", trialsTable.path(l.Dir, k))
		}
	}
	grown = fresh.NumTrials > l.NumTrials
	*l = fresh
	return grown, nil
}

// lastChanged reports whether the last part of trials was replaced since it was read. Parts are
// only replaced whole, by renaming.
func (l *Log) lastChanged() bool {
	if len(l.spans) == 0 {
		return false
	}
	now, err := os.Stat(trialsTable.path(l.Dir, len(l.spans)-1))
	return err != nil || !os.SameFile(now, l.last) || now.Size() != l.last.Size() || !now.ModTime().Equal(l.last.ModTime())
}

// Verify reads every row of the run. It compares the tables with each other and with the
// checksums of their parts, as a writer does before it writes. Read and Describe only look at
// the footers of the parts. It holds one part in memory. The error names the damaged file and
// the remedy.
func (l *Log) Verify() error {
	for k, s := range l.spans {
		if err := l.verifyPart(k, s); err != nil {
			return err
		}
	}
	return nil
}

// verifyPart reads all rows of part k and compares its tables.
func (l *Log) verifyPart(k int, s span) error {
	f := Filter{From: s.first, To: s.end()}
	trials, err := rowsIn(l.Trials(f))
	games, gamesErr := rowsIn(l.Games(f))
	var moves []MoveRow
	var movesErr error
	if l.Meta.RecordMoves != NoMoves {
		moves, movesErr = rowsIn(l.Moves(f))
	}
	if err := errors.Join(err, gamesErr, movesErr); err != nil {
		return err
	}
	if err := checkRows(l.Dir, l.Meta, k, trials, games, moves); err != nil {
		return l.Meta.remedy(err, k, s.first)
	}
	return nil
}
