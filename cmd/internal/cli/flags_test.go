package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecretWithoutPlaceIsNamed expects an error that names the secret and the remedy.
func TestSecretWithoutPlaceIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, file)
	}
	if _, err := Kept("token", NewToken); err == nil || !strings.Contains(err.Error(), "no place to keep the token: ") {
		t.Error(err)
	}
}
