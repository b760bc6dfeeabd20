package web

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"selfplaylab/datasets"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/match"
	"selfplaylab/engines/testmode"
)

// speaks has the browser prefer languages, as its settings do.
func (t *tab) speaks(languages string) {
	t.t.Helper()
	agent := eval[string](t, `navigator.userAgent`)
	t.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: agent, AcceptLanguage: languages})
		return err
	}))
}

// medium shows the page as on a medium: "print", or "" for the screen.
func (t *tab) medium(name string) {
	t.t.Helper()
	t.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name})
		return err
	}))
}

// english lists the texts of a page that still hold English: two words in a row, a word of
// sentences, or a word alone that is not in allowed.
const english = `((allowed, left) => {
	const out = new Set(), both = /[a-z]{2,} (?:[\d.,%+−±-]+ )*[a-z]{2,}/i, small = /(?<![\w./=@:-])(?:the|of|and|is|are|to|by|in|at|from|with|only|pairs?|games?|not|than|no|yes)(?![\w./=-])/i;
	const word = /(?<![\w./=@:<>|-])[A-Za-z]{3,}(?![\w./=@<>|])/g, chinese = /\p{Script=Han}/u;
	const look = text => {
		text = text.trim().replace(/\s+/g, " ");
		if (["centre", "corner", "edge", "fill", "stop"].includes(text)) return; // parameters of tictactoe.py
		for (const name of allowed) text = text.replaceAll(name, "");
		if (both.test(text) || small.test(text) || !chinese.test(text) && (text.match(word) ?? []).some(w => w !== w.toUpperCase()) || text === ".") out.add(text);
	};
	const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
	for (let n = walker.currentNode; n; n = walker.nextNode()) {
		const e = n.nodeType === Node.TEXT_NODE ? n.parentElement : n;
		if (e.closest(left)) continue;
		if (e !== n) look(n.data);
		else for (const name of ["title", "placeholder", "aria-label", "alt", "data-label"]) if (n.hasAttribute(name)) look(n.getAttribute(name));
	}
	return [...out];
})`

// names lists the texts that are the same in every language: programs and their commands, players,
// parameters, forms of values.
func names() []string {
	list := []string{
		"selfplay params", "selfplay engine", "tune params --help", "tune params", "tune ask-tell", "tune resume --games", "--target margin",
		"--limits depth=N", "selfplaylab", "alpha-beta", "Elo", "ahead-", "coin", "random", "seed", "pair，", "Not shown to be better",
		runs.ThisBuild().Revision,
	}
	for _, g := range games.Games() {
		list = append(list, g.Name)
		for _, p := range g.Presets {
			list = append(list, p.Name)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) }) // a name inside another one comes later
	return list
}

