package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/engines/games"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/testmode"
)

// exported is a static folder, written once for all tests: compiling the engines takes
// a while.
var exported struct {
	once sync.Once
	dir  string
	err  error
}

func staticSite(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("short: the engines are not compiled for the browser")
	}
	exported.once.Do(func() {
		run := playMatch(t, t.TempDir(), "one", 3)
		if exported.dir, exported.err = os.MkdirTemp("", "site"); exported.err == nil {
			_, exported.err = Static(kinds.All(), exported.dir, []string{run})
		}
	})
	if exported.err != nil {
		t.Fatal(exported.err)
	}
	return exported.dir
}

// The engines in a page make the same moves as here, and say the same of them.
func TestSameMoves(t *testing.T) {
	testmode.SkipUnlessLong(t) // plays every game twice
	dir := staticSite(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node to run the engines of a page in")
	}
	packed, err := os.Open(filepath.Join(dir, "static", "engines.bin"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	wasm, err := os.Create(filepath.Join(temp, "engines.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(wasm, z); err != nil {
		t.Fatal(err)
	}
	if err := wasm.Close(); err != nil {
		t.Fatal(err)
	}
	const asker = `
const fs = require("fs");
eval(fs.readFileSync(process.argv[2], "utf8"));
const go = new Go();
WebAssembly.instantiate(fs.readFileSync(process.argv[3]), go.importObject).then(({instance}) => {
	go.run(instance);
	for (const q of fs.readFileSync(0, "utf8").trim().split("\n")) console.log(selfplayAnswer(q));
	process.exit(0);
});`
	script := filepath.Join(temp, "ask.js")
	if err := os.WriteFile(script, []byte("globalThis.require = require; globalThis.fs = require('fs');"+asker), 0o666); err != nil {
		t.Fatal(err)
	}
	questions := decisions(t)
	command := exec.Command(node, script, filepath.Join(dir, "static", "wasm_exec.js"), wasm.Name())
	command.Stdin = strings.NewReader(strings.Join(questions, "\n"))
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(strings.NewReader(string(out)))
	answers.Buffer(nil, 1<<24)
	for _, q := range questions {
		if !answers.Scan() {
			t.Fatalf("no answer to %s", q)
		}
		if there, here := timeless(t, answers.Text()), timeless(t, string(table.Answer(context.Background(), []byte(q)))); there != here {
			t.Fatalf("%s\nin a page: %.400s\nhere:      %.400s", q, there, here)
		}
	}
}

// decisions are questions of games of the usual players: each game's first ten decisions,
// forty in the long form, the best moves in some of them, and the board and its terms
// after them.
func decisions(t *testing.T) (list []string) {
	t.Helper()
	for _, g := range games.Games() {
		q := table.Question{Game: g.Name, Seed: 7, Limits: map[string]string{"connectfour": "playouts=300", "mills": "depth=3", "gobang": "depth=2"}[g.Name]}
		for ply := range testmode.Times(10, 4) {
			if ply%8 == 7 {
				q.Op = "lines"
				list = append(list, asText(t, q))
			}
			q.Op = "best"
			list = append(list, asText(t, q))
			var best table.Best
			answer := table.Answer(context.Background(), []byte(asText(t, q)))
			if err := json.Unmarshal(answer, &best); err != nil || best.Move == "" {
				break // the game is over
			}
			q.Moves = strings.TrimSpace(q.Moves + " " + best.Move)
		}
		for _, op := range []string{"show", "terms", "why"} {
			q.Op, q.Text = op, "a1"
			list = append(list, asText(t, q))
		}
	}
	if len(list) < testmode.Times(60, 2) {
		t.Fatalf("only %d questions", len(list))
	}
	return list
}

func asText(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// timeless is an answer without the time that it took.
func timeless(t *testing.T, answer string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	if m, ok := v.(map[string]any); ok {
		delete(m, "micros")
	}
	return asText(t, v)
}

// maxServed is how many bytes a browser downloads for the board without a server.
const maxServed = 1_500_000

// counting counts the bytes that a server sends, headers too.
type counting struct {
	net.Listener
	sent *atomic.Int64
}

func (c counting) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	return countedConn{conn, c.sent}, err
}

type countedConn struct {
	net.Conn
	sent *atomic.Int64
}

func (c countedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.sent.Add(int64(n))
	return n, err
}

// ReadFrom keeps the server from sending a file past Write.
func (c countedConn) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{c}, r)
}

// A folder on any web server is a board to play on, with the games of a run; it is
// small enough for a phone.
func TestStaticSite(t *testing.T) {
	testmode.SkipUnlessLong(t) // walks through every exported page
	t.Parallel()
	dir := staticSite(t)
	index := filepath.Join(dir, "runs", "index.json")
	runs, err := os.ReadFile(index)
	if err == nil {
		err = os.WriteFile(index, bytes.Replace(runs, []byte(`"tree"`), []byte(`"left":24112,"tree"`), 1), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	var sent atomic.Int64
	server := httptest.NewUnstartedServer(http.FileServer(http.Dir(dir)))
	server.Listener = counting{server.Listener, &sent}
	server.Start()
	defer server.Close()
	b := newTab(t, viewer{width: 360, height: 740, touch: true})
	b.do(chromedp.Navigate(server.URL + "/#game=quoridor&go=1&second=final"))
	b.until(`g && g.board.playing`)
	b.byTouch("e2")
	b.until(`g.board.root.dataset.ply === "2" && g.board.playing`)
	t.Logf("the player's first move came %.0f ms after the page was opened", eval[float64](b, `performance.now()`))
	if n := sent.Load(); n > maxServed || n < maxServed/2 {
		t.Errorf("the server sent %d bytes; want at most %d", n, maxServed)
	}
	t.Logf("the server sent %d bytes", sent.Load())
	b.fits()
	b.contrast()
	b.do(chromedp.Navigate(server.URL + "/games.html"))
	b.until(`document.querySelector("#main").textContent.includes("Its last 24,112 games are not here.")`)
	b.until(`walk && walk.board.root.dataset.ply === "0" && document.querySelectorAll("#list li").length === 6`)
	b.do(chromedp.Evaluate[chromedp.Void](`walk.to(walk.moves.length)`))
	b.until(`walk.shown.outcome && walk.game.outcome === walk.shown.outcome`)
	b.press("Where was it lost?")
	b.until(`walk.review.costly && walk.review.basis.textContent.includes("level 8")`)
	b.fits()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(server.URL+"/games.html"))
	b.until(`walk && document.querySelector("#exported a[href*=openings]")`)
	gap := eval[float64](b, `(([x, y]) => y.left - x.right)([...document.querySelectorAll("#exported a")].map(a => a.getBoundingClientRect()))`)
	if gap < 8 {
		t.Errorf("the runs of a narrow page are %v pixels apart", gap)
	}
	b.do(chromedp.Click(`#exported a[href*=openings]`))
	b.until(`document.querySelector("#about").textContent.startsWith("6 games") && document.querySelector("#board svg") && document.querySelector("#of bdi").textContent.length > 2`)
	b.do(chromedp.Click(`#games a`))
	b.until(`document.querySelector("#found")?.textContent === "6 games"`)
	b.do(chromedp.Navigate(server.URL + "/openings.html#line=e2"))
	b.until(`document.querySelector("#about").textContent`)
	if loads := eval[[]string](b, `performance.getEntriesByType("resource").map(e => e.name).filter(n => !n.startsWith(location.origin))`); len(loads) > 0 {
		t.Errorf("the page loads from elsewhere: %v", loads)
	}
	b.do(chromedp.Navigate("file://" + filepath.ToSlash(dir) + "/openings.html"))
	b.until(`document.querySelector("#about").textContent.includes("only from a web server")`)
	b.speaks("zh-CN,zh")
	for _, p := range []struct{ path, ready string }{
		{"/games.html", `walk && document.querySelectorAll("#list li").length === 6`},
		{"/openings.html?run=1", `document.querySelector("#lines tbody tr")`},
		{"/index.html", `document.querySelector("#setup")`},
		{"/index.html#game=quoridor&go=1&first=&second=level:1", `g && g.board.playing`},
	} {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(server.URL+p.path))
		b.until(p.ready)
		b.inChinese("an export's " + p.path)
	}
	for _, text := range eval[[]string](b, `gameList().then(list => list.flatMap(g => [g.doc, ...g.options.map(o => o.doc)])
		.map(text => language.of(text.replaceAll("\n", " "))).filter(text => /[a-z]{3,} [a-z]{2,}/i.test(text)))`) {
		t.Errorf("an export's rules of a game: %q is still English", text)
	}
	table, err := os.ReadFile(filepath.Join(dir, "static", "lang", "zh.js"))
	for _, shown := range []string{`"Games":`, `"{x} scores {n} %":`, `"{n} ± {n1} Elo ({n2} %)":`, `"first is {q}, {x}":`, `"A browser shows this page only`} {
		if err != nil || !strings.Contains(string(table), shown) {
			t.Errorf("the Chinese of an export lacks %s, which its page of games shows; %v", shown, err)
		}
	}
	for _, name := range []string{"index.html", "games.html", "openings.html"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), "Content-Security-Policy") || strings.Contains(string(text), fmt.Sprintf("<script>%s", "")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b.forgive = true
	for _, page := range []string{"games.html?id=99", "openings.html?run=99"} {
		b.do(chromedp.Navigate(server.URL + "/" + page))
		b.until(`document.querySelector("#main").textContent.includes("这里没有这个运行。")`)
	}
}

// Segments that are near each other become one, in the order of their places.
func TestJoinSegments(t *testing.T) {
	program := append([]byte("\x00asm\x01\x00\x00\x00"), 10, 1, 'c', 11, 0, 3)
	for _, s := range []segment{{9000, []byte("far")}, {70, []byte("ab")}, {100, []byte("c")}} {
		program = appendVarint(append(program, 0, 0x41), s.place)
		program = append(append(program, 0x0b, byte(len(s.data))), s.data...)
	}
	program[12] = byte(len(program) - 13)
	got, err := joinSegments(append(program, 0, 1, 'z'))
	want := "\x00asm\x01\x00\x00\x00\x0a\x01c\x0b\x30\x02\x00\x41\xc6\x00\x0b\x1fab" + strings.Repeat("\x00", 28) + "c\x00\x41\xa8\xc6\x00\x0b\x03far\x00\x01z"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%q, want\n%q", err, got, want)
	}
	if _, err := joinSegments(program[:len(program)-1]); err == nil {
		t.Error("a program that is cut short is joined")
	}
	for _, x := range []int64{0, 63, 64, -1, -64, -65, 1 << 31} {
		if y, n := varint(append(appendVarint(nil, x), 99)); y != x || n != len(appendVarint(nil, x)) {
			t.Errorf("%d is read as %d of %d bytes", x, y, n)
		}
	}
}

