package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/datasets"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/reports/figure"
)

// routes are all pages and all that their scripts ask for.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	static, err := fs.Sub(files, "static")
	if err != nil {
		panic(err) // it is embedded
	}
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(static)))
	css := style()
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write(css) // the reader may be gone
	})
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /run", s.run)
	mux.HandleFunc("GET /games", s.games)
	mux.HandleFunc("GET /play", s.plain("play", "Play"))
	mux.HandleFunc("GET /compare", s.plain("compare", "Compare"))
	mux.HandleFunc("GET /new", s.form)

	mux.HandleFunc("GET /data/runs", s.dataRuns)
	mux.HandleFunc("GET /data/events", s.events)
	mux.HandleFunc("GET /data/charts", s.ofRun(chartsOf))
	mux.HandleFunc("GET /data/live", s.dataLive)
	mux.HandleFunc("GET /data/report", s.ofRun(reportOf))
	mux.HandleFunc("GET /data/figure", s.dataFigure)
	mux.HandleFunc("GET /data/rows", s.dataRows)
	mux.HandleFunc("GET /data/settings", s.ofRun(askedOf))
	mux.HandleFunc("GET /data/games", s.dataGames)
	mux.HandleFunc("GET /data/game", s.dataGame)
	mux.HandleFunc("GET /data/compare", s.dataCompare)
	mux.HandleFunc("GET /data/workers", s.dataWorkers)
	mux.HandleFunc("GET /data/players", s.dataPlayers)
	mux.HandleFunc("POST /data/table", s.dataTable)

	mux.HandleFunc("POST /act/stop", s.actOn(func(dir string) error { return s.jobs.stop(dir) }))
	mux.HandleFunc("POST /act/resume", s.actOn(func(dir string) error { return s.jobs.resume(dir) }))
	mux.HandleFunc("POST /act/label", s.actLabel)
	mux.HandleFunc("POST /act/save", s.actSave)
	mux.HandleFunc("POST /data/command", s.actCommand)
	mux.HandleFunc("POST /act/start", s.actStart)
	return mux
}

// fail tells what is wrong in words, as JSON for scripts.
func fail(w http.ResponseWriter, code int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": err.Error()}) // the reader may be gone
}

func reply(w http.ResponseWriter, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(data) // the reader may be gone
}

// plain is a page that its script fills.
func (s *Server) plain(name, title string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { s.show(w, r, name, page{Title: title, Here: name}) }
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, "home", page{Title: "Runs", Here: "home", Data: s.options.Root})
}

// opened answers with the model of the run that is asked for, locked; ok is false
// where an answer was given already.
func (s *Server) opened(w http.ResponseWriter, r *http.Request) (m *model, ok bool) {
	m, err := s.model(r.URL.Query().Get("id"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return nil, false
	}
	m.mu.Lock()
	return m, true
}

// model opens a run, or returns it as it is open, refreshed.
func (s *Server) model(id string) (*model, error) { return s.library.model(id, s.jobs.live) }

func (s *Server) run(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	m, err := s.model(id)
	if err != nil {
		w.WriteHeader(http.StatusNotFound)
		s.show(w, r, "error", page{Title: "This run cannot be shown", Here: "home", Data: err.Error()})
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	st, err := m.status()
	if err != nil {
		s.show(w, r, "error", page{Title: "This run cannot be shown", Here: "home", Data: err.Error()})
		return
	}
	s.show(w, r, "run", page{Title: runName(id), Here: "home", ID: id, Data: map[string]any{
		"Status": st, "Kind": m.view.Log.Meta.Kind, "Game": m.view.Head.Title(), "Moves": m.view.Log.Meta.RecordMoves != datasets.NoMoves,
		"Command": m.view.Log.Meta.Command, "Seed": m.view.Log.Meta.Seed,
	}})
}

func (s *Server) dataRuns(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64) // none is 0: all
	rows, version, waiting, ids, err := s.library.list(after)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	reply(w, map[string]any{"rows": rows, "version": version, "waiting": waiting, "ids": ids})
}

// ofRun answers with what a run's model tells.
func (s *Server) ofRun(tell func(*model) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m, ok := s.opened(w, r)
		if !ok {
			return
		}
		defer m.mu.Unlock()
		answer, err := tell(m)
		if err != nil {
			fail(w, http.StatusInternalServerError, err)
			return
		}
		reply(w, answer)
	}
}

func chartsOf(m *model) (any, error) {
	return map[string]any{"charts": m.charts.all(), "version": m.view.Version()}, nil
}

func reportOf(m *model) (any, error) {
	body, version, err := m.report()
	return map[string]any{"html": string(body), "version": version, "figures": m.figures()}, err
}

