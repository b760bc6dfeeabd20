package analysis

import (
	"slices"
	"testing"
)

// TestLeading: what is named stands with its interval, and was shown to matter: a wide
// interval, and an interaction of a parameter that was not shown to matter, are left out.
func TestLeading(t *testing.T) {
	s := &Analysis{
		Importance: []importance{
			{Parameter: "a", Loss: span{25.9, 4.8, 47}}, {Parameter: "b", Loss: span{18, 15, 21}}, {Parameter: "c", Loss: span{8, 6, 10}},
			{Parameter: "d", Loss: span{3, -1, 7}},
		},
		Interactions: []interaction{
			{Parameters: [2]string{"b", "d"}, span: span{11.8, 9, 14.6}, Sure: true}, {Parameters: [2]string{"b", "c"}, span: span{-6, -8, -4}, Sure: true},
			{Parameters: [2]string{"a", "b"}, span: span{2, .1, 3.9}, Sure: true},
		},
	}
	if got := s.Leading(); !slices.Equal(got, []string{"b (18.0 ± 3.0 Elo a step)", "c (8.0 ± 2.0 Elo a step)"}) {
		t.Errorf("%q", got)
	}
	if got := s.Joint(); !slices.Equal(got, []string{"b with c (-6.0 ± 2.0 Elo)"}) {
		t.Errorf("%q", got)
	}
}
