package web

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/schedule"
)

// States of a run.
const (
	running     = "running"
	finished    = "finished"
	interrupted = "interrupted"
	broken      = "broken" // cannot be read
)

// Row is a run in the list.
type Row struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Tags    []string  `json:"tags"`
	Kind    string    `json:"kind"`
	Game    string    `json:"game"`
	What    string    `json:"what"`
	State   string    `json:"state"`
	Result  string    `json:"result"`
	Games   int64     `json:"games"`
	Rate    float64   `json:"rate"` // games a second of its last session; 0 if not known
	Created time.Time `json:"created"`
	Fault   string    `json:"fault,omitempty"`
	Version int64     `json:"version"` // grows with every change of any row
}

// library knows the runs of a folder. It reads of each only what was recorded since
// it looked last, and of games nothing at all.
type library struct {
	root  string
	cache string // file that remembers the list; "" for none

	mu      sync.Mutex
	entries map[string]*entry
	models  []*model // open in a page, the one used last at the end
	scanned time.Time
	reading bool  // a scan is under way
	version int64 // of the latest change
	saved   int64 // the version that the cache has
	waiting int   // runs found and not yet read
}

// entry is what is kept of a run.
type entry struct {
	row   Row
	log   *datasets.Log
	told  runs.Result // of trials alone; nil once nothing can change
	stamp [3]int64    // of the files that change, in nanoseconds
	games int64
	seen  time.Time
}

// scanEvery is how old the list may be.
const scanEvery = time.Second

// mostModels is how many runs are kept open for their pages.
const maxModels = 8

// newLibrary returns the library of a folder, as far as the folder cache remembers
// it.
func newLibrary(root, cache string) *library {
	if real, err := filepath.EvalSymlinks(root); err == nil { // a walk follows no link, not even this one
		root = real
	}
	// Versions go on from those of a server before: pages that outlive it ask for what
	// is newer.
	l := &library{root: root, entries: map[string]*entry{}, version: time.Now().UnixMilli()}
	if cache != "" {
		l.remember(cache)
	}
	return l
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

// dir returns the folder of a run. Only runs that a walk through the folder has
// found have one: nothing that a request says reaches the file system, and a walk
// follows no link.
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

// find walks through the folder and returns the runs' ids.
func (l *library) find() (ids []string, err error) {
	err = filepath.WalkDir(l.root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && path == l.root:
			return err
		case err != nil || !entry.IsDir():
			return nil
		}
		if info, err := os.Lstat(filepath.Join(path, "run.toml")); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(l.root, path)
		if err != nil {
			return err
		}
		ids = append(ids, filepath.ToSlash(rel))
		return filepath.SkipDir
	})
	if errors.Is(err, fs.ErrNotExist) { // nothing was played yet
		return nil, nil
	}
	return ids, err
}

// list returns the rows that changed after a version, newest runs first, the
// version now, how many runs are still to be read, and the ids of all there are.
func (l *library) list(after int64) (rows []Row, version int64, waiting int, ids []string, err error) {
	if err := l.scan(); err != nil {
		return nil, 0, 0, nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	rows = []Row{}
	for id, e := range l.entries {
		ids = append(ids, id)
		if e.row.Version > after {
			rows = append(rows, e.row)
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID)) })
	slices.Sort(ids)
	return rows, l.version, l.waiting, ids, nil
}

// patience is how long a page waits for runs to be read before it shows those that
// are.
const patience = 150 * time.Millisecond

// scan looks for new runs and changed ones, unless it did a moment ago. What takes
// longer than a page waits goes on by itself.
func (l *library) scan() error {
	l.mu.Lock()
	if l.reading || time.Since(l.scanned) < scanEvery {
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

// read takes in what has changed, the newest runs first: their names begin with the
// time.
func (l *library) read(ids []string) {
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(b, a) })
	l.mu.Lock()
	l.waiting = 0
	for _, id := range ids {
		if l.entries[id] == nil {
			l.waiting++
		}
	}
	for id := range l.entries {
		if !slices.Contains(ids, id) {
			delete(l.entries, id)
			l.version++
		}
	}
	l.mu.Unlock()
	l.readEach(ids)
	l.mu.Lock()
	l.reading, l.scanned = false, time.Now()
	l.mu.Unlock()
	l.save()
}

// readEach looks at all runs, in order, so many at a time as there are processors.
func (l *library) readEach(ids []string) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(ids)) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(ids) {
					return
				}
				l.readOne(ids[i])
			}
		})
	}
	group.Wait()
}

func (l *library) readOne(id string) {
	l.mu.Lock()
	old := l.entries[id]
	l.mu.Unlock()
	fresh := look(l.root, id, old)
	l.mu.Lock()
	defer l.mu.Unlock()
	if old == nil {
		l.waiting--
	}
	if fresh == old {
		return
	}
	if old == nil || !sameRow(fresh.row, old.row) {
		l.version++
		fresh.row.Version = l.version
	}
	l.entries[id] = fresh
}

