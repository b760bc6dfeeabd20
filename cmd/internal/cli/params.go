package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/levels"
	"selfplaylab/engines/player"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// ParamsCommand lists the parameters, presets and rules of a game, in the program
// of that name.
func ParamsCommand(program string, stdout, stderr io.Writer) *cobra.Command {
	var name, form, player string
	cmd := &cobra.Command{
		Use: "params --game GAME", Short: "list a game's parameters, presets and rules",
		Long: `Params lists the parameters of a game's player, its presets and the rule variants
of the game.

With --as it prints the tuned parameters, with the values of --player, in a format
that other tools read. tune --start FILE reads the same formats back. The formats:
` + formList(),
		Example: "  " + program + " params --game quoridor\n  " + program +
			" params --game quoridor --as openbench --player runs/X/tuned.toml > tuned.txt", Args: NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			game, err := FindGame(name)
			switch {
			case err != nil:
				return err
			case form != "":
				return writeForm(stdout, stderr, game, form, player)
			case cmd.Flags().Changed("player"):
				return errors.New("--player: requires --as, the format to print its values in")
			}
			return printParams(stdout, game)
		},
	}
	cmd.Flags().StringVar(&name, "game", "", "game: "+strings.Join(games.Names(), ", "))
	cmd.Flags().StringVar(&form, "as", "", "print the tuned parameters in another tool's format, `FORM`")
	cmd.Flags().StringVar(&player, "player", "", "with --as: print the values of this `PLAYER`, a preset or FILE with ,name=value overrides (default: the game's default preset)")
	return cmd
}

// formList is the list of forms in help.
func formList() string {
	var b strings.Builder
	for _, f := range formats.All() {
		fmt.Fprintf(&b, "\n  %-19s %s", f.Name, f.Doc)
	}
	return b.String()
}

// writeForm prints the tuned parameters of a game in another tool's format, with a player's
// values.
func writeForm(out, stderr io.Writer, game *engines.Game, form, seat string) error {
	values, err := player.Values(game, cmp.Or(seat, game.DefaultPreset))
	if err != nil {
		return fmt.Errorf("--player: %w", err)
	}
	on, err := game.Space.Active(nil, nil)
	if err != nil {
		return err
	}
	var space params.Space
	var v params.Vector
	for _, i := range on {
		space, v = append(space, game.Space[i]), append(v, values[i])
	}
	data, err := formats.Write(form, space, v)
	if err != nil {
		return fmt.Errorf("--as: %w", err)
	}
	if omitted := formats.Omitted(form, space); omitted != nil {
		fmt.Fprintf(stderr, "left out, since their values have names: %s\n", strings.Join(omitted, ", "))
	}
	_, err = out.Write(data)
	return err
}

func printParams(out io.Writer, game *engines.Game) error {
	fmt.Fprintf(out, "%s\n%s\n\n", game.Title, game.Doc)
	t := text.Table{{"parameter", "default", "allowed", "step", "tuned", "meaning"}}
	for _, p := range game.Space {
		tuned := "yes"
		if p.Frozen {
			tuned = "if named"
		}
		t = append(t, []string{p.Name, p.Format(p.Default), p.Range(), p.StepText(), tuned, p.Doc})
	}
	t.Print(out, 1)
	fmt.Fprintf(out, "\npresets, as players of selfplay match and for tune --start:\n")
	presets := text.Table{}
	for _, p := range game.Presets {
		doc := p.Doc
		switch {
		case p.Name == game.DefaultPreset:
			doc = "(default) " + doc
		case p.Added:
			doc = "(added later) " + doc
		}
		presets = append(presets, []string{"  " + p.Name, doc})
	}
	presets.Print(out)
	levels, err := levels.Of(game)
	if err != nil {
		return fmt.Errorf("levels of play of %s: %w", game.Name, err)
	}
	printLevels(out, levels)
	if len(game.Options) == 0 {
		return nil
	}
	fmt.Fprintf(out, "\nrules, for --rules:\n")
	rules := text.Table{}
	for _, o := range game.Options {
		rules = append(rules, []string{"  " + o.Name + "=" + o.Default, o.Doc})
	}
	rules.Print(out)
	return nil
}

// printLevels lists the levels of play with their strength.
func printLevels(out io.Writer, list []levels.Level) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "\nlevels of play, as players of selfplay match and for --level (Elo):\n")
	t := text.Table{}
	for _, l := range list {
		t = append(t, []string{fmt.Sprintf("  level:%d", l.Number), l.Name, l.Chinese,
			fmt.Sprintf("%s (%d games)", text.PlusMinus(l.Elo, rating.Rating{Elo: l.Elo, SE: l.SE}.Interval(.95).Half(), 0), l.Games)})
	}
	t.Print(out)
}
