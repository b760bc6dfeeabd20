package main

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// TestMain moves to the top folder of the module, where all paths of these tests begin.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// noteTop tells the go command in which folder the tests read files. The command notes what
// tests read only once they run, after TestMain has moved; without the note it would repeat
// results though a file has changed. Whatever reads files calls it first.
var noteTop = sync.OnceFunc(func() {
	if err := os.Chdir("."); err != nil {
		panic(err)
	}
})
