package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/engines"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/testmode"
)

// TestAnalysisOfAnyPosition expects score, depth and nodes of any preset, and its best moves with
// score, search and continuation; a click plays one. A preset that weighs moves by terms shows the
// terms and one continuation.
func TestAnalysisOfAnyPosition(t *testing.T) {
	testmode.SkipUnlessLong(t) // analyses by every kind of player
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 360, height: 740})
	for _, c := range []struct{ game, moves, limits, wants, searched string }{
		{"gobang", "h8 h9 i9", "depth=2", "points, depth 2", "depth"},
		{"quoridor", "e2 e8", "depth=3", "points, depth 3", "depth"},
		{"mills", "d6 f4", "depth=2", "points, depth 2", "depth"},
		{"connectfour", "4 4", "playouts=200", "chance of winning", "games"},
		{"quoridor", "e2 e8 d1h", "", "points", ""},
	} {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#%s", url.Values{"game": {c.game}, "moves": {c.moves}, "first": {""}, "second": {""}, "limits": {c.limits}, "analyse": {"1"}, "go": {"1"}}.Encode())))
		b.until(`g && g.analysis.root.open`)
		if strongest := eval[bool](b, `g.analysis.preset.value === "level:10"`); strongest != (c.limits == "") {
			t.Errorf("%s: with limits %q the analysis begins with %s", c.game, c.limits, eval[string](b, `g.analysis.preset.value`))
		}
		if c.searched == "" { // the player that tells its terms
			b.do(chromedp.Evaluate[chromedp.Void](`g.analysis.preset.value = g.about.plays, void g.analysis.at()`))
		}
		b.until(fmt.Sprintf(`g && g.analysis.root.dataset.done === %q`, c.moves))
		b.where = c.game
		b.until(fmt.Sprintf(`/^\d+ %% for .* by level 8, whose scores were fitted to %d games$/.test(g.worth.root.getAttribute("aria-valuetext")) && g.worth.root.style.visibility === ""`, fittedGames(c.game)))
		b.fits()
		if says := eval[string](b, `g.analysis.line.textContent`); !strings.Contains(says, c.wants) || !strings.Contains(says, "nodes") {
			t.Errorf("%s: it says %q", c.game, says)
		}
		rows := eval[[][]string](b, `[...document.querySelectorAll(".candidates tr")].map(r => [...r.cells].map(c => c.textContent))`)
		if len(rows) != 1+8 {
			t.Errorf("%s: %d rows, want a head and 8", c.game, len(rows))
		}
		line := eval[string](b, `g.analysis.way.textContent`)
		if c.searched == "" {
			if len(strings.Fields(line)) < 1+5 {
				t.Errorf("%s: it would go on %q", c.game, line)
			}
		} else {
			if line != "" || rows[0][2] != c.searched {
				t.Errorf("%s: %q is told besides the lines, which are headed %q", c.game, line, rows[0])
			}
			says, goes := strings.Split(c.wants, ",")[0], 0
			for _, row := range rows[1:] {
				if !strings.Contains(row[1], says) || row[2] == "–" {
					t.Errorf("%s: a line is %q", c.game, row)
				}
				if row[3] != "–" {
					goes++
				}
			}
			if goes < 5 {
				t.Errorf("%s: %d lines of %d go on", c.game, goes, len(rows)-1)
			}
		}
		first := eval[string](b, `document.querySelector(".candidates tbody tr").dataset.move`)
		if drawn := eval[string](b, `[...document.querySelectorAll(".boardbox .weighed")].map(e => e.dataset.move + ":" + e.textContent).reverse().join(" ")`); len(strings.Fields(drawn)) != 5 || !strings.HasPrefix(drawn, first+":1 ") {
			t.Errorf("%s: the candidates on the board are %q, the first listed is %s", c.game, drawn, first)
		}
		b.do(chromedp.Focus(`.candidates tbody tr:nth-child(2) button`))
		if pointed := eval[string](b, `g.board.arrow`); pointed != rows[2][0] {
			t.Errorf("%s: the board is pointed at %q, want %s", c.game, pointed, rows[2][0])
		}
		b.do(chromedp.Click(`.candidates tbody button`))
		b.until(fmt.Sprintf(`g.game.moves.join(" ") === %q`, c.moves+" "+first))
	}
	b.until(`document.querySelector(".candidates th span")?.textContent === "M2"`) // Quoridor's player tells its terms
}

