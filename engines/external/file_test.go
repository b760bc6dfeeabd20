package external_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/params"
	"selfplaylab/params/formats"
)

const wholeFile = `
name = "Somebody's"
cmd = "bin/engine"
args = ["--quiet"]
dir = "data"
env = {THREADS = "1", COLOUR = "no"}
protocol = "ugi"
games = ["connectfour:rows=6,cols=7,forbidden=none", "mills"]
options = {Hash = 16, Style = "wild", Ponder = false, Scale = 0.5}
limits = "nodes=20000"
timemargin = "50ms"
restart = true
repeatable = true
memory = 512

[[param]]
name = "aggression"
min = 0
max = 100
default = 40
whole = true

[[param]]
name = "C"
min = 0.1
max = 10
default = 1
step = 0.3
log = true
ratio = "weights"

[[param]]
name = "D"
min = -5
max = 5
default = 0
ratio = "weights"
`

// TestReadFileReadsEveryKey reads every key of an engine file, and paths relative to it.
func TestReadFileReadsEveryKey(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "one.toml")
	if err := os.WriteFile(path, []byte(wholeFile), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := external.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := &external.Engine{
		EngineFile: protocol.EngineFile{
			File: path, Name: "Somebody's", Memory: 512 << 20,
			Games: []protocol.Played{{Game: "connectfour", Rules: "rows=6,cols=7,forbidden=none"}, {Game: "mills"}},
			Params: params.Space{
				{Name: "aggression", Max: 100, Default: 40, Step: 5, Whole: true},
				{Name: "C", Min: 0.1, Max: 10, Default: 1, Step: 0.3, Log: true, Ratio: "weights"},
				{Name: "D", Min: -5, Max: 5, Step: 0.5, Ratio: "weights"},
			},
		},
		Cmd: filepath.Join(dir, "bin/engine"), Args: []string{"--quiet"}, Dir: filepath.Join(dir, "data"),
		Env: []string{"COLOUR=no", "THREADS=1"}, Protocol: "ugi",
		Options: []protocol.Setting{{Name: "Hash", Value: "16"}, {Name: "Ponder", Value: "false"}, {Name: "Scale", Value: "0.5"}, {Name: "Style", Value: "wild"}},
		Limits:  engines.Limits{Nodes: 20000}, TimeMargin: 50 * time.Millisecond, Restart: true, Repeatable: true,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestFileReadsPastedParameters expects that the tables for pasting are read as the space.
func TestFileReadsPastedParameters(t *testing.T) {
	s := params.Space{
		{Name: "w", Min: 0, Max: 10, Default: 3, Step: 1, Whole: true, Ratio: "weights"},
		{Name: "c", Min: 0.1, Max: 4, Default: 0.5, Step: 0.3, Log: true, Frozen: true, Ratio: "weights"},
	}
	text, err := formats.Write("toml", s, s.Default())
	if err != nil {
		t.Fatal(err)
	}
	e := engineFile(t, `protocol = "ugi"`, `games = ["mills"]`, string(text))
	if d := cmp.Diff(s, e.Params); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestFileHasDefaults reads the shortest file and compares the defaults.
func TestFileHasDefaults(t *testing.T) {
	e, err := external.Decode("/somewhere/wine.toml", []byte("cmd = \"pbrain-wine\"\nprotocol = \"gomocup\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if e.Name != "wine" || e.Cmd != "pbrain-wine" || e.TimeMargin != 20*time.Millisecond || e.Restart || e.Repeatable {
		t.Errorf("defaults: %+v", e)
	}
	if len(e.Games) != 1 || e.Games[0].Game != "gobang" {
		t.Errorf("games %v; want the only one that the protocol carries", e.Games)
	}
	if runtime.GOOS != "windows" && e.Dir != "/somewhere" {
		t.Errorf("dir %q; want the file's", e.Dir)
	}
}

// weight is a [[param]] table of six lines, in a ratio group.
func weight(name string, low, high, value float64) string {
	return fmt.Sprintf("[[param]]\nname = %q\nmin = %v\nmax = %v\ndefault = %v\nratio = \"group\"\n", name, low, high, value)
}

// TestFileErrorsNameLineAndRemedy expects file, line, key and remedy in errors.
func TestFileErrorsNameLineAndRemedy(t *testing.T) {
	const head = "cmd = \"./x\"\nprotocol = \"ugi\"\ngames = [\"mills\"]\n"
	var known []string
	for _, p := range protocol.All() {
		known = append(known, p.Name)
	}
	for _, c := range []struct{ text, want string }{
		{"cmd = ", "e.toml:1:"},
		{"cmb = \"x\"\n", `e.toml:1: unknown key "cmb"`},
		{"cmd = \"x\"\nname = \"a\\u001b[31m\"\n", `e.toml:2: name "a\x1b[31m" holds characters that cannot be shown`},
		{"protocol = \"ugi\"\n", `e.toml: no cmd; add the program, such as cmd = "./engine"`},
		{"cmd = \"./x\"\nprotocol = \"xboard\"\n", `e.toml:2: unknown protocol "xboard"; known: ` + strings.Join(known, ", ")},
		{"cmd = \"./x\"\nprotocol = \"ugi\"\n", `e.toml: no games; add what it plays, such as games = ["quoridor"]`},
		{"cmd = \"./x\"\nprotocol = \"qtp\"\ngames = [\"mills\"]\n", `e.toml:3: games: qtp does not carry "mills"`},
		{head + "games = [\"mills\"]\n", "e.toml:4"},
		{"cmd = \"./x\"\nprotocol = \"ugi\"\ngames = [\"mills\", \"mills\"]\n", `"mills" is listed twice`},
		{"cmd = \"./x\"\nprotocol = \"ugi\"\ngames = [\"mills:men\"]\n", "e.toml:3: games: mills:"},
		{head + "dialect = \"frisian\"\n", `e.toml:4: dialect "frisian" of ugi; known: own,`},
		{head + "limits = \"depth=deep\"\n", "e.toml:4: limits"},
		{head + "timemargin = \"soon\"\n", `e.toml:4: timemargin "soon": want a duration`},
		{head + "memory = -1\n", "e.toml:4: memory -1"},
		{head + "[options]\nA = 1\nB = [2]\n", `e.toml:6: option "B": want a text, a number or true or false`},
		{head + "[[param]]\nname = \"a\"\nmin = 0\nmax = 1\ndefault = 0\n[[param]]\nname = \"a\"\nmin = 0\nmax = 1\ndefault = 0\n", `e.toml:10: param "a" stands twice; keep one`},
		{head + "[[param]]\nname = \"a\"\nmin = 0\nmax = 1\n", `e.toml:5: param "a": want min, max and default`},
		{head + "[[param]]\nname = \"a\"\nmin = 2\nmax = 1\ndefault = 1\n", "want min below max"},
		{head + "[[param]]\nname = \"a\"\nmin = 0\nmax = 1\ndefault = 5\n", "allowed: 0 to 1"},
		{head + "options = {a = 1}\n[[param]]\nname = \"a\"\nmin = 0\nmax = 1\ndefault = 0\n", `param "a" is an option too`},
		{head + weight("a", 0, 9, 5) + weight("b", 0, 9, 5) + "\n[[param]]\nname = \"c\"\nmin = 0\nmax = 9\ndefault = 1\nratio = \"other\"\n",
			`e.toml:22: param "c": ratio "other": no other param has it; give the same ratio to at least two weights`},
		{head + weight("a", -9, 9, 0) + weight("b", 0, 9, 0), `e.toml:9: param "a": ratio "group": the default of each of its weights is 0`},
		{head + weight("a", 0, 9, 1) + "whole = true\n" + weight("b", 0, 1, 1) + "whole = true\n", `e.toml:16: param "b": ratio "group": whole, 0 to 1 has no ratio`},
		{head + "[[param]]\nname = \"a\"\nchoices = [\"x\", \"y\"]\ndefault = \"x\"\nratio = \"group\"\n", "choices take the place of min, max, step, whole, log and ratio"},
		{head + weight("a", 0, 9, 1) + weight("b", 0, 9, 1) + "ratios = \"x\"\n", `e.toml:16: unknown key "param.ratios"`},
		{head + "[env]\n\"A=B\" = \"x\"\n", `e.toml:5: env "A=B"`},
	} {
		_, err := external.Decode("e.toml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n%v\nwant in it: %s", c.text, err, c.want)
		}
	}
	if _, err := external.ReadFile(filepath.Join(t.TempDir(), "none.toml")); err == nil || !strings.Contains(err.Error(), "engine file") {
		t.Errorf("no file: %v", err)
	}
}

// FuzzDecode expects that no file makes the reader panic,
// and that an accepted file can be opened or refused.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(wholeFile))
	f.Add([]byte("cmd = \"x\"\nprotocol = \"qtp\"\ngames = [\"quoridor\"]\ndialect = \"qtp-black-top\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := external.Decode("e.toml", data)
		if err != nil {
			return
		}
		if e.Cmd == "" || len(e.Games) == 0 || e.Name == "" {
			t.Errorf("%q is read as %+v", data, e)
		}
		if err := e.Params.Check(e.Params.Default()); err != nil {
			t.Errorf("%q: %v", data, err)
		}
	})
}

// TestHashCoversFilesOfArguments expects the program's
// SHA-256, and with files among the arguments theirs, too.
func TestHashCoversFilesOfArguments(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	e := &external.Engine{EngineFile: protocol.EngineFile{Name: "e"}, Cmd: write("program.exe", "abc"), Dir: dir, Args: []string{"--fast", "1"}}
	hash := func() string {
		t.Helper()
		sum, err := e.Hash()
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-2, B.1
	if got := hash(); got != abc {
		t.Errorf("hash %s; want that of \"abc\", %s", got, abc)
	}
	write("script", "one")
	e.Args = []string{"script"}
	first := hash()
	write("script", "two")
	if second := hash(); first == abc || first == second {
		t.Errorf("hashes %s and %s; want three different ones", first, second)
	}
	// A hash is cached while the file is the same one, with the same size and time.
	hour := time.Now().Add(-time.Hour)
	settled := func(name, text string, since time.Time) string {
		if err := os.Chtimes(write(name, text), since, since); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	settled("script", "one", hour)
	for range 2 {
		if hash() != first {
			t.Error("a file with an old time hashes to something else")
		}
	}
	settled("script", "two", hour.Add(time.Second))
	if hash() == first {
		t.Error("a file changed in place has its old hash")
	}
	settled("script", "one", hour)
	if hash() != first {
		t.Error("a file put back does not have its hash")
	}
	if err := os.Rename(settled("other", "two", hour), filepath.Join(dir, "script")); err != nil {
		t.Fatal(err)
	}
	if hash() == first {
		t.Error("another file with the same size and time has the old hash")
	}
	e.Cmd = filepath.Join(dir, "none")
	if _, err := e.Hash(); err == nil || !strings.Contains(err.Error(), "check cmd in") {
		t.Errorf("no program: %v", err)
	}
}

// replace puts another file in the place of one, as mv does.
func replace(t *testing.T, path, more string) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path+".new", []byte(more), 0o755), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// TestEveryStartChecksProgram replaces files of a program between two of its starts: the program
// itself, or a file that an argument, an option or the environment names. Files that it writes may
// change.
func TestEveryStartChecksProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lines, replaced string
		refused         bool
	}{
		{"restart = true", "cur", true}, {"", "cur", true}, {"restart = true", "", false}, {"restart = true", "net", true}, {"", "book", true},
		{"restart = true\nwrites = [\"net\", \"book\"]", "net", false}, {"", "log", false},
	} {
		t.Run(c.lines+c.replaced, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := func(name string) string { return filepath.Join(dir, name) }
			text := "cmd = \"./cur\"\nargs = [\"bestmove e2e4|leave\", \"log\", \"\"]\nenv = {" + mockKey + " = \"uci\", BOOK = \"book\"}\nprotocol = \"uci\"\n" +
				"limits = \"depth=1\"\noptions = {\"Net Path\" = \"net\"}\n" + c.lines
			for name, text := range map[string]string{"e.toml": text, "net": "weights", "book": "lines"} {
				if err := os.WriteFile(path(name), []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(self, path("cur")); err != nil {
				t.Skip(err)
			}
			e, err := external.ReadFile(path("e.toml"))
			if err != nil {
				t.Fatal(err)
			}
			p, err := e.Open(context.Background(), variant(t, "chess", ""), process.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			play := func() error {
				err := p.Reset("", 1)
				if err == nil {
					_, err = p.Choose(context.Background(), nil, engines.Limits{})
				}
				return err
			}
			if err := play(); err != nil {
				t.Fatal(err)
			}
			p.Choose(context.Background(), nil, engines.Limits{}) // a program without restart has ended by now
			if c.replaced != "" {
				replace(t, path(c.replaced), "another")
			}
			err = play()
			if refusal, ok := errors.AsType[*external.Refusal](err); c.refused != ok || !ok && err != nil {
				t.Fatalf("%v; refused: %v", err, c.refused)
			} else if ok {
				want := path(c.replaced) + " is not what the run began with: SHA-256 [0-9a-f]+ then, [0-9a-f]+ now \\(changed 20[-0-9: ]+\\); .*"
				if want += "resume the run; or begin another run$"; c.replaced != "cur" {
					want = strings.Replace(want, "begin another run$", `if .*, begin another run with writes = \["`+c.replaced+`"\] in `+path("e.toml"), 1)
				}
				if !regexp.MustCompile(want).MatchString(refusal.Error()) {
					t.Errorf("%v; want %s", refusal, want)
				}
			}
		})
	}
}

// TestFileOpenForWritingIsNotRead has a program open its learning book when it starts, to write it
// later: the book is no part of the identity, while a network that the program reads is.
func TestFileOpenForWritingIsNotRead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the open files of a program are unknown here")
	}
	dir := t.TempDir()
	for _, name := range []string{"book", "net"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for mode, want := range map[string]int{"learns": 2, "": 3} {
		e := engineFile(t, `name = "mock"`, `protocol = "uci"`, `games = ["chess"]`, `limits = "depth=1"`,
			fmt.Sprintf(`args = ["bestmove e2e4", %q, %q]`, filepath.Join(dir, "log"+mode), mode),
			fmt.Sprintf(`env = {%s = "uci", BOOK = %q, NET = %q}`, mockKey, filepath.Join(dir, "book"), filepath.Join(dir, "net")))
		p, err := e.Open(context.Background(), variant(t, "chess", ""), process.Options{})
		if err != nil {
			t.Fatal(err)
		}
		before := p.Identity().SHA256
		if err := p.Retire(); err != nil {
			t.Fatal(err)
		}
		if got := p.Files(); len(got) != want || filepath.Base(got[want-1]) != "net" || (p.Identity().SHA256 != before) != (want == 2) {
			t.Errorf("%q: it reads %q", mode, got)
		}
	}
}

// TestExampleFilesAreRead reads the engine files given as examples.
func TestExampleFilesAreRead(t *testing.T) {
	for _, name := range []string{"sanmill", "zquoridor"} {
		if _, err := external.ReadFile(filepath.Join("examples", name+".toml")); err != nil {
			t.Error(err)
		}
	}
}
