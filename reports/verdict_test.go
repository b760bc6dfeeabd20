package reports

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines/testmode"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/pagetest"
)

// verdictStates are heads of runs in every state, with invented numbers.
func verdictStates() map[string]Verdict {
	tuning := func(v Verdict) Verdict {
		v.Where = append([]string{"Quoridor 步步为营", "tuning"}, v.Where...)
		v.Question = "Do other values of 12 parameters make `final` stronger?"
		return v
	}
	scale := func(m figure.Meaning, value, lo, hi float64) *figure.Scale {
		return &figure.Scale{Title: "Elo", Meaning: m, Value: value, Lo: lo, Hi: hi, Zero: "0: as strong as the start"}
	}
	strength := func(until float64, height, band float64, measured ...figure.Point) *Plot {
		c := figure.Curve{Title: "Strength by games played", Subtitle: "with the measured result at the end",
			XLabel: "tuning games", Name: "recommendation against the start"}
		for x := 0.0; x <= until; x += until / 40 {
			y := height * (1 - math.Exp(-x/16000))
			half := band * math.Sqrt(1000/(x+1000))
			c.Line = append(c.Line, figure.Point{X: x, Y: y, Lo: y - half, Hi: y + half})
		}
		c.Measured = measured
		return &Plot{Name: "strength", Figure: c}
	}
	return map[string]Verdict{
		"begun": tuning(Verdict{Where: []string{"running"}, Answer: "No result yet", Detail: "0 of 64,000 games", Meaning: figure.Growing}),
		"growing": tuning(Verdict{Where: []string{"running"}, Answer: "+38 Elo so far", Detail: "-12 to +88, not verified yet",
			Meaning: figure.Growing,
			Scale:   scale(figure.Growing, 38, -12, 88), Facts: []string{"6,240 of 16,000 games", "38 games/s", "about 5 min left"},
			Hint: "Still improving: +6 Elo in the last 1,000 games.", Picture: strength(6240, 100, 220)}),
		"stopped": tuning(Verdict{Where: []string{"stopped"}, Answer: "Stopped, +38 Elo so far",
			Detail: "-12 to +88, not verified", Meaning: figure.Open,
			Scale: scale(figure.Open, 38, -12, 88), Facts: []string{"6,240 of 16,000 games"}, Picture: strength(6240, 100, 220),
			Next: []Step{{Name: "Continue", Command: "tune --resume runs/a"}}}),
		"undecided": {Where: []string{"Chess 国际象棋", "sequential test"},
			Question: "Is `idea` at least 5 Elo stronger than `main`?", Answer: "Not decided",
			Detail: "+1.8 Elo, -3.9 to +7.5", Meaning: figure.Open,
			Scale: &figure.Scale{Title: "Elo", Meaning: figure.Open, Value: 1.8, Lo: -3.9, Hi: 7.5, Mark: &figure.Level{Y: 5,
				Label: "+5: what is tested"}},
			Facts: []string{"LLR -0.31 of -2.99 to 2.99", "4,212 pairs", "stopped"},
			Picture: &Plot{Name: "llr", Figure: figure.Lines{Title: "Log-likelihood ratio, every pair", XLabel: "game pairs",
				Series: []figure.Series{{Name: "LLR", Points: walkOf(200)}}, Levels: []figure.Level{{Y: 2.94, Label: "better"},
					{Y: -2.94, Label: "not"}}}},
			Next: []Step{{Name: "Continue", Command: "selfplay match --resume runs/b"}}},
		"no gain": tuning(Verdict{Answer: "No gain shown", Detail: "+6 Elo, -11 to +23", Meaning: figure.Open,
			Scale:   scale(figure.Open, 6, -11, 23),
			Facts:   []string{"verified on 1,920 new openings", "70,912 games", "8 s"},
			Picture: strength(64000, 6, 60, figure.Point{X: 64000, Y: 6, Lo: -11, Hi: 23})}),
		"better": tuning(Verdict{Where: []string{"quoridor-300"}, Answer: "Yes, +91 Elo", Detail: "+74 to +108",
			Meaning: figure.Better, Scale: scale(figure.Better, 91, 74, 108),
			Facts:   []string{"verified on 1,920 new openings", "70,912 games", "8 s", "95 % at any time"},
			Picture: strength(64000, 91, 60, figure.Point{X: 64000, Y: 91, Lo: 74, Hi: 108}),
			Next: []Step{{Name: "Play against it", Command: "selfplay serve runs/quoridor-300"},
				{Name: "Continue", Command: "tune --resume runs/quoridor-300 --games 100000"}}}),
		"worse": {Where: []string{"Gobang 五子棋", "match"}, Question: "Is `risky` stronger than `fixed`?", Answer: "No, -240 Elo",
			Detail: "beyond -1200 to -101", Meaning: figure.Worse,
			Scale: &figure.Scale{Title: "Elo", Meaning: figure.Worse, Value: -240, Lo: math.Inf(-1), Hi: -101, Zero: "0: equal"},
			Facts: []string{"30 pairs"}},
		"broken": {Where: []string{"run quoridor-301"}, Question: "What did this run find?", Answer: "Cannot be read",
			Detail: "games/part-3.parquet: checksum differs; restore the file from a copy", Meaning: figure.Broken},
	}
}

