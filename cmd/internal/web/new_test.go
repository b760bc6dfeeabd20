package web

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/testmode"
)

// TestPickedAnswersMakeRun expects what the run can find and its cost, the command, and a run that equals
// the run of that command, without a typed letter. A laptop shows the form that a phone has filled in; the long form tries
// the reverse, too.
func TestPickedAnswersMakeRun(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := servingWith(t, Options{Kinds: kinds.All(), Root: root, Workers: 2})
	for _, v := range []viewer{{width: 360, height: 740, touch: true}, {width: 1280}}[:testmode.Times(1, 2)] {
		b := newTab(t, v)
		b.do(chromedp.Navigate(s.path("/new")))
		b.until(`document.querySelector("#cost").textContent.startsWith("Finds a difference of 36 Elo in 9 of 10 runs. At most 1,000 games, about ")`) // it could start at once
		b.until(`document.querySelector("#length").textContent === "500 pairs"`)
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=kind][value=tune]").click()`))
		b.until(`document.querySelector("#length")?.textContent === "15,360 games" && document.querySelector("#cost").textContent.startsWith("The verification finds a gain of 23 Elo in 9 of 10 runs. At most 40,182 games, about ")`)
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=kind][value=tournament]").click()`))
		b.until(`location.search.includes("kind=tournament") && document.querySelector(".players [name=player]") && document.querySelector("#cost").textContent.includes("games, about")`)
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=player][value=final]").click()`))
		b.until(`document.querySelector(".players .error")?.textContent.includes("at least two") && document.querySelector("#ask [type=submit]").disabled`)
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=player][value=bad]").click()`))
		b.until(`!document.querySelector(".error") && !document.querySelector("#ask [type=submit]").disabled && document.querySelector("#command").textContent.endsWith("--player final --player bad")`)
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=game][value=connectfour]").click()`))
		b.until(`location.search.includes("game=connectfour") && !location.search.includes("final") && document.querySelector("[name=player][value='level:beginner']")`)
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=kind][value=match]").click()`))
		b.until(`document.querySelector("select[name=a]") && document.querySelector("#cost").textContent`)
		choose := func(field, value string) {
			b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(s => { s.value = %q; s.dispatchEvent(new Event("input", {bubbles: true})); })(document.querySelector("[name=%s]"))`, value, field)))
		}
		choose("a", "level:novice")
		choose("b", "level:beginner")
		b.until(`document.querySelector("#command").textContent.endsWith("--a level:novice --b level:beginner")`)
		b.do(chromedp.Focus(`#length [type=range]`), chromedp.KeyEvent(kb.End))
		b.until(`document.querySelector("#length").textContent === "100,000 pairs" && document.querySelector("#command").textContent.endsWith("--pairs 100000") && document.querySelector("#cost").textContent.includes("At most 200,000 games")`)
		for _, w := range []viewer{{width: 1280}, v} {
			b.look(w)
			b.fits()
			b.contrast()
		}
		command := eval[string](b, `document.querySelector("#command").textContent`)
		if n := eval[int](b, `(before => { for (const _ of "ab") $("#ask button[type=submit]").click(); return turn - before; })(turn)`); n != 1 {
			t.Errorf("a form sent twice is taken %d times", n)
		}
		b.until(`location.pathname === "/run" && document.readyState === "complete" && document.querySelector("#state")`)
		id := eval[string](b, `page.id`)
		b.do(chromedp.Navigate(s.path("/"))) // the front page shows its latest board
		b.until(`document.querySelector("#runs tbody tr[data-state=running] .latest svg")`)
		if w := s.post("/act/stop", map[string][]string{"id": {id}}); w.Code != 200 {
			t.Fatalf("stop: %s", w.Body)
		}
		watch(t, s, id, func(st status) bool { return st.State != runs.Running })
		r, err := kinds.All().Open(filepath.Join(root, filepath.FromSlash(id)))
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Config.(*match.Config); c.Pairs != 100_000 || !strings.HasSuffix(command, "--a level:novice --b level:beginner --pairs 100000") {
			t.Errorf("%+v of the command %s", c, command)
		}
		if got := r.Head.Sessions[0].CommandLine; got != command {
			t.Errorf("recorded is %s, shown was %s", got, command)
		}
	}
}

