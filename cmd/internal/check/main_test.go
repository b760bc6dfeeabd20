package main

import (
	"fmt"
	"os"
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
