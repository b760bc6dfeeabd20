package main

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"selfplaylab/cmd/internal/clitest"
	"selfplaylab/engines/runs/run"
)

// stopVariable asks the command, where a test started it, to end itself at a
// certain game: "kill", "interrupt" or "terminate", a phase and its games, such as
// "kill tune 128". "spoil" is an interrupt after the folder games of the run in
// the current folder was moved away.
const stopVariable = "TUNE_TEST_STOP"

func TestMain(m *testing.M) {
	clitest.Main(m, "tune", func() {
		if at := os.Getenv(stopVariable); at != "" {
			watch = stopping(at)
		}
		main()
	})
}

// stopping returns what ends the process.
func stopping(at string) func(run.Progress) {
	var how, phase string
	var games int64
	if _, err := fmt.Sscan(at, &how, &phase, &games); err != nil {
		panic(fmt.Sprintf("%s=%q: %v", stopVariable, at, err))
	}
	done := false
	return func(p run.Progress) {
		if done || p.Replayed || p.Phase != phase || p.Games < games {
			return
		}
		done = true
		signal := map[string]os.Signal{"kill": os.Kill, "interrupt": os.Interrupt, "terminate": syscall.SIGTERM, "spoil": os.Interrupt}[how]
		if how == "spoil" {
			if err := os.Rename("run/games", "run/games-moved"); err != nil {
				panic(err)
			}
		}
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(signal)
		}
		if err != nil {
			panic(err)
		}
		if how == "kill" {
			select {} // until it is
		}
	}
}

func TestScripts(t *testing.T) { clitest.Scripts(t) }
