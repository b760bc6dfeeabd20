package params

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A byte order mark and thousands of unknown keys are nothing to a file.
func TestDecodeStrictBounds(t *testing.T) {
	var doc struct {
		Game   string         `toml:"game"`
		Values map[string]any `toml:"values"`
	}
	if err := DecodeStrict("f.toml", []byte("\ufeffgame = 'g'\n[values]\na = 1\n"), &doc); err != nil || doc.Game != "g" {
		t.Errorf("with a byte order mark: %+v, %v", doc, err)
	}
	if line := KeyLines([]byte("\ufeffgame = 'g'\n[values]\na = 1\n"), "values")["a"]; line != 3 {
		t.Errorf("with a byte order mark a is in line %d", line)
	}
	var text strings.Builder
	for i := range 16_000 {
		fmt.Fprintf(&text, "key%d = 1\n", i)
	}
	data := []byte("game = 'g'\n" + text.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := DecodeStrict("f.toml", data, &doc)
	runtime.ReadMemStats(&after)
	if err == nil || err.Error() != `f.toml:2: unknown key "key0"; known: game, values` {
		t.Error(err)
	}
	if per := (after.TotalAlloc - before.TotalAlloc) / uint64(len(data)); per > 100 {
		t.Errorf("%d bytes of memory a byte", per)
	}
}

// The line of an unknown parameter is found among as many as a file may hold without
// counting the lines before each of them, and more are refused.
func TestManyUnknownParameters(t *testing.T) {
	var b strings.Builder
	b.WriteString("game = 'g'\n[values]\n")
	for i := range 16_000 {
		fmt.Fprintf(&b, "unknown%06d = 1\n", 16_000-i)
	}
	_, err := Decode("f.toml", []byte(b.String()), "g", Space{{Name: "a", Max: 1}})
	if err == nil || !strings.HasPrefix(err.Error(), "f.toml:16002: ") {
		t.Errorf("%v", err)
	}
	_, err = Decode("f.toml", []byte(strings.Repeat(b.String(), 20)), "g", Space{{Name: "a", Max: 1}})
	if err == nil || !strings.Contains(err.Error(), "it has about 320020 keys; want at most 20000") {
		t.Errorf("%v", err)
	}
}
