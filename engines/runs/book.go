package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// RandomOpenings as MatchRules.Openings draws openings from the seed.
const RandomOpenings = "random"

// bookName is the file in a run directory that keeps the book of openings.
const bookName = "openings.txt"

// Book is a file of openings.
type Book struct {
	Data       []byte
	Openings   []engines.Opening
	duplicates int // left out of them
}

// hash returns the SHA-256 of the file.
func (b Book) hash() string {
	sum := sha256.Sum256(b.Data)
	return hex.EncodeToString(sum[:])
}

// Keep writes the file, if there is one, into a run directory, for MatchRules.KeptBook.
func (b Book) Keep(dir string) error {
	if b.Openings == nil {
		return nil
	}
	return datasets.WriteFile(filepath.Join(dir, bookName), b.Data)
}

// readBook reads a file of openings, with at most plies moves of each; 0 for all.
func readBook(name string, v engines.Variant, plies int) (b Book, err error) {
	if name == "" {
		return b, fmt.Errorf("want %s or a file of openings", RandomOpenings)
	}
	if b.Data, err = os.ReadFile(name); err != nil {
		return b, fmt.Errorf("%w; want %s or a file", err, RandomOpenings)
	}
	b.Openings, b.duplicates, err = play.ParseBook(name, b.Data, v, plies)
	return b, err
}
