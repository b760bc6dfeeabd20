package reports

import (
	"fmt"
	"html/template"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"selfplaylab/reports/board"
	"selfplaylab/reports/figure"
)

// Block is a part of a section: [Text], [Note], [Link], [List], [Code], [Table], [Plot], [Panels] or [Boards].
type Block interface {
	// check returns errors of the caller.
	check() error
	// html returns the data that the template of a kind of blocks prints.
	html() (kind string, data any, err error)
	// markdown returns the block with figures as links to files of a folder.
	markdown(folder string) (string, error)
	// figures returns these files.
	figures() ([]file, error)
}

// file is a named part of a written page; Name uses '/' and is relative.
type file struct {
	Name string
	Data []byte
}

// Text is a paragraph. A part between backquotes is set as code.
type Text string

func (Text) check() error                      { return nil }
func (t Text) html() (string, any, error)      { return "text", string(t), nil }
func (t Text) markdown(string) (string, error) { return sentenceMD(string(t)) + "\n", nil }
func (Text) figures() ([]file, error)          { return nil, nil }

// Note is a paragraph that explains numbers, behind a question mark until a reader opens it.
type Note string

func (Note) check() error                      { return nil }
func (n Note) html() (string, any, error)      { return "note", string(n), nil }
func (n Note) markdown(string) (string, error) { return sentenceMD(string(n)) + "\n", nil }
func (Note) figures() ([]file, error)          { return nil, nil }

// Link is a paragraph that begins with a link to another page of the same tree.
type Link struct {
	Name string // text of the link
	To   string // relative path of letters, digits, '/', '.', '-' and '_'
	Text string // text after the link
}

func (l Link) html() (string, any, error) { return "link", l, nil }
func (Link) figures() ([]file, error)     { return nil, nil }

func (l Link) markdown(string) (string, error) {
	return fmt.Sprintf("[%s](%s)%s\n", spansMD(l.Name), l.To, following(spansMD(l.Text))), nil
}

// relativePath matches the possible targets of a [Link], never another site.
var relativePath = regexp.MustCompile(`^(\.\./)*[A-Za-z0-9_-][A-Za-z0-9./_-]*$`)

// Reachable reports whether a [Link] may lead to a path.
func Reachable(to string) bool { return relativePath.MatchString(to) }

// check implements Block: the link must lead into the same tree.
func (l Link) check() error {
	if !Reachable(l.To) {
		return fmt.Errorf("link to %q: want a relative path of letters, digits, '/', '.', '-' and '_'", l.To)
	}
	return nil
}

// List is a list of sentences.
type List []string

func (List) check() error                 { return nil }
func (l List) html() (string, any, error) { return "list", l, nil }
func (List) figures() ([]file, error)     { return nil, nil }

// markdown implements Block.
func (l List) markdown(string) (string, error) {
	var out strings.Builder
	for _, s := range l {
		out.WriteString("- " + sentenceMD(s) + "\n")
	}
	return out.String(), nil
}

// Code is typed or printed text, such as commands and output.
type Code string

func (Code) check() error                      { return nil }
func (c Code) html() (string, any, error)      { return "code", string(c), nil }
func (c Code) markdown(string) (string, error) { return fenced(string(c)), nil }
func (Code) figures() ([]file, error)          { return nil, nil }

// Table is a table with a heading row.
type Table struct {
	Caption string     // "" for none
	Columns []Column   // headings
	Rows    [][]string // each has as many cells as Columns
	Strong  []int      // indices of rows to emphasise
}

// Column describes a column of a [Table].
type Column struct {
	Name  string // heading
	Right bool   // aligned right, for numbers
}

// Columns returns columns with these names. A name after > is a column of numbers, aligned
// right; the > is removed.
func Columns(names ...string) (list []Column) {
	for _, name := range names {
		name, right := strings.CutPrefix(name, ">")
		list = append(list, Column{Name: name, Right: right})
	}
	return list
}

// check implements Block: every row must have a cell for each column.
func (t Table) check() error {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("table row %d has %d cells for %d columns", i+1, len(row), len(t.Columns))
		}
	}
	return nil
}

// html implements Block. Its kind tells the style which column stays in sight.
func (t Table) html() (string, any, error) {
	key, kind := t.key(), "table"
	switch {
	case len(t.Rows) == 1: // nothing to compare: on a narrow page every column becomes a line
		kind, key = "table single", -1
	case key == len(t.Columns)-1 && key > 0:
		kind = "table keyed"
	case key > 0: // stays in sight next to the first column, while the later ones scroll
		kind = "table keyed beside"
	}
	classes := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		classes[i] = class(c.Right, i == key)
	}
	return "table", struct {
		Table
		Class   string
		Classes []string // CSS classes of the columns
	}{t, kind, classes}, nil
}

func (t Table) markdown(string) (string, error) { return t.md(), nil }
func (Table) figures() ([]file, error)          { return nil, nil }

