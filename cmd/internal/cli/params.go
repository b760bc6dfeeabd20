package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/engines"
	"selfplaylab/engines/catalog"
)

// ParamsCommand lists the parameters, presets and rules of a game, in the program
// of that name.
func ParamsCommand(program string, stdout io.Writer) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "params --game GAME", Short: "list a game's parameters and presets",
		Long:    "Params lists what of a game's player can be tuned or set, its presets and the\nrules of the game.",
		Example: "  " + program + " params --game quoridor", Args: NoArgs,
		RunE: func(*cobra.Command, []string) error {
			game, err := FindGame(name)
			if err == nil {
				printParams(stdout, game)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&name, "game", "", "game: "+strings.Join(catalog.Names(), ", "))
	return cmd
}

func printParams(out io.Writer, game *engines.Game) {
	fmt.Fprintf(out, "%s\n%s\n\n", game.Title, game.Doc)
	t := Table{{"parameter", "default", "allowed", "step", "tuned", "meaning"}}
	for _, p := range game.Space {
		tuned := "yes"
		if p.Frozen {
			tuned = "if named"
		}
		t = append(t, []string{p.Name, p.Format(p.Default), p.Range(), p.StepText(), tuned, p.Doc})
	}
	t.Print(out, 1)
	fmt.Fprintf(out, "\npresets, as players of selfplay match and for tune --start:\n")
	presets := Table{}
	for _, p := range game.Presets {
		doc := p.Doc
		if p.Name == game.Default {
			doc = "(default) " + doc
		}
		presets = append(presets, []string{"  " + p.Name, doc})
	}
	presets.Print(out)
	fmt.Fprintf(out, "\nrules, for --rules:\n")
	rules := Table{}
	for _, o := range game.Options {
		rules = append(rules, []string{"  " + o.Name + "=" + o.Default, o.Doc})
	}
	rules.Print(out)
}