// TestPagesSpeakChinese expects every page in Chinese where the browser's language is Chinese, with
// no English left but names. The menu changes the language, and the choice is remembered.
func TestPagesSpeakChinese(t *testing.T) {
	testmode.SkipUnlessLong(t) // walks through every page
	root := t.TempDir()
	var started []string
	if err := datasets.SetLabels(playMatch(t, root, "r1", 300), datasets.Labels{Name: "Not shown to be better", Tags: []string{"Result"}}); err != nil {
		t.Fatal(err)
	}
	playMatch(t, root, "r2", 70, func(a *match.Config) { a.A, a.Seed, a.RecordMoves = player.Ask("final,a_E=40"), 9, "on" })
	playMatch(t, root, "r6", 1, func(a *match.Config) { a.A, a.B = player.Ask("final"), player.Ask("final") })
	s := serving(t, root)
	forms := map[string]url.Values{
		"tune":       {"pairs": {"4"}, "iters": {"400"}, "verify_pairs": {"40"}, "rate_pairs": {"2"}, "screen_pairs": {"2"}},
		"tournament": {"pairs": {"10"}},
		"ladder":     {"rounds": {"2"}, "player": {"final"}},
		"search":     {"positions": {"2"}, "player": {"final@depth=2", "bad@depth=2"}},

		"tune spsa": {"method": {"spsa"}, "iters": {"40"}, "pairs": {"4"}, "verify_pairs": {"40"}, "rate_pairs": {"2"}},
		"tune grid": {"method": {"grid"}, "grid": {"b_gain=0:100:50"}, "pairs": {"40"}, "verify_pairs": {"40"}, "rate_pairs": {"2"}},
	}
	for name, form := range forms {
		kind, _, _ := strings.Cut(name, " ")
		form.Set("kind", kind)
		form.Set("game", "quoridor")
		var begun struct{ ID string }
		if w := s.post("/act/start", form); w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &begun) != nil {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		started = append(started, begun.ID)
		s.jobs.group.Wait() // not too many at a time
	}
	if err := os.Rename(half(t, root), filepath.Join(root, "r5")); err != nil {
		t.Fatal(err)
	}
	started = append(started, "r5")
	started = append(started, "r6")
	listed := 2 + len(started)
	b := newTab(t, viewer{width: 1280})
	b.speaks("zh-CN,zh")
	for _, id := range started {
		b.do(chromedp.Navigate(s.path("/run?id=%s", url.QueryEscape(id))))
		b.until(`document.querySelector("#report").dataset.version`)
		b.inChinese(id)
		b.where = id + " in Chinese"
		b.fits()
	}
	for _, p := range []struct{ path, ready, then string }{
		{"/", `document.querySelectorAll("#runs tbody tr").length === ` + strconv.Itoa(listed), ""},
		{"/run?id=r1", `document.querySelector("#report").dataset.version && document.querySelectorAll(".chart canvas").length > 0`, ""},
		{"/games?id=r2#game=0:2:0&ply=12&pair=1", `document.querySelectorAll(".walk .boardbox svg").length === 2`, `document.querySelectorAll("details").forEach(d => { d.open = true; })`},
		{"/compare?run=r1&run=r2", `document.querySelectorAll(".versus tr").length > 3 && document.querySelectorAll(".chart canvas").length > 0`, ""},
		{"/openings?run=r1&run=r2#line=e2", `document.querySelectorAll("#lines tbody tr").length > 2`, ""},
		{"/new?kind=tune", `document.querySelector("#cost").textContent !== ""`, ""},
		{"/play#game=mills", `document.querySelector("#setup")`, `kept.set("rated.mills", [{id: "a", level: 3, points: 1}]), setup({game: "mills"})`},
		{"/play#game=quoridor&second=final&go=1", `g && g.board.playing`, `g.idle(), g.hint()`},
		{"/play#game=mills&first=&second=&go=1&analyse=1", `document.querySelectorAll(".candidates tr").length > 3 && g.analysis.root.dataset.done === ""`, ""},
		{"/new?kind=match&a=final&b=bad", `document.querySelector("#cost").textContent !== ""`, ""},
		{"/openings?run=r1", `document.querySelectorAll("#lines tbody tr").length > 3`, ""},
		{"/play", `document.querySelector("#setup")`, ""},
		{"/play#game=gobang", `document.querySelector("#setup")`, ""},
		{"/play#game=connectfour", `document.querySelector("#setup")`, ""},
	} {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("%s", p.path)))
		b.until(p.ready)
		if p.then != "" {
			b.do(chromedp.Evaluate[chromedp.Void]("void("+p.then+")"), chromedp.Evaluate[chromedp.Void](`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, chromedp.EvalAwaitPromise))
		}
		b.inChinese(p.path)
		if keys := eval[string](b, `$(".keys")?.textContent ?? ""`); strings.HasPrefix(p.path, "/compare") && !strings.Contains(keys, "A 对 B · Not shown to be better") {
			t.Errorf("the legend of a comparison: %s", keys)
		}
		if eval[bool](b, `[...document.querySelectorAll(".versus td")].some(e => /\u00a0(?!%)/.test(e.textContent))`) {
			t.Error("a comparison joins numbers to what a narrow column breaks")
		}
		b.where = p.path + " in Chinese"
		b.fits()
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.path("/play#game=chess&first=&second=level:1&go=1&moves=f2f3+e7e5+g2g4")))
	b.until(`g?.board.root.dataset.outcome || g?.game.moves.length === 4 && g.board.playing`)
	b.do(chromedp.Evaluate[chromedp.Void](`g.finish("0-1", "mate"), g.review()`)) // as if it had seen it
	b.until(`g.walk.review.costly && !g.walk.review.asking`)
	b.inChinese("the review of a game on the board")
	b.do(chromedp.Navigate(s.path("/")))
	b.until(`document.querySelectorAll("#runs tbody tr").length === ` + strconv.Itoa(listed))
	if got := eval[string](b, `[document.documentElement.lang, document.title, document.querySelector("[data-id=r1] a bdi").textContent, document.querySelector("[data-id=r1] .tag bdi").textContent, document.querySelector("[name=state]").options[1].value].join("|")`); got != "zh|任务 · selfplaylab|Not shown to be better|Result|running" {
		t.Errorf("the list in Chinese: %s", got)
	}
	if eval[bool](b, `[...document.querySelectorAll("#runs td[data-label]")].some(e => e.textContent.includes("调用"))`) {
		t.Error("a phone's list says calls twice")
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.body.insertAdjacentHTML("beforeend", "<table id=drawn><td><code>draw</code><td><code>full</code><td>draw v full<td>draw<td>score<td><svg><text>draw</text><text>score</text></svg></table>")`))
	b.until(`document.querySelector("#drawn").innerText.replace(/\s/g, "") === "drawfulldrawvfulldraw分数draw分数"`) // players' names, and a word
	b.do(chromedp.Evaluate[chromedp.Void](`document.body.insertAdjacentHTML("beforeend", "<p id=moved>How do full, fixed search at Gobang?</p><p id=tested>undecided between 0.0 Elo or less and " +
		"+10.0 Elo or more (LLR 0.11 in -4.45..4.49, 4 pairs); A scores 62.5 %, +88.7 ± 296.6 Elo (95 %, only 1 pair)</p>")`))
	b.until(`document.querySelector("#tested").textContent.replaceAll("\u00a0", " ") === "在“不高于 0.0 Elo”与“不低于 +10.0 Elo”之间未定（LLR 0.11，界 -4.45..4.49，4 对）；A 得分 62.5 %，+88.7 ± 296.6 Elo（95 %，仅 1 对）"`)
	// Of runs that none here is like.
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#drawn").remove(), document.body.insertAdjacentHTML("beforeend", "<p>the most one-sided of 80 openings played 5 times or more; the 95 % intervals hold for all of them together</p>" +
		"<p>Shown to favour the first player: <code>e2</code> and 2 more. Shown to favour the second player: <code>e1</code>.</p><p>tune 2 parameters of games played elsewhere by a quadratic fitted to 400 games.</p>" +
		"<p>The games were played elsewhere: questions and answers are in <code>answers.jsonl</code>. Answers without pairs were dealt to pairs by chance, as if games were independent.</p>" +
		"<p>Whether openings matter is not known: with one of the colours the results were all alike.</p><p>player: 0 players: want one; to compare several, play a tournament</p><p id=found>search: no game is recorded</p><p id=named>tuned: tune</p>")`))
	b.inChinese("sentences of other runs")
	if got := eval[string](b, `$("#named").textContent`); got != "已调：tune" {
		t.Errorf("the player of a run called tune: %s", got)
	}
	if got := eval[string](b, `$("#found").textContent`); got != "search：还没有记录对局" {
		t.Errorf("the openings of a run called search: %s", got)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.body.append(document.querySelector("#moved"))`)) // as the list moves its rows
	b.do(chromedp.Evaluate[chromedp.Void](`new Promise(done => requestAnimationFrame(done))`, chromedp.EvalAwaitPromise))
	if got := eval[string](b, `document.querySelector("#moved").textContent`); got != "full, fixed 下五子棋时怎样搜索？" {
		t.Errorf("moved, a text became %q", got)
	}
	b.do(chromedp.Click(`[data-language=en]`))
	b.until(`document.documentElement.lang === "en" && document.title === "Runs · selfplaylab"`)
	b.do(chromedp.Navigate(s.path("/play")))
	b.until(`document.querySelector("#setup") && document.documentElement.lang === "en"`)
	b.do(chromedp.Click(`[data-language=zh]`))
	b.until(`document.documentElement.lang === "zh" && document.querySelector("h1")?.textContent === "下棋"`)
}

