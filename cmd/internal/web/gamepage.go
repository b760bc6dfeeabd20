package web

import (
	"net/http"
)

func (s *site) games(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	if _, err := s.model(id); err != nil {
		w.WriteHeader(http.StatusNotFound)
		s.show(w, r, "error", page{Title: "These games cannot be shown", Here: "home", Data: err.Error()})
		return
	}
	s.show(w, r, "games", page{Title: "Games of " + runName(id), Here: "home", ID: id})
}

func (s *site) dataGames(w http.ResponseWriter, r *http.Request) {
	m, ok := s.opened(w, r)
	if !ok {
		return
	}
	dir, scores := m.dir, m.scores()
	m.mu.Unlock()
	list, more, reasons, err := findGames(r.Context(), dir, scores, wantedOf(r))
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	reply(w, map[string]any{"games": list, "more": more, "reasons": reasons})
}

// dataGame tells a game with its scores: as recorded, or with ask=1 by asking its
// players again, move by move.
func (s *site) dataGame(w http.ResponseWriter, r *http.Request) {
	dir, err := s.library.dir(r.URL.Query().Get("id"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	shown, err := s.game(r, dir)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	reply(w, shown)
}

func (s *site) game(r *http.Request, dir string) (*gameView, error) {
	q := r.URL.Query()
	if q.Get("ask") == "" {
		return shownGame(dir, q.Get("game"))
	}
	select {
	case s.tables <- struct{}{}:
		defer func() { <-s.tables }()
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	return repeatedGame(r.Context(), dir, q.Get("game"))
}
