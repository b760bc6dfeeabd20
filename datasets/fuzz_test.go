package datasets

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzFiles reads files next to the rows with any content, without a panic. Labels and sessions
// that were read can be written and read again.
func FuzzFiles(f *testing.F) {
	whole := contents(f, newRun(f, 3))
	f.Add([]byte("{\"started\":\"2026-01-02T03:04:05Z\",\"summary\":{\"of\":\"a\"},\"summary_crc\":\"0\"}\n{"), []byte("name = 'n'\ntags = ['a']\n"), []byte(`{"crc":"0","data":{}}`))
	dir := newRunFrom(f, whole)
	f.Fuzz(func(t *testing.T, sessions, labels, pending []byte) {
		put(t, dir, sessionsName, sessions)
		put(t, dir, labelsName, labels)
		put(t, dir, pendingName, pending)
		if _, err := Sessions(dir); err != nil {
			t.Errorf("sessions: %v", err)
		}
		if err := eachLine(filepath.Join(dir, pendingName), maxRows, func([]byte) {}); err != nil {
			t.Errorf("pending: %v", err)
		}
		l, err := ReadLabels(dir)
		if err != nil {
			return
		}
		if err := SetLabels(dir, l); err != nil {
			t.Fatalf("%+v cannot be written: %v", l, err)
		}
		if again, err := ReadLabels(dir); err != nil || again.Name != l.Name {
			t.Errorf("%+v is read as %+v, %v", l, again, err)
		}
	})
}

// FuzzPart reads damaged parts: it returns an error, without a panic or much memory.
func FuzzPart(f *testing.F) {
	dir := newRun(f, 3)
	path := filepath.Join(dir, "games", partName(0))
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint16(7), byte(1), uint16(0))
	f.Fuzz(func(t *testing.T, at uint16, flip byte, cut uint16) {
		changed := append([]byte{}, data[:len(data)-int(cut)%len(data)]...)
		changed[int(at)%len(changed)] ^= flip
		put(t, dir, "games/"+partName(0), changed)
		log, err := Read(dir)
		if err != nil {
			return
		}
		if err := log.Verify(); err == nil && string(changed) != string(data) {
			t.Errorf("a change is not noticed: byte %d by %d, %d cut", at, flip, cut)
		}
	})
}
