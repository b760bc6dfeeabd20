package text

import (
	"bytes"
	"slices"
	"testing"
)

// TestNumbersReadWell formats numbers as people read them.
func TestNumbersReadWell(t *testing.T) {
	for want, got := range map[string]string{
		"12,345": Count(12345), "1 pair": Plural(1, "pair"), "2,000 pairs": Plural(2000, "pair"), "3 plies": Plural(3, "ply"), "0 games": Plural(0, "game"),
		"12.3 %": Percent(0.123), "95 %": Level(0.95), "99.99 %": Level(0.9999),
		"−1,234.50": Number(-1234.5, 2), "0.0": Number(-0.04, 1), "0.00": Signed(-0.004, 2), "-0.01": Signed(-0.01, 2), "+7.0": Signed(7, 1),
		"-1.5": Fixed(-1.5, 1), "0.0 ± 0.4": PlusMinus(-0.01, 0.4, 1), "from 0 to +2": Ends(-0.4, 2, 0),
		"4183": Figures(4183.4, 3), "-4.93": Figures(-4.93256, 3), "7.2e-07": Figures(7.2e-7, 3), "-20000": Figures(-2e4, 4),
		"0.1250": Digits(0.12497411539960003, 4), "3,141,593": Digits(3141592.7, 3), "0": Digits(0, 3),
		"12 s": Span(12), "1.5 min": Span(90), "5.0 h": Span(18000), "40 days": Span(40 * 86400), "unknown": Span(-1), "more than 1,000 years": Span(1e12),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTableAlignsColumns(t *testing.T) {
	var out bytes.Buffer
	Table{}.Print(&out)
	Table{{"name", "n"}, {"½", "10"}, {"a longer one", ""}}.Print(&out, 1)
	want := "name           n\n½             10\na longer one\n"
	if out.String() != want {
		t.Errorf("table\n%swant\n%s", &out, want)
	}
}

// TestWrapBreaksBetweenWords breaks between words and nowhere else.
func TestWrapBreaksBetweenWords(t *testing.T) {
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
}
