package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Limits of the code without tests. If the goal is not reached yet, a limit is the present
// value, with the goal next to it: lower it with the code.
const (
	maxLineColumns   = 140
	maxLongLines     = 0.002 // share of lines
	maxFunctionLines = 60
	maxLongFunctions = 0.003 // share of functions
	maxHelpRunes     = 160
	maxLongHelps     = 0
	maxOptional      = 8  // interfaces found by type assertion
	maxLayers        = 11 // of packages, by imports
	maxUnused        = 55 // exported names that no other folder uses, tests included
)

// source is a Go file of a program.
type source struct {
	name string
	text string
	set  *token.FileSet
	file *ast.File
}

func sources(t *testing.T) []source {
	return files(t, func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
}

// files reads the Go files in the folders with names that takes accepts.
func files(t *testing.T, takes func(name string) bool) (list []source) {
	noteTop()
	t.Helper()
	set := token.NewFileSet()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(name, ".go") || !takes(name) {
				return nil
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(set, name, data, parser.SkipObjectResolution|parser.ParseComments)
			list = append(list, source{filepath.ToSlash(name), string(data), set, file})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// longLines counts lines, and lists those over maxLineColumns.
func longLines(list []source) (lines int, long []string) {
	for _, s := range list {
		n := 0
		for line := range strings.Lines(s.text) {
			n++
			if columns := utf8.RuneCountInString(strings.TrimRight(line, "\n")); columns > maxLineColumns {
				long = append(long, fmt.Sprintf("%s:%d: %d columns", s.name, n, columns))
			}
		}
		lines += n
	}
	return lines, long
}

// longFunctions counts functions with names, and lists those over maxFunctionLines.
func longFunctions(list []source) (functions int, long []string) {
	for _, s := range list {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			functions++
			first, last := s.set.Position(f.Pos()), s.set.Position(f.End())
			if n := last.Line - first.Line + 1; n > maxFunctionLines {
				long = append(long, fmt.Sprintf("%s:%d: %s has %d lines", s.name, first.Line, f.Name.Name, n))
			}
		}
	}
	return functions, long
}

// longHelps lists help texts over maxHelpRunes, in tags of fields and in definitions of flags.
func longHelps(list []source) (long []string) {
	for _, s := range list {
		ast.Inspect(s.file, func(n ast.Node) bool {
			help := ""
			switch n := n.(type) {
			case *ast.Field:
				if n.Tag != nil {
					tag, _ := strconv.Unquote(n.Tag.Value)
					help = reflect.StructTag(tag).Get("help")
				}
			case *ast.CallExpr:
				help = flagHelp(n)
			}
			if count := utf8.RuneCountInString(help); count > maxHelpRunes {
				long = append(long, fmt.Sprintf("%s: %d characters: %.40s...", s.set.Position(n.Pos()), count, help))
			}
			return true
		})
	}
	return long
}

// otherName matches a name of Go that is not an English word.
var otherName = regexp.MustCompile(`^\w*[a-z][A-Z]\w*$`)

// misnamed lists comments on functions, types and groups of one variable or constant that begin
// with an older name, or with the name in another case.
func misnamed(list []source) (wrong []string) {
	for _, s := range list {
		check := func(doc *ast.CommentGroup, name *ast.Ident) {
			first, _, _ := strings.Cut(doc.Text(), " ")
			if first != name.Name && (strings.EqualFold(first, name.Name) || otherName.MatchString(first)) {
				wrong = append(wrong, fmt.Sprintf("%s: %s on %s", s.set.Position(doc.Pos()), first, name.Name))
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				check(n.Doc, n.Name)
			case *ast.GenDecl:
				if spec, ok := n.Specs[0].(*ast.TypeSpec); ok {
					check(n.Doc, spec.Name)
				} else if spec, ok := n.Specs[0].(*ast.ValueSpec); ok && len(n.Specs) == 1 {
					check(n.Doc, spec.Names[0])
				}
			case *ast.ValueSpec:
				check(n.Doc, n.Names[0])
			case *ast.Field:
				if len(n.Names) > 0 {
					check(n.Doc, n.Names[0])
				}
			}
			return true
		})
	}
	return wrong
}

// flagHelp returns the help text of a call that defines a flag, such as flags.IntVar(&games,
// "games", 0, "number of games").
func flagHelp(call *ast.CallExpr) string {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) < 3 || !strings.HasSuffix(strings.TrimSuffix(method.Sel.Name, "P"), "Var") {
		return ""
	}
	return constant(call.Args[len(call.Args)-1])
}

// constant returns the text of a literal or of a sum of literals; other terms are empty.
func constant(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return constant(e.X) + constant(e.Y)
	}
	return ""
}

// optional lists the module's interfaces that a type assertion or type switch tests for.
func optional(list []source) []string {
	interfaces := map[string]bool{} // by package and name
	for _, s := range list {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if _, ok := spec.Type.(*ast.InterfaceType); ok {
					interfaces[filepath.Base(filepath.Dir(s.name))+"."+spec.Name.Name] = true
				}
			}
			return true
		})
	}
	found := map[string]bool{}
	for _, s := range list {
		for _, e := range asserted(s.file) {
			if name := typeName(s, e); interfaces[name] || strings.HasPrefix(name, "interface at ") {
				found[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// asserted lists the types in a file's type assertions.
func asserted(file *ast.File) (types []ast.Expr) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			if n.Type != nil { // nil in x.(type)
				types = append(types, n.Type)
			}
		case *ast.TypeSwitchStmt:
			for _, c := range n.Body.List {
				types = append(types, c.(*ast.CaseClause).List...)
			}
		}
		return true
	})
	return types
}

