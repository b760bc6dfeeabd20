package reports

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"selfplaylab/datasets"
	"selfplaylab/engines/testmode"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/pagetest"
)

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	testmode.Golden(t, filepath.Join("testdata", name), got)
}

// smallFigure has a short drawing.
func smallFigure() figure.Chart {
	return figure.Bars{Title: "Two <players> & a score", XLabel: "Elo", Bars: []figure.Bar{
		{Name: "a \"quoted\" name", Value: 12, Lo: 5, Hi: 19, Strong: true}, {Name: "b", Value: -3},
	}}
}

// trickyPage has characters in every place that must be escaped.
func trickyPage() Page {
	evil := "<script>alert(1)</script> & *bold* _it_ a_b [x](y) | # ~~z~~ `code | <b>`"
	return Page{
		Title:    "Title <i>x</i> & y",
		Lead:     []string{evil, "- no list", "1. no list either", "# no heading", "+37 Elo (+15 to +60)"},
		Warnings: []string{evil},
		Facts:    []Fact{{"a|b", "x | y"}, {"address", "https://example.org/?a=1&b=2"}, {"empty", ""}},
		Sections: []Section{{
			Title: "Section *one*",
			Blocks: []Block{
				Text(evil), Text("an unpaired ` backquote"), List{"first", evil},
				Code("a ``` b <c>\n"),
				Table{
					Caption: "Caption | with a bar",
					Columns: []Column{{Name: "name | x"}, {Name: "value", Right: true}},
					Rows:    [][]string{{"a | b", "1"}, {"`c | d`", "−2"}, {"", "line\nbreak"}},
					Strong:  []int{1},
				},
				Table{Columns: []Column{{Name: "alone"}}},
				Plot{Name: "small", Caption: evil, Figure: smallFigure()},
			},
		}},
	}
}

// TestNavigationLeadsIntoSameTree has links above the title, in both forms of a page.
func TestNavigationLeadsIntoSameTree(t *testing.T) {
	p := Page{Title: "t", Nav: []Link{{Name: "all `runs`", To: "../index.html"}}}
	html, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Markdown("f")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{string(html), `<a href="../index.html">all <code>runs</code></a></nav>`}, {string(text), "[all `runs`](../index.html)\n"},
	} {
		if !strings.Contains(c[0], c[1]) {
			t.Errorf("no %q in\n%s", c[1], c[0])
		}
	}
	bad := Page{Title: "t", Nav: []Link{{Name: "x", To: "https://example.org"}}}
	if _, err := bad.HTML(); err == nil {
		t.Errorf("%+v passed", bad)
	}
}

// TestLinkLeadsIntoSameTree has links in both forms of a page, and rejects other targets.
func TestLinkLeadsIntoSameTree(t *testing.T) {
	p := Page{Title: "T", Sections: []Section{{Title: "S", Blocks: []Block{Link{Name: "a [b]", To: "x/README.md", Text: ", `c`"}, Link{Name: "d", To: "../y.html", Text: "next"}}}}}
	md, err := p.Markdown("")
	if err != nil {
		t.Fatal(err)
	}
	page, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for text, wants := range map[string][]string{
		string(md):   {"[a \\[b\\]](x/README.md), `c`\n", "[d](../y.html) next\n"},
		string(page): {`<p><a href="x/README.md">a [b]</a>, <code>c</code></p>`, `<p><a href="../y.html">d</a> next</p>`},
	} {
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
	for _, to := range []string{"", "https://x.y", "//x", "/etc", "a b", "x)", "javascript:x"} {
		p.Sections[0].Blocks = []Block{Link{Name: "n", To: to}}
		if _, err := p.Markdown(""); err == nil {
			t.Errorf("link to %q passed", to)
		}
	}
}

var sampleFile = flag.String("sample", "", "write the sample page into this file, to look at")

func TestSamplePageIsWritten(t *testing.T) {
	if *sampleFile == "" {
		t.Skip("nobody wants to look at it: -sample FILE")
	}
	page, err := samplePage().HTML()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*sampleFile, page, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestPageMatchesGoldenFiles(t *testing.T) {
	p := trickyPage()
	page, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "page.html", page)
	text, err := p.Markdown("figures")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "page.md", text)
}

