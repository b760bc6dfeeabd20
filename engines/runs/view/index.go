package view

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
)

// index caches the summaries of the runs in a folder, in a file of the user's cache folder: one
// line per run, with its stamp and summary. Everything in it can be read again, so a damaged cache
// counts as empty. A nil index caches nothing.
type index struct {
	file    string
	begun   time.Time
	program []byte            // first line of the file
	known   map[string][]byte // by stamp

	mu   sync.Mutex
	kept map[string][]byte // of the runs that are there now
	more bool              // kept has more than known
}

// worthKeeping is the number of runs from which on an index saves time that is felt.
const worthKeeping = 200

// settled is how long a run's files must not have changed before its stamp is trusted:
// file systems count time in steps of up to two seconds.
const settled = 3 * time.Second

// openIndex reads the index of a folder of n runs; nil for a few.
func openIndex(folder string, n int) *index {
	cache, err := os.UserCacheDir()
	if err != nil || n < worthKeeping {
		return nil
	}
	whole, err := filepath.Abs(folder)
	if err != nil {
		return nil
	}
	program, err := thisProgram()
	if err != nil {
		return nil
	}
	name := fmt.Sprintf("%x", sha256.Sum256([]byte(whole)))[:32]
	x := &index{
		file:  filepath.Join(cache, "selfplaylab", "lists", name),
		begun: time.Now(), program: program, known: map[string][]byte{}, kept: map[string][]byte{},
	}
	data, err := datasets.ReadFile(x.file)
	first, lines, _ := bytes.Cut(data, []byte("\n"))
	if err != nil || !bytes.Equal(first, program) {
		return x
	}
	for line := range bytes.Lines(lines) {
		stamp, summary, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		x.known[string(stamp)] = summary
	}
	return x
}

// thisProgram identifies this executable, because each describes runs in its own way.
func thisProgram() ([]byte, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	file, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%q %d %d", path, file.Size(), file.ModTime().UnixNano()), nil
}

// look is Look with the cached summary if it is still valid.
func (i *index) look(dir string, kinds runs.Kinds) (s runs.Summary) {
	if i == nil {
		s, _ = Look(dir, kinds)
		return s
	}
	stamp, newest, err := datasets.Stamp(dir)
	// A finished run is not played before its run.toml changes.
	if data, ok := i.known[stamp]; ok && err == nil && json.Unmarshal(data, &s) == nil && (s.Finished || !datasets.Busy(dir)) {
		i.keep(stamp, data)
		s.Run = dir
		return s
	}
	s, _ = Look(dir, kinds)
	if err != nil || s.State == runs.Running || s.State == runs.Broken || i.begun.Sub(newest) < settled {
		return s
	}
	if data, err := json.Marshal(s); err == nil {
		i.keep(stamp, data)
	}
	return s
}

func (i *index) keep(stamp string, data []byte) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.kept[stamp] = data
	i.more = i.more || i.known[stamp] == nil
}

// save writes the cache if it changed. A failure is no error: the next list reads the runs
// again.
func (i *index) save() {
	if i == nil || !i.more && len(i.kept) == len(i.known) {
		return
	}
	data := append(slices.Clone(i.program), '\n')
	for _, stamp := range slices.Sorted(maps.Keys(i.kept)) {
		data = append(append(append(append(data, stamp...), ' '), i.kept[stamp]...), '\n')
	}
	if os.MkdirAll(filepath.Dir(i.file), 0o700) == nil {
		_ = datasets.WriteFile(i.file, data)
	}
}
