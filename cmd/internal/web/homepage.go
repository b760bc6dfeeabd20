package web

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
)

func (s *site) home(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, "home", page{Title: "Runs", Here: "home", Data: s.jobs.root})
}

// plain is a page that its script fills in.
func (s *site) plain(name, title string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { s.show(w, r, name, page{Title: title, Here: name}) }
}

func (s *site) dataRuns(r *http.Request) (any, error) {
	q := r.URL.Query()
	from, _ := strconv.Atoi(q.Get("from")) // none is 0
	n, _ := strconv.Atoi(q.Get("n"))
	list, err := s.library.list(runs.Query{
		Name: q.Get("find"), Game: q.Get("game"), Kind: q.Get("kind"), State: q.Get("state"), Sort: q.Get("sort"), Reverse: q.Get("reverse") != "",
	}, max(0, from), min(maxRows, cmp.Or(max(0, n), usualRows)))
	s.library.see(list.Rows)
	return list, err
}

// label changes the note on a run, or its tags.
func label(r *http.Request, dir string) error {
	if err := r.ParseForm(); err != nil {
		return err
	}
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
}
