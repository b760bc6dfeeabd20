// Package objectivetest has a test binary be the program that scores, so that tests of
// objectives need no other.
package objectivetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// key is the variable of the environment that says what kind of program to be.
const key = "SELFPLAYLAB_JUDGE"

// Question is what a program is asked.
type Question struct {
	Seed    uint64
	X, Than map[string]float64 // Than is nil where one vector is asked about
}

// Main is a TestMain: where this process was started by Command it answers with
// judge until its questions end, else it runs the tests. judge is given the kind
// and how many questions there were before, and returns a line.
func Main(m *testing.M, judge func(kind string, n int, q Question) string) {
	kind := os.Getenv(key)
	if kind == "" {
		os.Exit(m.Run())
	}
	in := bufio.NewScanner(os.Stdin)
	for n := 0; in.Scan(); n++ {
		var q Question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			panic(err)
		}
		fmt.Println(judge(kind, n, q))
	}
}

// Command is how to start the program, which is of that kind until the test ends or
// Be says another.
func Command(t testing.TB, kind string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	Be(t, kind)
	return "'" + self + "'"
}

// Be changes the kind of programs started from now on.
func Be(t testing.TB, kind string) {
	t.Helper()
	t.Setenv(key, kind)
}
