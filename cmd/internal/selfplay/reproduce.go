package selfplay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/experiment"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/reports/published"
	"selfplaylab/reports/text"
)

func reproduceCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &studyFlags{typed: cli.CommandLine(args), stdout: stdout, stderr: stderr}
	var list, all bool
	cmd := &cobra.Command{
		Use: "reproduce NAME", Short: "run a published experiment again and compare with the published results",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, names []string) error {
			switch {
			case list && len(names) > 0:
				return errors.New("--list and a NAME are both given; want one")
			case list:
				if err := cli.NoEffect(cmd.Flags(), "with --list: nothing is run", "all", "quick", "out", "workers", "cluster"); err != nil {
					return err
				}
				return f.list()
			case all && len(names) > 0:
				return errors.New("--all and a NAME are both given; want one")
			case all:
				names = published.Experiments()
			case len(names) != 1:
				return fmt.Errorf("want the name of one experiment, --all or --list; there are %s", strings.Join(published.Experiments(), ", "))
			}
			if err := f.cluster.CheckWorkers(cmd, f.workers); err != nil {
				return err
			}
			return f.reproduceAll(cmd.Context(), names)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.out, "out", "", "folder `DIR` to create; with --all it holds a folder for each experiment (default: runs/TIME-NAME)")
	cmd.Flags().BoolVar(&list, "list", false, "list the experiments with their cost")
	cmd.Flags().BoolVar(&all, "all", false, "run all experiments")
	return cmd
}

// errDiffers is the error for results that differ from the published ones.
var errDiffers = errors.New("not as published")

// reproduceAll runs the named experiments and reports every difference.
func (f *studyFlags) reproduceAll(ctx context.Context, names []string) error {
	var differ []error
	skipped := 0
	for i, name := range names {
		s, err := experiment.ReadPublished(name, f.quick, kinds.All().ForExperiments())
		if err != nil {
			return err
		}
		if missing := s.Missing(); missing != nil {
			fmt.Fprintf(f.stderr, "%s: skipped, since it requires another program: %v\n", name, missing)
			skipped++
			continue
		}
		dir := f.out
		if dir != "" && len(names) > 1 {
			dir = filepath.Join(dir, name)
		}
		if err := f.begin(s, dir); err != nil {
			return err
		}
		if i > 0 && !f.json {
			fmt.Fprintln(f.stdout)
		}
		switch err := f.reproduce(ctx, s); {
		case errors.Is(err, errDiffers): // the others are of interest still
			differ = append(differ, err)
		case err != nil:
			return err
		}
	}
	if len(differ) == 0 && len(names) > 1 {
		fmt.Fprintf(f.stderr, "all %d experiments as published\n", len(names)-skipped)
	}
	return errors.Join(differ...)
}

// reproduce plays the missing games of a published experiment and compares the results.
func (f *studyFlags) reproduce(ctx context.Context, s *experiment.Study) error {
	p, err := experiment.Published(s.Name)
	if err != nil {
		return err
	}
	t, err := f.play(ctx, s, false)
	if err != nil {
		return err
	}
	c := p.Compare(t.Results, s.Quick)
	if f.json {
		err = cli.PrintJSON(f.stdout, func() (runs.Object, error) {
			o, err := t.JSON()
			return append(o, c.JSON()...), err
		})
	} else {
		err = f.print(t, &c)
	}
	if err == nil && len(c.Differences) > 0 {
		err = fmt.Errorf("%s: %w", s.Name, errDiffers)
	}
	return err
}

// list prints the published experiments and their cost.
func (s *studyFlags) list() error {
	all, err := experiment.AllPublished()
	if err != nil {
		return err
	}
	table := text.Table{{"experiment", "games", "time", "quick games", "quick time", "what"}}
	objects := []runs.Object{}
	for _, p := range all {
		full, quick := p.Outcome.Full, p.Outcome.Quick
		table = append(table, []string{
			p.Name, text.Number(float64(full.Games), 0), experiment.Duration(full.Seconds),
			text.Number(float64(quick.Games), 0), experiment.Duration(quick.Seconds), p.Experiment.Title,
		})
		objects = append(objects, runs.Object{
			{"name", p.Name}, {"title", p.Experiment.Title}, {"games", full.Games}, {"seconds", full.Seconds}, {"quick_games", quick.Games},
			{"quick_seconds", quick.Seconds},
		})
	}
	if s.json {
		return cli.PrintObject(s.stdout, runs.Object{{"experiments", objects}}, true)
	}
	table.Print(s.stdout, 1, 2, 3, 4)
	fmt.Fprintln(s.stdout, "\nTimes are those of two workers on the machine that published them.")
	return nil
}
