package web

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/testmode"
)

// TestHomeAnswersInWords expects each run as a question with an answer in words and colour, its Elo
// with its interval on the axis of all runs, its duration and its age.
func TestHomeAnswersInWords(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	half(t, root)
	for name, a := range map[string]string{"yes": "final", "no": "bad", "undecided": "v12.7"} {
		playMatch(t, root, name, 200, func(c *match.Config) { c.A, c.B = player.Ask(a), player.Ask("v12.7") })
	}
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/")))
	b.until(`document.querySelectorAll("#runs .forest circle").length === 4`)
	colour := func(name string) string {
		return eval[string](b, fmt.Sprintf(`(e => { document.body.append(e); e.className = "answer"; const c = getComputedStyle(e).color; e.remove(); return c; })(Object.assign(document.createElement("b"), {style: "color: var(%s)"}))`, name))
	}
	for id, want := range map[string][2]string{"yes": {"yes", "--fig-green-text"}, "no": {"no", "--fig-warm"}, "undecided": {"not decided", "--fig-soft"}, "half": {"yes", "--fig-green-text"}} {
		got := eval[[]string](b, fmt.Sprintf(`(r => { const a = r.querySelector(".answer"); return [a.textContent, getComputedStyle(a).color, r.querySelector(".question").textContent]; })(document.querySelector("[data-id=%s]"))`, id))
		if got[0] != want[0] || got[1] != colour(want[1]) || got[2] == "" {
			t.Errorf("%s: %q, want %v, %s", id, got, want, colour(want[1]))
		}
	}
	if got := eval[string](b, `[...document.querySelectorAll("#runs tbody tr")].every(r => /^(just now|\d min ago) *for \d+ s$/.test(r.cells[5].textContent) && /^(yes|no|not decided)( *interrupted)? +\S/.test(r.cells[2].textContent)) + ""`); got != "true" {
		t.Error(eval[string](b, `document.querySelector("#runs tbody").innerText`))
	}
	// Dots, ends and marks are at the places of their numbers on one scale.
	if wrong := eval[string](b, `(() => {
		const axis = axisOf(latest.rows), x = (e, name) => parseFloat(e.getAttribute(name)), place = v => parseFloat(axis.at(v));
		const same = (a, b) => Math.abs(a - b) < 0.02, held = v => Math.max(0, Math.min(100, place(v)));
		return latest.rows.filter(row => {
			const drawing = document.querySelector("#runs [data-id='" + row.id + "'] .forest"), [elo, low, high] = row.interval, line = drawing.querySelector("line[stroke-width]");
			return !same(x(drawing.querySelector("circle"), "cx"), place(elo)) || !same(x(line, "x1"), held(low)) || !same(x(line, "x2"), held(high)) || !(low < elo && elo < high);
		}).map(row => row.id).concat([...document.querySelectorAll("#scale text")].filter((e, i) => !same(x(e, "x"), place(axis.marks[i]))).map(e => e.textContent)).join();
	})()`); wrong != "" {
		t.Errorf("%s: not where their numbers are", wrong)
	}
}

// TestFirstReadingIsNoMeasure expects the first reading of a run not to delay the next look at the
// folder, and a result of too few pairs to have no interval.
func TestFirstReadingIsNoMeasure(t *testing.T) {
	root := t.TempDir()
	playMatch(t, root, "one", 200)
	playMatch(t, root, "few", 3)
	l := newLibrary(root, kinds.All())
	l.read([]string{"one", "few"})
	if l.took != 0 || l.reading {
		t.Errorf("after the first reading the list waits for %v; reading %v", scanShare*l.took, l.reading)
	}
	if one, few := l.entries["one"].row, l.entries["few"].row; one.Interval == nil || few.Interval != nil || few.Estimate == nil {
		t.Errorf("intervals %v and %v", one.Interval, few.Interval)
	}
}

