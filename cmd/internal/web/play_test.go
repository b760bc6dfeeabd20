package web

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/testmode"
)

// best requests the move of the game's player, as the page's hint does.
const best = `table({...question(g.game), op: "best", preset: "", limits: %q, seed: "1"}).then(d => d.move)`

// scripts are the ways to a quick end; where there is none, players advise.
var scripts = map[string]struct {
	rules, limits string
	moves         []string
}{
	"quoridor":    {moves: strings.Fields("e2 a3h e3 d9 e4 c9 e5 b9 e6 a9 e7 a8 e8 b8 e9")},
	"gobang":      {moves: strings.Fields("h8 a1 h9 a2 h10 a3 h11 a4 h12")},
	"connectfour": {}, // each side fills a column
	"mills":       {limits: "depth=1", rules: "no_capture=20"},
	"chess":       {moves: strings.Fields("f2f3 e7e5 g2g4 d8h4")},
}

// columns are connect four's without a forbidden place.
const columns = `g.shown.legal.map(l => l.move).filter(c => !(g.shown.marks ?? []).some(m => m.kind === "forbidden" && m.x === c - 1))`

// next returns the move that a script or a player wants to be made.
func (t *tab) next(game string, ply int) string {
	t.t.Helper()
	s := scripts[game]
	if ply < len(s.moves) {
		return s.moves[ply]
	}
	if game == "connectfour" {
		return eval[string](t, fmt.Sprintf(`%s[%d]`, columns, ply%2))
	}
	return eval[string](t, fmt.Sprintf(best, s.limits))
}

// points are where on the screen one points to make a move.
func (t *tab) points(move string) [][2]float64 {
	t.t.Helper()
	return eval[[][2]float64](t, fmt.Sprintf(`(() => {
		const l = g.shown.legal.find(l => l.move === %q), m = g.board.svg.getScreenCTM();
		g.board.root.scrollIntoView({block: "center"});
		const to = at => { const p = new DOMPoint(...g.board.spot(at)).matrixTransform(g.board.svg.getScreenCTM()); return [p.x, p.y]; };
		return l.wall ? [to({x: (l.wall.x1 + l.wall.x2) / 2, y: (l.wall.y1 + l.wall.y2) / 2})] : l.steps.map(to);
	})()`, move))
}

// byMouse points and clicks; walls need to be said which way they lie.
func (t *tab) byMouse(move string) {
	t.t.Helper()
	if direction := move[len(move)-1]; len(move) == 3 && (direction == 'h' || direction == 'v') {
		t.do(chromedp.Click(fmt.Sprintf(`[data-mode="%c"]`, direction)))
	} else if eval[bool](t, `!!g.walls && g.board.mode !== "step"`) {
		t.do(chromedp.Click(`[data-mode="step"]`))
	}
	for _, p := range t.points(move) {
		t.do(chromedp.MouseClickXY(p[0], p[1]))
	}
}

// byTouch is byMouse with a finger.
func (t *tab) byTouch(move string) {
	t.t.Helper()
	wall := len(move) == 3 && (strings.HasSuffix(move, "h") || strings.HasSuffix(move, "v"))
	if wall {
		t.do(chromedp.Click(fmt.Sprintf(`[data-mode="%s"]`, move[2:])))
	} else if eval[bool](t, `!!g.walls && g.board.mode !== ""`) {
		t.do(chromedp.Click(`[data-mode=""]`))
	}
	for _, p := range t.points(move) {
		t.do(chromedp.TapXY(p[0], p[1]))
		if eval[bool](t, `g.shown.kind === "rooms" || unit * Math.abs(g.board.svg.getScreenCTM().a) < smallest`) { // the first touch only shows it
			t.until(`g.line.textContent.includes("once more") && g.board.layer.querySelectorAll(".ghost, .preview").length === 1`)
			t.do(chromedp.TapXY(p[0], p[1]))
		}
	}
}

// byCursor moves the board's cursor with the arrow keys and presses Enter.
func (t *tab) byCursor(move string) {
	t.t.Helper()
	steps := eval[int](t, fmt.Sprintf(`g.shown.legal.find(l => l.move === %q).steps.length`, move))
	for i := range steps {
		for n := 0; ; n++ {
			direction := eval[string](t, fmt.Sprintf(`(() => {
				const to = g.shown.legal.find(l => l.move === %q).steps[%d], at = g.board.cursor;
				if (!at) return "ArrowUp";
				if (at.x === to.x && (at.y === to.y || g.shown.kind === "rack")) return "";
				if (at.x !== to.x) return at.x < to.x ? "ArrowRight" : "ArrowLeft";
				return at.y < to.y ? "ArrowDown" : "ArrowUp";
			})()`, move, i))
			if direction == "" {
				break
			}
			if n > 60 {
				t.t.Fatalf("the cursor never comes to %s", move)
			}
			t.do(chromedp.KeyEvent(map[string]string{"ArrowUp": "\u0304", "ArrowDown": "\u0301", "ArrowLeft": "\u0302", "ArrowRight": "\u0303"}[direction]))
		}
		t.do(chromedp.KeyEvent("\r"))
	}
}

// byTyping types the move.
func (t *tab) byTyping(move string) {
	t.t.Helper()
	t.do(chromedp.SendKeys(`[name=typed]`, move+"\r"))
}

// TestWholeGamesByAnyInput plays whole games, in the long form of all games, by mouse, finger,
// cursor keys and typing. Each ends by the rules, is saved as a file and opened again.
func TestWholeGamesByAnyInput(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := serving(t, root)
	for i, c := range []struct {
		game, how string
		v         viewer
	}{
		{"quoridor", "mouse", viewer{width: 1280}},
		{"chess", "touch", viewer{width: 360, height: 740, touch: true}},
		{"gobang", "typing", viewer{width: 360, height: 740, dark: true}},
		{"connectfour", "cursor", viewer{width: 2560, height: 1400}},
		{"quoridor", "typing", viewer{width: 360, height: 740}},
		{"gobang", "touch", viewer{width: 360, height: 740, touch: true, dark: true}},
		{"mills", "mouse", viewer{width: 1280, dark: true}},
		{"quoridor", "touch", viewer{width: 360, height: 740, touch: true}},
		{"gobang", "mouse", viewer{width: 2560, height: 1400, dark: true}},
		{"gobang", "cursor", viewer{width: 1280}},
		{"connectfour", "mouse", viewer{width: 360, height: 740, dark: true}},
		{"connectfour", "touch", viewer{width: 360, height: 740, touch: true}},
		{"mills", "touch", viewer{width: 740, height: 360, touch: true}},
		{"mills", "touch", viewer{width: 360, height: 740, touch: true, dark: true}},
		{"mills", "typing", viewer{width: 360, height: 740, dark: true}},
		{"chess", "cursor", viewer{width: 768, height: 1024, dark: true}},
	} {
		if i == 2 && !testmode.Long() {
			break
		}
		t.Run(c.game+" by "+c.how, func(t *testing.T) {
			t.Parallel() // most of the time one waits for the page
			b := newTab(t, c.v)
			b.do(chromedp.Navigate(s.path("/play#%s", url.Values{"game": {c.game}, "rules": {scripts[c.game].rules}, "second": {""}, "go": {"1"}}.Encode())))
			b.until(`g && g.shown && g.board.playing`)
			b.fits()
			make := map[string]func(string){"mouse": b.byMouse, "touch": b.byTouch, "cursor": b.byCursor, "typing": b.byTyping}[c.how]
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
			if c.game != "mills" { // the others' games by advice are long
				b.review(c.how)
			}
			b.savedAndOpened(c.how)
		})
	}
}

