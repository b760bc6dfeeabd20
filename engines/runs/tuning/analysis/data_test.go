package analysis

import (
	"slices"
	"testing"
)

// TestLeadingNamesShownParameters leaves out wide intervals, and interactions of parameters that
// were not shown to matter.
func TestLeadingNamesShownParameters(t *testing.T) {
	s := &Analysis{
		Unit: "Elo",
		Importance: []importance{
			{Parameter: "a", Loss: claim(25.9, 4.8, 47)}, {Parameter: "b", Loss: claim(18, 15, 21)}, {Parameter: "c", Loss: claim(8, 6, 10)},
			{Parameter: "d", Loss: claim(3, -1, 7)},
		},
		Interactions: []interaction{
			{Parameters: [2]string{"b", "d"}, Claim: claim(11.8, 9, 14.6)}, {Parameters: [2]string{"b", "c"}, Claim: claim(-6, -8, -4)},
			{Parameters: [2]string{"a", "b"}, Claim: claim(2, .1, 3.9)},
		},
	}
	if got := s.Leading(); !slices.Equal(got, []string{"b (18.0 ± 3.0 Elo a step)", "c (8.0 ± 2.0 Elo a step)"}) {
		t.Errorf("%q", got)
	}
	if got := s.Joint(); !slices.Equal(got, []string{"b with c (-6.0 ± 2.0 Elo)"}) {
		t.Errorf("%q", got)
	}
}

func claim(elo, low, high float64) Claim {
	return Claim{span{elo, low, high}, 1000, low > 0 || high < 0}
}
