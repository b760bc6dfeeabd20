package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Parquet guards its pages by checksums but neither their headers nor the
// footer: one flipped bit there gives other values, or asks for more memory than
// there is. So every part carries, in its metadata, CRC-32C of all before the
// footer and of the footer itself, as 8 and 8 hexadecimal digits. The second is
// taken with its own digits as zeros.
const (
	checksumKey = "selfplay.checksum"
	unsealed    = "00000000-00000000"
)

// checksumMark is how the footer spells the key and the head of the value: a
// string of 17 bytes in Thrift's compact protocol.
const checksumMark = checksumKey + "\x18\x11"

// tailSize is the length of the footer's length and the magic after it.
const tailSize = 8

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

// checkFooter verifies the footer of a part of size bytes. It returns where the
// footer begins and the checksum that the bytes before it must have.
func checkFooter(r io.ReaderAt, size int64) (start int64, body string, err error) {
	tail := make([]byte, tailSize)
	if size < 2*tailSize {
		return 0, "", errors.New("truncated or not parquet")
	}
	if _, err := r.ReadAt(tail, size-tailSize); err != nil {
		return 0, "", err
	}
	n, err := footerSize(tail, size)
	if err != nil {
		return 0, "", err
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-n); err != nil {
		return 0, "", err
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

// footerSize reads the last bytes of a parquet file of size bytes and returns
// the length of the footer, these bytes included.
func footerSize(tail []byte, size int64) (int64, error) {
	n := int64(binary.LittleEndian.Uint32(tail)) + tailSize
	if string(tail[4:]) != "PAR1" || n > size {
		return 0, errors.New("truncated or not parquet")
	}
	return n, nil
}