// savedAndOpened saves the finished game in each format, and opens the files for review.
func (t *tab) savedAndOpened(how string) {
	t.t.Helper()
	want := eval[[]string](t, `[g.game.game, g.shown.rules, g.game.moves.join(" "), g.ended.outcome]`)
	resigned := eval[bool](t, `g.ended.reason === "resigned"`)
	t.do(chromedp.Evaluate[chromedp.Void](`window.files = []; window.wasSaved = save; save = (name, type, text) => window.files.push({name, text})`))
	formats := eval[[]string](t, `g.about.files`)
	for i, format := range formats {
		t.use(fmt.Sprintf("[data-format=%s]", format), how)
		t.until(fmt.Sprintf(`window.files.length === %d`, i+1))
	}
	t.press("New game")
	for i, format := range formats {
		t.until(`!opened && document.querySelector("input[type=file]")`)
		t.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
			const {name, text} = window.files[%d], chosen = new DataTransfer(), input = document.querySelector("input[type=file]");
			chosen.items.add(new File([text], name));
			input.files = chosen.files;
			input.dispatchEvent(new Event("change", {bubbles: true}));
		}`, i)))
		t.until(`opened?.shown && !opened.busy`)
		got := eval[[]string](t, `[opened.game.game, opened.shown.rules, opened.text(opened.moves.length), opened.game.outcome]`)
		want := slices.Clone(want)
		if resigned && format == "psq" { // which is read for its moves only
			want[3] = engines.Ongoing.String()
		}
		if !slices.Equal(got, want) {
			t.t.Errorf("opened from %s as %q, want %q", format, got, want)
		}
		t.until(`!opened.review.go.disabled`)
		t.fits()
		t.contrast()
		t.press("Back")
	}
	t.until(`!opened`)
	t.do(chromedp.Evaluate[chromedp.Void](`save = window.wasSaved`))
}

// TestOpenFileOfSeveralGames expects the list of a file's games, the chosen game with its review,
// the game of a text that is pasted, and the reason for a file that cannot be read.
func TestOpenFileOfSeveralGames(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 360, height: 740})
	b.do(chromedp.Navigate(s.path("/play#game=chess")))
	b.until(`document.querySelector("input[type=file]")`)
	choose := func(name, text string) {
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`void openFile(new File([%q], %q), "chess", "", document.querySelector(".gamelist"))`, text, name)))
	}
	choose("x.pgn", "1. e4 e4")
	b.until(`document.querySelector("#toast").textContent.startsWith("x.pgn:1: move 2")`)
	b.do(chromedp.Evaluate[chromedp.Void](`{
		const data = new DataTransfer(), text = '[White "alice"]\n[Black "bob"]\n[Result "1-0"]\n[Site "https://lichess.org/x"]\n\n1. e4 { [%eval 0.18] [%clk 0:05:00] } 1... e5 2. Nf3 $1 Nc6?! { (0.10 → 1.05) } (2... Nf6 3. d3 (3. Bc4 $10) 3... Bc5) 3. Bc4 1-0\n';
		data.setData("text", text);
		document.querySelector("[name=pasted]").dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
	}`))
	b.until(`opened?.shown && opened.head.textContent === "alice – bob 1-0" && opened.list.textContent === "1. e4e52. Nf3Nc63. Bc4"`)
	b.press("▶|")
	b.until(`opened.shown.ply === 5 && written(opened.moves.map(m => m.move), opened.shown) === "1. e4 e5 2. Nf3 Nc6 3. Bc4"`)
	b.press("Back")
	b.until(`!opened && document.querySelector("input[type=file]")`)
	choose("x.pgn", "[White \"<b>a\"]\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n[White \"c\"]\n[Black \"d\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")
	b.until(`document.querySelectorAll(".gamelist button").length === 2`)
	if got := eval[string](b, `document.querySelector(".gamelist button").textContent`); got != "<b>a – b 1-0game 1 · 2 plies" {
		t.Errorf("the first game is listed as %q", got)
	}
	b.fits()
	b.contrast()
	b.use(".gamelist li:nth-child(2) button", "mouse")
	b.until(`opened?.shown && !opened.review.go.disabled && opened.head.textContent.startsWith("c – d 0-1 by ")`)
	b.press("Where was it lost?")
	b.until(`opened.review.costly?.some(c => c.move === "g2g4")`)
	b.fits()
	b.contrast()
}

// use presses a button by mouse, finger or keyboard.
func (t *tab) use(selector, how string) {
	t.t.Helper()
	at := eval[[]float64](t, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector))
	switch how {
	case "mouse":
		t.do(chromedp.MouseClickXY(at[0], at[1]))
	case "touch":
		t.do(chromedp.TapXY(at[0], at[1]))
	default:
		t.do(chromedp.Focus(selector), chromedp.KeyEvent("\r"))
	}
}

// review asks where a finished game was lost: its most costly moves are marked on the
// graph and on the board, each with a better move whose continuation can be seen, and the
// cost has its basis.
func (t *tab) review(how string) {
	t.t.Helper()
	t.use(".lost", how)
	t.until(`g.walk?.review.costly && !g.walk.review.asking`)
	costly := eval[[]map[string]any](t, `g.walk.review.costly`)
	if n := len(costly); n < 1 || n > 3 || n != eval[int](t, `document.querySelectorAll(".scores .slip").length`) {
		t.t.Fatalf("%d costly moves: %v", n, costly)
	}
	loser := eval[float64](t, `g.ended.outcome === "1-0" ? 1 : 0`)
	found := false
	for _, c := range costly {
		found = found || c["side"] == loser
		if c["move"] == c["better"] || c["cost"].(float64) <= 0 {
			t.t.Errorf("a costly move: %v", c)
		}
	}
	if !found {
		t.t.Errorf("no move of the loser: %v", costly)
	}
	last := len(costly)
	t.use(fmt.Sprintf(`.costly li:nth-child(%d) [data-ply]`, last), how)
	t.until(fmt.Sprintf(`g.walk.board.root.dataset.ply === "%v" && [...g.walk.board.layer.querySelectorAll(".weighed")].map(e => e.textContent + e.dataset.move).sort().join() === %q`,
		costly[last-1]["ply"], fmt.Sprintf("!%s,?%s", costly[last-1]["better"], costly[last-1]["move"])))
	if line := eval[string](t, fmt.Sprintf(`document.querySelector(".costly li:nth-child(%d) .better").textContent`, last)); !strings.HasPrefix(line, fmt.Sprintf("Better: %s (", costly[last-1]["text"])) || !strings.HasSuffix(line, ")") {
		t.t.Errorf("the better line is %q", line)
	}
	t.use(fmt.Sprintf(`.costly li:nth-child(%d) [data-line="0"]`, last), how)
	t.until(fmt.Sprintf(`g.walk.said.textContent === "The better line: %s" && g.walk.board.shown.ply === %v + 1`, costly[last-1]["text"], costly[last-1]["ply"]))
	text := eval[string](t, `g.walk.review.root.innerText.replace(/\s+/g, " ")`)
	if !strings.Contains(text, "points of winning chance: from") || !strings.Contains(text, "Judged by level 8 (") || !strings.Contains(text, fmt.Sprintf("fitted to %d games", fittedGames(eval[string](t, `g.about.name`)))) {
		t.t.Errorf("the review says %q", text)
	}
	t.fits()
	t.contrast()
	t.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("button")].find(b => b.textContent === "Back to the result").click()`))
	t.until(`!g.walk && document.querySelector(".lost").checkVisibility()`)
}

// fittedGames returns the number of games behind the winning chances of a game.
func fittedGames(game string) int {
	if game == "quoridor" { // its scores tell little
		return 400
	}
	return 300
}

