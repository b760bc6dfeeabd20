// Site writes the pages of the documentation as a folder of HTML with a search, for any
// web server or none: go run ./cmd/internal/site --out _site.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

func main() {
	out := flag.String("out", "_site", "`DIR` to write; Go ignores folders whose name begins so")
	root := flag.String("root", ".", "`DIR` of the source")
	flag.Parse()
	s := &site{root: os.DirFS(*root), out: *out}
	if err := s.write(); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Println(filepath.Join(*out, "index.html"))
}

// page is one page of the site.
type page struct {
	File  string        `json:"-"` // the Markdown, from the root
	URL   string        `json:"url"`
	Title string        `json:"title"`
	Text  string        `json:"text"` // for the search
	Body  template.HTML `json:"-"`
	Nav   []*page       `json:"-"`
}

// Up is the way from the page's folder to that of the site.
func (p *page) Up() string { return strings.Repeat("../", strings.Count(p.URL, "/")) }

// Lang is the page's language.
func (p *page) Lang() string {
	if p.File == chinese {
		return "zh"
	}
	return "en"
}

// chinese is the page in Chinese.
const chinese = "README.zh.md"

// site is the documentation on its way from one folder to another.
type site struct {
	root  fs.FS
	out   string
	pages []*page
	files map[string]bool // that pages link to and show
}

//go:embed page.html.tmpl
var pageText string

//go:embed search.js
var searchScript []byte

// write writes the whole site.
func (s *site) write() error {
	if err := s.find(); err != nil {
		return err
	}
	s.files = map[string]bool{}
	var nav []*page
	for _, p := range s.pages {
		if err := s.render(p); err != nil {
			return fmt.Errorf("%s: %w", p.File, err)
		}
		if dir := path.Dir(p.File); dir == "." || dir == "docs" {
			nav = append(nav, p)
		}
	}
	layout, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	for _, p := range s.pages {
		p.Nav = nav
		var b bytes.Buffer
		if err := layout.Execute(&b, p); err != nil {
			return err
		}
		if err := s.put(p.URL, b.Bytes()); err != nil {
			return err
		}
	}
	for name := range s.files {
		data, err := fs.ReadFile(s.root, name)
		if err == nil {
			err = s.put(name, data)
		}
		if err != nil {
			return err
		}
	}
	index, err := json.Marshal(s.pages)
	if err != nil {
		return err
	}
	return s.put("search.js", slices.Concat([]byte("const pages = "), index, []byte(";\n"), searchScript))
}

// find lists the Markdown files: the README first, then the manual as its first page lists
// it, then by folder and name.
func (s *site) find() error {
	manual, err := fs.ReadFile(s.root, "docs/README.md")
	if err != nil {
		return err
	}
	err = fs.WalkDir(s.root, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (base == "testdata" || len(base) > 1 && (base[0] == '.' || base[0] == '_') || name == "runs"):
			return fs.SkipDir
		case path.Ext(name) == ".md":
			s.pages = append(s.pages, &page{File: name, URL: urlOf(name)})
		}
		return nil
	})
	slices.SortFunc(s.pages, func(a, b *page) int { return strings.Compare(rank(a.File, manual), rank(b.File, manual)) })
	return err
}

// rank orders pages: those of the manual first, in the order of its links to them.
func rank(file string, manual []byte) string {
	switch dir := path.Dir(file); {
	case file == "README.md":
		return "0"
	case dir == "docs":
		return fmt.Sprintf("1%06d", 1+bytes.Index(manual, []byte("]("+path.Base(file)+")")))
	case dir == ".":
		return "2" + file
	}
	return "3" + file
}

// urlOf is where a page goes.
func urlOf(file string) string {
	if file == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(file, ".md") + ".html"
}

// render makes a page of its Markdown.
func (s *site) render(p *page) error {
	source, err := fs.ReadFile(s.root, p.File)
	if err != nil {
		return err
	}
	md := goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	doc := md.Parser().Parse(text.NewReader(source))
	var words strings.Builder
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if p.Title == "" {
				p.Title = plain(n, source)
			}
		case *ast.Link:
			n.Destination = []byte(s.target(p, string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(s.target(p, string(n.Destination)))
		}
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			words.Write(n.Lines().Value(source))
			words.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return err
	}
	if p.File == chinese { // which has the title of the README
		p.Title = "中文"
	}
	p.Text = strings.Join(strings.Fields(words.String()), " ")
	var b bytes.Buffer
	err = md.Renderer().Render(&b, source, doc)
	p.Body = template.HTML(b.String()) // of our own pages
	return err
}

// plain is the text of a heading without its marks.
func plain(n ast.Node, source []byte) string {
	return strings.NewReplacer("`", "", "*", "").Replace(string(n.Lines().Value(source)))
}

// target is where a link of a page leads in the site: a page, or a file that is copied. A
// folder without a page has none.
func (s *site) target(p *page, link string) string {
	file, anchor, marked := strings.Cut(link, "#")
	if file == "" || strings.Contains(file, ":") {
		return link
	}
	if marked {
		anchor = "#" + anchor
	}
	name := path.Join(path.Dir(p.File), file)
	info, err := fs.Stat(s.root, name)
	if err == nil && info.IsDir() {
		name = path.Join(name, "README.md")
		info, err = fs.Stat(s.root, name)
	}
	switch {
	case err != nil || !info.Mode().IsRegular():
		return p.Up() + "index.html"
	case path.Ext(name) == ".md":
		return p.Up() + urlOf(name) + anchor
	}
	s.files[name] = true
	return p.Up() + name + anchor
}

// put writes a file of the site.
func (s *site) put(name string, data []byte) error {
	to := filepath.Join(s.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}
