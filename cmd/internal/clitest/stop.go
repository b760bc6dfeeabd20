package clitest

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs"
)

// StopVariable asks a command that a test started to end itself at a certain
// game: "kill", "interrupt" or "terminate", a phase and its games, such as
// "kill tune 128". "spoil" is an interrupt after the folder games of the run in
// the current folder was moved away.
const StopVariable = "SELFPLAYLAB_TEST_STOP"

// RunUntil runs a command in dir until it ends itself as stop says.
func RunUntil(t testing.TB, dir, stop, name string, args ...string) Result {
	t.Helper()
	return Run(t, dir, "env", append([]string{StopVariable + "=" + stop, name}, args...)...)
}

var recorded = regexp.MustCompile(`\ninterrupted; nothing is lost, [0-9,]+ games? recorded(, [0-9]+ of unfinished trials kept)?\. Continue with:\n`)

// Continued checks how an interrupted command ended, and that it says how many games are
// recorded. It returns the command that it prints to continue with.
func Continued(t testing.TB, stop string, res Result) string {
	t.Helper()
	if res.Code != 130 || res.Stdout != "" {
		t.Fatalf("%s: exit code %d, want 130; stdout %q\n%s", stop, res.Code, res.Stdout, res.Stderr)
	}
	if !recorded.MatchString(res.Stderr) {
		t.Errorf("it does not say how many games are recorded:\n%s", res.Stderr)
	}
	_, command, ok := strings.Cut(res.Stderr, ". Continue with:\n  ")
	if !ok {
		t.Fatalf("no command to continue with:\n%s", res.Stderr)
	}
	return strings.TrimSpace(command)
}

// stops has the command end itself where StopVariable says.
func stops(main func()) func() {
	return func() {
		if at := os.Getenv(StopVariable); at != "" {
			cli.Watch = stopping(at)
		}
		main()
	}
}

// stopping returns what ends the process.
func stopping(at string) func(context.Context, runs.Progress) {
	var how, phase string
	var games int64
	if _, err := fmt.Sscan(at, &how, &phase, &games); err != nil {
		panic(fmt.Sprintf("%s=%q: %v", StopVariable, at, err))
	}
	done := false
	return func(ctx context.Context, p runs.Progress) {
		if done || p.Replayed || p.Phase != phase || p.Games < games {
			return
		}
		done = true
		end := map[string]os.Signal{"kill": os.Kill, "interrupt": os.Interrupt, "terminate": syscall.SIGTERM, "hangup": syscall.SIGHUP,
			"spoil": os.Interrupt}[how]
		if how == "spoil" {
			if err := os.Rename("run/games", "run/games-moved"); err != nil {
				panic(err)
			}
		}
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(end)
		}
		if err != nil {
			panic(err)
		}
		<-ctx.Done() // else the run plays on for as long as nobody hears the signal; a kill ends it here
	}
}
