package selfplay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/engines/levels"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

func engineCommand(stdout io.Writer) *cobra.Command {
	var f gameFlags
	var player, limits, level, name string
	var rows bool
	var margin time.Duration
	cmd := &cobra.Command{
		Use: "engine --game GAME", Short: "run a player as an engine for other programs; check and attach external engines",
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := f.open()
			if err != nil {
				return err
			}
			o := protocol.ServeOptions{Game: v.Game, Protocol: name, Margin: margin, Rows: rows, Level: level}
			o.Levels, o.FindLevel = levels.Offer(v.Game)
			if o.Rules, err = engines.ParseRules(v.Rules); err != nil {
				return err
			}
			if o.Preset, o.Vector, err = offered(v.Game, player); err != nil {
				return fmt.Errorf("--player: %w", err)
			}
			if level != "" && (player != "" || limits != "") {
				return errors.New("--level has parameters and limits of its own: leave --player and --limits out")
			}
			if limits != "" {
				if o.Limits, err = budget(v.Game, limits); err != nil {
					return err
				}
			}
			return protocol.Serve(cmd.Context(), cmd.InOrStdin(), stdout, o)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&name, "protocol", "ugi", "`PROTOCOL` to use: ugi, uci or gomocup")
	cmd.Flags().BoolVar(&rows, "rows", false, "gomocup: print the parameters at START, so that a tuner can read them (protocols with options announce them anyway)")
	cmd.Flags().StringVar(&player, "player", "", "`PLAYER` to run: preset or FILE.toml, with ,name=value overrides (default: the game's default preset)")
	cmd.Flags().StringVar(&limits, "limits", "", "`BUDGET` of a decision if the other side sets none (default: set by the game)")
	levelFlag(cmd, &level)
	cmd.Flags().DurationVar(&margin, "margin", 20*time.Millisecond, "`TIME` reserved from every time limit for communication")
	cmd.AddCommand(engineCheckCommand(stdout), engineHostCommand(stdout))
	return cmd
}

// protocolNames are the protocols that our players are offered in.
func protocolNames() string {
	var list []string
	for _, p := range protocol.All() {
		if p.Serves() {
			list = append(list, fmt.Sprintf("%s (%s)", p.Name, cmp.Or(strings.Join(p.Games, ", "), "every game")))
		}
	}
	return strings.Join(list, ", ")
}

func engineCheckCommand(stdout io.Writer) *cobra.Command {
	var f gameFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "check FILE", Short: "start an external engine, play test games and list its problems",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("want one engine file, such as rapfi.toml; selfplay engine --help shows what stands in it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			e, err := external.ReadFile(args[0])
			if err != nil {
				return err
			}
			f.game = cmp.Or(f.game, e.Games[0].Game)
			if f.rules == "" {
				f.rules = rulesPlayed(e, f.game)
			}
			v, err := f.open()
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "checking %s: two pairs of games against random moves, twice\n", e.Name)
			r := external.Check(cmd.Context(), e, v)
			if cmd.Context().Err() != nil {
				return context.Cause(cmd.Context())
			}
			if asJSON {
				err = cli.PrintObject(stdout, checkTerms(&r), true)
			} else {
				printCheck(stdout, &r)
			}
			if err == nil && r.Failed() {
				err = fmt.Errorf("engine %s: see the problems listed above", e.Name)
			}
			return err
		},
	}
	f.register(cmd)
	cmd.Flags().Lookup("game").Usage = "game to play (default: the first game in the engine file)"
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// rulesPlayed are the rules by which an engine plays a game, as its file has them.
func rulesPlayed(e *external.Engine, game string) string {
	for _, g := range e.Games {
		if g.Game == game {
			return g.Rules
		}
	}
	return ""
}

// printCheck prints the result of a check.
func printCheck(out io.Writer, r *external.Report) {
	game := r.Game
	if r.Rules != "" {
		game += ", " + r.Rules
	}
	table := text.Table{{"engine", r.Engine}, {"protocol", r.Protocol}, {"game", game}}
	if r.Refused == "" {
		name := r.Identity.Name
		if r.Identity.Author != "" {
			name += ", by " + r.Identity.Author
		}
		table = append(table, text.Table{{"calls itself", name}, {"program", "SHA-256 " + r.Identity.SHA256}, {"limits", limitsText(r)},
			{"repeats itself", repeatsText(r)}}...)
		if r.Nodes != "" {
			table = append(table, []string{"fixed nodes", text.Clean(r.Nodes)})
		}
		if r.Timed {
			table = append(table, []string{"late by", fmt.Sprintf("%v at most", r.Late.Round(time.Millisecond))})
		}
		if len(r.NoEffect) > 0 {
			table = append(table, []string{"without effect", text.Clean(strings.Join(r.NoEffect, ", ")) + fmt.Sprintf(
				" (of %d parameters, on one decision, at the end of their range; see that the engine reads them)", r.Tried)})
		}
		if len(r.Scaled) > 0 {
			table = append(table, []string{"ratios", text.Clean(strings.Join(r.Scaled, ", ")) + " (groups of weights tried at other values of the same " +
				"ratios)"})
		}
	}
	table.Print(out)
	if len(r.Options) > 0 {
		fmt.Fprintln(out, "\nOptions")
		list := text.Table{{"option", "type", "default", "takes"}}
		for _, o := range r.Options {
			list = append(list, []string{text.Clean(o.Name), o.Type, text.Clean(o.Default), text.Clean(takes(o))})
		}
		list.Print(out)
	}
	if len(r.Space) > 0 {
		fmt.Fprintln(out, "\nParameters to tune")
		list := text.Table{{"parameter", "start", "allowed", "step", "only ratios matter in"}}
		for _, p := range r.Space {
			list = append(list, []string{text.Clean(p.Name), p.Format(p.Default), p.Range(), p.StepText(), text.Clean(p.Ratio)})
		}
		if !slices.ContainsFunc(r.Space, func(p params.Param) bool { return p.Ratio != "" }) {
			for i := range list {
				list[i] = list[i][:4]
			}
		}
		list.Print(out)
	}
	for i, g := range r.Games {
		if i == 0 {
			fmt.Fprintln(out, "\nGames against random moves")
		}
		fmt.Fprintf(out, "%s  %s\n", []string{"first ", "second"}[g.Side], gameText(g))
	}
	switch {
	case len(r.Problems) > 0:
		fmt.Fprintln(out, "\nProblems and notes")
		for _, line := range r.Problems {
			fmt.Fprintf(out, "- %s\n", text.Clean(line))
		}
	default:
		fmt.Fprintln(out, "\nNo problems.")
	}
}

