package web

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"selfplaylab/engines/runs"
)

// best asks the game's own player what it would do, as the page's hint does.
const best = `table({...question(g.game), op: "best", preset: "", limits: %q, seed: "1"}).then(d => d.move)`

// scripts are the ways to a quick end; where there is none, players advise.
var scripts = map[string]struct {
	rules, limits string
	moves         []string
}{
	"quoridor":    {},
	"gobang":      {moves: strings.Fields("h8 a1 h9 a2 h10 a3 h11 a4 h12")},
	"connectfour": {moves: nil, limits: "playouts=50"},
	"mills":       {limits: "depth=1", rules: "no_capture=20"},
}

// next is the move that a script or a player wants to be made.
func (b *tab) next(game string, ply int) string {
	b.t.Helper()
	s := scripts[game]
	if ply < len(s.moves) {
		return s.moves[ply]
	}
	return eval[string](b, fmt.Sprintf(best, s.limits))
}

// points are where on the screen one points to make a move.
func (b *tab) points(move string) [][2]float64 {
	b.t.Helper()
	return eval[[][2]float64](b, fmt.Sprintf(`(() => {
		const l = g.shown.legal.find(l => l.move === %q), m = g.board.svg.getScreenCTM();
		g.board.root.scrollIntoView({block: "center"});
		const to = at => { const p = new DOMPoint(...g.board.spot(at)).matrixTransform(g.board.svg.getScreenCTM()); return [p.x, p.y]; };
		return l.wall ? [to({x: (l.wall.x1 + l.wall.x2) / 2, y: (l.wall.y1 + l.wall.y2) / 2})] : l.steps.map(to);
	})()`, move))
}

// byMouse points and clicks; walls need to be said which way they lie.
func (b *tab) byMouse(move string) {
	b.t.Helper()
	if way := move[len(move)-1]; len(move) == 3 && (way == 'h' || way == 'v') {
		b.do(chromedp.Click(fmt.Sprintf(`[data-mode="%c"]`, way)))
	} else if eval[bool](b, `!!g.walls && g.board.mode !== "step"`) {
		b.do(chromedp.Click(`[data-mode="step"]`))
	}
	for _, p := range b.points(move) {
		b.do(chromedp.MouseClickXY(p[0], p[1]))
	}
}

// byTouch is byMouse with a finger.
func (b *tab) byTouch(move string) {
	b.t.Helper()
	for _, p := range b.points(move) {
		b.do(chromedp.TapXY(p[0], p[1]))
	}
}

// byCursor moves the board's cursor with the arrow keys and presses Enter.
func (b *tab) byCursor(move string) {
	b.t.Helper()
	steps := eval[int](b, fmt.Sprintf(`g.shown.legal.find(l => l.move === %q).steps.length`, move))
	for i := range steps {
		for n := 0; ; n++ {
			way := eval[string](b, fmt.Sprintf(`(() => {
				const to = g.shown.legal.find(l => l.move === %q).steps[%d], at = g.board.cursor;
				if (!at) return "ArrowUp";
				if (at.x === to.x && (at.y === to.y || g.shown.kind === "rack")) return "";
				if (at.x !== to.x) return at.x < to.x ? "ArrowRight" : "ArrowLeft";
				return at.y < to.y ? "ArrowDown" : "ArrowUp";
			})()`, move, i))
			if way == "" {
				break
			}
			if n > 60 {
				b.t.Fatalf("the cursor never comes to %s", move)
			}
			b.do(chromedp.KeyEvent(map[string]string{"ArrowUp": "\u0304", "ArrowDown": "\u0301", "ArrowLeft": "\u0302", "ArrowRight": "\u0303"}[way]))
		}
		b.do(chromedp.KeyEvent("\r"))
	}
}

// byTyping types the move.
func (b *tab) byTyping(move string) {
	b.t.Helper()
	b.do(chromedp.SendKeys(`[name=typed]`, move+"\r"))
}

