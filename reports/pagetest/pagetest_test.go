package pagetest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func document(body string) []byte {
	return []byte(`<!doctype html><html><head><title>t</title></head><body style="margin:0">` + body + `</body></html>`)
}

const drawing = `<figure style="margin:0"><div class="wide"><svg width="300" height="100" font-family="Arial"><text y="20" font-size="12">Good</text><rect y="30" width="200" height="50" fill="#0072B2"/></svg></div></figure>`

// TestBrowserFindsFaults has a page for each kind of fault.
func TestBrowserFindsFaults(t *testing.T) {
	cases := []struct {
		name, body string
		want       []string // parts of its faults, in order
	}{
		{"good", drawing + `<div style="overflow-x:auto"><div style="width:3000px">wide, but scrolled inside</div></div>`, nil},
		{"too wide", drawing + `<div style="width:900px">x</div>`, []string{"sticks out by 300 pixels"}},
		{"picture", drawing + `<img src="https://example.org/a.png">`, []string{"img-src https://example.org"}},
		{"style", drawing + `<div style="background:url(https://example.org/b.png)">x</div>`, []string{"img-src https://example.org"}},
		{"script", drawing + `<script>document.body.append("x")</script>`, []string{"script-src-elem inline"}},
		{"frame", drawing + `<iframe src="https://example.org/"></iframe>`, []string{"frame-src https://example.org"}},
		{"white", strings.ReplaceAll(strings.ReplaceAll(drawing, "#0072B2", "#fff"), "<text", `<text fill="#fff"`), []string{`nothing is to be seen of figure "Good"`}},
		{"covered", drawing + `<div style="position:absolute;top:0;left:0;width:600px;height:200px;background:#fff"></div>`, []string{"nothing is to be seen"}},
		{"tiny", strings.Replace(drawing, `width="300"`, `width="30"`, 1), []string{"is only 30 by 100"}},
		{"beside", `<div style="overflow:hidden"><div style="margin-left:500px;width:300px">` + drawing + `</div></div>`, []string{"reaches from 500 to 800"}},
	}
	var pages []Page
	for _, c := range cases {
		pages = append(pages, Page{Name: c.name, HTML: document(c.body), Width: 600})
	}
	for i, seen := range look(t, pages...) {
		got, want := seen.Faults(pages[i]), cases[i].want
		for k := range max(len(got), len(want)) {
			if k >= len(got) || k >= len(want) || !strings.Contains(got[k], want[k]) {
				t.Errorf("%s: faults %q, want %q", cases[i].name, got, want)
				break
			}
		}
	}
}

// TestHiddenElementsDoNotCount hides elements by a style, at any width.
func TestHiddenElementsDoNotCount(t *testing.T) {
	body := `<style>@media (max-width: 500px) { .wide { display: none } }</style>` + drawing
	seen := look(t, Page{Name: "wide", HTML: document(body), Width: 800}, Page{Name: "narrow", HTML: document(body), Width: 390})
	if len(seen[0].Figures) != 1 || len(seen[1].Figures) != 0 || len(seen[1].Texts) != 0 {
		t.Errorf("%+v", seen)
	}
	if f := seen[0].Figures[0]; f.Class != "wide" || f.Title != "Good" || f.Ink < 0.3 || f.Ink > 0.4 {
		t.Errorf("%+v", f)
	}
	if x := seen[0].Texts[0]; x.Text != "Good" || x.Size != 12 || x.Bold || x.Width < 15 || x.Width > 60 {
		t.Errorf("%+v", x)
	}
}

// TestFoldedSectionsAndScalesCount opens sections, also one in another, and finds a scale
// outside a figure.
func TestFoldedSectionsAndScalesCount(t *testing.T) {
	scale := strings.NewReplacer(`<figure style="margin:0"><div class="wide">`, `<div class="scale">`, "</div></figure>", "</div>").Replace(drawing)
	body := scale + `<details><summary>more</summary>` + drawing + `<details><summary>most</summary>` + drawing + `</details></details>`
	p := Page{Name: "folded", HTML: document(body), Width: 600}
	seen := Check(t, map[string]int{"folded": 3}, p)[0]
	if len(seen.Figures) != 3 || seen.Figures[0].Class != "scale" || len(seen.Texts) != 3 {
		t.Errorf("%+v", seen)
	}
}

// TestPageFollowsPreferenceForDark shows a page to readers of either preference.
func TestPageFollowsPreferenceForDark(t *testing.T) {
	body := `<style>:root { color-scheme: light dark } @media (prefers-color-scheme: dark) { body { background: #111 } }</style>` + drawing
	seen := look(t, Page{Name: "light", HTML: document(body), Width: 600}, Page{Name: "dark", HTML: document(body), Width: 600, Dark: true})
	if light, dark := seen[0].Figures[0], seen[1].Figures[0]; light.Light < 0.99 || dark.Light > 0.1 || dark.Ink < 0.3 || dark.Ink > 0.4 {
		t.Errorf("light: %+v; dark: %+v", light, dark)
	}
}

// TestVisibleColumnsAreFound scrolls tables: some columns are always in sight, some never.
func TestVisibleColumnsAreFound(t *testing.T) {
	const style = `<style>.table { width: 200px; overflow-x: auto } th, td { padding: 0 } td > div, th > div { width: 90px }
		.kept { position: sticky; left: 0; background: #fff } .wide > div { width: 180px } .cut > div { overflow: hidden; white-space: nowrap }</style>`
	const html = `<div class="table"><table><thead><tr><th class="kept"><div>a</div></th><th><div>b</div></th><th class="wide"><div>c</div></th><th><div>d</div></th></tr></thead>
		<tbody><tr><td class="kept"><div>1</div></td><td><div>2</div></td><td class="wide"><div>3</div></td><td class="cut"><div>a long text in a short cell</div></td></tr></tbody></table></div>`
	seen := look(t, Page{Name: "tables", HTML: document(style + html + drawing), Width: 600})[0]
	want := table{Width: 200, Needs: seen.Tables[0].Needs, Cut: []string{"a long text in a short cell"}, Kept: []string{"a"}, Never: []string{"c"}}
	if diff := cmp.Diff([]table{want}, seen.Tables); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
	if seen.Tables[0].Needs < 450 {
		t.Errorf("the table needs %v", seen.Tables[0].Needs)
	}
}
