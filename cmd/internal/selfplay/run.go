package selfplay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/experiment"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/record"
	"selfplaylab/reports/text"
)

// studyFlags are the flags of commands that play experiments.
type studyFlags struct {
	quick, json, quiet bool
	out                string
	workers            int
	cluster            cli.Cluster
	flags              *pflag.FlagSet

	typed          string
	stdout, stderr io.Writer
}

func (s *studyFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.BoolVar(&s.quick, "quick", false, "play the small budgets that the file gives for quick runs")
	fl.IntVar(&s.workers, "workers", runtime.NumCPU(),
		"games played at the same time; never changes the result (0 with --cluster: leave all to other processes)")
	s.cluster.Register(fl)
	s.flags = fl
	fl.BoolVar(&s.json, "json", false, "print one JSON object an experiment")
	fl.BoolVarP(&s.quiet, "quiet", "q", false, "show no progress on standard error")
}

func runCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &studyFlags{typed: cli.CommandLine(args), stdout: stdout, stderr: stderr}
	var resume string
	var publish bool
	cmd := &cobra.Command{
		Use: "run FILE", Short: "run an experiment file: matches, tournaments, ladders, grids, tunings, searches",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := f.cluster.CheckWorkers(cmd, f.workers); err != nil {
				return err
			}
			s, err := f.open(cmd, files, resume, publish)
			if err != nil {
				return err
			}
			if s.File == "" { // a reproduction that was stopped
				return f.reproduce(cmd.Context(), s)
			}
			return f.run(cmd.Context(), s, publish)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.out, "out", "", "folder `DIR` to create (default: runs/TIME-NAME)")
	cmd.Flags().StringVar(&resume, "resume", "", "continue the experiment in `DIR`")
	cmd.Flags().BoolVar(&publish, "publish", false, "write the results into the folder of FILE")
	return cmd
}

// open creates or reopens the experiment.
func (f *studyFlags) open(cmd *cobra.Command, files []string, resume string, publish bool) (*experiment.Study, error) {
	changed := cmd.Flags().Changed
	if changed("resume") {
		switch {
		case len(files) > 0 || f.quick || changed("out"):
			return nil, errors.New("--resume takes no FILE, --quick or --out: the folder keeps what the experiment was asked")
		case resume == "":
			return nil, errors.New("--resume: want the folder of an experiment")
		}
		s, err := experiment.Open(resume, kinds.All().ForExperiments())
		if err == nil && publish {
			err = s.CheckPublish()
		}
		if err != nil {
			return nil, err
		}
		if !s.Reworded {
			fmt.Fprintf(f.stderr, "warning: %s now asks for other runs than this experiment; continuing those in %s\n",
				cmp.Or(s.File, "the published "+s.Name), s.Dir)
		}
		return s, nil
	}
	if len(files) != 1 {
		return nil, fmt.Errorf("want one experiment file: %s\nsee %q", cmd.UseLine(), cmd.CommandPath()+" --help")
	}
	s, err := experiment.ReadFile(files[0], f.quick, kinds.All().ForExperiments())
	if err == nil && publish {
		err = s.CheckPublish()
	}
	if err != nil {
		return nil, err
	}
	return s, f.begin(s, f.out)
}

// begin makes the experiment's directory, by default one named by the time.
func (f *studyFlags) begin(s *experiment.Study, dir string) error {
	if dir == "" {
		var err error
		if dir, err = record.NewFolder(cli.RunsFolder, s.Name); err != nil {
			return err
		}
	}
	err := s.Begin(dir, f.typed)
	if errors.Is(err, experiment.ErrBegun) {
		return fmt.Errorf("%w: --resume %s", err, runs.Quote(dir))
	}
	return err
}

// run plays the missing games of an experiment, publishes it and prints the result.
func (f *studyFlags) run(ctx context.Context, s *experiment.Study, publish bool) error {
	for _, line := range s.LeftOut {
		fmt.Fprintln(f.stderr, line)
	}
	t, err := f.play(ctx, s, publish)
	if err != nil {
		return err
	}
	if f.json {
		return cli.PrintJSON(f.stdout, func() (runs.Object, error) { return t.JSON() })
	}
	return f.print(t, nil)
}

