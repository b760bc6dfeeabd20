package web

import (
	"context"
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

func (s *site) dataGames(r *http.Request) (any, error) {
	m, err := s.opened(r)
	if err != nil {
		return nil, err
	}
	dir, scores := m.dir, m.scores()
	m.mu.Unlock()
	list, err := findGames(r.Context(), s.kinds, dir, scores, wantedOf(r))
	return list, unreadable(err)
}

// dataGame tells a game with its scores: as recorded, or with ask=1 by asking its
// players again, move by move.
func (s *site) dataGame(r *http.Request) (any, error) {
	dir, err := s.library.dir(r.URL.Query().Get("id"))
	if err != nil {
		return nil, coded{http.StatusNotFound, err}
	}
	name := r.URL.Query().Get("game")
	if r.URL.Query().Get("ask") != "" {
		return s.searches.answer(r, func(ctx context.Context) (any, error) { return repeatedGame(ctx, s.kinds, dir, name) })
	}
	shown, err := shownGame(s.kinds, dir, name)
	if err != nil {
		return nil, coded{http.StatusNotFound, err}
	}
	return shown, nil
}
