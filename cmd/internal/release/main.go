// Command release prints the hash of the files that decide games, in the top folder of the
// module: make build and make dist set it in the programs. See engines.Identity.
package main

import (
	"fmt"
	"os"

	"selfplaylab/engines"
)

func main() {
	hash, err := engines.HashSources(os.DirFS("."))
	if err != nil {
		fmt.Fprintf(os.Stderr, "want the module's top folder: %v\n", err)
		os.Exit(1)
	}
	fmt.Println(hash)
}