// TestLongListsHavePages sorts a list by keyboard, leaves it and finds it unchanged.
func TestLongListsHavePages(t *testing.T) {
	t.Parallel()
	testmode.Raced(t, "no browser is started")
	root := t.TempDir()
	one := playMatch(t, root, "r000", 5)
	for i := 1; i < 103; i++ {
		if err := os.CopyFS(filepath.Join(root, fmt.Sprintf("r%03d", i)), os.DirFS(one)); err != nil {
			t.Fatal(err)
		}
	}
	playMatch(t, root, "strong", 60, func(c *match.Config) { c.A, c.B = player.Ask("final"), player.Ask("bad") })
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280})
	const rows = `document.querySelectorAll("#runs tbody tr").length`
	b.do(chromedp.Navigate(s.path("/")))
	b.until(rows + ` === 100 && document.querySelector("#turn span").textContent === "1 to 100 of 104"`)
	if query := eval[string](b, `"data/runs?" + query(asked())`); query != eval[string](b, `document.querySelector("link[rel=preload]").getAttribute("href")`) {
		t.Errorf("the page asks early for another list than %s", query)
	}
	for _, media := range []string{"print", ""} {
		b.medium(media)
		if faults := eval[string](b, `Array.from(document.querySelectorAll("#runs thead button")).filter(e => !e.offsetWidth).map(e => e.textContent + " hidden")
			.concat(Array.from(document.querySelectorAll(".scroll")).filter(e => e.scrollWidth > e.clientWidth).map(() => "too wide")).join()`); faults != "" {
			t.Errorf("the table of runs as %q: %s", media, faults)
		}
	}
	b.do(chromedp.Focus(`th[data-sort=elo] button`), chromedp.KeyEvent("\r"))
	b.until(`document.querySelector("#runs tbody tr").dataset.id === "strong" && document.querySelector("th[data-sort=elo]").ariaSort === "descending"`)
	b.do(chromedp.KeyEvent("\r"))
	b.until(`document.querySelector("th[data-sort=elo]").ariaSort === "ascending" && document.querySelector("#runs tbody tr").dataset.id !== "strong"`)
	b.do(chromedp.Focus(`#turn [value="1"]`), chromedp.KeyEvent("\r"))
	b.until(rows + ` === 4 && document.querySelector("#runs tbody tr:last-child").dataset.id === "strong"`)
	left := eval[string](b, `location.href`)
	// A list that is drawn while the mouse is pressed does not take the click.
	link := b.middle(`#runs tbody tr:last-child .question`, 0.5)
	press := func(what input.DispatchMouseEventType) {
		b.do(chromedp.MouseEvent(what, link[0], link[1], chromedp.ButtonLeft, func(e *input.DispatchMouseEventParams) { e.ClickCount = 1 }))
	}
	press(input.DispatchMouseEventTypeMousePressed)
	eval[bool](b, `(drawn.clear(), Promise.race([update(), new Promise(next => setTimeout(next, 500))]).then(() => true))`)
	press(input.DispatchMouseEventTypeMouseReleased)
	b.until(`document.querySelector("#report")`)
	b.do(chromedp.Navigate(left)) // as Back does
	b.until(rows + ` === 4 && document.querySelector("#runs tbody tr:last-child").dataset.id === "strong" && document.querySelector("#turn [value='1']").disabled`)
	b.do(chromedp.Click(`#turn [value="-1"]`))
	b.until(rows + ` === 100`)
}

// TestOneRunIsServed expects a folder that is a run to be served with its own page first, and no other
// run's folder to change that.
func TestOneRunIsServed(t *testing.T) {
	root := t.TempDir()
	dir := playMatch(t, root, "one", 40)
	s := servingWith(t, Options{Kinds: kinds.All(), Root: dir, Workers: 1})
	if want := s.base() + "/run?id=one&token=" + s.token; s.Address() != want {
		t.Errorf("a run is at %s, want %s", s.Address(), want)
	}
	if w := s.get("/run?id=one"); w.Code != 200 {
		t.Errorf("its page answers %d", w.Code)
	}
	if s := serving(t, root); s.Address() != s.base()+"/?token="+s.token {
		t.Errorf("a folder of runs is at %s", s.Address())
	}
}

// TestOneActionIsFilled expects each run page to emphasise the next action alone: to see the games of
// a finished match, and to resume an interrupted one.
func TestOneActionIsFilled(t *testing.T) {
	root := t.TempDir()
	playMatch(t, root, "one", 40)
	half(t, root)
	s := serving(t, root)
	filled := regexp.MustCompile(`<(?:a|button)[^>]*class="(?:button )?main"[^>]*>([^<]*)<`)
	for id, want := range map[string]string{"one": "Games", "half": "Resume"} {
		page := s.get("/run?id=" + id).Body.String()
		var found []string
		for _, m := range filled.FindAllStringSubmatch(page, -1) {
			found = append(found, m[1])
		}
		if !slices.Equal(found, []string{want}) {
			t.Errorf("%s has the filled actions %q, want %q alone", id, found, want)
		}
	}
}
