package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"selfplaylab/engines/games"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/testmode"
)

// held returns a handler that keeps some requests waiting until the test releases them.
func held(h http.Handler, name string, release <-chan struct{}) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, name) {
			select {
			case <-release:
			case <-r.Context().Done():
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// TestBoardShowsBeforeAnswers expects a game's first board before the server answers questions of
// positions and players, and no file of another server.
func TestBoardShowsBeforeAnswers(t *testing.T) {
	testmode.SkipUnlessLong(t) // begins every game
	t.Parallel()
	release := make(chan struct{})
	s, err := New(Options{Kinds: kinds.All(), Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.listener.Close()
	server := httptest.NewUnstartedServer(held(s.handler, "/data/", release))
	server.Listener = s.listener
	server.Start()
	defer server.Close()
	b := newTab(t, viewer{width: 360, height: 740, touch: true})
	page := s.base() + "/play"
	for _, g := range games.Games() {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#game="+g.Name))
		b.until(`document.querySelector("#setup")`)
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#game="+g.Name+"&first=&second=level:1&go=1"))
		b.until(`g?.board.playing && g.game.game === "` + g.Name + `" && document.querySelector(".boardbox svg .b-target")`)
	}
	if loads := eval[[]string](b, `performance.getEntriesByType("resource").map(e => e.name).filter(n => !n.startsWith(location.origin))`); len(loads) > 0 {
		t.Errorf("the page loads from elsewhere: %v", loads)
	}
	close(release)
	b.until(`fetch("data/players?game=mills").then(() => true)`)
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#game=mills&first=&second=level:1&go=1"))
	b.until(`g?.board.playing`)
	b.do(chromedp.Evaluate[chromedp.Void](`void g.move(g.shown.legal[0].move)`))
	b.until(`g.game.moves.length === 2`)
}

// TestTextsAreSentPacked expects gzip for browsers that accept it, with the length and tag of the
// packed text. Parts of files, streams and short answers are not packed.
func TestTextsAreSentPacked(t *testing.T) {
	root := t.TempDir()
	playMatch(t, root, "one", 40)
	s := serving(t, root)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	ask := func(method, path string, header ...string) (*http.Response, []byte) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, s.base()+"/"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		if w.Header.Get("Content-Type") == "text/event-stream" {
			return w, nil // it has no end
		}
		body, err := io.ReadAll(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if length := w.Header.Get("Content-Length"); method != "HEAD" && length != "" && length != strconv.Itoa(len(body)) {
			t.Errorf("%s %s: %d bytes, and Content-Length %s", method, path, len(body), length)
		}
		return w, body
	}
	base := madeAssets().base
	for _, c := range []struct {
		path   string
		packed bool
	}{
		{"", true}, {"run?id=one", true}, {"data/report?id=one", true}, {base + "play.js", true}, {base + "style.css", true}, {base + "lang/zh.js", true},
		{base + "games.json", true}, {"data/rows?id=one&table=games&as=parquet", false}, {"data/events", false}, {"data/players?game=mills", false},
	} {
		plain, want := ask("GET", c.path)
		if plain.StatusCode != 200 || plain.Header.Get("Content-Encoding") != "" {
			t.Fatalf("%s: %s, %q for who unpacks nothing", c.path, plain.Status, plain.Header.Get("Content-Encoding"))
		}
		w, body := ask("GET", c.path, "Accept-Encoding", "br;q=1, gzip;q=0.5")
		if packed := w.Header.Get("Content-Encoding") == "gzip"; packed != c.packed {
			t.Errorf("%s: packed %v, want %v", c.path, packed, c.packed)
		}
		if !c.packed {
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) || len(body) > len(want)*2/3 {
			t.Errorf("%s: %v; %d bytes are packed as %d and unpacked as %d", c.path, err, len(want), len(body), len(got))
		}
		if !strings.Contains(plain.Header.Get("Vary")+w.Header.Get("Vary"), "Accept-Encoding") || w.Header.Get("ETag") != "" && w.Header.Get("ETag") == plain.Header.Get("ETag") {
			t.Errorf("%s: Vary %q, ETag %q and %q", c.path, w.Header.Get("Vary"), plain.Header.Get("ETag"), w.Header.Get("ETag"))
		}
		if w, _ := ask("GET", c.path, "Accept-Encoding", "gzip;q=0"); w.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: packed for who refuses that", c.path)
		}
	}
	// Browsers keep unchanged scripts.
	w, _ := ask("GET", base+"play.js", "Accept-Encoding", "gzip")
	if got := w.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("a script: Cache-Control %q", got)
	}
	if head, _ := ask("HEAD", base+"play.js", "Accept-Encoding", "gzip"); head.Header.Get("Content-Length") != w.Header.Get("Content-Length") || head.Header.Get("ETag") != w.Header.Get("ETag") {
		t.Errorf("HEAD has other headers: %v, want %v", head.Header, w.Header)
	}
	if same, body := ask("GET", base+"play.js", "Accept-Encoding", "gzip", "If-None-Match", w.Header.Get("ETag")); same.StatusCode != 304 || len(body) != 0 {
		t.Errorf("what a browser has already: %s, %d bytes", same.Status, len(body))
	}
	_, whole := ask("GET", base+"play.js")
	if part, body := ask("GET", base+"play.js", "Accept-Encoding", "gzip", "Range", "bytes=10-19"); part.StatusCode != 206 || string(body) != string(whole[10:20]) || part.Header.Get("Content-Encoding") != "" {
		t.Errorf("ten bytes of a script: %s, %q", part.Status, body)
	}
	if old, body := ask("GET", "static/0123456789ab/play.js"); old.StatusCode != 200 || !bytes.Equal(body, whole) || old.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("a script of an older page: %s, Cache-Control %q", old.Status, old.Header.Get("Cache-Control"))
	}
	if none, _ := ask("GET", base+"none.js"); none.StatusCode != 404 {
		t.Errorf("a script that is not there: %s", none.Status)
	}
}