// inChinese reports English texts of the page.
func (t *tab) inChinese(where string) {
	t.t.Helper()
	list, _ := json.Marshal(names()) // strings always marshal
	for _, text := range eval[[]string](t, english+`(`+string(list)+`, "[translate=no], script, style, code, pre, textarea")`) {
		t.t.Errorf("%s: %q is still English", where, text)
	}
}

// TestReasonsInChinese expects words for every reason of a game's end and every unit of scores:
// pages show them after "by" and numbers.
func TestReasonsInChinese(t *testing.T) {
	declared := regexp.MustCompile(`(?m)\bReason += "(\w+)"`)
	table, err := files.ReadFile("static/lang/zh.js")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = filepath.WalkDir("../../../engines", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(data, -1) {
			if n++; !strings.Contains(string(table), "\n\""+string(m[1])+"\": ") {
				t.Errorf("%s: %s has no Chinese word", path, m[1])
			}
		}
		return err
	})
	if err != nil || n < 20 {
		t.Errorf("%d reasons are declared: %v", n, err)
	}
	for _, g := range games.Games() {
		if unit := "\n\"{n} " + g.Unit + "\": "; g.Unit != "" && !strings.Contains(string(table), unit) {
			t.Errorf("scores of %s have no Chinese unit: %s", g.Name, g.Unit)
		}
	}
}

