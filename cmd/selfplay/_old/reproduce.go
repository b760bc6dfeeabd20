package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/experiment"
	"selfplaylab/datasets"
	"selfplaylab/reports"
	"selfplaylab/reports/published"
)

// readingName is the file with the words of an experiment's page.
const readingName = "reading.md"

// quickFolder is where the results of a quick run are published.
const quickFolder = "quick"

type experimentFlags struct {
	quick, publish, json bool
	out, resume          string
	workers              int
}

func (f *experimentFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.BoolVar(&f.quick, "quick", false, "play the small budgets that the file gives for quick runs")
	fl.IntVar(&f.workers, "workers", runtime.NumCPU(), "games played at the same time; never changes the result")
	fl.BoolVar(&f.json, "json", false, "print one JSON object an experiment")
}

func runCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &experimentFlags{}
	cmd := &cobra.Command{
		Use: "run FILE", Short: "run an experiment file: matches, tournaments, ladders, grids, tunings, searches",
		Long: `Run plays the runs of an experiment file one after the other, each recorded in a
folder of its own as by the command it names, and writes one page about all of
them: report.html and report.md, with the counts behind it as CSV.

An experiment file is TOML. Every [[run]] has a name, a kind (match, tournament,
ladder, tune, grid or search) and any flags of that command, by name; quick holds
flags for --quick. {runs} in a value stands for the folder of the experiment's
runs, so that a match can play what a tuning before it found; {here} for the
folder of the file.

    schema = 1
    title = "Is a_E = 11 as good?"

    [[run]]
    name = "half"
    kind = "match"
    game = "quoridor"
    a = "final,a_E=11"
    b = "final"
    pairs = 5000
    quick = { pairs = 200 }

Further it may hold [[figure]] and [[claim]]; reports/published has examples. An
unknown key, flag or value is an error before anything is played.

With --publish the results are written beside FILE, whose folder then holds the
page (README.md), its figures and the CSV files; reading.md there gives the page
its words.`,
		Example: `  selfplay run experiment.toml --quick
  selfplay run --resume runs/20261121-101500-half
  selfplay run reports/published/first-player/experiment.toml --publish`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, files []string) error { return f.run(cmd, files, args, stdout, stderr) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.out, "out", "", "folder to make (default: runs/TIME-NAME)")
	cmd.Flags().StringVar(&f.resume, "resume", "", "go on with the experiment in `DIR`")
	cmd.Flags().BoolVar(&f.publish, "publish", false, "write the results beside FILE")
	return cmd
}

func (f *experimentFlags) run(cmd *cobra.Command, files, args []string, stdout, stderr io.Writer) error {
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	u, err := f.open(cmd, files, args, stderr)
	if err != nil {
		return err
	}
	if u.File == "" { // a reproduction that was stopped
		return u.reproduce(cmd.Context(), stdout, f.json)
	}
	reading, err := os.ReadFile(filepath.Join(u.here(), readingName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	t, page, err := u.finish(cmd.Context(), string(reading))
	if err != nil {
		return err
	}
	if f.publish {
		if err := u.publish(t, page); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "published: %s\n", u.here())
	}
	return u.print(t, stdout, f.json, nil)
}

// open begins or reopens the experiment of run's flags.
func (f *experimentFlags) open(cmd *cobra.Command, files, args []string, stderr io.Writer) (*underway, error) {
	if cmd.Flags().Changed("resume") {
		switch {
		case len(files) > 0 || f.quick || f.out != "":
			return nil, fmt.Errorf("--resume takes no FILE, --quick or --out: %s keeps what the experiment was asked", filepath.Join(f.resume, askedName))
		case f.resume == "":
			return nil, errors.New("--resume: want the folder of an experiment")
		}
		u, err := reopenExperiment(cmd.Context(), f.resume, f.workers, args, stderr)
		if err == nil && f.publish && u.File == "" {
			err = errors.New("--publish wants an experiment of a file: this one came with the program")
		}
		return u, err
	}
	if len(files) != 1 {
		return nil, fmt.Errorf("want one experiment file: %s\nsee %q", cmd.UseLine(), cmd.CommandPath()+" --help")
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return nil, fmt.Errorf("experiment file: %w", err)
	}
	file, err := filepath.Abs(files[0])
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(files[0]), ".toml")
	if filepath.Base(files[0]) == experiment.FileName {
		name = filepath.Base(filepath.Dir(file))
	}
	dir := f.out
	if dir == "" {
		dir = defaultFolder(name)
	}
	return begin(cmd.Context(), dir, files[0], data, asked{Name: name, Quick: f.quick, File: file}, f.workers, args, stderr)
}

