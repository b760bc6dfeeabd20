package selfplay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/view"
	"selfplaylab/reports/text"
)

func runsCommand(stdout, stderr io.Writer) *cobra.Command {
	var asJSON, wide bool
	var query view.Query
	cmd := &cobra.Command{
		Use: "runs [DIR...]", Short: "list runs with their settings, dates, sizes and results",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			list, err := listRuns(dirs, stderr)
			if err != nil {
				return err
			}
			all := len(list)
			if list, err = query.Choose(list, kinds.All()); err != nil {
				return cli.Flagged(err)
			}
			if all > 0 && len(list) == 0 {
				fmt.Fprintf(stderr, "nothing to list: the flags leave out %s\n", text.Plural(all, "run"))
			}
			if asJSON {
				return cli.PrintObject(stdout, runs.Object{{"runs", list}}, true)
			}
			out := bufio.NewWriter(stdout) // a list may have 100,000 lines
			if wide {
				printTable(out, list)
			} else {
				printRuns(out, list, cli.Width(stdout))
			}
			return out.Flush()
		},
	}
	cli.Flags(cmd, &query)
	kind := cmd.Flags().Lookup("kind")
	kind.Usage = strings.ReplaceAll(kind.Usage, "{kinds}", strings.Join(kinds.All().Names(), ", "))
	cmd.Flags().BoolVar(&wide, "wide", false, "print one line per run, of any length")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.AddCommand(tagCommand(stdout), noteCommand(stdout), removeCommand(os.Stdin, stdout, stderr))
	return cmd
}

// listRuns reads the runs below the named folders, or below the default one.
func listRuns(dirs []string, stderr io.Writer) ([]runs.Summary, error) {
	if len(dirs) > 0 {
		return view.List(kinds.All(), dirs...)
	}
	list, err := view.List(kinds.All(), cli.RunsFolder)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(stderr, "no runs: there is no folder %s here; name the folder, or make a run with selfplay match or tune\n", cli.RunsFolder)
		return []runs.Summary{}, nil
	}
	return list, err
}

// labels writes a run's name and tags as `"the last check" #final #paper`.
func labels(l runs.Summary) string {
	var words []string
	if l.Name != "" {
		words = append(words, `"`+l.Name+`"`)
	}
	for _, tag := range l.Tags {
		words = append(words, "#"+tag)
	}
	return datasets.Printable(strings.Join(words, " "))
}

// outcome returns the result of a run, or the reason why it cannot be read.
func outcome(l runs.Summary) string {
	if l.Fault == "" {
		return datasets.Printable(l.Result)
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(l.Fault, l.Run+": "), "\n")
	return "fault: " + datasets.Printable(first)
}

// made returns the creation time of a run, in local time; "-" if unknown.
func made(l runs.Summary) string {
	if l.Created.IsZero() {
		return "-"
	}
	return l.Created.Local().Format("2006-01-02 15:04")
}

// printRuns writes the list for people, a few lines a run, of width at most
// but for the names of folders.
func printRuns(out io.Writer, list []runs.Summary, width int) {
	const indent = "  "
	for i, l := range list {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, datasets.Printable(filepath.ToSlash(l.Run)))
		lines := []string{labels(l), datasets.Printable(l.Caption()), outcome(l)}
		if l.Kind != "" {
			lines[1] += "; " + made(l)
			if l.Games > 0 {
				lines[1] += ", " + l.Played()
			}
			lines[1] += ", " + size(l.Bytes)
		}
		if l.Note != "" {
			lines = append(lines, strings.Split("note: "+datasets.PrintableLines(l.Note), "\n")...)
		}
		for _, line := range lines {
			for _, line := range text.Wrap(line, width-len(indent)) {
				fmt.Fprintln(out, indent+line)
			}
		}
	}
}

// printTable writes the list as a table.
func printTable(out io.Writer, list []runs.Summary) {
	if len(list) == 0 {
		return
	}
	table := text.Table{{"run", "labels", "created", "what", "games", "size", "result"}}
	for _, l := range list {
		table = append(table, []string{
			datasets.Printable(filepath.ToSlash(l.Run)), labels(l), made(l), datasets.Printable(l.Caption()), text.Count(l.Games), size(l.Bytes), outcome(l),
		})
	}
	table.Print(out, 4, 5)
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
	return text.Number(x, decimals) + " " + units[i]
}

