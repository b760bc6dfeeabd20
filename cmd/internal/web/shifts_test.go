package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/testmode"
)

// shifts returns the cumulative layout shift of the page so far, and the elements that moved.
func (t *tab) shifts() (score float64, table string) {
	t.t.Helper()
	found := eval[[]any](t, `new Promise(done => {
		let worst = 0, sum = 0, first = -1e9, last = -1e9;
		const what = [];
		new PerformanceObserver(list => {
			for (const e of list.getEntries()) {
				if (e.hadRecentInput) continue;
				if (e.startTime - last > 1000 || e.startTime - first > 5000) { sum = 0; first = e.startTime; }
				last = e.startTime;
				worst = Math.max(worst, sum += e.value);
				what.push(e.value.toFixed(4) + " at " + Math.round(e.startTime) + ": " + e.sources.map(s => (s.node?.id || s.node?.className || s.node?.nodeName || "") + " " + Math.round(s.previousRect.y) + ">" + Math.round(s.currentRect.y)).join(", "));
			}
			done([worst, what.join("\n")]);
		}).observe({type: "layout-shift", buffered: true});
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done([worst, what.join("\n")]), 50)));
	})`)
	return found[0].(float64), found[1].(string)
}

// maxShift is the cumulative layout shift that a page may have.
const maxShift = 0.02

// TestLoadingPageStaysStill expects no element to move while a page loads, on a phone, a laptop and
// a tablet.
func TestLoadingPageStaysStill(t *testing.T) {
	testmode.SkipUnlessLong(t) // loads every page in several windows
	t.Parallel()
	root := t.TempDir()
	half(t, root)
	playMatch(t, root, "one", 100, func(a *match.Config) { a.RecordMoves = "on" })
	s := serving(t, root)
	for _, v := range []viewer{{width: 360, height: 740}, {width: 1280, height: 900}, {width: 768, height: 1024}} {
		b := newTab(t, v)
		for _, p := range []struct{ path, ready string }{
			{"/", `document.querySelectorAll("#runs tbody tr").length === 2`},
			{"/run?id=one", `document.querySelectorAll(".chart canvas").length > 0 && (document.querySelector("#report").dataset.version || innerWidth < 500)`},
			{"/run?id=half", `document.querySelectorAll(".chart canvas").length > 0`},
			{"/games?id=one", `walk?.shown && walk.analysis`},
			{"/compare?run=one&run=half", `document.querySelectorAll(".chart canvas").length > 0`},
			{"/openings?run=one", `document.querySelectorAll("#lines tbody tr").length > 3 && document.querySelector("#board svg")`},
			{"/new", `document.querySelector("#wrong").textContent !== "" || document.querySelector("#command").textContent`},
			{"/play", `document.querySelector("#setup")`},
			{"/play#game=quoridor&second=&go=1", `g && g.board.playing`},
		} {
			b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("%s", p.path)))
			b.until(p.ready)
			score, table := b.shifts()
			t.Logf("%s at %d px: %.4f", p.path, v.width, score)
			if score > maxShift {
				t.Errorf("%s at %d px shifts by %.3f:\n%s", p.path, v.width, score, table)
			}
		}
	}
}
