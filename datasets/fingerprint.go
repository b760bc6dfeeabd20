package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"selfplaylab/params/tomlx"
)

// Fingerprint returns a checksum of the run in dir, and the size of its files in bytes. Equal
// checksums mean equal run.toml and equal rows, up to collisions of CRC-32C for a part and
// SHA-256 for the rest.
//
// It reads run.toml and the footers of the parts, some 50 microseconds for a part of any size.
// A folder that Read rejects may have a fingerprint, too.
func Fingerprint(dir string) (of string, size int64, err error) {
	data, err := ReadFile(filepath.Join(dir, runName))
	if err != nil {
		return "", 0, fmt.Errorf("run: %w", err)
	}
	l := &Log{Dir: dir, data: tomlx.WithoutMark(data)}
	moves := movesTable.folder(dir)
	size, err = sizeWithout(dir, func(path string) bool {
		if path == moves {
			l.Meta.RecordMoves = KeepMoves
		}
		return path == moves || path == trialsTable.folder(dir) || path == gamesTable.folder(dir)
	})
	if err != nil {
		return "", 0, err
	}
	h := sha256.New()
	h.Write(l.data)
	for k := 0; ; k++ {
		for i, path := range l.paths(k) {
			bytes, err := footerInto(h, path)
			if i == 0 && errors.Is(err, os.ErrNotExist) {
				return hex.EncodeToString(h.Sum(nil)), size, nil
			}
			if err != nil {
				return "", 0, fmt.Errorf("%s: %w", path, err)
			}
			size += bytes
		}
	}
}

// footerInto adds the length of a part and the checksum of its rows to a digest. It returns the
// length. The part must have a complete footer.
func footerInto(h io.Writer, path string) (size int64, err error) {
	f, err := openRegular(path, os.O_RDONLY, maxRows)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	start, body, err := checkFooter(f, info.Size())
	fmt.Fprintln(h, info.Size(), start, body) // writing to a digest never fails
	return info.Size(), err
}
