package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/testmode"
)

// viewers are how pages are looked at: a phone, a large screen and a laptop, by day
// and by night. The first two have the extreme widths and both schemes; the long form has
// every width in both.
var viewers = []viewer{{width: 360, height: 740, touch: true}, {width: 2560, height: 1400, dark: true}, {width: 1280}, {width: 360, height: 740, dark: true}, {width: 2560, height: 1400}, {width: 1280, dark: true}}

func (v viewer) String() string {
	return fmt.Sprintf("%d-%s", v.width, map[bool]string{false: "light", true: "dark"}[v.dark])
}

// TestPagesFitEveryScreen expects every page on a phone without a message on the console; one tab
// visits all. In the long form it tries six ways, every width and both schemes, and axe checks two
// of the phone and the last.
func TestPagesFitEveryScreen(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := playMatch(t, root, "one", 300)
	playMatch(t, root, "two", 40, func(a *match.Config) { a.A, a.Seed = player.Ask("final,a_E=40"), 9 }) // too few for a curve
	hostile := "<img src=x onerror=alert(1)>\"'{{.}} عربى"
	if err := datasets.SetLabels(dir, datasets.Labels{Name: hostile, Tags: []string{"<b>tag</b>"}}); err != nil {
		t.Fatal(err)
	}
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280})
	for i, p := range []struct{ path, ready string }{
		{"/", `document.querySelectorAll("#runs tbody tr").length === 2`},
		{"/run?id=one", `document.querySelector("#report").dataset.version && document.querySelectorAll(".chart canvas").length > 0`},
		{"/games?id=one#game=0:2:0&ply=30&pair=1", `document.querySelectorAll(".walk .boardbox svg").length === 2`},
		{"/compare?run=one&run=two", `document.querySelectorAll(".versus tr").length > 3 && document.querySelectorAll(".chart canvas").length > 0`},
		{"/openings?run=one&run=two#line=e2", `document.querySelectorAll("#lines tbody tr").length > 2 && document.querySelector("#board svg")`},
		{"/new?kind=tune", `document.querySelector("#cost").textContent !== ""`},
		{"/play", `document.querySelector("#setup")`},
		{"/play#game=mills&first=&second=&go=1&analyse=1", `document.querySelectorAll(".candidates tr").length > 3 && g.analysis.root.dataset.done === ""`},
		// Like the one of two runs.
		{"/openings?run=one", `document.querySelectorAll("#lines tbody tr").length > 3 && document.querySelector("#board svg")`},
	} {
		if i == 8 && !testmode.Long() {
			break
		}
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("%s", p.path)))
		b.until(p.ready)
		for _, v := range viewers[:testmode.Times(1, 6)] {
			b.look(v)
			b.where = p.path + " at " + v.String()
			b.fits()
			b.contrast()
			if v.touch && testmode.Long() {
				b.axe()
			}
			if strings.HasPrefix(p.path, "/compare") && eval[bool](b, `[...document.querySelectorAll("#compared .scroll")].some(e => e.scrollWidth > e.clientWidth)`) {
				b.t.Errorf("%s: two runs do not fit side by side", b.where)
			}
			if strings.HasPrefix(p.path, "/compare") && eval[bool](b, `(() => {
				const cell = document.querySelector("#compared td bdi"), text = cell.firstChild, r = new Range();
				text.data = loose("-381.7 ± 1,137.3 Elo").textContent;
				r.setStart(text, text.data.indexOf("1,"));
				r.setEnd(text, text.data.indexOf(".3") + 2);
				return r.getClientRects().length > 1;
			})()`) {
				b.t.Errorf("%s: a number stands on two lines", b.where)
			}
		}
		if testmode.Long() {
			b.axe()
		}
		switch p.path {
		case "/":
			if name := eval[string](b, `document.querySelector("#runs tbody tr:last-child a bdi").textContent + document.querySelector("#runs tbody tr a bdi").textContent`); !strings.Contains(name, hostile) {
				t.Errorf("the names show as %q", name)
			}
		case "/compare?run=one&run=two":
			if names := eval[string](b, `[".versus th a", ".keys button"].map(s => $(s).textContent).join("; ")`); names != "one · "+hostile+"; A against B · "+hostile {
				t.Errorf("the compared runs' names show as %q", names)
			}
			b.do(chromedp.Evaluate[chromedp.Void](`list[1] = {...list[0], charts: list[0].charts.map(c => ({...c, note: c.note + " Only 2 of the 3 tunings are shown."}))}, show()`))
			if note := eval[string](b, `$("#charts").textContent`); strings.Count(note, "Only 2 of the 3") != 1 || strings.Count(note, "95 %") != 1 {
				t.Errorf("the notes of two runs: %s", note)
			}
		case "/games?id=one#game=0:2:0&ply=30&pair=1":
			if names := eval[string](b, `$(".crumbs").textContent + "; " + document.title`); names != "Runs · one · "+hostile+" · Games; Games of "+hostile+" · selfplaylab" {
				t.Errorf("the games' names show as %q", names)
			}
			b.medium("print")
			if n := eval[int](b, `[...document.querySelectorAll(".movelist button")].filter(e => e.offsetWidth).length`); n < 30 {
				t.Errorf("a printed game shows %d moves", n)
			}
			b.medium("")
		case "/openings?run=one&run=two#line=e2":
			if names := eval[string](b, `$(".crumbs").textContent + "; " + $("#games").textContent`); names != "Runs · one · "+hostile+" · two · Openings; Games from here: one · "+
				hostile+"Games from here: two" {
				t.Errorf("the openings' names show as %q", names)
			}
			b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#games .button bdi").textContent = "n".repeat(200)`))
			b.fits()
		case "/run?id=one":
			if name := eval[string](b, `document.querySelector(".crumbs").textContent`); name != "Runs · one · "+hostile {
				t.Errorf("the run's names show as %q", name)
			}
			text := eval[string](b, `document.querySelector("#head").innerText`)
			for _, want := range []string{"stronger than", "Elo", "300 pairs", "95"} {
				if !strings.Contains(text, want) {
					t.Errorf("the head lacks %q: %q", want, text)
				}
			}
			if eval[string](b, `(document.querySelector("#what b").replaceChildren(said("א v ב")), getComputedStyle(document.querySelector("#what bdi")).direction)`) != "ltr" {
				t.Error("players with right-to-left names change places")
			}
			if n := eval[float64](b, `(() => {
				const text = (document.querySelector("#what b").replaceChildren(said(said("אב גד, +8.5 Elo").textContent)), document.querySelector("#what bdi").firstChild), left = i => {
					const r = new Range();
					r.setStart(text, i);
					r.setEnd(text, i + 1);
					return r.getBoundingClientRect().left;
				};
				return left(text.data.indexOf("8")) - left(text.data.indexOf("א"));
			})()`); n <= 0 {
				t.Error("a number stands before the right-to-left name that it follows")
			}
			if link := eval[string](b, `(() => { const p = el("p", {}, "Game 0:12:1, at 12:30."); linkGames(p); return p.innerHTML; })()`); link != `Game <a href="games?id=one#game=0:12:1">0:12:1</a>, at 12:30.` {
				t.Errorf("a game in a report is %s", link)
			}
			if eval[string](b, `getComputedStyle(document.querySelector("#report code")).unicodeBidi`) != "isolate" {
				t.Error("right-to-left names of a report change places with numbers")
			}
			if text := eval[string](b, `document.querySelector("#crew").textContent`); !strings.Contains(text, "600") {
				t.Errorf("who played: %q", text)
			}
		}
	}
}

