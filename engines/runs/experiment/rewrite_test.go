package experiment

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/runs"
	"selfplaylab/reports"
)

// Rewrite writes the pages and counts of all experiments published in a folder again,
// from their files and counts: for new words or columns nothing is played. A section
// that shows a run's own report stays as it was published, because that takes the run.
func Rewrite(dir string, kinds []runs.Kind) error {
	files := os.DirFS(dir)
	paths, err := fs.Glob(files, "*/"+FileName)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s holds no experiments", dir)
	}
	if err != nil {
		return err
	}
	for _, file := range paths {
		name := path.Dir(file)
		p, err := ReadPublication(files, name)
		if err == nil {
			err = p.rewrite(filepath.Join(dir, name), kinds)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (p *Publication) rewrite(folder string, kinds []runs.Kind) error {
	page, err := p.ofFolder().Page()
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

var sectionHead = regexp.MustCompile(`(?m)^## .*$`)

// keepReports returns the page as it was published, with the sections that were made
// again in place of those of before, but for those of runs' own reports.
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
	var b strings.Builder
	for _, section := range sectionsOf(string(old)) {
		b.WriteString(cmp.Or(again[sectionHead.FindString(section)], section))
	}
	return []byte(b.String()), nil
}

// sectionsOf cuts a page before each of its sections; the first piece is what comes
// before them all.
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
