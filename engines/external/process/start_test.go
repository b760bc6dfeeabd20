package process

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestNoProgram: what cannot be started says why, and what may be meant.
func TestNoProgram(t *testing.T) {
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
