package tunecmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/catalog"
	"selfplaylab/params/tuning"
)

type flagT = pflag.Flag

func paramsCommand(stdout io.Writer) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use: "params --game GAME", Short: "list a game's parameters and presets",
		Example: "  tune params --game quoridor", Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			game, err := cli.FindGame(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(stdout, "%s\n%s\n\n", game.Title, game.Doc)
			t := cli.Table{{"parameter", "default", "allowed", "step", "tuned", "meaning"}}
			for _, p := range game.Space {
				tuned := "yes"
				if p.Frozen {
					tuned = "if named"
				}
				t = append(t, []string{p.Name, p.Format(p.Default), p.Range(), p.StepText(), tuned, p.Doc})
			}
			t.Print(stdout, 1)
			fmt.Fprintf(stdout, "\npresets, for --start and selfplay match:\n")
			presets := cli.Table{}
			for _, p := range game.Presets {
				mark := p.Doc
				if p.Name == game.Default {
					mark = "(default) " + mark
				}
				presets = append(presets, []string{"  " + p.Name, mark})
			}
			presets.Print(stdout)
			fmt.Fprintf(stdout, "\nrules, for --rules:\n")
			rules := cli.Table{}
			for _, o := range game.Options {
				rules = append(rules, []string{"  " + o.Name + "=" + o.Default, o.Doc})
			}
			rules.Print(stdout)
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "game", "", "game: "+strings.Join(catalog.Names(), ", "))
	return cmd
}

func resumeCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use: "resume DIR", Short: "go on with a run that was interrupted or killed",
		Long: "Resume goes on with the run in DIR and ends with what it would have ended with\nif it had never been stopped. The same as tune --resume DIR.",
		Args: cli.OneRun,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return resume(cmd, dirs[0], f.workers, args, stdout, stderr)
		},
	}
	f.registerWorkers(cmd)
	return cmd
}

func reportCommand(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "report DIR", Short: "write a run's report and plots again",
		Long: "Report writes report.html, report.md and their figures into DIR, from what is\nrecorded there. It works on unfinished runs too.",
		Args: cli.OneRun,
		RunE: func(_ *cobra.Command, dirs []string) error {
			if err := tuning.WriteReport(dirs[0]); err != nil {
				return err
			}
			fmt.Fprintf(stdout, "%s/report.html\n", strings.TrimRight(dirs[0], "/"))
			return nil
		},
	}
}