// axe reports the findings of axe-core on the page, at any level.
func (t *tab) axe() {
	t.t.Helper()
	if !eval[bool](t, `!!window.axe`) {
		script, err := os.ReadFile("testdata/axe/axe.min.js")
		if err != nil {
			t.t.Fatal(err)
		}
		t.do(chromedp.Evaluate[chromedp.Void](string(script)))
	}
	found := eval[[]string](t, `axe.run({resultTypes: ["violations"]}).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + " (" + v.impact + "): " + n.html.slice(0, 160) + " " + n.failureSummary)))`)
	for _, f := range found {
		t.t.Errorf("%s: axe-core: %s", t.where, f)
	}
}

// contrast reports text that is too pale for its background, by WCAG 2 level AA.
func (t *tab) contrast() {
	t.t.Helper()
	pale := eval[[]string](t, `(() => {
		const rgb = c => (c.match(/[\d.]+/g) ?? []).map(Number);
		const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
		const behind = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0.9) return c; } return [255, 255, 255]; };
		const out = [];
		for (const e of document.querySelectorAll("body *")) {
			if (e.closest("svg, :disabled, .unseen, .skip") || !e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
			const s = getComputedStyle(e), a = light(rgb(s.color)) + 0.05, z = light(behind(e)) + 0.05, ratio = Math.max(a, z) / Math.min(a, z);
			if (ratio < 4.5) out.push(ratio.toFixed(2) + " " + e.outerHTML.slice(0, 100));
		}
		return out;
	})()`)
	for _, p := range pale {
		t.t.Errorf("%s: too pale: %s", t.where, p)
	}
}

