package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "selfplaylab"

// folders are the top-level folders with Go packages.
var folders = []string{"cmd", "engines", "params", "datasets", "reports", "notebooks"}

// rule lists the packages of this module that some packages may import. Paths are those of
// folders; a * stands for one element, "..." for all packages of the module.
type rule struct {
	packages string
	imports  []string
	why      string
}

// rules apply to imports of programs; the first that fits a package counts.
var rules = []rule{
	{"params", nil, "parameters and tuners' interface stand on nothing of ours"},
	{"params/tomlx", nil, "reading files knows nothing of what is in them"},
	{"params/tunertest", []string{"params"}, "the promises of tuners know no member"},
	{"params/paramfile", []string{"params", "params/tomlx"}, "our files of parameters know no tuner and no engine"},
	{"params/formats", []string{"params", "params/tomlx"}, "other tools' files of parameters know no tuner and no engine"},
	{"params/regression", nil, "rows of numbers in, weights out: no position and no parameter"},
	{"params/*", []string{"params"}, "a tuner never sees a match, a game or a file"},
	{"engines", []string{"params", "reports/board"}, "the contract knows no game and no search"},
	{"engines/alphabeta", []string{"engines", "params"}, "a search knows no game"},
	{"engines/mcts", []string{"engines"}, "a search knows no game and no parameters"},
	{"engines/levels", []string{"engines", "params"}, "a level of play is a player of measured strength"},
	{"engines/player", []string{"engines", "engines/levels", "engines/games", "engines/external", "engines/external/process", "engines/external/protocol", "params", "params/paramfile", "params/formats"}, "who plays is what games and programs there are"},
	{"engines/play", []string{"engines", "engines/player", "engines/gamefile", "params", "params/tomlx", "reports/board"}, "a game and a pair are pure functions of plain data: no record, no schedule"},
	{"engines/schedule", []string{"engines", "engines/player", "engines/play", "params", "datasets"}, "a schedule orders, plays and records, and judges no strength"},
	{"engines/schedule/*", []string{"engines", "engines/games", "engines/player", "engines/play", "engines/schedule", "params", "datasets", "reports/text"}, "a pool plays jobs and knows no kind of run"},
	{"engines/runs/config", []string{"engines/player", "params"}, "reading what is asked knows no question"},
	{"engines/runs", []string{"engines", "engines/games", "engines/player", "engines/play", "engines/schedule", "engines/runs/config", "params", "datasets", "reports", "reports/*"},
		"the contract of runs knows no kind"},
	{"engines/runs/record", []string{"engines", "engines/player", "engines/play", "engines/schedule", "engines/runs/config", "engines/runs", "params", "datasets"},
		"a run is made and played without anybody looking at it"},
	{"engines/runs/view", []string{"engines/play", "engines/schedule", "engines/runs/config", "engines/runs", "params", "datasets", "reports", "reports/board", "reports/gamestats"},
		"a view reads what is recorded and plays nothing"},
	{"engines/runs/replay", []string{"engines", "engines/gamefile", "engines/player", "engines/play", "engines/schedule", "engines/runs", "datasets", "reports", "reports/board", "reports/gamestats", "reports/text"},
		"recorded games need no view of their run"},
	{"engines/runs/experiment", []string{"engines", "engines/player", "engines/play", "engines/schedule", "engines/runs/config", "engines/runs", "engines/runs/record", "engines/runs/view", "params", "params/grid", "params/tomlx", "datasets", "reports", "reports/*"},
		"an experiment is given the kinds of its runs"},
	{"engines/runs/tuning/analysis", []string{"engines", "params", "params/quadratic", "reports", "reports/*"}, "trials in, sections out: no tuning, no phase, no run"},
	{"engines/runs/tuning", []string{"engines", "engines/runs/tuning/analysis", "engines/fit", "engines/gamefile", "engines/player", "engines/play", "engines/schedule", "engines/schedule/asktell", "engines/external/process", "engines/runs/config", "engines/runs", "params", "params/*", "datasets", "reports", "reports/*"},
		"tuning drives tuners with games"},
	{"engines/runs/kinds", []string{"engines/runs", "engines/runs/*", "datasets", "params", "reports", "reports/*"}, "the list of kinds, and what any of them can do"},
	{"engines/runs/*", []string{"engines", "engines/levels", "engines/player", "engines/play", "engines/schedule", "engines/runs/config", "engines/runs", "params", "datasets", "reports", "reports/*"},
		"a kind of run knows no other"},
	{"engines/external", []string{"engines", "engines/external/process", "engines/external/protocol", "params", "params/tomlx", "params/formats"}, "an external engine is a player"},
	{"engines/schedule/asktell", []string{"engines", "engines/play", "engines/schedule", "params"}, "questions and answers need no engine and no file"},
	{"engines/external/referee", []string{"engines", "engines/external/process", "engines/mcts", "params", "params/tomlx", "reports/board"}, "a referee is a game"},
	{"engines/external/process", []string{"reports/text"}, "a process knows no protocol and no player"},
	{"engines/external/protocol", []string{"engines", "engines/external/process", "params", "params/paramfile", "params/formats", "reports/text"}, "a protocol talks to a process and knows no game"},
	{"engines/gametest", []string{"engines", "engines/alphabeta", "engines/schedule", "engines/player", "engines/play", "params", "datasets", "reports/board"}, "the promises of games know no member"},
	{"engines/fit", []string{"engines", "engines/gamefile", "params", "params/regression", "reports", "reports/text"}, "games in, weights out: no record and no run"},
	{"engines/games", []string{"engines", "engines/*", "engines/external/referee", "params"}, "the list of games does nothing else"},
	{"engines/testmode", nil, "switches of tests know nothing that is tested"},
	{"engines/*", []string{"engines", "engines/alphabeta", "engines/mcts", "params", "reports/board"}, "a game knows the contract, the searches and nothing that uses it"},
	{"datasets", []string{"params/tomlx"}, "data on disk outlive the program and know nothing of it"},
	{"datasets/datasetstest", []string{"datasets"}, "forged runs are runs, and nothing more"},
	{"reports/rating", []string{"reports/text"}, "statistics are pure"},
	{"reports/board", nil, "a board is data and a drawing"},
	{"reports/figure", []string{"reports/rating", "reports/text"}, "charts show what they are given"},
	{"reports/gamestats", []string{"reports", "reports/figure", "reports/rating", "reports/text", "datasets"},
		"what every report tells of recorded games knows no game and no kind of run"},
	{"reports/text", nil, "words and numbers know nothing of ours"},
	{"reports/pagetest", nil, "a browser sees pages and nothing of ours"},
	{"reports/published", []string{"reports/rating", "params/tomlx"}, "published results are data with their statistics"},
	{"reports", []string{"reports/board", "reports/figure", "reports/rating", "reports/text"}, "reports show what they are given, and see no game, tuner or data set"},
	{"notebooks/*", []string{"..."}, "notebooks may look at everything"},
	{"cmd/*", []string{"..."}, "commands wire everything"},
	{"cmd/internal/web/table", []string{"engines", "engines/gamefile", "engines/games", "engines/levels", "params", "reports/board"}, "a board to sit at is games and players, in a browser too"},
	{"cmd/internal/lab/*", []string{"engines/schedule/*", "engines/external/process", "engines/runs/config", "engines/runs", "engines/runs/tuning",
		"params", "params/*", "datasets", "reports", "reports/*"},
		"an experiment on the toolkit itself plays no game"},
	{"cmd/internal/*", []string{"..."}, "commands wire everything"},
}

