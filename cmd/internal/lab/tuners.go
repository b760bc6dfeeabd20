package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/lab/tuners"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/params/problem"
	"selfplaylab/reports/text"
)

// tunersFlags say how a comparison is run and shown.
type tunersFlags struct {
	config     *tuners.Config
	workers    int
	csv        bool
	list, exam bool
	publish    string
	add        []string
	typed      []string
}

// tunersCommand returns the command that compares tuners.
func tunersCommand(args []string, stdout, stderr io.Writer) *cobra.Command {
	f := &tunersFlags{config: tuners.New(), typed: args}
	cmd := &cobra.Command{
		Use: "tuners", Short: "compare tuning methods on noisy problems with known optimum",
		Long: `Tuners runs tuners on problems with a known optimum, without playing games. For
each budget it prints the mean simple regret: the winning probability at the optimum
minus that at the recommended values, with its interval. A method is given with its
tune flags; --program compares a tuner of others, a program in any language. The same
command gives the same rows for any number of workers.

--exam asks another question: problems with 0 to 20 Elo to gain, up to 60 parameters and
80 % draws, and with ranges, steps and landscapes that mislead, or those of --problem. It prints the Elo gained
over the start, the repeats that end more than an Elo below it (as recommended, where the
start is kept unless the tuning's own games show a gain, and after a verification by a
third of the games), and how often the 95 % intervals of quad's model hold the truth.
With several methods a second table names the problems on which another gained more
than the first, by two standard errors or more.`,
		Example: `  lab tuners
  lab tuners --method quad --method "spsa --c-end 5 --pairs 8" --games 1000
  lab tuners --problem LOG,STEP --random-starts --csv > regret.csv
  lab tuners --games 300,1000,3000,10000 --publish regret
  lab tuners --problem others --method quad --program "tpe=python3 notebooks/rivals.py tpe 50"`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.list {
				return listProblems(stdout)
			}
			if f.exam {
				return cli.Flagged(f.examine(cmd.Context(), stdout))
			}
			return cli.Flagged(f.run(cmd, stdout, stderr))
		},
	}
	cli.Flags(cmd, f.config)
	f.register(cmd.Flags())
	return cmd
}

// register declares the flags that are not settings of the comparison.
func (t *tunersFlags) register(fl *pflag.FlagSet) {
	fl.IntVar(&t.workers, "workers", runtime.NumCPU(), "tunings run in parallel; never changes the rows")
	fl.BoolVar(&t.list, "list", false, "list the problems")
	fl.BoolVar(&t.exam, "exam", false, "examine methods on problems with little to gain: Elo gained, its tail, repeats below the start, coverage of claims")
	fl.BoolVar(&t.csv, "csv", false, "print the rows as CSV")
	fl.StringArrayVar(&t.add, "add", nil, "add the rows of `FILE`, which --csv printed for the same problems: other methods and budgets (repeatable)")
	fl.StringVar(&t.publish, "publish", "", "write README.md, its figures and the rows into `DIR`; the text of reading.md there becomes part of the page")
}

// listProblems prints the known problems as a table.
func listProblems(out io.Writer) error {
	t := text.Table{{"problem", "parameters", "regret of the start", "group", "what"}}
	add := func(group string, list []problem.Problem) {
		for _, p := range list {
			t = append(t, []string{p.Name, fmt.Sprint(len(p.Space)), fmt.Sprintf("%.4f", p.Regret(p.Start)), group, p.Doc})
		}
	}
	add("clop", problem.All())
	add("others", problem.Others())
	add("engines", problem.Engines(1))
	t.Print(out, 1, 2)
	return nil
}

// examine prints its command and the tables of the exam.
func (f *tunersFlags) examine(ctx context.Context, stdout io.Writer) error {
	tables, err := f.config.Exam(ctx, f.workers)
	if err == nil {
		fmt.Fprintf(stdout, "%s\n\n", commandLine(f.typed, "--workers"))
	}
	for _, t := range tables {
		t.Print(stdout, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
		fmt.Fprintln(stdout)
	}
	return err
}

// run plays the comparison, prints it and writes its page.
func (t *tunersFlags) run(cmd *cobra.Command, stdout, stderr io.Writer) error {
	if err := cli.CheckWorkers(t.workers); err != nil {
		return err
	}
	show := cli.NewProgress(stderr)
	defer show.Close()
	r, err := t.config.Run(cmd.Context(), t.workers, func(played, planned int64) { show.Show("tuners", played, planned, false, "simulated") })
	if err != nil {
		return err
	}
	for _, name := range t.add {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rows, err := datasets.DecodeCSV[tuners.Row](name, data)
		if err != nil {
			return err
		}
		r.Add(rows)
	}
	if err := t.print(r, stdout); err != nil {
		return err
	}
	return t.write(r, stderr)
}

// print writes the tables, or the rows as CSV.
func (t *tunersFlags) print(r *tuners.Result, out io.Writer) error {
	if t.csv {
		data, err := r.CSV()
		if err == nil {
			_, err = out.Write(data)
		}
		return err
	}
	for _, games := range r.Games {
		fmt.Fprintf(out, "%s\n\n", r.Title(games))
		table, right := r.Table(games), []int{}
		for i := range table[0][1:] {
			right = append(right, i+1)
		}
		text.Table(table).Print(out, right...)
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, r.Legend())
	return nil
}

// write writes the published page, with the text of its reading.md, and the rows.
func (t *tunersFlags) write(r *tuners.Result, stderr io.Writer) error {
	if t.publish == "" {
		return nil
	}
	reading, err := os.ReadFile(filepath.Join(t.publish, "reading.md"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := r.CSV()
	if err == nil {
		err = r.Page(commandLine(t.typed, "--workers"), string(reading)).WriteReadme(t.publish, datasets.WriteFile)
	}
	if err == nil {
		err = datasets.WriteFile(filepath.Join(t.publish, tuners.RowsName), data)
	}
	if err == nil {
		fmt.Fprintf(stderr, "written: %s\n", filepath.Join(t.publish, "README.md"))
	}
	return err
}

// commandLine returns a command as typed in the source tree, without the named flags, which
// take a value and do not change the rows.
func commandLine(args []string, without ...string) string {
	words := []string{"go run ./cmd/internal/lab"}
	for i := 0; i < len(args); i++ {
		name, _, inline := strings.Cut(args[i], "=")
		switch dropped := slices.Contains(without, name); {
		case dropped && !inline:
			i++
		case !dropped:
			words = append(words, runs.Quote(args[i]))
		}
	}
	return strings.Join(words, " ")
}
