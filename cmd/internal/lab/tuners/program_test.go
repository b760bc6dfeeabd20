package tuners

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/testmode"
)

// faultVariable makes the test binary a program with a fault; "none" for none.
const faultVariable = "LAB_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if fault := os.Getenv(faultVariable); fault != "" {
		play(fault)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is a program: it requests half of the games by two questions, and recommends the winner
// of both together.
func play(fault string) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var run opening
		if err := json.Unmarshal(lines.Bytes(), &run); err != nil {
			panic(err)
		}
		say := func(line any) {
			text, err := json.Marshal(line)
			if err != nil {
				panic(err)
			}
			fmt.Println(string(text))
		}
		other := run.Start.Clone()
		other[0] = run.Space[0].Max / 4 * float64(1+run.Seed%4)
		points := 0
		for range 2 {
			question := map[string]any{"a": other, "b": run.Start, "pairs": run.Games / 8}
			switch fault {
			case "pairs":
				question["pairs"] = 0
			case "point":
				question["a"] = []float64{1e9}
			case "greedy":
				question["pairs"] = run.Games / 2
			case "words":
				fmt.Println("hello")
			case "crash":
				os.Exit(3)
			}
			say(question)
			if !lines.Scan() {
				return
			}
			var answer struct{ Pairs [5]int }
			if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
				panic(err)
			}
			for i, n := range answer.Pairs {
				points += (i - 2) * n
			}
		}
		best := run.Start
		if points > 0 {
			best = other
		}
		say(map[string]any{"best": best})
	}
}

func programConfig(command string) *Config {
	a := New()
	a.Programs, a.Problems, a.Games, a.Repeats = []string{command}, config.Names{"LOG", "NG-SPHERE2"}, config.Names{"80"}, 12
	return a
}

// TestProgramIsComparedLikeTuners compares a program with the toolkit's methods: its rows are
// the same on any number of workers. An impossible request is an error that names it.
func TestProgramIsComparedLikeTuners(t *testing.T) {
	testmode.SkipUnlessLong(t) // starts a program for each run
	t.Setenv(faultVariable, "none")
	self := "self=" + os.Args[0]
	one, many := played(t, programConfig(self), 1), played(t, programConfig(self), 3)
	for i, row := range one.Rows {
		if row != many.Rows[i] || row.Tuner != "self" || !(row.Regret > 0) || !(row.SE > 0) {
			t.Errorf("%+v, with three workers %+v", row, many.Rows[i])
		}
	}
	for fault, want := range map[string]string{
		"pairs": "asks for 0 pairs", "point": "x = 1e+09 is out of range", "greedy": "more games than it was given",
		"words": "invalid character", "crash": "ended",
	} {
		t.Setenv(faultVariable, fault)
		_, err := programConfig(self).Run(context.Background(), 1, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "self on LOG") {
			t.Errorf("%s: %v", fault, err)
		}
	}
	for command, want := range map[string]string{"quad": "want NAME=COMMAND", "a=": "want NAME=COMMAND", "a=no-such-program": "not found"} {
		if _, err := programConfig(command).Run(context.Background(), 1, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// TestRivalsScriptSpeaksProtocol runs the script of the published rivals. Its rival "start"
// needs no package, and keeps the start; its rival "sgd" needs none either, and gains.
func TestRivalsScriptSpeaksProtocol(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts a program")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	r := played(t, programConfig("start="+python+" ../../../../notebooks/rivals.py start 5"), 2)
	for _, row := range r.Rows {
		if row.Regret != row.Start || row.Worse != 0 {
			t.Errorf("%+v", row)
		}
	}
	c := programConfig("sgd=" + python + " ../../../../notebooks/rivals.py sgd 500")
	c.Problems, c.Games, c.Repeats = config.Names{"ENGINE16-20"}, config.Names{"4000"}, 4
	for _, row := range played(t, c, 2).Rows {
		if row.Worse > 0 || row.Regret > .9*row.Start {
			t.Errorf("%+v", row)
		}
	}
}
