package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"
)

// TestRenameModuleFindsEveryImport gives the module a path with a host name by one command.
// Afterwards no file imports the old path, and the types are correct.
func TestRenameModuleFindsEveryImport(t *testing.T) {
	testmode.SkipUnlessLong(t) // reads a copy of the module and all its imports
	for _, program := range []string{"git", "bash", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	const script = "cmd/internal/release/rename-module"
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	copyModule(t, dir)
	run("git", "init", "-q")
	run("git", "add", "-A")
	const path = "example.org/somebody/selfplaylab"
	run("bash", script, path)
	deps := run("go", "list", "-deps", "./...")
	for name := range strings.Lines(deps) {
		if strings.HasPrefix(name, module+"/") {
			t.Errorf("still imported: %s", name)
		}
	}
	if !strings.Contains(deps, path+"/cmd/selfplay") {
		t.Errorf("no %s/cmd/selfplay in\n%.500s", path, deps)
	}
	checkTypes(t, dir, runtime.GOOS, runtime.GOARCH)
	if again := run("bash", script, path); !strings.Contains(again, "already") {
		t.Errorf("renamed again: %s", again)
	}
	cmd := exec.Command("bash", script, "selfplay")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "name of a host") {
		t.Errorf("a path without a host: %v, %s", err, out)
	}
}

// copyModule copies the files of the checkout, with its changes, to a folder.
func copyModule(t *testing.T, dir string) {
	noteTop()
	t.Helper()
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skip(err) // not a checkout
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if err != nil { // deleted since
			continue
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBuildRecordsSources: make build gives different programs of the same files one identity,
// and another one after a change of an operand.
func TestBuildRecordsSources(t *testing.T) {
	testmode.SkipUnlessLong(t) // builds a copy of the module three times
	for _, program := range []string{"git", "make"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	const assembly = "engines/gobang/network_amd64.s"
	build := func(change bool, flags string) string {
		t.Helper()
		dir := t.TempDir()
		copyModule(t, dir)
		if change {
			file := filepath.Join(dir, filepath.FromSlash(assembly))
			text := strings.Replace(readText(t, assembly), "X0", "X1", 1)
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		made := exec.Command("make", "build")
		made.Dir, made.Env = dir, append(os.Environ(), strings.TrimSpace("GOFLAGS="+os.Getenv("GOFLAGS")+" "+flags))
		if out, err := made.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command(filepath.Join(dir, "bin", "selfplay"), "version", "--json").Output()
		if err != nil {
			t.Fatal(err)
		}
		_, revision, _ := strings.Cut(string(out), `"revision":"`)
		return revision[:strings.IndexByte(revision, '"')]
	}
	one, two, other := build(false, ""), build(false, "-gcflags=./cmd/selfplay=-N"), build(true, "")
	if !strings.HasPrefix(one, "unknown-") || one != two || one == other {
		t.Errorf("revisions %s and %s, and %s after a change of %s", one, two, other, assembly)
	}
}
