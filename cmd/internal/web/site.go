package web

import (
	"net/http"

	"selfplaylab/engines/runs"
)

// maxStreams bounds the open streams of events.
const maxStreams = 100

// site is what all pages share.
type site struct {
	*guard
	kinds    runs.Kinds
	library  *library
	jobs     *jobs
	programs *programs
	searches *searches
	trees    trees
	pace     runs.Pace
	streams  chan struct{} // a place for each open stream of events
}

// show writes a page.
func (s *site) show(w http.ResponseWriter, r *http.Request, name string, p page) {
	p.May = s.may(r)
	data, err := p.render(name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(data) // the reader may be gone
}

// model opens a run, or returns it as it is open, refreshed.
func (s *site) model(id string) (*model, error) { return s.library.model(id, s.jobs.live) }

// opened returns the model of the run that a request names, locked; ok is false if
// there is none and the request was answered.
func (s *site) opened(w http.ResponseWriter, r *http.Request) (m *model, ok bool) {
	m, err := s.model(r.URL.Query().Get("id"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return nil, false
	}
	m.mu.Lock()
	return m, true
}

// ofRun answers with data of a run.
func (s *site) ofRun(data func(*model) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m, ok := s.opened(w, r)
		if !ok {
			return
		}
		defer m.mu.Unlock()
		answer, err := data(m)
		if err != nil {
			fail(w, http.StatusInternalServerError, err)
			return
		}
		reply(w, answer)
	}
}

// actOn does something to a run.
func (s *site) actOn(do func(dir string) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		dir, err := s.library.dir(r.FormValue("id"))
		if err == nil {
			err = do(dir)
		}
		if err != nil {
			fail(w, http.StatusBadRequest, err)
			return
		}
		reply(w, map[string]string{"ok": "done"})
	}
}
