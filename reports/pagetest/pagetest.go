// Package pagetest tests pages in a real browser, headless Chromium: does anything stick out,
// does the page load anything from elsewhere, are its figures visible? It skips a test if there
// is no browser.
package pagetest

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Page is a page to test.
type Page struct {
	Name  string // names the page in errors
	HTML  []byte // the whole page
	Width int    // width of the window, in CSS pixels
	Dark  bool   // the reader prefers dark colours
}

// seenPage is the page as the browser shows it.
type seenPage struct {
	Height   int
	Overflow float64    // pixels that stick out at the side
	Loads    []string   // resources that the page tried to load from elsewhere, or to run
	Figures  []figure   // visible figures, as far down as a screenshot reaches
	Count    int        // number of figures laid out, however far down
	Texts    []textSeen // lines of text in them
	Tables   []table
	Probe    float64 // width of "Mill" in the figures' font at 100 pixels
}

// figure is a drawing in a page.
type figure struct {
	Title      string
	Class      string // class of the element around the drawing
	X, Y, W, H float64
	Ink        float64 // share of its pixels that are not paper, in a screenshot
	Light      float64 // lightness of its paper, from 0 for black to 1 for white
}

// table is a table in a page, which may scroll in its own frame.
type table struct {
	Width, Needs float64  // width of the frame, and of its content
	Cut          []string // cells whose text is cut off, and a caption out of sight
	Kept         []string // headings of columns that are in sight at any scroll position
	Never        []string // headings of columns that are never completely in sight
}

// textSeen is a line of text in a drawing.
type textSeen struct {
	Text  string
	Size  float64
	Bold  bool
	Width float64
}

// patience is the longest time of a browser on a slow, busy machine.
const patience = 3 * time.Minute

// A screenshot has a limited number of pixels of a page's height; windows are as high as most
// pages.
const (
	tallest      = 16000
	windowHeight = 1000
)

// guard forbids a page to load or run anything, and records its attempts.
const guard = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-pagetest'">
<script nonce="pagetest">var loads = []; document.addEventListener("securitypolicyviolation", e => loads.push(e.violatedDirective + " " + e.blockedURI))</script>`

// measure runs in a page after it is loaded. It opens every folded section, and counts the scale
// of a verdict as a figure too.
//
//go:embed measure.js
var measure string

// Start starts a browser without windows. Its context is the browser's, in which tabs open; the
// caller must call end. It prefers Chromium's headless shell, which needs half the processor's
// time of the whole browser. The language comes from the environment. Pages of one site share a
// process, and none is started in advance.
func Start() (browser context.Context, end func(), err error) {
	path := ""
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("no Chromium to look with: apt-get install chromium-headless-shell: %w", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Env("LC_ALL=en_US.UTF-8"),
		chromedp.Flag("process-per-site", true), chromedp.Flag("disable-features", "Translate,SpareRendererForSitePerProcess,MediaRouter"),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	browser, cancel := chromedp.NewContext(allocator)
	end = func() { cancel(); stop() }
	if err := chromedp.Do(browser); err != nil {
		end()
		return nil, nil, fmt.Errorf("starting Chromium: %w", err)
	}
	return browser, end, nil
}

// Window returns the actions that show a page in a window of a size, to a reader who prefers
// dark colours or not.
func Window(width, height int, dark bool, more ...chromedp.EmulateViewportOption) []chromedp.Action[chromedp.Void] {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	return []chromedp.Action[chromedp.Void]{
		chromedp.EmulateViewport(int64(width), int64(height), more...),
		chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, media)
			return err
		}),
		chromedp.Evaluate[chromedp.Void](`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, chromedp.EvalAwaitPromise),
	}
}

// look shows the pages to a browser. It skips the test if there is none, and in short tests.
func look(t testing.TB, pages ...Page) []seenPage {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser, end, err := Start()
	if err != nil {
		t.Skip(err)
	}
	defer end()
	tab, cancel := context.WithTimeout(browser, patience)
	defer cancel()
	file := filepath.Join(t.TempDir(), "page.html")
	seen := make([]seenPage, len(pages))
	for i, p := range pages {
		if err := os.WriteFile(file, bytes.Replace(p.HTML, []byte("<head>"), []byte("<head>"+guard), 1), 0o666); err != nil {
			t.Fatal(err)
		}
		if seen[i], err = p.look(tab, file); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
	}
	return seen
}

// look shows the page, which is in a file, and measures it. It leaves out figures below the
// tallest possible screenshot.
func (p Page) look(tab context.Context, file string) (seen seenPage, err error) {
	if err := chromedp.Do(tab, chromedp.Navigate("file://"+file)); err != nil {
		return seen, err
	}
	if err := chromedp.Do(tab, Window(p.Width, windowHeight, p.Dark)...); err != nil {
		return seen, err
	}
	if seen, err = chromedp.Run(tab, chromedp.Evaluate[seenPage](measure)); err != nil {
		return seen, err
	}
	height := min(seen.Height, tallest)
	if err := chromedp.Do(tab, Window(p.Width, height, p.Dark)...); err != nil {
		return seen, err
	}
	shot, err := chromedp.Run(tab, screenshot)
	if err != nil {
		return seen, err
	}
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return seen, err
	}
	seen.Count = len(seen.Figures)
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
	return seen, nil
}

// screenshot returns a PNG of the window, with little compression.
func screenshot(ctx context.Context, target *chromedp.Target) ([]byte, error) {
	fast := true
	r, err := cdp.Call(ctx, target, page.CaptureScreenshot, page.CaptureScreenshotParams{FromSurface: &fast, OptimizeForSpeed: &fast})
	return r.Data, err
}

// ink returns the share of an area's pixels that are not paper, and the lightness of the paper.
// Paper has the colour of the upper left corner.
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

// Faults returns the faults of a tested page, a sentence each; none for a page without faults.
func (s seenPage) Faults(p Page) (list []string) {
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

// Check tests pages in a browser and reports all their faults as errors. figures gives the
// number of figures of each page by its name, with those in folded sections and the scale of a
// verdict. It returns what the browser shows.
func Check(t testing.TB, figures map[string]int, pages ...Page) []seenPage {
	t.Helper()
	seen := look(t, pages...)
	for i, p := range pages {
		for _, fault := range seen[i].Faults(p) {
			t.Errorf("%d pixels: %s", p.Width, fault)
		}
		if n := seen[i].Count; n != figures[p.Name] {
			t.Errorf("%s shows %d figures, want %d", p.Name, n, figures[p.Name])
		}
	}
	return seen
}
