package selfplay

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// shrink makes the tour so short that a test may take it.
func shrink(t *testing.T) {
	before := stops
	t.Cleanup(func() { stops = before })
	stops = nil
	for _, s := range before {
		s.n, s.args = s.n/50, append(s.args[:len(s.args):len(s.args)], "--quiet")
		if s.kind == "tune" {
			s.args = append(s.args, "--verify-pairs", "20")
		}
		stops = append(stops, s)
	}
}

// TestDemo: the tour plays a match and a tuning, shows their commands, and names reports
// that are there.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("short: plays the demonstration")
	}
	shrink(t)
	dir := filepath.Join(t.TempDir(), "tour")
	args := []string{"demo", "--out", dir}
	var out bytes.Buffer
	if err := root(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"$ selfplay match --game quoridor", "$ tune --game quoridor", "Is final stronger than bad at Quoridor?", "selfplay serve " + dir} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("no %q in\n%s", text, out.String())
		}
	}
	for _, file := range []string{"match/report.html", "tune/report.html", "tune/tuned.toml"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}

// TestOverview: without arguments selfplay introduces the program in six lines.
func TestOverview(t *testing.T) {
	var out bytes.Buffer
	if err := root(t.Context(), nil, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 6 {
		t.Errorf("%d lines:\n%s", n, out.String())
	}
	for line := range strings.Lines(out.String()) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "selfplay" || words[1] == "plays" {
			continue
		}
		if found, _, err := command(nil, io.Discard, io.Discard).Find(words[1:2]); err != nil || found.Name() != words[1] {
			t.Errorf("%s: no such command (%v)", strings.TrimSpace(line), err)
		}
	}
}

// TestHelpFiles: every command that help lists says what it does, with an example; every
// file is of a command.
func TestHelpFiles(t *testing.T) {
	names := map[string]bool{"overview.txt": true}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		names[cmd.Name()+".txt"] = true
		if cmd.Example == "" || cmd.Short == "" || strings.Contains(cmd.Long, "Examples:") {
			t.Errorf("%s: help of %q, examples %q", cmd.CommandPath(), cmd.Short, cmd.Example)
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(command(nil, io.Discard, io.Discard))
	files, err := helpTexts.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !names[f.Name()] {
			t.Errorf("help/%s: no command has this name", f.Name())
		}
	}
}

// TestManPages: every command has a page with its options and examples.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	if err := root(t.Context(), []string{"man", dir}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, text string }{
		{"selfplay.1", "selfplay\\-match(1)"}, {"selfplay-match.1", "\\-\\-pairs"}, {"selfplay-engine-check.1", ".SH EXAMPLES"},
		{"selfplay-export.1", ".SH NAME\nselfplay\\-export \\- write a run's games"},
	} {
		page, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil || !strings.Contains(string(page), c.text) {
			t.Errorf("%s: no %q (%v)\n%.300s", c.file, c.text, err, page)
		}
	}
	for _, absent := range []string{"selfplay-man.1"} {
		if _, err := os.Stat(filepath.Join(dir, absent)); err == nil {
			t.Errorf("%s: the page of a hidden command", absent)
		}
	}
}
