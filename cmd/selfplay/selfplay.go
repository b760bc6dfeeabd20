package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/web"
	"selfplaylab/engines/runs/kinds"
)

const long = `Selfplay plays board-game engines against each other in pairs of games, one opening
with colours swapped, measures their strength with confidence intervals and records
every game. It also has tools for engine authors: perft, eval, best, show and bench.`

const examples = `  selfplay match --game quoridor --a final --b v12.7 --pairs 500
  selfplay match --game quoridor --a runs/X/tuned.toml --b final,a_E=11
  selfplay tournament --game quoridor --pairs 500
  selfplay ladder --game gobang --player runs/X/tuned.toml
  selfplay replay runs/20261120-101500-quoridor-match 0:12:1
  selfplay report runs/20261120-101500-quoridor-match
  selfplay match --game gobang --a engine:rapfi.toml,MAX_DEPTH=6 --b fixed
  selfplay engine check rapfi.toml
  selfplay engine --game gobang --protocol gomocup
  selfplay runs
  selfplay export runs/X --csv > games.csv
  selfplay perft --game quoridor --depth 3 --divide
  selfplay eval --game quoridor --moves "e2 e8 d1h" --json
  selfplay best --game quoridor --position "e5 e6 9 9 1 h:a1,e4 v:-"
  selfplay show --game quoridor --moves "e2 e8"
  selfplay bench --game quoridor`

func root(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return cli.Execute(ctx, command(args, stdout, stderr), args, stdout, stderr)
}

// command is selfplay with all that it does.
func command(args []string, stdout, stderr io.Writer) *cobra.Command {
	cmd := &cobra.Command{
		Use: "selfplay", Short: "play engines against each other; tools for engine authors",
		Long: long, Example: examples, Version: cli.Version, Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		runCommand(args, stdout, stderr), reproduceCommand(args, stdout, stderr),
		planCommand(stdout, stderr), paramsCommand(stdout), replayCommand(stdout, stderr), reportCommand(stdout), runsCommand(stdout, stderr),
		exportCommand(stdout, stderr),
		serveCommand(stdout), fitCommand(stdout),
		engineCommand(stdout), perftCommand(stdout), evalCommand(stdout), bestCommand(stdout), showCommand(stdout), benchCommand(stdout),
		workerCommand(stderr), mergeCommand(stdout), versionCommand(stdout),
	)
	for _, k := range kinds.Kinds() {
		if k.Command != nil && k.Command.Program == "" {
			cmd.AddCommand(cli.RunCommand(k, web.ServeRun, args, stdout, stderr))
		}
	}
	return cmd
}
