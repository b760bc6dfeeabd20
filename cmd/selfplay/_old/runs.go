package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/params/tuning"
	"selfplaylab/reports"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/record"
)

// runsFolder is where runs are made and looked for without --out or DIR.
const runsFolder = "runs"

// nothingYet is the result of a run without games.
const nothingYet = "no game recorded yet"

func runsCommand(stdout, stderr io.Writer) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "runs [DIR...]", Short: "list runs: what, when, how many games, how large, what came of it",
		Long: `Runs lists the runs in and below the folders (default: runs), the newest first:
what was asked, when, games, size on disk, and the result with its interval and
number of pairs, or how far the run has come. Every result is computed from the
record. A run that cannot be read is listed with its complaint.`,
		Example: "  selfplay runs\n  selfplay runs reports experiments/runs --json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, dirs []string) error {
			list, err := listRuns(dirs, stderr)
			if err != nil {
				return err
			}
			if asJSON {
				return object{{Name: "runs", Value: list}}.print(stdout, true)
			}
			printRuns(stdout, list)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// listed is one run of the list.
type listed struct {
	Run      string               `json:"run"`
	Kind     string               `json:"kind"`
	Game     string               `json:"game"`
	Created  time.Time            `json:"created"`
	What     string               `json:"what"`     // players or method
	Finished bool                 `json:"finished"` // nothing is left to play
	Result   string               `json:"result"`   // or how far it has come; "" if not known
	Estimate *rating.Estimate     `json:"estimate"` // of matches and verified tuning runs
	Trials   int64                `json:"trials"`
	Games    int64                `json:"games"`
	Bytes    int64                `json:"bytes"`
	Moves    datasets.RecordMoves `json:"record_moves"`
	Fault    string               `json:"fault"` // what is wrong with it, or with reading it here; "" if nothing
}

// listRuns reads the runs below some folders, the newest first. Those whose age
// cannot be read come last.
func listRuns(dirs []string, stderr io.Writer) ([]listed, error) {
	list := []listed{}
	for _, dir := range orDefault(dirs) {
		infos, err := datasets.List(dir)
		if len(dirs) == 0 && errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(stderr, "no runs: there is no folder %s here; name the folder, or make a run with selfplay match or tune\n", dir)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("list of runs: %w", err)
		}
		for _, info := range infos {
			list = append(list, judge(info))
		}
	}
	slices.SortStableFunc(list, func(a, b listed) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Run, b.Run)) })
	return list, nil
}

func orDefault(dirs []string) []string {
	if len(dirs) == 0 {
		return []string{runsFolder}
	}
	return dirs
}

// judge tells what a run is and what came of it.
func judge(info datasets.Info) listed {
	l := listed{
		Run: info.Dir, Kind: info.Meta.Kind, Game: info.Meta.Game, Created: info.Meta.Created.UTC(),
		Trials: info.Trials, Games: info.Games, Bytes: info.Size, Moves: info.Meta.RecordMoves,
	}
	err := info.Err
	if err == nil {
		err = l.tell(info.Log)
	}
	if err != nil {
		l.Fault = err.Error()
	}
	return l
}

// tell fills in what a readable run was asked and what came of it.
func (l *listed) tell(log *datasets.Log) error {
	switch l.Kind {
	case "match":
		return l.tellMatch(log)
	case "tune":
		return l.tellTuning(log)
	case tournamentKind, ladderKind:
		return l.tellContest(log)
	}
	return fmt.Errorf("is a run of %q, which this program cannot judge", l.Kind)
}

func (l *listed) tellMatch(log *datasets.Log) error {
	spec, err := readMatch(log)
	if err != nil {
		return err
	}
	l.What = spec.A + " v " + spec.B
	t := tally{}
	for row, err := range log.Trials(datasets.Filter{}) {
		if err != nil {
			return err
		}
		t.add(row)
	}
	e := t.pairs.Estimate(spec.Level)
	if e.N == 0 {
		l.Result = nothingYet
		return nil
	}
	l.Estimate = &e
	l.Result = record.Percent(e.Score) + ", " + e.String()
	l.Finished = e.N >= spec.Pairs
	test, err := t.progress(spec)
	if err != nil {
		return err
	}
	if test != nil {
		l.Finished = l.Finished || test.State != rating.Continue
		l.Result = test.Verdict() + "; " + l.Result
	}
	if !l.Finished {
		l.Result = fmt.Sprintf("unfinished, %s of %s pairs: %s", record.Count(e.N), record.Count(spec.Pairs), l.Result)
	}
	return nil
}

