// Package check holds the tests of the whole module: imports, structure, wording, pages
// of the manual, extensions and other systems.
package check

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