// TestPagesPrintLight expects dark pages to print light: charts, boards, coloured legends. Controls
// that need a screen are left out.
func TestPagesPrintLight(t *testing.T) {
	testmode.SkipUnlessLong(t) // prints every page
	t.Parallel()
	root := t.TempDir()
	playMatch(t, root, "one", 300)
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280, dark: true})
	b.do(chromedp.Navigate(s.path("/run?id=one")))
	b.until(`document.querySelector("#report svg.board") && charts.list.get("elo")?.u`)
	const look = `[charts.list.get("elo").u.axes[0].stroke(), getComputedStyle(document.querySelector("svg.board .b-f-label")).fill, getComputedStyle(document.querySelector(".verdict h1")).color].join(" ")`
	screen := eval[string](b, look)
	media := emulation.SetEmulatedMediaParams{Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, media)
		return err
	}))
	b.until(`matchMedia("print").matches && charts.list.get("elo").u.axes[0].stroke() === ink("soft")`)
	printed := eval[string](b, look)
	b.look(viewer{width: 1280})
	b.until(`matchMedia("screen").matches && charts.list.get("elo").u.axes[0].stroke() === ink("soft")`)
	if light := eval[string](b, look); light != printed || screen == light {
		t.Errorf("printed is %s, light %s, dark %s", printed, light, screen)
	}
}

