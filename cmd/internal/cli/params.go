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
	var name, form, player, space string
	cmd := &cobra.Command{
		Use: "params {--game GAME | --space FILE}", Short: "list a game's parameters, presets and rules",
		Long: `Params lists the parameters of a game's player, its presets and the rule variants
of the game.

With --as it prints the tuned parameters, with the values of --player, in a format
that other tools read. tune --start FILE reads the same formats back, and so do
tune --engine and tune ask-tell by --space FILE. With --space the parameters are those
of such a file: --as toml prints them as the [[param]] tables of an engine file.
The formats:
` + formList(),
		Example: "  " + program + " params --game quoridor\n  " + program +
			" params --game quoridor --as openbench --player runs/X/tuned.toml > tuned.txt\n  " +
			program + " params --space openbench.txt --as toml >> engine.toml", Args: NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			changed := cmd.Flags().Changed
			if space != "" && (changed("game") || changed("player")) {
				return errors.New("--space: has the parameters and values of a file; leave out --game and --player")
			} else if space != "" {
				return writeFile(stdout, stderr, space, cmp.Or(form, "toml"))
			}
			game, err := FindGame(name)
			switch {
			case err != nil:
				return err
			case form != "":
				return writeForm(stdout, stderr, game, form, player)
			case changed("player"):
				return errors.New("--player: requires --as, the format to print its values in")
			}
			return printParams(stdout, game)
		},
	}
	cmd.Flags().StringVar(&name, "game", "", "game: "+strings.Join(games.Names(), ", "))
	cmd.Flags().StringVar(&space, "space", "", "print the parameters of this `FILE`, or FORM:FILE, instead of a game's (as toml, "+
		"unless --as names another format)")
	cmd.Flags().StringVar(&form, "as", "", "print the tuned parameters in another tool's format, `FORM`")
	cmd.Flags().StringVar(&player, "player", "", "with --as: print the values of this `PLAYER`, a preset or FILE with ,name=value "+
		"overrides (default: the game's default preset)")
	return cmd
}

// formList returns the list of forms in help.
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
	return printForm(out, stderr, form, space, v)
}

// writeFile prints the parameters of a file in a format, with the values of the file.
func writeFile(out, stderr io.Writer, file, form string) error {
	f, err := formats.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--space: %w", err)
	}
	return printForm(out, stderr, form, f.Space, f.Space.Default())
}

// printForm prints parameters in a format, and warns of parameters that the format cannot hold.
func printForm(out, stderr io.Writer, form string, space params.Space, v params.Vector) error {
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
	fmt.Fprintf(out, "\nlevels of play, as players of selfplay match and for --level (Elo above level 1, 95 %%):\n")
	t := text.Table{}
	for _, l := range list {
		t = append(t, []string{fmt.Sprintf("  level:%d", l.Number), l.Name, l.Chinese,
			fmt.Sprintf("%s (%d games)", text.PlusMinus(l.Elo, rating.Rating{Elo: l.Elo, SE: l.SE}.Interval(.95).Half(), 0), l.Games)})
	}
	t.Print(out)
}
