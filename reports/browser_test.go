package reports

import (
	"math"
	"testing"

	"selfplaylab/reports/pagetest"
)

// TestBrowser opens the gallery in a real browser, at a desktop's and at a
// phone's width: the right layout is shown, nothing sticks out or is loaded from
// elsewhere, every figure is to be seen, and letters are as wide as the layout
// took them to be.
func TestBrowser(t *testing.T) {
	page, err := galleryPage().HTML()
	if err != nil {
		t.Fatal(err)
	}
	pages := []pagetest.Page{{Name: "gallery", HTML: page, Width: 1280}, {Name: "gallery", HTML: page, Width: 390}}
	for i, seen := range pagetest.Check(t, map[string]int{"gallery": len(gallery())}, pages...) {
		want := []string{"wide", "narrow"}[i]
		for _, f := range seen.Figures {
			if f.Class != want {
				t.Fatalf("the %s layout of %q is shown at %d pixels", f.Class, f.Title, pages[i].Width)
			}
		}
		if want := textWidth("Mill", 100, false); math.Abs(seen.Probe-want) > 0.01*want {
			t.Skipf("this machine has no font with Arial's widths: Mill is %v wide, not %v", seen.Probe, want)
		}
		for _, x := range seen.Texts {
			if want := textWidth(x.Text, x.Size, x.Bold); math.Abs(x.Width-want) > 0.02*want+1 {
				t.Errorf("%q is %.1f wide, laid out for %.1f", x.Text, x.Width, want)
			}
		}
	}
}
