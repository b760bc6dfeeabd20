package params

import (
	"fmt"
	"strings"
	"testing"
)

// TestSuggestNearestOrList corrects a name that is near another, and lists the known names for others.
func TestSuggestNearestOrList(t *testing.T) {
	var long []string
	for i := range 41 {
		long = append(long, fmt.Sprintf("value_%d", i))
	}
	for _, c := range []struct {
		name, want string
		known      []string
	}{
		{"a_e", "; did you mean a_E?", []string{"a_E", "b_gain"}},
		{"port", "; known: cert, listen", []string{"cert", "listen"}},
		{"jsno", "; did you mean json?", []string{"json", "listen"}},
		{"speed", "; known: a_E, b_gain", []string{"a_E", "b_gain"}},
		{"pawn", "; known: value_0, value_1, ", long},
		{"pawn", "value_9, ... (41 in all)", long},
		{"pawn", "", nil},
	} {
		if got := Suggest(c.name, c.known); !strings.Contains(got, c.want) || (got == "") != (c.known == nil) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
