// Package pagetest looks at pages in a real browser, headless Chromium: does
// anything stick out, does the page load anything from elsewhere, are its figures
// to be seen? It is for tests, and skips them where there is no browser.
package pagetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/color"
	_ "image/png" // screenshots
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Page is what to look at.
type Page struct {
	Name  string
	HTML  []byte // of a whole page
	Width int    // of the window, in CSS pixels
	Dark  bool   // shown to someone who prefers dark colours
}

// Seen is what the browser shows.
type Seen struct {
	Height   int
	Overflow float64  // pixels that stick out at the side
	Loads    []string // what the page tried to load from elsewhere, or to run
	Figures  []Figure // that are not hidden
	Texts    []Text   // in them
	Tables   []Table
	Probe    float64 // width of "Mill" in the figures' font at 100 pixels
}

// Figure is a drawing in a page.
type Figure struct {
	Title      string
	Class      string // of the element around the drawing
	X, Y, W, H float64
	Ink        float64 // share of its pixels that are not paper, from a screenshot
	Light      float64 // of its paper, from 0 for black to 1 for white
}

// Table is a table in a page, which may scroll in its own frame.
type Table struct {
	Width, Needs float64  // of the frame; of what it holds
	Cut          []string // cells that show less than they hold
	Kept         []string // headings of columns in sight wherever the table is scrolled to
	Never        []string // headings of columns that are nowhere in sight as a whole
}

// Text is a line of a drawing.
type Text struct {
	Text  string
	Size  float64
	Bold  bool
	Width float64
}

// patience is how long a browser may take on a slow, busy machine.
const patience = 3 * time.Minute

// tallest is what of a page a screenshot takes in, in pixels.
const tallest = 16000

