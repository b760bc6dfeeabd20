package web

import (
	"bytes"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// language is one besides English in which pages are read: static/lang/CODE.js has its texts.
type language struct {
	Code string
	Name string // in the language itself
	file string
}

var languageName = regexp.MustCompile(`(?m)^language\.add\("(.+)", \{$`)

var languages = func() (list []language) {
	names, err := fs.Glob(files, "static/lang/*.js")
	if err != nil {
		panic(err) // the pattern is right
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // embedded templates always parse
		}
		list = append(list, language{strings.TrimSuffix(path.Base(name), ".js"), string(languageName.FindSubmatch(text)[1]), name})
	}
	return list
}()

// Assets returns the address of the page's scripts, which changes with them.
func (page) Assets() string { return madeAssets().base }

// Languages lists the languages of pages.
func (page) Languages() []language { return languages }

// page is the data of every page.
type page struct {
	Title string
	Here  string // which page of the menu
	May   bool   // the reader may change things
	ID    string // of a run; "" for none
	Data  any
}

// templates are the pages, each with the layout around it.
var templates = func() map[string]*template.Template {
	all := map[string]*template.Template{}
	for _, name := range []string{"home", "run", "games", "play", "compare", "openings", "new", "error"} {
		all[name] = template.Must(template.New("layout.html").ParseFS(files, "pages/layout.html", "pages/"+name+".html"))
	}
	return all
}()

// render makes the page of a template.
func (p page) render(name string) ([]byte, error) {
	var b bytes.Buffer
	err := templates[name].Execute(&b, p)
	return b.Bytes(), err
}