func tagCommand(stdout io.Writer) *cobra.Command {
	var name string
	var drop []string
	cmd := &cobra.Command{
		Use: "tag RUN [TAG...]", Short: "set a run's tags and name",
		Args: wantRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, tags := args[0], args[1:]
			l, err := datasets.LabelsOf(dir)
			if err != nil {
				return err
			}
			l.Tags = append(l.Tags, tags...)
			for _, tag := range drop {
				if l.Tags, err = without(l.Tags, tag); err != nil {
					return fmt.Errorf("--drop: %s has %w", dir, err)
				}
			}
			if cmd.Flags().Changed("name") {
				l.Name = name
			}
			if len(tags) > 0 || cmd.Flags().NFlag() > 0 {
				if err := datasets.SetLabels(dir, l); err != nil {
					return err
				}
				if l, err = datasets.LabelsOf(dir); err != nil {
					return err
				}
			}
			fmt.Fprintln(stdout, strings.TrimSpace(filepath.ToSlash(dir)+"  "+labels(runs.Summary{Name: l.Name, Tags: l.Tags})))
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "set the `NAME` of the run")
	cmd.Flags().StringArrayVar(&drop, "drop", nil, "remove this `TAG` (repeatable)")
	return cmd
}

func noteCommand(stdout io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "note RUN [TEXT]", Short: "print or replace the note on a run",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := datasets.LabelsOf(args[0])
			if err != nil {
				return err
			}
			if len(args) > 1 {
				l.Note = args[1]
				return datasets.SetLabels(args[0], l)
			}
			if l.Note != "" {
				fmt.Fprintln(stdout, l.Note)
			}
			return nil
		},
	}
}

// without returns a list without a tag. It is an error if the tag is missing.
func without(tags []string, tag string) ([]string, error) {
	rest := slices.DeleteFunc(slices.Clone(tags), func(t string) bool { return t == tag })
	if len(rest) == len(tags) {
		return nil, fmt.Errorf("no tag %q; it has: %s", tag, strings.Join(tags, ", "))
	}
	return rest, nil
}

// wantRuns takes at least one run.
func wantRuns(c *cobra.Command, args []string) error {
	if len(args) > 0 && args[0] != "" {
		return nil
	}
	return fmt.Errorf("want the folder of a run: %s\nsee %q", c.UseLine(), c.CommandPath()+" --help")
}

func removeCommand(stdin *os.File, stdout, stderr io.Writer) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "rm RUN...", Short: "remove runs with all their games",
		Args: wantRuns,
		RunE: func(_ *cobra.Command, dirs []string) error {
			if !yes && !term.IsTerminal(int(stdin.Fd())) {
				return errors.New("no terminal for the question: --yes removes without asking")
			}
			in := bufio.NewReader(stdin)
			for _, dir := range dirs {
				if err := kinds.All().CheckRemove(dir); err != nil {
					return err
				}
				if !yes && !agreed(in, stderr, dir) {
					fmt.Fprintf(stdout, "kept     %s\n", dir)
					continue
				}
				if err := kinds.All().Remove(dir); err != nil {
					return err
				}
				fmt.Fprintf(stdout, "removed  %s\n", dir)
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	return cmd
}

// agreed asks whether a run is to be removed.
func agreed(in *bufio.Reader, out io.Writer, dir string) bool {
	what := "a run that cannot be read"
	if list, err := view.List(kinds.All(), dir); err == nil && len(list) == 1 && list[0].Kind != "" {
		l := list[0]
		what = fmt.Sprintf("%s, %s, %s", l.Caption(), l.Played(), size(l.Bytes))
		if l.Name != "" || len(l.Tags) > 0 {
			what = labels(l) + ": " + what
		}
	}
	fmt.Fprintf(out, "remove %s (%s)? [y/N] ", dir, datasets.Printable(what))
	answer, _ := in.ReadString('\n') // the end of the input is no
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
