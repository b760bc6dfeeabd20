package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/ladder"
	"selfplaylab/reports/published"
)

func ladderCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	asked, play := ladder.New(), cli.NewPlay(ladder.Name, args, stdout, stderr)
	publish := ""
	play.Keep = []string{"publish"}
	cmd := &cobra.Command{
		Use: "ladder --game GAME --player PLAYER", Short: ladder.Kind().Short,
		Long: `Ladder plays one player against every rung of a ladder, which is a list of opponents
with known ratings, from weak to strong. It prints the player's wins against each
rung and its rating on the ladder's scale, with an interval. Each game has a ladder
(reports/published/ladder-GAME); --ladder FILE uses another.

With --against RUNG the player meets only that opponent. The output then starts with
the ratios of games won by A (the player), won by B (the rung) and drawn.

A PLAYER is [NAME:]PRESET, [NAME:]FILE.toml or [NAME:]engine:FILE.toml, optionally
followed by ,name=value overrides and @BUDGET for its limits of a decision.

With --calibrate the rungs themselves are rated: those of the ladder, or the players
given by --player, in any order. Each plays the next two of the list, and all are
rated together. ladder.toml and README.md are written into the run directory, and
into the folder of --publish.`,
		Example: `  selfplay ladder --game gobang --player runs/X/tuned.toml --rounds 50
  selfplay ladder --game gobang --player fixed@depth=3 --against fixed-2 --rounds 50
  selfplay ladder --resume runs/20261120-101500-gobang-ladder
  selfplay ladder --calibrate --game mills --rounds 100 --player 1:paper@depth=1 --player 2:paper@depth=2 --player 4:strong@depth=4
  selfplay ladder --game mills --player runs/X/tuned.toml --ladder runs/20261120-101500-mills-ladder/ladder.toml`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkPublish(cmd, asked, play, publish); err != nil {
				return err
			}
			defer play.Stay()
			r, err := play.Open(cmd, asked)
			if err != nil {
				return measureOne(err)
			}
			return playLadder(cmd, play, r, publish)
		},
	}
	cli.Flags(cmd, asked)
	play.Register(cmd)
	cmd.Flags().StringVar(&publish, "publish", "", "with --calibrate: also write ladder.toml and README.md into `DIR`")
	return cmd
}

// checkPublish checks what a calibration leaves.
func checkPublish(cmd *cobra.Command, asked *ladder.Config, play *cli.Play, publish string) error {
	switch {
	case cmd.Flags().Changed("resume"):
		return checkRecorded(play.Resume, publish)
	case asked.Calibrate && play.Discard:
		return errors.New("--calibrate keeps its games: what is published must have a record; leave out --discard")
	case !asked.Calibrate && publish != "":
		return errors.New("--publish is for --calibrate")
	}
	return nil
}

// checkRecorded checks that a run to be published is a calibration, before it is
// opened to go on with it; what else is wrong with it shows then.
func checkRecorded(dir, publish string) error {
	if publish == "" {
		return nil
	}
	recorded, err := kinds.Open(dir)
	if err != nil {
		return err
	}
	if s, is := recorded.Spec.(*ladder.Spec); is && !s.Calibrate {
		return fmt.Errorf("--publish is for --calibrate; %s is the run of one player", dir)
	}
	return nil
}

// measureOne says how to get a ladder where there is none.
func measureOne(err error) error {
	if !errors.Is(err, published.ErrNoLadder) {
		return err
	}
	return fmt.Errorf("%w\nTo measure one: selfplay ladder --calibrate --game GAME --player 1:PLAYER --player 2:PLAYER", err)
}

// playLadder plays the run and prints what came of it.
func playLadder(cmd *cobra.Command, play *cli.Play, r *runs.Run, publish string) error {
	told := r.Result.(*ladder.Result)
	for _, warning := range told.Spec.Foreign(r.Head.Meta.GameVersion) {
		fmt.Fprintf(play.Stderr, "warning: %s\n", warning)
	}
	warnOfAnyClock(play.Stderr, told.Schedule.Entrants)
	ended, err := play.Run(cmd, r)
	if !ended.Result {
		return err
	}
	if !told.Spec.Calibrate {
		return errors.Join(printChallenge(play, told, ended.Report), err)
	}
	if err == nil {
		err = publishLadder(play.Stderr, told, publish)
	}
	return errors.Join(printTournament(play, told.Result, ended.Report), err)
}

// printChallenge prints what came of a challenge; report is the file of its
// report, "" for none.
func printChallenge(play *cli.Play, t *ladder.Result, report string) error {
	if play.JSON {
		return cli.PrintJSON(play.Stdout, t.JSON)
	}
	placed, err := t.Placed()
	if err != nil {
		return err
	}
	out := play.Stdout
	if t.Spec.Against != "" {
		fmt.Fprintf(out, "%s\nA's Elo against B    %s\n", ladder.Stat(t.Results(0, 1)), t.Pairs(0, 1).Estimate(t.Spec.Level))
	} else {
		cli.Table(append([][]string{{"opponent", "wins/games", "draws", "rung's Elo"}}, t.Rungs(":")...)).Print(out, 1, 2, 3)
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, t.Placing(placed))
	if warning := t.Beyond(); warning != "" {
		fmt.Fprintf(out, "warning: %s\n", warning)
	}
	if report != "" {
		fmt.Fprintf(out, "report               %s\n", report)
	}
	return nil
}

// publishLadder writes the ladder that was measured into another folder, with
// its page and figures, and says where it is.
func publishLadder(stderr io.Writer, t *ladder.Result, dir string) error {
	if dir == "" {
		fmt.Fprintf(stderr, "ladder: %s\n", filepath.Join(t.Head.Dir, published.LadderName))
		return nil
	}
	files, err := t.Files()
	if err != nil {
		return err
	}
	page, err := t.Readme()
	if err == nil {
		err = page.WriteReadme(dir)
	}
	if err == nil {
		err = datasets.WriteFile(filepath.Join(dir, published.LadderName), files[published.LadderName])
	}
	if err != nil {
		return fmt.Errorf("ladder of %s: %w", t.Head.Meta.Game, err)
	}
	fmt.Fprintf(stderr, "ladder: %s\n", filepath.Join(dir, published.LadderName))
	return nil
}
