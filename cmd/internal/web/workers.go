package web

import (
	"net/http"

	"selfplaylab/engines/schedule"
)

// dataWorkers answers who plays a run of this process now: null where it plays
// alone or plays no more.
func (s *Server) dataWorkers(w http.ResponseWriter, r *http.Request) {
	m, ok := s.opened(w, r)
	if !ok {
		return
	}
	defer m.mu.Unlock()
	var crew []schedule.Member
	if at, _, playing := m.view.Live().Progress(); playing {
		crew = at.Workers
	}
	reply(w, map[string]any{"workers": crew})
}
