package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines"
	"selfplaylab/engines/runs/run"
)

func bestCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	p := vectorFlags{plays: true}
	var limits string
	var seed uint64
	cmd := &cobra.Command{
		Use: "best --game GAME", Short: "print the player's move with score, nodes and time",
		Long: "Best prints the player's move with score, nodes and time. memory_full, where it is told,\n" +
			"counts how often the search had no room left and forgot what it had visited least.",
		Example: `  selfplay best --game quoridor --position "e5 e6 9 9 1 h:a1,e4 v:-" --json`, Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, ref, moves, err := f.start()
			if err != nil {
				return err
			}
			if o, why := ref.Result(); o != engines.Ongoing {
				return fmt.Errorf("no move: the game is over (%s, %s)", o, why)
			}
			vector, err := p.vector(v.Game)
			if err != nil {
				return err
			}
			l, err := budget(v.Game, limits)
			if err != nil {
				return err
			}
			player := v.NewPlayer()
			if err := player.Configure(vector); err != nil {
				return err
			}
			if err := player.Reset(f.position, seed); err != nil {
				return err
			}
			start := time.Now()
			d, err := player.Choose(cmd.Context(), moves, l)
			if cmd.Context().Err() != nil { // some players answer with the best so far
				return context.Cause(cmd.Context())
			}
			if err != nil {
				return err
			}
			elapsed := time.Since(start)
			var score any = d.Score
			if !f.json {
				score = says(v.Game, d, "for the side to move")
			}
			terms := run.Object{{Name: "move", Value: ref.MoveString(d.Move)}, {Name: "score", Value: score}, {Name: "nodes", Value: d.Nodes}}
			if d.Mate != 0 && f.json {
				terms = append(terms, run.Entry{Name: "mate", Value: d.Mate})
			}
			if d.Depth > 0 {
				terms = append(terms, run.Entry{Name: "depth", Value: d.Depth})
			}
			if d.Cut > 0 {
				terms = append(terms, run.Entry{Name: "memory_full", Value: d.Cut})
			}
			return cli.PrintObject(stdout, append(terms, run.Entry{Name: "seconds", Value: elapsed.Seconds()}), f.json)
		},
	}
	f.register(cmd)
	p.register(cmd)
	cmd.Flags().StringVar(&limits, "limits", "", "`BUDGET` of the decision, such as depth=3, nodes=20000, playouts=500 or time=1s, or a clock for the game such as tc=8+0.08 (default: the game's own)")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the player's randomness")
	return cmd
}
