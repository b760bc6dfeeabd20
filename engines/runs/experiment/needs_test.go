package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMissing: an experiment knows the programs that it needs, and which of them is
// not there.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, cmd := range map[string]string{"there.toml": self, "gone.toml": filepath.Join(dir, "no-such-program")} {
		text := "name = \"" + strings.TrimSuffix(name, ".toml") + "\"\ncmd = '" + cmd + "'\nprotocol = \"ugi\"\ngames = [\"quoridor\"]\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for needs, want := range map[string]string{"": "", "there.toml": "", "there.toml gone.toml": "no-such-program", "nofile.toml": "nofile.toml"} {
		s := Study{beginning: beginning{Name: "x", File: filepath.Join(dir, FileName)}, Experiment: Experiment{Needs: strings.Fields(needs)}}
		err := s.Missing()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", needs, err, want)
		}
	}
}
