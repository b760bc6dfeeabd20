package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/cmd/internal/clitest"
)

// asked are small runs of every method.
var asked = map[string]string{
	"spsa":     "--iters 30 --pairs 4 --screen-pairs 2 --verify-min 64 --verify-pairs 128",
	"classic":  "--iters 12 --pairs 2 --gains classic --start bad --params a_E,b_gain --rules variant=standard --verify-pairs 32 --opening-plies 0 --screen-pairs 0 --seed 18446744073709551615",
	"grid":     "--method grid --grid b_gain=20:60:10 --pairs 12 --verify-min 64 --verify-pairs 64",
	"two axes": "--method grid --grid a_E=11:44:x2 --grid rush_dist=3,4 --pairs 60 --screen-pairs 1 --verify-pairs 0 --start v12.7,a_M=6 --confidence 0.9",
}

// The number of workers never shows: the same bytes with 1, 2 and 16.
func TestWorkersNeverShow(t *testing.T) {
	t.Parallel()
	for name, flags := range asked {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, workers := range []string{"1", "2", "16"} {
				args := append([]string{"--game", "quoridor", "--workers", workers, "--out", filepath.Join(workers, "run")}, strings.Fields(flags)...)
				clitest.OK(t, dir, "tune", args...)
			}
			for _, workers := range []string{"2", "16"} {
				if err := clitest.Same(filepath.Join(dir, "1", "run"), filepath.Join(dir, workers, "run"), clitest.Repeatable); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// The canonical command of run.toml, typed again, gives the same bytes.
func TestCanonicalCommand(t *testing.T) {
	t.Parallel()
	for name, flags := range asked {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			clitest.OK(t, dir, "tune", append([]string{"--game", "quoridor", "--out", "a/run"}, strings.Fields(flags)...)...)
			command := recorded(t, filepath.Join(dir, "a", "run")).Command
			words := strings.Fields(command)
			if words[0] != "tune" {
				t.Fatalf("command is %q", command)
			}
			clitest.OK(t, dir, "tune", append(words[1:], "--out", "b/run")...)
			if err := clitest.Same(filepath.Join(dir, "a", "run"), filepath.Join(dir, "b", "run"), clitest.Repeatable); err != nil {
				t.Error(err)
			}
		})
	}
}

// header is the part of run.toml that tests look at.
type header struct {
	Command string `toml:"command"`
	Typed   string `toml:"typed"`
}

func recorded(t *testing.T, dir string) header {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "run.toml"))
	if err != nil {
		t.Fatal(err)
	}
	var h header
	if err := toml.Unmarshal(data, &h); err != nil {
		t.Fatal(err)
	}
	return h
}

// What was typed is recorded so that a shell takes it back.
func TestTypedIsRecorded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := "it's mine.toml"
	if err := os.WriteFile(filepath.Join(dir, file), []byte("game = \"quoridor\"\n[values]\na_E = 20\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	clitest.OK(t, dir, "tune", "--game", "quoridor", "--start", file, "--iters", "1", "--pairs", "1", "--screen-pairs", "0", "--verify-pairs", "0", "--out", "my run")
	want := `tune --game quoridor --start 'it'\''s mine.toml' --iters 1 --pairs 1 --screen-pairs 0 --verify-pairs 0 --out 'my run'`
	if got := recorded(t, filepath.Join(dir, "my run")).Typed; got != want {
		t.Errorf("typed is %s, want %s", got, want)
	}
}
