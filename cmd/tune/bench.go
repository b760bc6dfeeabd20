package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs/benchmark"
	"selfplaylab/params/bench"
	"selfplaylab/params/problem"
	"selfplaylab/reports/gamestats"
)

// benchFlags are how a comparison is run and shown.
type benchFlags struct {
	asked         *benchmark.Config
	workers       int
	csv, json     bool
	list          bool
	page, publish string
	notWorse      string
	typed         []string
}

func benchCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &benchFlags{asked: benchmark.New(), typed: args}
	cmd := &cobra.Command{
		Use: "bench", Short: "compare tuning methods on noisy problems with known optimum",
		Long: `Bench runs tuners on problems with a known optimum, without playing games. For each
budget it prints the mean simple regret: the winning probability at the optimum minus
that at the recommended values, with its interval. A method is given with its tune
flags. The same command gives the same rows for any number of workers.

A custom problem is a TOML file: a function from the list with its start, draws and
spread, or parameters with their range, start, optimum and the log-odds lost one step
away from the optimum:

  name = "mine"
  draws = 0.5               # log-odds that draws take from both sides
  [[parameter]]
  name = "a"
  min = -10
  max = 10
  step = 2
  start = 4
  optimum = 0
  loss = 0.1

With --objective and --space (see tune --help) an external program is a problem too.
Its optimum is unknown, so the table shows the score of the start against the
recommended values, on new seeds.

--not-worse FILE.csv compares with earlier rows. The exit code is 3 if the geometric
mean of a method is more than 2 standard errors worse, or if one row is worse at a
5 % significance level corrected for the number of rows.`,
		Example: `  tune bench
  tune bench --method quad --method "spsa --gains classic --pairs 8" --games 1000
  tune bench --problem LOG,mine.toml --random-starts --csv > regret.csv
  tune bench --objective "python3 judge.py" --space weights.toml --games 1000 --repeats 4
  tune bench --games 300,1000,3000,10000 --page regret`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.list {
				return listProblems(stdout)
			}
			return cli.Flagged(f.run(cmd, stdout, stderr))
		},
	}
	cli.Flags(cmd, f.asked)
	fl := cmd.Flags()
	fl.IntVar(&f.workers, "workers", runtime.NumCPU(), "tunings run in parallel; never changes the rows")
	fl.BoolVar(&f.list, "list", false, "list the problems")
	fl.BoolVar(&f.csv, "csv", false, "print the rows as CSV")
	fl.BoolVar(&f.json, "json", false, "print one JSON object")
	fl.StringVar(&f.page, "page", "", "write a page with figures and the rows into `DIR`")
	fl.StringVar(&f.publish, "publish", "", "write README.md, its figures and the rows into `DIR`; the text of reading.md there becomes part of the page")
	fl.StringVar(&f.notWorse, "not-worse", "", "fail if the rows are significantly worse than those of `FILE.csv`")
	cmd.MarkFlagsMutuallyExclusive("csv", "json")
	return cmd
}

func listProblems(out io.Writer) error {
	t := cli.Table{{"problem", "parameters", "regret of the start", "what"}}
	for _, p := range problem.All() {
		t = append(t, []string{p.Name, fmt.Sprint(len(p.Space)), fmt.Sprintf("%.4f", p.Regret(p.Start)), p.Doc})
	}
	t.Print(out, 1, 2)
	return nil
}

func (f *benchFlags) run(cmd *cobra.Command, stdout, stderr io.Writer) error {
	before, err := f.before()
	if err != nil {
		return err
	}
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	show := cli.NewProgress(stderr)
	r, err := f.asked.Run(cmd.Context(), f.workers, func(played, planned int64) { show.Show("bench", played, planned, false, "of chance alone") })
	show.Close()
	if err != nil {
		return err
	}
	if err := f.print(r, stdout); err != nil {
		return err
	}
	if err := f.write(r, stderr); err != nil || before == nil {
		return err
	}
	losses, compared, err := r.Losses(before)
	if err != nil {
		return fmt.Errorf("--not-worse %s: %w", f.notWorse, err)
	}
	for _, l := range losses {
		fmt.Fprintf(stderr, "worse: %v\n", l)
	}
	if len(losses) > 0 {
		return cli.Exit(exitKeepStart)
	}
	fmt.Fprintf(stderr, "%s compared with %s: none is worse beyond chance\n", gamestats.Plural(compared, "row"), f.notWorse)
	return nil
}

// before reads the rows to be compared with, before anything is run; nil for
// none.
func (f *benchFlags) before() ([]bench.Row, error) {
	if f.notWorse == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.notWorse)
	if err != nil {
		return nil, fmt.Errorf("--not-worse: %w", err)
	}
	rows, random, err := benchmark.Read(f.notWorse, data)
	if err != nil {
		return nil, fmt.Errorf("--not-worse: %w", err)
	}
	if random != f.asked.RandomStarts {
		return nil, fmt.Errorf("--not-worse %s: its rows are of other starts; see --random-starts", f.notWorse)
	}
	return rows, nil
}

func (f *benchFlags) print(r *benchmark.Result, out io.Writer) error {
	switch {
	case f.json:
		return cli.PrintJSON(out, r.JSON)
	case f.csv:
		data, err := r.CSV()
		return errors.Join(err, write(out, data))
	}
	right := []int{1}
	for i := range r.Methods {
		right = append(right, i+2, i+3)
	}
	for _, games := range r.Games {
		fmt.Fprintf(out, "%s\n\n", r.Title(games))
		cli.Table(r.Table(games)).Print(out, right...)
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, r.Legend())
	return nil
}

func write(out io.Writer, data []byte) error {
	_, err := out.Write(data)
	return err
}

// write leaves the page, if one was asked for.
func (f *benchFlags) write(r *benchmark.Result, stderr io.Writer) error {
	for _, to := range []struct {
		dir   string
		write func(dir string) error
		file  string
	}{
		{f.page, func(dir string) error { return r.Page(f.command(), "").Write(dir) }, "report.html"},
		{f.publish, func(dir string) error { return f.writeReadme(r, dir) }, "README.md"},
	} {
		if to.dir == "" {
			continue
		}
		data, err := r.CSV()
		if err == nil {
			err = to.write(to.dir)
		}
		if err == nil {
			err = datasets.WriteFile(filepath.Join(to.dir, benchmark.RowsName), data)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "written: %s\n", filepath.Join(to.dir, to.file))
	}
	return nil
}

// writeReadme leaves the published page, with the words of its reading.md.
func (f *benchFlags) writeReadme(r *benchmark.Result, dir string) error {
	reading, err := os.ReadFile(filepath.Join(dir, "reading.md"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return r.Page(f.command(), string(reading)).WriteReadme(dir)
}

// command is what was typed, without what does not change the rows.
func (f *benchFlags) command() string {
	var kept []string
	for i := 0; i < len(f.typed); i++ {
		switch name, _, inline := strings.Cut(f.typed[i], "="); name {
		case "--workers", "--not-worse":
			if !inline {
				i++
			}
		default:
			kept = append(kept, f.typed[i])
		}
	}
	return cli.CommandLine(kept)
}
