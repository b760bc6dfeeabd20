package selfplaylab_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/datasets"
	"selfplaylab/datasets/datasetstest"
	"selfplaylab/engines/testmode"
)

// notShown is tune's exit code where the tuned values were not shown to be better.
const notShown = 3

// A program of 32 bits plays the games and trials of this one, also after a fit.
func TestRowsOf32Bits(t *testing.T) {
	testmode.SkipUnlessLong(t) // compiles everything for another processor
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 runs programs of a 32-bit processor")
	}
	dir := t.TempDir()
	type table struct {
		Trials []datasets.TrialRow
		Games  []datasets.GameRow
	}
	rows := map[string]table{}
	for _, processor := range []string{"amd64", "386"} {
		tune, run := filepath.Join(dir, "tune-"+processor), filepath.Join(dir, "run-"+processor)
		build := exec.Command("go", "build", "-ldflags=-w", "-o", tune, "./cmd/tune")
		build.Env = append(os.Environ(), "GOARCH="+processor)
		play := exec.Command(tune, "--game", "quoridor", "--iters", "50", "--pairs", "8", "--verify-min", "100", "--verify-pairs", "200", "--out", run)
		for _, command := range []*exec.Cmd{build, play} {
			out, err := command.CombinedOutput()
			if code := command.ProcessState.ExitCode(); code != 0 && (command == build || code != notShown) {
				t.Fatalf("%s: %v: %v\n%s", processor, command.Args, err, out)
			}
		}
		trials, games := datasetstest.Rows(t, run, datasets.Filter{})
		rows[processor] = table{trials, games}
	}
	if len(rows["386"].Games) < 1000 {
		t.Errorf("only %d games", len(rows["386"].Games))
	}
	if d := cmp.Diff(rows["amd64"], rows["386"]); d != "" {
		t.Errorf("rows of 64 and of 32 bits (-, +):\n%.2000s", d)
	}
}