// TestPiecesAreDragged expects a piece to follow the pointer, to come back from beside the board and
// from squares that it cannot reach, and to move by being dropped: by mouse and finger, in each game
// whose pieces move. A promotion is chosen on the board, by mouse or keyboard.
func TestPiecesAreDragged(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	for _, c := range []struct {
		game, position, moves, from, wrong, to, move string
		v                                            viewer
	}{
		{"chess", "", "", "e2", "e5", "e4", "e2e4", viewer{width: 1280}},
		{"chess", "", "e2e4", "d7", "d4", "d5", "d7d5", viewer{width: 360, height: 740, touch: true, dark: true}},
		{"mills", "WWW.W.../BBB.B.../........ W 0 0", "", "d7", "d1", "", "", viewer{width: 1280}},
		{"quoridor", "", "", "e1", "e4", "e2", "e2", viewer{width: 360, height: 740, touch: true}},
	} {
		b := newTab(t, c.v)
		b.do(chromedp.Navigate(s.path("/play#%s", url.Values{"game": {c.game}, "first": {""}, "second": {""}, "position": {c.position}, "moves": {c.moves}, "go": {"1"}}.Encode())))
		b.until(`g && g.board.playing`)
		b.where = c.game
		if c.game == "mills" { // the first step to a free point
			to := eval[[]string](b, `(() => { const l = g.shown.legal.find(l => l.steps.length === 2 && !pieceAt(g.shown, l.steps[1])), [from, to] = l.steps.map(at => g.board.place(at.x, at.y).name); return [from, to, l.move]; })()`)
			c.from, c.to, c.move = to[0], to[1], to[2]
		}
		if dots := eval[int](b, `g.board.layer.querySelectorAll(".hint-at").length`); (dots > 0) != (c.game == "quoridor") {
			t.Errorf("%s: %d marks before a piece is taken up", c.game, dots)
		}
		at := func(name string) [2]float64 {
			p := eval[[]float64](b, fmt.Sprintf(`(() => { g.board.root.scrollIntoView({block: "center"}); const p = new DOMPoint(...g.board.spot(g.shown.places.find(p => p.name === %q))).matrixTransform(g.board.svg.getScreenCTM()); return [p.x, p.y]; })()`, name))
			return [2]float64{p[0], p[1]}
		}
		const held = `g.board.hand.childElementCount === 1 && g.board.svg.querySelectorAll(".lifted").length === 1`
		for _, to := range []string{c.wrong, "", c.to} {
			from, end := at(c.from), [2]float64{at(c.from)[0], 2}
			if to != "" {
				end = at(to)
			}
			b.drag(c.v.touch, from, end, func() {
				b.until(held)
				if c.game == "chess" && !eval[bool](b, `g.board.layer.querySelectorAll(".hint-at").length === 2`) {
					t.Error("a pawn that is taken up has not two marks")
				}
			})
			if to != c.to {
				b.until(`!g.board.held && !g.board.hand.childElementCount && !g.board.svg.querySelector(".lifted") && !g.board.chosen.length && !g.moving`)
				if n := eval[int](b, `g.game.moves.length`); n != len(strings.Fields(c.moves)) {
					t.Errorf("%s: %d moves after a drop on %q", c.game, n, to)
				}
			}
		}
		b.until(fmt.Sprintf(`g.game.moves.at(-1) === %q && !g.moving`, c.move))
		b.fits()
	}
	b := newTab(t, viewer{width: 1280})
	for _, key := range []bool{false, true} {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#%s", url.Values{"game": {"chess"}, "go": {"1"}, "second": {""}, "position": {"3rk3/4P3/8/8/8/8/P7/4K3 w - -"}}.Encode())))
		b.until(`g && g.board.playing`)
		b.byMouse("e7d8n")
		b.until(`document.querySelectorAll(".choices button").length === 4 && document.activeElement.dataset.move === "e7d8q"`)
		if names := eval[string](b, `[...document.querySelectorAll(".choices button")].map(e => e.title).join(" ")`); names != "queen rook bishop knight" {
			t.Errorf("the chooser offers %s", names)
		}
		b.contrast()
		if key {
			b.do(chromedp.KeyEvent("\u0301"), chromedp.KeyEvent("\r"))
		} else {
			b.do(chromedp.KeyEvent("\u001b"))
			b.until(`!document.querySelector(".choices") && !g.board.chosen.length`)
			b.byMouse("e7d8r")
			b.do(chromedp.Click(`.choices [data-move="e7d8r"]`))
		}
		b.until(`g.game.moves.join() === "e7d8r" && !g.moving && g.list.textContent === "1. exd8=R+"`)
		if said := eval[string](b, `g.line.textContent`); !strings.Contains(said, "Black is in check") {
			t.Errorf("the status is %q", said)
		}
	}
}

// TestChessPlayersFindTheirBoard expects castling also by the rook's square, moves numbered as the FEN
// says, reasons for pieces that cannot be taken up, ends in a player's words, and the captured men and the
// lead in material beside the board, at earlier positions and in recorded games too.
func TestChessPlayersFindTheirBoard(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	playMatch(t, root, "chess", 1, func(a *match.Config) {
		a.Game.Game, a.A, a.B = "chess", player.Ask("level:2"), player.Ask("level:1")
	})
	s := serving(t, root)
	b := newTab(t, viewer{width: 1280})
	open := func(position, moves string) {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#%s", url.Values{"game": {"chess"}, "first": {""}, "second": {""}, "position": {position}, "moves": {moves}, "go": {"1"}}.Encode())))
		b.until(`g && g.board.playing`)
	}
	at := func(square string) [2]float64 {
		x, y := b.at(square)
		return [2]float64{x, y}
	}
	click := func(square string) {
		x, y := b.at(square)
		b.do(chromedp.MouseClickXY(x, y))
	}
	open("r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 3 30", "")
	b.drag(false, at("e1"), at("h1"), func() {})
	b.until(`g.game.moves.join() === "e1g1" && !g.moving`)
	click("e8")
	b.until(`g.line.textContent === "Where to?"`)
	click("a8")
	b.until(`g.game.moves.join() === "e1g1,e8c8" && !g.moving && g.list.textContent === "30. O-OO-O-O" && g.line.textContent === "Move 31: White to move: your move."`)
	for _, c := range []struct{ square, why string }{{"a4", "No piece stands on a4."}, {"a7", "The piece on a7 is your opponent's."}, {"g1", "The king on g1 has no legal move."}} {
		if c.square == "g1" {
			open("4r1k1/8/8/8/8/8/5PPP/N4RKR w - -", "")
		}
		click(c.square)
		b.until(fmt.Sprintf(`$("#toast").textContent === %q`, c.why))
	}
	open("4r1k1/8/8/8/8/8/8/N3K3 w - -", "")
	click("a1")
	b.until(`$("#toast").textContent === "The knight on a1 has no legal move: your king is in check."`)
	for _, c := range []struct{ position, from, to, end string }{
		{"7k/8/5K2/8/8/8/8/R7 w - - 99 80", "a1", "a2", "Draw by the fifty-move rule: 1/2 after 1 move."},
		{"7k/8/8/8/8/8/rK6/B7 w - -", "b2", "a2", "Draw by insufficient material: 1/2 after 1 move."},
		{"7k/8/5KQ1/8/8/8/8/8 w - -", "g6", "g7", "White wins by checkmate: 1-0 after 1 move."},
	} {
		open(c.position, "")
		b.drag(false, at(c.from), at(c.to), func() {})
		b.until(fmt.Sprintf(`g.line.textContent === %q`, c.end))
	}
	if says := eval[string](b, `(g.ended = null, g.finish("0-1", "clock"), g.line.textContent)`); says != "Black wins on time: 0-1 after 1 move." {
		t.Errorf("a clock that ran out is told as %q", says)
	}
	const beside = `[...document.querySelectorAll(".around")].map(e => [...e.querySelectorAll(".captured")].map(c => c.title + c.textContent).join("|")).join(" and ")`
	open("", "e2e4 d7d5 e4d5 d8d5 b1c3 d5e5")
	if got := eval[string](b, beside); got != "captured: pawn|captured: pawn" {
		t.Errorf("beside the board: %q", got)
	}
	b.use(`.movelist [data-ply="3"]`, "mouse")
	b.until(beside + ` === "|captured: pawn+1" && g.board.shown.ply === 3`)
	b.do(chromedp.Navigate(s.path("/games?id=chess#game=0:0:0&pair=1")))
	b.until(`walk?.shown && walk.otherBoard && document.querySelectorAll(".walk .boardbox svg").length === 2`)
	b.press("▶|")
	b.until(`walk.shown.outcome && !walk.busy`)
	if got, want := eval[string](b, beside), eval[string](b, `[walk.shown, walk.otherBoard.board.shown].map(({sides}) => [1, 0].map(side => {
		const {captured = "", lead = 0} = sides[side], list = ["q", "r", "b", "n", "p"].flatMap(k => [...captured].filter(l => l.toLowerCase() === k).map(() => manNames[k]));
		return (list.length ? "captured: " + list.join(", ") : "") + (lead ? "+" + lead : "");
	}).join("|")).join(" and ")`); got != want || !strings.Contains(got, "captured: ") {
		t.Errorf("beside the boards of a recorded pair: %q, want %q", got, want)
	}
	if names := eval[string](b, `[...document.querySelectorAll(".around .plate bdi[translate=no]")].map(e => e.textContent).join()`); names != "B (level:1),A (level:2),A (level:2),B (level:1)" {
		t.Errorf("the boards name %s", names)
	}
	b.contrast()
	b.look(viewer{width: 360, height: 740, touch: true, dark: true})
	b.fits()
	b.contrast()
}

