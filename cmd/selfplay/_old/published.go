package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"selfplaylab/cmd/internal/cli"
	"selfplaylab/cmd/internal/experiment"
	"selfplaylab/datasets"
	"selfplaylab/reports"
	"selfplaylab/reports/published"
)

// publication is a published experiment: its file and results.
type publication struct {
	name       string
	file       []byte
	experiment experiment.Experiment
	reading    string
	outcome    experiment.Outcome
	full       experiment.Results
	quick      experiment.Results
}

// readPublished reads the experiment in a folder of files.
func readPublished(files fs.FS, name string) (*publication, error) {
	read := func(file string) ([]byte, error) {
		data, err := fs.ReadFile(files, path.Join(name, file))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return data, err
	}
	p := &publication{name: name}
	var err error
	if p.file, err = read(experiment.FileName); err != nil {
		return nil, err
	}
	if p.file == nil {
		return nil, published.Unknown(name)
	}
	if p.experiment, err = experiment.Decode(name+"/"+experiment.FileName, p.file); err != nil {
		return nil, err
	}
	reading, err := read(readingName)
	if err != nil {
		return nil, err
	}
	p.reading = string(reading)
	outcome, err := read(experiment.OutcomeName)
	if err != nil {
		return nil, err
	}
	if p.outcome, err = experiment.DecodeOutcome(name+"/"+experiment.OutcomeName, outcome); err != nil {
		return nil, err
	}
	if p.full, err = experiment.Read(name, read); err != nil {
		return nil, err
	}
	p.quick, err = experiment.Read(name+"/"+quickFolder, func(file string) ([]byte, error) { return read(quickFolder + "/" + file) })
	return p, err
}

// comparison holds results against published ones.
type comparison struct {
	Same        int // results compared count by count
	Within      int // results compared with those of the full budget, within chance
	Differences []experiment.Difference
}

// compare holds new results against the published ones.
func (p *publication) compare(got experiment.Results, quick bool) *comparison {
	c := &comparison{}
	want := p.full
	if quick {
		want = p.quick
		c.Within, c.Differences = experiment.Within(got, p.full)
	}
	same, differences := experiment.Same(got, want)
	c.Same, c.Differences = same, append(differences, c.Differences...)
	return c
}

func (c *comparison) print(out io.Writer) {
	if c == nil {
		return
	}
	fmt.Fprintf(out, "\ncompared with what was published: %d results count by count", c.Same)
	if c.Within > 0 {
		fmt.Fprintf(out, ", %d with the full budget's within chance", c.Within)
	}
	if len(c.Differences) == 0 {
		fmt.Fprintln(out, ": all agree")
		return
	}
	fmt.Fprintln(out)
	for _, d := range c.Differences {
		fmt.Fprintf(out, "DIFFERS   %s: %s\n", d.ID, d.Detail)
	}
}

func (c *comparison) object() object {
	if c == nil {
		return nil
	}
	differences := []object{}
	for _, d := range c.Differences {
		differences = append(differences, object{{Name: "id", Value: d.ID}, {Name: "detail", Value: d.Detail}})
	}
	return object{{Name: "same", Value: c.Same}, {Name: "within", Value: c.Within}, {Name: "differences", Value: differences}}
}

// listExperiments prints the published experiments and what they cost.
func listExperiments(out io.Writer, asJSON bool) error {
	table := cli.Table{{"experiment", "games", "time", "quick games", "quick time", "what"}}
	list := []object{}
	for _, name := range published.Experiments() {
		p, err := readPublished(published.Files(), name)
		if err != nil {
			return err
		}
		full, quick := p.outcome.Full, p.outcome.Quick
		table = append(table, []string{
			name, reports.Number(float64(full.Games), 0), experiment.Duration(full.Seconds),
			reports.Number(float64(quick.Games), 0), experiment.Duration(quick.Seconds), p.experiment.Title,
		})
		list = append(list, object{
			{Name: "name", Value: name}, {Name: "title", Value: p.experiment.Title},
			{Name: "games", Value: full.Games}, {Name: "seconds", Value: full.Seconds}, {Name: "quick_games", Value: quick.Games}, {Name: "quick_seconds", Value: quick.Seconds},
		})
	}
	if asJSON {
		return json.NewEncoder(out).Encode(object{{Name: "experiments", Value: list}})
	}
	table.Print(out, 1, 2, 3, 4)
	fmt.Fprintln(out, "\nTimes are those of two workers on the machine that published them.")
	return nil
}

// publishPage writes a page as a folder's README.md, with the figures it shows.
func publishPage(dir string, page reports.Page) error {
	files, err := page.Files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, reports.FigureFolder), 0o777); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, reports.FigureFolder, "*.svg"))
	if err != nil {
		return err
	}
	for _, path := range old { // figures the page no longer has
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	for _, f := range files {
		switch {
		case f.Name == "report.md":
			f.Name = "README.md"
		case filepath.Ext(f.Name) != ".svg":
			continue
		}
		if err := datasets.WriteFile(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data); err != nil {
			return err
		}
	}
	return nil
}

// writeIndex writes DIR/README.md: every claim of the sources with what the
// experiments published in DIR measured.
func writeIndex(dir string, stdout io.Writer) error {
	files := os.DirFS(dir)
	paths, err := fs.Glob(files, "*/"+experiment.FileName)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("--index: %s holds no experiments", dir)
	}
	if err != nil {
		return err
	}
	var all []experiment.Told
	for _, file := range paths {
		p, err := readPublished(files, path.Dir(file))
		if err != nil {
			return err
		}
		all = append(all, experiment.Told{Name: p.name, Experiment: p.experiment, Results: p.full, Outcome: p.outcome})
	}
	page, err := experiment.Index(all)
	if err != nil {
		return err
	}
	text, err := page.Markdown("")
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "README.md")
	if err := datasets.WriteFile(name, text); err != nil {
		return err
	}
	fmt.Fprintln(stdout, name)
	return nil
}
