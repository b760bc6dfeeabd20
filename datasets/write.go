package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// lockName is the file on which the writing process holds an exclusive lock. It stays after the
// lock is released: removing it would let two processes lock two files of the same name.
const lockName = "run.lock"

// pendingName is the file that SetPending writes.
const pendingName = "pending.jsonl"

// Writer adds trials to a run. One goroutine at a time may use it; to stop on a signal, cancel
// that goroutine and let it close the writer. While it is open, its process holds the lock of
// the run.
type Writer struct {
	dir  string
	meta Meta
	disk disk
	lock *flock.Flock

	encoders struct {
		trials *encoder[TrialRow]
		games  *encoder[GameRow]
		moves  *encoder[MoveRow]
	}

	part   int // number of the part being filled
	trials []TrialRow
	games  []GameRow
	moves  []MoveRow
	nodes  int64
	first  int64 // first trial of the part
	saved  int   // number of the part's trials that are on disk
	failed error // error of the first failed write
}

// Create creates a run in dir and locks it. spec, a struct or map that TOML can express,
// becomes the [spec] table. dir may exist if it is empty. Create fails before any work if dir
// has content, cannot be written, or its disk is nearly full; the error names dir and the
// remedy. The caller must close the writer.
func Create(dir string, meta Meta, spec any) (*Writer, error) {
	return create(dir, meta, spec, osDisk)
}

func create(dir string, meta Meta, spec any, d disk) (*Writer, error) {
	meta.Schema = Schema
	return createVersion(dir, meta, spec, d)
}

// createVersion creates a run of the format version in meta.
func createVersion(dir string, meta Meta, spec any, d disk) (*Writer, error) {
	if err := meta.check(); err != nil {
		return nil, err
	}
	data, err := encodeRun(meta, spec)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the folder %s: %w; choose another with --out", dir, err)
	}
	if err := CheckFree(dir); err != nil {
		return nil, err
	}
	if err := d.check(dir); err != nil {
		_ = os.Remove(dir) // removes only an empty folder, which would be in the way
		return nil, err
	}
	lock, err := takeLock(dir)
	if err != nil {
		return nil, err
	}
	if err := layOut(dir, data, meta, d); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return newWriter(dir, meta, d, lock), nil
}

// newWriter returns a writer for the run in dir, whose lock is held.
func newWriter(dir string, meta Meta, d disk, lock *flock.Flock) *Writer {
	w := &Writer{dir: dir, meta: meta, disk: d, lock: lock}
	w.encoders.trials = &encoder[TrialRow]{table: trialsTable}
	w.encoders.games = &encoder[GameRow]{table: gamesTable}
	w.encoders.moves = &encoder[MoveRow]{table: movesTable}
	return w
}

// CheckFree returns the error with which Create would reject a folder with content. What
// remains of a Create that was killed before it wrote run.toml is not content.
func CheckFree(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot make the folder %s: %w; choose another with --out", dir, err)
	}
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == runName }) {
		return fmt.Errorf("%s already holds a run; choose another folder with --out, or continue that run with --resume %s", dir, dir)
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == lockName || isTemp(name):
		case isTable(name):
			if err := CheckFree(filepath.Join(dir, name)); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%s is not empty (%s is in it) and nothing is overwritten; choose another folder with --out", dir, name)
		}
	}
	return nil
}

// layOut fills a locked folder. It writes run.toml last, because the file makes the run
// complete.
func layOut(dir string, data []byte, meta Meta, d disk) error {
	// Check again: now no other process can fill the folder.
	if err := CheckFree(dir); err != nil {
		return err
	}
	if err := removeTemps(dir); err != nil {
		return err
	}
	for _, table := range meta.tables() {
		if err := os.Mkdir(filepath.Join(dir, table), 0o777); err != nil && !errors.Is(err, os.ErrExist) {
			return fmt.Errorf("run: %w", err)
		}
	}
	if err := d.save(filepath.Join(dir, runName), data); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	if err := d.syncDir(filepath.Dir(filepath.Clean(dir))); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	return nil
}

// Busy reports whether a process is writing the run in dir. It takes the lock for a moment as a
// reader, so it suits programs that show runs. A program that wants to write must call Resume
// instead.
func Busy(dir string) bool {
	lock := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDONLY|openSafely))
	got, err := lock.TryRLock()
	return errors.Join(err, lock.Close()) == nil && !got
}