// TestAddressHoldsChartView expects the shown part of a chart in the address; a click on a name
// leaves its curve alone.
func TestAddressHoldsChartView(t *testing.T) {
	testmode.SkipUnlessLong(t) // every chart
	t.Parallel()
	root := t.TempDir()
	playMatch(t, root, "one", 400)
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/run?id=one")))
	b.until(`document.querySelectorAll(".chart canvas").length > 0 && document.querySelector("#report").dataset.version`)
	b.do(chromedp.Click("#curves summary"))
	b.until(`document.querySelector(".u-over").clientWidth > 500`)
	// The bands of the first pairs do not flatten the rest.
	if high := eval[bool](b, `(() => { const {u, data} = charts.list.get("elo"), c = data.curves[0]; return c.high[0] > u.scales.y.max && c.high.at(-1) < u.scales.y.max && c.low.at(-1) > u.scales.y.min; })()`); !high {
		t.Error("the chart is as high as the first pairs' band")
	}
	box := eval[[]float64](b, `(() => { const r = document.querySelector(".u-over").getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()`)
	x, y := box[0]+box[2]*0.6, box[1]+box[3]/2
	b.do(chromedp.MouseEvent("mouseMoved", x, y))
	b.until(`!document.querySelector(".tip").hidden`)
	if tip := eval[string](b, `document.querySelector(".tip").innerText`); !strings.Contains(tip, "n = ") || !strings.Contains(tip, "from ") {
		t.Errorf("hover tells %q", tip)
	}
	b.do(chromedp.DragAndDropXY(box[0]+box[2]*0.3, y, box[0]+box[2]*0.7, y))
	b.until(`location.hash.includes("elo.x=")`)
	zoomed := eval[string](b, `location.href`)
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(zoomed))
	b.until(`document.querySelectorAll(".chart canvas").length > 0`)
	if after := eval[string](b, `location.hash`); !strings.Contains(after, "elo.x=") || !eval[bool](b, `document.querySelector("#curves").open`) {
		t.Errorf("the address forgot: %s", after)
	}
	b.until(`charts.list.get("elo").u.scales.x.min > 20 && charts.list.get("elo").u.scales.x.max < 390`)
	if csv := eval[string](b, `charts.list.get("elo").csv()`); !strings.HasPrefix(csv, "curve,game pairs,Elo difference,low,high,n\n") || strings.Count(csv, "\n") < 2 {
		t.Errorf("csv: %s", csv)
	}
	if links := eval[string](b, `[...document.querySelector("#report .save").children].map(a => a.textContent + " " + new URL(a.href).searchParams.get("as")).join(", ")`); links != "SVG svg, PNG png, PDF pdf" {
		t.Errorf("links below a figure: %s", links)
	}
	if size := eval[int](b, `charts.list.get("elo").dots().then(file => createImageBitmap(file)).then(image => image.width / charts.list.get("elo").size().width)`); size != 2 {
		t.Errorf("the chart as PNG has %d dots a pixel", size)
	}
	if svg := eval[string](b, `charts.list.get("elo").picture()`); !strings.HasPrefix(svg, "<svg") || !strings.Contains(svg, "<path d=\"M") || !strings.Contains(svg, ">A against B</text>") || !strings.Contains(svg, `stroke-dasharray="3 4"`) {
		t.Errorf("svg: %.300s", svg)
	}
	log := eval[bool](b, `(() => { [...document.querySelectorAll(".chart .bar button")].find(b => b.textContent === "log x").click(); return location.hash.includes("elo.log=1"); })()`)
	if !log {
		t.Error("a log scale is not in the address")
	}
	b.until(`charts.list.get("elo").u.scales.x.distr === 3 && charts.list.get("elo").u.scales.x.min > 20 && charts.list.get("elo").u.scales.x.max < 390`)
	if both := eval[bool](b, `(() => {
		const a = charts.list.get("elo");
		charts.set([a.data, {...a.data, id: "second"}]);
		const b = charts.list.get("second"), x = a.u.data[0][a.u.data[0].length >> 1];
		a.u.setCursor({left: a.u.valToPos(x, "x"), top: 50}, true, true);
		return b.u.cursor.left > 0 && !b.tip.hidden;
	})()`); !both {
		t.Error("the crosshair of one chart is not on the other")
	}
	b.do(chromedp.Focus(".chart .plot"), chromedp.Evaluate[chromedp.Void](`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Home", cancelable: true, bubbles: true}))`))
	b.until(`!document.querySelector(".tip").hidden`)
	first := eval[string](b, `document.querySelector(".tip").innerText`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", cancelable: true, bubbles: true}))`))
	b.until(fmt.Sprintf(`document.querySelector(".tip").innerText !== %q`, first))
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", cancelable: true, bubbles: true}))`))
	b.until(`!location.hash.includes("elo.x=") && charts.list.get("elo").u.scales.x.max > 390`)
	if live := eval[string](b, `document.querySelector("#live").textContent`); live != "" {
		t.Errorf("a finished run is called %q", live)
	}
	// A curve of one point shows its interval: this tuning was verified in one trial.
	b.do(chromedp.Evaluate[chromedp.Void](`{
		const {data} = charts.list.get("elo"), c = data.curves[0];
		charts.set([{...data, curves: [{...c, x: [64], y: [100], low: [0], high: [200], n: [64]}]}]);
	}`))
	if shown := eval[bool](b, `(() => {
		const a = charts.list.get("elo"), u = a.u;
		const ink = u.ctx.getImageData(u.valToPos(64, "x", true), u.valToPos(150, "y", true), 1, 1).data;
		return ink[3] > 0 && ink[2] > ink[0] && /Z" fill="[^"]+" fill-opacity="0.15" stroke="#/.test(a.picture());
	})()`); !shown {
		t.Error("a curve of one point has no interval")
	}
}

