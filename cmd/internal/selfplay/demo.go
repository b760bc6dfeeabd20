package selfplay

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/web"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/record"
)

// A stop is a step of the tour: a run with an introduction.
type stop struct {
	say  string
	kind string
	size string // the flag that says how much is played
	n    int
	args []string
}

// stops returns the steps of the tour, each with its folder.
var stops = []stop{
	{"A match tells which of two players is stronger, and how sure that is.", "match", "--pairs", 500,
		[]string{"--game", "quoridor", "--a", "final", "--b", "bad"}},
	{"A tuning searches for better parameters, and verifies them on games that it has not seen.", "tune", "--games", 10_000,
		[]string{"--game", "quoridor", "--start", "bad", "--params", "a_E,b_gain", "--verify-pairs", "500"}},
}

func demoCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	var out string
	var quick bool
	workers := runtime.NumCPU()
	cmd := &cobra.Command{
		Use: "demo", Short: "a one-minute tour: a match, a tuning, their reports", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.CheckWorkers(workers); err != nil {
				return err
			}
			if out == "" {
				var err error
				if out, err = record.NewFolder(cli.RunsFolder, "demo"); err != nil {
					return err
				}
			}
			for _, s := range stops {
				if quick {
					s.n /= 10
				}
				if err := s.play(cmd, filepath.Join(out, s.kind), workers, args, stdout, stderr); err != nil {
					return err
				}
			}
			fmt.Fprintf(stdout, "\nEach run has a report, and every game is kept:\n  %s\n  %s\n  %s\n  %s\n",
				filepath.Join(out, "tune", "report.html"), runs.CommandText("selfplay", "serve", out),
				runs.CommandText("selfplay", "replay", filepath.Join(out, "match"), "0:0:0"),
				runs.CommandText("selfplay", "match", "--game", "quoridor", "--a", filepath.Join(out, "tune", "tuned.toml"), "--b", "final"))
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`DIR` to create for the runs (default: a new one in "+cli.RunsFolder+")")
	cmd.Flags().BoolVar(&quick, "quick", false, "play a tenth of the games")
	cmd.Flags().IntVar(&workers, "workers", workers, "games played in parallel; never changes the result")
	return cmd
}

// play prints the command of a stop and runs it. typed is the command line of the tour.
func (s stop) play(cmd *cobra.Command, dir string, workers int, typed []string, stdout, stderr io.Writer) error {
	kind, err := kinds.All().Find(s.kind)
	if err != nil {
		return err
	}
	words := append(s.args, s.size, strconv.Itoa(s.n), "--out", dir)
	fmt.Fprintf(stdout, "\n%s\n$ %s\n", s.say, runs.CommandText(append(kind.Words(), words...)...))
	words = append(words, "--workers", strconv.Itoa(workers))
	err = cli.Execute(cmd.Context(), cli.RunCommand(kind, web.ServeRun(kinds.All()), typed, stdout, stderr), words, stdout, stderr)
	if _, shown := errors.AsType[cli.Exit](err); shown { // such as no gain, which the text has said
		return nil
	}
	return err
}