// takeLock locks the run in dir for writing, or returns an error that wraps errLocked if
// another process holds the lock.
func takeLock(dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o666), flock.SetFlag(os.O_CREATE|os.O_RDONLY|openSafely))
	got, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot lock %s: %w; the folder must be writable", dir, err)
	case !got:
		return nil, fmt.Errorf("run %s: %w; wait for it to end or stop it", dir, errLocked)
	}
	return lock, nil
}

// Resume locks the run in dir and removes what a kill left half done. It returns a writer that
// continues after the last recorded trial, and the log of the record. The log does not follow
// the writer. The error wraps errLocked if another process writes the run. The caller must
// close the writer.
func Resume(dir string) (*Writer, *Log, error) {
	return resume(dir, osDisk)
}

// resume does the work of Resume on a disk.
func resume(dir string, d disk) (*Writer, *Log, error) {
	w, err := lockRun(dir, d)
	if err != nil {
		return nil, nil, err
	}
	log, err := w.recover()
	if err == nil {
		err = dropLogs(dir, log.NumTrials)
	}
	if err != nil {
		return nil, nil, errors.Join(err, w.lock.Close())
	}
	return w, log, nil
}

// holds returns an error if another folder has replaced the locked one; writing would corrupt
// its run.
func (w *Writer) holds() error {
	if !w.lock.Locked() {
		return errors.New("its writer is closed")
	}
	locked, err := w.lock.Stat()
	there, gone := os.Stat(w.lock.Path())
	if err == nil && (gone != nil || !os.SameFile(locked, there)) {
		err = errors.New("its folder was moved, removed or replaced while this process wrote it")
		if dir := w.Dir(); dir != w.dir {
			err = fmt.Errorf("%w; the run is in %s now", err, dir)
		}
	}
	return err
}

// Dir returns the folder of the run, or its new name if it was renamed next to others. The writer
// must not be closed.
func (w *Writer) Dir() string {
	locked, err := w.lock.Stat()
	if err != nil {
		return w.dir
	}
	holdsLock := func(dir string) bool {
		info, err := os.Stat(filepath.Join(dir, lockName))
		return err == nil && os.SameFile(info, locked)
	}
	parent := filepath.Dir(filepath.Clean(w.dir))
	entries, err := os.ReadDir(parent)
	if err != nil || holdsLock(w.dir) {
		return w.dir
	}
	for _, e := range entries {
		if dir := filepath.Join(parent, e.Name()); holdsLock(dir) {
			return dir
		}
	}
	return w.dir
}

// Extend replaces the run's command and spec by ones that continue all recorded trials, and
// writes run.toml anew. The caller promises that the recorded trials are the first ones of the
// new spec. Call Extend before any Append.
func (w *Writer) Extend(command string, spec any) error {
	if err := w.holds(); err != nil {
		return fmt.Errorf("run %s: %w", w.dir, err)
	}
	meta := w.meta
	meta.Extended = append(slices.Clone(meta.Extended), Extended{Command: meta.Command, Trials: w.first + int64(len(w.trials))})
	meta.Command = command
	data, err := encodeRun(meta, spec)
	if err == nil {
		err = w.disk.save(filepath.Join(w.dir, runName), data)
	}
	if err != nil {
		return fmt.Errorf("run %s: extend: %w", w.dir, err)
	}
	w.meta = meta
	return nil
}

// lockRun returns a locked writer, before its recovery.
func lockRun(dir string, d disk) (*Writer, error) {
	meta, _, err := readRun(dir)
	if err != nil { // checked first, so that a folder without a run gets no lock file
		return nil, err
	}
	lock, err := takeLock(dir)
	if err != nil {
		return nil, err
	}
	return newWriter(dir, meta, d, lock), nil
}

// recover brings the locked folder and the writer to the state after the last
// recorded trial.
func (w *Writer) recover() (*Log, error) {
	log, err := Read(w.dir)
	if err != nil {
		return nil, err
	}
	for _, table := range append(w.meta.tables(), ".") {
		dir := filepath.Join(w.dir, table)
		if err := errors.Join(removeTemps(dir), w.disk.check(dir)); err != nil {
			return nil, err
		}
	}
	if err := dropUnrecorded(w, gamesTable, log); err != nil {
		return nil, err
	}
	if w.meta.RecordMoves != NoMoves {
		if err := dropUnrecorded(w, movesTable, log); err != nil {
			return nil, err
		}
	}
	return log, w.refill(log)
}