// TestCurveAloneIsInAddress expects a click on a name to leave its curve alone, for this page and in
// its address, and two clicks to show all again. A tuned run shows its parameters in panels.
func TestCurveAloneIsInAddress(t *testing.T) {
	testmode.SkipUnlessLong(t) // many pages with charts
	t.Parallel()
	root := t.TempDir()
	s := serving(t, root)
	form := url.Values{"kind": {"tune"}, "game": {"quoridor"}, "method": {"grid"}, "grid": {"b_gain=0:100:50"}, "pairs": {"80"}, "verify_pairs": {"60"}, "rate_pairs": {"0"}, "seed": {"5"}}
	var begun struct{ ID string }
	if w := s.post("/act/start", form); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &begun) != nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	watch(t, s, begun.ID, func(st status) bool { return st.State == runs.Finished })
	b := newTab(t, viewer{width: 1280})
	address := s.path("/run?id=%s", begun.ID)
	b.do(chromedp.Navigate(address))
	b.until(`charts.list.get("elo")?.u`)
	if panels := eval[int](b, `document.querySelectorAll("#head .panels svg").length`); panels != 1 {
		t.Errorf("%d panels, want one of the parameter", panels)
	}
	curves := eval[int](b, `charts.list.get("elo").data.curves.length`)
	only := eval[string](b, `charts.list.get("elo").data.curves[1].name`)
	b.do(chromedp.Evaluate[chromedp.Void](`charts.list.get("elo").keys.children[1].click()`))
	if hash := eval[string](b, `decodeURIComponent(location.hash.replaceAll("+", " "))`); !strings.Contains(hash, "elo.only="+only) {
		t.Errorf("the curve that is shown alone, %s, is not in the address: %s", only, hash)
	}
	if shown := eval[int](b, `charts.list.get("elo").data.curves.filter((c, i) => charts.list.get("elo").u.series[1 + 3 * i].show).length`); shown != 1 {
		t.Errorf("%d curves are shown, want one alone", shown)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`charts.list.get("elo").keys.children[1].click()`))
	if shown := eval[int](b, `charts.list.get("elo").data.curves.filter((c, i) => charts.list.get("elo").u.series[1 + 3 * i].show).length`); shown != curves {
		t.Errorf("%d curves are shown, want all %d", shown, curves)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`localStorage.clear()`), chromedp.Click("#verify"))
	b.until(`location.pathname === "/new" && /(tuned|candidate).toml --b /.test(document.querySelector("#command")?.textContent)`)
	if wrong := eval[string](b, `document.querySelector("#wrong").textContent`); wrong != "" {
		t.Errorf("to verify more: %s", wrong)
	}
}

