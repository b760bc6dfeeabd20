package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"
)

// extended is the source with a fifth game, a protocol and a kind of runs added. Each is a
// folder or file and a line, overlaid on the source for the go command only.
type extended struct {
	root    string // of the module
	overlay string // file that lists the overlaid files
	bin     string // folder of the built commands
	work    string // where commands run
}

// TestExtensionsAreAFolderAndALine adds a game and a kind of runs by one folder and one line
// each, and a protocol by one file and one line. All are added to one build. Its commands are
// run, and so are the tests of the packages with the lists.
func TestExtensionsAreAFolderAndALine(t *testing.T) {
	testmode.SkipUnlessLong(t) // compiles most of the program again
	const kind = "engines/runs/kinds/testdata/gauntlet/"
	f := layOver(t, map[string]string{
		"engines/tictactoe/tictactoe.go": exampleGame(t),
		"engines/games/games.go": edited(t, "engines/games/games.go",
			"\t\"selfplaylab/engines/quoridor\"\n", "\t\"selfplaylab/engines/quoridor\"\n\t\"selfplaylab/engines/tictactoe\"\n",
			"\t\tmills.Game(),\n", "\t\tmills.Game(),\n\t\ttictactoe.Game(),\n"),
		"engines/external/protocol/toy.go": edited(t, "engines/external/testdata/toy/toy.go.txt"),
		"engines/external/protocol/all.go": edited(t, "engines/external/protocol/all.go",
			"\t\tgetpointProtocol(),\n", "\t\tgetpointProtocol(),\n\t\ttoyProtocol(),\n"),
		"engines/runs/gauntlet/gauntlet.go":   edited(t, kind+"gauntlet.go"),
		"engines/runs/kinds/gauntlet_test.go": edited(t, kind+"gauntlet_test.go", "package gauntlet_test", "package kinds_test"),
		"engines/runs/kinds/runs.go": edited(t, "engines/runs/kinds/runs.go",
			"\t\"selfplaylab/engines/runs/match\"\n", "\t\"selfplaylab/engines/runs/gauntlet\"\n\t\"selfplaylab/engines/runs/match\"\n",
			"\t\tmatch.Kind(),\n", "\t\tmatch.Kind(),\n\t\tgauntlet.Kind(),\n"),
	})
	f.goes(t, "build", "-ldflags=-w", "-o", f.bin+string(filepath.Separator), "./cmd/tune", "./cmd/selfplay")
	t.Run("game", f.game)
	t.Run("protocol", f.protocol)
	t.Run("kind", f.kind)
}

// layOver overlays files on the source, for the go command only.
func layOver(t *testing.T, files map[string]string) *extended {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	f := &extended{root: root, overlay: filepath.Join(dir, "overlay.json"), bin: filepath.Join(dir, "bin")}
	replace := map[string]string{}
	for name, text := range files {
		path := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = path
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(f.overlay, list, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// exampleGame returns the worked example of engines/gametest as a package of its own.
func exampleGame(t *testing.T) string {
	text := edited(t, "engines/gametest/tictactoe_test.go",
		"package gametest_test\n", "package tictactoe\n",
		"\t\"testing\"\n", "",
		"\t\"selfplaylab/engines/gametest\"\n", "")
	game, _, found := strings.Cut(text, "// 10. The tests.\n")
	if !found {
		t.Fatal("the example has no tests")
	}
	return game + "\n// Game describes tic-tac-toe.\nfunc Game() *engines.Game { return ticTacToe() }\n"
}

// edited reads a file and replaces texts, each of which must occur once.
func edited(t *testing.T, name string, pairs ...string) string {
	noteTop()
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%s holds %q %d times, not once", name, pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// goes runs the go command on the overlaid source.
func (e *extended) goes(t *testing.T, verb string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{verb, "-overlay", e.overlay}, args...)...)
	cmd.Dir = e.root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s %q: %v\n%s", verb, args, err, out)
	}
}

// run runs a command of the toolkit, with words split at spaces. It must end with the exit
// code.
func (e *extended) run(t *testing.T, code int, line string) (out string) {
	t.Helper()
	words := strings.Fields(line)
	name := words[0]
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.Command(filepath.Join(e.bin, name), words[1:]...)
	cmd.Dir = e.work
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("%s: exit code %d, want %d\n%s", line, got, code, text)
	}
	return string(text)
}