func sameRow(a, b Row) bool {
	return a.State == b.State && a.Games == b.Games && a.Result == b.Result && a.Name == b.Name && slices.Equal(a.Tags, b.Tags) && a.Rate == b.Rate
}

// stampOf says when a run's files changed last.
func stampOf(dir string) (stamp [3]int64) {
	for i, name := range []string{"trials", "sessions.jsonl", "labels.toml"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			stamp[i] = info.ModTime().UnixNano()
		}
	}
	return stamp
}

// look reads what is new of a run. It returns old where nothing is.
func look(root, id string, old *entry) *entry {
	dir := filepath.Join(root, filepath.FromSlash(id))
	stamp := stampOf(dir)
	if old != nil && old.stamp == stamp && old.row.State != running && (old.row.State != interrupted || !datasets.Busy(dir)) {
		return old
	}
	e := &entry{stamp: stamp, row: Row{ID: id, Name: runName(id), Tags: []string{}}, seen: time.Now()}
	if old != nil {
		before := *old
		e = &before
		e.stamp = stamp
	}
	if err := e.refresh(dir); err != nil {
		e.row.State, e.row.Fault = broken, err.Error()
		e.log, e.told = nil, nil
	}
	return e
}

// refresh reads what was recorded since.
func (e *entry) refresh(dir string) error {
	labels, err := datasets.ReadLabels(dir)
	if err != nil {
		return err
	}
	e.row.Name, e.row.Tags = cmp.Or(labels.Name, runName(e.row.ID)), append([]string{}, labels.Tags...)
	if e.told == nil && e.recall(dir) {
		return nil
	}
	from := int64(0)
	if e.told == nil || e.log == nil {
		rec, err := kinds.Open(dir)
		if err != nil {
			return err
		}
		e.log = rec.Log
		m := rec.Log.Meta
		e.row.Kind, e.row.Game, e.row.Created = m.Kind, rec.Head.Title(), m.Created.UTC()
		if e.told, err = rec.Spec.NewResult(rec.Head); err != nil {
			return err
		}
	} else {
		from = e.log.NumTrials
		if _, err := e.log.Refresh(); err != nil {
			return err
		}
	}
	for row, err := range e.log.Trials(datasets.Filter{From: from}) {
		if err == nil {
			err = e.told.Add(schedule.Finished{Trial: row, Replayed: true})
		}
		if err != nil {
			return err
		}
	}
	if k, ok := e.told.(runs.Keeper); ok && from == 0 {
		if err := k.ReadDir(dir); err != nil {
			return err
		}
	}
	return e.judge(dir)
}

// thisBuild names the program by its source.
var thisBuild = sync.OnceValue(func() string { return runs.ThisBuild().Name() })

// recall takes what the run had come to from the session that ended last, where the
// record is still the one it left and the words are this program's own. Of runs of
// another program, or killed ones, the trials are read.
func (e *entry) recall(dir string) (ok bool) {
	sessions, err := datasets.Sessions(dir)
	if err != nil || len(sessions) == 0 {
		return false
	}
	last := sessions[len(sessions)-1]
	if last.Summary == nil || last.Summary.By != thisBuild() || datasets.Busy(dir) {
		return false
	}
	if now, err := datasets.Fingerprint(dir); err != nil || now != last.Summary.Of {
		return false
	}
	c := last.Summary
	e.row.Kind, e.row.Game, e.row.Created, e.row.What, e.row.Result, e.row.Games = c.Kind, c.Game, c.Created.UTC(), c.What, c.Result, c.Games
	e.row.State, e.row.Rate, e.row.Fault = stateOf(dir, c.Finished), rateOf(last), ""
	e.games, e.seen, e.log = c.Games, time.Now(), nil
	return true
}

// rateOf is a session's games a second; 0 if not known.
func rateOf(s datasets.Session) float64 {
	if s.Seconds <= 0 {
		return 0
	}
	return float64(s.Games) / s.Seconds
}

// judge fills in what came of the run.
func (e *entry) judge(dir string) error {
	s, err := e.told.Summary()
	if err != nil {
		return err
	}
	sessions, err := e.log.Sessions()
	if err != nil {
		return err
	}
	now := time.Now()
	e.row.What, e.row.Result, e.row.Games = s.What, s.Result, e.log.NumGames
	e.row.State = stateOf(dir, s.Finished)
	switch n := len(sessions); {
	case e.row.State == running && e.games > 0 && e.log.NumGames > e.games:
		e.row.Rate = float64(e.log.NumGames-e.games) / now.Sub(e.seen).Seconds()
	case e.row.State != running && n > 0:
		e.row.Rate = rateOf(sessions[n-1])
	}
	if e.log.NumGames != e.games {
		e.games, e.seen = e.log.NumGames, now
	}
	if e.row.State == finished { // what is kept to go on from is no longer needed
		e.told = nil
	}
	return nil
}

// stateOf says whether a run is being played.
func stateOf(dir string, done bool) string {
	switch {
	case datasets.Busy(dir):
		return running
	case done:
		return finished
	}
	return interrupted
}
