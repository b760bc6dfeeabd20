package web

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"time"
)

// events sends the changes of a run, or of the list if there is no id, until the page leaves.
// Each event has an id. A page that reconnects with it gets only later changes.
func (s *site) events(w http.ResponseWriter, r *http.Request) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		fail(w, coded{http.StatusServiceUnavailable, fmt.Errorf("%d pages are open already: close some", maxStreams)})
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
		text, _ := json.Marshal(data) // it always marshals
		switch {
		case err != nil:
			text, _ = json.Marshal(map[string]string{"error": err.Error()})
			_, err = fmt.Fprintf(w, "event: trouble\ndata: %s\n\n", text)
		case version != last:
			last, quiet = version, 0
			_, err = fmt.Fprintf(w, "id: %s\ndata: %s\n\n", version, text)
		case quiet%15 == 14: // only a write shows a broken connection
			_, err = io.WriteString(w, ": still here\n\n")
		}
		_ = flusher.SetWriteDeadline(time.Now().Add(30 * time.Second)) // not every writer has one
		if err != nil || flusher.Flush() != nil {
			return
		}
		if len(s.streams) > fewStreams {
			_, _ = io.WriteString(w, "event: later\ndata: {}\n\n") // the page reconnects either way
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}

// fewStreams is the number of streams that stay open. A browser opens at most six connections to a
// server for all its windows. Further streams send the news and end; pages open them again after a
// second, so that pages and their requests find a connection.
const fewStreams = 3

// eventsEvery is how often a visible page gets changes.
const eventsEvery = time.Second

func (s *site) listEvent() (string, any, error) {
	version, waiting, err := s.library.now()
	return fmt.Sprintf("%d-%d-%s", version, waiting, s.token[:6]), map[string]any{"version": version, "waiting": waiting}, err
}

func (s *site) runEvent(id string) (string, any, error) {
	m, err := s.model(id)
	if err != nil {
		return "", nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	st, err := m.status()
	// A run may fail before anything else of it changes.
	return fmt.Sprintf("%s-%s-%x", m.view.Version(), st.Report, crc32.ChecksumIEEE([]byte(st.Error))), st, err
}