// drag moves the pointer from a point to another with a button or a finger down, and looks before it
// lifts.
func (t *tab) drag(finger bool, from, to [2]float64, look func()) {
	t.t.Helper()
	if !finger {
		t.do(chromedp.MouseEvent(chromedp.MouseMoved, from[0], from[1]), chromedp.MouseEvent(chromedp.MousePressed, from[0], from[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
		t.do(chromedp.MouseEvent(chromedp.MouseMoved, (from[0]+to[0])/2, (from[1]+to[1])/2, chromedp.ButtonLeft), chromedp.MouseEvent(chromedp.MouseMoved, to[0], to[1], chromedp.ButtonLeft))
		look()
		t.do(chromedp.MouseEvent(chromedp.MouseReleased, to[0], to[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
		return
	}
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		t.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
			return err
		}))
	}
	touch("touchStart", &input.TouchPoint{X: from[0], Y: from[1]})
	touch("touchMove", &input.TouchPoint{X: (from[0] + to[0]) / 2, Y: (from[1] + to[1]) / 2})
	touch("touchMove", &input.TouchPoint{X: to[0], Y: to[1]})
	look()
	touch("touchEnd")
}

// TestUntouchableMovesHaveButtons expects a button for each move that no touch can make.
func TestUntouchableMovesHaveButtons(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 390})
	b.do(chromedp.Navigate(s.path("/play#%s", url.Values{"game": {"chess"}, "confirm": {"1"}, "go": {"1"}, "second": {""}, "position": {"3rk3/4P3/8/8/8/8/P7/4K3 w - -"}}.Encode())))
	b.until(`g && g.shown && g.board.playing`)
	// Nothing is drawn of a move without places, which no game here has.
	if n := eval[int](b, `(() => {
		const board = new Board({move: () => {}, wrong: () => {}, say: () => {}});
		board.confirm = true;
		board.show({...g.shown, legal: [{move: "pass", button: true}]}, true);
		board.weigh(["pass"]);
		board.overlay("pass");
		board.untouchable()[0].click();
		return board.pending === "pass" ? board.untouchable().length : 0;
	})()`); n != 1 {
		t.Errorf("%d buttons for a pass", n)
	}
	b.byMouse("e7d8n")
	b.do(chromedp.Click(`.choices [data-move="e7d8n"]`))
	b.until(`g.line.textContent.includes("once more")`)
	b.fits()
	b.look(viewer{width: 320, height: 256}) // as of 1,280 by 1,024 at 400 %
	b.fits()
	b.look(viewer{width: 390})
	p := b.points("e7d8n")[1]
	b.do(chromedp.MouseClickXY(p[0], p[1]))
	b.until(`g.board.root.dataset.ply === "1"`)
	if moves := eval[string](b, `g.game.moves.join(" ")`); moves != "e7d8n" || eval[int](b, `g.others.children.length`) != 0 {
		t.Errorf("moves %q", moves)
	}
	// Of two quick undos the answer to the first comes last.
	b.byTyping("Kxd8") // as books write it
	b.until(`g.board.root.dataset.ply === "2" && !g.moving && g.game.moves[1] === "e8d8"`)
	b.do(chromedp.Evaluate[chromedp.Void](`(async () => {
		const ask = table, held = [];
		table = question => new Promise(go => held.push(() => ask(question).then(go)));
		g.analysis.halt.disabled = false; // as while it searches
		g.undo();
		window.still = g.analysis.halt.disabled;
		g.undo();
		table = ask;
		await held[1]();
		await held[0]();
		setTimeout(() => { window.overtaken = true; });
	})()`))
	b.until(`window.overtaken`)
	if ply := eval[int](b, `g.shown.ply`); ply != 0 || eval[int](b, `g.game.moves.length`) != 0 {
		t.Errorf("after two undos the board is at ply %d", ply)
	}
	if !eval[bool](b, `window.still`) {
		t.Error("the position waits for an analysis")
	}
}

// TestPlayerAnswersPerson expects an answer to each move. Undo takes both moves back; a click is
// confirmed if so chosen; an illegal move has its reason; resigning ends the game.
func TestPlayerAnswersPerson(t *testing.T) {
	t.Parallel()
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
	if text := eval[string](b, `g.thought.textContent`); !strings.Contains(text, "v12.7") || !strings.Contains(text, "nodes") {
		t.Errorf("the player says %q", text)
	}
	b.byTyping("e8")
	b.until(`!$("#toast").hidden`)
	if why := eval[[]string](b, `[$("#toast").textContent, g.line.textContent]`); !strings.Contains(why[0], "pawn cannot step there") || !strings.Contains(why[1], "to move: your move") {
		t.Errorf("why not: %q", why)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("details:has(.terms) summary").click()`))
	b.until(`document.querySelectorAll(".terms tr").length > 5`)
	b.do(chromedp.Evaluate[chromedp.Void](`g.expects()`))
	b.until(`g.expected.textContent.split(" ").length >= 6`)
	b.do(chromedp.Evaluate[chromedp.Void](`g.back.click()`))
	b.until(`g.board.root.dataset.ply === "0" && g.board.playing`)
	if hash := eval[string](b, `location.hash`); !strings.Contains(hash, "second=v12.7") {
		t.Errorf("the address does not hold the game: %s", hash)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`g.white.click()`))
	b.until(`g.white.textContent === "Resign: sure?" && !g.ended`)
	b.do(chromedp.Evaluate[chromedp.Void](`g.white.click()`))
	b.until(`g.board.root.dataset.outcome === "0-1"`)
}

// TestLevelStartsByClick expects a game against the level that the sentence of the form names, with its
// name on the board.
func TestLevelStartsByClick(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 360})
	b.do(chromedp.Navigate(s.path("/play#game=quoridor")))
	b.until(`document.querySelector("[name=opponent]")?.value === "level:4"`) // the first time
	b.choose("opponent", "level:1")
	b.do(chromedp.Click(".sentence button"))
	b.until(`g && g.board.playing`)
	b.byTyping("e2")
	b.until(`g.board.root.dataset.ply === "2" && g.board.playing`)
	if text := eval[string](b, `g.thought.textContent`); !strings.Contains(text, "level 1: beginner 初学") {
		t.Errorf("the player says %q", text)
	}
	plates := eval[[]string](b, `[...g.around.root.children].map(e => e.textContent)`)
	if len(plates) != 4 || !strings.Contains(plates[0], "level 1: beginner 初学") || !strings.Contains(plates[3], "you") {
		t.Errorf("around the board: %q", plates)
	}
	b.use(`.movelist [data-ply="1"]`, "touch") // an earlier position, and back
	b.until(`g.board.root.dataset.ply === "1" && g.board.shown.ply === 1 && !g.board.playing`)
	b.use(`.movelist [data-ply="2"]`, "keys")
	b.until(`g.board.root.dataset.ply === "2" && g.board.playing`)
	// The estimate is the level with the largest likelihood of such results, with its interval.
	if got := eval[string](b, `(() => {
		const levels = g.about.levels, says = list => { const r = rating(levels, list); return r.level ? [r.n, r.low, r.level, r.high].join(" ") : "none of " + r.n; };
		const at = (level, points, n) => Array.from({length: n}, () => ({level, points}));
		return [says(at(4, 1, 2)), says([...at(5, 1, 20), ...at(5, 0, 20)]), says(at(10, 1, 20)), says(at(1, 0, 3)), says([...at(4, 1, 3), ...at(6, 0, 2), ...at(5, 0.5, 1)])].join(", ");
	})()`); got != "none of 2, 40 4 5 6, 20 10 10 10, 3 1 1 2, 6 3 5 8" {
		t.Errorf("levels by results: %s", got)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`kept.set("rated.quoridor", [{id: "a", level: 1, points: 1}, {id: "b", level: 2, points: 0}]), g.white.click(), g.white.click()`))
	b.until(`g.over.textContent.includes("By your last 3 games against levels you are about level 1 (")`)
	if counts := eval[string](b, `(g.shown.rules += "x", g.rate("0-1").textContent)`); !strings.Contains(counts, "does not count towards your level") {
		t.Errorf("of a game by other rules it says %q", counts)
	}
	if hash := eval[string](b, `location.hash`); !strings.Contains(hash, "second=level%3A1") {
		t.Errorf("the address does not hold the level: %s", hash)
	}
}

// choose chooses a value of a list.
func (t *tab) choose(name, value string) {
	t.t.Helper()
	t.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{ const e = $("[name=%s]"); e.value = %q; e.dispatchEvent(new Event("change", {bubbles: true})); }`, name, value)))
}

