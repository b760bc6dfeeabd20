package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// kind runs every command with runs of the added kind, which also brings its own commands.
func (e extended) kind(t *testing.T) {
	e.work = t.TempDir()
	experiment := "schema = 1\ntitle = \"Who is beaten?\"\n\n[[run]]\nname = \"all\"\nkind = \"gauntlet\"\ngame = \"quoridor\"\nplayer = \"final\"\nopponent = [\"bad\"]\npairs = 4\n"
	if err := os.WriteFile(filepath.Join(e.work, "all.toml"), []byte(experiment), 0o666); err != nil {
		t.Fatal(err)
	}
	const one = "selfplay gauntlet --game quoridor --player final --opponent bad --opponent v12.7 --pairs 4"
	for _, step := range []struct {
		code int
		line string
		want string
	}{
		{0, "selfplay --help", "play one player against several"},
		{0, "selfplay gauntlet --help", "game pairs against each opponent (default 10)"},
		{1, "selfplay gauntlet --game quoridor --player final", "--opponent: none is given"},
		{0, one + " --record-moves on --out runs/one", "score of final"},
		{0, one + " --seed 2 --out runs/two", "score of final"},
		{0, "selfplay gauntlet --resume runs/one --json", `"player":"final"`},
		{0, "selfplay report runs/one", "report.html"},
		{0, "selfplay replay runs/one 1:3:1 --brief", "the players repeat every move"},
		{0, "selfplay export runs/one --table positions --csv", "position"},
		{0, "selfplay runs --kind gauntlet", "final v 2 opponents"},
		{0, "selfplay run all.toml --out experiment", "Who is beaten?"},
		{0, "selfplay runs rm runs/two --yes", "runs/two"},
	} {
		if out := e.run(t, step.code, step.line); !strings.Contains(out, step.want) {
			t.Errorf("%s: no %q in\n%s", step.line, step.want, out)
		}
	}
	for path, want := range map[string]string{
		"/": "Runs", "/run?id=one": "final v 2 opponents", "/data/runs": `"kind":"gauntlet"`, "/data/report?id=one": "Scores",
		"/games?id=one": "one", "/new?kind=gauntlet": "game pairs against each opponent",
	} {
		if page := e.served(t, "runs", path); !strings.Contains(page, want) {
			t.Errorf("%s: no %q in\n%s", path, want, page)
		}
	}
	e.goes(t, "test", "-vet=off", "-run", "TestGauntletResume", "./engines/runs/kinds")
}

// served returns the answer of selfplay serve for a path.
func (e *extended) served(t *testing.T, dir, path string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(e.bin, "selfplay"), "serve", dir)
	cmd.Dir = e.work
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Kill()
		cmd.Wait()
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	get := func(url string) string {
		t.Helper()
		r, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	get(strings.TrimSpace(address)) // the token becomes a cookie
	return get(regexp.MustCompile(`^https?://[^/?]+`).FindString(address) + path)
}
