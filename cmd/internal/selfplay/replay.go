package selfplay

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/reports/board"
	"selfplaylab/reports/text"
)

func replayCommand(stdout, stderr io.Writer) *cobra.Command {
	var how replayFlags
	cmd := &cobra.Command{
		Use: "replay RUN GAME", Short: "play a recorded game again and check that its players choose the same moves",
		Args: func(_ *cobra.Command, args []string) error {
			switch len(args) {
			case 2:
			case 1:
				return fmt.Errorf("want a game of %[1]s too: TRIAL:PAIR:GAME, such as %[2]s, or its number from 0; selfplay export %[1]s lists them",
					runs.Quote(args[0]), "0:0:1")
			default:
				return fmt.Errorf("want a run and a game, such as: selfplay replay runs/X 0:12:1; got %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return showGame(cmd, args[0], args[1], how, stdout, stderr)
		},
	}
	cmd.Flags().BoolVar(&how.brief, "brief", false, "print only the moves, without boards")
	cmd.Flags().BoolVar(&how.asRecorded, "as-recorded", false, "show the recorded moves without running the players")
	cmd.Flags().StringVar(&how.svg, "svg", "", "draw the last board into `FILE`, or every board into a folder (DIR/)")
	cmd.Flags().BoolVar(&how.json, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&how.html, "html", "", "write the game with boards and scores as a page into `FILE`")
	cmd.MarkFlagsMutuallyExclusive("html", "json", "brief")
	return cmd
}

type replayFlags struct {
	json, brief, asRecorded bool
	svg, html               string
}

// draw writes the board of a ply into the folder of the flag, if given.
func (r *replayFlags) draw(p play.Ply) error {
	if !isFolder(r.svg) {
		return nil
	}
	return writeBoard(filepath.Join(r.svg, fmt.Sprintf("ply-%03d.svg", p.Number)), nil, p.Board)
}

func showGame(cmd *cobra.Command, dir, which string, how replayFlags, stdout, stderr io.Writer) error {
	if isFolder(how.svg) {
		if err := os.MkdirAll(how.svg, 0o777); err != nil {
			return fmt.Errorf("--svg: %w", err)
		}
	}
	recorded, err := kinds.All().Open(dir)
	if err != nil {
		return err
	}
	game, err := replay.Find(recorded, which)
	if err != nil {
		return err
	}
	if !game.Repeatable() && !how.asRecorded {
		why := runs.Unrepeatable("decisions were limited by wall-clock time; they need not repeat.", game.Trial.Seats[:]...)
		fmt.Fprintf(stderr, "warning: %s --as-recorded shows the game as it was\n", why)
	}
	plies := []runs.Object{}
	var last board.Board
	var drawing error
	var seen []play.Ply
	show := func(p play.Ply) {
		last = p.Board
		drawing = cmp.Or(drawing, how.draw(p))
		if how.html != "" {
			seen = append(seen, p)
			return
		}
		if how.json {
			plies = append(plies, plyTerms(p, game))
			return
		}
		printPly(stdout, p, game, how.brief)
	}
	if how.asRecorded {
		err = game.Recorded(show)
	} else {
		err = game.Play(cmd.Context(), show)
	}
	if drawing == nil && how.svg != "" && !isFolder(how.svg) {
		drawing = writeBoard(how.svg, stdout, last)
	}
	if drawing != nil {
		return drawing
	}
	divergence, diverged := errors.AsType[*play.Divergence](err)
	if err != nil && !diverged {
		return err
	}
	if diverged {
		err = fmt.Errorf("%s: %w", game.Place(), divergence)
	}
	switch {
	case how.html != "":
		return errors.Join(writeGame(game, seen, !how.asRecorded, how.html, stdout), err)
	case how.json:
		return errors.Join(cli.PrintObject(stdout, replayTerms(game, plies, divergence), true), err)
	case diverged:
		return err
	}
	for side, seat := range game.Trial.Seats {
		for i, x := range seat.Values {
			if other := game.Trial.Seats[1-side].Values; seat.Engine != nil && (i >= len(other) || other[i] != x) {
				fmt.Fprintf(stdout, "%s has %s=%v\n", seat.Name, recorded.Log.Meta.Parameters[i], x)
			}
		}
	}
	what := "the players repeat every move"
	if how.asRecorded {
		what = "as recorded"
	}
	fmt.Fprintf(stdout, "%s of %s: %s by %s after %s; %s%s\n", game.Place(), dir, game.Row.Outcome, game.Row.Reason,
		text.Plural(game.Row.Plies, "ply"), what, datasets.LogNote(dir, dir, game.Row))
	return nil
}

// writeGame writes the page of a game and prints its path.
func writeGame(game *replay.Game, plies []play.Ply, asked bool, file string, stdout io.Writer) error {
	data, err := game.Page(plies, asked).HTML()
	if err != nil {
		return err
	}
	if err := writeWhole("html", file, func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	}); err != nil {
		return err
	}
	fmt.Fprintln(stdout, file)
	return nil
}

// printPly prints one ply and, unless brief, the board after it.
func printPly(out io.Writer, p play.Ply, game *replay.Game, brief bool) {
	what := fmt.Sprintf("%s: %s, %d nodes", mover(p, game), says(game.Run.Head.Variant.Game, p.Decision, "for itself"), p.Decision.Nodes)
	switch {
	case p.Opening:
		what = "opening"
	case p.Decision.Move == 0: // not recorded
		what = mover(p, game)
	case p.Illegal:
		what = mover(p, game) + ", for an illegal move"
	}
	fmt.Fprintf(out, "%d. %s  (%s)\n", p.Number, p.Move, what)
	if !brief {
		fmt.Fprintf(out, "%s%s\n\n", p.Board.Text(), p.Position)
	}
}

// says describes a decision's score with its unit and its point of view.
func says(game *engines.Game, d engines.Decision, whom string) string {
	if d.Mate != 0 {
		return game.Describe(d)
	}
	return game.Describe(d) + " " + whom
}

// mover names who moved.
func mover(p play.Ply, game *replay.Game) string {
	if p.ByA {
		return game.Trial.Seats[0].Name
	}
	return game.Trial.Seats[1].Name
}

func plyTerms(p play.Ply, game *replay.Game) runs.Object {
	by := mover(p, game)
	if p.Opening {
		by = "opening"
	}
	var score any // JSON knows no infinity
	if s := p.Decision.Score; !p.Opening && p.Decision.Move != 0 && !math.IsNaN(s) && !math.IsInf(s, 0) {
		score = s
	}
	return runs.Object{
		{"ply", p.Number}, {"side", p.Side}, {"by", by}, {"move", p.Move}, {"illegal", p.Illegal}, {"score", score},
		{"nodes", p.Decision.Nodes}, {"position", p.Position}, {"board", p.Board.Text()},
	}
}

func replayTerms(game *replay.Game, plies []runs.Object, d *play.Divergence) runs.Object {
	var divergence any
	if d != nil {
		divergence = runs.Object{{"ply", d.Ply}, {"what", d.What}, {"recorded", d.Recorded}, {"here", d.Here}}
	}
	log, g := game.Run.Log, game.Row
	return runs.Object{
		{"run", log.Dir}, {"game", log.Meta.Game}, {"rules", log.Meta.Rules},
		{"trial", g.Trial}, {"pair", g.Pair}, {"number", g.Game}, {"phase", g.Phase},
		// As text: JSON readers lose digits of so large a number.
		{"seed", strconv.FormatUint(game.Seed(), 10)}, {"a", game.Trial.Seats[0].Name}, {"b", game.Trial.Seats[1].Name}, {"outcome", g.Outcome},
		{"reason", g.Reason}, {"repeats", d == nil}, {"divergence", divergence}, {"plies", plies},
	}
}