// ban lists the only packages that may import some packages.
type ban struct {
	packages string
	users    string // path of the folders that may; "" for none
	tests    bool   // tests may, too
	why      string
}

var bans = []ban{
	{"cmd", "cmd", false, "nothing stands on a command"},
	{"engines/gametest", "", true, "it is for tests"},
	{"params/tunertest", "", true, "it is for tests"},
	{"reports/pagetest", "", true, "it is for tests"},
	{"datasets/datasetstest", "cmd/internal/clitest", true, "it is for tests"},
	{"engines/testmode", "cmd/internal/clitest", true, "it is for tests"},
}

// own returns the folder of a package of this module.
func own(importPath string) (folder string, ok bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// fits reports whether a pattern covers a folder.
func fits(pattern, folder string) bool {
	ok, err := path.Match(pattern, folder)
	return pattern == "..." || err == nil && ok
}

func under(root, folder string) bool {
	return root != "" && (folder == root || strings.HasPrefix(folder, root+"/"))
}

// faults returns the violations of the rules by a package, a sentence each.
func faults(p goPackage) []string {
	folder, _ := own(p.ImportPath)
	if folder == "." {
		held := slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles)
		return []string{fmt.Sprintf("the top folder holds Go files %v; Go packages belong under %s", held, strings.Join(folders, ", "))}
	}
	if top, _, _ := strings.Cut(folder, "/"); !slices.Contains(folders, top) {
		return []string{fmt.Sprintf("%s is a package in the top-level folder %s; Go packages belong under %s", folder, top, strings.Join(folders, ", "))}
	}
	i := slices.IndexFunc(rules, func(r rule) bool { return fits(r.packages, folder) })
	if i < 0 {
		return []string{fmt.Sprintf("%s has no rule; add it to the table in cmd/internal/check/architecture_test.go", folder)}
	}
	var list []string
	for _, path := range p.Imports {
		if used, ok := own(path); ok && !slices.ContainsFunc(rules[i].imports, func(pattern string) bool { return fits(pattern, used) }) {
			list = append(list, fmt.Sprintf("%s imports %s, but %s (rule %s: %s)", folder, used, rules[i].why, rules[i].packages, may(rules[i].imports)))
		}
	}
	return append(list, banned(folder, p)...)
}