// typeName returns the package and name of a type in a file.
func typeName(s source, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return filepath.Base(filepath.Dir(s.name)) + "." + e.Name
	case *ast.SelectorExpr:
		return fmt.Sprintf("%s.%s", e.X, e.Sel.Name)
	case *ast.IndexExpr:
		return typeName(s, e.X)
	case *ast.InterfaceType:
		return "interface at " + s.set.Position(e.Pos()).String()
	}
	return ""
}

// unused lists the exported functions, types, variables and constants that no file of another
// folder names.
func unused(list, everywhere []source) (names []string) {
	used := map[string]bool{}
	for _, s := range everywhere {
		imports := map[string]string{} // folders by their names in the file
		for _, spec := range s.file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			folder, ok := own(path)
			name := filepath.Base(folder)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			if ok && folder != filepath.ToSlash(filepath.Dir(s.name)) {
				imports[name] = folder
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := selector.X.(*ast.Ident); ok {
					used[imports[x.Name]+"."+selector.Sel.Name] = true
				}
			}
			return true
		})
	}
	for _, s := range list {
		for _, name := range declared(s.file) {
			full := filepath.ToSlash(filepath.Dir(s.name)) + "." + name.Name
			if name.IsExported() && s.file.Name.Name != "main" && !strings.Contains(s.name, "/testdata/") && !used[full] {
				names = append(names, full)
			}
		}
	}
	return names
}

// declared returns the names that a file declares for its package.
func declared(file *ast.File) (names []*ast.Ident) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name)
				case *ast.ValueSpec:
					names = append(names, spec.Names...)
				}
			}
		}
	}
	return names
}

// programNames are the programs, one call each. Nothing of this module imports them, so they are no layer.
var programNames = []string{module + "/cmd/selfplay", module + "/cmd/tune", module + "/cmd/toolkit"}

// layers returns the packages of the longest chain of imports.
func layers(packages []goPackage) []string {
	imports := map[string][]string{}
	for _, p := range packages {
		imports[p.ImportPath] = p.Imports
	}
	longest := map[string][]string{}
	var chain func(path string) []string
	chain = func(path string) []string {
		if known, ok := longest[path]; ok {
			return known
		}
		var below []string
		for _, used := range imports[path] {
			if _, ok := own(used); ok {
				if c := chain(used); len(c) > len(below) {
					below = c
				}
			}
		}
		longest[path] = append([]string{strings.TrimPrefix(path, module+"/")}, below...)
		return longest[path]
	}
	var most []string
	for _, p := range packages {
		if c := chain(p.ImportPath); len(c) > len(most) && !slices.Contains(programNames, p.ImportPath) {
			most = c
		}
	}
	return most
}

// TestStructureStaysWithinLimits compares the code with the limits.
func TestStructureStaysWithinLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads the whole module")
	}
	list := sources(t)
	lines, long := longLines(list)
	share(t, long, lines, maxLongLines, "lines of more than %d columns", maxLineColumns)
	functions, long := longFunctions(list)
	share(t, long, functions, maxLongFunctions, "functions of more than %d lines", maxFunctionLines)
	count(t, longHelps(list), maxLongHelps, "help texts of more than 160 characters: move what explains into the command's long help or docs")
	count(t, optional(list), maxOptional, "optional interfaces: make what is optional a field of a struct")
	everywhere := files(t, func(string) bool { return true })
	count(t, unused(list, everywhere), maxUnused, "exported names that no other folder uses: hide them, or delete what nobody needs")
	count(t, misnamed(list), 0, "comments that begin with a name that what they stand above does not have")
	count(t, layers(goList(t)), maxLayers, "layers of packages, of which the top one imports the next and so on")
}

func share(t *testing.T, found []string, of int, limit float64, what string, args ...any) {
	t.Helper()
	got := float64(len(found)) / float64(of)
	t.Logf("%d of %d (%.2f %%) %s", len(found), of, 100*got, fmt.Sprintf(what, args...))
	if got > limit {
		t.Errorf("%.2f %% %s, at most %.2f %%:\n%s", 100*got, fmt.Sprintf(what, args...), 100*limit, strings.Join(found, "\n"))
	}
}

func count(t *testing.T, found []string, limit int, what string) {
	t.Helper()
	t.Logf("%d %s", len(found), what)
	if len(found) > limit {
		t.Errorf("%d %s, at most %d:\n%s", len(found), what, limit, strings.Join(found, "\n"))
	}
}

// TestGuidesNameEveryField finds every field that an extension declares in docs/extend.md.
func TestGuidesNameEveryField(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads the whole module")
	}
	guide := readText(t, "docs/extend.md")
	want := map[string]string{"Kind": "engines/runs/", "Command": "engines/runs/", "Setup": "engines/runs/",
		"MethodInfo": "engines/runs/tuning/", "Protocol": "engines/external/protocol/"}
	found := map[string]bool{}
	for _, s := range sources(t) {
		for _, declaration := range s.file.Decls {
			group, _ := declaration.(*ast.GenDecl)
			if group == nil || group.Tok != token.TYPE {
				continue
			}
			for _, spec := range group.Specs {
				of := spec.(*ast.TypeSpec)
				fields, ok := of.Type.(*ast.StructType)
				folder := filepath.ToSlash(filepath.Dir(s.name)) + "/"
				if !ok || want[of.Name.Name] != folder {
					continue
				}
				found[of.Name.Name] = true
				for _, field := range fields.Fields.List {
					for _, name := range field.Names {
						if !strings.Contains(guide, "`"+name.Name+"`") {
							t.Errorf("%s: docs/extend.md does not name %s.%s", s.name, of.Name, name)
						}
					}
				}
			}
		}
	}
	if len(found) != len(want) {
		t.Errorf("only %v of %v were found", found, want)
	}
}