// Whole games of all four games, by mouse, finger, cursor keys and typing; each ends
// by the rules and is kept as a run.
func TestPlay(t *testing.T) {
	root := t.TempDir()
	s := serving(t, root)
	for _, c := range []struct {
		game, how string
		v         viewer
	}{
		{"quoridor", "mouse", viewer{width: 1280}},
		{"gobang", "mouse", viewer{width: 2560, height: 1400, dark: true}},
		{"connectfour", "mouse", viewer{width: 360, height: 740, dark: true}},
		{"mills", "mouse", viewer{width: 1280, dark: true}},
		{"quoridor", "typing", viewer{width: 360, height: 740}},
		{"gobang", "cursor", viewer{width: 1280}},
		{"connectfour", "cursor", viewer{width: 2560, height: 1400}},
		{"mills", "typing", viewer{width: 360, height: 740, dark: true}},
	} {
		t.Run(c.game+" by "+c.how, func(t *testing.T) {
			b := newTab(t, c.v)
			b.do(chromedp.Navigate(s.path("/play#%s", url.Values{"game": {c.game}, "rules": {scripts[c.game].rules}, "second": {""}, "go": {"1"}}.Encode())))
			b.until(`g && g.shown && g.board.playing`)
			b.fits()
			make := map[string]func(string){"mouse": b.byMouse, "cursor": b.byCursor, "typing": b.byTyping}[c.how]
			ply := 0
			for ; eval[string](b, `g.board.root.dataset.outcome`) == ""; ply++ {
				if ply > 400 {
					t.Fatal("the game does not end")
				}
				make(b.next(c.game, ply))
				b.until(fmt.Sprintf(`Number(g.board.root.dataset.ply) === %d && !g.moving`, ply+1))
			}
			b.fits()
			b.contrast()
			b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("button")].find(b => b.textContent.startsWith("Keep the game")).click()`))
			b.until(`document.querySelector("a[href^='games?']")`)
			id := eval[string](b, `new URLSearchParams(document.querySelector("a[href^='games?']").search).get("id")`)
			told, err := runs.Read(filepath.Join(root, id))
			if err != nil {
				t.Fatal(err)
			}
			if summary, err := told.Summary(); err != nil || !summary.Finished || !strings.Contains(summary.Result, fmt.Sprintf("after %d plies", ply)) {
				t.Errorf("kept as %+v, %v; it had %d plies", summary, err, ply)
			}
		})
	}
}

// A player answers; undo takes both moves back; a click is confirmed if asked; what
// is not allowed is said with its reason; resigning ends the game.
func TestAgainstPlayer(t *testing.T) {
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#game=quoridor&confirm=1&go=1&second=v12.7")))
	b.until(`g && g.board.playing`)
	b.byMouse("e2")
	b.until(`g.line.textContent.includes("once more")`)
	if ply := eval[string](b, `g.board.root.dataset.ply`); ply != "0" {
		t.Errorf("a move was made before it was confirmed: ply %s", ply)
	}
	p := b.points("e2")[0]
	b.do(chromedp.MouseClickXY(p[0], p[1]))
	b.until(`g.board.root.dataset.ply === "2" && g.board.playing`)
	if said := eval[string](b, `g.thought.textContent`); !strings.Contains(said, "v12.7") || !strings.Contains(said, "nodes") {
		t.Errorf("the player says %q", said)
	}
	b.byTyping("e8")
	b.until(`g.line.classList.contains("warn")`)
	if why := eval[string](b, `g.line.textContent`); !strings.Contains(why, "pawn cannot step there") {
		t.Errorf("why not: %q", why)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("details:has(.terms) summary").click()`))
	b.until(`document.querySelectorAll(".terms tr").length > 5`)
	b.do(chromedp.Evaluate[chromedp.Void](`g.expects()`))
	b.until(`g.expected.textContent.split(" ").length >= 9`)
	b.do(chromedp.Evaluate[chromedp.Void](`g.back.click()`))
	b.until(`g.board.root.dataset.ply === "0" && g.board.playing`)
	if hash := eval[string](b, `location.hash`); !strings.Contains(hash, "second=v12.7") {
		t.Errorf("the address does not hold the game: %s", hash)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`g.white.click()`))
	b.until(`g.board.root.dataset.outcome === "0-1"`)
}

// A clock that runs out loses; illegal actions count where that is chosen.
func TestClocks(t *testing.T) {
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#game=gobang&go=1&permove=0.3")))
	b.until(`g && g.board.root.dataset.outcome === "0-1"`)
	if said := eval[string](b, `g.line.textContent`); !strings.Contains(said, "by time") {
		t.Errorf("said %q", said)
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#game=quoridor&go=1&strict=1&second=")))
	b.until(`g && g.board.playing`)
	b.byTyping("a9")
	b.until(`g.board.root.dataset.ply === "1" && !g.moving`)
	if moves := eval[string](b, `g.game.moves.join(" ")`); moves != "pass" {
		t.Errorf("an illegal action left %q", moves)
	}
}

// A recorded game is walked through by keys, wheel and slider, turned, and found
// again by its address.
func TestWalk(t *testing.T) {
	root := t.TempDir()
	playMatch(t, root, "one", 6)
	s := serving(t, root)
	for _, v := range viewers[:3] {
		b := newTab(t, v)
		b.do(chromedp.Navigate(s.path("/games?id=one#game=0:2:0&ply=3")))
		b.until(`walk && walk.board.root.dataset.ply === "3"`)
		b.do(chromedp.KeyEvent("\u0303"))
		b.until(`walk.board.root.dataset.ply === "4" && location.hash.includes("ply=4")`)
		b.do(chromedp.KeyEvent("f"))
		b.until(`document.querySelector(".boardbox.flipped")`)
		b.do(chromedp.Evaluate[chromedp.Void](`walk.board.root.dispatchEvent(new WheelEvent("wheel", {deltaY: 100, cancelable: true}))`))
		b.until(`walk.board.root.dataset.ply === "5"`)
		b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("button")].find(b => b.textContent === "Ask the players again").click()`))
		b.until(`walk.moves.some(m => m.score !== undefined) && walk.ply === 5`)
		b.do(chromedp.Evaluate[chromedp.Void](`walk.pair()`))
		b.until(`document.querySelectorAll(".walk .boardbox svg").length === 2`)
		if n := eval[int](b, `document.querySelectorAll("#list li").length`); n != 12 {
			t.Errorf("%d games are listed", n)
		}
		b.fits()
		b.contrast()
		b.do(chromedp.Navigate(s.path("/compare?run=one")))
		b.until(`document.querySelectorAll(".versus tr").length > 3`)
		b.fits()
	}
}
