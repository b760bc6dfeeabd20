package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/testmode"
)

// endless is a search that only stopping ends in time.
var endless = table.Question{Op: "best", Game: "mills", Limits: "depth=60", Seed: 1}

// ask asks a question as a page does; an answer that takes longer is followed.
func (s *Server) ask(t testing.TB, q table.Question, change ...func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest("POST", "/data/table", strings.NewReader(asText(t, q)))
	r.Header.Set("Origin", s.base())
	w := s.request(r, change...)
	for {
		name, _ := searchOf(w)
		if name == "" || q == endless {
			return w
		}
		<-s.searches.find(name).done
		w = s.get("/data/search?name=" + name)
	}
}

// searchOf returns the name in an answer that is still to come, and how many others run.
func searchOf(w *httptest.ResponseRecorder) (name string, others int) {
	var a struct {
		Search string
		Others int
	}
	_ = json.Unmarshal(w.Body.Bytes(), &a) // other answers have other forms
	return a.Search, a.Others
}

// idle starts searches that run until they are stopped, and returns their names.
func (s *Server) idle(t *testing.T, n int) (names []string) {
	t.Helper()
	for range n {
		one, err := s.searches.start(func(ctx context.Context) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, one.name)
	}
	return names
}

// TestSearchesDelayNothingElse runs ten searches. Requests without a search have their answers at
// once, each search counts the others, and a stopped search ends.
func TestSearchesDelayNothingElse(t *testing.T) {
	s, threads := serving(t, t.TempDir()), runtime.GOMAXPROCS(0)
	s.idle(t, 9)
	if name, others := searchOf(s.ask(t, endless)); name == "" || others != 9 {
		t.Fatalf("%q beside %d others", name, others)
	}
	running := slices.Collect(maps.Values(s.searches.list))
	for _, op := range []string{"show", "why", "terms", "penalty", "opening"} {
		q := table.Question{Op: op, Game: "mills", Text: "a7"}
		if w := s.ask(t, q); w.Code != 200 || bytes.Contains(w.Body.Bytes(), []byte(`"search"`)) || s.searches.running() != 10 {
			t.Errorf("%s beside %d searches: %d %s", op, s.searches.running(), w.Code, w.Body)
		}
	}
	if w := s.ask(t, table.Question{Op: "best", Game: "mills", Limits: "depth=1", Seed: 1}); !strings.Contains(w.Body.String(), `"move":`) {
		t.Errorf("another search: %s", w.Body)
	}
	if w := s.get("/data/search?name=other"); !strings.Contains(w.Body.String(), "Ask again") {
		t.Errorf("a search that does not exist: %s", w.Body)
	}
	for _, one := range running {
		s.post("/data/stop?name="+one.name, nil)
	}
	for _, one := range running {
		<-one.done
	}
	if now := runtime.GOMAXPROCS(0); now != threads {
		t.Errorf("%d threads after the searches, %d before", now, threads)
	}
	if n := s.searches.running(); n != 0 || len(s.searches.list) != 0 {
		t.Errorf("%d searches run after they were stopped", n)
	}
	for n := range maxSearches {
		s.searches.list[fmt.Sprint(n)] = &search{}
	}
	if w := s.ask(t, endless); w.Code != 503 || !strings.Contains(w.Body.String(), "searches are running") {
		t.Errorf("one too many: %d %s", w.Code, w.Body)
	}
}

// TestPagePlaysBesideSearches plays in a page beside ten searches of its browser, which has six
// connections. The page shows the searches, and ends its own.
func TestPagePlaysBesideSearches(t *testing.T) {
	testmode.SkipUnlessLong(t) // many searches at once
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#game=mills&first=&second=&go=1")))
	b.until(`g && g.board.playing`)
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`window.ends = new AbortController(); window.failed = 0;
		for (const name of %s) ask("data/search?" + query({name}), {signal: ends.signal}).catch(e => { window.failed += e.name === "AbortError"; });`, asText(t, s.idle(t, 10)[:9]))))
	b.byMouse("a7")
	b.until(`g.board.root.dataset.ply === "1" && g.board.playing`)
	b.do(chromedp.Evaluate[chromedp.Void](`g.analysis.preset.value = "paper"; g.analysis.limits.value = "depth=60"; g.analysis.root.open = true`))
	b.until(`g.analysis.line.textContent.includes("10 other searches are running")`)
	b.do(chromedp.Evaluate[chromedp.Void](`g.analysis.halt.click()`))
	b.until(`g.analysis.line.textContent === "Stopped." && g.analysis.halt.disabled`)
	b.do(chromedp.Evaluate[chromedp.Void](`ends.abort()`))
	b.until(`failed === 9`)
	b.until(`ask("data/table", {method: "POST", body: JSON.stringify({op: "best", game: "mills", limits: "depth=1", seed: "1"})}).then(d => d.move)`)
	// Leaving the page ends its search.
	b.do(chromedp.Evaluate[chromedp.Void](`g.analysis.at()`))
	b.until(`g.analysis.line.textContent.includes("1 other search is running")`)
	b.do(chromedp.Navigate("about:blank"))
	for s.searches.running() > 1 {
		runtime.Gosched()
	}
}

// BenchmarkBeside measures a request without a search beside ten searches.
func BenchmarkBeside(b *testing.B) {
	s, err := New(Options{Kinds: kinds.All(), Root: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = s.listener.Addr().String()
		r.Header.Set("Origin", s.base())
		s.handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	defer s.listener.Close()
	defer s.programs.close()
	for range 10 {
		s.ask(b, endless)
	}
	show := asText(b, table.Question{Op: "show", Game: "quoridor", Moves: "e2 e8 e3 e7"})
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		w, err := http.Post(server.URL+"/data/table", "application/json", strings.NewReader(show))
		if err != nil {
			b.Fatal(err)
		}
		w.Body.Close()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-99%")
}