// md returns the table in GitHub's dialect.
func (t Table) md() string {
	var b strings.Builder
	if t.Caption != "" {
		b.WriteString(sentenceMD(t.Caption) + "\n\n")
	}
	row := func(cells []string, strong bool) {
		for _, c := range cells {
			c = cellMD(c)
			if strong && c != "" {
				c = "**" + c + "**"
			}
			b.WriteString("| " + c + " ")
		}
		b.WriteString("|\n")
	}
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	row(names, false)
	for _, c := range t.Columns {
		if c.Right {
			b.WriteString("|---:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for i, r := range t.Rows {
		row(r, slices.Contains(t.Strong, i))
	}
	return b.String()
}

// Plot is a figure with its caption.
type Plot struct {
	// Name is the figure's file name without extension: letters, digits, '-',
	// '_' and '.', unique in the page.
	Name    string
	Caption string // what to read from the figure
	Figure  figure.Chart

	files []string // files in other formats than SVG, if the page is written with them
}

// figureName matches names of files that every system accepts.
var figureName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// check implements Block: there must be a figure, with a name for its file.
func (p Plot) check() error {
	switch {
	case p.Figure == nil:
		return fmt.Errorf("figure %q holds no figure", p.Name)
	case !figureName.MatchString(p.Name):
		return fmt.Errorf("figure name %q: want letters, digits, '.', '-' and '_' only", p.Name)
	}
	return nil
}

// draw lays the figure out.
func (p Plot) draw(layout figure.Layout) (*figure.Drawing, error) {
	d, err := p.Figure.Draw(layout)
	if err != nil {
		return nil, fmt.Errorf("figure %s: %w", p.Name, err)
	}
	return d, nil
}

// html implements Block: it lays the figure out for a wide and a narrow screen.
func (p Plot) html() (string, any, error) {
	wide, err := p.draw(figure.Wide)
	if err != nil {
		return "", nil, err
	}
	narrow, err := p.draw(figure.Narrow)
	if err != nil {
		return "", nil, err
	}
	return "plot", struct {
		Plot
		Wide, Narrow template.HTML
		Folder       string
		Files        []string
	}{p, template.HTML(wide.Inline()), template.HTML(narrow.Inline()), FigureFolder, p.files}, nil // SVG escapes its texts
}

// markdown shows the figure's file, with its title for people who do not see it.
func (p Plot) markdown(folder string) (string, error) {
	d, err := p.draw(figure.Wide)
	if err != nil {
		return "", err
	}
	out := fmt.Sprintf("![%s](%s)\n", spansMD(d.Title()), inFolder(folder, p.Name+".svg"))
	if p.Caption != "" {
		out += "\n" + sentenceMD(p.Caption) + "\n"
	}
	return out, nil
}

func (p Plot) figures() (files []file, err error) {
	for _, name := range append([]string{p.Name + ".svg"}, p.files...) {
		data, err := figure.File(p.Figure, strings.TrimPrefix(filepath.Ext(name), "."))
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", p.Name, err)
		}
		files = append(files, file{name, data})
	}
	return files, nil
}

// FigureFolder is the folder in which [Page.Files] puts figures.
const FigureFolder = "figures"

// inFolder returns the relative path of a file in a folder, "" for the page's own.
func inFolder(folder, name string) string {
	if folder == "" {
		return name
	}
	return strings.TrimRight(folder, "/") + "/" + name
}

// Boards are positions side by side.
type Boards struct {
	// Name begins the names of their files, as for a Plot: NAME-1, NAME-2, ...
	Name   string
	Boards []Position
}

// Position is a board with a caption.
type Position struct {
	Board   board.Board // the position
	Caption string      // what to see on it; "" for none
}

// check implements Block: the boards need a name for their files.
func (b Boards) check() error {
	if !figureName.MatchString(b.Name) {
		return fmt.Errorf("boards named %q: want letters, digits, '.', '-' and '_' only", b.Name)
	}
	return nil
}

func (b Boards) file(i int) string { return fmt.Sprintf("%s-%d.svg", b.Name, i+1) }

// svg draws the boards.
func (b Boards) svg() (drawn []template.HTML, err error) {
	for i, p := range b.Boards {
		var svg strings.Builder
		if err := p.Board.SVG(&svg, board.Options{}); err != nil {
			return nil, fmt.Errorf("board %s: %w", b.file(i), err)
		}
		drawn = append(drawn, template.HTML(svg.String())) // SVG escapes its texts
	}
	return drawn, nil
}

func (b Boards) figures() (files []file, err error) {
	drawn, err := b.svg()
	for i, svg := range drawn {
		files = append(files, file{b.file(i), []byte(svg)})
	}
	return files, err
}

// html implements Block.
func (b Boards) html() (string, any, error) {
	drawn, err := b.svg()
	return "boards", struct {
		Boards []Position
		SVG    []template.HTML
	}{b.Boards, drawn}, err
}

// markdown shows boards by their files.
func (b Boards) markdown(folder string) (string, error) {
	var out strings.Builder
	for i, p := range b.Boards {
		fmt.Fprintf(&out, "![%s](%s)\n\n%s\n\n", spansMD(p.Board.Sentence()), inFolder(folder, b.file(i)), sentenceMD(p.Caption))
	}
	return strings.TrimRight(out.String(), "\n") + "\n", nil
}

// key returns the index of the column by which rows are compared, or -1: the first column of
// numbers in Elo, or the column named Elo. On a phone it stays in sight, as the first column
// does, while the others scroll.
func (t Table) key() int {
	for _, matches := range []func(Column) bool{
		func(c Column) bool { return c.Right && slices.Contains(words(c.Name), "Elo") },
		func(c Column) bool { return c.Name == "Elo" },
	} {
		if i := slices.IndexFunc(t.Columns, matches); i >= 0 {
			return i
		}
	}
	return -1
}

func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}
