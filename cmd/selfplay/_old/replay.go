package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/match"
	"selfplaylab/params/tuning"
)

func replayCommand(stdout, stderr io.Writer) *cobra.Command {
	var asJSON, brief bool
	cmd := &cobra.Command{
		Use: "replay RUN GAME", Short: "play a recorded game again, move by move, and check that its players repeat it",
		Long: `Replay asks the players of a recorded game for every move again, with the
parameters, limits and seeds they had, and prints the boards. It ends with an
error at the first move, or end, that is not the recorded one: the program has
changed without its version, a player is not a function of what it is given, or
decisions were limited by wall-clock time.

RUN is the folder of a tuning run, match, tournament or ladder. GAME is
TRIAL:PAIR:GAME as errors and tables give it (game 0 is the one X or A starts,
1 the other), or the game's number in the run, from 0.`,
		Example: "  selfplay replay runs/20261120-101500-quoridor-match 0:12:1\n  selfplay replay runs/X 25 --brief\n  selfplay replay runs/X 25 --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("want a run and a game, such as: selfplay replay runs/X 0:12:1; got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return replay(cmd, args[0], args[1], asJSON, brief, stdout, stderr)
		},
	}
	cmd.Flags().BoolVar(&brief, "brief", false, "print moves without boards")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func replay(cmd *cobra.Command, dir, which string, asJSON, brief bool, stdout, stderr io.Writer) error {
	log, err := datasets.Read(dir)
	if err != nil {
		return err
	}
	game, err := findRecorded(log, which)
	if err != nil {
		return err
	}
	trial, err := trialOf(log, game)
	if err != nil {
		return err
	}
	c, names, err := recordedCampaign(log, game.Trial)
	if err != nil {
		return err
	}
	if !c.Limits[0].Repeatable() || !c.Limits[1].Repeatable() {
		fmt.Fprintln(stderr, "warning: decisions were limited by wall-clock time; they need not repeat")
	}
	plies := []object{}
	err = c.Again(cmd.Context(), trial, game, func(p match.Ply) {
		if asJSON {
			plies = append(plies, plyTerms(p, names))
			return
		}
		printPly(stdout, p, names, brief)
	})
	divergence, diverged := errors.AsType[*match.Divergence](err)
	if err != nil && !diverged {
		return err
	}
	place := fmt.Sprintf("trial %d, pair %d, game %d", game.Trial, game.Pair, game.Game)
	if asJSON {
		return errors.Join(replayTerms(log, trial, game, c, names, plies, divergence).print(stdout, true), divergenceError(place, divergence))
	}
	if diverged {
		return divergenceError(place, divergence)
	}
	fmt.Fprintf(stdout, "%s of %s: %s by %s after %d plies; the players repeat every move\n", place, dir, game.Outcome, game.Reason, game.Plies)
	return nil
}

func divergenceError(place string, d *match.Divergence) error {
	if d == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", place, d)
}

// printPly prints one ply and, unless brief, the board after it.
func printPly(out io.Writer, p match.Ply, names [2]string, brief bool) {
	what := fmt.Sprintf("%s, score %v, %d nodes", mover(p, names), p.Decision.Score, p.Decision.Nodes)
	switch {
	case p.Opening:
		what = "opening"
	case p.Illegal:
		what = mover(p, names) + ", for an illegal move"
	}
	fmt.Fprintf(out, "%d. %s  (%s)\n", p.Number, p.Move, what)
	if !brief {
		fmt.Fprintf(out, "%s%s\n\n", p.Board, p.Position)
	}
}

// mover names who moved.
func mover(p match.Ply, names [2]string) string {
	if p.X {
		return names[0]
	}
	return names[1]
}

func plyTerms(p match.Ply, names [2]string) object {
	by := mover(p, names)
	if p.Opening {
		by = "opening"
	}
	var score any // JSON knows no infinity
	if s := p.Decision.Score; !p.Opening && !math.IsNaN(s) && !math.IsInf(s, 0) {
		score = s
	}
	return object{
		{Name: "ply", Value: p.Number}, {Name: "side", Value: p.Side}, {Name: "by", Value: by}, {Name: "move", Value: p.Move},
		{Name: "illegal", Value: p.Illegal}, {Name: "score", Value: score}, {Name: "nodes", Value: p.Decision.Nodes},
		{Name: "position", Value: p.Position}, {Name: "board", Value: p.Board},
	}
}