// TestSentenceStandsForFields expects the opponent, side and clock of the form's sentence in the fields
// below it and in the game, what the fields have in the sentence, the choices again the next time,
// and the keyboard's focus on the game that it chose.
func TestSentenceStandsForFields(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#game=gobang")))
	b.until(`document.querySelector(".pick")`)
	b.do(chromedp.Focus(".pick button:nth-child(5)"), chromedp.KeyEvent("\r"))
	b.until(`document.activeElement.textContent.startsWith("Chess") && document.activeElement.getAttribute("aria-pressed") === "true"`)
	const sentence = `["opponent", "colour", "clock"].map(name => $("[name=" + name + "]").selectedOptions[0].text).join()`
	expect := func(want string) {
		t.Helper()
		if got := eval[string](b, sentence+` + "; " + ["first", "second", "permove", "pergame", "perinc"].map(name => $("[name=" + name + "]").value).join()`); got != want {
			t.Errorf("the form is %q, want %q", got, want)
		}
	}
	expect("level 4: improver 进步,White,no clock; ,level:4,,,")
	b.choose("clock", "0 3 2")
	b.choose("colour", "1")
	b.choose("opponent", "master")
	expect("master,Black,3 min + 2 s; master,,,3,2")
	b.choose("second", "level:2") // nobody sits at the board
	b.choose("pergame", "4")
	expect("set below,Black,set below; master,level:2,,4,2")
	b.choose("first", "")
	expect("level 2: novice 入门,White,set below; ,level:2,,4,2")
	if folded := eval[bool](b, `!$("#setup details").open`); !folded {
		t.Error("the fields stand open")
	}
	b.choose("clock", "own")
	if !eval[bool](b, `$("#setup details").open`) {
		t.Error("the fields that the clock is set in are not shown")
	}
	b.choose("opponent", "level:1")
	b.choose("colour", "1")
	b.choose("clock", "0 5 0")
	b.do(chromedp.Focus(".pick button:nth-child(2)"), chromedp.KeyEvent("\r"))
	b.until(`$(".pick [aria-pressed=true]").textContent.startsWith("Gobang")`)
	if got := eval[string](b, sentence); got != "level 1: beginner 初学,White,5 min" { // Black begins
		t.Errorf("the next game begins with %q", got)
	}
	b.do(chromedp.Focus(".pick button:nth-child(5)"), chromedp.KeyEvent("\r"))
	b.until(`$(".pick [aria-pressed=true]").textContent.startsWith("Chess")`)
	b.do(chromedp.Focus("[name=clock]"), chromedp.KeyEvent("\t"), chromedp.KeyEvent("\r")) // the button that begins it
	b.until(`g?.shown && g.game.moves.length === 1 && g.board.playing && g.board.flipped && g.left[1] === 300`)
	if seats := eval[string](b, `g.seats.join()`); seats != "level:1," {
		t.Errorf("the players are %q", seats)
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#go=1&first=&second=&analyse=1")))
	b.until(`g?.board.playing`)
	b.do(chromedp.Focus("[name=game]"))
	b.choose("game", "mills")
	b.until(`g?.game.game === "mills" && document.activeElement.name === "game"`)
}

// TestClockLosesGame expects a loss when a clock runs out. Quoridor as in its source gives a second
// a move, takes the turn of a player who tries an illegal move, and the game at the third time.
func TestClockLosesGame(t *testing.T) {
	testmode.SkipUnlessLong(t) // waits for clocks
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#game=gobang&go=1&permove=0.3")))
	b.until(`g && g.board.root.dataset.outcome === "0-1"`)
	if text := eval[string](b, `g.line.textContent`); !strings.Contains(text, "on time") {
		t.Errorf("said %q", text)
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#game=quoridor&second=")))
	b.until(`document.querySelector("[name=strict]")`)
	b.do(chromedp.Click(`#setup summary`), chromedp.Click(`[name=strict]`))
	if second := eval[string](b, `document.querySelector("[name=permove]").value`); second != "1" {
		t.Errorf("as in its source a move has %q seconds, want 1", second)
	}
	b.do(chromedp.SetValue(`[name=permove]`, "60"), chromedp.Click(`#setup button[type=submit]`)) // the rest is no test of speed
	b.until(`g && g.board.playing`)
	for i, move := range []string{"a9", "e8", "a9", "e7", "a9"} {
		b.byTyping(move)
		if i < 4 {
			b.until(fmt.Sprintf(`g.board.root.dataset.ply === "%d" && !g.moving`, i+1))
		}
	}
	b.until(`g.board.root.dataset.outcome === "0-1"`)
	if moves, text := eval[string](b, `g.game.moves.join(" ")`), eval[string](b, `g.line.textContent`); moves != "pass e8 pass e7" || !strings.Contains(text, "by illegal") {
		t.Errorf("three illegal actions left %q, and %q is said", moves, text)
	}
}

// TestConfirmByClock plays gobang as in the window of its source: a clock that counts down, a
// second click to confirm, resigning.
func TestConfirmByClock(t *testing.T) {
	testmode.SkipUnlessLong(t) // waits for a clock
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#game=gobang&go=1&permove=45&confirm=1&second=")))
	b.until(`g && g.board.playing`)
	b.until(`Number(g.around.root.querySelector(".plate[data-turn=true] b").textContent) < 45 && g.around.root.querySelector(".plate[data-turn=false] b").textContent === "45.0"`)
	p := b.points("h8")[0]
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, p[0], p[1])) // the stone shows before it is placed
	b.until(`g.board.layer.querySelectorAll(".preview").length === 1`)
	b.byMouse("h8")
	b.until(`g.line.textContent.includes("once more")`)
	b.do(chromedp.KeyEvent("\u001b")) // thinks again
	b.do(chromedp.KeyEvent("?"))
	b.until(`document.querySelector("dialog.keys[open]")?.textContent.includes("move the cursor")`)
	b.contrast()
	b.do(chromedp.KeyEvent("\u001b"))
	b.until(`!document.querySelector("dialog")`)
	// Sounds are off until they are switched on; a move glides where motion is welcome.
	b.do(chromedp.Evaluate[chromedp.Void](`window.tones = 0, AudioContext.prototype.createOscillator = (was => function() { tones++; return was.call(this); })(AudioContext.prototype.createOscillator)`))
	b.byMouse("j9")
	b.until(`g.line.textContent.includes("j9: once more")`)
	b.byMouse("j9")
	b.until(`g.board.root.dataset.ply === "1" && g.around.root.querySelector(".plate[data-side='1']").dataset.turn === "true"`)
	if moves := eval[string](b, `g.game.moves.join(" ")`); moves != "j9" {
		t.Errorf("the moves are %q", moves)
	}
	if tones := eval[int](b, `tones`); tones != 0 {
		t.Errorf("%d tones are played although sounds are off", tones)
	}
	b.press("Sound")
	b.byMouse("k10")
	b.byMouse("k10")
	b.until(`g.board.root.dataset.ply === "2" && tones === 2`)
	for calm, want := range map[bool]int{true: 0, false: 1} {
		if n := eval[int](b, fmt.Sprintf(`(() => {
			const was = window.matchMedia, now = g.board.shown;
			window.matchMedia = () => ({matches: %v});
			g.board.show({...now, ply: 1, pieces: now.pieces.slice(0, 1)});
			for (const a of g.board.svg.getAnimations({subtree: true})) a.finish();
			g.board.show(now, true);
			window.matchMedia = was;
			return g.board.svg.getAnimations({subtree: true}).length;
		})()`, calm)); n != want {
			t.Errorf("%d moving pieces, want %d where less motion is wished: %v", n, want, calm)
		}
	}
	b.byMouse("l11")
	b.byMouse("l11")
	b.until(`g.board.root.dataset.ply === "3"`)
	b.do(chromedp.Evaluate[chromedp.Void](`g.white.click(), g.white.click()`))
	b.until(`g.board.root.dataset.outcome === "1-0" && g.line.textContent.includes("since the other side resigned")`)
}

