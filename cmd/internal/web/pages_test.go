package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"selfplaylab/datasets"
)

// viewers are how pages are looked at: a phone, a laptop and a large screen, by day
// and by night.
var viewers = []viewer{{width: 360, height: 740, touch: true}, {width: 1280, dark: true}, {width: 2560, height: 1400}, {width: 360, height: 740, dark: true}, {width: 2560, height: 1400, dark: true}, {width: 1280}}

func (v viewer) String() string {
	return fmt.Sprintf("%d-%s", v.width, map[bool]string{false: "light", true: "dark"}[v.dark])
}

// Every page stands at every width, in both schemes, with nothing on the console.
func TestPages(t *testing.T) {
	root := t.TempDir()
	dir := playMatch(t, root, "one", 300)
	hostile := "<img src=x onerror=alert(1)>\"'{{.}} عربى"
	if err := datasets.SetLabels(dir, datasets.Labels{Name: hostile, Tags: []string{"<b>tag</b>"}}); err != nil {
		t.Fatal(err)
	}
	s := serving(t, root)
	for _, v := range viewers {
		t.Run(v.String(), func(t *testing.T) {
			b := newTab(t, v)
			b.do(chromedp.Navigate(s.path("/")))
			b.until(`document.querySelectorAll("#runs tbody tr").length === 1`)
			if name := eval[string](b, `document.querySelector("#runs tbody a bdi").textContent`); name != hostile {
				t.Errorf("the name shows as %q", name)
			}
			b.fits()
			b.do(chromedp.Navigate(s.path("/run?id=one")))
			b.until(`document.querySelector("#report").dataset.version && document.querySelectorAll(".chart canvas").length > 0`)
			b.fits()
			if text := eval[string](b, `document.querySelector("#gauges").innerText`); !strings.Contains(text, "LOS") || !strings.Contains(text, "300 pairs") {
				t.Errorf("gauges: %q", text)
			}
			b.do(chromedp.Navigate(s.path("/new?kind=tune")))
			b.until(`document.querySelector("#wrong").textContent !== ""`)
			b.fits()
			b.contrast()
		})
	}
}

// contrast reports text that is too pale for its background, by WCAG 2 level AA.
func (b *tab) contrast() {
	b.t.Helper()
	pale := eval[[]string](b, `(() => {
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
		b.t.Errorf("too pale: %s", p)
	}
}

// Where a reader looks at a chart is in the address, and a name leaves its curve
// alone.
func TestCharts(t *testing.T) {
	root := t.TempDir()
	playMatch(t, root, "one", 400)
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/run?id=one")))
	b.until(`document.querySelectorAll(".chart canvas").length > 0 && document.querySelector("#report").dataset.version`)
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
	if after := eval[string](b, `location.hash`); !strings.Contains(after, "elo.x=") {
		t.Errorf("the address forgot: %s", after)
	}
	b.until(`charts.list.get("elo").u.scales.x.min > 20 && charts.list.get("elo").u.scales.x.max < 390`)
	if csv := eval[string](b, `charts.list.get("elo").csv()`); !strings.HasPrefix(csv, "curve,game pairs,Elo difference,low,high,n\n") || strings.Count(csv, "\n") < 2 {
		t.Errorf("csv: %s", csv)
	}
	if svg := eval[string](b, `charts.list.get("elo").picture()`); !strings.HasPrefix(svg, "<svg") || !strings.Contains(svg, "<path d=\"M") {
		t.Errorf("svg: %.300s", svg)
	}
	log := eval[bool](b, `(() => { [...document.querySelectorAll(".chart .bar button")].find(b => b.textContent === "log x").click(); return location.hash.includes("elo.log=1"); })()`)
	if !log {
		t.Error("a log scale is not in the address")
	}
}
