package web

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"selfplaylab/engines/runs/kinds"
	"selfplaylab/reports/pagetest"
)

// browsers are the Chromiums of all tests, each started with the first tab that needs it: as
// many as tests run at once, since pages of one browser wait for each other.
var browsers struct {
	sync.Mutex
	all []*browser
	err error // why none starts
}

type browser struct {
	ctx  context.Context
	end  func()
	tabs int
}

// openBrowser returns the browser with the fewest tabs, and counts one more until done.
func openBrowser() (b *browser, done func(), err error) {
	browsers.Lock()
	defer browsers.Unlock()
	for _, other := range browsers.all {
		if b == nil || other.tabs < b.tabs {
			b = other
		}
	}
	if browsers.err == nil && (b == nil || b.tabs > 0 && len(browsers.all) < runtime.GOMAXPROCS(0)) {
		b = &browser{}
		if b.ctx, b.end, browsers.err = pagetest.Start(); browsers.err == nil {
			browsers.all = append(browsers.all, b)
		}
	}
	if browsers.err != nil {
		return nil, nil, browsers.err
	}
	b.tabs++
	return b, func() {
		browsers.Lock()
		defer browsers.Unlock()
		b.tabs--
	}, nil
}

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == programServed {
		os.Exit(serveEngine())
	}
	code := m.Run()
	for _, b := range browsers.all {
		b.end()
	}
	os.Exit(code)
}

// tab is a page of the browser.
type tab struct {
	t    *testing.T
	ctx  context.Context
	stop func()

	where string // page, for messages

	mu      sync.Mutex
	errors  []string // of scripts, and warnings of the console
	forgive bool     // the server is away, or lacks a file: the console may say so
}

// viewer holds the width, scheme and input of a browser.
type viewer struct {
	width, height int
	dark          bool
	touch         bool
}

// newTab opens a tab; the test is skipped where there is no browser. At its end
// the console must have been silent.
func newTab(t *testing.T, l viewer) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("short: no browser is started")
	}
	in, done, err := openBrowser()
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := chromedp.NewContext(in.ctx)
	b := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		cancel()
		done()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, e := range b.errors {
			t.Errorf("console: %s", e)
		}
	})
	if err := chromedp.Do(ctx); err != nil { // opens the tab, which lives as long as this context
		t.Fatal(err)
	}
	b.ctx, b.stop = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(b.stop)
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, cdplog.Enable, cdp.Empty{})
		return err
	}))
	b.look(l)
	return b
}

// look has the page looked at in another way.
func (t *tab) look(l viewer) {
	t.t.Helper()
	if l.height == 0 {
		l.height = 900
	}
	var more []chromedp.EmulateViewportOption
	if l.touch {
		more = append(more, chromedp.EmulateTouch)
	}
	t.do(pagetest.Window(l.width, l.height, l.dark, more...)...)
}

func (t *tab) hear(event any) {
	text := ""
	switch e := event.(type) {
	case *cdpruntime.EventExceptionThrown:
		text = e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
	case *cdpruntime.EventConsoleAPICalled:
		if e.Type == cdpruntime.ConsoleAPICalledTypeError || e.Type == cdpruntime.ConsoleAPICalledTypeWarning {
			text = "a script complains"
			for _, a := range e.Args {
				text += " " + string(a.Value) + a.Description
			}
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError || e.Entry.Level == cdplog.EntryLevelWarning {
			text = e.Entry.Text + " " + e.Entry.URL
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if text != "" && !(t.forgive && (strings.Contains(text, "ERR_CONNECTION_REFUSED") || strings.Contains(text, "status of 404") || strings.Contains(text, "ERR_INCOMPLETE_CHUNKED_ENCODING"))) {
		t.errors = append(t.errors, text)
	}
}

func (t *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	t.t.Helper()
	if err := chromedp.Do(t.ctx, steps...); err != nil {
		t.t.Fatal(err)
	}
}

// leave runs a script that leaves the page, once the browser has answered: it answers no
// question of a page that is gone.
func (t *tab) leave(script string) {
	t.t.Helper()
	t.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`void setTimeout(() => { %s; })`, script)))
}

// until waits for an expression of the page to be true.
func (t *tab) until(expression string) {
	t.t.Helper()
	for {
		// A page that is left during a question may be kept for Back and never answer.
		ctx, done := context.WithTimeout(t.ctx, 5*time.Second)
		// Poll of chromedp hangs on some pages that came back.
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(`(async () => {
			for (let n = 0; n < 50; n++) {
				try { if (%s) return true; } catch { /* not yet */ }
				await new Promise(next => setTimeout(next, 10));
			}
			return false;
		})()`, expression), chromedp.EvalAwaitPromise))
		done()
		if ok {
			return
		}
		if t.ctx.Err() == nil {
			continue // it may have gone to another page meanwhile
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), 10*time.Second)
		defer cancel()
		// Both only help to find the reason.
		_, now := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		text, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body.innerText.slice(0, 2000)`))
		t.t.Fatalf("never true: %s (%v; now %v); the page says:\n%s", expression, err, now, text)
	}
}

func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// fits reports elements that stick out of the page at the side.
func (t *tab) fits() {
	t.t.Helper()
	if over := eval[float64](t, `document.documentElement.scrollWidth - innerWidth`); over > 1 {
		t.t.Errorf("%s: %v pixels stick out at the side: %s", t.where, over, eval[string](t, `[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map(e => e.outerHTML.slice(0, 150)).join("\n")`))
	}
	if out := eval[string](t, `[...document.querySelectorAll("main *")].filter(e => e.checkVisibility() && e.getBoundingClientRect().left < -1 && !e.closest(".unseen, svg")).slice(0, 3).map(e => e.outerHTML.slice(0, 150)).join("\n")`); out != "" {
		t.t.Errorf("%s: cut off at the left, where nothing scrolls to: %s", t.where, out)
	}
}

// serving returns a server of a folder for a test.
func serving(t *testing.T, root string) *Server {
	t.Helper()
	return servingWith(t, Options{Kinds: kinds.All(), Root: root, Workers: 1})
}

func servingWith(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	return s
}

// path returns an address of the server with its token.
func (s *Server) path(format string, args ...any) string {
	p, hash, hashed := strings.Cut(fmt.Sprintf(format, args...), "#")
	mark := "?"
	if strings.Contains(p, "?") {
		mark = "&"
	}
	p = s.base() + p + mark + "token=" + s.token
	if hashed {
		p += "#" + hash
	}
	return p
}