// dropUnrecorded removes a part of games or moves whose trials part was never
// written.
func dropUnrecorded[T any](w *Writer, t table[T], log *Log) error {
	n, err := t.parts(w.dir)
	if err != nil {
		return err
	}
	k := len(log.spans)
	if n > k+1 {
		return w.meta.remedy(fmt.Errorf("%s has no %s: no interruption leaves that", t.path(w.dir, k), trialsTable.path(w.dir, k)), k,
			log.NumTrials)
	}
	if n <= k {
		return nil
	}
	if _, err := spanOf(t, w.dir, k, log.Meta); err != nil { // removes only parts of this run
		return w.meta.remedy(err, k, log.NumTrials)
	}
	path := t.path(w.dir, k)
	if err := errors.Join(os.Remove(path), w.disk.syncDir(filepath.Dir(path))); err != nil {
		return fmt.Errorf("remove the %s of trials never recorded: %w", t.name, err)
	}
	return nil
}

// refill reads the last part into memory if it is not full. It truncates a part of games or
// moves that is ahead of its trials.
func (w *Writer) refill(log *Log) error {
	if len(log.spans) == 0 {
		return nil
	}
	w.part = len(log.spans) - 1
	s := log.spans[w.part]
	var err error
	if w.trials, err = rowsIn(log.Trials(Filter{From: s.first})); err != nil {
		return err
	}
	for i := range w.trials {
		w.nodes += w.trials[i].Nodes
	}
	w.first, w.saved = s.first, len(w.trials)
	if w.games, err = rowsIn(log.Games(Filter{From: s.first})); err != nil {
		return err
	}
	if w.meta.RecordMoves != NoMoves {
		if w.moves, err = rowsIn(log.Moves(Filter{From: s.first})); err != nil {
			return err
		}
	}
	if err := checkRows(w.dir, w.meta, w.part, w.trials, w.games, w.moves); err != nil {
		return w.meta.remedy(err, w.part, s.first)
	}
	if err := truncate(w, w.encoders.games, w.games, s); err != nil {
		return err
	}
	if w.meta.RecordMoves != NoMoves {
		if err := truncate(w, w.encoders.moves, w.moves, s); err != nil {
			return err
		}
	}
	if w.full() {
		w.next()
	}
	return nil
}

// rowsIn collects rows in a slice.
func rowsIn[T any](rows iter.Seq2[T, error]) ([]T, error) {
	var list []T
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, nil
}

// truncate writes the last part of a table again if it is ahead of its trials, which have span
// s.
func truncate[T any](w *Writer, e *encoder[T], rows []T, s span) error {
	onDisk, err := spanOf(e.table, w.dir, w.part, w.meta)
	if err != nil || onDisk == s {
		return err
	}
	return save(w, e, rows, s)
}

// checkRows compares the trials of part k with their games and moves, as Append does.
func checkRows(dir string, meta Meta, k int, trials []TrialRow, games []GameRow, moves []MoveRow) error {
	for i, t := range trials {
		n, m := 0, 0
		for n < len(games) && games[n].Trial == t.Trial {
			n++
		}
		for m < len(moves) && moves[m].Trial == t.Trial {
			m++
		}
		if err := t.check(meta, trials[0].Trial+int64(i), games[:n], moves[:m]); err != nil {
			var paths []string
			for _, table := range meta.tables() {
				paths = append(paths, filepath.Join(dir, table, partName(k)))
			}
			return fmt.Errorf("%s disagree: trial %d: %w", strings.Join(paths, " and "), t.Trial, err)
		}
		games, moves = games[n:], moves[m:]
	}
	return nil
}

// Append adds the next trial, all its games and, in a run with a moves table, all its
// decisions; otherwise moves is empty. Rows that contradict each other are an error, and
// nothing is added. Rows are on disk when their part is full, or after Checkpoint or Close.
//
// All rows of a part are in memory, and a trial never spans parts: keep trials below some
// thousand games. The caller may reuse the slices.
//
// A failed write returns an error that says what is saved. Afterwards the Writer only repeats
// this error; Resume continues the run.
func (w *Writer) Append(trial TrialRow, games []GameRow, moves []MoveRow) error {
	if w.failed != nil {
		return w.failed
	}
	if err := trial.check(w.meta, w.first+int64(len(w.trials)), games, moves); err != nil {
		return fmt.Errorf("run %s: trial %d: %w", w.dir, trial.Trial, err)
	}
	trial.A, trial.B, trial.Best = slices.Clone(trial.A), slices.Clone(trial.B), slices.Clone(trial.Best)
	w.trials = append(w.trials, trial)
	for _, g := range games {
		if g.Margin != nil {
			g.Margin = new(*g.Margin)
		}
		w.games = append(w.games, g)
	}
	w.moves = append(w.moves, moves...)
	w.nodes += trial.Nodes
	if !w.full() {
		return nil
	}
	if err := w.Checkpoint(); err != nil {
		return err
	}
	w.next()
	return nil
}

