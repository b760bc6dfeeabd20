package reports

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// measure is run by the browser and leaves what it found in the page.
const measure = `<script>addEventListener("load", () => {
const texts = [...document.querySelectorAll("svg text")].filter(t => t.getClientRects().length);
document.body.innerHTML = "<pre>" + JSON.stringify({
	probe: (() => { const c = document.createElement("canvas").getContext("2d"); c.font = "100px " + document.querySelector("svg").getAttribute("font-family"); return c.measureText("Mill").width; })(),
	overflow: document.documentElement.scrollWidth - innerWidth,
	shown: [...document.querySelectorAll("figure > div")].filter(d => d.getClientRects().length).map(d => d.className),
	texts: texts.map(t => [t.textContent, Number(t.getAttribute("font-size")), t.getAttribute("font-weight") == "bold" ? 1 : 0, t.getComputedTextLength()]),
}).replaceAll("&", "&amp;").replaceAll("<", "&lt;") + "</pre>";
})</script>`

// TestBrowser opens the gallery in a real browser, wide and narrow: the right
// layout is shown, nothing sticks out at the side, and letters are as wide as
// the layout took them to be.
func TestBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	if testing.Short() {
		t.Skip("starts a browser")
	}
	page, err := galleryPage().HTML()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, append(page, measure...), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		width int
		shown string
	}{{1200, "wide"}, {500, "narrow"}} { // 500 is the narrowest window of headless Chromium
		t.Run(tt.shown, func(t *testing.T) {
			checkBrowser(t, chromium, file, tt.width, tt.shown)
		})
	}
}

func checkBrowser(t *testing.T, chromium, file string, width int, shown string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
		fmt.Sprintf("--window-size=%d,1000", width), "--dump-dom", "file://"+file)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	_, rest, found := strings.Cut(string(out), "<pre>")
	data, _, closed := strings.Cut(rest, "</pre>")
	if !found || !closed {
		t.Fatal("the page's script did not run")
	}
	var got struct {
		Probe    float64
		Overflow float64
		Shown    []string
		Texts    [][4]any
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(data)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Overflow > 0 {
		t.Errorf("the page is %v pixels wider than its window", got.Overflow)
	}
	if len(got.Shown) != len(gallery()) {
		t.Errorf("%d drawings shown, want %d", len(got.Shown), len(gallery()))
	}
	for _, s := range got.Shown {
		if s != shown {
			t.Fatalf("the %s layout is shown at %d pixels", s, width)
		}
	}
	if want := textWidth("Mill", 100, false); math.Abs(got.Probe-want) > 0.01*want {
		t.Skipf("this machine has no font with Arial's widths: Mill is %v wide, not %v", got.Probe, want)
	}
	for _, x := range got.Texts {
		s, size, bold, w := x[0].(string), x[1].(float64), x[2].(float64) == 1, x[3].(float64)
		if want := textWidth(s, size, bold); math.Abs(w-want) > 0.02*want+1 {
			t.Errorf("%q is %.1f wide, laid out for %.1f", s, w, want)
		}
	}
}
