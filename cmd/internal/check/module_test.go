package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// maxProgram is the number of lines of the program of the manual, without imports, comments and empty lines.
const maxProgram = 60

// programOfManual returns the program of docs/extend.md.
func programOfManual(t *testing.T) string {
	noteTop()
	t.Helper()
	page, err := os.ReadFile("docs/extend.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```go\n")
	text, _, found := strings.Cut(text, "```\n")
	if !found {
		t.Fatal("docs/extend.md shows no program")
	}
	return text
}

// TestProgramOfManualIsShort counts the lines of the program.
func TestProgramOfManualIsShort(t *testing.T) {
	text := regexp.MustCompile(`(?s)import \(.*?\n\)`).ReplaceAllString(programOfManual(t), "")
	lines := regexp.MustCompile(`(?m)^\s*[^\s/].*$`).FindAllString(text, -1)
	if len(lines) > maxProgram {
		t.Errorf("%d lines; want at most %d", len(lines), maxProgram)
	}
}

// TestGameOfAnotherModulePlays builds the program of the manual as a module of its own, and uses it
// with what a game of this module can do.
func TestGameOfAnotherModulePlays(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program")
	}
	dir := t.TempDir()
	own, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	mod := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(own), "module example.org/nim") +
		"\nrequire selfplaylab v0.0.0\n\nreplace selfplaylab => " + filepath.ToSlash(root) + "\n"
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": mod, "go.sum": string(sum), "main.go": programOfManual(t)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(dir, "nim")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	run := func(want int, name string, words ...string) string {
		t.Helper()
		cmd := exec.Command(name, words...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
		text, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
			t.Fatalf("%s %q: %v, want exit code %d\n%s", name, words, err, want, text)
		}
		return string(text)
	}
	run(0, "go", "build", "-ldflags=-w", "-o", program, ".")
	for _, c := range []struct{ line, want string }{
		{"match --game nim --a bad --b bad,fours=20 --pairs 30 --out m", "continue with: nim match --resume m"},
		{"match --resume m", "A's score        0.0 %"},
		{"tune --game nim --games 400 --out t", "verified with "},
		{"tune resume t --games 600", "fours "},
		{"tune params --game nim", "fours "},
		{"report m", "report.html"},
		{"replay m 0:0:0", "A (bad): "},
		{"export m --table positions", "63 1"},
		{"runs .", "nim"},
		{"best --game nim --moves 1", "move "},
		{"params --game tictactoe", ""},
	} {
		code := 0
		if strings.Contains(c.line, "tictactoe") {
			code = 1
		}
		if got := run(code, program, strings.Fields(c.line)...); !strings.Contains(got, c.want) {
			t.Errorf("%s: no %q in\n%s", c.line, c.want, got)
		}
	}
	serve := exec.Command(program, "serve", ".", "--listen", "127.0.0.1:0")
	serve.Dir = dir
	out, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer serve.Wait()
	defer serve.Process.Kill()
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	page, err := http.Get(strings.Replace(strings.TrimSpace(string(line[:n])), "/?", "/new?", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	if text, err := io.ReadAll(page.Body); err != nil || !strings.Contains(string(text), "nim") {
		t.Errorf("the form of a new run has no nim: %v", err)
	}
}
