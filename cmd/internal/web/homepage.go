package web

import (
	"net/http"
	"strconv"
	"strings"

	"selfplaylab/datasets"
)

func (s *site) home(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, "home", page{Title: "Runs", Here: "home", Data: s.jobs.root})
}

// plain is a page that its script fills in.
func (s *site) plain(name, title string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { s.show(w, r, name, page{Title: title, Here: name}) }
}

func (s *site) dataRuns(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64) // none is 0: all
	rows, version, waiting, ids, err := s.library.list(after)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	reply(w, map[string]any{"rows": rows, "version": version, "waiting": waiting, "ids": ids})
}

// actLabel changes the note on a run, or its tags.
func (s *site) actLabel(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	s.actOn(func(dir string) error {
		labels, err := datasets.ReadLabels(dir)
		if err != nil {
			return err
		}
		if r.Form.Has("note") {
			labels.Note = strings.ReplaceAll(r.Form.Get("note"), "\r\n", "\n")
		} else {
			labels.Tags = r.Form["tag"]
		}
		return datasets.SetLabels(dir, labels)
	})(w, r)
}
