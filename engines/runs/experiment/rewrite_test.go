package experiment

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/text"
)

// Rewrite writes the pages and counts of all experiments published in a folder again, from their
// files and counts: new words or columns need no games. Sections of a run's own report and the list
// of warnings stay as published, because they need the run.
func Rewrite(dir string, kinds []runs.Kind) error {
	all, err := readPublications(os.DirFS(dir))
	if err != nil {
		return err
	}
	for _, p := range all {
		if err := p.rewrite(filepath.Join(dir, p.Name), kinds); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}

func (p *Publication) rewrite(folder string, kinds []runs.Kind) error {
	page, err := p.ofFolder().page()
	if err != nil {
		return err
	}
	made, err := page.Files()
	if err != nil {
		return err
	}
	for _, file := range made {
		to := filepath.Join(folder, filepath.FromSlash(file.Name))
		switch {
		case file.Name == "report.md":
			to = filepath.Join(folder, reports.ReadmeName)
			if file.Data, err = p.keepReports(to, file.Data, kinds); err != nil {
				return err
			}
		case path.Ext(file.Name) != ".svg":
			continue
		}
		if err := datasets.WriteFile(to, file.Data); err != nil {
			return err
		}
	}
	return cmp.Or(writeCounts(folder, p.Full), writeCounts(filepath.Join(folder, quickFolder), p.Quick))
}

var warningList = regexp.MustCompile(`\n> \*\*Read this first\*\*\n(?:>.*\n)*`)

var sectionHead = regexp.MustCompile(`(?m)^## .*$`)

// keepReports returns the published page with its sections made again, except sections of runs' own
// reports and the warnings.
func (p *Publication) keepReports(file string, fresh []byte, kinds []runs.Kind) ([]byte, error) {
	old, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	again := map[string]string{}
	for _, section := range sectionsOf(string(fresh)) {
		again[sectionHead.FindString(section)] = section
	}
	for _, r := range p.Experiment.Runs {
		kind, err := kindOf(kinds, r.Kind)
		if err != nil {
			return nil, err
		}
		if len(r.shown(kind)) > 0 {
			delete(again, "## "+heading(r))
		}
	}
	lead := warningList.ReplaceAllLiteralString(again[""], "")
	again[""] = strings.TrimSuffix(lead, "\n") + warningList.FindString(string(old)) + "\n"
	var b strings.Builder
	for _, section := range sectionsOf(string(old)) {
		b.WriteString(cmp.Or(again[sectionHead.FindString(section)], section))
	}
	return []byte(b.String()), nil
}

// sectionsOf cuts a page before each of its sections; the first piece is the text before all
// sections.
func sectionsOf(text string) []string {
	var pieces []string
	end := len(text)
	for _, at := range slices.Backward(sectionHead.FindAllStringIndex(text, -1)) {
		pieces, end = append(pieces, text[at[0]:end]), at[0]
	}
	pieces = append(pieces, text[:end])
	slices.Reverse(pieces)
	return pieces
}

// WriteIndex writes the README.md of all experiments published in a folder, with their claims and
// measurements, and returns its name.
func WriteIndex(dir string) (string, error) {
	published, err := readPublications(os.DirFS(dir))
	if err != nil {
		return "", err
	}
	var all []Result
	for _, p := range published {
		all = append(all, p.ofFolder())
	}
	page, err := Index(all)
	if err != nil {
		return "", err
	}
	text, err := page.Markdown("")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, reports.ReadmeName)
	return name, datasets.WriteFile(name, text)
}

// ofFolder is Result of a publication that may not be one of the program's.
func (p *Publication) ofFolder() Result {
	t := Result{Name: p.Name, Experiment: p.Experiment, Results: p.Full, Outcome: p.Outcome, Reading: p.Reading}
	if ours, err := Published(p.Name); err != nil || !ours.Experiment.sameRuns(p.Experiment) {
		t.File = fileName
	}
	return t
}

// Index returns the page of many experiments: their claims and answers, by source.
func Index(all []Result) (reports.Page, error) {
	page := reports.Page{Title: "What the sources say, and what we measured", Lead: []string{
		"Every claim of the sources, the experiment that answers it, what it measured (intervals are 95 %, n is the number of game pairs: " +
			"one opening, both colours) and whether the claim held.",
		"`selfplay reproduce NAME` runs an experiment again and compares; `selfplay reproduce --list` tells what each costs.",
	}}
	if slices.ContainsFunc(all, func(t Result) bool { return t.File != "" }) {
		page.Lead[1] = "`selfplay run NAME/" + fileName + "` runs an experiment again."
	}
	sections := map[string]*reports.Section{}
	var order []string
	for _, t := range all {
		answers, err := t.Answers()
		if err != nil {
			return page, err
		}
		source := cmp.Or(t.Experiment.Source, "All games")
		s := sections[source]
		if s == nil {
			s = &reports.Section{Title: source}
			sections[source] = s
			order = append(order, source)
		}
		s.Blocks = append(s.Blocks, reports.Link{Name: t.Experiment.Title, To: t.Name + "/README.md", Text: fmt.Sprintf(", `%s`: %s games, %s.", t.Name, text.Count(t.Outcome.Full.Games), Duration(t.Outcome.Full.Seconds))})
		table := reports.Table{Columns: []reports.Column{{Name: "claim"}, {Name: "measured"}, {Name: "verdict"}}}
		for _, a := range answers {
			table.Rows = append(table.Rows, []string{a.Says, a.Measured, a.Verdict})
		}
		if len(table.Rows) > 0 {
			s.Blocks = append(s.Blocks, table)
		}
	}
	slices.Sort(order)
	for _, source := range order {
		page.Sections = append(page.Sections, *sections[source])
	}
	return page, nil
}
