package clitest

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs"
)

// StopVariable asks a command that a test started to end itself at a certain
// game: "kill", "interrupt" or "terminate", a phase and its games, such as
// "kill tune 128". "spoil" is an interrupt after the folder games of the run in
// the current folder was moved away.
const StopVariable = "SELFPLAYLAB_TEST_STOP"

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