// programServed has this test's program be an engine: see TestMain.
const programServed = "-serve-as-engine"

func serveEngine() int {
	game, err := games.Find(os.Args[2])
	if err == nil {
		err = protocol.Serve(context.Background(), os.Stdin, os.Stdout, protocol.ServeOptions{Game: game, Protocol: "ugi", Limits: engines.Limits{Depth: 2}})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// engineFile describes this test's program as an engine.
func engineFile(t *testing.T, dir, game string) string {
	t.Helper()
	path := filepath.Join(dir, game+".toml")
	text := fmt.Sprintf("name = \"mock <i>%s</i>\"\ncmd = %q\nargs = [%q, %q]\nprotocol = \"ugi\"\ngames = [%q]\n", game, os.Args[0], programServed, game, game)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestProgramsStartByNameAlone expects that readers with the token name programs, and that files
// and commands from a page are ignored.
func TestProgramsStartByNameAlone(t *testing.T) {
	testmode.Raced(t, "starts programs")
	dir := t.TempDir()
	engineFile(t, dir, "gobang")
	s, err := New(Options{Kinds: kinds.All(), Root: t.TempDir(), Engines: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.listener.Close()
	defer s.programs.close()
	if names := s.programs.of("gobang"); len(names) != 1 || names[0] != "mock <i>gobang</i>" || len(s.programs.of("mills")) != 0 {
		t.Errorf("engines of gobang: %v", names)
	}
	ask := func(seat string, change ...func(*http.Request)) *httptest.ResponseRecorder {
		q := table.Question{Op: "best", Game: "gobang", Moves: "h8 a1 h9", Preset: seat, Seed: 1}
		return s.ask(t, q, change...)
	}
	if w := ask("engine:mock <i>gobang</i>"); w.Code != 200 || !strings.Contains(w.Body.String(), `"move":`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, seat := range []string{"engine:" + filepath.Join(dir, "gobang.toml"), "engine:/bin/sh", "engine:", "engine:mock <i>gobang</i>,x=y"} {
		if w := ask(seat); w.Code != 400 || !strings.Contains(w.Body.String(), "no engine") {
			t.Errorf("%s: %d %s", seat, w.Code, w.Body)
		}
	}
	if w := ask("engine:mock <i>gobang</i>", stranger); w.Code != 403 {
		t.Errorf("without the token: %d %s", w.Code, w.Body)
	}
	for form, want := range map[string]struct {
		code int
		text string
	}{
		"kind=tune&game=gobang&engine=/bin/sh":                               {400, "no engine"},
		"kind=match&game=gobang&a=engine:/bin/sh&b=fixed":                    {400, "no engine"},
		"kind=match&game=gobang&a=x:engine:other@depth=2&b=fixed":            {400, "no engine"},
		"kind=match&game=gobang&a=engine:mock <i>gobang</i>@depth=2&b=fixed": {200, "gobang.toml@depth=2"},
		"kind=tune&game=gobang&engine=mock <i>gobang</i>":                    {200, "gobang.toml"},
	} {
		values, err := url.ParseQuery(form)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/data/command", "/act/start"} {
			if want.code == 200 && path == "/act/start" {
				continue
			}
			if w := s.post(path, values); w.Code != want.code || !strings.Contains(w.Body.String(), want.text) {
				t.Errorf("%s of %s: %d %s", path, form, w.Code, w.Body)
			}
		}
	}
	playMatch(t, s.options.Root, "by", 1, func(m *match.Config) {
		m.Game.Game, m.Limits = "gobang", engines.Limits{Depth: 1}
		m.A, m.B = player.Ask("engine:"+filepath.Join(dir, "gobang.toml")), player.Ask("fixed")
	})
	if w := s.post("/data/game?id=by&game=0:0:0", nil, stranger); w.Code != 403 {
		t.Errorf("asked again without the token: %d %s", w.Code, w.Body)
	}
	if w := s.post("/data/game?id=by&game=0:0:0", nil); w.Code != 200 {
		t.Errorf("asked again with the token: %d %s", w.Code, w.Body)
	}
	if _, err := New(Options{Kinds: kinds.All(), Root: dir, Engines: []string{filepath.Join(dir, "none.toml")}}); err == nil || !strings.Contains(err.Error(), "--engines") {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := New(Options{Kinds: kinds.All(), Root: dir, Engines: []string{t.TempDir()}}); err == nil || !strings.Contains(err.Error(), "--engines") {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestPageStartsRunOfProgram starts a match against an engine file of the server by a form.
func TestPageStartsRunOfProgram(t *testing.T) {
	testmode.Raced(t, "starts programs")
	t.Parallel()
	s := servingWith(t, Options{Kinds: kinds.All(), Root: t.TempDir(), Workers: 1, Engines: []string{engineFile(t, t.TempDir(), "gobang")}})
	form := url.Values{"kind": {"match"}, "game": {"gobang"}, "a": {"bad@depth=1"}, "b": {"engine:mock <i>gobang</i>@depth=1"}, "pairs": {"1"}}
	var begun struct{ ID string }
	if w := s.post("/act/start", form); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &begun) != nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if st := watch(t, s, begun.ID, func(st status) bool { return st.State == runs.Finished }); st.Error != "" {
		t.Error(st.Error)
	}
}

// TestPersonPlaysProgram plays an external engine in the page, with a clock for the game; the saved
// files name both players.
func TestPersonPlaysProgram(t *testing.T) {
	testmode.SkipUnlessLong(t) // plays against programs
	t.Parallel()
	s := servingWith(t, Options{Kinds: kinds.All(), Root: t.TempDir(), Workers: 1, Engines: []string{engineFile(t, t.TempDir(), "gobang")}})
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/play#%s", url.Values{"game": {"gobang"}, "first": {""}, "second": {"engine:mock <i>gobang</i>"}, "pergame": {"0.4"}, "perinc": {"0.2"}, "go": {"1"}}.Encode())))
	b.until(`g && g.board.playing`)
	b.byMouse("h8")
	b.until(`g.board.root.dataset.ply === "2" && g.board.playing`)
	if left := eval[[]float64](b, `g.left`); left[0] <= 4 || left[0] > 24.2 || left[1] <= 4 || left[1] >= left[0] {
		t.Errorf("after a move each has %v s: want 24 s and up to 0.2 s more, less what each took", left)
	}
	if text := eval[string](b, `g.thought.textContent`); !strings.Contains(text, "mock <i>gobang</i>") {
		t.Errorf("it says %q", text)
	}
	if limits := eval[string](b, `(() => { const {permove, pergame} = g; g.permove = g.pergame = ""; const limits = g.budget(1); Object.assign(g, {permove, pergame}); return limits; })()`); limits != "time=1s" {
		t.Errorf("without limits and clocks an engine gets %q", limits)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`g.white.click(), g.white.click()`))
	b.until(`g.ended`)
	b.savedAndOpened("mouse")
	v, err := games.Open("gobang", "")
	if err != nil {
		t.Fatal(err)
	}
	files := eval[[]struct{ Name, Text string }](b, `window.files`)
	if len(files) != len(gamefile.Of("gobang")) {
		t.Errorf("saved as %d files", len(files))
	}
	for _, file := range files {
		list, err := gamefile.Read(v, file.Name, []byte(file.Text), nil)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %d games, %v", file.Name, len(list), err)
			continue
		}
		if got := list[0]; got.Players != [2]string{"a person", "mock <i>gobang</i>"} || len(got.Moves) != 2 {
			t.Errorf("%s: saved as %+v", file.Name, got)
		}
		if result := map[string]string{"pgn": `[Result "0-1"]`, "sgf": "RE[W+]", "psq": "\n2,"}[gamefile.Ending(file.Name)]; !strings.Contains(file.Text, result) {
			t.Errorf("%s: want %q in %s", file.Name, result, file.Text)
		}
	}
}
