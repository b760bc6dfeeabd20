package tuning

import (
	"slices"
	"testing"

	"selfplaylab/params"
)

// TestMeanOfEachScale averages numbers in their scale and directions of ratios at their mean
// length, and takes the most frequent name.
func TestMeanOfEachScale(t *testing.T) {
	space := params.Space{
		{Name: "x", Min: -10, Max: 10, Step: 1},
		{Name: "n", Max: 10, Step: 1, Whole: true},
		{Name: "c", Min: .01, Max: 100, Step: .1, Log: true},
		{Name: "mode", Max: 2, Whole: true, Labels: []string{"a", "b", "c"}},
		{Name: "p", Min: -10, Max: 10, Step: 1, Ratio: "r"},
		{Name: "q", Min: -10, Max: 10, Step: 1, Ratio: "r"},
		{Name: "kept", Max: 1, Step: 1},
	}
	vectors := []params.Vector{{1, 3, 1, 2, 1, 0, .5}, {2, 4, 10, 1, 0, 3, .5}, {6, 4, 10, 1, 2, 0, .5}}
	got := meanOf(space, []int{0, 1, 2, 3, 4, 5}, vectors)
	if want := (params.Vector{3, 4, 4.64159, 1, 1.78885, .894427, .5}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if part := meanOf(space, []int{4}, vectors); part[4] != 1 || part[5] != 0 {
		t.Errorf("a part of the group: %v", part)
	}
}