// TestListIsFilteredByAddress filters, sorts and tags the list; the address keeps the choice.
func TestListIsFilteredByAddress(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	playMatch(t, root, "small", 5)
	playMatch(t, root, "large", 30, func(a *match.Config) { a.A = player.Ask("final,a_E=40") })
	if err := datasets.SetLabels(playMatch(t, root, "tagged", 10), datasets.Labels{Tags: []string{"paper"}}); err != nil {
		t.Fatal(err)
	}
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280})
	const names = `[...document.querySelectorAll("#runs tbody tr")].map(r => r.dataset.id).join(" ")`
	b.do(chromedp.Navigate(s.path("/")))
	b.until(`document.querySelectorAll("#runs tbody tr").length === 3`)
	if times := eval[string](b, `ago(new Date(Date.now() - 3.5 * 60000)) + ", " + ago(new Date(Date.now() - 7200000))`); times != "3 min ago, 2 h ago" {
		t.Errorf("times are %s", times)
	}
	// The keyboard sorts; order and choice are there again after Back.
	b.do(chromedp.Focus(`th[data-sort=games] button`), chromedp.KeyEvent("\r"))
	b.until(names + ` === "large tagged small" && document.querySelector("th[aria-sort=descending]").dataset.sort === "games"`)
	b.do(chromedp.Focus(`#runs input[type=checkbox]`), chromedp.KeyEvent(" "))
	b.until(`location.hash.includes("pick=")`)
	b.do(chromedp.Click(`#compare`))
	b.until(`location.pathname === "/compare" && document.querySelector(".versus")`)
	b.leave(`history.back()`)
	b.until(names + ` === "large tagged small" && document.querySelectorAll("#runs :checked").length === 1 && document.querySelector("#compare").textContent === "Compare 1 run"`)
	chosen := eval[string](b, `location.href`)
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(chosen)) // the address opens the same list
	b.until(names + ` === "large tagged small" && document.querySelectorAll("#runs :checked").length === 1`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#runs :checked").click()`))
	b.do(chromedp.Click(`th[data-sort=games] button`))
	b.until(names + ` === "small tagged large"`)
	b.do(chromedp.Evaluate[chromedp.Void](`dispatchEvent(new KeyboardEvent("keydown", {key: "/", cancelable: true}))`))
	b.until(`document.activeElement.name === "find"`)
	b.do(chromedp.SendKeys(`[name=find]`, "A_E=40"))
	b.until(names + ` === "large" && document.querySelector("#count").textContent === "1 of 3"`)
	again := eval[string](b, `location.href`)
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(again))
	b.until(names + ` === "large" && document.querySelector("[name=find]").value === "A_E=40"`)
	b.do(chromedp.SetValue(`[name=find]`, "paper"), chromedp.Evaluate[chromedp.Void](`form.dispatchEvent(new Event("input"))`))
	b.until(names + ` === "tagged"`)
	b.do(chromedp.Evaluate[chromedp.Void](`prompt = () => "one, <b>two</b>"; document.querySelector("button.tag").click()`))
	b.until(`document.querySelector("#runs .tag bdi")?.textContent === "<b>two</b>" || document.querySelector("#none").checkVisibility()`)
	labels, err := datasets.ReadLabels(filepath.Join(root, "tagged"))
	if err != nil || len(labels.Tags) != 2 {
		t.Errorf("tags %v, %v", labels.Tags, err)
	}
	const note = "Black <b>wins</b>\ntoo often."
	b.do(chromedp.Navigate(s.path("/run?id=tagged")), chromedp.Click(`#write summary`), chromedp.SendKeys(`#write textarea`, note))
	b.do(chromedp.Click(`#write button`))
	b.until(`!document.querySelector("#note").hidden && !document.querySelector("#write details").open`)
	b.axe()
	if shown := eval[string](b, `document.querySelector("#note").innerText`); shown != note {
		t.Errorf("the note is %q", shown)
	}
	if labels, err = datasets.ReadLabels(filepath.Join(root, "tagged")); err != nil || len(labels.Tags) != 2 || labels.Note != note {
		t.Errorf("labels %+v, %v", labels, err)
	}
	if w := s.post("/act/label", url.Values{"id": {"tagged"}, "note": {strings.Repeat("x", 2001)}}); w.Code != 400 || !strings.Contains(w.Body.String(), "is longer than 2000 characters") {
		t.Errorf("a note of 2,001 characters: %d %s", w.Code, w.Body)
	}
}