func replayTerms(log *datasets.Log, t datasets.TrialRow, g datasets.GameRow, c *match.Campaign, names [2]string, plies []object, d *match.Divergence) object {
	var divergence any
	if d != nil {
		divergence = object{{Name: "ply", Value: d.Ply}, {Name: "what", Value: d.What}, {Name: "recorded", Value: d.Recorded}, {Name: "here", Value: d.Here}}
	}
	return object{
		{Name: "run", Value: log.Dir}, {Name: "game", Value: log.Meta.Game}, {Name: "rules", Value: log.Meta.Rules},
		{Name: "trial", Value: g.Trial}, {Name: "pair", Value: g.Pair}, {Name: "number", Value: g.Game}, {Name: "phase", Value: g.Phase},
		// As text: JSON readers lose digits of so large a number.
		{Name: "seed", Value: strconv.FormatUint(match.PairSeed(c.Seed, g.Phase, t.Openings, int(g.Pair)), 10)},
		{Name: "x", Value: names[0]}, {Name: "than", Value: names[1]}, {Name: "outcome", Value: g.Outcome}, {Name: "reason", Value: g.Reason},
		{Name: "repeats", Value: d == nil}, {Name: "divergence", Value: divergence}, {Name: "plies", Value: plies},
	}
}

// findRecorded finds a game by TRIAL:PAIR:GAME or by its number in the run.
func findRecorded(log *datasets.Log, which string) (datasets.GameRow, error) {
	wrong := func() error {
		return engines.ParseError("game", which, "want TRIAL:PAIR:GAME, such as 0:12:1, or a game's number from 0")
	}
	var at [3]int64
	fields := strings.Split(which, ":")
	if len(fields) != 1 && len(fields) != 3 {
		return datasets.GameRow{}, wrong()
	}
	for i, text := range fields {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return datasets.GameRow{}, wrong()
		}
		at[i] = n
	}
	filter := datasets.Filter{}
	if len(fields) == 3 {
		if at[0] >= log.NumTrials {
			return datasets.GameRow{}, fmt.Errorf("%s has no trial %d: it holds trials 0 to %d", log.Dir, at[0], log.NumTrials-1)
		}
		filter = datasets.Filter{From: at[0], To: at[0] + 1}
	}
	number := int64(0)
	for g, err := range log.Games(filter) {
		if err != nil {
			return g, err
		}
		if len(fields) == 1 && number == at[0] || len(fields) == 3 && int64(g.Pair) == at[1] && int64(g.Game) == at[2] {
			return g, nil
		}
		number++
	}
	if len(fields) == 1 {
		return datasets.GameRow{}, fmt.Errorf("%s has no game %d: it holds %d games, counted from 0", log.Dir, at[0], log.NumGames)
	}
	return datasets.GameRow{}, fmt.Errorf("%s has no game %s: trial %d holds %d pairs, of games 0 and 1", log.Dir, which, at[0], number/2)
}

func trialOf(log *datasets.Log, g datasets.GameRow) (datasets.TrialRow, error) {
	for t, err := range log.Trials(datasets.Filter{From: g.Trial, To: g.Trial + 1}) {
		return t, err
	}
	return datasets.TrialRow{}, fmt.Errorf("%s: trial %d is not recorded", log.Dir, g.Trial)
}

// recordedCampaign is how a trial of a recorded run was played, without openings,
// which each game records itself, and the names of X and Than.
func recordedCampaign(log *datasets.Log, trial int64) (*match.Campaign, [2]string, error) {
	c := &match.Campaign{Seed: log.Meta.Seed}
	switch log.Meta.Kind {
	case "match":
		spec, err := describeMatch(log, c)
		if err != nil {
			return nil, [2]string{}, err
		}
		spec.Openings, spec.OpeningsHash = "", ""
		if err := spec.seat(c, nil); err != nil {
			return nil, [2]string{}, fmt.Errorf("%s: %w", log.Dir, err)
		}
		return c, [2]string{"A (" + spec.A + ")", "B (" + spec.B + ")"}, nil
	case "tune":
		_, variant, _, err := tuning.Describe(log)
		if err != nil {
			return nil, [2]string{}, err
		}
		limits, err := engines.ParseLimits(log.Meta.Limits)
		if err != nil {
			return nil, [2]string{}, fmt.Errorf("%s: %w", log.Dir, err)
		}
		c.Variant, c.Limits = variant, [2]engines.Limits{limits, limits}
		return c, [2]string{"X", "Than"}, nil
	case tournamentKind, ladderKind:
		return recordedContest(log, trial, c)
	}
	return nil, [2]string{}, fmt.Errorf("%s: is a run of %q; replay knows those of tune, match, tournament and ladder", log.Dir, log.Meta.Kind)
}

func recordedContest(log *datasets.Log, trial int64, c *match.Campaign) (*match.Campaign, [2]string, error) {
	var spec tournamentSpec
	var err error
	if c.Variant, err = recordedVariant(log.Dir, log.Meta); err != nil {
		return nil, [2]string{}, err
	}
	if err := log.Spec(&spec); err != nil {
		return nil, [2]string{}, err
	}
	schedule, err := spec.schedule()
	if err != nil {
		return nil, [2]string{}, fmt.Errorf("%s: %w", log.Dir, err)
	}
	p := schedule.Of(trial)
	x, than := schedule.Entrants[p.X], schedule.Entrants[p.Than]
	c.Limits = [2]engines.Limits{x.Limits, than.Limits}
	return c, [2]string{x.Name, than.Name}, nil
}
