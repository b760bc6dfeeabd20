// Selfplay is the command of this name: package cmd/internal/selfplay.
package main

import (
	"os"

	"selfplaylab/cmd/internal/selfplay"
)

func main() { selfplay.Main(os.Args[1:]) }
