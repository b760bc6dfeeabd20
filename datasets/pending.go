package datasets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// pendingLine is a line of pending.jsonl.
type pendingLine struct {
	CRC  string          `json:"crc"` // checksum of data, as hexCRC writes it
	Data json.RawMessage `json:"data"`
}

// SetPending stores values of unfinished trials as compact JSON, one per line, in place of
// earlier values. Without values it removes the file. The values save work when the run
// continues; they are not part of the record.
func (w *Writer) SetPending(values []json.RawMessage) error {
	if err := w.holds(); err != nil {
		return fmt.Errorf("run %s: %w", w.dir, err)
	}
	path := filepath.Join(w.dir, pendingName)
	if len(values) == 0 {
		return removeIfThere(path)
	}
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false) // data is written unchanged
	for _, v := range values {
		if err := lines.Encode(pendingLine{CRC: hexCRC(v), Data: v}); err != nil {
			return fmt.Errorf("run %s: pending: %w", w.dir, err)
		}
	}
	if err := w.disk.save(path, text.Bytes()); err != nil {
		return fmt.Errorf("run %s: %w", w.dir, err)
	}
	return nil
}

// Pending returns the values that SetPending stored last. It leaves out damaged lines; their
// work is done again.
func (w *Writer) Pending() (values []json.RawMessage, err error) {
	err = eachLine(filepath.Join(w.dir, pendingName), maxRows, func(text []byte) {
		var line pendingLine
		if json.Unmarshal(text, &line) == nil && hexCRC(line.Data) == line.CRC {
			values = append(values, line.Data)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", w.dir, err)
	}
	return values, nil
}
