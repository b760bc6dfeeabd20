package reports_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/reports"
)

// TestWriteReadmeRemovesOldFigures removes figures of an earlier page and no other files.
func TestWriteReadmeRemovesOldFigures(t *testing.T) {
	dir := t.TempDir()
	figures := filepath.Join(dir, reports.FigureFolder)
	if err := os.Mkdir(figures, 0o777); err != nil {
		t.Fatal(err)
	}
	old, kept := filepath.Join(figures, "old.svg"), filepath.Join(figures, "notes.txt")
	for _, name := range []string{old, kept, filepath.Join(dir, "old.svg")} {
		if err := os.WriteFile(name, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	page := reports.Page{Title: "A page", Lead: []string{"It begins."}}
	if err := page.WriteReadme(dir, datasets.WriteFile); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, reports.ReadmeName)); err != nil || !strings.Contains(string(text), "It begins.") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an old figure is still there: %v", err)
	}
	for _, name := range []string{kept, filepath.Join(dir, "old.svg")} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "report.html")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a published page brings its report.html: %v", err)
	}
}