// The names of functions and files are blanked, but for those that the runtime reads.
func TestDropNames(t *testing.T) {
	table := bytes.Clone(tableStart)
	for _, word := range []uint64{2, 1, 0, 72, 94, 95, 101, 104} {
		table = binary.LittleEndian.AppendUint64(table, word)
	}
	table = append(table, "runtime.main\x00main.own\x00U/a.go\x00pcs"...)
	want := strings.NewReplacer("main.own", strings.Repeat("\x00", 8), "/a.go", strings.Repeat("\x00", 5)).Replace(string(table))
	data := append([]byte("before"), table...)
	if dropNames(data); string(data) != "before"+want {
		t.Errorf("%q, want\n%q", data, "before"+want)
	}
	for n := range len(table) { // a table that is cut short is left alone
		data := bytes.Clone(table[:n])
		if dropNames(data); n < 94 && string(data) != string(table[:n]) {
			t.Errorf("of %d bytes %q is left", n, data)
		}
	}
}

// A folder that is no run is refused before the engines are compiled, which takes a while.
func TestStaticWithoutRun(t *testing.T) {
	dir := t.TempDir()
	if _, err := Static(kinds.All(), dir, []string{t.TempDir()}); err == nil {
		t.Error("a folder without run.toml was taken for a run")
	}
	if _, err := os.Stat(filepath.Join(dir, "static")); err == nil {
		t.Error("the pages were written before the error")
	}
}