func defaultFolder(name string) string {
	return filepath.Join("runs", time.Now().Format("20060102-150405")+"-"+name)
}

// finish plays what is left of the experiment and writes its page and counts into
// its folder.
func (u *underway) finish(ctx context.Context, reading string) (t experiment.Told, page reports.Page, err error) {
	fmt.Fprintf(u.stderr, "experiment directory: %s\n", u.dir)
	if err := u.play(ctx); err != nil {
		return t, page, err
	}
	if t, err = u.told(reading); err != nil {
		return t, page, err
	}
	if err := writeCounts(u.dir, t.Results); err != nil {
		return t, page, err
	}
	if page, err = t.Page(); err != nil {
		return t, page, fmt.Errorf("%w\nEvery run is complete; once the file is mended: selfplay run --resume %s", err, cli.Quote(u.dir))
	}
	return t, page, page.Write(u.dir)
}

// writeCounts writes the results as CSV into a folder.
func writeCounts(dir string, r experiment.Results) error {
	files, err := r.Files()
	for name, data := range files {
		err = errors.Join(err, datasets.WriteFile(filepath.Join(dir, name), data))
	}
	return err
}

// publish writes the results beside the experiment's file: of a full run the
// page with its figures and counts, of a quick run the counts.
func (u *underway) publish(t experiment.Told, page reports.Page) error {
	old, err := os.ReadFile(filepath.Join(u.here(), experiment.OutcomeName))
	if err == nil {
		var before experiment.Outcome
		if before, err = experiment.DecodeOutcome(experiment.OutcomeName, old); err != nil {
			return err
		}
		if u.Quick {
			quick := t.Outcome.Quick
			t.Outcome = before
			t.Outcome.Quick = quick
		} else {
			t.Outcome.Quick = before.Quick
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	outcome, err := t.Outcome.Encode()
	if err != nil {
		return err
	}
	if err := datasets.WriteFile(filepath.Join(u.here(), experiment.OutcomeName), outcome); err != nil {
		return err
	}
	if u.Quick {
		folder := filepath.Join(u.here(), quickFolder)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		return writeCounts(folder, t.Results)
	}
	return errors.Join(writeCounts(u.here(), t.Results), publishPage(u.here(), page))
}

// print says what came out. comparison is that of reproduce, nil for run.
func (u *underway) print(t experiment.Told, stdout io.Writer, asJSON bool, comparison *comparison) error {
	answers, err := t.Answers()
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(stdout).Encode(u.object(t, answers, comparison))
	}
	fmt.Fprintf(stdout, "%s\n", t.Experiment.Title)
	table := cli.Table{{"run", "x", "than", "pairs", "score of x", "Elo of x (95 %)"}}
	for _, r := range t.Results.Rows {
		e := r.Pairs().Estimate(experiment.Level)
		table = append(table, []string{r.Run, r.X, r.Than, fmt.Sprint(e.N), fmt.Sprintf("%.1f %%", 100*e.Score), e.String()})
	}
	if len(table) > 1 {
		fmt.Fprintln(stdout)
		table.Print(stdout, 3, 4)
	}
	table = cli.Table{{"run", "player", "budget", "positions", "nodes", "seconds"}}
	for _, s := range t.Results.Searches {
		table = append(table, []string{s.Run, s.Player, s.Limits, fmt.Sprint(s.Positions), fmt.Sprint(s.Nodes), fmt.Sprintf("%.2f", s.Seconds)})
	}
	if len(table) > 1 {
		fmt.Fprintln(stdout)
		table.Print(stdout, 3, 4, 5)
	}
	for _, a := range answers {
		fmt.Fprintf(stdout, "\nsaid      %s\nmeasured  %s\nverdict   %s\n", a.Says, a.Measured, a.Verdict)
	}
	comparison.print(stdout)
	fmt.Fprintf(stdout, "\nreport  %s\n", filepath.Join(u.dir, "report.html"))
	return nil
}

// object is the outcome for programs.
func (u *underway) object(t experiment.Told, answers []experiment.Answer, c *comparison) object {
	var rows, searches, claims []object
	for _, r := range t.Results.Rows {
		wins, draws, losses := r.Games()
		rows = append(rows, object{
			{Name: "id", Value: r.ID()}, {Name: "x", Value: r.X}, {Name: "than", Value: r.Than}, {Name: "pairs", Value: r.Pairs()},
			{Name: "wins", Value: wins}, {Name: "draws", Value: draws}, {Name: "losses", Value: losses},
			{Name: "estimate", Value: r.Pairs().Estimate(experiment.Level)}, {Name: "first_player", Value: r.First().Estimate(experiment.Level)},
			{Name: "compared", Value: r.Compared}, {Name: "differing", Value: r.Differing}, {Name: "repeatable", Value: r.Repeats},
		})
	}
	for _, s := range t.Results.Searches {
		searches = append(searches, object{
			{Name: "id", Value: s.ID()}, {Name: "positions", Value: s.Positions}, {Name: "nodes", Value: s.Nodes}, {Name: "seconds", Value: s.Seconds},
			{Name: "same_score", Value: s.SameScore}, {Name: "same_move", Value: s.SameMove},
		})
	}
	for _, a := range answers {
		claims = append(claims, object{{Name: "says", Value: a.Says}, {Name: "measured", Value: a.Measured}, {Name: "verdict", Value: a.Verdict}})
	}
	o := object{
		{Name: "name", Value: u.Name}, {Name: "quick", Value: u.Quick}, {Name: "results", Value: rows}, {Name: "searches", Value: searches},
		{Name: "claims", Value: claims}, {Name: "run", Value: u.dir},
	}
	return append(o, c.object()...)
}

func reproduceCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &experimentFlags{}
	var list, all bool
	var index string
	cmd := &cobra.Command{
		Use: "reproduce NAME", Short: "run a published experiment again and compare with what was published",
		Long: `Reproduce runs an experiment that comes with the toolkit (reports/published) and
compares what comes out with what was published. With the same budget every count
of every result must be the same, where no clock decides moves. A quick run must
be the same as the published quick run, and its scores must agree with those of
the full budget within chance. A difference ends with exit code 1.

--list shows the experiments, with their cost in games and minutes as measured
when they were published; --all runs all of them.`,
		Example: `  selfplay reproduce --list
  selfplay reproduce quoridor-presets
  selfplay reproduce --all --quick`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, names []string) error {
			switch {
			case index != "":
				return writeIndex(index, stdout)
			case list:
				return listExperiments(stdout, f.json)
			case all && len(names) > 0:
				return errors.New("--all and a NAME are both given; want one")
			case all:
				names = published.Experiments()
			case len(names) != 1:
				return fmt.Errorf("want the name of one experiment, --all or --list; there are %s", strings.Join(published.Experiments(), ", "))
			}
			if err := cli.CheckWorkers(f.workers); err != nil {
				return err
			}
			return f.reproduce(cmd.Context(), names, args, stdout, stderr)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.out, "out", "", "folder to make; with --all one that holds a folder for each (default: runs/TIME-NAME)")
	cmd.Flags().BoolVar(&list, "list", false, "list the experiments with their costs")
	cmd.Flags().BoolVar(&all, "all", false, "run all experiments")
	cmd.Flags().StringVar(&index, "index", "", "only write `DIR`/README.md, the claims and answers of all experiments published in DIR")
	return cmd
}

