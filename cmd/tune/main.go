// Tune finds better parameters for a game's player by self-play, and verifies
// them on fresh games before it calls them better.
package main

import (
	"context"
	"io"

	"selfplaylab/cmd/internal/cli"
)

func main() { cli.Main(tune) }

func tune(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return cli.Execute(ctx, tuneCommand(args, stdout, stderr), args, stdout, stderr)
}