// TestTranslationsAreUsed expects each text of the dictionaries in the sources, as far as can be
// decided: half of all sequences of three words of its longest clause.
func TestTranslationsAreUsed(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads all sources")
	}
	var all strings.Builder
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2 || d.Name() == "testdata" || d.Name() == "lang"):
			return filepath.SkipDir
		case d.IsDir() || !strings.Contains(".go .js .html .tmpl .toml", filepath.Ext(path)) || filepath.Ext(path) == "" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	source := regexp.MustCompile(`["\x60] \+\s+["\x60]`).ReplaceAllString(all.String(), "")
	source = strings.NewReplacer(`\"`, `"`, "&amp;", "&", "%%", "%").Replace(source)
	source = strings.Join(strings.Fields(source), " ")
	source += strings.ReplaceAll(source, "_", " ") // rules are shown so
	after := map[string][]int{}                    // where each word ends
	for i, end := 0, 0; i < len(source); i = end + 1 {
		if end = strings.IndexByte(source[i:], ' '); end < 0 {
			break
		}
		end += i
		after[source[i:end]] = append(after[source[i:end]], end)
	}
	// inRow: three words follow each other; of the first the end and of the last the beginning will do.
	inRow := func(words []string) bool {
		return slices.ContainsFunc(after[words[1]], func(end int) bool {
			start := end - len(words[1])
			return strings.HasSuffix(source[:start], words[0]+" ") && strings.HasPrefix(source[end:], " "+words[2])
		})
	}
	apart, line := regexp.MustCompile(`\{[a-z]\d?\}|[.,:;()…±%]|\b(?:wrong|Elo) `), regexp.MustCompile(`(?m)^("(?:[^"\\]|\\.)*"): "`)
	for _, l := range languages {
		text, err := files.ReadFile(l.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range line.FindAllSubmatch(text, -1) {
			var key string
			if err := json.Unmarshal(m[1], &key); err != nil {
				t.Fatal(err)
			}
			for _, english := range spread(key) {
				clause := slices.MaxFunc(apart.Split(english, -1), func(a, b string) int { return len(a) - len(b) })
				words, all, found := strings.Fields(clause), 0, 0
				for ; all+3 <= len(words); all++ {
					if inRow(words[all : all+3]) {
						found++
					}
				}
				if 2*found < all-1 { // names and numbers inside a clause may be put in
					t.Errorf("%s: no page says %q", l.file, english)
				}
			}
		}
	}
}

var keyParts = regexp.MustCompile(`\(([^()|]*\|[^()]*)\)`)

// spread returns the texts that match a key of the dictionary, as lang.js does: pair(s|) matches
// pairs and pair.
func spread(key string) (all []string) {
	m := keyParts.FindStringSubmatchIndex(key)
	if m == nil {
		return []string{key}
	}
	for _, part := range strings.Split(key[m[2]:m[3]], "|") {
		all = append(all, spread(key[:m[0]]+part+key[m[1]:])...)
	}
	return all
}