// errDiffers says that results are not those that were published.
var errDiffers = errors.New("not as published")

// reproduce plays what is left of a published experiment and compares.
func (u *underway) reproduce(ctx context.Context, stdout io.Writer, asJSON bool) error {
	p, err := readPublished(published.Files(), u.Name)
	if err != nil {
		return err
	}
	t, _, err := u.finish(ctx, p.reading)
	if err != nil {
		return err
	}
	c := p.compare(t.Results, u.Quick)
	if err := u.print(t, stdout, asJSON, c); err != nil {
		return err
	}
	if len(c.Differences) > 0 {
		return fmt.Errorf("%s: %w", u.Name, errDiffers)
	}
	return nil
}

// reproduce runs the named experiments and reports every difference.
func (f *experimentFlags) reproduce(ctx context.Context, names, args []string, stdout, stderr io.Writer) error {
	var differ []error
	for i, name := range names {
		p, err := readPublished(published.Files(), name)
		if err != nil {
			return err
		}
		dir := f.out
		switch {
		case dir == "":
			dir = defaultFolder(name)
		case len(names) > 1:
			dir = filepath.Join(dir, name)
		}
		u, err := begin(ctx, dir, name+"/"+experiment.FileName, p.file, asked{Name: name, Quick: f.quick}, f.workers, args, stderr)
		if err != nil {
			return err
		}
		if i > 0 && !f.json {
			fmt.Fprintln(stdout)
		}
		switch err := u.reproduce(ctx, stdout, f.json); {
		case errors.Is(err, errDiffers): // the others are of interest still
			differ = append(differ, err)
		case err != nil:
			return err
		}
	}
	if len(differ) == 0 && len(names) > 1 {
		fmt.Fprintf(stderr, "all %d experiments as published\n", len(names))
	}
	return errors.Join(differ...)
}
