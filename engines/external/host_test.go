package external_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
)

// buildLibrary builds the host and the test's library, or skips the test.
func buildLibrary(t *testing.T) (host, library string) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no C compiler here")
	}
	dir := t.TempDir()
	host, library = filepath.Join(dir, "host"), filepath.Join(dir, "strategy.so")
	if err := protocol.BuildHost(context.Background(), cc, host); err != nil {
		t.Fatal(err)
	}
	if words, err := exec.Command(cc, "-shared", "-fPIC", "-o", library, "testdata/getpoint/strategy.c").CombinedOutput(); err != nil {
		t.Fatalf("compiling the library: %v\n%s", err, words)
	}
	return host, library
}

// hostFile is the engine file of a library.
func hostFile(t *testing.T, host, library, fault string) *external.Engine {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ladder.toml")
	text := fmt.Sprintf("cmd = %q\nargs = [%q]\nprotocol = \"getpoint\"\ngames = [\"connectfour\"]\nenv = {STRATEGY_FAULT = %q}\n", host, library, fault)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := external.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestGetPointPlaysAllBoards plays a library on boards of many sizes with forbidden cells.
// The library checks all its input.
func TestGetPointPlaysAllBoards(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts many programs")
	}
	t.Parallel()
	host, library := buildLibrary(t)
	for _, c := range []struct {
		fault  string
		reason engines.Reason
		detail string
	}{
		{fault: ""},
		{fault: "null", reason: engines.IllegalMove, detail: "has no move"},
		{fault: "air", reason: engines.IllegalMove, detail: "has no move"},
		{fault: "crash", reason: engines.Crash, detail: "crash wanted"},
	} {
		v := variant(t, "connectfour", "")
		p, err := hostFile(t, host, library, c.fault).Open(context.Background(), v, process.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer gone(t, p)
		games := 10
		for i := range games {
			open := v.Opening(rand.New(rand.NewPCG(1, uint64(i))), i%4)
			seats := [2]engines.Player{p, ours(t, v)}
			limits := [2]engines.Limits{{}, {Playouts: 20}}
			lost := engines.SecondWins
			if i%2 == 1 {
				seats[0], seats[1], limits[0], limits[1], lost = seats[1], seats[0], limits[1], limits[0], engines.FirstWins
			}
			o := game(t, v, seats, open, limits, 1)
			switch {
			case c.reason == "" && o.reason.Fault():
				t.Errorf("game %d: lost by %s: %s", i, o.reason, o.detail)
			case c.reason != "" && (o.reason != c.reason || o.result != lost || !strings.Contains(o.detail, c.detail)):
				t.Errorf("%s, game %d: %v by %q: %s; want %q", c.fault, i, o.result, o.reason, o.detail, c.reason)
			}
		}
		if p.Starts() != games {
			t.Errorf("%d processes for %d games; a library gets a fresh one each", p.Starts(), games)
		}
		if err := p.Admits(engines.Limits{Depth: 3}); err == nil {
			t.Error("a library takes a limit of depth")
		}
	}
}

// TestHostReportsBadLibrary expects an end at the start,
// with its reason, for a library that cannot be loaded.
func TestHostReportsBadLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts programs")
	}
	t.Parallel()
	host, library := buildLibrary(t)
	v := variant(t, "connectfour", "")
	_, err := hostFile(t, host, library+".none", "").Open(context.Background(), v, process.Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be loaded") {
		t.Errorf("no library: %v", err)
	}
	if err := protocol.BuildHost(context.Background(), "no-such-compiler", host); err == nil || !strings.Contains(err.Error(), "name a C compiler") {
		t.Errorf("no compiler: %v", err)
	}
}

// TestGetPointPlaysLibraryInCPlusPlus plays a library with code in C++ that was linked by a C
// compiler, without the runtime of C++.
func TestGetPointPlaysLibraryInCPlusPlus(t *testing.T) {
	t.Parallel()
	host, library := buildLibrary(t)
	more := filepath.Join(t.TempDir(), "more.cpp")
	if err := os.WriteFile(more, []byte("struct S { int *p; S() : p(new int[9]) {} ~S() { delete[] p; } } s;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	object := more + ".o"
	if words, err := exec.Command("cc", "-c", "-fPIC", "-o", object, more).CombinedOutput(); err != nil {
		t.Skipf("no compiler of C++ here: %s", words)
	}
	if words, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, "testdata/getpoint/strategy.c", object).CombinedOutput(); err != nil {
		t.Fatalf("linking: %v\n%s", err, words)
	}
	p, err := hostFile(t, host, library, "").Open(context.Background(), variant(t, "connectfour", ""), process.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer gone(t, p)
	if err := p.Reset("", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Choose(context.Background(), nil, engines.Limits{}); err != nil {
		t.Error(err)
	}
}
