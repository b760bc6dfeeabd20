// Tune finds better parameters for a game's player by self-play, and verifies
// them on fresh games before it calls them better.
package main

import (
	"context"
	"io"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/tunecmd"
)

func main() { cli.Main(run) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return cli.Execute(ctx, tunecmd.New(args, stdout, stderr), args, stdout, stderr)
}
