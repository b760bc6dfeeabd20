package web

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"selfplaylab/engines/runs/kinds"
)

// FuzzRequests expects an answer to every request, without a panic and without an error of the
// server. Requests that would start or change a run lack the token.
func FuzzRequests(f *testing.F) {
	root := f.TempDir()
	playMatch(f, root, "run", 2)
	s, err := New(Options{Kinds: kinds.All(), Root: root})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := s.listener.Close(); err != nil {
			f.Error(err)
		}
	})
	for _, page := range []string{"run", "games", "compare", "new", "data/runs", "data/charts", "data/live", "data/report", "data/figure", "data/rows", "data/games",
		"data/game", "data/compare", "data/workers", "data/players", "data/table", "data/command", "act/cost", "act/start", "act/label"} {
		for _, query := range []string{"id=run", "id=../x&n=-1", "id=run&trial=0&pair=1&game=0", "id=run&a=1&sort=games&phase=match&from=99999999999999999999"} {
			f.Add(page, query)
		}
	}
	f.Fuzz(func(t *testing.T, page, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Skip("no query")
		}
		path := (&url.URL{Path: "/" + page, RawQuery: values.Encode()}).RequestURI()
		if strings.HasPrefix(page, "data/events") {
			t.Skip("a stream ends when its reader leaves")
		}
		if got := s.get(path); got.Code >= 500 {
			t.Errorf("GET %s: %d %s", path, got.Code, got.Body)
		}
		r := httptest.NewRequest("POST", path, strings.NewReader(values.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Host = s.listener.Addr().String()
		w := httptest.NewRecorder()
		if s.handler.ServeHTTP(w, r); w.Code >= 500 {
			t.Errorf("POST %s: %d %s", path, w.Code, w.Body)
		}
	})
}
