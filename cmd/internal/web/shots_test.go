package web

import (
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/gofrs/flock"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/match"
)

// TestShotsOfChosenPages takes pictures of pages:
//
//	SHOTS=folder SHOT_RUNS=runs SHOT_PAGES="name|/path|width|dark|javascript ..." go test -run TestShots
func TestShotsOfChosenPages(t *testing.T) {
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

// TestGalleryOfManualPages takes the pictures of README and docs/browser.md again, in every
// language:
//
//	GALLERY=1 go test ./cmd/internal/web -run TestGallery
func TestGalleryOfManualPages(t *testing.T) {
	if os.Getenv("GALLERY") == "" {
		t.Skip("GALLERY is not set")
	}
	gallery, err := filepath.Abs("gallery")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const root = "runs"
	for name, c := range map[string]func(*match.Config){
		"final-v12.7": func(c *match.Config) { c.Pairs, c.RecordMoves = 1500, "on" },
		"wall-values": func(c *match.Config) { c.A, c.B, c.Pairs = player.Ask("final,a_E=40"), player.Ask("final"), 600 },
	} {
		playMatch(t, root, name, 1, c)
	}
	if err := datasets.SetLabels(filepath.Join(root, "final-v12.7"), datasets.Labels{Tags: []string{"paper"}}); err != nil {
		t.Fatal(err)
	}
	playForm(t, filepath.Join(root, "bad"), "match", url.Values{"game": {"quoridor"}, "a": {"v12.7,a_E=10"}, "b": {"v12.7"}, "sprt": {"elo0=0,elo1=10"}}, 0)
	playForm(t, filepath.Join(root, "tuned"), "tune", url.Values{"game": {"quoridor"}, "iters": {"600"}, "verify_pairs": {"1500"}, "pool": {""}}, 0)
	if err := os.Rename(half(t, root), filepath.Join(root, "under way")); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(root, "under way", "run.lock")) // as if another process played on
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	s := serving(t, root)
	laptop := viewer{width: 1100, height: 760}
	for _, p := range []struct {
		name, path, ready string
		v                 viewer
	}{
		{"runs", "/", `document.querySelectorAll("#runs .forest circle").length === 5 && document.querySelector("#runs .latest svg")`, laptop},
		{"review", "/games?id=final-v12.7#game=0:3:0", `walk?.analysis && document.querySelector(".review button") && (walk.asked ??= [document.querySelector(".review button").click()]) && walk.review.costly`, laptop},
		{"openings", "/openings?run=final-v12.7#line=e2", `now && board.shown`, laptop},
		{"run", "/run?id=tuned", `document.querySelector("#head .panels") && document.querySelector("#report").dataset.version`, viewer{width: 1280}},
		{"run-dark", "/run?id=bad", `document.querySelector(".chart canvas") && document.querySelector("#report").dataset.version`, viewer{width: 1280, dark: true}},
		{"compare", "/compare?run=final-v12.7&run=wall-values", `document.querySelector(".versus tr") && document.querySelector(".chart canvas")`, viewer{width: 1280}},
		{"game-dark", "/games?id=final-v12.7#game=0:3:0&ply=12&pair=1", `document.querySelectorAll(".walk .boardbox svg").length === 2`, viewer{width: 1280, dark: true}},
		{"play", "/play#game=gobang&go=1&pergame=10&second=level:4&moves=h8+h9+j9+g9+j10+j8", `g?.board.playing`, laptop},
		{"levels", "/play#game=mills", `document.querySelector(".sentence") && document.querySelector(".boardbox svg circle")`, laptop},
		{"analyse", "/play#game=mills&first=&second=&go=1&analyse=1&moves=a7+f6+d7+b2+g7xf6+g1+a1+g4", `document.querySelectorAll("main table tr").length > 4 && g.board.layer.querySelector(".weighed")`, viewer{width: 1280}},
		{"new", "/new?game=connectfour", `document.querySelector("#cost").textContent`, viewer{width: 1280}},
		{"phone", "/play#game=mills&go=1&second=level:3&moves=a7+f6+d7+b2", `g?.board.playing`, viewer{width: 360, dark: true, touch: true}},
	} {
		for _, l := range append([]language{{}}, languages...) {
			b, end := newTab(t, p.v), ".png"
			if l.Code != "" {
				b.speaks(l.Code)
				end = "." + l.Code + ".png"
			}
			if _, err := os.Stat(filepath.Join(gallery, p.name+end)); err != nil {
				continue // no page shows it in this language
			}
			b.do(chromedp.Navigate(s.path("%s", p.path)))
			b.until(p.ready)
			b.do(chromedp.Sleep(time.Second)) // pieces move
			png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(gallery, p.name+end), png, 0o666); err != nil || len(png) > 200_000 {
				t.Errorf("%s: %d bytes, %v", p.name, len(png), err)
			}
		}
	}
}