// askedOf tells what a run was asked.
func askedOf(m *model) (any, error) {
	settings, err := settingsOf(m.view.Recorded)
	return map[string]any{"dir": m.dir, "settings": settings}, err
}

func (s *Server) dataFigure(w http.ResponseWriter, r *http.Request) {
	m, ok := s.opened(w, r)
	if !ok {
		return
	}
	defer m.mu.Unlock()
	plot, err := m.figure(r.URL.Query().Get("name"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	svg, err := figure.SVG(plot.Figure)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	attach(w, plot.Name+".svg", "image/svg+xml")
	_, _ = w.Write(svg) // the reader may be gone
}

// attach has the browser save what follows under a name of letters and digits.
func attach(w http.ResponseWriter, name, kind string) {
	plain := []rune(name)
	for i, c := range plain {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.') {
			plain[i] = '_'
		}
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", string(plain)))
}

// dataRows exports a table of the run.
func (s *Server) dataRows(w http.ResponseWriter, r *http.Request) {
	m, ok := s.opened(w, r)
	if !ok {
		return
	}
	dir := m.dir
	m.mu.Unlock()
	log, err := datasets.Read(dir) // of its own: the export may take long
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	q := r.URL.Query()
	format := datasets.Format(q.Get("as"))
	what := q.Get("table")
	if format != datasets.CSV && format != datasets.Parquet || what != "trials" && what != "games" && what != "moves" {
		fail(w, http.StatusBadRequest, fmt.Errorf("want table=trials, games or moves and as=csv or parquet"))
		return
	}
	if what == "moves" && log.Meta.RecordMoves == datasets.NoMoves {
		fail(w, http.StatusNotFound, datasets.ErrNoMoves)
		return
	}
	attach(w, runName(q.Get("id"))+"-"+what+"."+string(format), "application/octet-stream")
	out := bufio.NewWriter(w)
	switch what {
	case "trials":
		err = export(r.Context(), out, format, log.Meta, log.Trials(datasets.Filter{}))
	case "games":
		err = export(r.Context(), out, format, log.Meta, log.Games(datasets.Filter{}))
	case "moves":
		err = export(r.Context(), out, format, log.Meta, log.Moves(datasets.Filter{}))
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil { // the heading is sent: only a broken connection tells
		panic(http.ErrAbortHandler)
	}
}

func export[T datasets.ExportRow](ctx context.Context, w io.Writer, format datasets.Format, meta datasets.Meta, rows iter.Seq2[T, error]) error {
	e, err := datasets.NewExporter[T](w, format, meta)
	if err != nil {
		return err
	}
	for row, err := range rows {
		if err == nil {
			err = e.Write(row)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return e.Close()
}

// dataTable asks the table. So many questions at a time may be asked as there are
// places; the others wait.
func (s *Server) dataTable(w http.ResponseWriter, r *http.Request) {
	question, err := io.ReadAll(r.Body)
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, err)
		return
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), maxThought, fmt.Errorf("no move within %v: choose smaller limits", maxThought))
	defer cancel()
	select {
	case s.tables <- struct{}{}:
		defer func() { <-s.tables }()
	case <-ctx.Done():
		fail(w, http.StatusServiceUnavailable, context.Cause(ctx))
		return
	}
	var q table.Question
	if json.Unmarshal(question, &q) == nil && q.Op == "best" && strings.HasPrefix(q.Preset, player.EnginePrefix) {
		s.askProgram(ctx, w, r, q)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(table.Answer(ctx, question)) // the reader may be gone
}

// askProgram asks somebody's engine, which only those may start who may start runs.
func (s *Server) askProgram(ctx context.Context, w http.ResponseWriter, r *http.Request, q table.Question) {
	if !s.may(r) {
		fail(w, http.StatusForbidden, fmt.Errorf("engines are started for those with the token: open the address that was printed at start"))
		return
	}
	answer, err := s.programs.best(ctx, q)
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	reply(w, answer)
}

// longestThought is how long a player may think about a move of a page.
const maxThought = 2 * time.Minute

// events tells of changes for as long as a page listens: of a run, or with no id of
// the list. What is told last has an id, and a page that comes back with it is told
// nothing that it knows.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		fail(w, http.StatusServiceUnavailable, fmt.Errorf("%d pages listen already: close some", maxStreams))
		return
	}
	flusher := http.NewResponseController(w)
	last := r.Header.Get("Last-Event-ID")
	if last == "" {
		last = r.URL.Query().Get("last")
	}
	look := s.listEvent
	if id := r.URL.Query().Get("id"); id != "" {
		look = func() (string, any, error) { return s.runEvent(id) }
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	if _, err := io.WriteString(w, "retry: 1000\n\n"); err != nil {
		return
	}
	tick := time.NewTicker(eventsEvery)
	defer tick.Stop()
	for quiet := 0; ; quiet++ {
		version, data, err := look()
		text, _ := json.Marshal(data) // what look returns always marshals
		switch {
		case err != nil:
			text, _ = json.Marshal(map[string]string{"error": err.Error()})
			_, err = fmt.Fprintf(w, "event: trouble\ndata: %s\n\n", text)
		case version != last:
			last, quiet = version, 0
			_, err = fmt.Fprintf(w, "id: %s\ndata: %s\n\n", version, text)
		case quiet%15 == 14: // a broken connection shows only when it is written to
			_, err = io.WriteString(w, ": still here\n\n")
		}
		_ = flusher.SetWriteDeadline(time.Now().Add(30 * time.Second)) // not every writer has one
		if err != nil || flusher.Flush() != nil {
			return
		}
		if len(s.streams) > fewStreams {
			_, _ = io.WriteString(w, "event: later\ndata: {}\n\n") // the page comes back either way
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}

// fewStreams is how many streams stay open. A browser opens six connections to a
// server at a time, whatever it shows in how many windows: those that come on top are
// told what is new and sent away, to ask again after a second, so that pages and what
// they ask for find a connection.
const fewStreams = 3

// eventsEvery is how often a page that is looked at is told of changes.
const eventsEvery = time.Second

func (s *Server) listEvent() (string, any, error) {
	_, version, waiting, _, err := s.library.list(1 << 62)
	return fmt.Sprintf("%d-%d-%s", version, waiting, s.token[:6]), map[string]any{"version": version, "waiting": waiting}, err
}

func (s *Server) runEvent(id string) (string, any, error) {
	m, err := s.model(id)
	if err != nil {
		return "", nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	st, err := m.status()
	return m.view.Version() + "-" + st.Report, st, err
}

// actOn does something to a run.
func (s *Server) actOn(do func(dir string) error) http.HandlerFunc {
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

// actLabel changes a run's tags.
func (s *Server) actLabel(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	s.actOn(func(dir string) error {
		labels, err := datasets.ReadLabels(dir)
		if err != nil {
			return err
		}
		labels.Tags = r.Form["tag"]
		return datasets.SetLabels(dir, labels)
	})(w, r)
}

// form shows what may be asked of a kind of runs.
func (s *Server) form(w http.ResponseWriter, r *http.Request) {
	kind := r.URL.Query().Get("kind")
	if kind == "" {
		kind = "match"
	}
	k, err := kinds.Find(kind)
	if err != nil {
		s.show(w, r, "error", page{Title: "No such run", Here: "new", Data: err.Error()})
		return
	}
	type field struct{ Name, Arg, Help, Value, Default string }
	var first, more []field
	for _, f := range config.Fields(k.New()) {
		one := field{Name: f.Name, Arg: f.Arg, Help: filled(f.Help)}
		if texts := f.Texts(); len(texts) == 1 {
			one.Default = texts[0]
		}
		one.Value = r.URL.Query().Get(f.Name)
		if usual[f.Name] || one.Value != "" {
			first = append(first, one)
		} else {
			more = append(more, one)
		}
	}
	s.show(w, r, "new", page{Title: "New " + kind, Here: "new", Data: map[string]any{
		"Kind": kind, "Kinds": kindNames(), "Short": k.Short, "First": first, "More": more, "Games": games.Names(),
	}})
}

func kindNames() (names []string) {
	for _, k := range kinds.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// filled puts the names of games and methods into a help text.
func filled(help string) string {
	var methods []string
	for _, m := range tuning.Methods() {
		methods = append(methods, m.Name())
	}
	return strings.NewReplacer("{games}", strings.Join(games.Names(), ", "), "{methods}", strings.Join(methods, ", ")).Replace(help)
}

// usual are the fields that most people set.
var usual = map[string]bool{"game": true, "a": true, "b": true, "pairs": true, "start": true, "iters": true, "sprt": true, "limits": true, "seed": true, "method": true}

func (s *Server) actCommand(w http.ResponseWriter, r *http.Request) {
	kind, a, err := s.question(r)
	if err == nil {
		var text string
		if text, err = command(kind, a); err == nil {
			out := map[string]string{"command": text}
			if s.may(r) { // it reads files that are named
				if _, err := a.Plan(); err != nil {
					out["error"] = err.Error()
				}
			}
			reply(w, out)
			return
		}
	}
	fail(w, http.StatusBadRequest, err)
}

func (s *Server) actStart(w http.ResponseWriter, r *http.Request) {
	kind, a, err := s.question(r)
	if err == nil {
		var dir, id string
		if dir, err = s.jobs.start(kind, a); err == nil {
			if id, err = s.library.id(dir); err == nil {
				reply(w, map[string]string{"id": id})
				return
			}
		}
	}
	fail(w, http.StatusBadRequest, err)
}
