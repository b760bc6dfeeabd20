package datasets

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestPendingValuesSurviveKills reads stored values again and leaves out damaged lines. A kill
// at any moment leaves the old values or the new ones.
func TestPendingValuesSurviveKills(t *testing.T) {
	texts := func(w *Writer) (all []string) {
		t.Helper()
		values, err := w.Pending()
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			all = append(all, string(v))
		}
		return all
	}
	values := func(texts ...string) (all []json.RawMessage) {
		for _, s := range texts {
			all = append(all, json.RawMessage(s))
		}
		return all
	}
	set := func(w *Writer, texts ...string) {
		t.Helper()
		if err := w.SetPending(values(texts...)); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testMeta, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := texts(w); got != nil {
		t.Errorf("a new run has %q", got)
	}
	three := []string{`{"a":"<&>"}`, `[1,2]`, `"x"`}
	set(w, three...)
	if got := texts(w); !slices.Equal(got, three) {
		t.Errorf("kept %q, read %q", three, got)
	}

	path := filepath.Join(dir, pendingName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		for _, damaged := range [][]byte{whole[:i], append(append(bytes.Clone(whole[:i]), whole[i]^1), whole[i+1:]...)} {
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, got := range texts(w) {
				if !slices.Contains(three, got) {
					t.Fatalf("damaged at byte %d: %q is read", i, got)
				}
			}
		}
	}

	set(w, three...)
	for n, done := 0, false; !done; n++ {
		done = func() (done bool) {
			defer func() {
				if r := recover(); r != nil && r != (crash{}) {
					panic(r)
				}
			}()
			w.disk = crashingDisk(n)
			set(w, "7")
			return true
		}()
		if got := texts(w); !slices.Equal(got, three) && !slices.Equal(got, []string{"7"}) {
			t.Fatalf("killed in step %d: %q", n, got)
		}
	}
	w.disk = osDisk
	set(w)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("nothing is kept, and there is a file: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.SetPending(values("1")); err == nil {
		t.Error("a closed writer keeps values")
	}
}
