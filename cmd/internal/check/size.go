// Check prints the lines of Go by capability, and those of the core, the code that programs
// still use without any capability. A capability is removed by closing its doors, the names by
// which other code reaches it.
//
// Its tests concern the whole module: imports, structure, wording, pages of the manual,
// extensions and other systems.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// programs are the main functions of the commands.
var programs = []string{"cmd/tune.main", "cmd/selfplay.main"}

// capability is an option of the program with its doors: folders of the module, or names
// such as cmd/internal/selfplay.fitCommand.
type capability struct {
	name  string
	doors string // separated by spaces
}

var capabilities = []capability{
	{"game: chess", "engines/chess"},
	{"game: connect four", "engines/connectfour"},
	{"game: gobang", "engines/gobang"},
	{"game: mills", "engines/mills"},
	{"game: quoridor", "engines/quoridor"},
	{"games of other programs", "engines/external/referee"},
	{"search: alpha-beta", "engines/alphabeta"},
	{"search: Monte Carlo", "engines/mcts"},
	{"levels of play", "engines/levels"},
	{"card of a run", "cmd/internal/cli.writeCard"},
	{"file of finished games", "cmd/internal/cli.openGamesOut cmd/internal/cli.checkGamesOut"},
	{"external engines", "engines/external engines/external/process engines/external/protocol cmd/internal/selfplay.engineCommand"},
	{"game files", "engines/gamefile cmd/internal/selfplay.takeFastchess"},
	{"cluster", "engines/schedule/cluster cmd/internal/selfplay.workerCommand cmd/internal/cli.Cluster"},
	{"browser", "cmd/internal/web cmd/internal/web/table cmd/internal/selfplay.serveCommand"},
	{"run: match", "engines/runs/match cmd/internal/selfplay.branchCommand"},
	{"run: tournament and ladder", "engines/runs/tournament"},
	{"run: search", "engines/runs/search"},
	{"run: tuning", "engines/runs/tuning engines/runs/tuning/analysis cmd/internal/tune.tune"},
	{"tuner: quad", "params/quadratic engines/runs/tuning.quadMethod"},
	{"tuner: spsa", "params/spsa engines/runs/tuning.spsaMethod"},
	{"tuner: grid", "params/grid params/racing engines/runs/tuning.gridMethod"},
	{"ask and tell", "cmd/internal/tune.askTellCommand cmd/internal/tune.stepCommand"},
	{"experiments", "engines/runs/experiment reports/published cmd/internal/selfplay.runCommand cmd/internal/selfplay.reproduceCommand"},
	{"fit of weights", "engines/fit params/regression cmd/internal/selfplay.fitCommand"},
	{"parameter files of other tools", "params/formats"},
	{"tools for engine authors", "cmd/internal/selfplay.perftCommand cmd/internal/selfplay.evalCommand cmd/internal/selfplay.bestCommand cmd/internal/selfplay.showCommand cmd/internal/selfplay.benchCommand"},
	{"wrapped help, man pages", "cmd/internal/cli.setHelp cmd/internal/cli.ManCommand"},
	{"plan, openings, export, demo", "cmd/internal/selfplay.planCommand cmd/internal/selfplay.openingsCommand cmd/internal/selfplay.exportCommand cmd/internal/selfplay.demoCommand"},
}

// lines are the numbers of lines of a part of the program and of its tests.
type lines struct{ code, tests int }

// A size is the module in parts, each line counted once.
type size struct {
	core         lines
	capabilities []lines // used by this capability alone, in the order of the list
	shared       lines   // used by several capabilities
	developers   lines   // used by no program
}

// total returns the lines of all parts.
func (s size) total() (sum lines) {
	for _, part := range append([]lines{s.core, s.shared, s.developers}, s.capabilities...) {
		sum.code += part.code
		sum.tests += part.tests
	}
	return sum
}

// print writes a table, the largest capabilities first.
func (s size) print(w io.Writer, list []capability) {
	row := func(name string, l lines) { fmt.Fprintf(w, "%-32s %6d %6d\n", name, l.code, l.tests) }
	fmt.Fprintf(w, "%-32s %6s %6s\n", "lines of Go", "code", "tests")
	row("core", s.core)
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return s.capabilities[b].code - s.capabilities[a].code })
	for _, i := range order {
		row(list[i].name, s.capabilities[i])
	}
	row("shared by several capabilities", s.shared)
	row("for tests and developers", s.developers)
	row("total", s.total())
}

// A division assigns each declaration to a part of a size.
type division struct {
	graph     *graph
	all, core map[*declaration]bool
	owner     map[*declaration]int // index in the list of capabilities
	size      size
}

// measure divides packages. A declaration belongs to a capability if nothing else uses it, and
// to the core if the programs use it without any capability. A test file counts for the part
// with most lines of its file, or else of its package. An error names a door that does not
// exist, or a test file that cannot be read.
func measure(packages []checkedPackage, g *graph, programs []string, list []capability) (size, error) {
	var doors []string
	for _, c := range list {
		doors = append(doors, strings.Fields(c.doors)...)
	}
	for _, door := range slices.Concat(programs, doors) {
		if g.names[door] == nil && g.declared[door] == nil {
			return size{}, fmt.Errorf("there is no folder and no declaration %s: correct the list of capabilities in cmd/internal/check/size.go", door)
		}
	}
	d := &division{graph: g, all: g.reach(programs, nil), core: g.reach(programs, doors), owner: map[*declaration]int{}}
	d.size.capabilities = make([]lines, len(list))
	for i, c := range list {
		without := g.reach(programs, strings.Fields(c.doors))
		for used := range d.all {
			if !without[used] {
				d.owner[used] = i
			}
		}
	}
	for _, p := range packages {
		for _, declared := range g.declared[p.folder] {
			for _, n := range declared.lines {
				d.part(declared).code += n
			}
		}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			data, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return size{}, err
			}
			d.mostOf(p.folder, strings.TrimSuffix(name, "_test.go")+".go").tests += bytes.Count(data, []byte("\n"))
		}
	}
	return d.size, nil
}

// part returns the part of the size to which a declaration belongs.
func (d *division) part(declared *declaration) *lines {
	owner, owned := d.owner[declared]
	switch {
	case !d.all[declared]:
		return &d.size.developers
	case d.core[declared]:
		return &d.size.core
	case owned:
		return &d.size.capabilities[owner]
	}
	return &d.size.shared
}

// mostOf returns the part with most lines of a file, or of its folder if there is no such file.
func (d *division) mostOf(folder, file string) *lines {
	inFile, inFolder := map[*lines]int{}, map[*lines]int{}
	for _, declared := range d.graph.declared[folder] {
		part := d.part(declared)
		for name, n := range declared.lines {
			inFolder[part] += n
			if name == file {
				inFile[part] += n
			}
		}
	}
	if len(inFile) == 0 {
		inFile = inFolder
	}
	most := &d.size.developers // of a folder that has only tests
	for _, declared := range d.graph.declared[folder] {
		if part := d.part(declared); inFile[part] > inFile[most] {
			most = part
		}
	}
	return most
}

func main() {
	packages, set, err := checkPackages(".")
	if err == nil {
		var s size
		if s, err = measure(packages, newGraph(packages, set), programs, capabilities); err == nil {
			s.print(os.Stdout, capabilities)
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
