package web

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"html"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/record"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports/figure"
)

// playMatch plays a small match of Quoridor into a folder below root.
func playMatch(t testing.TB, root, name string, pairs int, change ...func(*match.Config)) string {
	t.Helper()
	a := match.New()
	a.Game.Game, a.A, a.B, a.Pairs = "quoridor", player.Ask("final"), player.Ask("v12.7"), pairs
	for _, f := range change {
		f(a)
	}
	plan, err := a.Plan()
	if err == nil {
		err = plan.Seat(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, name)
	r, err := record.Create(dir, plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Play(context.Background(), runs.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// get asks the server's handler, as a browser with its token would.
func (s *Server) get(path string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	return s.request(httptest.NewRequest("GET", path, nil), change...)
}

func (s *Server) post(path string, values url.Values, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", path, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", s.base())
	return s.request(r, change...)
}

func (s *Server) request(r *http.Request, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r.Host = s.listener.Addr().String()
	r.AddCookie(&http.Cookie{Name: s.cookie(), Value: s.token})
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

func stranger(r *http.Request) { r.Header.Del("Cookie") }

// TestGuardSeparatesReadersAndWriters lets this machine look, and only holders of the token change
// anything, from our own pages.
func TestGuardSeparatesReadersAndWriters(t *testing.T) {
	root := t.TempDir()
	playMatch(t, root, "one", 2)
	s := serving(t, root)
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	origin := func(name string) func(*http.Request) { return func(r *http.Request) { r.Header.Set("Origin", name) } }
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	form := url.Values{"id": {"one"}, "tag": {"x"}}
	for _, c := range []struct {
		address, host string
		secure, here  bool
	}{
		{"127.0.0.1:80", "127.0.0.1", false, true}, {"[::1]:443", "[::1]", true, true}, {"127.0.0.1:80", "LOCALHOST:80", false, true},
		{"127.0.0.1:443", "localhost", false, false}, {"127.0.0.1:80", "evil.example", false, false}, {"127.0.0.1:80", "", false, false},
	} {
		if g := (guard{address: c.address, secure: c.secure}); g.isHere(c.host) != c.here {
			t.Errorf("%s is %s: %v", c.host, c.address, !c.here)
		}
	}
	for _, c := range []struct {
		name string
		got  *httptest.ResponseRecorder
		want int
	}{
		{"looking without a token", s.get("/", stranger), 200},
		{"by the name of this machine", s.get("/", host("localhost:"+port)), 200},
		{"by a foreign name that points here", s.get("/", host("evil.example:"+port)), 403},
		{"without a port", s.get("/", host("127.0.0.1")), 403},
		{"changing with the token", s.post("/act/label", form), 200},
		{"changing without", s.post("/act/label", form, stranger), 403},
		{"changing from a foreign page", s.post("/act/label", form, origin("http://evil.example")), 403},
		{"changing from nowhere", s.post("/act/label", form, func(r *http.Request) { r.Header.Del("Origin") }), 403},
		{"a wrong token", s.get("/?token=0", stranger), 403},
		{"changing by looking", s.get("/act/label?id=one&tag=y"), 405},
		{"a table from a foreign page", s.post("/data/table", nil, origin("http://evil.example")), 403},
		{"asking players again from a foreign page", s.post("/data/game?id=one&game=0:0:0", nil, origin("http://evil.example")), 403},
	} {
		if c.got.Code != c.want {
			t.Errorf("%s: %d, want %d: %s", c.name, c.got.Code, c.want, c.got.Body)
		}
	}
	w := s.get("/?token="+s.token, stranger)
	if cookie := w.Header().Get("Set-Cookie"); w.Code != 303 || w.Header().Get("Location") != "/" || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
		t.Errorf("the token leads to %d %q with %q", w.Code, w.Header().Get("Location"), cookie)
	}
	if to := s.get("//evil.example/?token="+s.token, stranger).Header().Get("Location"); strings.HasPrefix(to, "//") || strings.Contains(to, ":") {
		t.Errorf("the token leads elsewhere: %q", to)
	}
	if w := s.get("/"); !strings.Contains(w.Body.String(), "<noscript") {
		t.Error("without scripts a page says nothing")
	}
	policy := s.get("/").Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'self'") || strings.Contains(strings.Split(policy, "style-src")[0], "unsafe-inline") {
		t.Errorf("policy: %s", policy)
	}
	if labels, err := datasets.ReadLabels(filepath.Join(root, "one")); err != nil || len(labels.Tags) != 1 || labels.Tags[0] != "x" {
		t.Errorf("tags %v, %v: want the one that was allowed", labels, err)
	}
}

// TestNetworkNeedsToken expects the token for every request beyond loopback, and TLS if so
// configured.
func TestNetworkNeedsToken(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir)
	s, err := New(Options{Kinds: kinds.All(), Root: dir, Listen: "0.0.0.0:0", Cert: cert, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	if host, _, err := net.SplitHostPort(s.address); err != nil || net.ParseIP(host).IsUnspecified() || !strings.HasPrefix(s.Address(), "https://"+host) {
		t.Errorf("no machine can open %s", s.Address())
	}
	if s.Warning() != "" {
		t.Errorf("TLS is warned of: %s", s.Warning())
	}
	plain, err := New(Options{Kinds: kinds.All(), Root: dir, Listen: "0.0.0.0", Token: func() (string, error) { return s.token, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.listener.Close()
	if plain.token != s.token || !strings.Contains(plain.Warning(), "token") {
		t.Errorf("token %q, warning %q", plain.token, plain.Warning())
	}
	for path, want := range map[string]int{"/": 403, "/data/runs": 403, "/static/x/style.css": 403} {
		if got := s.get(path, stranger).Code; got != want {
			t.Errorf("%s without a token: %d, want %d", path, got, want)
		}
	}
	if got := s.get("/data/runs", func(r *http.Request) { r.Host = "lab.example:1" }).Code; got != 200 {
		t.Errorf("with the token: %d", got)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get("https://127.0.0.1:" + port + "/?token=" + s.token)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 303 || !strings.Contains(answer.Header.Get("Set-Cookie"), "Secure") {
		t.Errorf("over TLS: %s, %s", answer.Status, answer.Header.Get("Set-Cookie"))
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, o := range []Options{{Root: dir, Cert: cert}, {Root: dir, Listen: "nowhere"}} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// TestRequestsStayInFolder refuses paths and links that leave the folder.
func TestRequestsStayInFolder(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	playMatch(t, root, "one", 2)
	secret := playMatch(t, outside, "secret", 2)
	if err := os.Symlink(secret, filepath.Join(root, "linked")); err != nil {
		t.Skip("no links here:", err)
	}
	rel, err := filepath.Rel(root, secret)
	if err != nil {
		t.Fatal(err)
	}
	s := serving(t, root)
	for _, id := range []string{"../secret", rel, secret, "linked", "one/../../x", "one/games", ".", "", "/etc/passwd", "one\x00"} {
		for _, path := range []string{"/run", "/data/charts", "/data/report", "/data/rows", "/data/game", "/data/games", "/data/figure", "/games"} {
			if got := s.get(path + "?" + url.Values{"id": {id}, "table": {"games"}, "as": {"csv"}, "game": {"0:0:0"}}.Encode()); got.Code != 404 {
				t.Errorf("%s of %q: %d", path, id, got.Code)
			}
		}
	}
	for _, path := range []string{"/static/../web.go", "/static/..%2fweb.go", "/static/%2e%2e/go.mod", "/../etc/passwd"} {
		if got := s.get(path); got.Code == 200 {
			t.Errorf("%s: %d", path, got.Code)
		}
	}
	if got := s.get("/run?id=one").Code; got != 200 {
		t.Errorf("the run that is there: %d", got)
	}
	if got := s.get("/runs"); got.Code != 404 || !strings.Contains(html.UnescapeString(got.Body.String()), `there is no page "runs" here`) {
		t.Errorf("no page: %d %s", got.Code, got.Body)
	}
	for _, kind := range []string{"zzz", "game"} {
		got := s.get("/new?kind=" + kind)
		if text := html.UnescapeString(got.Body.String()); got.Code != 400 || !strings.Contains(text, "no form starts a run of kind \""+kind+"\"; known: match, ") {
			t.Errorf("a form of %s: %d %s", kind, got.Code, text)
		}
	}
}

// listed reads the list of runs once everything is read.
func (s *Server) listed(t *testing.T) (rows map[string]runRow) {
	t.Helper()
	rows = map[string]runRow{}
	for {
		var list struct {
			Rows    []runRow
			Waiting int
			All     int
		}
		if err := json.Unmarshal(s.get("/data/runs?n=1000").Body.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		for _, r := range list.Rows {
			rows[r.ID] = r
		}
		if list.Waiting == 0 && len(rows) == list.All {
			return rows
		}
	}
}

// TestListDescribesEveryRun expects a row for every run, also for one that cannot be read.
func TestListDescribesEveryRun(t *testing.T) {
	root := t.TempDir()
	playMatch(t, root, "deep/below/one", 3)
	if err := os.MkdirAll(filepath.Join(root, "odd"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "odd", "run.toml"), []byte("schema = 99"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serving(t, root)
	rows := s.listed(t)
	one := rows["deep/below/one"]
	if one.State != runs.Finished || one.Games != 6 || one.Kind != "match" || !strings.Contains(one.Result, "3 pairs") || one.Rate <= 0 {
		t.Errorf("%+v", one)
	}
	dir := filepath.Join(root, "deep", "below", "one") // resumed, with nothing left to play
	r, err := record.Extend(dir, kinds.All().Find, record.Origin{}, nil)
	if err == nil {
		err = r.Play(t.Context(), runs.Options{Workers: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	if again := serving(t, root).listed(t)["deep/below/one"]; again.Rate != one.Rate {
		t.Errorf("%v games a second, %v before", again.Rate, one.Rate)
	}
	if m, err := s.model("deep/below/one"); err != nil {
		t.Fatal(err)
	} else if len(m.view.Head.Sessions) != 2 || len(playedBy(m.view.Head.Sessions)) != 1 {
		t.Errorf("who played: %+v", playedBy(m.view.Head.Sessions))
	}
	if odd := rows["odd"]; odd.State != runs.Broken || odd.Fault == "" {
		t.Errorf("%+v", odd)
	}
	if s2 := serving(t, filepath.Join(root, "nothing yet")); len(s2.listed(t)) != 0 {
		t.Error("a folder that is not there yet has runs")
	}
}

// TestRecalledRowsEqualRead expects the row of a run's last index entry to equal the row made from
// its trials. Entries of another program or of other trials are not used.
func TestRecalledRowsEqualRead(t *testing.T) {
	testmode.Raced(t, "plays some runs")
	root := t.TempDir()
	ids := []string{"match", "tune", "tournament", "cut"}
	playMatch(t, root, "match", 20)
	playForm(t, filepath.Join(root, "tune"), "tune", url.Values{"game": {"quoridor"}, "pairs": {"4"}, "iters": {"8"}, "verify_pairs": {"40"}, "verify_min": {"20"}, "pool": {""}}, 0)
	playForm(t, filepath.Join(root, "tournament"), "tournament", url.Values{"game": {"quoridor"}, "player": {"final", "v12.7"}, "pairs": {"4"}}, 0)
	playForm(t, filepath.Join(root, "cut"), "match", url.Values{"game": {"quoridor"}, "a": {"final"}, "b": {"bad"}, "pairs": {"4000"}}, 2)
	recalled := newLibrary(root, kinds.All())
	recalled.read(ids)
	for _, id := range ids {
		m, err := newLibrary(root, kinds.All()).model(id, func(string) *view.Live { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if st, err := m.status(); err != nil || st.Result != recalled.entries[id].row.Result {
			t.Errorf("%s: its page says %q (%v), the list %q", id, st.Result, err, recalled.entries[id].row.Result)
		}
	}
	for _, id := range ids {
		path := filepath.Join(root, id, "sessions.jsonl")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.ReplaceAll(data, []byte(`, summary `), []byte(`, summary 9`)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := newLibrary(root, kinds.All())
	read.read(ids)
	for _, id := range ids {
		a, b := recalled.entries[id], read.entries[id]
		a.row.Version, b.row.Version, b.row.Bytes = 0, 0, a.row.Bytes
		if id == "tournament" { // ratings need the games, which no list reads
			if !strings.HasPrefix(a.row.Result, "first is ") || !strings.HasPrefix(b.row.Result, "first by mean score is ") {
				t.Errorf("tournament: %q and %q", a.row.Result, b.row.Result)
			}
			b.row.Result = a.row.Result
		}
		if id == "cut" && (a.view != nil || b.view == nil) {
			t.Errorf("rows read %v and then %v, want only then", a.view != nil, b.view != nil)
		}
		if !reflect.DeepEqual(a.row, b.row) {
			t.Errorf("%s is recalled as\n%+v\nand read as\n%+v", id, a.row, b.row)
		}
	}
	if cut := recalled.entries["cut"].row; cut.State != runs.Interrupted || cut.Games == 0 || cut.Games >= 8000 {
		t.Errorf("the run that was cut short: %+v", cut)
	}
	// The run has the rows of another run.
	one, other := playMatch(t, t.TempDir(), "one", 30), playMatch(t, t.TempDir(), "other", 30, func(a *match.Config) { a.Seed = 77 })
	if err := os.RemoveAll(filepath.Join(one, "trials")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(one, "trials"), os.DirFS(filepath.Join(other, "trials"))); err != nil {
		t.Fatal(err)
	}
	l := newLibrary(filepath.Dir(one), kinds.All())
	l.read([]string{"one"})
	if row := l.entries["one"].row; row.State != runs.Broken {
		t.Errorf("a run with another's trials: %+v", row)
	}
}

// playForm plays the run of a form into a folder: whole, or that number of trials.
func playForm(t *testing.T, dir, kind string, form url.Values, trials int) {
	t.Helper()
	k, err := kinds.All().Find(kind)
	if err != nil {
		t.Fatal(err)
	}
	a, err := readConfig(k, form)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := a.Plan()
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Create(dir, plan, record.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	n := 0
	err = r.Play(ctx, runs.Options{Workers: 1, Observe: func(schedule.Finished) {
		if n++; n == trials {
			stop(errStopped)
		}
	}})
	if err != nil && !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
}

// TestWatchedRunEndsAsReport watches a run while it is played. At its end the page shows exactly
// the report's numbers, and the rows were read once.
func TestWatchedRunEndsAsReport(t *testing.T) {
	if testing.Short() {
		t.Skip("plays a whole tuning")
	}
	root := t.TempDir()
	s := serving(t, root)
	form := url.Values{"kind": {"tune"}, "game": {"quoridor"}, "pairs": {"8"}, "iters": {"60"}, "verify_pairs": {"120"}, "verify_min": {"60"}, "seed": {"5"}}
	var begun struct{ ID string }
	if w := s.post("/act/start", form); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &begun) != nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	dir := filepath.Join(root, begun.ID)
	last := watch(t, s, begun.ID, func(st status) bool { return st.State == runs.Finished })
	if last.Error != "" {
		t.Fatal(last.Error)
	}
	var shown struct{ HTML string }
	if err := json.Unmarshal(s.get("/data/report?id="+begun.ID).Body.Bytes(), &shown); err != nil {
		t.Fatal(err)
	}
	recorded, err := kinds.All().Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	page, err := view.Of(recorded).Page(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	body, err := page.Body()
	if err != nil {
		t.Fatal(err)
	}
	if shown.HTML != string(body) {
		t.Errorf("the page that was watched is not the report: %d and %d bytes", len(shown.HTML), len(body))
	}
	result, err := resultOf(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := result.Summary()
	if err != nil {
		t.Fatal(err)
	}
	if last.Result != summary.Result || s.listed(t)[begun.ID].Result != summary.Result {
		t.Errorf("page %q, list %q, run %q", last.Result, s.listed(t)[begun.ID].Result, summary.Result)
	}
}

// TestEventOfError expects an event with the error of a run that fails before it records anything.
func TestEventOfError(t *testing.T) {
	root := t.TempDir()
	live := &view.Live{Dir: playMatch(t, root, "one", 1), Stop: func() {}}
	s := serving(t, root)
	s.watch(live)
	before, _, err := s.runEvent("one")
	if err != nil {
		t.Fatal(err)
	}
	live.End(errors.New("nobody answers"))
	if after, st, err := s.runEvent("one"); err != nil || after == before || st.(status).Error != "nobody answers" {
		t.Errorf("events %s and %s with %+v, %v", before, after, st, err)
	}
}

// watch follows a run's events until one will do.
func watch(t *testing.T, s *Server, id string, enough func(status) bool) (st status) {
	t.Helper()
	events, end := s.stream(t, "/data/events?id="+url.QueryEscape(id), "")
	defer end()
	for e := range events {
		if err := json.Unmarshal([]byte(e.data), &st); err != nil {
			t.Fatalf("%s: %v", e.data, err)
		}
		s.get("/data/charts?id=" + id) // as a page does
		s.get("/data/report?id=" + id)
		if enough(st) {
			return st
		}
	}
	t.Fatalf("the events ended with %+v", st)
	return st
}

type event struct{ id, data string }

// stream reads events from the real server.
func (s *Server) stream(t *testing.T, path, last string) (events <-chan event, end func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	r, err := http.NewRequestWithContext(ctx, "GET", s.base()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != 200 {
		text, _ := io.ReadAll(answer.Body)
		t.Fatalf("%s: %s %s", path, answer.Status, text)
	}
	out := make(chan event)
	go func() {
		defer close(out)
		defer answer.Body.Close()
		var e event
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			line := lines.Text()
			if id, ok := strings.CutPrefix(line, "id: "); ok {
				e.id = id
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				e.data = data
			}
			if line == "" && e.data != "" {
				select {
				case out <- e:
				case <-ctx.Done():
					return
				}
				e = event{}
			}
		}
	}()
	return out, cancel
}

// TestReturningPageGetsNewsAlone expects only unknown events for a page that comes back, also from
// a server that was started again.
func TestReturningPageGetsNewsAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a server to come back")
	}
	root := t.TempDir()
	dir := playMatch(t, root, "one", 2)
	s := serving(t, root)
	events, end := s.stream(t, "/data/events?id=one", "")
	first := <-events
	end()
	again := serving(t, root)
	events, end = again.stream(t, "/data/events?id=one", first.id)
	defer end()
	// The answer begins after the server's look, with its news.
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if e := <-events; !strings.Contains(e.data, "error") {
		t.Errorf("a run that is gone: %+v", e)
	}
}

// TestRequestsAreBounded expects errors for a large request and for too many streams.
func TestRequestsAreBounded(t *testing.T) {
	s := serving(t, t.TempDir())
	big := url.Values{"x": {strings.Repeat("x", maxBody+1)}}
	if got := s.post("/data/table", big).Code; got != 413 {
		t.Errorf("a request of more than a megabyte: %d", got)
	}
	for range maxStreams {
		s.streams <- struct{}{}
	}
	if got := s.get("/data/events").Code; got != 503 {
		t.Errorf("one stream too many: %d", got)
	}
}

// TestStopAndGoOn expects a stopped run to keep its games, and to end as if it had not been
// stopped.
func TestStopAndGoOn(t *testing.T) {
	testmode.Raced(t, "plays thousands of pairs")
	root := t.TempDir()
	s := serving(t, root)
	form := url.Values{"kind": {"match"}, "game": {"quoridor"}, "a": {"final"}, "b": {"v12.7"}, "pairs": {"2000"}}
	var begun struct{ ID string }
	if w := s.post("/act/start", form); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &begun) != nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	dir, err := s.library.dir(begun.ID)
	if err != nil {
		t.Fatal(err)
	}
	for ; ; runtime.Gosched() { // events come too seldom to stop it in time
		if p, playing := s.jobs.live(dir).Progress(); playing && p.Games > 200 {
			break
		}
	}
	id := url.Values{"id": {begun.ID}}
	if w := s.post("/act/stop", id); w.Code != 200 {
		t.Fatalf("stop: %s", w.Body)
	}
	stopped := watch(t, s, begun.ID, func(st status) bool { return st.State != runs.Running })
	if stopped.State != runs.Interrupted || stopped.Games == 0 || stopped.Games >= 4000 || stopped.Error != "" {
		t.Fatalf("%+v", stopped)
	}
	if w := s.post("/act/stop", id); w.Code != 400 || !strings.Contains(w.Body.String(), "not played by this program") {
		t.Errorf("stopping twice: %d %s", w.Code, w.Body)
	}
	if w := s.post("/act/resume", id); w.Code != 200 {
		t.Fatalf("go on: %s", w.Body)
	}
	if done := watch(t, s, begun.ID, func(st status) bool { return st.State == runs.Finished }); done.Games != 4000 {
		t.Errorf("%+v", done)
	}
}

// TestFormShowsCommand expects the command with the same answers, and the errors of the form.
func TestFormShowsCommand(t *testing.T) {
	s := serving(t, t.TempDir())
	form := url.Values{"kind": {"match"}, "game": {"quoridor"}, "a": {"final,a_E=20"}, "b": {"it's"}, "pairs": {"50"}}
	var text struct{ Command, Error string }
	if err := json.Unmarshal(s.post("/data/command", form).Body.Bytes(), &text); err != nil {
		t.Fatal(err)
	}
	if want := `selfplay match --game quoridor --a final,a_E=20 --b 'it'\''s' --pairs 50`; text.Command != want {
		t.Errorf("%s, want %s", text.Command, want)
	}
	if !strings.Contains(text.Error, "it's") {
		t.Errorf("what is wrong: %q", text.Error)
	}
	form.Set("b", "/etc/passwd.toml")
	if err := json.Unmarshal(s.post("/data/command", form, stranger).Body.Bytes(), &text); err == nil && strings.Contains(text.Error, "passwd") {
		t.Errorf("a file is looked at for a stranger: %s", text.Error)
	}
	form.Set("pairs", "many")
	if w := s.post("/act/start", form); w.Code != 400 || !strings.Contains(w.Body.String(), "pairs") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestRowsLeaveAsExported expects a table of rows as the command exports it.
func TestRowsLeaveAsExported(t *testing.T) {
	root := t.TempDir()
	playMatch(t, root, "one", 4)
	playMatch(t, root, "many", 40)
	s := serving(t, root)
	for as, begins := range map[string]string{"": "<svg", "svg": "<svg", "png": "\x89PNG", "pdf": "%PDF"} {
		got := s.get("/data/figure?id=many&name=lengths&as=" + as)
		if name := got.Header().Get("Content-Disposition"); got.Code != 200 || !strings.HasPrefix(got.Body.String(), begins) ||
			name != fmt.Sprintf("attachment; filename=%q", "lengths."+cmp.Or(as, "svg")) {
			t.Errorf("a figure as %q: %d, %s, %.20q", as, got.Code, name, got.Body)
		}
	}
	if got := s.get("/data/figure?id=many&name=lengths&as=gif"); got.Code != 400 || !strings.Contains(got.Body.String(), "want as=svg, png, pdf") {
		t.Errorf("a figure as GIF: %d %s", got.Code, got.Body)
	}
	csv := s.get("/data/rows?id=one&table=games&as=csv")
	if lines := strings.Count(csv.Body.String(), "\n"); csv.Code != 200 || lines != 9 {
		t.Errorf("%d, %d lines", csv.Code, lines)
	}
	if parquet := s.get("/data/rows?id=one&table=trials&as=parquet").Body.String(); !strings.HasPrefix(parquet, "PAR1") || !strings.HasSuffix(parquet, "PAR1") {
		t.Error("no parquet")
	}
	if got := s.get("/data/rows?id=one&table=moves&as=csv"); got.Code != 404 || !strings.Contains(got.Body.String(), "--record-moves") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
	if name := s.get("/data/rows?id=one&table=games&as=csv").Header().Get("Content-Disposition"); name != fmt.Sprintf("attachment; filename=%q", "one-games.csv") {
		t.Error(name)
	}
}

// TestGamesAreFoundByProperties finds games by their properties. A game has the ply at which its
// pair's games part.
func TestGamesAreFoundByProperties(t *testing.T) {
	root := t.TempDir()
	playMatch(t, root, "one", 8)
	s := serving(t, root)
	find := func(query string) (list []found) {
		t.Helper()
		var answer struct{ Games []found }
		w := s.get("/data/games?id=one&" + query)
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return answer.Games
	}
	all := find("")
	if len(all) != 16 || all[0].First != "A (final)" || all[1].First != "B (v12.7)" {
		t.Fatalf("%d games: %+v", len(all), all[:2])
	}
	count := func(fits func(found) bool) (n int) {
		for _, g := range all {
			if fits(g) {
				n++
			}
		}
		return n
	}
	for query, want := range map[string]int{
		"player=V12":                 16,
		"player=nobody":              0,
		"outcome=1-0":                count(func(g found) bool { return g.Outcome == "1-0" }),
		"min=70":                     count(func(g found) bool { return g.Plies >= 70 }),
		"max=69":                     count(func(g found) bool { return g.Plies < 70 }),
		"reason=goal":                16,
		"reason=time":                0,
		"upset=1":                    count(func(g found) bool { return g.Upset }),
		"after=10":                   6,
		"line=" + all[0].Opening[:2]: count(func(g found) bool { return strings.HasPrefix(g.Opening, all[0].Opening[:2]) }),
	} {
		if got := len(find(query)); got != want {
			t.Errorf("%s: %d games, want %d", query, got, want)
		}
	}
	var game, other gameView
	if err := json.Unmarshal(s.get("/data/game?id=one&game=0:3:0").Body.Bytes(), &game); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(s.post("/data/game?id=one&game="+game.Other, nil).Body.Bytes(), &other); err != nil {
		t.Fatal(err)
	}
	if game.Other != "0:3:1" || game.Parts != other.Parts || game.Parts < 0 || other.Differs != "" || !other.Asked {
		t.Errorf("parts at %d and %d, differs %q", game.Parts, other.Parts, other.Differs)
	}
	for i := range game.Parts {
		if game.Plies[i].Move != other.Plies[i].Move {
			t.Errorf("ply %d differs before they part", i)
		}
	}
	if game.Plies[game.Parts].Move == other.Plies[game.Parts].Move || other.Plies[len(other.Plies)-1].Score == nil || game.Plies[10].Score != nil {
		t.Errorf("ply %d: %s and %s", game.Parts, game.Plies[game.Parts].Move, other.Plies[game.Parts].Move)
	}
}

// TestCompareUsesReportStatistics expects runs side by side with the differences of the reports
// between results against one opponent alone, and settings by name.
func TestCompareUsesReportStatistics(t *testing.T) {
	testmode.Raced(t, "plays runs")
	root := t.TempDir()
	playMatch(t, root, "one", 30)
	playMatch(t, root, "two", 30, func(a *match.Config) { a.A, a.Seed = player.Ask("final,a_E=40"), 9 })
	playMatch(t, root, "three", 30, func(a *match.Config) { a.Game.Game, a.A, a.B = "mills", player.Ask("paper"), player.Ask("paper10") })
	playMatch(t, root, "four", 30, func(a *match.Config) { a.B = player.Ask("bad") })
	s := serving(t, root)
	var all comparison
	if err := json.Unmarshal(s.get("/data/compare?run=one&run=two&run=three&run=four").Body.Bytes(), &all); err != nil || len(all.Runs) != 4 {
		t.Fatalf("%v, %d runs", err, len(all.Runs))
	}
	list := all.Runs
	for i, want := range []string{"", "30 against 30 pairs", "another game", "another opponent"} {
		if got := list[i].Difference; !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", list[i].ID, got, want)
		}
	}
	if all.Panels != "" || len(list[0].Values) > 0 {
		t.Errorf("matches have tuned values: %+v", list[0].Values)
	}
	value := func(c compared, name string) string {
		for _, s := range c.Settings {
			if s.Name == name {
				return s.Value
			}
		}
		return "none"
	}
	if value(list[0], "a.a_E") != "22" || value(list[1], "a.a_E") != "40" || value(list[1], "seed") != "9" {
		t.Errorf("%+v", list[1].Settings)
	}
	if got := s.get("/data/compare?run=one&run=../two").Code; got != 404 {
		t.Errorf("a run outside: %d", got)
	}
}

// TestCompareAlignsParameters expects one panel for each parameter of a game, with the paths of all
// runs, each in the colour of its run, and the widest of their ranges.
func TestCompareAlignsParameters(t *testing.T) {
	panel := func(name string, high float64) figure.Panel {
		return figure.Panel{Name: name, Max: high, Ends: [2]string{"0", fmt.Sprint(high)}, Starts: []float64{1}, Paths: [][]figure.Point{{{Y: 1}, {X: 9, Y: 2}}}}
	}
	c := comparison{Runs: []compared{{game: "quoridor", panels: []figure.Panel{panel("a", 4), panel("b", 4)}}, {game: "mills"},
		{game: "quoridor", panels: []figure.Panel{panel("b", 7)}}, {game: "gobang", panels: []figure.Panel{panel("b", 5)}}}}
	if err := c.draw(); err != nil {
		t.Fatal(err)
	}
	drawings := strings.Split(c.Panels, "<svg")[1:]
	if len(drawings) != 3 || c.Rest != "" {
		t.Fatalf("%d panels: %s", len(drawings), c.Panels)
	}
	for i, want := range []struct{ name, high, colours string }{{"a", "4", "s-blue"}, {"b", "7", "s-blue s-green"}, {"b", "5", "s-purple"}} {
		var colours []string
		for _, colour := range []string{"s-blue", "s-vermilion", "s-green", "s-purple"} {
			if strings.Contains(drawings[i], colour) {
				colours = append(colours, colour)
			}
		}
		if got := strings.Join(colours, " "); got != want.colours || !strings.Contains(drawings[i], ">"+want.name+"<") || !strings.Contains(drawings[i], ">"+want.high+"<") {
			t.Errorf("panel %d: %s; want %+v", i, drawings[i], want)
		}
	}
}

// resultOf reads a recorded run.
func resultOf(t *testing.T, dir string) (runs.Result, error) {
	t.Helper()
	recorded, err := kinds.All().Open(dir)
	if err != nil {
		return nil, err
	}
	return recorded.Result()
}

// pipes is a listener whose connections are pipes in memory.
type pipes struct{ conns chan net.Conn }

func (p *pipes) Accept() (net.Conn, error) {
	if c, ok := <-p.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p *pipes) Close() error { close(p.conns); return nil }

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// TestHalfBodyEnds sends one byte of a body and no more. The connection ends after the time for a
// request, while a stream of events lasts.
func TestHalfBodyEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener := &pipes{make(chan net.Conn)}
		server := httpServer(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "POST" {
				if _, err := io.Copy(io.Discard, r.Body); err == nil {
					t.Error("half a body was read as a whole one")
				}
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				t.Error("a stream of events ended")
			case <-time.After(time.Hour):
			}
		}))
		go server.Serve(listener)
		for request, most := range map[string]time.Duration{
			"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx": 2 * readTimeout, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n": 2 * time.Hour,
		} {
			ours, theirs := net.Pipe()
			listener.conns <- theirs
			begun := time.Now()
			if _, err := io.WriteString(ours, request); err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, ours)
			if took := time.Since(begun); took > most {
				t.Errorf("%.4s held its connection for %v", request, took)
			}
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
}
