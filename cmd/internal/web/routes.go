package web

import "net/http"

// routes are all pages and the requests of their scripts.
func (s *site) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /run", s.run)
	mux.HandleFunc("GET /games", s.games)
	mux.HandleFunc("GET /play", s.plain("play", "Play"))
	mux.HandleFunc("GET /compare", s.plain("compare", "Compare"))
	mux.HandleFunc("GET /openings", s.plain("openings", "Openings"))
	mux.HandleFunc("GET /new", s.form)

	mux.HandleFunc("GET /data/runs", script(s.dataRuns))
	mux.HandleFunc("GET /data/charts", s.ofRun(chartsOf))
	mux.HandleFunc("GET /data/live", script(s.dataLive))
	mux.HandleFunc("GET /data/report", s.ofRun(reportOf))
	mux.HandleFunc("GET /data/figure", s.dataFigure)
	mux.HandleFunc("GET /data/rows", s.dataRows)
	mux.HandleFunc("GET /data/games", script(s.dataGames))
	mux.HandleFunc("GET /data/game", script(s.dataGame))
	mux.HandleFunc("GET /data/compare", script(s.dataCompare))
	mux.HandleFunc("GET /data/openings", script(s.dataOpenings))
	mux.HandleFunc("GET /data/workers", s.ofRun(workersOf))
	mux.HandleFunc("GET /data/players", script(s.dataPlayers))
	mux.HandleFunc("POST /data/table", script(s.dataTable))
	mux.HandleFunc("GET /data/search", script(s.dataSearch))
	mux.HandleFunc("POST /data/stop", s.dataStop)

	mux.HandleFunc("POST /act/stop", s.actOn(func(_ *http.Request, dir string) error { return s.jobs.stop(dir) }))
	mux.HandleFunc("POST /act/resume", s.actOn(func(_ *http.Request, dir string) error { return s.jobs.resume(dir) }))
	mux.HandleFunc("POST /act/label", s.actOn(label))
	mux.HandleFunc("POST /act/save", script(s.actSave))
	mux.HandleFunc("POST /data/command", script(s.actCommand))
	mux.HandleFunc("POST /act/cost", script(s.actCost))
	mux.HandleFunc("POST /act/start", script(s.actStart))
	all := http.NewServeMux() // with what is packed already, and what comes in pieces
	all.Handle("/", packing(mux))
	all.Handle("GET /static/", madeAssets())
	all.HandleFunc("GET /data/events", s.events)
	return all
}