// TestBarredPointsAreMarked expects a mark on a point of mills where a man was taken, while men are
// placed, and the reason after a click.
func TestBarredPointsAreMarked(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#%s", url.Values{"game": {"mills"}, "first": {""}, "second": {""}, "moves": {"a7 a1 d7 d1 g7xa1"}, "go": {"1"}}.Encode())))
	b.until(`g && g.board.playing`)
	if marked := eval[bool](b, `g.shown.marks.some(m => m.kind === "forbidden" && g.board.place(m.x, m.y).name === "a1")`); !marked {
		t.Error("a1 is not marked")
	}
	at := eval[[]float64](b, `(() => { g.board.root.scrollIntoView({block: "center"}); const [x, y] = g.board.spot(g.shown.places.find(p => p.name === "a1")), p = new DOMPoint(x, y).matrixTransform(g.board.svg.getScreenCTM()); return [p.x, p.y]; })()`)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	b.until(`$("#toast").textContent.includes("forbid")`)
	if why, ply := eval[string](b, `$("#toast").textContent`), eval[string](b, `g.board.root.dataset.ply`); !strings.Contains(why, "rules forbid that place") || ply != "5" {
		t.Errorf("at ply %s it says %q", ply, why)
	}
	if hand := eval[string](b, `g.shown.counters.map(c => c.value + " " + c.name).join(", ")`); hand != "9 in hand, 10 in hand" {
		t.Errorf("in hand are %s", hand)
	}
}

// TestSetUpFromCopiedPosition copies a position from one board to another, by the form; undo stops
// there.
func TestSetUpFromCopiedPosition(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	list := map[string]string{"mills": "a7 a1 d7 d1 g7xa1"} // where the most is to be set up
	if testmode.Long() {
		list["quoridor"], list["gobang"], list["connectfour"] = "e2 e8 d1h", "h8 h9 j9", "4 4 5"
	}
	for game, moves := range list {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#%s", url.Values{"game": {game}, "first": {""}, "second": {""}, "moves": {moves}, "go": {"1"}}.Encode())))
		b.until(`g && g.board.playing`)
		b.do(chromedp.Evaluate[chromedp.Void](`navigator.clipboard.writeText = t => { localStorage.copied = t; return Promise.resolve(); }`))
		b.press("Copy position")
		want := eval[string](b, `localStorage.copied`)
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#%s", url.Values{"game": {game}, "first": {""}, "second": {""}}.Encode())))
		b.until(`document.querySelector("[name=position]") && !document.querySelector("[name=position]").checkVisibility()`)
		b.do(chromedp.Click(`#setup summary`))
		b.choose("start", "given")
		b.do(chromedp.SendKeys(`[name=position]`, want), chromedp.Click(`#setup button[type=submit]`))
		b.until(`g && g.board.playing`)
		if got := eval[string](b, `g.shown.position`); want == "" || got != want {
			t.Errorf("%s: set up is %q, copied was %q", game, got, want)
		}
		first := eval[string](b, `g.shown.legal[0].move`)
		b.byTyping(first)
		b.until(`g.board.root.dataset.ply === "1" && !g.moving`)
		b.press("Undo")
		b.until(`g.board.root.dataset.ply === "0" && g.back.disabled`)
		if got := eval[string](b, `g.shown.position`); got != want {
			t.Errorf("%s: undone is %q", game, got)
		}
	}
}

// press clicks the button of a text.
func (t *tab) press(text string) {
	t.t.Helper()
	t.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`[...document.querySelectorAll("main button")].find(b => b.textContent === %q).click()`, text)))
}

// TestRecordedGameIsWalked walks through a recorded game by keys, wheel, slider and graph. The game
// can be turned, copied, opened in play, and found again by its address. The other game of its pair
// is next to it, with the ply at which the two part. A phone on its side and every width show the
// board alone and with the other one.
func TestRecordedGameIsWalked(t *testing.T) {
	testmode.SkipUnlessLong(t) // a recorded game in several windows
	t.Parallel()
	root := t.TempDir()
	playMatch(t, root, "one", 6, func(a *match.Config) { a.RecordMoves = "on" })
	s := serving(t, root)
	list := append([]viewer{{width: 740, height: 360, touch: true}}, viewers...)
	b := newTab(t, list[0])
	for _, v := range list {
		b.look(v)
		b.where = v.String()
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/games?id=one#game=0:2:0&ply=3")))
		b.until(`walk && walk.board.root.dataset.ply === "3"`)
		if out := eval[float64](b, `document.querySelector(".steps input").getBoundingClientRect().right - document.querySelector(".steps").getBoundingClientRect().right`); out > 0 {
			t.Errorf("%s: the slider reaches %g px into what is next to it", b.where, out)
		}
		b.do(chromedp.KeyEvent("\u0303"))
		b.until(`walk.board.root.dataset.ply === "4" && location.hash.includes("ply=4")`)
		b.do(chromedp.KeyEvent("f"))
		b.until(`document.querySelector(".boardbox.flipped")`)
		wheel := b.middle(".boardbox", 0.5)
		b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, wheel[0], wheel[1], func(e *input.DispatchMouseEventParams) { e.DeltaX, e.DeltaY = 0.1, 100 }))
		b.until(`walk.board.root.dataset.ply === "5"`)
		plies := eval[int](b, `walk.moves.length`)
		graph := b.middle(".scores", 0.75)
		b.do(chromedp.MouseClickXY(graph[0], graph[1]))
		b.until(fmt.Sprintf(`Math.abs(walk.ply - %v) <= 1 && Number(walk.board.root.dataset.ply) === walk.ply`, 0.75*float64(plies)))
		slider := b.middle(".steps input", 0.5)
		b.do(chromedp.MouseClickXY(slider[0], slider[1]))
		b.until(fmt.Sprintf(`Math.abs(walk.ply - %v) <= 2 && Number(walk.board.root.dataset.ply) === walk.ply`, 0.5*float64(plies)))
		b.press("The other game of the pair")
		b.until(`document.querySelectorAll(".walk .boardbox svg").length === 2 && walk.other.textContent.includes("They diverged at ply " + (walk.game.parts + 1) + ":")`)
		if beside := eval[bool](b, `(() => { const [a, b] = [...document.querySelectorAll(".walk .boardbox")].map(e => e.getBoundingClientRect()); return a.right <= b.left && Math.abs(a.top - b.top) < 2; })()`); beside != (v.width >= 900) {
			t.Errorf("%s: side by side is %v", b.where, beside)
		}
		if alike := eval[bool](b, `walk.flip(), [...document.querySelectorAll(".walk .boardbox")].every(e => e.classList.contains("flipped") === walk.board.flipped)`); !alike {
			t.Errorf("%s: one of the two boards is turned", b.where)
		}
		b.fits()
		b.contrast()
	}
	if parts := eval[bool](b, `ask("data/game?" + query({id: "one", game: walk.game.other})).then(o => walk.moves.slice(0, walk.game.parts).every((m, i) => m.move === o.moves[i].move) && walk.moves[walk.game.parts].move !== o.moves[walk.game.parts].move)`); !parts {
		t.Error("the two games do not part where it says")
	}
	// The other game keeps the settings of the address, and Back leaves it.
	ply := eval[int](b, `seen.set({"f.min": 1}), walk.ply`)
	for _, step := range []struct{ leave, name string }{{`$(".twin a").click()`, "0:2:1"}, {`history.back()`, "0:2:0"}} {
		b.leave(step.leave)
		b.until(fmt.Sprintf(`walk.name === %q && walk.ply === %d && walk.otherBoard && walk.board.shown && seen.get()["f.min"] === "1"`, step.name, ply))
	}
	b.until(`$(".twin").textContent.includes("They diverged") || $(".twin").textContent.includes("The same position")`)
	b.press("Where was it lost?")
	b.until(`walk.review.costly && !walk.review.asking && walk.review.list.children.length > 0 && walk.graph.querySelectorAll("path").length === 1 + walk.review.costly.length`)
	b.fits()
	b.contrast()
	b.press("Ask the players again")
	b.until(`walk.game.asked && walk.shown && walk.moves.some(m => m.score !== undefined)`)
	// Players' late answers do not take the reader from a game that was opened meanwhile.
	if late := eval[bool](b, `(async () => {
		const at = ask, name = walk.name;
		let go;
		ask = async (...of) => { await new Promise(later => { go = later; }); return at(...of); };
		const slow = open(name, 0, true);
		ask = at;
		await open(name, walk.ply);
		go();
		await slow;
		return walk.game.asked;
	})()`); late {
		t.Error("an answer that comes late replaces the game that is read")
	}
	b.do(chromedp.Evaluate[chromedp.Void](`{
		const at = ask;
		ask = () => Promise.reject(new Error("no"));
		[...document.querySelectorAll("main button")].find(b => b.textContent === "Ask the players again").click();
		ask = at;
	}`))
	b.until(`$("#toast").textContent === "no" && [...document.querySelectorAll("main button")].some(b => b.textContent === "Ask the players again")`)
	b.press("Ask the players again")
	b.until(`walk.game.asked && walk.shown`)
	// A proven score is drawn at the edge and leaves the others their height.
	if ys := eval[[]float64](b, `(() => {
	const m = walk.moves.findLast(m => typeof m.score === "number"), was = {...m};
	Object.assign(m, {score: 1999999999, mate: 1});
	walk.draw();
	const ys = [...walk.graph.querySelectorAll("polyline")].flatMap(p => p.getAttribute("points").split(" ").filter(Boolean).map(at => Math.abs(Number(at.split(",")[1]) - 55))).sort((a, b) => b - a);
	Object.assign(m, {mate: 0, ...was});
	walk.draw();
	walk.showAt();
	return ys.slice(0, 2);
	})()`); len(ys) != 2 || ys[0] != 50 || ys[1] != 45 {
		t.Errorf("heights of a proven score and the largest other: %v", ys)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`navigator.clipboard.writeText = t => { window.copied = t; return Promise.resolve(); }`))
	b.press("Copy position")
	if same := eval[bool](b, `copied === walk.shown.position && copied.length > 5`); !same {
		t.Error("another position was copied")
	}
	b.press("Copy moves")
	moves := eval[string](b, `copied`)
	if n, ply := len(strings.Fields(moves)), eval[int](b, `walk.ply`); n != ply || n == 0 {
		t.Errorf("%d moves are copied at ply %d", n, ply)
	}
	if n := eval[int](b, `document.querySelectorAll("#list li").length`); n != 12 {
		t.Errorf("%d games are listed", n)
	}
	b.press("Open in play")
	b.until(`location.pathname === "/play" && typeof g !== "undefined" && g?.board.root.dataset.ply`)
	got := eval[[]string](b, `g.game.moves`)
	if n := len(strings.Fields(moves)); len(got) < n || len(got) > n+1 || strings.Join(got[:n], " ") != moves { // an engine may have answered
		t.Errorf("opened in play are %q, copied were %q", got, moves)
	}
}

