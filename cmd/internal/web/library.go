package web

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/view"
)

// runRow is a run in the list.
type runRow struct {
	ID     string `json:"id"`
	Called string `json:"called"` // by the pages
	runs.Summary
	Interval *[3]float64 `json:"interval"` // Elo of the estimate, and the ends of its interval; nil without one to rely on
	Version  int64       `json:"version"`  // grows with every change of any row
}

// library holds the runs of a folder. It reads the trials recorded since the last look, and never
// games.
type library struct {
	kinds runs.Kinds
	root  string

	mu      sync.Mutex
	entries map[string]*entry
	models  []*model       // open in a page, the one used last at the end
	sorted  []runs.Summary // of all rows, the newest first, as of the version sortedOf
	scanned time.Time
	took    time.Duration // the latest scan that found no new run

	sortedOf int64

	reading bool  // a scan is running
	version int64 // of the latest change
	waiting int   // runs found and not yet read
}

// entry is the library's copy of a run.
type entry struct {
	row   runRow
	view  *view.View // of a running or interrupted run whose rows were read; else nil
	stamp [3]int64   // of the files that change, in nanoseconds
}

// scanEvery is how old the list may be, and scanShare the part of the time that its
// scans may take.
const (
	scanEvery = time.Second
	scanShare = 50
)

// maxModels is how many runs stay open for their pages.
const maxModels = 8

// newLibrary returns the library of a folder. Nothing is read yet.
func newLibrary(root string, kinds runs.Kinds) *library {
	if real, err := filepath.EvalSymlinks(root); err == nil { // as id does with a run's folder
		root = real
	}
	// Versions begin at random, because open pages send the last version that an earlier server gave.
	return &library{kinds: kinds, root: root, entries: map[string]*entry{}, version: rand.Int64N(1 << 50)}
}

// id names a run by its path below the root.
func (l *library) id(dir string) (string, error) {
	root, err := filepath.Abs(l.root)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%s is not in %s", dir, root)
	}
	return filepath.ToSlash(rel), nil
}

// dir returns the folder of a run. Only runs that a walk through the root has found
// have one: nothing in a request reaches the file system, and a walk follows no link.
func (l *library) dir(id string) (string, error) {
	l.mu.Lock()
	_, known := l.entries[id]
	l.mu.Unlock()
	if !known {
		found, err := l.find()
		if err != nil {
			return "", err
		}
		if !slices.Contains(found, id) {
			return "", fmt.Errorf("there is no run %q in this folder", id)
		}
	}
	return filepath.Join(l.root, filepath.FromSlash(id)), nil
}

// find walks through the root and returns the runs' ids.
func (l *library) find() (ids []string, err error) {
	dirs, err := datasets.Find(l.root)
	if errors.Is(err, fs.ErrNotExist) { // nothing was played yet
		return nil, nil
	}
	for _, dir := range dirs {
		rel, err := filepath.Rel(l.root, dir)
		if err != nil {
			return nil, err
		}
		if rel != "." {
			ids = append(ids, filepath.ToSlash(rel))
		}
	}
	return ids, err
}

// maxRows is the largest number of rows that a page may request, and usualRows the default.
const (
	maxRows   = 1000
	usualRows = 100
)

// listing is some rows of the list.
type listing struct {
	Rows    []runRow    `json:"rows"`
	Found   int         `json:"found"`   // rows that fit the question
	All     int         `json:"all"`     // rows
	Waiting int         `json:"waiting"` // runs found and not yet read
	Version int64       `json:"version"`
	Games   [][2]string `json:"games"` // of all runs: names and titles
	Kinds   []string    `json:"kinds"`
}

// list returns n rows from a place on, of the runs that a query chooses: running ones first,
// then in the order of the query.
func (l *library) list(q view.Query, from, n int) (p listing, err error) {
	if err := l.scan(); err != nil {
		return p, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	chosen, err := q.Choose(l.newest(), l.kinds)
	if err != nil {
		return p, err
	}
	playing := func(s runs.Summary) bool { return s.State == runs.Running }
	first := slices.DeleteFunc(slices.Clone(chosen), func(s runs.Summary) bool { return !playing(s) })
	chosen = append(first, slices.DeleteFunc(chosen, playing)...)
	p = listing{Rows: []runRow{}, Found: len(chosen), All: len(l.entries), Waiting: l.waiting, Version: l.version, Games: [][2]string{}, Kinds: []string{}}
	for _, s := range l.sorted {
		if game := [2]string{s.Game, s.Title}; s.Game != "" && !slices.Contains(p.Games, game) {
			p.Games = append(p.Games, game)
		}
		if s.Kind != "" && !slices.Contains(p.Kinds, s.Kind) {
			p.Kinds = append(p.Kinds, s.Kind)
		}
	}
	for _, s := range chosen[min(from, len(chosen)):][:min(n, len(chosen)-min(from, len(chosen)))] {
		p.Rows = append(p.Rows, l.entries[s.Run].row)
	}
	return p, nil
}

// newest are all rows by age, named by their ids.
func (l *library) newest() []runs.Summary {
	if l.sortedOf != l.version || l.sorted == nil {
		l.sorted, l.sortedOf = make([]runs.Summary, 0, len(l.entries)), l.version
		for _, e := range l.entries {
			l.sorted = append(l.sorted, e.row.Summary)
		}
		slices.SortFunc(l.sorted, func(a, b runs.Summary) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Run, b.Run)) })
	}
	return l.sorted
}

