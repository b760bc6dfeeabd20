package web

import (
	"encoding/json"
	"os"
	"path/filepath"

	"selfplaylab/datasets"
)

// cachedList is what a program knew of a folder.
type cachedList struct {
	Program string   `json:"program"`
	Rows    []cached `json:"rows"`
}

// cached is a row of the list with the times of the files that it was made of.
type cached struct {
	Row   Row      `json:"row"`
	Stamp [3]int64 `json:"stamp"`
}

// remember reads what a process before knew of the folder. Rows of files that have
// changed since are read again. What it wrote is of use to the same program only;
// anything else counts as nothing.
func (l *library) remember(cache string) {
	var err error
	if l.cache, err = cacheFile(cache, "list", l.root); err != nil {
		return
	}
	data, err := os.ReadFile(l.cache)
	var was cachedList
	if err != nil || json.Unmarshal(data, &was) != nil || was.Program != thisProgram() {
		return
	}
	for _, c := range was.Rows {
		l.version++
		c.Row.Version = l.version
		l.entries[c.Row.ID] = &entry{row: c.Row, stamp: c.Stamp}
	}
	l.saved = l.version
}

// save writes the list down if it has changed. Runs that are played are left out:
// they will have changed. A cache that cannot be written is done without.
func (l *library) save() {
	l.mu.Lock()
	if l.cache == "" || l.saved == l.version {
		l.mu.Unlock()
		return
	}
	l.saved = l.version
	list := cachedList{Program: thisProgram()}
	for _, e := range l.entries {
		if e.row.State != running {
			list.Rows = append(list.Rows, cached{e.row, e.stamp})
		}
	}
	l.mu.Unlock()
	data, err := json.Marshal(list)
	if err == nil && os.MkdirAll(filepath.Dir(l.cache), 0o777) == nil {
		_ = datasets.WriteFile(l.cache, data) // as said
	}
}
