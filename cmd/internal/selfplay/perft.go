package selfplay

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
)

// deepestPerft is deeper than anything that can be counted.
const deepestPerft = 100

func perftCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	var depth int
	var divide bool
	cmd := &cobra.Command{
		Use: "perft --game GAME --depth D", Short: "count the move sequences of a given depth, to test a move generator",
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if depth < 0 || depth > deepestPerft {
				return fmt.Errorf("--depth %d: want 0 to %d", depth, deepestPerft)
			}
			_, ref, moves, err := f.start()
			if err != nil {
				return err
			}
			p := perft{ctx: cmd.Context(), ref: ref, position: f.position}
			if !divide || depth == 0 {
				n, err := p.count(moves, depth)
				if err != nil {
					return err
				}
				if f.json {
					return cli.PrintObject(stdout, runs.Object{{"depth", depth}, {"nodes", n}}, true)
				}
				fmt.Fprintln(stdout, n)
				return nil
			}
			parts, total, err := p.divided(moves, depth)
			if err != nil {
				return err
			}
			if f.json {
				return cli.PrintObject(stdout, runs.Object{{"depth", depth}, {"nodes", total}, {"divide", parts}}, true)
			}
			if err := cli.PrintObject(stdout, parts, false); err != nil {
				return err
			}
			fmt.Fprintf(stdout, "\nnodes searched: %d\n", total)
			return nil
		},
	}
	f.register(cmd)
	cmd.Flags().IntVar(&depth, "depth", 1, "depth in plies")
	cmd.Flags().BoolVar(&divide, "divide", false, "print the count of each first move")
	return cmd
}

// perft counts move sequences, and stops when ctx ends.
type perft struct {
	ctx      context.Context
	ref      engines.Referee
	position string
}

// atOnce is about how many sequences a referee counts without looking up: some
// tenths of a second.
const atOnce = 1e8

// small guesses from the number of next moves whether a count fits atOnce.
func small(moves, depth int) bool {
	return depth < 2 || math.Pow(float64(moves), float64(depth)) <= atOnce
}

// count counts the sequences of depth moves after legal moves.
func (p *perft) count(moves []engines.Move, depth int) (uint64, error) {
	if p.ctx.Err() != nil {
		return 0, context.Cause(p.ctx)
	}
	next, err := p.after(moves)
	if err != nil {
		return 0, err
	}
	if small(len(next), depth) {
		return p.ref.Perft(depth), nil
	}
	var total uint64
	for _, m := range next {
		n, err := p.count(append(slices.Clip(moves), m), depth-1)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// divided counts the sequences after each first move.
func (p *perft) divided(moves []engines.Move, depth int) (parts runs.Object, total uint64, err error) {
	next, err := p.after(moves)
	if err != nil {
		return nil, 0, err
	}
	for _, first := range next {
		if _, err := p.after(moves); err != nil {
			return nil, 0, err
		}
		name := p.ref.MoveString(first)
		n, err := p.count(append(slices.Clip(moves), first), depth-1)
		if err != nil {
			return nil, 0, err
		}
		parts = append(parts, runs.Entry{name, n})
		total += n
	}
	return parts, total, nil
}

// after sets the referee up after legal moves and lists the next ones.
func (p *perft) after(moves []engines.Move) ([]engines.Move, error) {
	if err := p.ref.Reset(p.position); err != nil {
		return nil, err
	}
	for _, m := range moves {
		p.ref.Play(m)
	}
	return p.ref.Moves(nil), nil
}
