package web

import (
	"bufio"
	"cmp"
	"errors"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/figure"
)

func (s *site) run(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	m, err := s.opened(r)
	if err != nil {
		s.refuse(w, r, page{Title: "This run cannot be shown", Here: "home"}, err)
		return
	}
	defer m.mu.Unlock()
	st, err := m.status()
	summary, failed := m.view.Summary()
	if err = errors.Join(err, failed); err != nil {
		s.refuse(w, r, page{Title: "This run cannot be shown", Here: "home"}, unreadable(err))
		return
	}
	s.show(w, r, "run", page{Title: st.Title, Here: "home", ID: id, Data: map[string]any{
		"Charts": m.curves(), "Name": summary.Name, "Note": summary.Note,
		"Status": st, "Head": template.HTML(st.Head), "Moves": m.view.Log.Meta.RecordMoves != datasets.NoMoves, "Verify": m.verifyForm(),
	}})
}

func chartsOf(m *model) (any, error) {
	return map[string]any{"charts": m.curves(), "version": m.view.Version()}, nil
}

func reportOf(m *model) (any, error) {
	body, version, err := m.report()
	return map[string]any{"html": string(body), "version": version, "figures": m.figures(), "games": m.games}, err
}

func (s *site) dataFigure(w http.ResponseWriter, r *http.Request) {
	m, err := s.opened(r)
	if err != nil {
		fail(w, err)
		return
	}
	defer m.mu.Unlock()
	plot, err := m.figure(r.URL.Query().Get("name"))
	if err != nil {
		fail(w, coded{http.StatusNotFound, err})
		return
	}
	format := cmp.Or(r.URL.Query().Get("as"), figure.Formats[0])
	if !slices.Contains(figure.Formats, format) {
		fail(w, errors.New("want as="+strings.Join(figure.Formats, ", ")))
		return
	}
	data, err := figure.File(plot.Figure, format)
	if err != nil {
		fail(w, unreadable(err))
		return
	}
	attach(w, plot.Name+"."+format, "application/octet-stream")
	_, _ = w.Write(data) // the reader may be gone
}

// dataRows exports a table of a run.
func (s *site) dataRows(w http.ResponseWriter, r *http.Request) {
	m, err := s.opened(r)
	if err != nil {
		fail(w, err)
		return
	}
	dir := m.dir
	m.mu.Unlock()
	log, err := datasets.Read(dir) // its own: the export may take long
	if err != nil {
		fail(w, unreadable(err))
		return
	}
	q := r.URL.Query()
	format := datasets.Format(q.Get("as"))
	table := q.Get("table")
	if format != datasets.CSV && format != datasets.Parquet || table != "trials" && table != "games" && table != "moves" {
		fail(w, errors.New("want table=trials, games or moves and as=csv or parquet"))
		return
	}
	if table == "moves" && log.Meta.RecordMoves == datasets.NoMoves {
		fail(w, coded{http.StatusNotFound, datasets.ErrNoMoves})
		return
	}
	attach(w, runName(q.Get("id"))+"-"+table+"."+string(format), "application/octet-stream")
	out := bufio.NewWriter(w)
	switch table {
	case "trials":
		_, err = datasets.Export(r.Context(), out, format, log.Meta, log.Meta.RunID(), log.Trials(datasets.Filter{}))
	case "games":
		_, err = datasets.Export(r.Context(), out, format, log.Meta, log.Meta.RunID(), log.Games(datasets.Filter{}))
	case "moves":
		_, err = datasets.Export(r.Context(), out, format, log.Meta, log.Meta.RunID(), log.Moves(datasets.Filter{}))
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil { // the header is sent: only a broken connection shows the error
		panic(http.ErrAbortHandler)
	}
}

// dataLive answers with the games that the run's workers play.
func (s *site) dataLive(r *http.Request) (any, error) {
	m, err := s.opened(r)
	if err != nil {
		return nil, err
	}
	l, head := m.view.Live(), m.view.Head
	latest, some, err := latestOf(m.view)
	m.mu.Unlock()
	if err != nil {
		return nil, unreadable(err)
	}
	list, why, err := inPlay(r.Context(), l, head, latest, some)
	if why != nil {
		return map[string]string{"waits": why.Error()}, nil // no fault: the run may just have ended
	}
	return map[string]any{"games": list}, unreadable(err)
}

// workersOf returns the workers that play a run of this process now: null if it plays alone or
// not any more.
func workersOf(m *model) (any, error) {
	var workers []schedule.Member
	if at, playing := m.view.Live().Progress(); playing && at.Workers != nil {
		workers = at.Workers()
	}
	return map[string]any{"workers": workers}, nil
}

func (s *site) home(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, "home", page{Title: "Runs", Here: "home", Data: s.jobs.root})
}

// plain returns a page that its script fills in.
func (s *site) plain(name, title string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { s.show(w, r, name, page{Title: title, Here: name}) }
}

func (s *site) dataRuns(r *http.Request) (any, error) {
	q := r.URL.Query()
	from, _ := strconv.Atoi(q.Get("from")) // none is 0
	n, _ := strconv.Atoi(q.Get("n"))
	return s.library.list(view.Query{
		Name: q.Get("find"), Game: q.Get("game"), Kind: q.Get("kind"), State: q.Get("state"), Sort: q.Get("sort"), Reverse: q.Get("reverse") != "",
	}, max(0, from), min(maxRows, cmp.Or(max(0, n), usualRows)))
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
