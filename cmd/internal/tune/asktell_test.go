package tune

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/testmode"
)

// examples is the folder of the programs that docs/asktell.md shows.
const examples = "../../../engines/external/examples"

// mockFastchess prints what fastchess would if the engine with the larger a won.
const mockFastchess = `import sys
words = sys.argv[1:]
a = [float(w.split("=")[1]) for w in words if w.startswith("option.a=")]
rounds = int(words[words.index("-rounds") + 1])
assert words[words.index("-games") + 1] == "2" and "-repeat" in words and len(a) == 2
print("Games: %d, Wins: 0, Losses: 0, Draws: 0" % (2 * rounds))
print("Ptnml(0-2): [%d, 0, 0, 0, %d], WL/DD Ratio: inf" % (rounds * (a[0] < a[1]), rounds * (a[0] >= a[1])))
`

// TestAskTellExamples runs the adapters of docs/asktell.md, where Python is there: the loop in
// Optuna's style, fastchess as the runner, a person as the judge.
func TestAskTellExamples(t *testing.T) {
	testmode.SkipUnlessLong(t) // programs of the manual
	testmode.DirectPython()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	t.Parallel()
	dir := t.TempDir()
	mock := filepath.Join(dir, "fastchess")
	if err := os.WriteFile(mock, []byte("#!"+python+" -SE\n"+mockFastchess), 0o777); err != nil {
		t.Fatal(err)
	}
	small := []string{"--games", "24", "--verify-min", "8", "--verify-pairs", "16"}
	for _, c := range []struct {
		name, stdin, want string
		words             []string
	}{
		{"study.py", "", "{'a': ", nil},
		{"fastchess.py", "", "'late': False", []string{"noisy.toml", "engine", "book.epd"}},
		{"prefer.py", "A\nB\n=\nperhaps\nB\nq\n", "recommended: ", []string{"noisy.toml"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			run := filepath.Join(dir, c.name+"-run")
			cmd := exec.Command("python3", append(append([]string{c.name, run}, c.words...), small...)...)
			cmd.Dir, cmd.Stdin, cmd.Env = examples, strings.NewReader(c.stdin), append(os.Environ(), "FASTCHESS="+mock)
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), c.want) {
				t.Fatalf("%v\n%s", err, out)
			}
			shown := clitest.OK(t, examples, "tune", "best", run).Stdout
			if finished := c.stdin == ""; strings.Contains(shown, `"finished":true`) != finished || strings.Contains(shown, `"games":0,`) {
				t.Error(shown)
			}
			clitest.OK(t, examples, "tune", "report", run)
		})
	}
}

// TestAskTellKilled: after kill -9 every answer that was confirmed is there, and the same
// command goes on.
func TestAskTellKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("short: kills a program")
	}
	t.Parallel()
	dir := t.TempDir()
	flags := []string{"ask-tell", "--space", examples + "/noisy.toml", "--out", filepath.Join(dir, "run"), "--games", "40"}
	for n := range 10 {
		cmd := exec.Command("tune", flags...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err == nil {
			_, err = in.Write([]byte(`{"ask": 1}` + "\n"))
		}
		reply := make([]byte, 1<<12)
		size := 0
		if err == nil {
			size, err = out.Read(reply)
		}
		_, id, found := strings.Cut(string(reply[:size]), `"id":"`)
		id, _, _ = strings.Cut(id, `"`)
		if err == nil {
			_, err = in.Write([]byte(`{"tell": "` + id + `", "points": 1}` + "\n"))
		}
		if err == nil {
			size, err = out.Read(reply)
		}
		if err != nil || !found || !strings.Contains(string(reply[:size]), `"late":false`) {
			t.Fatalf("%d: %v: %s", n, err, reply[:size])
		}
		if n == 9 { // in use, which does not matter to what only reads
			if best := clitest.OK(t, dir, "tune", "best", "run").Stdout; !strings.Contains(best, `"games":20,`) {
				t.Error(best)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
	}
	if best := clitest.OK(t, dir, "tune", "best", "run").Stdout; !strings.Contains(best, `"games":20,`) {
		t.Error(best)
	}
	if r := clitest.Run(t, ".", "tune", "ask-tell", "--space", examples+"/noisy.toml", "--out", filepath.Join(dir, "run"), "--games", "60"); r.Code != 1 ||
		!strings.Contains(r.Stderr, "holds another run") {
		t.Errorf("%+v", r)
	}
}

// TestAskTellContinuesEarlierRun: a run that an earlier version recorded, in other words of its
// command, is the run that the same flags describe.
func TestAskTellContinuesEarlierRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	corpus := "../../../engines/runs/kinds/testdata/corpus/0.4.0-20261129/ask-tell-finished"
	if err := os.CopyFS(filepath.Join(dir, "run"), os.DirFS(corpus)); err != nil {
		t.Fatal(err)
	}
	args := []string{"ask-tell", "--space", "noisy.toml", "--verify-pairs", "0", "--screen-pairs", "0", "--rate-pairs", "0", "--out", filepath.Join(dir, "run")}
	r := clitest.Run(t, examples, "tune", append(args, "--games", "8")...)
	if r.Code != 0 {
		t.Errorf("%+v", r)
	}
	if r := clitest.Run(t, examples, "tune", append(args, "--games", "10")...); r.Code != 1 || !strings.Contains(r.Stderr, "holds another run") {
		t.Errorf("%+v", r)
	}
}

// TestAskTellFlags: help has no flags of games, and a run that tune cannot resume names the one
// command that can.
func TestAskTellFlags(t *testing.T) {
	t.Parallel()
	run := filepath.Join(t.TempDir(), "run")
	clitest.OK(t, examples, "tune", "ask-tell", "--space", "noisy.toml", "--out", run, "--games", "40")
	help := clitest.OK(t, examples, "tune", "ask-tell", "--help").Stdout
	for _, flag := range []string{"--game ", "--resign", "--openings", "--direction"} {
		if strings.Contains(help, flag) {
			t.Errorf("help of ask-tell has %s", flag)
		}
	}
	r := clitest.Run(t, examples, "tune", "--resume", run)
	if r.Code != 1 || !strings.Contains(r.Stderr, "continue with tune ask-tell") || strings.Contains(r.Stderr, "tune --resume") {
		t.Errorf("exit code %d: %s", r.Code, r.Stderr)
	}
	// What the file of parameters says is part of what was asked.
	space, dir := filepath.Join(t.TempDir(), "space.toml"), filepath.Join(t.TempDir(), "run")
	for _, limit := range []string{"9", "8"} {
		if err := os.WriteFile(space, []byte("[[param]]\nname = \"a\"\nmin = 0\nmax = "+limit+"\ndefault = 1\nstep = 1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		r = clitest.Run(t, ".", "tune", "ask-tell", "--space", space, "--out", dir, "--games", "40")
	}
	if r.Code != 1 || !strings.Contains(r.Stderr, "with other parameters than the file has now") {
		t.Errorf("exit code %d: %s", r.Code, r.Stderr)
	}
}
