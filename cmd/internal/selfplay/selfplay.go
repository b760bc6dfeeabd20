// Package selfplay is the command that plays games between players. It also has tools for authors of
// engines: perft, evaluation, best moves, boards and speeds.
package selfplay

import (
	"context"
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/web"
	"selfplaylab/datasets"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/games"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/experiment"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/match"
	"selfplaylab/reports/text"
)

// helpTexts are the long help and the examples of the commands, a file each.
//
//go:embed help
var helpTexts embed.FS

// Main runs the command with arguments and exits the process.
func Main(args []string) { cli.Main(args, root) }

func root(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return cli.Execute(ctx, command(args, stdout, stderr), args, stdout, stderr)
}

// command is selfplay with all that it does.
func command(args []string, stdout, stderr io.Writer) *cobra.Command {
	cmd := &cobra.Command{
		Use: "selfplay", Short: "play engines against each other; tools for engine authors",
		Version: cli.Version, Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			overview, err := helpTexts.ReadFile("help/overview.txt")
			fmt.Fprintf(stdout, "%s", overview)
			return err
		},
	}
	cli.AddCommands(cmd, "First steps", demoCommand(args, stdout, stderr), serveCommand(stdout))
	const compare = "Compare players"
	for _, k := range kinds.All().WithCommand() {
		if k.Command.Program == "" {
			run := cli.RunCommand(k, web.ServeRun(kinds.All()), args, stdout, stderr)
			cli.AddCommands(cmd, compare, run)
			if k.Name == match.Name {
				takeFastchess(run, stderr)
				again := func(k runs.Kind) *cobra.Command {
					return cli.RunCommand(k, web.ServeRun(kinds.All()), args, stdout, stderr)
				}
				cli.AddCommands(cmd, compare, branchCommand(k, again, stdout, stderr))
			}
		}
	}
	cli.AddCommands(cmd, compare, planCommand(stdout, stderr))
	cli.AddCommands(cmd, "Engines and parameters", engineCommand(stdout), cli.ParamsCommand("selfplay", stdout, stderr), fitCommand(stdout, stderr))
	cli.AddCommands(cmd, "Recorded runs", runsCommand(stdout, stderr), cli.ReportCommand(kinds.All(), stdout), replayCommand(stdout, stderr),
		openingsCommand(stdout), exportCommand(stdout, stderr))
	cli.AddCommands(cmd, "Experiments and other machines", runCommand(args, stdout, stderr), reproduceCommand(args, stdout, stderr),
		workerCommand(stderr))
	cli.AddCommands(cmd, "Positions and searches, for engine authors", bestCommand(stdout), evalCommand(stdout), showCommand(stdout),
		perftCommand(stdout), benchCommand(stdout))
	cmd.AddCommand(versionCommand(stdout), cli.ManCommand(stdout))
	protocols := text.Each(protocol.All(), func(p protocol.Protocol) string { return p.Name })
	document(cmd, strings.NewReplacer("{protocols}", protocolNames(), "{protocol names}", strings.Join(protocols, ", "),
		"{runs folder}", cli.RunsFolder, "{token}", process.TokenVariable, "{keys}", experiment.Manual(kinds.All().ForExperiments()),
		"{games}", strings.Join(games.Names(), ", ")))
	return cmd
}

// document gives a command and all below it the help of their files.
func document(cmd *cobra.Command, fill *strings.Replacer) {
	if data, err := helpTexts.ReadFile("help/" + cmd.Name() + ".txt"); err == nil { // a kind of runs has its own
		cmd.Long, cmd.Example = cli.SplitHelp(fill.Replace(string(data)))
	}
	for _, c := range cmd.Commands() {
		document(c, fill)
	}
}

func versionCommand(stdout io.Writer) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "print the version, the revision of the source and the format of run directories",
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := runs.ThisBuild()
			return cli.PrintObject(stdout, runs.Object{
				{"version", cli.Version}, {"revision", b.Revision}, {"schema", datasets.Schema}, {"go", b.Go}, {"processor", b.CPU},
			}, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