// TestHTMLIsSelfContained searches for anything that a browser would load, and for markup in
// texts.
func TestHTMLIsSelfContained(t *testing.T) {
	for _, p := range []Page{trickyPage(), samplePage()} {
		page, err := p.HTML()
		if err != nil {
			t.Fatal(err)
		}
		fetch := regexp.MustCompile(`(?i)(\bhref="[^#]|\b(src|srcset|data|action|poster)\s*=|url\(|@import|<link|<script|<iframe|<img|<object|xmlns)`)
		if m := fetch.Find(page); m != nil {
			t.Errorf("%s: the page holds %q", p.Title, m)
		}
		outside := bytes.ReplaceAll(page, []byte("https://example.org/"), nil) // plain text, not a link
		if m := regexp.MustCompile(`(?i)(https?:)?//[a-z]`).Find(outside); m != nil {
			t.Errorf("%s: the page holds the address %q", p.Title, m)
		}
		if bytes.Contains(page, []byte("ZgotmplZ")) {
			t.Errorf("%s: html/template refused a value", p.Title)
		}
		again, err := p.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(page, again) {
			t.Errorf("%s: two writings differ", p.Title)
		}
	}
}

// TestMarkdownTableReadsBack reads a written table by the rule of GitHub's dialect: a bar that
// is not escaped ends a cell.
func TestMarkdownTableReadsBack(t *testing.T) {
	text, err := trickyPage().Markdown("")
	if err != nil {
		t.Fatal(err)
	}
	bar := regexp.MustCompile(`(^|[^\\])\|`)
	lines, rows := strings.Split(string(text), "\n"), 0
	for i, l := range lines {
		if !strings.HasPrefix(l, "|") {
			continue
		}
		rows++
		width := 2
		if strings.Contains(l, "alone") || i > 0 && strings.Contains(lines[i-1], "alone") {
			width = 1
		}
		if n := len(bar.FindAllString(strings.ReplaceAll(l, "||", "| |"), -1)); n != width+1 {
			t.Errorf("row %q has %d bars, want %d", l, n, width+1)
		}
	}
	if rows != 2+3+2+2+3 {
		t.Errorf("%d rows of tables", rows)
	}
	if !strings.Contains(string(text), "![Two &lt;players&gt; &amp; a score](small.svg)") {
		t.Error("the figure is not referenced by its file")
	}
}

func TestPageErrorNamesBlock(t *testing.T) {
	plot := func(name string, f figure.Chart) Page {
		return Page{Title: "T", Sections: []Section{{Title: "S", Blocks: []Block{Plot{Name: name, Figure: f}}}}}
	}
	two := plot("same", smallFigure())
	two.Sections = append(two.Sections, plot("Same", smallFigure()).Sections...)
	for _, tt := range []struct {
		page Page
		want string
	}{
		{plot("a/b", smallFigure()), `block 1: figure name "a/b": want letters`},
		{plot("", smallFigure()), `figure name ""`},
		{plot("..", smallFigure()), `figure name ".."`},
		{plot("x", nil), `figure "x" holds no figure`},
		{plot("x", figure.Bars{Title: "B"}), `figure x: Bars "B": nothing to draw`},
		{two, `"Same" is used twice`},
		{Page{Title: "T", Sections: []Section{{Title: "S", Blocks: []Block{nil}}}}, "unknown block <nil>"},
		{Page{Title: "T", Sections: []Section{{Title: "S", Blocks: []Block{Table{Columns: make([]Column, 2), Rows: [][]string{{"a"}}}}}}}, `section "S", block 1: table row 1 has 1 cells for 2 columns`},
	} {
		_, err := tt.page.HTML()
		_, err2 := tt.page.Markdown("")
		for _, err := range []error{err, err2} {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		}
	}
}

func TestWriteReplacesFormerReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "report")
	p := trickyPage()
	for range 2 { // the second time it replaces the first one and an earlier report
		if err := p.Write(dir, datasets.WriteFile); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"old.svg", "old.png", "notes.txt"} {
			if err := os.WriteFile(filepath.Join(dir, FigureFolder, name), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := p.Write(dir, datasets.WriteFile); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, err := filepath.Rel(dir, name)
			if err != nil {
				return err
			}
			got = append(got, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"figures/notes.txt", "figures/small.svg", "report.html", "report.md"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`!\[.*\]\((.*)\)`).FindAllSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(dir, string(m[1]))); err != nil {
			t.Errorf("the page refers to %s: %v", m[1], err)
		}
	}
}