// middle returns a point of an element, so far along it.
func (t *tab) middle(selector string, along float64) []float64 {
	t.t.Helper()
	return eval[[]float64](t, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return [r.x + r.width * %v, r.y + r.height / 2]; })()`, selector, along))
}

// at is where a place of the board is on the screen.
func (t *tab) at(name string) (x, y float64) {
	t.t.Helper()
	p := eval[[]float64](t, fmt.Sprintf(`(() => { g.board.root.scrollIntoView({block: "center"}); const [x, y] = g.board.spot(g.shown.places.find(p => p.name === %q)), p = new DOMPoint(x, y).matrixTransform(g.board.svg.getScreenCTM()); return [p.x, p.y]; })()`, name))
	return p[0], p[1]
}

// TestCaptureWaitsForChoice expects, after a mill, the man that closed it on the board and rings on
// the men that can be captured; only Escape and Cancel work besides.
func TestCaptureWaitsForChoice(t *testing.T) {
	testmode.SkipUnlessLong(t) // captures in mills
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	for _, finger := range []bool{false, true} {
		b.look(viewer{width: 390, height: 800, touch: finger})
		point := func(name string) {
			if x, y := b.at(name); finger {
				b.do(chromedp.TapXY(x, y))
			} else {
				b.do(chromedp.MouseClickXY(x, y))
			}
		}
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#%s", url.Values{"game": {"mills"}, "first": {""}, "second": {""}, "moves": {"a7 a1 d7 d1"}, "go": {"1"}}.Encode())))
		b.until(`g && g.board.playing`)
		const drawn = `g.board.layer.querySelectorAll(".man").length * 10 + g.board.layer.querySelectorAll(".prey").length`
		point("g7")
		b.until(`g.line.textContent.includes("choose one of the ringed men") && ` + drawn + ` === 12`)
		if same := eval[bool](b, `getComputedStyle($(".man", g.board.layer)).fill === getComputedStyle($("[data-side='0'] circle", g.board.svg)).fill`); !same {
			t.Error("the man that closed the mill has another colour than those of its side")
		}
		for _, other := range []string{"b4", "a7", "g7"} {
			point(other)
			b.until(`$("#toast").textContent.includes("to capture")`)
			if n, ply := eval[int](b, drawn), eval[string](b, `g.board.root.dataset.ply`); n != 12 || ply != "4" {
				t.Errorf("%s while a man is to be captured: %d marks at ply %s", other, n, ply)
			}
			b.do(chromedp.Evaluate[chromedp.Void](`$("#toast").textContent = ""`))
		}
		if finger {
			b.press("Cancel")
		} else {
			b.do(chromedp.KeyEvent("\u001b"))
		}
		b.until(drawn + ` === 0 && !g.board.chosen.length && g.cancel.disabled`)
		point("g7")
		point("d1")
		b.until(`g.board.root.dataset.ply === "5" && g.game.moves.at(-1) === "g7xd1"`)
		b.fits()
	}
}

// TestReviewKnowsMover expects a review that knows the side of each move and of each score: after
// placing, the side that placed last moves again.
func TestReviewKnowsMover(t *testing.T) {
	testmode.SkipUnlessLong(t) // reviews games of mills
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	const moves = "a7 f6 d7 b2 g7xf6 g1 a1 g4 a4xg1 d2 f2 f4 e4 d6 d1 c4 b6 d5 c5xg4 b4 e5 c3 e3xd6 d3 d5-d6"
	b.do(chromedp.Navigate(s.path("/play#%s", url.Values{"game": {"mills"}, "first": {""}, "second": {""}, "go": {"1"}, "moves": {moves}}.Encode())))
	b.until(`g && g.board.playing`)
	b.byTyping("d1-g1xd6")
	b.until(`g.board.root.dataset.ply === "26" && g.board.playing`)
	b.press("Resign")
	b.press("Resign: sure?")
	b.use(".lost", "mouse")
	b.until(`g.walk?.review.costly && !g.walk.review.asking`)
	if sides := eval[string](b, `g.walk.moves.slice(-4).map(m => m.side).join("")`); sides != "0110" {
		t.Errorf("the last four moves are of the sides %s", sides)
	}
	if text := eval[string](b, `g.walk.review.list.innerText.replace(/\s+/g, " ")`); !strings.Contains(text, "by Black, from the opening cost ") {
		t.Errorf("Black lost by the moves given at the start: %s", text)
	}
	if scores := eval[[]float64](b, `g.walk.review.judged.slice(-5).map(j => Math.min(j.score, 1e9))`); slices.Min(scores) < 500 {
		t.Errorf("White is winning throughout, by the scores %v", scores)
	}
}

// TestGameSurvivesReload reloads the page, goes back to it and opens it again. The game, its
// running clocks and the player's words are there; undo works, and a game that is over stays over.
func TestGameSurvivesReload(t *testing.T) {
	testmode.SkipUnlessLong(t) // reloads in every state of a game
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#game=quoridor&go=1&second=v12.7&pergame=30&perinc=2")))
	b.until(`g && g.board.playing`)
	b.byMouse("e2")
	b.until(`g.board.root.dataset.ply === "2" && g.board.playing`)
	const state = `JSON.stringify([g.game.moves, g.given, g.left, g.made, g.said, g.began, g.thought.textContent, ...$(".analysis [name=preset]").options].map(o => o.value ?? o))`
	want := eval[string](b, state)
	for _, how := range []string{`location.reload()`, `location.href = "compare"`} {
		b.do(chromedp.Evaluate[chromedp.Void](`window.old = true`))
		b.leave(how)
		b.until(`!window.old`)
		if strings.Contains(how, "compare") {
			b.leave(`history.back()`)
		}
		b.until(`!window.old && typeof g !== "undefined" && g?.board.playing`)
		if got := eval[string](b, state); got != want {
			t.Errorf("after %s the game is\n%s, not\n%s", how, got, want)
		}
		if shown := eval[bool](b, `/^\d+:\d\d$/.test(g.around.root.querySelector(".plate[data-turn=true] b").textContent) && g.list.children[1].title.includes("nodes")`); !shown {
			t.Error("the clock or what the player said is not shown")
		}
	}
	b.press("Undo")
	b.until(`g.board.root.dataset.ply === "0" && g.board.playing`)
	// The clock ran while the page was away.
	b.do(chromedp.Evaluate[chromedp.Void](`window.old = true`))
	b.leave(`const was = kept.get("play." + g.id); g.close(); kept.set("play." + g.id, {...was, began: was.began - 3600e3}); location.reload()`)
	b.until(`!window.old && typeof g !== "undefined" && g?.board.root.dataset.outcome === "0-1" && g.line.textContent.includes("on time")`)
	b.do(chromedp.Evaluate[chromedp.Void](`window.old = true`))
	b.leave(`location.reload()`)
	b.until(`!window.old && typeof g !== "undefined" && g?.board.root.dataset.outcome === "0-1" && g.line.textContent.includes("on time")`)
}

// TestTouchedWallIsShownFirst expects an illegal wall in red with its reason, without effect, and a
// legal wall before it counts; Cancel removes it.
func TestTouchedWallIsShownFirst(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 360, height: 740, touch: true})
	b.do(chromedp.Navigate(s.path("/play#%s", url.Values{"game": {"quoridor"}, "second": {""}, "strict": {"1"}, "moves": {"e2 e8 e3h e7"}, "go": {"1"}}.Encode())))
	b.until(`g && g.board.playing`)
	tap := func(x, y float64) {
		p := eval[[]float64](b, fmt.Sprintf(`(() => { g.board.root.scrollIntoView({block: "center"}); const p = new DOMPoint(...g.board.spot({x: %v, y: %v})).matrixTransform(g.board.svg.getScreenCTM()); return [p.x, p.y]; })()`, x, y))
		b.do(chromedp.TapXY(p[0], p[1]))
	}
	tap(4.9, 5.5) // across e3h
	b.until(`g.board.layer.querySelectorAll(".barred").length === 1 && $("#toast").textContent.includes("overlap")`)
	tap(1.3, 2.5)
	b.until(`g.board.layer.querySelectorAll(".ghost").length === 1 && g.line.textContent.includes("once more") && !g.board.layer.querySelector(".barred")`)
	b.press("Cancel")
	b.until(`!g.board.layer.querySelector(".ghost") && !g.board.pending`)
	if ply, illegal := eval[string](b, `g.board.root.dataset.ply`), eval[int](b, `g.illegal[0]`); ply != "4" || illegal != 0 {
		t.Errorf("previews made moves: ply %s, %d illegal actions", ply, illegal)
	}
	tap(1.3, 2.5)
	b.until(`g.board.pending`)
	tap(1.5, 2.65) // near it
	b.until(`g.board.root.dataset.ply === "5" && !g.moving`)
	tap(1.3, 2.5)
	b.until(`g.board.layer.querySelector(".barred")`)
	tap(1.3, 2.5) // a second tap plays it
	b.until(`g.board.root.dataset.ply === "6" && g.line.textContent.includes("Illegal action 1 of") && g.line.textContent.includes("to move")`)
	b.do(chromedp.Click(`[data-mode="h"]`))
	tap(7, 1) // in the middle of a square, twice
	b.until(`g.board.pending`)
	tap(7, 1)
	b.until(`g.board.root.dataset.ply === "7"`)
}

// TestIgnoredClickHasReason expects the reason for a click without effect, 0 on a clock that ran
// out with no player thinking after it, and an analysis that begins with the opponent's player and
// a choice of game.
func TestIgnoredClickHasReason(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 740, height: 360, touch: true})
	b.do(chromedp.Navigate(s.path("/play#game=gobang&go=1&second=fixed&limits=depth%%3D30&pergame=0.02")))
	b.until(`g && g.board.playing`)
	if seen := eval[bool](b, `(() => { const r = g.board.svg.getBoundingClientRect(), u = g.back.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && u.left > r.right && u.bottom <= innerHeight; })()`); !seen {
		t.Error("on its side a phone does not show the board and its buttons: ", eval[string](b, `[g.board.svg, g.back].map(e => JSON.stringify(e.getBoundingClientRect())).join(" ")`))
	}
	x, y := b.at("h8")
	b.do(chromedp.TapXY(x, y))
	b.until(`g.board.pending === "h8" && g.board.layer.querySelectorAll(".preview").length === 1`)
	b.do(chromedp.TapXY(x, y))
	b.until(`g.board.root.dataset.ply === "1"`)
	b.do(chromedp.TapXY(x, y))
	b.until(`$("#toast").textContent.includes("is thinking") || g.ended`)
	b.until(`g.ended?.reason === "clock" && g.around.root.querySelector(".plate[data-side='1'] b").textContent === "0.0" && !g.thought.textContent`)
	b.do(chromedp.TapXY(x, y))
	b.until(`$("#toast").textContent.includes("The game is over")`)
	if open := eval[string](b, `g.analysis.preset.value`); open != "fixed" {
		t.Errorf("the analysis begins with %q, the opponent is fixed", open)
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#go=1&first=&second=&analyse=1")))
	b.until(`g && g.board.playing && document.querySelector("h1").textContent === "Analyse" && document.title.startsWith("Analyse ")`)
	b.do(chromedp.Evaluate[chromedp.Void](`(() => { const s = document.querySelector(".game [name=game]"); s.value = "mills"; s.dispatchEvent(new Event("change")); })()`))
	b.until(`g && g.game.game === "mills" && g.board.playing && g.analysis.root.open`)
}

// TestPhoneShowsTouchedGame expects nothing over the form that finds games, and a touched game in
// view.
func TestPhoneShowsTouchedGame(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	playMatch(t, root, "one", 20)
	s := serving(t, root)
	b := newTab(t, viewer{width: 360, height: 740, touch: true})
	b.do(chromedp.Navigate(s.path("/games?id=one")))
	b.until(`walk?.shown && document.querySelectorAll("#list button").length > 5`)
	const fields = `[...document.querySelectorAll("#filter input, #filter select")].filter(e => e.checkVisibility())` // one phase has no choice
	if n := eval[int](b, fields+`.length`); n != 7 {
		t.Errorf("%d fields, want 7", n)
	}
	if covered := eval[int](b, fields+`.filter(e => { e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(), at = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2); return at !== e; }).length`); covered != 0 {
		t.Errorf("%d fields of the form are covered", covered)
	}
	p := b.middle("#list li:nth-child(4) button", 0.3)
	b.do(chromedp.TapXY(p[0], p[1]))
	b.until(`walk.name === found[3].name && Math.abs(document.querySelector("#walk").getBoundingClientRect().top) < 60`)
}

// TestGamesOfReferee shows games whose rules another program keeps, without players.
func TestGamesOfReferee(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("the referee is a Python script")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // keeps which referees may be started
	root := t.TempDir()
	playMatch(t, root, "one", 1, func(a *match.Config) {
		a.Game.Game = "python3 ../../../engines/external/examples/referee/nim.py"
		a.A, a.B = player.Ask("search"), player.Ask("random")
	})
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(serving(t, root).path("/games?id=one#game=0:0:0")))
	b.until(`walk?.shown && walk.review.root.hidden`)
}
