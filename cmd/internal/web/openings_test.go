package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/engines/testmode"
)

// TestOpeningsEqualCommandOutput expects the tree of the command on the page, line by line, and as
// many games of a line as the tree counts.
func TestOpeningsEqualCommandOutput(t *testing.T) {
	testmode.Raced(t, "plays a run")
	root := t.TempDir()
	dir := playMatch(t, root, "one", 60)
	playMatch(t, root, "two", 20, func(a *match.Config) { a.A = player.Ask("final,a_E=40") })
	playMatch(t, root, "mills", 2, func(a *match.Config) { a.Game.Game, a.A, a.B = "mills", player.Ask("bad"), player.Ask("bad") })
	s := serving(t, root)
	list, err := kinds.All().OpenAll([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := replay.NewOpenings(context.Background(), list, "", 0, new(replay.Reading))
	if err != nil {
		t.Fatal(err)
	}
	at := func(path string) (o replay.Openings, body string) {
		w := s.get("/data/openings?" + path)
		for strings.HasPrefix(w.Body.String(), `{"of"`) {
			w = s.get("/data/openings?" + path)
		}
		_ = json.Unmarshal(w.Body.Bytes(), &o) // of an error nothing is filled in
		return o, w.Body.String()
	}
	line := ""
	for tree := whole.Tree; ; {
		want, err := whole.At(line, shownMoves)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := at(url.Values{"run": {"one"}, "line": {line}}.Encode()); got != asText(t, want) {
			t.Errorf("%q: %s, want %s", line, got, asText(t, want))
		}
		var found findings
		query := url.Values{"id": {"one"}, "line": {line + " "}, "phase": {"match"}}
		if line == "" {
			query.Del("line")
		}
		if err := json.Unmarshal(s.get("/data/games?"+query.Encode()).Body.Bytes(), &found); err != nil || len(found.Games) != min(maxFound, tree.Games) {
			t.Errorf("%q: %d games, %v; the tree has %d", line, len(found.Games), err, tree.Games)
		}
		if len(tree.Next) == 0 {
			break
		}
		tree = tree.Next[0]
		line = strings.TrimSpace(line + " " + tree.Move)
	}
	if len(strings.Fields(line)) < 3 {
		t.Errorf("the longest line is %q", line)
	}
	if both, _ := at("run=one&run=two"); both.Games != 160 || len(both.Players) != 0 || both.Tree.Difference != nil {
		t.Errorf("two runs: %+v", both)
	}
	for query, want := range map[string]string{
		"run=one&line=a1":        "no line \\\"a1\\\" with 4 games",
		"run=one&phase=verify":   "no game is recorded in phase",
		"run=one&run=mills":      "a tree is of one game and its rules",
		"run=../one":             "there is no run",
		"":                       "no run is chosen: open one and press Openings",
		"run=one&min=1":          "",
		"run=mills&min=1000":     "",
		"run=mills&phase=match":  "",
		"run=mills&line=%20%20x": "no line",
	} {
		_, body := at(query)
		if want != "" && !strings.Contains(body, want) || want == "" && !strings.Contains(body, `"tree"`) || strings.Contains(body, root) {
			t.Errorf("%s: %s", query, body)
		}
	}
	if len(s.trees.list) > maxTrees {
		t.Errorf("%d trees are kept", len(s.trees.list))
	}
}

// TestTreeIsMadeOnce expects progress as the answer while a tree is made.
func TestTreeIsMadeOnce(t *testing.T) {
	testmode.Raced(t, "plays a run")
	root := t.TempDir()
	playMatch(t, root, "one", 5)
	s := serving(t, root)
	s.trees.making.Lock()
	for range 2 {
		if body := s.get("/data/openings?run=one").Body.String(); body != `{"of":0,"read":0}` {
			t.Errorf("while it waits: %s", body)
		}
	}
	s.trees.making.Unlock()
	made := s.trees.list[0]
	<-made.done
	if made.far.Read.Load() != 20 || made.far.Of.Load() != 20 || len(s.trees.list) != 1 {
		t.Errorf("%d of %d games read for %d trees", made.far.Read.Load(), made.far.Of.Load(), len(s.trees.list))
	}
	if !strings.Contains(s.get("/data/openings?run=one").Body.String(), `"games":10`) || s.trees.list[0] != made {
		t.Error("the tree was made twice")
	}
	made.stamp, made.made = "", time.Time{} // old, however long it took to make
	s.get("/data/openings?run=one")
	if len(s.trees.list) != 1 || s.trees.list[0] == made {
		t.Error("a run that grew shows an old tree")
	}
}

// TestReaderWalksOpenings walks into a line and back, by mouse, keyboard and touch; the board
// follows.
func TestReaderWalksOpenings(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	playMatch(t, root, "one", 200)
	playMatch(t, root, "two", 20, func(a *match.Config) { a.A, a.Seed = player.Ask("final,a_E=40"), 9 })
	playMatch(t, root, "four", 30, func(a *match.Config) {
		a.Game.Game, a.A, a.B = "connectfour", player.Ask("source@playouts=2"), player.Ask("source@playouts=2")
	})
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280})
	at := func(plies int) string {
		return fmt.Sprintf(`typeof now !== "undefined" && now && board.shown?.ply === %d && steps(now).length === %d`, plies, plies+1)
	}
	b.do(chromedp.Navigate(s.path("/run?id=one")))
	b.do(chromedp.Click(`#acts a[href^=openings]`))
	b.until(at(0))
	if text := eval[string](b, `document.querySelector("#about").textContent`); !strings.HasPrefix(text, "400 games · Quoridor") || !strings.HasSuffix(text, "A: final · B: v12.7") {
		t.Errorf("the page is about %q", text)
	}
	if text := eval[string](b, `[digits(-0.0004), digits(-0.01), rate(2.345), rate(12345.6)].join(" ")`); text != "0.0 −1.0 2.35 12,346" {
		t.Errorf("numbers %q", text)
	}
	if rows := eval[[]string](b, `[...document.querySelectorAll("#lines tbody tr")].slice(0, 2).map(r => r.innerText)`); !strings.Contains(rows[0], "this line\t400") || !strings.Contains(rows[0], "200 pairs") || strings.Count(rows[1], "pairs") != 2 {
		t.Errorf("rows %q", rows)
	}
	b.do(chromedp.Click(`#lines tbody tr:nth-child(2) td`))
	b.until(at(1))
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`), chromedp.KeyEvent("\u0301")) // arrow down
	b.do(chromedp.KeyEvent("\u0303"))                                                                    // arrow right
	b.until(at(2))
	b.do(chromedp.KeyEvent("\u0302")) // arrow left
	b.until(at(1))
	b.leave(`history.back()`)
	b.until(at(2))
	games, line := eval[string](b, `document.querySelector("#lines .this td").textContent`), eval[string](b, `now.line`)
	b.do(chromedp.Click(`#games a`))
	b.until(`typeof walk !== "undefined" && walk && document.querySelector("#found").textContent !== "Looking…"`)
	if found := eval[string](b, `document.querySelector("#found").textContent`); found != games+" games" {
		t.Errorf("%s of %s games", found, games)
	}
	b.do(chromedp.Navigate(s.path("/openings?run=one#line=%s", url.QueryEscape(line)))) // as Back does
	b.until(at(2))
	b.do(chromedp.Click(`.line a`))
	b.until(at(0))

	b.look(viewer{width: 360, height: 740, touch: true})
	b.do(chromedp.Navigate(s.path("/")))
	b.until(`document.querySelectorAll("#runs tbody tr").length === 3`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[data-id=one] input").click(); document.querySelector("[data-id=two] input").click(); document.querySelector("#openings").click()`))
	b.until(at(0) + ` && document.querySelector("#about").textContent.startsWith("440 games")`)
	spot := eval[[]float64](b, `(r => [r.x + 5, r.y + r.height / 2])((e => (e.scrollIntoView({block: "center"}), e.getBoundingClientRect()))(document.querySelector("#lines tbody tr:nth-child(2) a")))`)
	b.do(chromedp.TapXY(spot[0], spot[1]))
	b.until(at(1))
	b.fits()
	b.look(viewer{width: 320, height: 740, touch: true})
	b.do(chromedp.Navigate(s.path("/openings?run=one&run=two")))
	b.until(at(0))
	b.fits()
	if links := eval[int](b, `document.querySelectorAll("#games a").length`); links != 2 {
		t.Errorf("%d links to games of two runs", links)
	}
	b.do(chromedp.Navigate(s.path("/openings?run=four#min=4")))
	b.until(`typeof now !== "undefined" && now?.tree.starts && document.querySelector("#noboard").checkVisibility() && !document.querySelector("#board").checkVisibility()`)
}

// asText returns a value in JSON.
func asText(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