func limitsText(r *external.Report) string {
	if r.Limits.IsZero() {
		return "none: it decides by itself how long to think"
	}
	return r.Limits.String()
}

func repeatsText(r *external.Report) string {
	switch {
	case !r.Judged:
		return "not judged: a game was not played to its end"
	case r.Repeats:
		return "yes: two pairs, played twice, went the same way"
	}
	return "no: two pairs, played twice, went different ways"
}

// takes describes the values of an option.
func takes(o protocol.Option) string {
	switch {
	case o.Ranged:
		return fmt.Sprintf("%d to %d", o.Min, o.Max)
	case len(o.Values) > 0:
		return strings.Join(o.Values, " | ")
	}
	return ""
}

// gameText is a game of Check in a line.
func gameText(g external.CheckedGame) string {
	line := fmt.Sprintf("%s, %s", text.Plural(len(g.Moves), "ply"), text.Plural(g.Nodes, "node"))
	switch {
	case g.Fault != "":
		return fmt.Sprintf("%s: lost by %s: %s", line, g.Reason, text.Clean(g.Fault))
	case g.Reason != "":
		return fmt.Sprintf("%s: %s by %s", line, g.Outcome, g.Reason)
	}
	return line + ": stopped as long enough"
}

// checkTerms are the same as an object.
func checkTerms(r *external.Report) runs.Object {
	options, space, games := []runs.Object{}, []runs.Object{}, []runs.Object{}
	for _, o := range r.Options {
		options = append(options, runs.Object{{"name", o.Name}, {"type", o.Type}, {"default", o.Default}, {"takes", takes(o)}})
	}
	for _, p := range r.Space {
		space = append(space, runs.Object{{"name", p.Name}, {"default", p.Default}, {"min", p.Min}, {"max", p.Max}, {"step", p.Step},
			{"whole", p.Whole}, {"log", p.Log}, {"ratio", p.Ratio}})
	}
	for _, g := range r.Games {
		games = append(games, runs.Object{{"side", int(g.Side)}, {"moves", strings.Join(g.Moves, " ")}, {"outcome", g.Outcome.String()},
			{"reason", string(g.Reason)}, {"fault", g.Fault}, {"nodes", g.Nodes}})
	}
	problems := append([]string{}, r.Problems...)
	return runs.Object{
		{"engine", r.Engine}, {"protocol", r.Protocol}, {"game", r.Game}, {"rules", r.Rules}, {"refused", r.Refused}, {"name", r.Identity.Name},
		{"program", r.Identity.SHA256}, {"limits", r.Limits.String()}, {"options", options}, {"parameters", space}, {"games", games},
		{"fixed_nodes", r.Nodes}, {"timed", r.Timed}, {"late_ms", r.Late.Milliseconds()}, {"without_effect", append([]string{}, r.NoEffect...)},
		{"tried", r.Tried}, {"scaled", append([]string{}, r.Scaled...)}, {"judged", r.Judged}, {"repeats", r.Repeats}, {"repeatable", r.Repeatable()}, {"problems", problems},
	}
}

func engineHostCommand(stdout io.Writer) *cobra.Command {
	var out, cc string
	var source bool
	cmd := &cobra.Command{
		Use: "host [LIBRARY]", Short: "build the program that runs the course's connect four libraries",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if source {
				_, err := stdout.Write(protocol.HostSource())
				return err
			}
			if _, err := os.Stat(out); err == nil {
				return fmt.Errorf("--out: %s exists already; give the name of a new file", out)
			}
			if err := protocol.BuildHost(cmd.Context(), cc, out); err != nil {
				return err
			}
			library := "LIBRARY.so"
			if len(args) > 0 {
				library = args[0]
			}
			return printHostFile(stdout, out, library)
		},
	}
	cmd.Flags().StringVar(&out, "out", "getpoint-host", "`FILE` to create")
	cmd.Flags().StringVar(&cc, "cc", "", "C `COMPILER` (default: cc)")
	cmd.Flags().BoolVar(&source, "source", false, "print the source instead of building it")
	return cmd
}

// printHostFile prints an engine file for a library.
func printHostFile(out io.Writer, host, library string) error {
	for _, path := range []*string{&host, &library} {
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	name := strings.TrimSuffix(filepath.Base(library), filepath.Ext(library))
	_, err := fmt.Fprintf(out,
		"name = %q\ncmd = %q\nargs = [%q]\nprotocol = \"getpoint\"\ngames = [\"connectfour\"]\nlimits = \"time=3s\"\n", name, host, library)
	return err
}

// offered is the player that is offered: by its preset, or by its values.
func offered(game *engines.Game, text string) (preset string, values params.Vector, err error) {
	if text == "" {
		return "", nil, nil
	}
	if _, err := game.Preset(text); err == nil {
		return text, nil, nil
	}
	values, err = player.Values(game, text)
	return "", values, err
}
