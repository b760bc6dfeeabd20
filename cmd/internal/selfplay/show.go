package selfplay

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/reports/board"
	"selfplaylab/reports/text"
)

func showCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	var svg string
	cmd := &cobra.Command{
		Use: "show --game GAME", Short: "print or draw a position",
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, ref, _, err := f.start()
			if err != nil {
				return err
			}
			outcome, why := ref.Result()
			if svg != "" {
				return writeBoard(svg, stdout, ref.Board())
			}
			if f.json {
				legal := append([]string{}, text.Each(ref.Moves(nil), ref.MoveString)...)
				return cli.PrintObject(stdout, runs.Object{
					{"position", ref.String()}, {"turn", ref.Turn()}, {"outcome", outcome.String()}, {"reason", why}, {"moves", legal},
					{"board", ref.Board().Text()},
				}, true)
			}
			fmt.Fprintf(stdout, "%s%s\n", ref.Board().Text(), ref)
			if outcome != engines.Ongoing {
				fmt.Fprintf(stdout, "over: %s (%s)\n", outcome, why)
			}
			return nil
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&svg, "svg", "", "draw the board as SVG into this `FILE`; - for standard output")
	cmd.MarkFlagsMutuallyExclusive("svg", "json")
	return cmd
}

// writeBoard draws a board into a file, or to out for "-".
func writeBoard(path string, out io.Writer, b board.Board) error {
	draw := func(to io.Writer) error { return b.SVG(to, board.Options{}) }
	if path == "-" {
		return buffered(out, draw)
	}
	return writeWhole("svg", path, draw)
}
