package web

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestShots takes pictures of pages for whoever wants to look at them:
// SHOTS=folder SHOT_RUNS=runs SHOT_PAGES="name|/path|width|dark|javascript ..." go test -run TestShots
func TestShots(t *testing.T) {
	to, pages := os.Getenv("SHOTS"), os.Getenv("SHOT_PAGES")
	if to == "" {
		t.Skip("SHOTS names no folder")
	}
	s := serving(t, os.Getenv("SHOT_RUNS"))
	for _, page := range strings.Split(pages, "\n") {
		f := strings.Split(page, "|")
		if len(f) < 4 {
			continue
		}
		width, err := strconv.Atoi(f[2])
		if err != nil {
			t.Fatal(err)
		}
		b := newTab(t, viewer{width: width, dark: f[3] == "dark"})
		b.do(chromedp.Navigate(s.path("%s", f[1])), chromedp.Sleep(1500*time.Millisecond))
		if len(f) > 4 && f[4] != "" {
			b.do(chromedp.Evaluate[chromedp.Void](f[4]), chromedp.Sleep(1200*time.Millisecond))
		}
		b.fits()
		take := chromedp.FullScreenshot(100)
		if len(f) > 5 {
			take = chromedp.CaptureScreenshot()
		}
		png, err := chromedp.Run(b.ctx, take)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, f[0]+".png"), png, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
