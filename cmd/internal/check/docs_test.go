package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"
)

// A page is a Markdown file of the manual.
type page struct {
	file   string // slash-separated, relative to the top folder
	text   string
	blocks []block
}

// A block is a fenced block of a page.
type block struct {
	language string
	lines    []string
	first    int    // line number of its first line in the page
	skip     string // reason in a mark <!-- not run: REASON --> above it
	output   *block // the text block after it: the output of its command
}

var skipMark = regexp.MustCompile(`^<!-- not run: (.+) -->$`)

// parsePage splits a page into its blocks.
func parsePage(file, text string) page {
	p := page{file: file, text: text}
	var open *block
	skip := ""
	for i, line := range strings.Split(text, "\n") {
		fence, isFence := strings.CutPrefix(line, "```")
		mark := skipMark.FindStringSubmatch(line)
		switch {
		case isFence && open == nil:
			p.blocks = append(p.blocks, block{language: fence, first: i + 2, skip: skip})
			open, skip = &p.blocks[len(p.blocks)-1], ""
		case isFence:
			open = nil
		case open != nil:
			open.lines = append(open.lines, line)
		case mark != nil:
			skip = mark[1]
		}
	}
	for i := range p.blocks[:max(0, len(p.blocks)-1)] {
		if next := &p.blocks[i+1]; p.blocks[i].language == "sh" && next.language == "text" {
			p.blocks[i].output = next
		}
	}
	return p
}

// manual returns the pages whose commands are run: the README in both languages, and docs.
func manual(t *testing.T) []page {
	noteTop()
	t.Helper()
	files, err := filepath.Glob("docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("pages of docs: %v, %v", files, err)
	}
	var pages []page
	for _, file := range append([]string{"README.md", chineseReadme}, files...) {
		pages = append(pages, parsePage(filepath.ToSlash(file), readText(t, file)))
	}
	return pages
}

func readText(t *testing.T, file string) string {
	noteTop()
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

// TestDocCommandsRun runs every command of the README and of docs, in order, in one folder for
// each page. The Chinese README has the same commands, as TestReadmeChineseHasTheSameBlocks
// checks, and runs only to write its output. smallBudgets reduces budgets, except of commands
// whose output the page shows: these run unchanged and must print it.
func TestDocCommandsRun(t *testing.T) {
	testmode.SkipUnlessLong(t) // every command of the manual
	r := newDocRunner(t)
	t.Run("pages", func(t *testing.T) {
		for _, p := range manual(t) {
			t.Run(p.file, func(t *testing.T) {
				if p.file == chineseReadme && !testmode.Update() {
					t.Skip("its commands are those of README.md")
				}
				t.Parallel()
				r.page(t, p)
			})
		}
	})
}

const chineseReadme = "README.zh.md"

// docRunner has the built commands and a folder of the files that the pages name.
type docRunner struct{ bin, fixtures string }

func newDocRunner(t *testing.T) *docRunner {
	noteTop()
	t.Helper()
	testmode.DirectPython()
	r := &docRunner{bin: t.TempDir(), fixtures: t.TempDir()}
	build := exec.Command("go", "build", "-ldflags=-w", "-o", r.bin+string(filepath.Separator), "./cmd/tune", "./cmd/selfplay")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build.Args, err, out)
	}
	if err := os.CopyFS(filepath.Join(r.fixtures, "engines/external/examples"), os.DirFS("engines/external/examples")); err != nil {
		t.Fatal(err)
	}
	experiment := "schema = 1\ntitle = \"Is it even?\"\n\n[[run]]\nname = \"even\"\nkind = \"match\"\ngame = \"quoridor\"\n" +
		"a = \"final\"\nb = \"final\"\npairs = 4\nquick = { pairs = 2 }\n"
	r.write(t, "rapfi.toml", r.engineFile("gobang", "gomocup"))
	r.write(t, "mills.toml", r.engineFile("mills", "ugi"))
	r.write(t, "my-experiment.toml", experiment)
	return r
}