// guard forbids a page to load or run anything, and notes what it tries.
const guard = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-pagetest'">
<script nonce="pagetest">var loads = []; document.addEventListener("securitypolicyviolation", e => loads.push(e.violatedDirective + " " + e.blockedURI))</script>`

// measure is run beside the pages once they are loaded.
const measure = `<script>addEventListener("load", () => {
const seen = [...document.querySelectorAll("iframe")].map(frame => {
	const win = frame.contentWindow, doc = frame.contentDocument;
	const shown = e => e.getClientRects().length > 0;
	const figures = [...doc.querySelectorAll("figure svg")].filter(shown).map(s => {
		const b = s.getBoundingClientRect();
		return {title: s.querySelector("text")?.textContent ?? "", class: s.parentElement.className, x: b.x, y: b.y, w: b.width, h: b.height};
	});
	const texts = [...doc.querySelectorAll("figure svg text")].filter(shown).map(t => ({
		text: t.textContent, size: Number(t.getAttribute("font-size")), bold: t.getAttribute("font-weight") == "bold", width: t.getComputedTextLength()}));
	const tables = [...doc.querySelectorAll(".table")].map(t => {
		const heads = [...t.querySelectorAll("th")], cells = [...(t.querySelector("tbody tr")?.children ?? [])], needs = t.scrollWidth;
		t.scrollIntoView({block: "center"});
		const frame = t.getBoundingClientRect();
		const uncovered = e => {
			const b = e.firstElementChild.getBoundingClientRect(), y = b.top + 5;
			return b.left >= frame.left - 1 && b.right <= frame.right + 1 && [b.left + 2, b.right - 2].every(x => e.contains(doc.elementFromPoint(x, y)));
		};
		let kept = cells, never = cells;
		for (let at = 0; ; at += 10) {
			t.scrollLeft = at;
			const inSight = cells.filter(uncovered);
			kept = kept.filter(c => inSight.includes(c));
			never = never.filter(c => !inSight.includes(c));
			if (at > needs) break;
		}
		const names = list => list.map(c => heads[cells.indexOf(c)].textContent);
		t.scrollLeft = 0;
		const cut = [...t.querySelectorAll("td > div")].filter(d => d.scrollWidth > d.clientWidth + 1).map(d => d.textContent);
		return {width: frame.width, needs, cut, kept: names(kept), never: names(never)};
	});
	win.scrollTo(0, 0);
	const canvas = doc.createElement("canvas").getContext("2d");
	canvas.font = "100px " + (doc.querySelector("svg")?.getAttribute("font-family") ?? "serif");
	return {height: Math.ceil(doc.documentElement.scrollHeight), overflow: doc.documentElement.scrollWidth - win.innerWidth, loads: win.loads ?? ["the page's head is missing"], figures, texts, tables, probe: canvas.measureText("Mill").width};
});
document.body.innerHTML = "<pre>" + JSON.stringify(seen).replaceAll("&", "&amp;").replaceAll("<", "&lt;") + "</pre>";
})</script>`

// look shows the pages to a browser. It skips the test where there is none, and
// in short tests.
func look(t testing.TB, pages ...Page) []Seen {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed, so nobody looks at the pages: install it (apt-get install chromium) to run this test")
	}
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := browser{t, chromium, t.TempDir()}
	out := b.run(b.file("measure.html", frames(pages, 1000)+measure), 1400, 1000, "--dump-dom")
	_, rest, found := strings.Cut(string(out), "<pre>")
	data, _, closed := strings.Cut(rest, "</pre>")
	if !found || !closed {
		t.Fatalf("chromium did not run the script of the pages: %.300s", out)
	}
	var seen []Seen
	if err := json.Unmarshal([]byte(html.UnescapeString(data)), &seen); err != nil {
		t.Fatal(err)
	}
	for i, p := range pages {
		b.ink(p, &seen[i])
	}
	return seen
}

// frames is a file that shows pages in frames of their widths: headless Chromium
// has no windows as narrow as a phone.
func frames(pages []Page, height int) string {
	var s strings.Builder
	s.WriteString(`<!doctype html><meta charset="utf-8"><body style="margin:0">`)
	for _, p := range pages {
		guarded := strings.Replace(string(p.HTML), "<head>", "<head>"+guard, 1)
		scheme := "light" // a frame takes what it prefers from the element around it
		if p.Dark {
			scheme = "dark"
		}
		fmt.Fprintf(&s, `<iframe style="display:block;border:0;color-scheme:%s;width:%dpx;height:%dpx" srcdoc="%s"></iframe>`, scheme, p.Width, height, html.EscapeString(guarded))
	}
	return s.String()
}

// browser starts Chromium.
type browser struct {
	t    testing.TB
	path string
	dir  string
}

func (b browser) file(name, text string) string {
	file := filepath.Join(b.dir, name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		b.t.Fatal(err)
	}
	return file
}

func (b browser) run(file string, width, height int, what string) []byte {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+b.t.TempDir(),
		"--hide-scrollbars", "--force-device-scale-factor=1", fmt.Sprintf("--window-size=%d,%d", width, height), what, "file://"+file)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatalf("chromium: %v\n%s", err, &complaint)
	}
	return out
}

// ink takes a screenshot of a page and fills in how much of each figure is
// drawn. Figures below the tallest screenshot are left out.
func (b browser) ink(p Page, seen *Seen) {
	b.t.Helper()
	height := min(seen.Height, tallest)
	shot := filepath.Join(b.dir, "shot.png")
	b.run(b.file("shot.html", frames([]Page{p}, height)), max(p.Width, 500), height, "--screenshot="+shot)
	f, err := os.Open(shot)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	picture, _, err := image.Decode(f)
	if err != nil {
		b.t.Fatal(err)
	}
	kept := seen.Figures[:0]
	for _, g := range seen.Figures {
		area := image.Rect(int(g.X), int(g.Y), int(g.X+g.W), int(g.Y+g.H))
		if area.Max.Y > height {
			continue
		}
		g.Ink, g.Light = ink(picture, area)
		kept = append(kept, g)
	}
	seen.Figures = kept
}

// ink is the share of an area's pixels that are not paper, which is what its
// upper left corner shows, and how light the paper is.
func ink(picture image.Image, area image.Rectangle) (share, light float64) {
	gray := func(x, y int) int { return int(color.Gray16Model.Convert(picture.At(x, y)).(color.Gray16).Y) }
	paper, drawn := gray(area.Min.X+1, area.Min.Y+1), 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if d := gray(x, y) - paper; max(d, -d) > 0x1000 {
				drawn++
			}
		}
	}
	return float64(drawn) / float64(max(area.Dx()*area.Dy(), 1)), float64(paper) / 0xFFFF
}

// Faults says, a sentence each, what is wrong with a page that was looked at.
func (s Seen) Faults(p Page) (list []string) {
	if s.Overflow > 0 {
		list = append(list, fmt.Sprintf("%s sticks out by %v pixels in a window of %d", p.Name, s.Overflow, p.Width))
	}
	for _, l := range s.Loads {
		list = append(list, fmt.Sprintf("%s is not self-contained: %s", p.Name, l))
	}
	for _, f := range s.Figures {
		switch {
		case f.W < 100 || f.H < 40:
			list = append(list, fmt.Sprintf("%s: figure %q is only %v by %v", p.Name, f.Title, f.W, f.H))
		case f.X < -1 || f.X+f.W > float64(p.Width)+1:
			list = append(list, fmt.Sprintf("%s: figure %q reaches from %v to %v in a window of %d", p.Name, f.Title, f.X, f.X+f.W, p.Width))
		case f.Ink < 0.005:
			list = append(list, fmt.Sprintf("%s: nothing is to be seen of figure %q", p.Name, f.Title))
		}
	}
	return list
}

// Check looks at pages and reports all their faults as errors. Every page must
// show so many figures.
func Check(t testing.TB, figures map[string]int, pages ...Page) []Seen {
	t.Helper()
	seen := look(t, pages...)
	for i, p := range pages {
		for _, fault := range seen[i].Faults(p) {
			t.Errorf("%d pixels: %s", p.Width, fault)
		}
		if n := len(seen[i].Figures); n != figures[p.Name] && seen[i].Height <= tallest {
			t.Errorf("%s shows %d figures, want %d", p.Name, n, figures[p.Name])
		}
	}
	return seen
}
