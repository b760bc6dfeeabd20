package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Parquet has checksums for its pages, but not for their headers and the footer. A flipped bit
// there gives other values, or requests more memory than there is. Each part therefore has in
// its metadata the CRC-32C of everything before the footer and of the footer itself, as 8 and 8
// hexadecimal digits. The second is computed with zeros as its own digits.
const (
	checksumKey = "selfplay.checksum"
	unsealed    = "00000000-00000000"
)

// checksumMark is the footer's encoding of the key and the head of its value: a string of 17
// bytes in Thrift's compact protocol.
const checksumMark = checksumKey + "\x18\x11"

// tailSize is the length of the last fields of a part: the footer's length and the magic
// number.
const tailSize = 8

// usualFooter is at least the length of most footers, so that one read suffices for them.
const usualFooter = 4096

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal fills in the checksums of an encoded part.
func seal(data []byte) error {
	n, err := footerSize(data[len(data)-tailSize:], int64(len(data)))
	if err != nil {
		return err
	}
	body, footer := data[:int64(len(data))-n], data[int64(len(data))-n:]
	if k := bytes.Count(footer, []byte(checksumMark+unsealed)); k != 1 {
		return fmt.Errorf("place of the checksum found %d times", k)
	}
	digits := footer[bytes.Index(footer, []byte(checksumMark))+len(checksumMark):]
	copy(digits, hexCRC(body))
	copy(digits[9:], hexCRC(footer))
	return nil
}

// checkFooter verifies the footer of a part of size bytes. It returns the footer's offset and
// the required checksum of the bytes before it.
func checkFooter(r io.ReaderAt, size int64) (start int64, body string, err error) {
	if size < 2*tailSize {
		return 0, "", errors.New("truncated or not parquet")
	}
	tail := make([]byte, min(size, usualFooter))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil {
		return 0, "", err
	}
	n, err := footerSize(tail[len(tail)-tailSize:], size)
	if err != nil {
		return 0, "", err
	}
	footer := tail[max(0, int64(len(tail))-n):]
	if n > int64(len(tail)) {
		footer = make([]byte, n)
		if _, err := r.ReadAt(footer, size-n); err != nil {
			return 0, "", err
		}
	}
	at := bytes.Index(footer, []byte(checksumMark))
	if at < 0 || len(footer) < at+len(checksumMark)+len(unsealed) {
		return 0, "", fmt.Errorf("parquet, but not of a run: it has no %s metadata", checksumKey)
	}
	digits := footer[at+len(checksumMark):][:len(unsealed)]
	body, own := string(digits[:8]), string(digits[9:])
	copy(digits[9:], unsealed[9:])
	if hexCRC(footer) != own {
		return 0, "", errors.New("damaged: its footer does not fit its checksum")
	}
	return size - n, body, nil
}

func hexCRC(data []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(data, castagnoli)) }

// checkBody verifies the start bytes before the footer.
func checkBody(r io.ReaderAt, start int64, want string) error {
	h := crc32.New(castagnoli)
	if _, err := io.Copy(h, io.NewSectionReader(r, 0, start)); err != nil {
		return err
	}
	if fmt.Sprintf("%08x", h.Sum32()) != want {
		return errors.New("its rows do not fit its checksum")
	}
	return nil
}

// checksumName is the key of run.toml that holds the checksum of all others.
const checksumName = "spec_sha256"

// checkMeaning rejects a run.toml whose values changed since it was written, because later rows
// would be recorded under other settings.
func checkMeaning(path string, data []byte) error {
	got, want, err := meaning(data)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case want == "":
		return fmt.Errorf("%s: it has no %s; put back the file as it was written", path, checksumName)
	case got != want:
		return fmt.Errorf("%s: it was changed after the run was made (its contents do not fit its %s); put back the file as it was written, "+
			"or start a new run for other settings", path, checksumName)
	}
	return nil
}

// meaning returns the SHA-256 of the values of a TOML document without its own checksum, as
// hexadecimal digits, and the checksum in the document. Order of keys, layout and comments do
// not matter. FORMAT.md describes the encoding of values.
func meaning(data []byte) (sum, stored string, err error) {
	var doc map[string]any
	if err := toml.Unmarshal(data, &doc); err != nil {
		return "", "", err
	}
	stored, _ = doc[checksumName].(string)
	delete(doc, checksumName)
	digest := sha256.Sum256(appendMeaning(nil, doc))
	return hex.EncodeToString(digest[:]), stored, nil
}

// appendMeaning appends the encoding of a value. Different values have different encodings.
func appendMeaning(b []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		b = append(b, '{')
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b = append(appendMeaning(append(strconv.AppendQuote(b, key), ':'), v[key]), ',')
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for _, element := range v {
			b = append(appendMeaning(b, element), ',')
		}
		return append(b, ']')
	case string:
		return strconv.AppendQuote(b, v)
	case float64:
		return strconv.AppendFloat(append(b, 'f'), v, 'x', -1, 64)
	case time.Time:
		return v.UTC().AppendFormat(append(b, 't'), time.RFC3339Nano)
	}
	return fmt.Append(b, value) // whole numbers, truth values, local dates and times
}

// footerSize reads the last bytes of a parquet file of size bytes and returns the length of the
// footer, including these bytes.
func footerSize(tail []byte, size int64) (int64, error) {
	n := int64(binary.LittleEndian.Uint32(tail)) + tailSize
	if string(tail[4:]) != "PAR1" || n > min(size, maxFooter) {
		return 0, errors.New("truncated or not parquet")
	}
	return n, nil
}