func walkOf(n int) (points []figure.Point) {
	y := 0.0
	for i := range n {
		y += 0.3 * math.Sin(float64(i*i))
		points = append(points, figure.Point{X: float64(i), Y: y, Lo: y, Hi: y})
	}
	return points
}

var verdictDir = flag.String("verdicts", "", "write heads of runs in all states into this folder, to look at")

// TestVerdictInAllForms expects each state to be drawn in every form, with its answer in all of them.
func TestVerdictInAllForms(t *testing.T) {
	var terminal bytes.Buffer
	for _, name := range []string{"begun", "growing", "stopped", "undecided", "no gain", "better", "worse", "broken"} {
		v := verdictStates()[name]
		if err := v.Text(&terminal); err != nil {
			t.Fatal(err)
		}
		terminal.WriteString("\n\n")
		page := Page{Title: v.Title(), Verdict: &v}
		html, err := page.HTML()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		md, err := page.Markdown("figures")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		card, err := figure.File(v.Card(), "svg")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for form, text := range map[string]string{"html": strings.ReplaceAll(string(html), "\u00a0", " "), "md": string(md),
			"card": string(card)} {
			if !strings.Contains(text, v.Answer) {
				t.Errorf("%s: the %s lacks %q", name, form, v.Answer)
			}
		}
		if *verdictDir != "" {
			for file, data := range map[string][]byte{".html": html, ".svg": card} {
				if err := os.WriteFile(filepath.Join(*verdictDir, strings.ReplaceAll(name, " ", "-")+file), data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	golden(t, "verdicts.txt", terminal.Bytes())
}

// TestVerdictFitsItsWindow expects no state to stick out of a window of a phone, a tablet or a screen.
func TestVerdictFitsItsWindow(t *testing.T) {
	testmode.SkipUnlessLong(t) // every state in a browser
	var pages []pagetest.Page
	figures := map[string]int{}
	for name, v := range verdictStates() {
		html, err := Page{Verdict: &v}.HTML()
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{360, 768, 1280, 2560} {
			pages = append(pages, pagetest.Page{Name: name, HTML: html, Width: width, Dark: width == 768})
		}
		if v.Scale != nil {
			figures[name]++
		}
		if v.Picture != nil {
			figures[name]++
		}
	}
	pagetest.Check(t, figures, pages...)
}

// TestPageShowsChartOfItsHeadOnce expects a plot of a section that the head shows in the head alone, and
// in the section where the page has no head.
func TestPageShowsChartOfItsHeadOnce(t *testing.T) {
	plot := Plot{Name: "ratings", Figure: figure.Bars{Title: "Ratings", Bars: []figure.Bar{{Name: "a", Value: 1}}}}
	other := plot
	other.Name = "other"
	p := Page{Title: "t", Sections: []Section{{Title: "s", Blocks: []Block{plot, other}}}}
	for _, v := range []*Verdict{nil, {Question: "q", Answer: "a", Picture: &plot}} {
		p.Verdict = v
		text, err := p.Markdown("f")
		if err != nil {
			t.Fatal(err)
		}
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"ratings", "other"}
		if v != nil {
			want = want[1:]
		}
		var names []string
		for _, plot := range p.Plots() {
			names = append(names, plot.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("with head %v: the sections have the plots %q", v != nil, names)
		}
		if n, m := strings.Count(string(text), "ratings.svg"), strings.Count(string(text), "other.svg"); n != 1 || m != 1 || len(files) != 4 {
			t.Errorf("with head %v: the charts stand %d and %d times, in %d files", v != nil, n, m, len(files))
		}
		if strings.Contains(string(text), "## s\n\n![Ratings](f/ratings.svg)") == (v != nil) {
			t.Errorf("with head %v:\n%s", v != nil, text)
		}
	}
}