// Drop removes trial from and all later trials from the run, because they are wrong, and
// discards the writer's buffer. Parts are removed whole, so some earlier trials may have to be
// played again. Close the writer afterwards; Resume continues the run.
func (w *Writer) Drop(from int64) error {
	if err := w.holds(); err != nil {
		return fmt.Errorf("run %s: %w", w.dir, err)
	}
	w.failed = fmt.Errorf("run %s: trials from %d on were dropped; resume it", w.dir, from)
	w.first, w.saved = 0, 0
	log, err := Read(w.dir)
	if err != nil {
		return err
	}
	err = removeIfThere(filepath.Join(w.dir, pendingName))
	for k := len(log.spans) - 1; k >= 0 && log.spans[k].end() > from && err == nil; k-- {
		for _, path := range log.paths(k) { // trials first, so that no trial lacks its games
			err = errors.Join(err, removeIfThere(path))
		}
	}
	return err
}

// Trials returns the number of trials of the run, including earlier sessions and trials that
// are not yet on disk.
func (w *Writer) Trials() int64 { return w.first + int64(len(w.trials)) }

// Checkpoint writes all appended rows to disk. A fuller part replaces the unfinished one later,
// so the bytes of the finished run do not depend on checkpoints. It takes 5 to 100 ms, twice
// that with moves: call it every few seconds of play.
func (w *Writer) Checkpoint() error {
	if w.failed != nil || w.saved == len(w.trials) {
		return w.failed
	}
	s := span{first: w.first, trials: int64(len(w.trials)), games: int64(len(w.games))}
	// A trial is recorded when its row is there, so its games and moves must be there first.
	err := w.holds()
	if err == nil && w.meta.RecordMoves != NoMoves {
		err = save(w, w.encoders.moves, w.moves, s)
	}
	if err == nil {
		err = save(w, w.encoders.games, w.games, s)
	}
	if err == nil {
		err = save(w, w.encoders.trials, w.trials, s)
	}
	if err != nil {
		w.failed = w.explain(err)
		return w.failed
	}
	w.saved = len(w.trials)
	return nil
}

// Close writes the remaining rows and releases the lock. After a failed write it only releases
// the lock. A second Close does nothing.
func (w *Writer) Close() error {
	var err error
	if w.failed == nil {
		err = w.Checkpoint()
	}
	w.failed = fmt.Errorf("run %s: its writer is closed", w.dir)
	if e := w.lock.Close(); e != nil {
		err = errors.Join(err, fmt.Errorf("run %s: unlock: %w", w.dir, e))
	}
	return err
}

func (w *Writer) full() bool { return len(w.games) >= partGames || w.nodes >= partNodes }

// next starts the next part.
func (w *Writer) next() {
	w.part++
	w.first += int64(len(w.trials))
	clear(w.trials) // release vectors and texts, keep the memory of the slice
	clear(w.games)
	clear(w.moves)
	w.trials, w.games, w.moves, w.nodes, w.saved = w.trials[:0], w.games[:0], w.moves[:0], 0, 0
}

// save writes the current part of a table.
func save[T any](w *Writer, e *encoder[T], rows []T, s span) error {
	path := e.table.path(w.dir, w.part)
	data, err := e.encode(rows, w.meta, s)
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return w.disk.save(path, data)
}

// explain adds the consequences and the remedy to the error of a failed write.
func (w *Writer) explain(err error) error {
	saved := w.first + int64(w.saved)
	cure := "when the cause is removed"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) { // the disk is full
		cure = "when there is space on the disk again"
	}
	return fmt.Errorf("run %s: %w; %d trials are saved, %d are lost; resume the run %s and they are played again", w.dir, err, saved,
		len(w.trials)-w.saved, cure)
}
