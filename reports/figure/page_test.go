package figure_test

import (
	"flag"
	"math"
	"testing"

	"selfplaylab/datasets"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/pagetest"
)

var galleryDir = flag.String("gallery", "", "write the gallery page into this folder, to look at")

func TestGalleryPageIsWritten(t *testing.T) {
	dir := *galleryDir
	if dir == "" {
		dir = t.TempDir()
	}
	if err := galleryPage().Write(dir, datasets.WriteFile); err != nil {
		t.Fatal(err)
	}
}

func galleryPage() reports.Page {
	p := reports.Page{
		Title: "Gallery of figures",
		Lead: []string{
			"Nothing here was measured: every number on this page is invented, so that all kinds of figures can be looked at together.",
			"The tuned set beats `final` by +37 Elo (+15 to +60) over 1,200 fresh pairs.",
		},
		Warnings: []string{
			"Only 12 pairs were played with `--limits depth=5`; an interval needs at least 30. Play more with `--pairs 200`.",
			"Three parameters stand at a bound: widen `wall_bonus`, `gap` and `edge`.",
		},
		Facts: []reports.Fact{
			{Key: "command", Value: "`go run ./cmd/tune --game quoridor --iters 1000`"}, {Key: "seed", Value: "42"},
			{Key: "source revision", Value: "83e500ad0c4f5be8c2b4a3c1e2d3f4a5b6c7d8e9"}, {Key: "machine", Value: "linux/amd64, 2 cores"},
		},
	}
	table := reports.Section{Title: "Tables", Blocks: []reports.Block{
		reports.Text("The values that changed by more than one step."),
		reports.Table{
			Caption: "Parameters before and after",
			Columns: []reports.Column{{Name: "parameter"}, {Name: "start", Right: true}, {Name: "tuned", Right: true}, {Name: "range", Right: true}, {Name: "meaning"}},
			Rows: [][]string{
				{"`path_weight`", "1.00", "1.36", "0 to 2", "weight of the difference of distances"},
				{"`wall_bonus`", "12", "31", "−50 to 50", "what a wall in hand is worth | in plies"},
				{"`risk_aversion_in_the_endgame`", "0.0100", "0.0233", "0 to 0.05", "how much a sure win is preferred"},
			},
			Strong: []int{0},
		},
		reports.List{"A list says several things.", "It has short lines."},
		reports.Code("selfplay match --game quoridor --a tuned.toml --b final --pairs 500\nscore 55.3 %, Elo +37 (+15 to +60)"),
	}}
	figures := reports.Section{Title: "Figures"}
	for _, n := range figure.Gallery() {
		figures.Blocks = append(figures.Blocks, reports.Plot{Name: n.Name, Caption: n.Caption, Figure: n.Chart})
	}
	p.Sections = []reports.Section{table, figures}
	return p
}

// TestGalleryFitsRealBrowser opens the gallery at the width of a desktop and of a phone: the
// right layout is shown, nothing sticks out or is loaded from elsewhere, every figure is
// visible, and letters have the widths of the layout.
func TestGalleryFitsRealBrowser(t *testing.T) {
	testmode.SkipUnlessLong(t) // shows every figure in a browser
	page, err := galleryPage().HTML()
	if err != nil {
		t.Fatal(err)
	}
	pages := []pagetest.Page{{Name: "gallery", HTML: page, Width: 1280}, {Name: "gallery", HTML: page, Width: 390}}
	for i, seen := range pagetest.Check(t, map[string]int{"gallery": len(figure.Gallery())}, pages...) {
		want := []string{"wide", "narrow"}[i]
		for _, f := range seen.Figures {
			if f.Class != want {
				t.Fatalf("the %s layout of %q is shown at %d pixels", f.Class, f.Title, pages[i].Width)
			}
		}
		if want := figure.TextWidth("Mill", 100, false); math.Abs(seen.Probe-want) > 0.01*want {
			t.Skipf("this machine has no font with Arial's widths: Mill is %v wide, not %v", seen.Probe, want)
		}
		for _, x := range seen.Texts {
			if want := figure.TextWidth(x.Text, x.Size, x.Bold); math.Abs(x.Width-want) > 0.02*want+1 {
				t.Errorf("%q is %.1f wide, laid out for %.1f", x.Text, x.Width, want)
			}
		}
	}
}