func (l *listed) tellTuning(log *datasets.Log) error {
	s, err := tuning.Summarize(log)
	if err != nil {
		return err
	}
	what := strings.Join(s.Spec.Active, ", ")
	if len(s.Spec.Active) > 3 {
		what = record.Plural(len(s.Spec.Active), "parameter")
	}
	l.What = fmt.Sprintf("%s of %s from %s", s.Spec.Method, what, s.Spec.Start)
	l.Estimate, l.Finished = s.Verified, s.Finished
	switch {
	case s.Tuned < s.Planned:
		l.Result = fmt.Sprintf("unfinished, %s of %s tuning games", record.Count(s.Tuned), record.Count(s.Planned))
	case !s.Finished:
		l.Result = "unfinished, tuned; " + s.Verdict()
	default:
		l.Result = s.Verdict()
	}
	return nil
}

func (l *listed) tellContest(log *datasets.Log) error {
	c, err := readContest(log)
	if err != nil {
		return err
	}
	l.What = record.Plural(len(c.spec.Players), "player")
	if c.spec.Schedule == gauntlet {
		l.What = c.spec.Hero + " v " + record.Plural(len(c.spec.Players)-1, "opponent")
	}
	if c.spec.Calibrate {
		l.What = fmt.Sprintf("%d rungs, measured", len(c.spec.Players))
	}
	if err := c.standing.count(log); err != nil {
		return err
	}
	n, all := int64(c.standing.played.N), c.schedule.Games()
	if l.Finished = n >= all; n == 0 {
		l.Result = nothingYet
		return nil
	}
	if l.Result, err = c.inWords(); err != nil {
		return err
	}
	if !l.Finished {
		l.Result = fmt.Sprintf("unfinished, %s of %s games: %s", record.Count(n), record.Count(all), l.Result)
	}
	return nil
}

// inWords is the result of a contest of which some games are played.
func (c *contest) inWords() (string, error) {
	if c.kind == ladderKind && !c.spec.Calibrate {
		ladder, err := c.ladder()
		if err != nil {
			return "", err
		}
		placed, err := ladder.Place(c.placings())
		if err != nil {
			return "", err
		}
		return c.placing(ladder, placed) + ", " + record.Plural(c.standing.played.N, "game"), nil
	}
	r, err := c.standing.rate()
	if err != nil {
		return "", err
	}
	best, next := r.order[0], r.order[1]
	ahead, se := r.ratings.Difference(best, next)
	return fmt.Sprintf("first is %s, %s Elo before %s (%s, %s)", r.spec.Players[best].Name,
		plusMinus(ahead, rating.Rating{SE: se}.Interval(r.spec.Level).Half()), r.spec.Players[next].Name,
		record.Level(r.spec.Level), record.Plural(r.played.N, "game")), nil
}

// printRuns writes the list for people, in local time.
func printRuns(out io.Writer, list []listed) {
	if len(list) == 0 {
		return
	}
	table := cli.Table{{"run", "created", "what", "games", "size", "result"}}
	for _, l := range list {
		created, result := "-", l.Result
		if !l.Created.IsZero() {
			created = l.Created.Local().Format("2006-01-02 15:04")
		}
		if l.Fault != "" {
			first, _, _ := strings.Cut(strings.TrimPrefix(l.Fault, l.Run+": "), "\n")
			result = "fault: " + first
		}
		what := strings.TrimSuffix(strings.TrimSpace(l.Kind+" "+l.Game)+": "+l.What, ": ")
		table = append(table, []string{filepath.ToSlash(l.Run), created, what, record.Count(l.Games), size(l.Bytes), result})
	}
	table.Print(out, 3, 4)
}

// size writes a number of bytes as 12 kB or 3.4 MB.
func size(bytes int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	x, i := float64(bytes), 0
	for x >= 999.5 && i < len(units)-1 {
		x, i = x/1000, i+1
	}
	decimals := 0
	if i > 0 && x < 9.95 {
		decimals = 1
	}
	return reports.Number(x, decimals) + " " + units[i]
}