func may(imports []string) string {
	if len(imports) == 0 {
		return "may import nothing of ours"
	}
	return "may import " + strings.Join(imports, ", ")
}

// banned returns the bans that a package violates, its tests included.
func banned(folder string, p goPackage) (list []string) {
	for _, b := range bans {
		paths := p.Imports
		if !b.tests {
			paths = slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		}
		for _, path := range paths {
			if used, ok := own(path); ok && under(b.packages, used) && !under(b.users, folder) {
				list = append(list, fmt.Sprintf("%s imports %s, but %s", folder, used, b.why))
			}
		}
	}
	return list
}

// TestImportsFollowTheRules applies the rules to every package.
func TestImportsFollowTheRules(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads the whole module")
	}
	packages := goList(t)
	seen := map[string]bool{}
	for _, p := range packages {
		folder, ok := own(p.ImportPath)
		if !ok {
			t.Fatalf("package %s is not of module %s", p.ImportPath, module)
		}
		seen[folder] = true
		for _, fault := range faults(p) {
			t.Error(fault)
		}
	}
	for _, r := range rules { // a renamed package must not leave its rule behind
		if !strings.Contains(r.packages, "*") && !seen[r.packages] {
			t.Errorf("there is a rule for %s, but no such package", r.packages)
		}
	}
}

// starters are the packages that may start programs. No others may, so that nothing in the
// folder of a command, such as a setting of git that names a program, is run unasked.
var starters = map[string]string{
	"cmd/internal/check":        "asks the go command for the packages",
	"cmd/internal/clitest":      "starts the commands, for tests",
	"reports/pagetest":          "starts a browser, for tests",
	"engines/testmode":          "asks python3 where its interpreter is, for tests",
	"engines/external/process":  "starts the programs that an engine file names",
	"engines/external/protocol": "builds the host of getPoint libraries by the C compiler",
	"cmd/internal/selfplay":     "builds the two revisions of a repository that selfplay branch names, by git and a command",
}

// TestOnlyStartersStartPrograms compares every package with starters.
func TestOnlyStartersStartPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads the whole module")
	}
	for _, p := range goList(t) {
		folder, _ := own(p.ImportPath)
		starts := slices.Contains(p.Imports, "os/exec")
		if _, may := starters[folder]; starts != may {
			t.Errorf("%s starts programs: %t, and is among starters: %t", folder, starts, may)
		}
	}
}

