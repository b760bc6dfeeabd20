package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// maxCore bounds the lines of the core: the code that programs use without any capability.
// Lower it with the code, never raise it.
const maxCore = 24_000

// TestCoreStaysSmall measures the core.
func TestCoreStaysSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads the whole module")
	}
	watch(t)
	packages, set, err := checkPackages(".")
	if err != nil {
		t.Fatal(err)
	}
	s, err := measure(packages, newGraph(packages, set), programs, capabilities)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	s.print(&table, capabilities)
	t.Logf("\n%s", &table)
	if s.core.code > maxCore {
		t.Errorf("the core has %d lines, at most %d: give what is optional a list with an entry, and the entry a door in size.go", s.core.code, maxCore)
	}
	for i, c := range capabilities {
		if s.capabilities[i].code == 0 {
			t.Errorf("nothing is lost without %s: correct its doors in size.go", c.name)
		}
	}
}

// TestMeasureDividesByUse: a declaration belongs to the only capability that uses it, tests
// belong to their file, and each line counts once.
func TestMeasureDividesByUse(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.org/small\n\ngo 1.26\n",
		"app/main.go":      "package main\n\nimport \"example.org/small/one\"\n\nfunc main() { core(); one.Run(); two() }\n\n// core is small.\nfunc core() {}\n",
		"app/two.go":       "package main\n\nimport \"example.org/small/shared\"\n\nfunc two() { shared.Help() }\n\nfunc unused() {}\n",
		"app/two_test.go":  "package main\n\nvar a = 1\n",
		"app/main_test.go": "package main\n",
		"one/one.go":       "package one\n\nimport \"example.org/small/shared\"\n\nfunc Run() { shared.Help(); state{}.show() }\n\ntype state struct{}\n\nfunc (state) show() {}\n",
		"one/more_test.go": "package one\n\nvar b = 1\n",
		"shared/shared.go": "package shared\n\nfunc Help() {}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	packages, set, err := checkPackages(dir)
	if err != nil {
		t.Fatal(err)
	}
	g := newGraph(packages, set)
	got, err := measure(packages, g, []string{"app.main"}, []capability{{"one", "one"}, {"two", "app.two"}})
	if err != nil {
		t.Fatal(err)
	}
	want := size{core: lines{8, 1}, capabilities: []lines{{9, 3}, {5, 3}}, shared: lines{3, 0}, developers: lines{2, 0}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(size{}, lines{})); d != "" {
		t.Errorf("sizes (-want +got):\n%s", d)
	}
	if _, err := measure(packages, g, nil, []capability{{"none", "gone"}}); err == nil || !strings.Contains(err.Error(), "no declaration gone") {
		t.Errorf("a door that does not exist: %v", err)
	}
}