// now returns the version of the list, and how many runs are still to be read.
func (l *library) now() (version int64, waiting int, err error) {
	err = l.scan()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.version, l.waiting, err
}

// patience is the longest wait of a page for the reading of runs; after it the page shows the runs
// read so far.
const patience = 150 * time.Millisecond

// scan looks for new and changed runs, at most once in a while. A long scan continues in the
// background after the page stops waiting.
func (l *library) scan() error {
	l.mu.Lock()
	if l.reading || time.Since(l.scanned) < max(scanEvery, scanShare*l.took) {
		l.mu.Unlock()
		return nil
	}
	l.reading = true
	l.mu.Unlock()
	ids, err := l.find()
	if err != nil {
		l.mu.Lock()
		l.reading = false
		l.mu.Unlock()
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.read(ids)
	}()
	select {
	case <-done:
	case <-time.After(patience):
	}
	return nil
}

// read reads changed runs, the newest first: their names begin with the time.
func (l *library) read(ids []string) {
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(b, a) })
	start, there := time.Now(), make(map[string]bool, len(ids))
	l.mu.Lock()
	l.waiting = 0
	for _, id := range ids {
		there[id] = true
		if l.entries[id] == nil {
			l.waiting++
		}
	}
	for id := range l.entries {
		if !there[id] {
			delete(l.entries, id)
			l.version++
		}
	}
	fresh := l.waiting > 0
	l.mu.Unlock()
	runs.InParallel(0, len(ids), func(i int) { l.readOne(ids[i]) }) // in order
	l.mu.Lock()
	l.scanned = time.Now()
	if !fresh { // reading a run for the first time is no measure of looking at it again
		l.took = l.scanned.Sub(start)
	}
	l.reading = false
	l.mu.Unlock()
}

func (l *library) readOne(id string) {
	l.mu.Lock()
	old := l.entries[id]
	l.mu.Unlock()
	fresh := l.look(id, old)
	l.mu.Lock()
	defer l.mu.Unlock()
	if old == nil {
		l.waiting--
	}
	if fresh == old {
		return
	}
	if fresh.row.Version = 0; old != nil {
		fresh.row.Version = old.row.Version
	}
	if old == nil || !reflect.DeepEqual(fresh.row, old.row) {
		l.version++
		fresh.row.Version = l.version
	}
	l.entries[id] = fresh
}

// stampOf returns when a run's files changed last.
func stampOf(dir string) (stamp [3]int64) {
	for i, name := range []string{"trials", "sessions.jsonl", "labels.toml"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			stamp[i] = info.ModTime().UnixNano()
		}
	}
	return stamp
}

// look reads the news of a run. It returns old if nothing is new.
func (l *library) look(id string, old *entry) *entry {
	dir := filepath.Join(l.root, filepath.FromSlash(id))
	stamp := stampOf(dir)
	if old != nil && old.stamp == stamp && old.row.State != runs.Running &&
		(old.row.State != runs.Interrupted || !datasets.Busy(dir)) {
		return old
	}
	e := &entry{stamp: stamp, row: runRow{ID: id}}
	if old != nil {
		e.view = old.view
	}
	if e.view == nil || !e.refresh() {
		e.row.Summary, e.view = view.Look(dir, l.kinds)
	}
	e.row.Run, e.row.Name, e.row.Called = id, cmp.Or(e.row.Name, runName(id)), called(id, e.row.Name) // pages name runs by their ids
	if x := e.row.Estimate; x != nil && !x.Early() {
		e.row.Interval = &[3]float64{x.Elo, x.EloRange.Low, x.EloRange.High}
	}
	if e.row.State == runs.Finished {
		e.view = nil // nothing more will come
	}
	return e
}

// refresh reads the trials recorded since the last call; ok is false unless the record is a longer
// one.
func (e *entry) refresh() (ok bool) {
	if _, err := e.view.Refresh(); err != nil {
		return false
	}
	s, err := e.view.Summary()
	e.row.Summary = s
	return err == nil
}

// model returns the page model of a run, refreshed; live is the run as this process
// plays it, or nil.
func (l *library) model(id string, live func(dir string) *view.Live) (*model, error) {
	dir, err := l.dir(id)
	if err != nil {
		return nil, err
	}
	m := l.open(id, dir)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m, m.refresh(live(dir))
}

// open returns the model of a run. If too many are open, it drops the one unused for longest.
func (l *library) open(id, dir string) *model {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := &model{kinds: l.kinds, id: id, dir: dir}
	if i := slices.IndexFunc(l.models, func(m *model) bool { return m.id == id }); i >= 0 {
		m = l.models[i]
		l.models = slices.Delete(l.models, i, i+1)
	}
	l.models = append(l.models, m)
	if len(l.models) > maxModels {
		l.models = slices.Delete(l.models, 0, 1)
	}
	return m
}
