package main

import (
	"io"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines"
	"selfplaylab/engines/runs/run"
)

func evalCommand(stdout io.Writer) *cobra.Command {
	var f positionFlags
	var p vectorFlags
	cmd := &cobra.Command{
		Use: "eval --game GAME", Short: "print every term of the evaluator on a position",
		Example: "  selfplay eval --game quoridor --preset v12.7 --moves \"e2 e8\"\n  selfplay eval --game quoridor --set a_E=11 --coin h --json", Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v, _, moves, err := f.start()
			if err != nil {
				return err
			}
			vector, err := p.vector(v.Game)
			if err != nil {
				return err
			}
			terms, err := v.Evaluate(f.position, moves, vector)
			if err != nil {
				return err
			}
			return printTerms(stdout, terms, f.json)
		},
	}
	f.register(cmd)
	p.register(cmd)
	return cmd
}

// printTerms prints the terms of an evaluator.
func printTerms(out io.Writer, terms []engines.Term, asJSON bool) error {
	o := run.Object{}
	for _, t := range terms {
		o = append(o, run.Entry{Name: t.Name, Value: t.Value})
	}
	return cli.PrintObject(out, o, asJSON)
}