// play plays the missing games of an experiment and writes its page.
func (f *studyFlags) play(ctx context.Context, s *experiment.Study, publish bool) (experiment.Result, error) {
	fmt.Fprintf(f.stderr, "experiment directory: %s\n", s.Dir)
	again := "selfplay run --resume " + runs.Quote(s.Dir)
	co, err := f.cluster.Open(ctx, f.flags, f.workers, f.stderr)
	if err == nil {
		err = s.Play(ctx, f.typed, func(place int, r experiment.Run) (runs.Options, func()) {
			fmt.Fprintf(f.stderr, "%s, run %d of %d: %s (%s)\n", s.Name, place+1, len(s.Experiment.Runs), r.Name, r.Kind)
			options, shown := cli.Show(ctx, f.stderr, f.workers, f.quiet)
			return co.Pooled(options), shown
		})
		err = errors.Join(err, co.End(f.stderr, f.quiet))
	}
	var t experiment.Result
	if err == nil {
		t, err = f.finish(ctx, s, publish)
	}
	switch _, unwritten := errors.AsType[*experiment.PageError](err); {
	case cli.Interrupted(err):
		fmt.Fprintf(f.stderr, "interrupted; nothing is lost. Continue with:\n  %s\n", again)
	case unwritten:
		err = fmt.Errorf("%w\nEvery run is complete. Correct %s, then continue with: %s", err, s.Words(), again)
	case err != nil:
		err = fmt.Errorf("%w\nPlayed games are kept. Fix the cause, then continue with: %s", err, again)
	}
	return t, err
}

func (f *studyFlags) finish(ctx context.Context, s *experiment.Study, publish bool) (experiment.Result, error) {
	t, page, err := s.Finish(ctx)
	if err != nil || !publish {
		return t, err
	}
	if err := s.Publish(t, page); err != nil {
		return t, err
	}
	fmt.Fprintf(f.stderr, "published: %s\n", s.Here())
	if n := len(t.Warnings); n > 0 {
		fmt.Fprintf(f.stderr, "The page lacks the %s of the runs' own reports, which %s begins with: say in reading.md what its readers must know.\n",
			text.Plural(n, "warning"), filepath.Join(s.Dir, "report.html"))
	}
	return t, nil
}

// print prints the results. c is the comparison of a reproduction, else nil.
func (f *studyFlags) print(t experiment.Result, c *experiment.Comparison) error {
	answers, err := t.Answers()
	if err != nil {
		return err
	}
	fmt.Fprintf(f.stdout, "%s\n", t.Experiment.Title)
	table := text.Table{{"run", "A", "B", "pairs", "score of A", "Elo of A (95 %)"}}
	for _, r := range t.Results.Rows {
		e := r.Pairs().Estimate(experiment.Level)
		table = append(table, []string{r.Run, r.A, r.B, fmt.Sprint(e.N), fmt.Sprintf("%.1f %%", 100*e.Score), e.String()})
	}
	f.printTable(table, 3, 4)
	table = text.Table{{"run", "player", "budget", "positions", "nodes", "seconds"}}
	for _, s := range t.Results.Searches {
		table = append(table, []string{s.Run, s.Player, s.Limits, fmt.Sprint(s.Positions), fmt.Sprint(s.Nodes), fmt.Sprintf("%.2f", s.Seconds)})
	}
	f.printTable(table, 3, 4, 5)
	for _, a := range answers {
		fmt.Fprintf(f.stdout, "\nsaid      %s\nmeasured  %s\nverdict   %s\n", a.Says, a.Measured, a.Verdict)
	}
	for _, line := range t.LeftOut {
		fmt.Fprintf(f.stdout, "\ngap       %s\n", line)
	}
	if len(t.LeftOut) > 0 {
		fmt.Fprintf(f.stdout, "\nto play it once it can be: selfplay run --resume %s\n", runs.Quote(t.Dir))
	}
	f.printComparison(c)
	fmt.Fprintf(f.stdout, "\nreport  %s\n", filepath.Join(t.Dir, "report.html"))
	return nil
}

// printTable prints a table that has more than its heading.
func (s *studyFlags) printTable(table text.Table, right ...int) {
	if len(table) > 1 {
		fmt.Fprintln(s.stdout)
		table.Print(s.stdout, right...)
	}
}

func (s *studyFlags) printComparison(c *experiment.Comparison) {
	if c == nil {
		return
	}
	fmt.Fprintf(s.stdout, "\ncompared with what was published: %d results count by count", c.Same)
	if c.Within > 0 {
		fmt.Fprintf(s.stdout, ", %d with the full budget's within chance", c.Within)
	}
	if len(c.Differences) == 0 {
		fmt.Fprintln(s.stdout, ": all agree")
		return
	}
	fmt.Fprintln(s.stdout)
	for _, d := range c.Differences {
		fmt.Fprintf(s.stdout, "DIFFERS   %s: %s\n", d.ID, d.Detail)
	}
}
