package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goPackage is go list's description of a package.
type goPackage struct {
	ImportPath, Dir, Export            string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
	Module                             *struct {
		Path string
		Main bool
	}
}

// listPackages returns the packages of the module in a folder, with flags for go list. Its
// error contains the output of the go command.
func listPackages(dir string, flags ...string) (list []goPackage, err error) {
	arguments := append([]string{"list", "-json=ImportPath,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Module"}, flags...)
	cmd := exec.Command("go", append(arguments, "./...")...)
	var complaint strings.Builder
	cmd.Dir, cmd.Stderr = dir, &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, complaint.String())
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, p)
	}
}

// A checkedPackage is a package of the module without its tests.
type checkedPackage struct {
	goPackage
	folder string      // in the module, slash-separated
	files  []*ast.File // in the order of GoFiles
	types  *types.Package
	info   *types.Info // only Uses is filled in
}

// checkPackages type-checks the packages of the module in a folder. The error is the go
// command's, or that of the first package that does not compile.
func checkPackages(dir string) (list []checkedPackage, set *token.FileSet, err error) {
	packages, err := listPackages(dir, "-export", "-deps")
	if err != nil {
		return nil, nil, err
	}
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	set = token.NewFileSet()
	config := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	for _, p := range packages {
		if p.Module == nil || !p.Module.Main {
			continue
		}
		c := checkedPackage{goPackage: p, folder: strings.TrimPrefix(p.ImportPath, p.Module.Path+"/"), info: &types.Info{Uses: map[*ast.Ident]types.Object{}}}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, nil, err
			}
			c.files = append(c.files, file)
		}
		if c.types, err = config.Check(p.ImportPath, set, c.files, c.info); err != nil {
			return nil, nil, err
		}
		list = append(list, c)
	}
	return list, set, nil
}

// A graph holds the declarations of a module, and their uses.
type graph struct {
	declared map[string][]*declaration // by folder, in the order of files
	names    map[string]*declaration   // by folder and name, such as engines/chess.Game
}

// A declaration is a function, a type with its methods, or a group of variables or constants.
type declaration struct {
	folder string
	lines  map[string]int // by file: from the end of the previous declaration to its own end
	uses   []string       // names as in graph.names
	always bool           // runs when the package is loaded: init, var _ =
}

// newGraph returns the graph of packages.
func newGraph(packages []checkedPackage, set *token.FileSet) *graph {
	g := &graph{declared: map[string][]*declaration{}, names: map[string]*declaration{}}
	for _, p := range packages {
		for i, file := range p.files {
			line := 0
			for k, d := range file.Decls {
				if imports, ok := d.(*ast.GenDecl); ok && imports.Tok == token.IMPORT {
					continue // counts with the first declaration
				}
				last := set.Position(d.End()).Line
				if k == len(file.Decls)-1 {
					last = set.File(file.Pos()).LineCount()
				}
				g.add(p, p.GoFiles[i], d, last-line)
				line = last
			}
		}
	}
	return g
}

// add adds the declarations in a part of a file, with its number of lines.
func (g *graph) add(p checkedPackage, file string, part ast.Decl, lines int) {
	var names []string
	switch part := part.(type) {
	case *ast.FuncDecl:
		names = []string{part.Name.Name}
		if part.Recv != nil {
			names = []string{receiver(part.Recv.List[0].Type)}
		}
	case *ast.GenDecl:
		for _, spec := range part.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	var d *declaration
	for _, name := range names {
		if known := g.names[p.folder+"."+name]; known != nil && name != "_" && name != "init" {
			d = known
		}
	}
	if d == nil {
		d = &declaration{folder: p.folder, lines: map[string]int{}}
		g.declared[p.folder] = append(g.declared[p.folder], d)
	}
	d.lines[file] += lines
	for _, name := range names {
		d.always = d.always || name == "_" || name == "init"
		g.names[p.folder+"."+name] = d
	}
	ast.Inspect(part, func(n ast.Node) bool {
		name, ok := n.(*ast.Ident)
		if object := p.info.Uses[name]; ok && object != nil && object.Pkg() != nil && object.Parent() == object.Pkg().Scope() {
			if used, ours := strings.CutPrefix(object.Pkg().Path(), p.Module.Path+"/"); ours {
				d.uses = append(d.uses, used+"."+object.Name())
			}
		}
		return true
	})
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// reach returns the declarations that the programs use, directly or not, without the doors:
// names as in graph.names, or folders with all their declarations.
func (g *graph) reach(programs, doors []string) map[*declaration]bool {
	closed := map[string]bool{}
	for _, door := range doors {
		closed[door] = true
	}
	reached := map[*declaration]bool{}
	entered := map[string]bool{}
	var enter func(d *declaration)
	enter = func(d *declaration) {
		if d == nil || reached[d] || closed[d.folder] {
			return
		}
		reached[d] = true
		for _, name := range d.uses {
			if !closed[name] {
				enter(g.names[name])
			}
		}
		if !entered[d.folder] {
			entered[d.folder] = true
			for _, other := range g.declared[d.folder] {
				if other.always {
					enter(other)
				}
			}
		}
	}
	for _, program := range programs {
		enter(g.names[program])
	}
	return reached
}
