package tomlx

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/params"
)

// keyed has every kind of place that a key can lead to.
type keyed struct {
	keyedInner
	Named   int `toml:"other_name"`
	Plain   string
	When    time.Time      `toml:"when"`
	Hidden  int            `toml:"-"`
	Inner   keyedInner     `toml:"inner"`
	Pointer *keyedInner    `toml:"pointer"`
	List    []keyedInner   `toml:"list"`
	Map     map[string]int `toml:"map"`
	Tables  map[string]keyedInner
	Any     any `toml:"any"`
}

type keyedInner struct {
	A int     `toml:"a"`
	B []int   `toml:"b"`
	C float64 `toml:"c,omitempty"`
}

var keyedDocuments = []string{
	"", "a = 1\nother_name = 2\nplain = 'x'\nPLAIN = 'y'\nwhen = 2026-01-01T00:00:00Z\n", "plain = 'x'\nnamed = 1\n", "hidden = 1\n", "Hidden = 1\n\"-\" = 2\n",
	"keyedInner = {a = 1}\n", "keyedinner.a = 1\n",
	"[inner]\na = 1\nx = 2\ny = 3\n", "inner.a = 1\ninner.x.y = 2\n", "inner = {a = 1, b = [1, 2], x = 3}\n", "[inner.x]\na = 1\n[other]\n",
	"[pointer]\nc = 1.5\nd = 1\n", "[[list]]\na = 1\n[[list]]\nx = 1\n", "list = [{a = 1}, {a = 1, x = 2}]\n",
	"[map]\nx = 1\ny = 2\n", "[tables.one]\na = 1\n[tables.two]\nx = 1\n", "tables = {one = {a = 1}, two = {z = 1}}\n",
	"[any]\nx = {y = [{z = 1}]}\n[any.deep.er]\nx = 1\n", "[none]\na = 1\n", "[[none]]\n", "# x\n\n'quoted key' = 1\n", "a.b = 1\n",
	"[inner]\n# nothing\n\n[map]\nx = 1\n[inner2]\n",
}

// TestUnknownKeyAsLibraryFindsIt finds the same first unknown key and line as the library.
func TestUnknownKeyAsLibraryFindsIt(t *testing.T) {
	unknown := 0
	for _, document := range keyedDocuments {
		if sameUnknownKey(t, []byte(document)) {
			unknown++
		}
	}
	if unknown < 12 {
		t.Errorf("only %d documents have an unknown key; the test has lost its grip", unknown)
	}
}

func sameUnknownKey(t *testing.T, document []byte) (unknown bool) {
	t.Helper()
	var into keyed
	err := toml.NewDecoder(bytes.NewReader(document)).DisallowUnknownFields().Decode(&into)
	strict, ok := errors.AsType[*toml.StrictMissingError](err)
	if err != nil && !ok {
		return false
	}
	w := walkKeys(document, reflect.TypeFor[*keyed]())
	key, line := w.found, w.line
	if !ok {
		if key != "" {
			t.Errorf("%q: found %q in line %d, the library finds none", document, key, line)
		}
		return false
	}
	// The library also names the rest of a dotted key after its first unknown part. It does not
	// name the table to which an inline table belongs.
	wantLine, _ := strict.Errors[0].Position()
	want := strings.Join(strict.Errors[0].Key(), ".")
	if key == "" || line != wantLine || !strings.HasPrefix(want, key) && !strings.HasSuffix(key, want) {
		t.Errorf("%q: found %q in line %d, the library finds %q in line %d", document, key, line, want, wantLine)
	}
	return true
}

// TestManyUnknownKeysCostOneRead bounds the memory of a document of unknown keys only: the library would
// split it anew for each.
func TestManyUnknownKeysCostOneRead(t *testing.T) {
	if testing.Short() {
		t.Skip("short: reads large files")
	}
	for _, document := range []string{
		strings.Join(rows(16_000, "key%d = 1"), "\n"), "any = 1\nx = {" + strings.Join(rows(16_000, "key%d = 1"), ", ") + "}", strings.Join(rows(16_000, "[table%d]"), "\n"),
	} {
		var into keyed
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := Decode("x", []byte(document), &into, nil)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), ": unknown key ") {
			t.Errorf("%.20s: %v", document, err)
		}
		if per := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(document)); per == 0 || per > 100 {
			t.Errorf("%.20s: %.0f bytes of memory a byte", document, per)
		}
	}
}

