package view

import (
	"cmp"
	"slices"
	"sync"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
)

// Bounds of the history of a Live.
const (
	maxLiveRows   = 200_000 // trials and games that no view has taken in; beyond that views read the record
	maxLiveFaults = 8       // the latest
	maxWindows    = 8       // games in play that can be seen
)

// Live is a run of this process, for its viewers. A nil Live is a run of another process. All
// methods may be called at any time, from any goroutine.
type Live struct {
	Dir     string
	Workers int    // games at a time
	Stop    func() // ends the run so that it can be resumed
	// Windows show games in play, of the first workers.
	Windows [maxWindows]play.Window

	mu       sync.Mutex
	finished []schedule.Finished // not yet forgotten
	rows     int                 // trials in it and their games
	progress runs.Progress
	started  bool // progress is known
	ended    bool
	err      error
	faults   []lostGame
	latest   schedule.Finished // with its last game alone
}

// Pages shows a growing run in a browser.
type Pages struct {
	Address string
	Wait    func() error // until the pages end
}

// lostGame is a game that a player lost by a fault.
type lostGame struct {
	Row    datasets.GameRow
	Detail string
}

// Options returns options under which the run reports to l.
func (l *Live) Options() runs.Options {
	return runs.Options{Workers: l.Workers, Progress: l.setProgress, Observe: l.add, Fault: l.addFault, Windows: l.Windows[:]}
}

func (l *Live) add(f schedule.Finished) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f.Replayed {
		return
	}
	if n := len(f.Games); n > 0 {
		l.latest = schedule.Finished{Trial: f.Trial, Games: f.Games[n-1:]}
	}
	l.finished = append(l.finished, f)
	if l.rows += 1 + len(f.Games); l.rows > maxLiveRows {
		l.finished, l.rows = nil, 0
	}
}

func (l *Live) setProgress(p runs.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.progress, l.started = p, true
}

func (l *Live) addFault(g datasets.GameRow, detail string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, lostGame{g, detail})
	if len(l.faults) > maxLiveFaults {
		l.faults = l.faults[1:]
	}
}

// End ends the run; err is nil if it is finished or was stopped.
func (l *Live) End(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended, l.err = true, err
}

// locked calls do, but not of a run that this process does not play.
func (l *Live) locked(do func()) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

// Ended reports whether End was called.
func (l *Live) Ended() bool {
	ended := true
	l.locked(func() { ended = l.ended })
	return ended
}

// Err returns the error of End.
func (l *Live) Err() (err error) {
	l.locked(func() { err = l.err })
	return err
}

// Progress returns where the run is; ok is false before its first report and after its end.
func (l *Live) Progress() (p runs.Progress, ok bool) {
	l.locked(func() { p, ok = l.progress, l.started && !l.ended })
	return p, ok
}

// Faults returns the latest games lost by a fault, in their order.
func (l *Live) Faults() (list []lostGame) {
	l.locked(func() { list = slices.Clone(l.faults) })
	return list
}

// Latest returns the latest trial with its last game alone; ok is false before the first.
func (l *Live) Latest() (f schedule.Finished, ok bool) {
	l.locked(func() { f, ok = l.latest, len(l.latest.Games) > 0 })
	return f, ok
}

// after returns the trials from number n on, without a gap.
func (l *Live) after(n int64) (list []schedule.Finished) {
	l.locked(func() {
		for _, f := range l.finished {
			if f.Trial.Trial == n+int64(len(list)) {
				list = append(list, f)
			}
		}
	})
	return list
}

// forget drops the trials before number n.
func (l *Live) forget(n int64) {
	l.locked(func() {
		i, _ := slices.BinarySearchFunc(l.finished, n, func(f schedule.Finished, n int64) int { return cmp.Compare(f.Trial.Trial, n) })
		for _, f := range l.finished[:i] {
			l.rows -= 1 + len(f.Games)
		}
		l.finished = slices.Delete(l.finished, 0, i)
	})
}
