package web

import (
	"cmp"
	"net/http"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/record"
)

// maxStreams bounds the open streams of events.
const maxStreams = 100

// site holds the parts that all pages share.
type site struct {
	*guard
	kinds    runs.Kinds
	library  *library
	jobs     *jobs
	programs *programs
	searches *searches
	trees    trees
	pace     record.Pace
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

// refuse writes the page of an error.
func (s *site) refuse(w http.ResponseWriter, r *http.Request, p page, err error) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(codeOf(err))
	p.Data = err.Error()
	s.show(w, r, "error", p)
}

// model opens a run, or refreshes it if it is open.
func (s *site) model(id string) (*model, error) {
	m, err := s.library.model(id, s.jobs.live)
	if err != nil {
		return nil, coded{http.StatusNotFound, err}
	}
	return m, nil
}

// names holds the name of a run, by default its folder, and its title on pages.
func (s *site) names(id string) (name, call string, err error) {
	dir, err := s.library.dir(id)
	if err != nil {
		return "", "", coded{http.StatusNotFound, err}
	}
	labels, err := datasets.ReadLabels(dir)
	return cmp.Or(labels.Name, runName(id)), called(id, labels.Name), err
}

// opened returns the model of the run that a request names, locked.
func (s *site) opened(r *http.Request) (*model, error) {
	m, err := s.model(r.URL.Query().Get("id"))
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	return m, nil
}

// ofRun answers with data of a run.
func (s *site) ofRun(find func(*model) (any, error)) http.HandlerFunc {
	return script(func(r *http.Request) (any, error) {
		m, err := s.opened(r)
		if err != nil {
			return nil, err
		}
		defer m.mu.Unlock()
		answer, err := find(m)
		return answer, unreadable(err)
	})
}

// actOn does something to a run.
func (s *site) actOn(do func(r *http.Request, dir string) error) http.HandlerFunc {
	return script(func(r *http.Request) (any, error) {
		dir, err := s.library.dir(r.FormValue("id"))
		if err == nil {
			err = do(r, dir)
		}
		return map[string]string{"ok": "done"}, err
	})
}