// TestFormerNamesAreRead reads keys by the names of older files, at any depth. Errors keep
// their lines.
func TestFormerNamesAreRead(t *testing.T) {
	type inner struct {
		Deep int `toml:"deep" alias:"low,lower"`
	}
	type file struct {
		Wide  int     `toml:"wide" alias:"broad"`
		Broad string  `toml:"other"`
		In    inner   `toml:"in" alias:"within"`
		List  []inner `toml:"list"`
	}
	want := file{Wide: 1, Broad: "x", In: inner{2}, List: []inner{{3}, {4}, {5}}}
	for _, document := range []string{
		"wide = 1\nother = 'x'\nlist = [{deep = 3}, {deep = 4}, {deep = 5}]\n[in]\ndeep = 2\n",
		"broad = 1\nother = 'x'\nlist = [{low = 3}, {lower = 4}, {deep = 5}]\n[within]\nlow = 2\n",
		"'broad' = 1\nother = 'x'\nwithin.lower = 2\n[[list]]\nlow = 3\n[[list]]\nlower = 4\n[[list]]\ndeep = 5\n",
	} {
		var got file
		if err := Decode("x", []byte(document), &got, nil); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", document, got, err)
		}
	}
	for document, message := range map[string]string{
		"broad = 1\nwide = 2\n": "x:2", "broad = 1\n\nlow = 1\n": `x:3: unknown key "low"`, "broad = 1\nwithin = {low = 'a'}": "x:2:",
	} {
		if err := Decode("x", []byte(document), &file{}, nil); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%q: %v", document, err)
		}
	}
}

func rows(n int, format string) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf(format, i))
	}
	return lines
}

// TestErrorsUsePlainWords names a program in place of a file, and reports errors without Go types.
func TestErrorsUsePlainWords(t *testing.T) {
	for document, want := range map[string]string{
		"\x7fELF\x02\x01\x01\x00":         "x is no text; a program is named in an engine file",
		"#!/usr/bin/env python3\nx = 1\n": "x is a script; a program is named in an engine file",
		"plain = 1":                       "x:1:9: plain: integer in the place of a text in quotes",
		"list = 'a'":                      "x:1:8: list: string in the place of a list in [ ]",
		"[[list]]\na = 1.5":               "x:2:5: list.a: float in the place of a whole number",
		"inner = {c = 'x'}":               "x:1:14: inner: string in the place of a number",
		"[plain]\na = 1":                  "x:1:2: plain: table in the place of a text in quotes",
		"map = 1":                         "x:1:7: map: integer in the place of a table",
		"[map]\nmy key = 1":               "(a key with spaces stands in quotes)",
		`plain = "C:\some\x.exe"`:         "such as 'C:\\engine.exe', stands in single quotes",
		`plain = "C:\users\x.exe"`:        "such as 'C:\\engine.exe', stands in single quotes",
		"plain = ./x":                     "(a text stands in quotes)",
	} {
		err := DecodeAny("x", []byte(document), &keyed{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", document, err, want)
		}
	}
}

// TestDecodeTakesMarksAndManyKeys reads a byte order mark and thousands of unknown keys.
func TestDecodeTakesMarksAndManyKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("short: decodes large files")
	}
	var doc struct {
		Game   string         `toml:"game"`
		Values map[string]any `toml:"values"`
	}
	if err := Decode("f.toml", []byte("\ufeffgame = 'g'\n[values]\na = 1\n"), &doc, nil); err != nil || doc.Game != "g" {
		t.Errorf("with a byte order mark: %+v, %v", doc, err)
	}
	wide := "\xff\xfe" + strings.Join(strings.Split("game='h'", ""), "\x00") + "\x00"
	if err := Decode("f.toml", []byte(wide), &doc, nil); err != nil || doc.Game != "h" {
		t.Errorf("in UTF-16: %+v, %v", doc, err)
	}
	for _, text := range []string{"\xff\xfeg\x00 \x00\x2d\x4e", "\xfe\xff\x00g\x00 \x4e\x2d"} {
		if got := WithoutMark([]byte(text)); string(got) != "g 中" {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	if line := KeyLines([]byte("\ufeffgame = 'g'\n[values]\na = 1\n"))["values"]["a"]; line != 3 {
		t.Errorf("with a byte order mark a is in line %d", line)
	}
	var text strings.Builder
	for i := range 16_000 {
		fmt.Fprintf(&text, "key%d = 1\n", i)
	}
	data := []byte("game = 'g'\n" + text.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := Decode("f.toml", data, &doc, params.Suggest)
	runtime.ReadMemStats(&after)
	if err == nil || err.Error() != `f.toml:2: unknown key "key0"; known: game, values` {
		t.Error(err)
	}
	if per := (after.TotalAlloc - before.TotalAlloc) / uint64(len(data)); per > 100 {
		t.Errorf("%d bytes of memory a byte", per)
	}
}
