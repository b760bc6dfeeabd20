package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/testmode"
)

// TestTenTabsEndAsReport watches a tuning in ten tabs, one of them from its start, and its list in
// another, next to ten more streams. At its end all show exactly the report's numbers. The game in
// play is seen meanwhile, and nothing remains when the tabs are closed.
func TestTenTabsEndAsReport(t *testing.T) {
	testmode.SkipUnlessLong(t) // many tabs at once
	t.Parallel()
	root := t.TempDir()
	s := servingWith(t, Options{Kinds: kinds.All(), Root: root, Workers: 2})
	home := newTab(t, viewer{width: 1280})
	home.do(chromedp.Navigate(s.path("/")))
	home.until(`document.querySelector("#count").textContent === "0 of 0"`)
	first := newTab(t, viewer{width: 1280})
	first.do(chromedp.Navigate(s.path("/new?kind=tune&game=quoridor&pairs=8&iters=250&verify_pairs=120&verify_min=60&seed=5&pool=")))
	first.until(`document.querySelector("#command").textContent.includes("--iters 250")`)
	first.do(chromedp.Click(`#ask button[type=submit]`))
	first.until(`location.pathname === "/run" && document.readyState === "complete" && document.querySelector("#state")`)
	id := eval[string](first, `page.id`)
	first.do(chromedp.Click(`#inplay summary`))
	first.until(`inPlay.length === 2 && inPlay.every(b => Number(b.root.dataset.ply) > 0) && document.querySelectorAll("#inplay svg").length === 2`)
	tabs := []*tab{first}
	for len(tabs) < 10 {
		b := newTab(t, viewer{width: 360, dark: true})
		b.do(chromedp.Navigate(s.path("/run?id=%s", url.QueryEscape(id))))
		tabs = append(tabs, b)
	}
	results := make(chan string)
	for range 10 {
		go func() { results <- s.resultOf(t.Context(), id) }()
	}
	result, err := untilFinished(t, s, id)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if got := <-results; got != result {
			t.Errorf("a stream ends with %q, the run with %q", got, result)
		}
	}
	recorded, err := kinds.All().Open(filepath.Join(root, filepath.FromSlash(id)))
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
	want, err := json.Marshal(string(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range tabs {
		b.until(`document.querySelector("#state").textContent === "finished" && document.querySelector("#report").dataset.version.endsWith("finished")`)
		if got := eval[string](b, `document.querySelector("#head .ruling b").textContent.replaceAll("\u00a0", " ")`); got != page.Verdict.Answer {
			t.Errorf("the answer is %q, the run's is %q", got, page.Verdict.Answer)
		}
		if other := eval[string](b, `(() => {
			const want = document.createElement("div"), got = document.querySelector("#report").cloneNode(true);
			want.innerHTML = `+string(want)+`;
			for (const links of got.querySelectorAll("figure > p.save")) links.remove();
			for (const link of got.querySelectorAll("a[href^='games?']")) link.replaceWith(link.textContent); // of games
			for (const root of [got, want]) for (const box of root.querySelectorAll(".table, .scroll, th")) for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
			const parts = e => [...e.children].map(c => c.outerHTML);
			const a = parts(got), b = parts(want), i = b.findIndex((part, i) => part !== a[i]);
			return b.length < 4 || a.length !== b.length ? a.length + " parts for " + b.length : i < 0 ? "" : a[i] + "\\nfor\\n" + b[i];
		})()`); other != "" {
			t.Errorf("a page that was watched does not end as the report: %s", other)
		}
	}
	for _, b := range tabs[:2] {
		if score, table := b.shifts(); score > maxShift {
			t.Errorf("a page that was watched shifts by %.3f:\n%s", score, table)
		}
	}
	home.until(`document.querySelector("#runs [data-state=finished]") && document.querySelector("#runs .result").textContent.replaceAll("\u00a0", " ") === ` + quoted(result))
	for _, b := range append(tabs, home) {
		b.do(chromedp.Navigate("about:blank"))
	}
	for len(s.streams) > 0 { // until the streams notice by themselves
		s.get("/data/runs")
	}
}

// resultOf follows a run's events to its end as a page does. When a stream ends it comes back with
// the last event's number.
func (s *Server) resultOf(ctx context.Context, id string) string {
	for last := ""; ctx.Err() == nil; {
		r, err := http.NewRequestWithContext(ctx, "GET", s.base()+"/data/events?id="+url.QueryEscape(id), nil)
		if err != nil {
			return err.Error()
		}
		r.Header.Set("Last-Event-ID", last)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return err.Error()
		}
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				last = id
			}
			var st status
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && json.Unmarshal([]byte(data), &st) == nil && st.State == runs.Finished {
				_ = answer.Body.Close() // an error would change nothing
				return st.Result
			}
		}
		_ = answer.Body.Close() // read to its end
	}
	return "the test ended"
}

func quoted(text string) string {
	data, _ := json.Marshal(text) // a string always marshals
	return string(data)
}

// untilFinished waits for a run of the server to end, and returns its result in words.
func untilFinished(t *testing.T, s *Server, id string) (string, error) {
	t.Helper()
	s.jobs.group.Wait()
	result, err := resultOf(t, filepath.Join(s.options.Root, filepath.FromSlash(id)))
	if err != nil {
		return "", err
	}
	summary, err := result.Summary()
	if err == nil && !summary.Finished {
		t.Fatalf("the run ended unfinished: %s", summary.Result)
	}
	return summary.Result, err
}

