package reports

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"selfplaylab/reports/figure"
	"selfplaylab/reports/text"
)

// Page is a report: results, warnings, sections of text, tables and figures, and provenance.
// Sentences are plain text; a part between backquotes is set as code. The methods do not change
// the page.
type Page struct {
	Title    string    // heading of the page
	Verdict  *Verdict  // head of the page of a run, in place of Title, Subtitle and Lead; nil for no run
	Subtitle string    // what was played and when, in one line; "" for none
	Nav      []Link    // links to other pages of the same tree, above the title; Text is not shown
	Lead     []string  // results in sentences, one paragraph each
	Warnings []string  // what a reader must know first, one paragraph each
	Sections []Section // in order
	Facts    []Fact    // provenance, at the end of the page

	// FigureFormats are further file formats of each figure, linked below it: some of
	// [figure.Formats].
	FigureFormats []string
}

// Fact is one line of provenance, such as "seed" and "42".
type Fact struct{ Key, Value string }

// Section is a heading and its content.
type Section struct {
	Title  string  // heading
	Blocks []Block // in order
	Open   bool    // unfolded on a page with a verdict, which folds other sections
}

// Files returns the page as report.html and report.md with its figures as figures/NAME.svg, and
// in its further formats. Equal pages give equal bytes.
func (p Page) Files() ([]file, error) {
	p = p.remembering()
	page, err := p.HTML()
	if err != nil {
		return nil, err
	}
	markdown, err := p.Markdown(FigureFolder)
	if err != nil {
		return nil, err
	}
	files := []file{{"report.html", page}, {"report.md", markdown}}
	if v := p.Verdict; v != nil && v.Scale != nil {
		data, err := figure.File(*v.Scale, figure.Formats[0])
		if err != nil {
			return nil, err
		}
		files = append(files, file{FigureFolder + "/" + scaleName + ".svg", data})
	}
	for _, s := range p.all() {
		for _, b := range s.Blocks {
			drawn, err := b.figures()
			if err != nil {
				return nil, err
			}
			for _, f := range drawn {
				files = append(files, file{FigureFolder + "/" + f.Name, f.Data})
			}
		}
	}
	return files, nil
}

// Plots returns the plots of the sections in their order, as a page shows them.
func (p Page) Plots() (plots []Plot) {
	for _, s := range p.all()[1:] {
		for _, b := range s.Blocks {
			if plot, ok := b.(Plot); ok {
				plots = append(plots, plot)
			}
		}
	}
	return plots
}

// all returns the sections of the page, and first the charts of its head. The others lack the head's plot.
func (p Page) all() []Section {
	list, shown := []Section{{Title: p.Title}}, ""
	if v := p.Verdict; v != nil {
		if v.Picture != nil {
			list[0].Blocks, shown = []Block{*v.Picture}, v.Picture.Name
		}
		list[0].Blocks = append(list[0].Blocks, v.More...)
	}
	for _, s := range p.Sections {
		repeats := func(b Block) bool { plot, ok := b.(Plot); return ok && shown != "" && plot.Name == shown }
		s.Blocks = slices.DeleteFunc(slices.Clone(s.Blocks), repeats)
		list = append(list, s)
	}
	return list
}

// remembering returns the page with figures that are laid out only once for all uses, and that
// have links to their further files.
func (p Page) remembering() Page {
	if v := p.Verdict; v != nil && v.Picture != nil {
		copied, picture := *v, *v.Picture
		picture.Figure = memo{picture.Figure, map[figure.Layout]*figure.Drawing{}}
		copied.Picture, p.Verdict = &picture, &copied
	}
	sections := slices.Clone(p.Sections)
	for i, s := range sections {
		sections[i].Blocks = slices.Clone(s.Blocks)
		for j, b := range s.Blocks {
			if plot, ok := b.(Plot); ok && plot.Figure != nil {
				plot.Figure = memo{plot.Figure, map[figure.Layout]*figure.Drawing{}}
				plot.files = text.Each(p.FigureFormats, func(format string) string { return plot.Name + "." + format })
				sections[i].Blocks[j] = plot
			}
		}
	}
	p.Sections = sections
	return p
}

// memo is a figure.Chart that stores the layouts of another chart.
type memo struct {
	chart    figure.Chart
	drawings map[figure.Layout]*figure.Drawing
}

// Draw returns the drawing of the chart for a layout, made at the first call.
func (m memo) Draw(l figure.Layout) (*figure.Drawing, error) {
	if d := m.drawings[l]; d != nil {
		return d, nil
	}
	d, err := m.chart.Draw(l)
	if err == nil {
		m.drawings[l] = d
	}
	return d, err
}

