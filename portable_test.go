package selfplaylab_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/datasets"
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
	rows := map[string][]any{}
	for _, processor := range []string{"amd64", "386"} {
		tune, run := filepath.Join(dir, "tune-"+processor), filepath.Join(dir, "run-"+processor)
		build := exec.Command("go", "build", "-o", tune, "./cmd/tune")
		build.Env = append(os.Environ(), "GOARCH="+processor)
		play := exec.Command(tune, "--game", "quoridor", "--iters", "50", "--pairs", "8", "--verify-min", "100", "--verify-pairs", "200", "--out", run)
		for _, command := range []*exec.Cmd{build, play} {
			out, err := command.CombinedOutput()
			if code := command.ProcessState.ExitCode(); code != 0 && (command == build || code != notShown) {
				t.Fatalf("%s: %v: %v\n%s", processor, command.Args, err, out)
			}
		}
		rows[processor] = recorded(t, run)
	}
	if len(rows["386"]) < 1000 {
		t.Errorf("only %d rows", len(rows["386"]))
	}
	if d := cmp.Diff(rows["amd64"], rows["386"]); d != "" {
		t.Errorf("rows of 64 and of 32 bits (-, +):\n%.2000s", d)
	}
}

// recorded returns all trials and games of a run.
func recorded(t *testing.T, dir string) (rows []any) {
	t.Helper()
	log, err := datasets.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range log.Trials(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	for row, err := range log.Games(datasets.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}
