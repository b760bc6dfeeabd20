// Tune is the command of this name: package cmd/internal/tune.
package main

import (
	"os"

	"selfplaylab/cmd/internal/tune"
)

func main() { tune.Main(os.Args[1:]) }
