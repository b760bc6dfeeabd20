package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/reports/rating"
)

// saved is all that the page of a run shows which nobody plays. It is made from the
// rows once and kept for the next time that the page is opened, by this program or a
// later one, and used only where the record is still the one it was made of.
type saved struct {
	Of      string // the record and the program: see signature
	Status  Status
	Charts  []Chart
	Parts   []savedPart
	Body    template.HTML // of the report
	Figures []string
}

// savedPart is what a part of a run came to.
type savedPart struct {
	Name  string
	Pairs rating.Pairs
}

// mostSaved bounds how many pages are kept.
const maxSaved = 100

// thisProgram tells this program from others, also from one compiled again of changed
// files.
var thisProgram = sync.OnceValue(func() string {
	b := runs.ThisBuild()
	text := b.Program + b.Revision
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil {
			text += fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
	}
	return text
})

// cacheFile is a file in the cache about something at a path, for this program.
func cacheFile(cache, what, path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, fmt.Sprintf("%s-%016x.json", what, play.Stream(full))), nil
}

// signature says what a page was made of: every row, the sessions, and the program.
func (m *model) signature() (string, error) {
	rows, err := m.rec.Log.Fingerprint()
	if err != nil {
		return "", err
	}
	sessions, err := json.Marshal(m.rec.Head.Sessions)
	return fmt.Sprintf("%s %016x", rows, play.Stream(thisProgram()+"\n"+string(sessions))), err
}

// recall takes the page as it was kept, if it is of what is recorded now.
func (m *model) recall() (ok bool) {
	if m.cache == "" || datasets.Busy(m.dir) {
		return false
	}
	path, err := cacheFile(m.cache, "page", m.dir)
	if err != nil {
		return false
	}
	data, err := os.ReadFile(path)
	var s saved
	if err != nil || json.Unmarshal(data, &s) != nil {
		return false
	}
	if now, err := m.signature(); err != nil || now != s.Of {
		return false
	}
	m.saved, m.state, m.tracks = &s, s.Status.State, m.rec.Log.NumTrials
	m.charts = newCharts(m.rec)
	for _, p := range s.Parts {
		m.charts.parts = append(m.charts.parts, &part{name: p.Name, pairs: p.Pairs})
	}
	m.body, m.bodyOf = s.Body, m.reportVersion()
	return true
}

// keep puts the page down for the next time. A run that keeps a record of its own
// beside the rows, or goes on, has none that would last. What cannot be written is
// done without.
func (m *model) keep() {
	_, keeps := m.brief.(runs.Keeper)
	if m.cache == "" || m.saved != nil || keeps || m.state == running || m.tracks != m.rec.Log.NumTrials {
		return
	}
	s := saved{Charts: m.charts.all(), Body: m.body, Figures: m.figures()}
	var err error
	if s.Of, err = m.signature(); err == nil {
		s.Status, err = m.status()
	}
	if err != nil || s.Status.Error != "" {
		return
	}
	s.Status.Mine = false
	for _, p := range m.charts.parts {
		s.Parts = append(s.Parts, savedPart{p.name, p.pairs})
	}
	path, err := cacheFile(m.cache, "page", m.dir)
	data, other := json.Marshal(s)
	if err == nil && other == nil && os.MkdirAll(m.cache, 0o777) == nil && datasets.WriteFile(path, data) == nil {
		forget(m.cache)
	}
}

// forget deletes the pages kept longest ago, beyond those that are bounded.
func forget(cache string) {
	paths, err := filepath.Glob(filepath.Join(cache, "page-*.json"))
	if err != nil || len(paths) <= maxSaved {
		return
	}
	age := map[string]int64{}
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			age[p] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(age[a], age[b]) })
	for _, p := range paths[:len(paths)-maxSaved] {
		_ = os.Remove(p) // it will be tried again
	}
}

// wake reads the rows of a run whose page came from the cache: something is asked
// that the page does not tell, or the run goes on.
func (m *model) wake() error {
	if m.saved == nil {
		return nil
	}
	m.saved, m.rec, m.bodyOf = nil, nil, ""
	if err := m.open(); err != nil {
		return err
	}
	return m.track()
}
