//go:build unix

package selfplay

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/testmode"
)

// TestNothingLeft: whatever ends a match, no engine process outlives it, nor what an
// engine started, in its group or in a session of its own. Every process holds the writing end of a pipe, which is at its end when
// the last of them is gone.
func TestNothingLeft(t *testing.T) {
	testmode.SkipUnlessLong(t) // starts many programs
	t.Parallel()
	for name, stop := range map[string]string{
		"finished": "", "interrupt": "interrupt match 40", "kill": "kill match 40", "terminate": "terminate match 40", "hangup": "hangup match 40",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "hangup" && signal.Ignored(syscall.SIGHUP) {
				t.Skip("started by nohup: programs that it starts ignore the signal, too")
			}
			dir, log := t.TempDir(), filepath.Join(t.TempDir(), "starts")
			file := `cmd = "sh"` + "\n" + `args = ["-c", "sleep 1000 & setsid sleep 1000 & exec mock-engine quoridor good"]` + "\nprotocol = \"ugi\"\ngames = [\"quoridor\"]\n"
			if err := os.WriteFile(filepath.Join(dir, "e.toml"), []byte(file), 0o666); err != nil {
				t.Fatal(err)
			}
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			cmd := exec.Command("selfplay", "match", "--game", "quoridor", "--a", "engine:e.toml", "--b", "engine:e.toml,a_E=3", "--pairs", "40", "--workers", "3", "--out", "m")
			cmd.Dir, cmd.ExtraFiles = dir, []*os.File{w}
			cmd.Env = append(os.Environ(), clitest.StopVariable+"="+stop, clitest.MockLog+"="+log)
			out, err := cmd.CombinedOutput()
			w.Close()
			if (err == nil) != (stop == "") {
				t.Fatalf("%v\n%s", err, out)
			}
			if _, err := io.ReadAll(r); err != nil { // waits for the last process
				t.Error(err)
			}
			starts, err := os.ReadFile(log)
			if n := strings.Count(string(starts), "\n"); err != nil || n < 4 || n > 8 {
				t.Errorf("%d processes were started (%v); want one a player to see what it is, and at most one a player and worker", n, err)
			}
		})
	}
}

// TestProcessesKept: a tournament keeps the processes of its engines, however
// often they change seats.
func TestProcessesKept(t *testing.T) {
	testmode.SkipUnlessLong(t) // starts many programs
	t.Parallel()
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "starts")
	file := `cmd = "mock-engine"` + "\n" + `args = ["quoridor", "good"]` + "\nprotocol = \"ugi\"\ngames = [\"quoridor\"]\n"
	if err := os.WriteFile(filepath.Join(dir, "e.toml"), []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("selfplay", "tournament", "--game", "quoridor", "--workers", "1", "--pairs", "12", "--round", "1", "--discard",
		"--player", "a:engine:e.toml", "--player", "b:engine:e.toml,a_E=3", "--player", "c:engine:e.toml,a_E=4", "--player", "final")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), clitest.MockLog+"="+log)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	starts, err := os.ReadFile(log)
	if n := strings.Count(string(starts), "\n"); err != nil || n > 3+3 {
		t.Errorf("%d processes were started (%v); want one an engine to see what it is and one to play", n, err)
	}
}