// watch reads the folders in this process. The go command sees these reads and repeats the test
// when a file changes; it does not see the reads of go list.
func watch(t *testing.T) {
	noteTop()
	t.Helper()
	if _, err := os.ReadDir("."); err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir // no Go packages there, but a Python environment
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a folder that is created later shows in "."
			t.Fatal(err)
		}
	}
}

func goList(t *testing.T) []goPackage {
	t.Helper()
	watch(t)
	list, err := listPackages(".", "-e")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRulesCatchForbiddenImports has an import for each rule that forbids it.
func TestRulesCatchForbiddenImports(t *testing.T) {
	for _, c := range []struct {
		folder  string
		imports string // in words; "test:" precedes an import of a test
		want    string // "" for no fault
	}{
		{"params", "fmt github.com/x/y", ""},
		{"params", "engines", "params imports engines, but parameters and tuners' interface stand on nothing of ours (rule params: may import nothing of ours)"},
		{"params/spsa", "params", ""},
		{"params/spsa", "engines/play", "params/spsa imports engines/play, but a tuner never"},
		{"params/newtuner", "params/spsa", "params/newtuner imports params/spsa"},
		{"engines/runs/tuning", "params/spsa engines/schedule reports/rating", ""},
		{"engines/runs/tuning", "engines/quoridor", "engines/runs/tuning imports engines/quoridor"},
		{"engines/runs/tuning", "params/tunertest", "it is for tests"},
		{"engines/runs/tuning", "engines/runs/record", "engines/runs/tuning imports engines/runs/record"},
		{"engines/runs/newkind", "engines/runs/view", "engines/runs/newkind imports engines/runs/view"},
		{"engines/runs/view", "engines/runs/record", "engines/runs/view imports engines/runs/record"},
		{"params/spsa", "params test:params/tunertest", ""},
		{"engines", "params", ""},
		{"engines", "engines/quoridor", "engines imports engines/quoridor"},
		{"engines/newgame", "engines engines/mcts params", ""},
		{"engines/newgame", "engines/play", "engines/newgame imports engines/play"},
		{"engines/newgame", "engines test:engines/gametest", ""},
		{"engines/mcts", "engines/newgame", "engines/mcts imports engines/newgame"},
		{"engines/play", "reports", "engines/play imports reports"},
		{"engines/newgame/deep", "engines", "engines/newgame/deep has no rule"},
		{"datasets", "params", "datasets imports params"},
		{"reports/rating", "reports", "reports/rating imports reports"},
		{"reports", "reports/rating", ""},
		{"reports", "datasets", "reports imports datasets"},
		{"reports", "test:cmd/tune", "reports imports cmd/tune, but nothing stands on a command"},
		{"notebooks/first", "engines/quoridor reports", ""},
		{"notebooks/first", "cmd/tune", "nothing stands on a command"},
		{"cmd/tune", "cmd/internal/cli engines/quoridor datasets", ""},
		{"cmd/tune", "engines/gametest", "it is for tests"},
		{"util", "fmt", "util is a package in the top-level folder util"},
		{"internal/x", "fmt", "top-level folder internal"},
	} {
		p := goPackage{ImportPath: module + "/" + c.folder}
		for word := range strings.FieldsSeq(c.imports) {
			name, test := strings.CutPrefix(word, "test:")
			if top, _, _ := strings.Cut(name, "/"); slices.Contains(folders, top) {
				name = module + "/" + name
			}
			if test {
				p.XTestImports = append(p.XTestImports, name)
			} else {
				p.Imports = append(p.Imports, name)
			}
		}
		got := strings.Join(faults(p), "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s importing %s: got %q; want %q", c.folder, c.imports, got, c.want)
		}
	}
	top := faults(goPackage{ImportPath: module, GoFiles: []string{"main.go"}, XTestGoFiles: []string{"main_test.go"}})
	if len(top) != 1 || !strings.Contains(top[0], "[main.go main_test.go]") {
		t.Errorf("a Go file in the top folder: got %q", top)
	}
}
