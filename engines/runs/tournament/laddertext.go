package tournament

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/reports/published"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// ladderHelp is the command's long help, with examples.
//
//go:embed ladder.txt
var ladderHelp string

// ladderCommand returns the kind's command.
func ladderCommand() *runs.Command {
	return &runs.Command{
		Use:  "--game GAME --player PLAYER",
		Help: ladderHelp,

		Question: "How strong is a player?", Ask: []string{"player"},
		Length: func(runs.Config) string { return "rounds" },
		Shows:  "Finds a difference of {elo} Elo from a rung in 9 of 10 runs.",
		Finds:  func(c runs.Config) float64 { return rating.Finds(c.(*LadderConfig).Rounds, c.(*LadderConfig).Level) },

		Flags: func() any { return &ladderFlags{} },
		Check: checkFlags,
		Before: func(r runs.Result) (b runs.Before) {
			t := r.(*LadderResult)
			b.Warnings = append(t.Config.foreign(t.Head.Meta.GameVersion), clockWarnings(t.Schedule.Players)...)
			return b
		},
		After: func(r runs.Result, f any) (string, error) {
			return publish(r.(*LadderResult), f.(*ladderFlags).Publish)
		},
	}
}

// ladderFlags are the flags that change nothing of the run.
type ladderFlags struct {
	Publish string `toml:"publish" arg:"DIR" help:"with --calibrate: also write ladder.toml and README.md into this folder"`
}

// checkFlags checks the flags for the files of a calibration.
func checkFlags(config, recorded runs.Config, f any, discard bool) error {
	to := f.(*ladderFlags).Publish
	if s, ok := recorded.(*LadderConfig); ok {
		if to != "" && !s.Calibrate {
			return errors.New("is the run of one player; --publish is for --calibrate")
		}
		return nil
	}
	switch a := config.(*LadderConfig); {
	case a.Calibrate && discard:
		return errors.New("--calibrate keeps its games: what is published must have a record; leave out --discard")
	case !a.Calibrate && to != "":
		return errors.New("--publish is for --calibrate")
	}
	return nil
}

// publish writes the measured ladder into another folder, with its page and figures, and
// returns a line that names it.
func publish(t *LadderResult, dir string) (string, error) {
	if !t.Config.Calibrate {
		return "", nil
	}
	at := t.Head.Dir
	if dir != "" {
		at = dir
		if err := t.write(dir); err != nil {
			return "", fmt.Errorf("ladder of %s: %w", t.Head.Meta.Game, err)
		}
	}
	return "ladder: " + filepath.Join(at, published.LadderName), nil
}

// write writes the ladder with its page into a folder.
func (l *LadderResult) write(dir string) error {
	files, err := l.Files()
	if err != nil {
		return err
	}
	page, err := l.readme()
	if err == nil {
		err = page.WriteReadme(dir, datasets.WriteFile)
	}
	if err == nil {
		err = datasets.WriteFile(filepath.Join(dir, published.LadderName), files[published.LadderName])
	}
	return err
}

func (l *LadderResult) Text(out io.Writer, end runs.Ended) error {
	if l.Config.Calibrate {
		return l.Result.Text(out, end)
	}
	if err := runs.PrintVerdict(out, l, end); err != nil {
		return err
	}
	placed, err := l.Placed()
	if err != nil {
		return err
	}
	fmt.Fprintln(out)
	if l.Config.Against != "" {
		fmt.Fprintf(out, "%s\nA's Elo against B    %s\n", Stat(l.Results(0, 1)), l.Pairs(0, 1).Estimate(l.Config.Level))
	} else {
		text.Table(append([][]string{{"opponent", "wins/games", "draws", "rung's Elo"}}, l.rungs(":")...)).Print(out, 1, 2, 3)
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, l.placing(placed))
	printCautions(out, append(l.Cautions(), l.beyond(placed)...))
	if end.Report != "" {
		fmt.Fprintf(out, "report               %s\n", end.Report)
	}
	return nil
}