// Write writes the page's files into dir, which it creates if necessary. put writes a file
// whole or not at all and replaces one of the same name, link or not, as datasets.WriteFile
// does. Write removes files in figures of any of [figure.Formats] that an earlier report left,
// and no other files.
func (p Page) Write(dir string, put func(path string, data []byte) error) error {
	files, err := p.Files()
	if err == nil {
		err = writeFiles(dir, files, put)
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// ReadmeName is the file of a published page, which visitors of a folder see first.
const ReadmeName = "README.md"

// WriteReadme writes the page as Write does, but only as README.md with its figures as
// figures/NAME.svg.
func (p Page) WriteReadme(dir string, put func(path string, data []byte) error) error {
	files, err := p.Files()
	var kept []file
	for _, f := range files {
		switch {
		case f.Name == "report.md":
			kept = append(kept, file{ReadmeName, f.Data})
		case filepath.Ext(f.Name) == ".svg":
			kept = append(kept, f)
		}
	}
	if err == nil {
		err = writeFiles(dir, kept, put)
	}
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return nil
}

// writeFiles puts files into dir and removes the figures that are not among them.
func writeFiles(dir string, files []file, put func(path string, data []byte) error) error {
	figures := filepath.Join(dir, FigureFolder)
	if err := os.MkdirAll(figures, 0o777); err != nil {
		return err
	}
	if info, err := os.Lstat(figures); err != nil || !info.IsDir() {
		return errors.Join(err, fmt.Errorf("%s is a link, which is not written through; move it away", figures))
	}
	fresh := map[string]bool{}
	for _, f := range files {
		fresh[f.Name] = true
		if err := put(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data); err != nil {
			return err
		}
	}
	old, err := os.ReadDir(figures)
	for _, f := range old {
		format := strings.TrimPrefix(filepath.Ext(f.Name()), ".")
		if !fresh[FigureFolder+"/"+f.Name()] && !f.IsDir() && slices.Contains(figure.Formats, format) {
			err = errors.Join(err, os.Remove(filepath.Join(figures, f.Name())))
		}
	}
	return err
}

// check returns errors of the caller before anything is written.
func (p Page) check() error {
	for _, l := range p.Nav {
		if err := l.check(); err != nil {
			return fmt.Errorf("page %q: %w", p.Title, err)
		}
	}
	seen := map[string]bool{}
	for _, s := range p.all() {
		for i, b := range s.Blocks {
			err := fmt.Errorf("unknown block %T", b)
			if b != nil {
				err = b.check()
			}
			if plot, ok := b.(Plot); ok && err == nil {
				if seen[strings.ToLower(plot.Name)] {
					err = fmt.Errorf("figure name %q is used twice", plot.Name)
				}
				seen[strings.ToLower(plot.Name)] = true
			}
			if err != nil {
				return fmt.Errorf("page %q, section %q, block %d: %w", p.Title, s.Title, i+1, err)
			}
		}
	}
	return nil
}

// Paragraphs splits a text at blank lines and joins the lines of each part.
func Paragraphs(text string) []string {
	var list []string
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// Markdown returns the page in GitHub's dialect. It has no list of contents, because viewers
// list the headings. Figures are links to folder/NAME.svg; the caller puts them there (see
// [Page.Files]).
func (p Page) Markdown(folder string) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	var b strings.Builder
	if p.Verdict != nil {
		head, err := p.Verdict.markdown(folder)
		if err != nil {
			return nil, fmt.Errorf("page %q: %w", p.Title, err)
		}
		b.WriteString(head)
	} else {
		fmt.Fprintf(&b, "# %s\n", plainMD(p.Title))
	}
	if len(p.Nav) > 0 {
		var links []string
		for _, l := range p.Nav {
			links = append(links, fmt.Sprintf("[%s](%s)", spansMD(l.Name), l.To))
		}
		fmt.Fprintf(&b, "\n%s\n", strings.Join(links, " · "))
	}
	if p.Subtitle != "" {
		fmt.Fprintf(&b, "\n%s\n", sentenceMD(p.Subtitle))
	}
	for _, s := range p.Lead {
		fmt.Fprintf(&b, "\n%s\n", sentenceMD(s))
	}
	if len(p.Warnings) > 0 {
		b.WriteString("\n> **Read this first**\n>\n")
		for _, s := range p.Warnings {
			fmt.Fprintf(&b, "> - %s\n", sentenceMD(s))
		}
	}
	for _, s := range p.all()[1:] {
		fmt.Fprintf(&b, "\n## %s\n", plainMD(s.Title))
		for _, block := range s.Blocks {
			text, err := block.markdown(folder)
			if err != nil {
				return nil, fmt.Errorf("page %q, section %q: %w", p.Title, s.Title, err)
			}
			b.WriteString("\n" + text)
		}
	}
	if len(p.Facts) > 0 {
		t := Table{Columns: []Column{{Name: "what"}, {Name: "value"}}}
		for _, f := range p.Facts {
			t.Rows = append(t.Rows, []string{f.Key, f.Value})
		}
		b.WriteString("\n## Provenance\n\n" + t.md())
	}
	return []byte(b.String()), nil
}
