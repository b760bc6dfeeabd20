package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/datasets"
	"selfplaylab/datasets/datasetstest"
	"selfplaylab/engines/testmode"
)

// notShown is tune's exit code if the tuned values were not shown to be better.
const notShown = 3

// TestRowsOf32Bits plays the games and trials of this program with a 32-bit build, also after a
// fit.
func TestRowsOf32Bits(t *testing.T) {
	testmode.SkipUnlessLong(t) // compiles everything for another processor
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 runs programs of a 32-bit processor")
	}
	dir := t.TempDir()
	type table struct {
		Trials []datasets.TrialRow
		Games  []datasets.GameRow
	}
	rows := map[string]table{}
	for _, processor := range []string{"amd64", "386"} {
		tune, run := filepath.Join(dir, "tune-"+processor), filepath.Join(dir, "run-"+processor)
		build := exec.Command("go", "build", "-ldflags=-w", "-o", tune, "./cmd/tune")
		build.Env = append(os.Environ(), "GOARCH="+processor)
		play := exec.Command(tune, "--game", "quoridor", "--iters", "50", "--pairs", "8", "--verify-min", "100", "--verify-pairs", "200", "--out", run)
		for _, command := range []*exec.Cmd{build, play} {
			out, err := command.CombinedOutput()
			if code := command.ProcessState.ExitCode(); code != 0 && (command == build || code != notShown) {
				t.Fatalf("%s: %v: %v\n%s", processor, command.Args, err, out)
			}
		}
		trials, games := datasetstest.Rows(t, run, datasets.Filter{})
		rows[processor] = table{trials, games}
	}
	if len(rows["386"].Games) < 1000 {
		t.Errorf("only %d games", len(rows["386"].Games))
	}
	if d := cmp.Diff(rows["amd64"], rows["386"]); d != "" {
		t.Errorf("rows of 64 and of 32 bits (-, +):\n%.2000s", d)
	}
}

// TestCheckoutKeepsBytes: git checks files out unchanged on every system. With CRLF, the
// default of git on Windows, programs would not start, and the cluster would see another
// source.
func TestCheckoutKeepsBytes(t *testing.T) {
	out, err := exec.Command("git", "check-attr", "text", "engines/source.go").Output()
	if err != nil {
		t.Skip("no git, or no repository")
	}
	if got := strings.TrimSpace(string(out)); got != "engines/source.go: text: unset" {
		t.Errorf("%s; want it unset in .gitattributes", got)
	}
}

// TestOtherSystemsHaveNoTypeErrors type-checks programs and tests for other systems and
// processors. It finds files missing on a system and constants beyond 32 bits.
// Nothing is compiled, which would take ten times as long. Linux on ARM has the files of Linux
// and those of a processor other than amd64, which the other listed systems share.
func TestOtherSystemsHaveNoTypeErrors(t *testing.T) {
	testmode.SkipUnlessLong(t) // reads everything again for each system
	for _, target := range []string{"linux/386", "darwin/arm64", "freebsd/amd64", "windows/amd64"} {
		t.Run(target, func(t *testing.T) {
			system, processor, _ := strings.Cut(target, "/")
			checkTypes(t, ".", system, processor)
		})
	}
}

// checkTypes checks the packages of the module in a folder, and their tests, for a system
// and its processor.
func checkTypes(t *testing.T, module, system, processor string) {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module", "./...")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
	list.Dir, list.Stderr = module, os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	set, checked := token.NewFileSet(), importedPackages{"unsafe": types.Unsafe}
	ours := 0
	for packages := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
			ImportMap       map[string]string
			Module          *struct {
				GoVersion string
				Main      bool
			}
		}
		if err := packages.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		main := p.Module != nil && p.Module.Main
		if p.ImportPath == "unsafe" || main && strings.HasSuffix(p.ImportPath, ".test") { // go test writes this program when it runs
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		config := types.Config{Importer: mappedImporter{checked, p.ImportMap}, Sizes: types.SizesFor("gc", processor), IgnoreFuncBodies: !main}
		if p.Module != nil && p.Module.GoVersion != "" {
			config.GoVersion = "go" + p.Module.GoVersion
		}
		path, _, _ := strings.Cut(p.ImportPath, " ")
		if checked[p.ImportPath], err = config.Check(path, set, files, nil); err != nil {
			t.Fatal(err)
		}
		if main {
			ours++
		}
	}
	if ours < 60 {
		t.Errorf("only %d packages", ours)
	}
}

// importedPackages holds packages by their paths, in the form of go list for packages compiled
// for a test: "path [path.test]".
type importedPackages map[string]*types.Package

// mappedImporter finds the packages that a package imports.
type mappedImporter struct {
	packages importedPackages
	paths    map[string]string // for imports that mean another path
}

func (m mappedImporter) Import(path string) (*types.Package, error) {
	if other, mapped := m.paths[path]; mapped {
		path = other
	}
	if p := m.packages[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not among what go list lists before it", path)
}