func TestFailedWriteLeavesNoPart(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := trickyPage().Write(filepath.Join(blocked, "report"), datasets.WriteFile); err == nil || !strings.Contains(err.Error(), blocked) {
		t.Errorf("error %v, want one that names %s", err, blocked)
	}
	// A folder is in the way of a file: nothing half written remains.
	if err := os.MkdirAll(filepath.Join(dir, "r", "report.html", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := trickyPage().Write(filepath.Join(dir, "r"), datasets.WriteFile); err == nil || !strings.Contains(err.Error(), "report.html") {
		t.Errorf("error %v, want one that names report.html", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "r", "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("temporary files are still there: %q, %v", left, err)
	}
}

// TestPagesWrittenTogetherAreWhole writes pages to one folder at the same time.
func TestPagesWrittenTogetherAreWhole(t *testing.T) {
	dir := t.TempDir()
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 5 {
				if err := trickyPage().Write(dir, datasets.WriteFile); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
}

// TestWriteFollowsNoLink leaves the targets of links unchanged.
func TestWriteFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "report.html")
	if err := os.Symlink(victim, page); err != nil {
		t.Skip(err)
	}
	if err := trickyPage().Write(dir, datasets.WriteFile); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(page)
	if err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
	if data, err := os.ReadFile(victim); err != nil || string(data) != "mine" {
		t.Errorf("a link was followed: %d bytes, %v", len(data), err)
	}
	figures, elsewhere := filepath.Join(dir, FigureFolder), t.TempDir()
	if err := errors.Join(os.RemoveAll(figures), os.Symlink(elsewhere, figures)); err != nil {
		t.Fatal(err)
	}
	if err := trickyPage().Write(dir, datasets.WriteFile); err == nil || !strings.Contains(err.Error(), "figures is a link, which is not written through; move it away") {
		t.Errorf("%v", err)
	}
	if list, err := os.ReadDir(elsewhere); err != nil || len(list) > 0 {
		t.Errorf("%d files were written through the link, %v", len(list), err)
	}
}

// ExamplePage is a small report.
func ExamplePage() {
	p := Page{
		Title:    "Tuning quoridor",
		Lead:     []string{"The tuned set beats `final` by +37 Elo (+15 to +60), 1,200 pairs."},
		Warnings: []string{"`wall_bonus` stands at its upper bound; widen its range."},
		Sections: []Section{{Title: "Values", Blocks: []Block{
			Table{
				Columns: []Column{{Name: "parameter"}, {Name: "start", Right: true}, {Name: "tuned", Right: true}},
				Rows:    [][]string{{"path_weight", "1.00", "1.36"}, {"wall_bonus", "12", "50"}},
			},
			Plot{Name: "effects", Caption: "What each is worth.", Figure: figure.Bars{
				Title: "Effect of each parameter", XLabel: "Elo a step", ZeroLabel: "no effect",
				Bars: []figure.Bar{{Name: "path_weight", Value: 8, Lo: 5, Hi: 11}, {Name: "wall_bonus", Value: 1, Lo: -2, Hi: 4}},
			}},
		}}},
		Facts: []Fact{{"seed", "42"}},
	}
	text, err := p.Markdown("figures")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", text)
	// Output:
	// # Tuning quoridor
	//
	// The tuned set beats `final` by +37 Elo (+15 to +60), 1,200 pairs.
	//
	// > **Read this first**
	// >
	// > - `wall_bonus` stands at its upper bound; widen its range.
	//
	// ## Values
	//
	// | parameter | start | tuned |
	// |---|---:|---:|
	// | path_weight | 1.00 | 1.36 |
	// | wall_bonus | 12 | 50 |
	//
	// ![Effect of each parameter](figures/effects.svg)
	//
	// What each is worth.
	//
	// ## Provenance
	//
	// | what | value |
	// |---|---|
	// | seed | 42 |
}

// samplePage returns a page with blocks of every kind, and a table as wide as a tournament's.
func samplePage() Page {
	standings := Table{
		Caption: "Standings after all games that these players had against each other, with both colours in every opening, the strongest first",
		Columns: []Column{{Name: "player"}, {Name: "won", Right: true}, {Name: "drawn", Right: true}, {Name: "lost", Right: true}, {Name: "score", Right: true}, {Name: "Elo", Right: true}, {Name: "better than the next", Right: true}, {Name: "games", Right: true}, {Name: "seconds a game", Right: true}, {Name: "what it is"}},
		Strong:  []int{0},
	}
	for _, name := range []string{"tuned", "final,a_E=11", "a player with a long name"} {
		standings.Rows = append(standings.Rows, []string{name, "12,345", "123", "9,876", "55.5 % (54.1 to 56.9)", "+94.3 (+89.4 to +99.2)", "97.5 %", "22,344", "0.123", "a preset with three weights changed"})
	}
	return Page{
		Title:    "A sample",
		Subtitle: "tuning quoridor with `spsa`, 2026-11-21",
		Lead:     []string{"Nothing here was measured.", "The tuned set beats `final` by +37 Elo (+15 to +60) over 1,200 fresh pairs."},
		Warnings: []string{"Only 12 pairs were played."},
		Facts:    []Fact{{"command", "`go run ./cmd/tune --game quoridor --iters 1000`"}, {"seed", "42"}},
		Sections: []Section{
			{Title: "Table", Blocks: []Block{Text("Before."), Table{
				Caption: "Before and after",
				Columns: []Column{{Name: "parameter"}, {Name: "start", Right: true}, {Name: "tuned", Right: true}},
				Rows:    [][]string{{"`path_weight`", "1.00", "1.36"}, {"`wall_bonus`", "12", "31"}},
			}}},
			{Title: "Standings & more", Blocks: []Block{standings, Table{
				Columns: []Column{{Name: "pairs", Right: true}, {Name: "lost both", Right: true}, {Name: "split", Right: true}, {Name: "won both", Right: true}, {Name: "score", Right: true}, {Name: "Elo"}},
				Rows:    [][]string{{"300", "27", "181", "92", "60.8 %", "+76.5 ± 39.6 Elo (95 % at any time, 300 pairs)"}},
			}}},
			{Title: "Figure", Blocks: []Block{Plot{Name: "bars", Caption: "Two bars.", Figure: smallFigure()}, List{"one", "two"}, Code("a\nb")}},
			{Title: "Notes", Blocks: []Block{Text("First.")}},
			{Title: "Notes", Blocks: []Block{Text("Second.")}},
		},
	}
}

// TestContentsListSections has a page with many sections: it lists them, and the links lead
// there.
func TestContentsListSections(t *testing.T) {
	p := samplePage()
	page, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Markdown("")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`<li><a href="#([^"]*)">([^<]*)</a></li>`).FindAllSubmatch(page, -1) {
		got = append(got, string(m[1])+" "+string(m[2]))
		if n := bytes.Count(page, []byte(`<h2 id="`+string(m[1])+`">`+string(m[2])+"</h2>")); n != 1 {
			t.Errorf("%d headings for the link to %s", n, m[1])
		}
	}
	want := []string{"table Table", "standings--more Standings &amp; more", "figure Figure", "notes Notes", "notes-1 Notes", "provenance Provenance"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("contents (-want +got):\n%s", diff)
	}
	if want := "# A sample\n\ntuning quoridor with `spsa`, 2026-11-21\n\nNothing"; !strings.HasPrefix(string(text), want) {
		t.Errorf("the page begins %.80q, want %q", text, want)
	}
	if !bytes.Contains(page, []byte(`<p class="subtitle">tuning quoridor with <code>spsa</code>, 2026-11-21</p>`)) {
		t.Error("no subtitle")
	}
	p.Sections = p.Sections[:4]
	if page, err = p.HTML(); err != nil || bytes.Contains(page, []byte("Contents")) {
		t.Errorf("four sections are listed, error %v", err)
	}
}

// TestNumbersFollowLeftwardNames puts numbers after a name written from right to left, not
// between its words.
func TestNumbersFollowLeftwardNames(t *testing.T) {
	for text, want := range map[string]string{
		"שלום עולם 60.0 % against מחשב": "\u2068שלום עולם\u2069 60.0\u00a0% against \u2068מחשב\u2069",
		"Zoë 60.0 % against 棋手":         "Zoë 60.0\u00a0% against 棋手",
	} {
		if got := kept(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestFirstEloColumnStaysInSight: the first column of Elo is kept in sight.
func TestFirstEloColumnStaysInSight(t *testing.T) {
	for _, tt := range []struct {
		columns []Column
		want    int
	}{
		{[]Column{{Name: "player"}, {Name: "games", Right: true}, {Name: "Elo ±", Right: true}, {Name: "rung's Elo", Right: true}}, 2},
		{[]Column{{Name: "player"}, {Name: "Elo", Right: true}, {Name: "score", Right: true}}, 1},
		{[]Column{{Name: "pairs", Right: true}, {Name: "Elo"}}, 1},
		{[]Column{{Name: "about Elo"}, {Name: "Elongation", Right: true}}, -1},
		{nil, -1},
	} {
		if got := (Table{Columns: tt.columns}).key(); got != tt.want {
			t.Errorf("key of %v is %d, want %d", tt.columns, got, tt.want)
		}
	}
}

// TestPageFitsRealBrowser opens a page at the width of a desktop and of a phone. Wide tables
// use the page; on a phone the names and Elo stay in sight while the rest scrolls. No cell is
// cut, and the paper follows the reader's preference.
func TestPageFitsRealBrowser(t *testing.T) {
	html, err := samplePage().HTML()
	if err != nil {
		t.Fatal(err)
	}
	page := func(width int, dark bool) pagetest.Page {
		return pagetest.Page{Name: "sample", HTML: html, Width: width, Dark: dark}
	}
	pages := []pagetest.Page{page(1280, false), page(1280, true), page(400, false), page(400, true), page(599, false), page(601, false)}
	for i, seen := range pagetest.Check(t, map[string]int{"sample": 1}, pages...) {
		p, standings := pages[i], seen.Tables[1]
		for _, table := range seen.Tables {
			if len(table.Cut) > 0 {
				t.Errorf("at %d pixels cells are cut: %q", p.Width, table.Cut)
			}
			if len(table.Never) > 0 {
				t.Errorf("at %d pixels no scrolling shows all of the columns %q", p.Width, table.Never)
			}
		}
		if f := seen.Figures[0]; (f.Light < 0.5) != p.Dark || (f.Class == "narrow") != (p.Width < 600) {
			t.Errorf("at %d pixels, dark %v: the %s figure on paper of %.2f", p.Width, p.Dark, f.Class, f.Light)
		}
		switch {
		case p.Width == 1280 && standings.Needs > standings.Width:
			t.Errorf("at 1280 pixels the table has %v of %v", standings.Width, standings.Needs)
		case p.Width == 400 && (standings.Needs <= standings.Width || !slices.Equal(standings.Kept, []string{"player", "Elo"})):
			t.Errorf("at 400 pixels a table of %v in %v keeps %q in sight", standings.Needs, standings.Width, standings.Kept)
		case p.Width == 400 && !slices.Contains(seen.Tables[2].Kept, "Elo"):
			t.Errorf("at 400 pixels a table keeps only %q in sight", seen.Tables[2].Kept)
		}
	}
}

// TestSingleRowBecomesLinesOnPhone shows all columns of a table of one row.
func TestSingleRowBecomesLinesOnPhone(t *testing.T) {
	heads := strings.Fields("pairs lost_both drawn split one_and_half won_both score Elo")
	table := Table{Rows: [][]string{strings.Split("360,107,2,189,2,60,43.5 %,-45.6 ± 39.0 Elo (95 % at any time)", ",")}}
	for i, name := range heads {
		table.Columns = append(table.Columns, Column{Name: name, Right: i < 7})
	}
	html, err := Page{Title: "One", Sections: []Section{{Title: "Verification", Blocks: []Block{table}}}}.HTML()
	if err != nil {
		t.Fatal(err)
	}
	seen := pagetest.Check(t, map[string]int{"one": 0}, pagetest.Page{Name: "one", HTML: html, Width: 390})[0].Tables[0]
	if seen.Needs > seen.Width || !slices.Equal(seen.Kept, heads) || len(seen.Cut) > 0 {
		t.Errorf("of %v pixels %v are in sight: %q; cut: %q", seen.Needs, seen.Width, seen.Kept, seen.Cut)
	}
}

// TestBodyIsPageWithoutHead also checks that Style returns the style of the page.
func TestBodyIsPageWithoutHead(t *testing.T) {
	p := Page{Title: "A <page>", Lead: []string{"It says `x < y`."}}
	whole, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	body, err := p.Body()
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.TrimSpace(string(body)); !strings.Contains(string(whole), text) || !strings.HasPrefix(text, "<header") || strings.Contains(text, "<page>") {
		t.Errorf("the body is not that of the page:\n%s", body)
	}
	plain := func(css string) string { // templates leave out comments
		return strings.Join(strings.Fields(regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(css, "")), " ")
	}
	if style := Style(); !strings.Contains(plain(string(whole)), plain(style)) || strings.Contains(style, "{{") || !strings.Contains(style, "h1 {") {
		t.Errorf("the style is not that of the page:\n%s", style)
	}
}
