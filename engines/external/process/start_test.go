package process

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestDeafProgramIsNotAwaited expects that no request waits for a program with closed input.
func TestDeafProgramIsNotAwaited(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	l, err := Start(t.Context(), Command{Name: "x", Path: "/bin/sh", Args: []string{"-c", "exec <&-; echo ready; exec sleep 100"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close("")
	if err := l.Ask(t.Context(), Request{What: "starting", Line: func(string) (bool, error) { return true, nil }, Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		l.Send("question\n")
	}
}

// TestMissingProgramSuggestsRemedy expects the reason
// why a program cannot be started, and a suggestion.
func TestMissingProgramSuggestsRemedy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files of Unix")
	}
	dir := t.TempDir()
	file := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, want := range map[string]string{
		"no-such-program-here":   "executable file not found",
		"python3 engine.py":      "arguments go into args",
		dir:                      "is a directory",
		file("plain", "", 0o644): "chmod +x",
		file("empty", "", 0o755): "nor a script whose first line begins with #!",
		file("script", "#!/no/such/interpreter\n", 0o755): "the interpreter that its first line names, or its loader, is missing",
	} {
		path, err := LookPath(name)
		if err == nil {
			_, err = Start(t.Context(), Command{Name: "x", Path: path}, Options{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
}

// TestProgramDoesNotInheritToken expects that a program gets the environment without the secret
// of a cluster, and with what its command adds.
func TestProgramDoesNotInheritToken(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	t.Setenv(TokenVariable, "secret")
	t.Setenv("SELFPLAYLAB_TOKENS", "no secret")
	l, err := Start(t.Context(), Command{Name: "x", Path: "/bin/sh", Args: []string{"-c", "env; echo end; exec sleep 100"}, Env: []string{"ADDED=1"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close("")
	var lines []string
	take := func(line string) (bool, error) { lines = append(lines, line); return line == "end", nil }
	if err := l.Ask(t.Context(), Request{What: "starting", Line: take, Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(lines, "\n")
	if strings.Contains(all, "=secret") || !strings.Contains(all, "SELFPLAYLAB_TOKENS=no secret") || !strings.Contains(all, "ADDED=1") {
		t.Error(all)
	}
}
