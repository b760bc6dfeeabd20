package referee

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// A record names the program that knows its rules. Only programs that somebody started on
// this account by --game are started for a record, so that reading a foreign one runs
// nothing: a file for each is in the user's cache folder.

// Trust notes that somebody asked for a source.
func Trust(source string) error {
	name, err := note(source)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(source), 0o600)
}

// Trusted reports whether Trust noted a source.
func Trusted(source string) bool {
	name, err := note(source)
	if err != nil {
		return false
	}
	data, err := os.ReadFile(name)
	return err == nil && string(data) == source
}

// note is the file of a source.
func note(source string) (string, error) {
	dir, err := os.UserCacheDir()
	sum := sha256.Sum256([]byte(source))
	return filepath.Join(dir, "selfplaylab", "referees", hex.EncodeToString(sum[:])), err
}
