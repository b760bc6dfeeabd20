package selfplay

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/reports/text"
)

func bestCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	p := vectorFlags{plays: true}
	var limits string
	var seed uint64
	most := 1
	cmd := &cobra.Command{
		Use: "best --game GAME", Short: "print the move a player chooses, with score, nodes and time",
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, ref, moves, err := f.start()
			if err != nil {
				return err
			}
			if o, why := ref.Result(); o != engines.Ongoing {
				return fmt.Errorf("no move: the game is over (%s, %s)", o, why)
			}
			vector, l, err := p.mover(v.Game, limits)
			if err != nil {
				return err
			}
			if most < 1 || most > maxLines {
				return fmt.Errorf("--lines %d: want 1 to %d", most, maxLines)
			}
			player := v.NewPlayer()
			if err := player.Configure(vector); err != nil {
				return err
			}
			if err := player.Reset(f.position, seed); err != nil {
				return err
			}
			start := time.Now()
			d, lines, err := bestLines(cmd.Context(), player, seed, moves, l, most)
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
			terms := runs.Object{{"move", ref.MoveString(d.Move)}, {"score", score}, {"nodes", d.Nodes}}
			if d.Mate != 0 && f.json {
				terms = append(terms, runs.Entry{"mate", d.Mate})
			}
			if d.Depth > 0 {
				terms = append(terms, runs.Entry{"depth", d.Depth})
			}
			if d.Cut > 0 {
				terms = append(terms, runs.Entry{"memory_full", d.Cut})
			}
			terms = append(terms, runs.Entry{"seconds", elapsed.Seconds()})
			if most == 1 {
				return cli.PrintObject(stdout, terms, f.json)
			}
			return printLines(stdout, &f, v, terms, lines)
		},
	}
	f.register(cmd)
	p.register(cmd)
	cmd.Flags().StringVar(&limits, "limits", "", "`BUDGET` of the decision, such as depth=3, nodes=20000, playouts=500 or time=1s, or a game clock such as tc=8+0.08 (default: set by the game)")
	cmd.Flags().IntVar(&most, "lines", most, "number `K` of best moves to print, with scores and continuations")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the player's random numbers")
	return cmd
}

// maxLines is the most that --lines takes.
const maxLines = 100

// bestLines asks for a decision, and for lines only where more than one is wanted.
func bestLines(ctx context.Context, p engines.Player, seed uint64, history []engines.Move, l engines.Limits,
	most int) (engines.Decision, []engines.PV, error) {
	if most > 1 {
		return engines.PVs(ctx, p, history, l, most)
	}
	d, err := engines.Decide(ctx, p, seed, history, l)
	return d, nil, err
}

// printLines prints the decision and its variations.
func printLines(stdout io.Writer, f *positionFlags, v engines.Variant, terms runs.Object, lines []engines.PV) error {
	objects := make([]runs.Object, len(lines))
	table := text.Table{{"", "score", "searched", "line"}}
	for i, l := range lines {
		ref, _, err := f.set(v)
		if err != nil {
			return err
		}
		words, err := engines.PlayableTexts(ref, l.Moves)
		if err != nil {
			return err
		}
		objects[i] = runs.Object{{"move", words[0]}, {"score", l.Score}}
		var searched string
		if l.Mate != 0 {
			objects[i] = append(objects[i], runs.Entry{"mate", l.Mate})
		}
		if l.Depth > 0 {
			objects[i] = append(objects[i], runs.Entry{"depth", l.Depth})
			searched = text.Plural(l.Depth, "ply")
		}
		if l.Visits > 0 {
			objects[i] = append(objects[i], runs.Entry{"visits", l.Visits})
			searched = text.Plural(l.Visits, "game")
		}
		objects[i] = append(objects[i], runs.Entry{"line", words})
		table = append(table, []string{fmt.Sprint(i + 1), v.Game.Describe(engines.Decision{Score: l.Score, Mate: l.Mate}), searched,
			strings.Join(words, " ")})
	}
	if f.json {
		return cli.PrintObject(stdout, append(terms, runs.Entry{"lines", objects}), true)
	}
	if err := cli.PrintObject(stdout, terms, false); err != nil {
		return err
	}
	fmt.Fprintln(stdout)
	table.Print(stdout, 0)
	return nil
}