func (d *docRunner) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(d.fixtures, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// engineFile writes a file that describes one of this program's players as an external engine.
func (d *docRunner) engineFile(game, protocol string) string {
	return fmt.Sprintf("name = %q\ncmd = %q\nargs = [\"engine\", \"--game\", %q, \"--protocol\", %q]\nprotocol = %q\ndialect = %q\ngames = [%q]\nlimits = \"nodes=200\"\n",
		game, d.path("selfplay"), game, protocol, protocol, map[string]string{"gomocup": "yixin"}[protocol], game)
}

// path returns the file of a command.
func (d *docRunner) path(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(d.bin, name)
}

// page runs the commands of a page.
func (d *docRunner) page(t *testing.T, p page) {
	w := docWork{docRunner: d, dir: t.TempDir(), port: freePort(t)}
	if err := os.CopyFS(w.dir, os.DirFS(d.fixtures)); err != nil {
		t.Fatal(err)
	}
	for _, b := range p.blocks {
		if b.language != "sh" || b.skip != "" {
			continue
		}
		for i, line := range b.lines {
			w.at = fmt.Sprintf("%s:%d", p.file, b.first+i)
			if b.output != nil {
				w.shown(t, p, line, b.output)
				continue
			}
			w.line(t, line, smallBudgets)
		}
		w.stop(t)
	}
}

// docWork is the work of one page.
type docWork struct {
	*docRunner
	dir        string // working directory: a cd holds for the rest of the page
	at         string // file and line of the command
	port       string // replaces port 4222 of the pages
	background []*exec.Cmd
}

// docCommand is a line of a block, parsed.
type docCommand struct {
	words      []string
	redirect   string // file after >
	background bool   // followed by &
}

var docWord = regexp.MustCompile(`"([^"]*)"|'([^']*)'|[^\s"']+`)

// parseCommand parses a line; a comment begins with # at the start or after a space.
func parseCommand(line string) (c docCommand) {
	for _, m := range docWord.FindAllStringSubmatch(line, -1) {
		word := m[0]
		switch {
		case strings.HasPrefix(word, "#"):
			return c
		case word == "&":
			c.background = true
			return c
		case word == "</dev/null": // as for all commands here
		case word == ">":
			c.redirect = ">"
		case c.redirect == ">":
			c.redirect = word
		default:
			c.words = append(c.words, strings.Trim(word, `"'`))
		}
	}
	if len(c.words) > 2 && c.words[0] == "go" && c.words[1] == "run" {
		c.words = append([]string{filepath.Base(c.words[2])}, c.words[3:]...)
	}
	return c
}

// budget is a flag with the largest value for a test. With add, a command without the flag gets
// it.
type budget struct {
	flag string
	max  int
	add  bool
}

// smallBudgets returns the budgets of a command of the manual in tests.
func smallBudgets(words []string) []budget {
	if slices.Contains(words, "--resume") {
		return nil
	}
	has := func(word string) bool { return slices.Contains(words, word) }
	switch strings.Join(words[:min(2, len(words))], " ") {
	case "tune params", "tune methods", "tune report", "tune ask-tell", "tune ask", "tune tell", "tune best":
		return nil
	case "tune resume":
		return []budget{{"--games", 400, false}}
	case "selfplay match":
		if has("depth=2") { // selfplay fit requires 50 pairs
			return []budget{{"--pairs", 60, true}}
		}
		fallthrough
	case "selfplay tournament":
		return []budget{{"--pairs", 2, true}}
	case "selfplay ladder":
		return []budget{{"--rounds", 1, true}}
	case "selfplay search":
		return []budget{{"--positions", 1, true}}
	case "selfplay bench", "selfplay plan":
		return []budget{{"--seconds", 0, has("--game") || words[1] == "bench"}}
	}
	if words[0] != "tune" {
		return nil
	}
	list := []budget{{"--verify-pairs", 2, true}, {"--verify-min", 2, true}, {"--stop", 20, false}, {"--rate-pairs", 1, true}, {"--screen-pairs", 1, true}}
	switch {
	case has("spsa"):
		return append(list, budget{"--iters", 2, true}, budget{"--pairs", 2, true})
	case has("grid"):
		return append(list, budget{"--pairs", 4, true})
	case has("--iters"):
		return append(list, budget{"--iters", 2, true}, budget{"--pairs", 8, true})
	}
	if !slices.Contains(words, "quoridor") {
		return append(list, budget{"--games", 12, true})
	}
	return append(list, budget{"--games", 200, true})
}

// discards are the commands that keep no games in a test: making a report takes longer than a
// small run.
var discards = []string{"tune --", "selfplay match", "selfplay tournament", "selfplay ladder", "selfplay search"}

// discard adds --discard to a command whose run nothing reads.
func discard(words []string) []string {
	line := strings.Join(words, " ")
	named := slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"--out", "--resume", "--serve", "--record-moves"}, w)
	})
	if named || !slices.ContainsFunc(discards, func(prefix string) bool { return strings.HasPrefix(line, prefix) }) {
		return words
	}
	return append(words, "--discard")
}

// cut returns the words with the budgets applied.
func cut(words []string, budgets []budget) []string {
	words = slices.Clone(words)
	for _, b := range budgets {
		i := slices.Index(words, b.flag)
		if i < 0 && b.add {
			words = append(words, smallest(b)...)
			continue
		}
		if i < 0 || i+1 == len(words) {
			continue
		}
		if n, err := strconv.Atoi(words[i+1]); err == nil && n > b.max {
			words[i+1] = strconv.Itoa(b.max)
		}
	}
	return words
}

// smallest returns the flag with its largest value for a test.
func smallest(b budget) []string {
	if b.flag == "--seconds" {
		return []string{b.flag, "0.05"}
	}
	return []string{b.flag, strconv.Itoa(b.max)}
}