// TestPageSurvivesServer expects a page to continue by itself after its server was killed and
// started again, with the news of the time between.
func TestPageSurvivesServer(t *testing.T) {
	testmode.SkipUnlessLong(t) // waits for a server that is away
	t.Parallel()
	root := t.TempDir()
	playMatch(t, root, "one", 5)
	begin := func(listen string) (*Server, func()) {
		s, err := New(Options{Kinds: kinds.All(), Root: root, Listen: listen})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx) }()
		return s, func() { stop(); <-ended }
	}
	s, end := begin("")
	list, run := newTab(t, viewer{width: 1280}), newTab(t, viewer{width: 360, dark: true})
	list.do(chromedp.Navigate(s.path("/")))
	run.do(chromedp.Navigate(s.path("/run?id=one")))
	list.until(`document.querySelectorAll("#runs tbody tr").length === 1`)
	run.until(`document.querySelector("#report").dataset.version`)
	for _, b := range []*tab{list, run} {
		b.mu.Lock()
		b.forgive = true
		b.mu.Unlock()
	}
	end()
	for _, b := range []*tab{list, run} {
		b.until(`document.querySelector("#live").textContent.includes("no connection")`)
	}
	playMatch(t, root, "two", 5)
	_, end = begin(strings.TrimPrefix(s.base(), "http://"))
	defer end()
	list.until(`document.querySelector("#live").textContent === "" && document.querySelectorAll("#runs tbody tr").length === 2`)
	run.until(`document.querySelector("#live").textContent === ""`)
}

// TestEventsUseNoMemory expects a page to hold no more elements and memory after a thousand events
// than after one.
func TestEventsUseNoMemory(t *testing.T) {
	testmode.SkipUnlessLong(t) // opens and closes many pages
	root := t.TempDir()
	playMatch(t, root, "one", 300)
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/run?id=one")))
	b.until(`document.querySelector("#report").dataset.version`)
	b.do(chromedp.Evaluate[chromedp.Void](`fetch("data/charts?id=one").then(a => a.json()).then(({charts: list}) => {
		const s = {state: "running", games: 1, what: "x", result: "y", planned: 9, done: 3, rate: 5, crew: [{host: "h", cpu: "c", workers: 2, games: 4, rate: 3}], faulty: 1, faults: [{game: "0:0:0", reason: "time", detail: "late"}], report: reported};
		window.tell = n => { for (let i = 0; i < n; i++) { stand({...s, games: i}); if (i % 20 === 0) charts.set(list); } };
	})`, chromedp.EvalAwaitPromise))
	// The elements are counted before the page hears from the server again, that knows of
	// no faults.
	held := func(events int) (elements int, bytes float64) {
		elements = eval[int](b, fmt.Sprintf(`tell(%d), document.getElementsByTagName("*").length`, events))
		b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, heapprofiler.CollectGarbage, cdp.Empty{})
			if err == nil {
				var use runtime.GetHeapUsageResult
				use, err = cdp.Call(ctx, target, runtime.GetHeapUsage, cdp.Empty{})
				bytes = use.UsedSize
			}
			return err
		}))
		return elements, bytes
	}
	elements, bytes := held(200)
	if more, now := held(1000); more != elements || now > bytes+500_000 {
		t.Errorf("%d elements and %.0f bytes after 200 events, %d and %.0f after a thousand more", elements, bytes, more, now)
	}
}

// TestGameBeginsAtPageTop expects a running game at the top of its page, however far down its form
// ended, and the state of its workers in the line of a running run.
func TestGameBeginsAtPageTop(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	half(t, root)
	s := serving(t, root)
	b := newTab(t, viewer{width: 360, height: 740, touch: true})
	b.do(chromedp.Navigate(s.path("/play#game=mills&second=paper")))
	b.until(`document.querySelector("#setup details, details[open] #setup")`)
	b.do(chromedp.Evaluate[chromedp.Void](`scrollTo(0, 9999)`))
	b.until(`scrollY > 100`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#setup button[type=submit]").click()`))
	b.until(`g?.board.playing && scrollY === 0`)
	b.do(chromedp.Navigate(s.path("/run?id=half")))
	b.until(`document.querySelectorAll(".chart canvas").length > 0`)
	for workers, want := range map[int]string{1: "1,234 games/s · 1 worker", 4: "1,234 games/s · 4 workers, 309 games/s each", 500: "500 workers, 2.47 games/s each"} {
		say := fmt.Sprintf(`stand({state: "running", what: "", result: "", games: 9, done: 9, planned: 0, rate: 1234, workers: %d})`, workers)
		if got := eval[string](b, say+`, document.querySelector("#counts").textContent`); !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q at its end", got, want)
		}
	}
	// The speed is not known yet.
	if got := eval[string](b, `stand({state: "running", what: "", result: "", games: 9, done: 9, planned: 0, rate: 0, workers: 2}), document.querySelector("#counts").textContent`); got != "9 games · 2 workers" {
		t.Errorf("without a speed it says %q", got)
	}
}
