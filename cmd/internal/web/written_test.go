package web

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/testmode"
)

// TestWrittenReportsPassAxe writes the reports of recorded runs of every kind and opens the files, all
// sections unfolded, on a phone and a wide screen. Tables that scroll can be reached by the keyboard.
func TestWrittenReportsPassAxe(t *testing.T) {
	testmode.SkipUnlessLong(t) // opens many pages
	t.Parallel()
	const corpus = "../../../engines/runs/kinds/testdata/corpus/0.4.0-20261129"
	b := newTab(t, viewer{width: 1280})
	seen := map[string]bool{}
	for _, name := range []string{"match", "match-sprt", "match-moves", "match-stopped", "tournament", "ladder", "ladder-calibrate", "search", "quad", "quad-stopped", "quad-seeds", "quad-against", "spsa", "grid"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(corpus, name))); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error { return errors.Join(err, os.Chmod(path, 0o755)) })
		if err != nil {
			t.Fatal(err)
		}
		run, err := kinds.All().Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		seen[run.Log.Meta.Kind] = true
		if err := view.Report(t.Context(), kinds.All(), dir); err != nil {
			t.Fatal(err)
		}
		file := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, "report.html"))}
		b.do(chromedp.Navigate(file.String()))
		b.do(chromedp.Evaluate[chromedp.Void](`for (const d of document.querySelectorAll("details")) d.open = true`))
		for _, v := range []viewer{{width: 360, height: 740, touch: true}, {width: 1280, dark: true}} {
			b.look(v)
			b.where = name + " at " + v.String()
			b.axe()
		}
	}
	for _, kind := range kinds.All().WithCommand() {
		if !seen[kind.Name] {
			t.Errorf("no report of kind %s is looked at", kind.Name)
		}
	}
}