// line runs a line of a block under the budgets.
func (d *docWork) line(t *testing.T, line string, budgets func([]string) []budget) {
	t.Helper()
	c := parseCommand(line)
	if len(c.words) == 0 {
		return
	}
	if c.words[0] == "cd" {
		d.dir = filepath.Join(d.dir, filepath.FromSlash(c.words[1]))
		return
	}
	if c.words[0] != "tune" && c.words[0] != "selfplay" {
		t.Errorf("%s: %s is no command of ours; mark its block <!-- not run: REASON -->", d.at, c.words[0])
		return
	}
	c.words = discard(cut(c.words, budgets(c.words)))
	for i, word := range c.words {
		c.words[i] = strings.NewReplacer("4222", d.port, "tc=8+0.08", "tc=0.2+0.02").Replace(word)
	}
	switch {
	case c.background:
		d.start(t, c)
	case slices.Contains(c.words, "--serve"), len(c.words) > 1 && c.words[1] == "serve":
		d.serve(t, c)
	case slices.Contains(c.words, "host") && lacks("cc"):
		t.Logf("%s: no C compiler here", d.at)
	default:
		d.run(t, c)
	}
}

func lacks(program string) bool {
	_, err := exec.LookPath(program)
	return err != nil
}

// keepStart is the exit code of a tuning whose start should be kept, which is a valid result.
const keepStart = 3

func (d *docWork) command(ctx context.Context, c docCommand) *exec.Cmd {
	cmd := exec.CommandContext(ctx, d.path(c.words[0]), c.words[1:]...)
	cmd.Dir = d.dir
	return cmd
}

// run runs a command to its end and returns its standard output.
func (d *docWork) run(t *testing.T, c docCommand) string {
	t.Helper()
	cmd := d.command(t.Context(), c)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && c.words[0] == "tune" && exit.ExitCode() == keepStart {
		err = nil
	}
	if err != nil {
		t.Errorf("%s: %s: %v\n%s%s", d.at, strings.Join(c.words, " "), err, out, errs.String())
	}
	if c.redirect != "" {
		if err := os.WriteFile(filepath.Join(d.dir, c.redirect), out, 0o666); err != nil {
			t.Error(err)
		}
	}
	return string(out)
}

// start starts a command that runs at the same time as the others of its block.
func (d *docWork) start(t *testing.T, c docCommand) {
	t.Helper()
	cmd := d.command(t.Context(), c)
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", d.at, err)
	}
	d.background = append(d.background, cmd)
}

// stop ends the commands that start started.
func (d *docWork) stop(t *testing.T) {
	t.Helper()
	for _, cmd := range d.background {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // killed
	}
	d.background = nil
}

// serve runs a command until it prints the address of its pages.
func (d *docWork) serve(t *testing.T, c docCommand) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := d.command(ctx, c)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd.Stdout, cmd.Stderr = write, write
	err = cmd.Start()
	write.Close()
	if err != nil {
		t.Fatalf("%s: %v", d.at, err)
	}
	var text strings.Builder
	for lines := bufio.NewScanner(read); lines.Scan(); {
		fmt.Fprintln(&text, lines.Text())
		if strings.Contains(lines.Text(), "http://") {
			cancel()
			_ = cmd.Wait() // killed
			return
		}
	}
	t.Errorf("%s: %s printed no address: %v\n%s", d.at, strings.Join(c.words, " "), cmd.Wait(), text.String())
}

// Parts of shown output that differ from run to run.
var (
	docSeconds = regexp.MustCompile(`(?m)in [0-9.]+ s\b|games, (?:\d+ (?:s|min)|under a second)$`)
	docRun     = regexp.MustCompile(`runs/[0-9]{8}-[0-9]{6}-`)
	docCPU     = regexp.MustCompile(`(?m)^(CPU time +).*$`)
)

func sameEachTime(text string) string {
	text = docCPU.ReplaceAllString(text, "${1}T")
	return docRun.ReplaceAllString(docSeconds.ReplaceAllString(text, "in T s"), "runs/TIME-")
}

// shown runs a command unchanged and compares its output with the page, or writes the output
// into the page.
func (d *docWork) shown(t *testing.T, p page, line string, shown *block) {
	t.Helper()
	got, want := strings.TrimSpace(d.run(t, parseCommand(line))), strings.TrimSpace(strings.Join(shown.lines, "\n"))
	if sameEachTime(got) == sameEachTime(want) {
		return
	}
	if !testmode.Update() {
		t.Errorf("%s: the page does not show what the command prints; write it with SELFPLAYLAB_UPDATE=1 go test -run DocCommands ./cmd/internal/check\n%s", d.at, got)
		return
	}
	text := strings.Replace(readText(t, p.file), "```text\n"+strings.Join(shown.lines, "\n")+"\n```", "```text\n"+got+"\n```", 1)
	if err := os.WriteFile(p.file, []byte(text), 0o666); err != nil {
		t.Error(err)
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// TestReadmeChineseHasTheSameBlocks compares commands and output in the Chinese README with the
// README.
func TestReadmeChineseHasTheSameBlocks(t *testing.T) {
	fenced := func(file string) []string { return docFence.FindAllString(sameEachTime(readText(t, file)), -1) }
	if here, there := fenced(chineseReadme), fenced("README.md"); !slices.Equal(here, there) {
		t.Errorf("the blocks of the READMEs differ; in Chinese:\n%s\nin English:\n%s", strings.Join(here, "\n"), strings.Join(there, "\n"))
	}
}
