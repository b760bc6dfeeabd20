package cli

import (
	"bytes"
	"slices"
	"testing"
)

// TestWrap breaks between words and nowhere else.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, nil},
		{"  ", 10, nil},
		{"one two three", 7, []string{"one two", "three"}},
		{"one incomprehensible word", 6, []string{"one", "incomprehensible", "word"}},
		{"± ± ±", 3, []string{"± ±", "±"}},
	} {
		if got := Wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
	if w := Width(&bytes.Buffer{}); w != 80 {
		t.Errorf("%d columns where there is no terminal", w)
	}
}
