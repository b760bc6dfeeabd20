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

	mux.HandleFunc("GET /data/runs", s.dataRuns)
	mux.HandleFunc("GET /data/charts", s.ofRun(chartsOf))
	mux.HandleFunc("GET /data/live", s.dataLive)
	mux.HandleFunc("GET /data/report", s.ofRun(reportOf))
	mux.HandleFunc("GET /data/figure", s.dataFigure)
	mux.HandleFunc("GET /data/rows", s.dataRows)
	mux.HandleFunc("GET /data/games", s.dataGames)
	mux.HandleFunc("GET /data/game", s.dataGame)
	mux.HandleFunc("GET /data/compare", s.dataCompare)
	mux.HandleFunc("GET /data/openings", s.dataOpenings)
	mux.HandleFunc("GET /data/workers", s.dataWorkers)
	mux.HandleFunc("GET /data/players", s.dataPlayers)
	mux.HandleFunc("POST /data/table", s.dataTable)
	mux.HandleFunc("GET /data/search", s.dataSearch)
	mux.HandleFunc("POST /data/stop", s.dataStop)

	mux.HandleFunc("POST /act/stop", s.actOn(func(dir string) error { return s.jobs.stop(dir) }))
	mux.HandleFunc("POST /act/resume", s.actOn(func(dir string) error { return s.jobs.resume(dir) }))
	mux.HandleFunc("POST /act/label", s.actLabel)
	mux.HandleFunc("POST /act/save", s.actSave)
	mux.HandleFunc("POST /data/command", s.actCommand)
	mux.HandleFunc("POST /act/cost", s.actCost)
	mux.HandleFunc("POST /act/start", s.actStart)
	all := http.NewServeMux() // with what is packed already, and what comes in pieces
	all.Handle("/", packing(mux))
	all.Handle("GET /static/", madeAssets())
	all.HandleFunc("GET /data/events", s.events)
	return all
}
