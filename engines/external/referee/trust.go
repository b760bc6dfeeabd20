package referee

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// A record names the program that knows its rules. A program is started for a record only if
// the user of this account has started it by --game before, so that reading a foreign record
// runs nothing. The user's cache folder has a file for each such program.

// Trust records that the user requested a source, so that records may start its program.
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

// Trusted reports whether Trust recorded a source.
func Trusted(source string) bool {
	name, err := note(source)
	if err != nil {
		return false
	}
	data, err := os.ReadFile(name)
	return err == nil && string(data) == source
}

// note returns the path of a source's file in the cache folder.
func note(source string) (string, error) {
	dir, err := os.UserCacheDir()
	sum := sha256.Sum256([]byte(source))
	return filepath.Join(dir, "selfplaylab", "referees", hex.EncodeToString(sum[:])), err
}