// game runs every command with the added game, and every test over all games.
func (e extended) game(t *testing.T) {
	e.work = t.TempDir()
	experiment := "schema = 1\ntitle = \"Is it even?\"\n\n[[run]]\nname = \"even\"\nkind = \"match\"\ngame = \"tictactoe\"\na = \"default\"\nb = \"default\"\npairs = 4\n"
	preset, bad := defaultPreset(t, &e), "bad"
	experiment = strings.ReplaceAll(experiment, "\"default\"", "\""+preset+"\"")
	if err := os.WriteFile(filepath.Join(e.work, "even.toml"), []byte(experiment), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		code int
		line string
		want string
	}{
		{0, "selfplay match --game tictactoe --a PRESET --b PRESET --pairs 20 --record-moves on --out match", "A's score"},
		{0, "selfplay match --resume match", "A's margin       0 cells a game"},
		{0, "selfplay match --game tictactoe --a PRESET --b BAD --pairs 20 --json --out margin", `"margin":{"mean":`},
		{0, "selfplay export margin --table games --csv", "margin"},
		{0, "selfplay replay match 0:3:1 --brief", "the players repeat every move"},
		{0, "selfplay report match", "report.html"},
		{0, "selfplay export match --table positions --csv", "position"},
		{0, "selfplay tournament --game tictactoe --pairs 8 --player one:PRESET --player two:PRESET --out tournament", "rank"},
		{1, "selfplay ladder --game tictactoe --player PRESET", "no ladder"},
		{0, "selfplay ladder --calibrate --game tictactoe --rounds 30 --player low:BAD --player high:PRESET --anchor low --out ladder", "rank"},
		{0, "selfplay ladder --game tictactoe --ladder ladder/ladder.toml --player me:PRESET --rounds 4 --out climb", "rating on the ladder"},
		{0, "selfplay search --game tictactoe --player PRESET --positions 3 --opening-plies 2", "nodes a position"},
		{0, "selfplay run even.toml --out experiment", "Is it even?"},
		{0, "selfplay perft --game tictactoe --depth 9", "127872"},
		{0, "selfplay show --game tictactoe", "3"},
		{0, "selfplay eval --game tictactoe", ""},
		{0, "selfplay best --game tictactoe", "move"},
		{0, "selfplay bench --game tictactoe --seconds 0.1", "games/s"},
		{0, "selfplay plan --game tictactoe --elo 20 --seconds 0.1", "pairs"},
		{0, "tune params --game tictactoe", "preset"},
		{0, "selfplay runs .", "tictactoe"},
	} {
		line := strings.NewReplacer("PRESET", preset, "BAD", bad).Replace(step.line)
		if out := e.run(t, step.code, line); !strings.Contains(out, step.want) {
			t.Errorf("%s: no %q in\n%s", line, step.want, out)
		}
	}
	// Tuned, or not better: both are valid results.
	for _, line := range []string{"tune --game tictactoe --iters 6 --pairs 2 --verify-pairs 8 --verify-min 8 --out tuned"} {
		words := e.run3(t, line)
		if !strings.Contains(words, "tuned.toml") {
			t.Errorf("%s:\n%s", line, words)
		}
	}
	e.goes(t, "test", "-vet=off", "-short", "./engines/games")
	e.goes(t, "test", "-vet=off", "-run", "TestOtherProcesses", "./engines/schedule")
	e.goes(t, "test", "-vet=off", "-short", "-run", "Game|TestPositions", "./cmd/internal/selfplay", "./cmd/internal/tune")
}

// protocol runs every test over all protocols with the added one.
func (e extended) protocol(t *testing.T) {
	e.goes(t, "test", "-vet=off", "-run", "TestRulesCatchForbiddenImports|TestFile", "./engines/external")
	e.goes(t, "test", "-vet=off", "./engines/external/protocol")
}

// run3 runs a tuning, which ends with 0 or, if it found nothing better, with 3.
func (e *extended) run3(t *testing.T, line string) string {
	t.Helper()
	words := strings.Fields(line)
	cmd := exec.Command(filepath.Join(e.bin, words[0]), words[1:]...)
	cmd.Dir = e.work
	text, err := cmd.CombinedOutput()
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 3) {
		t.Errorf("%s: %v\n%s", line, err, text)
	}
	return string(text)
}

// defaultPreset returns the name of the game's default preset, as the list of presets marks it.
func defaultPreset(t *testing.T, f *extended) string {
	t.Helper()
	for line := range strings.Lines(f.run(t, 0, "tune params --game tictactoe")) {
		if name, _, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.Contains(line, "(default)") {
			return name
		}
	}
	t.Fatal("no preset is marked as the default")
	return ""
}
