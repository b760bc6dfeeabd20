package datasets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// pendingLine is a line of pending.jsonl.
type pendingLine struct {
	CRC  string          `json:"crc"` // of data, as hexCRC writes it
	Data json.RawMessage `json:"data"`
}

// SetPending keeps values in compact JSON, one a line, that belong to trials still under way,
// in place of those kept before; without any nothing is left. What they say is up to
// the program: they spare it work when the run goes on, and are no part of the
// record.
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
	lines.SetEscapeHTML(false) // data stays as it is
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

// Pending reads what SetPending kept last. Lines that are damaged are left out: what
// they would spare is done again.
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
