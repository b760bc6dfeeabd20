package main

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// TestMain changes to the top folder of the module, to which all paths of these tests are
// relative.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// noteTop tells the go command the folder in which the tests read files. The command notes the
// files that tests read only after TestMain has changed the folder; without the note it would
// repeat old results although a file has changed. Every function that reads files calls it
// first.
var noteTop = sync.OnceFunc(func() {
	if err := os.Chdir("."); err != nil {
		panic(err)
	}
})