// TestPlayersAreChosenFromLists expects every sort of player in the form, players that another page names, and a
// field for a player that no list has, whose error stands beside it.
func TestPlayersAreChosenFromLists(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := serving(t, root)
	page := s.get("/new?kind=match&game=quoridor&b=final,a_E%3D11").Body.String()
	for _, want := range []string{`<option value="final" selected>final · The source&#39;s last set, and according to it the best</option>`,
		`<option value="level:beginner">1 beginner 初学 · 0 Elo</option>`, `<option value="final,a_E=11" selected>final,a_E=11</option>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the form has no %s", want)
		}
	}
	b := newTab(t, viewer{width: 1280})
	b.do(chromedp.Navigate(s.path("/new")))
	b.until(`document.querySelector("#cost").textContent`)
	b.do(chromedp.Evaluate[chromedp.Void](`(s => { s.selectedIndex = s.length - 1; s.dispatchEvent(new Event("input", {bubbles: true})); })(document.querySelector("[name=b]"))`))
	b.do(chromedp.SendKeys(`input[name=b]`, "nobody"))
	b.until(`document.querySelector("[name=b]").parentElement.querySelector(".error")?.textContent.includes("nobody") && document.querySelector("[name=b]").matches("[aria-invalid=true]") && document.querySelector("#ask [type=submit]").disabled`)
}

// TestAnswersBeforeScriptCount expects an answer that was given before the page's script ran, on a
// slow machine or a phone.
func TestAnswersBeforeScriptCount(t *testing.T) {
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 1280})
	early := cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `document.addEventListener("readystatechange", () => {
		if (document.readyState === "interactive" && !location.search) document.querySelector("[name=kind][value=tournament]").checked = true;
	})`}
	b.do(func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, target, cdppage.AddScriptToEvaluateOnNewDocument, early)
		return
	})
	b.do(chromedp.Navigate(s.path("/new")))
	b.until(`location.search.includes("kind=tournament") && document.querySelector(".players [name=player]") && document.querySelector("#command").textContent.startsWith("selfplay tournament")`)
}

// TestRulesAreChosenFromLists expects lists for the rules of every game, in the form of a run and
// of a game on the board; another value can be typed.
func TestRulesAreChosenFromLists(t *testing.T) {
	testmode.SkipUnlessLong(t) // every choice of every game
	t.Parallel()
	s := serving(t, t.TempDir())
	b := newTab(t, viewer{width: 360, height: 740, touch: true})
	choose := func(rule, label string) {
		t.Helper()
		if !eval[bool](b, fmt.Sprintf(`(() => {
			const s = document.querySelector('select[name="rule.%s"]'), i = [...s.options].findIndex(o => o.text === %q);
			s.closest("details").open = true;
			s.selectedIndex = i;
			s.dispatchEvent(new Event("input", {bubbles: true}));
			s.dispatchEvent(new Event("change", {bubbles: true}));
			return i >= 0;
		})()`, rule, label)) {
			t.Fatalf("%s is not offered for %s", label, rule)
		}
	}
	b.do(chromedp.Navigate(s.path("/new?kind=match&game=connectfour&a=default@playouts%%3D20&b=default@playouts%%3D20")))
	b.until(`document.querySelector("#cost").textContent`)
	choose("forbidden", "row 3 from the top, column 4 (2:3)")
	choose("rows", "12")
	b.until(`document.querySelector("#command").textContent.includes("--rules rows=12,forbidden=2:3")`)
	choose("forbidden", "another value…")
	b.do(chromedp.SendKeys(`[name="rule.forbidden"]`, "11:3"))
	b.until(`document.querySelector("#command").textContent.includes("--rules rows=12,forbidden=11:3") && document.querySelector("#cost").textContent`)
	b.fits()
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=game][value=gobang]").click()`)) // a game with other rules
	b.until(`document.querySelector("[name='rule.size']") && !document.querySelector("[name='rule.rows']") && document.querySelector("#cost").textContent`)

	forbidden := func() string {
		b.until(`g && g.board.playing`)
		return eval[string](b, `(g.shown.marks ?? []).filter(m => m.kind === "forbidden").map(m => [m.x, m.y, g.shown.height].join()).join(" ")`)
	}
	for cell, want := range map[string]string{"row 3 from the top, column 4 (2:3)": "3,2,12", "none": ""} {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#game=connectfour&second=&rules=rows%%3D12")))
		b.until(`document.querySelector("#setup")`)
		choose("forbidden", cell)
		b.do(chromedp.Click(`#setup button[type=submit]`))
		if at := forbidden(); at != want {
			t.Errorf("chosen was %s, forbidden is %q", cell, at)
		}
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#game=connectfour&second=&go=1"))) // a random cell is one
	if at := forbidden(); at == "" {
		t.Error("no cell is forbidden by the usual rules")
	}
}

// TestFormRefusesInWords expects the reason for a run that cannot start, and no games for readers
// without the token.
func TestFormRefusesInWords(t *testing.T) {
	testmode.Raced(t, "plays for seconds")
	s := serving(t, t.TempDir())
	form := map[string][]string{"kind": {"match"}, "game": {"quoridor"}, "a": {"final"}, "b": {"bad"}, "pairs": {"never"}}
	if w := s.post("/act/cost", form); w.Code != 400 || !strings.Contains(w.Body.String(), "pairs") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := s.post("/act/cost", form, stranger); w.Code != 403 {
		t.Errorf("a stranger's games are played: %d %s", w.Code, w.Body)
	}
	form["b"], form["pairs"] = []string{"nobody"}, nil
	if w := s.post("/act/cost", form); w.Code != 400 || !strings.Contains(w.Body.String(), "nobody") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestSettingsHaveChineseLabels expects a label in words, and its Chinese, for every field of every form.
func TestSettingsHaveChineseLabels(t *testing.T) {
	table, err := files.ReadFile("static/lang/zh.js")
	if err != nil {
		t.Fatal(err)
	}
	translated := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^"([^"\\]*)": "`).FindAllSubmatch(table, -1) {
		for _, english := range spread(string(m[1])) {
			translated[english] = true
		}
	}
	number := regexp.MustCompile(`\d+`)
	for _, kind := range kinds.All().WithCommand() {
		for _, f := range config.Fields(kind.New()) {
			if label := number.ReplaceAllString(f.Label, "{n}"); !translated[label] || strings.ContainsAny(label, "_-") {
				t.Errorf("%s: %s is called %q, which has no Chinese words", kind.Name, f.Name, f.Label)
			}
		}
		if shows := strings.TrimSuffix(strings.Replace(kind.Command.Shows, "{elo}", "{n}", 1), "."); !translated[shows] {
			t.Errorf("%s: what it shows has no Chinese words: %q", kind.Name, shows)
		}
	}
}
