//go:build !race

package datasets

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"
)

// The race detector brings checks of pointers (checkptr) that turn the panic of unsafe.Slice into the
// end of the program, which no guard can recover. Without them it is a panic like any other, so this
// file is left out of tests for races.

// forged returns a copy of a part with one bit of its rows flipped and right checksums.
func forged(t *testing.T, data []byte, bit int) []byte {
	t.Helper()
	data = bytes.Clone(data)
	at := bytes.LastIndex(data, []byte(checksumMark)) + len(checksumMark)
	copy(data[at:], unsealed)
	data[bit/8] ^= 1 << (bit % 8)
	if err := seal(data); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestForgedPartIsNoPanic flips bits in the rows of a part, headers of pages included, under
// right checksums. Reading it either works, as far as the library can tell, or fails with an error
// that names the file and a column.
func TestForgedPartIsNoPanic(t *testing.T) {
	t.Parallel()
	dir := newRun(t, 2)
	path := filepath.Join(dir, "games", partName(0))
	data := must[[]byte](t)(os.ReadFile(path))
	start, _, err := checkFooter(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	panics, step := 0, 89
	if testmode.Long() {
		step = 11
	}
	for bit := 146; bit < 8*int(start); bit += step { // the first one lets the reader panic
		if err := os.WriteFile(path, forged(t, data, bit), 0o666); err != nil {
			t.Fatal(err)
		}
		log, err := Read(dir)
		if err == nil {
			_, err = rowsIn(log.Games(Filter{}))
		}
		if err == nil {
			continue
		}
		if errors.Is(err, errPanic) {
			panics++
		}
		if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "column") {
			t.Fatalf("bit %d: %v", bit, err)
		}
	}
	if panics == 0 {
		t.Error("no forged header let the reader panic: take the guard out")
	}
}
