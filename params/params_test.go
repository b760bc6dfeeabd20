package params

import (
	"math"
	"slices"
	"strings"
	"testing"
)

var space = Space{
	{Name: "a_E", Doc: "path", Min: -20, Max: 100, Default: 22, Step: 3},
	{Name: "dist", Doc: "steps", Min: 0, Max: 9, Default: 4, Step: 1, Whole: true},
	{Name: "C", Doc: "UCB", Min: 0.05, Max: 4, Default: 1.4, Step: 0.3, Log: true},
	{Name: "loop", Doc: "which", Max: 1, Whole: true, Frozen: true, Labels: []string{"source", "standard"}},
}

func TestPresetsExtendTheirBase(t *testing.T) {
	text := "[[preset]]\nname=\"a\"\n[preset.values]\na_E=1\n[[preset]]\nname=\"b\"\nbase=\"a\"\n[preset.values]\ndist=2\n"
	presets, err := decodePresets("p.toml", []byte(text), space)
	if err != nil || len(presets) != 2 || !slices.Equal(presets[1].Vector, Vector{1, 2, 1.4, 0}) {
		t.Errorf("%+v, %v", presets, err)
	}
	for text, want := range map[string]string{
		"[[preset]]\nname=\"b\"\nbase=\"a\"":                                            "not an earlier preset",
		"[[preset]]\nname=\"a\"\n[preset.values]\n\n[[preset]]\n[preset.values]\nz = 3": "p.toml:7: unknown parameter",
	} {
		if _, err := decodePresets("p.toml", []byte(text), space); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSetAppliesAssignments(t *testing.T) {
	v, err := space.Set(space.Default(), []string{"a_E=-3.5", " loop = standard"})
	if err != nil || !slices.Equal(v, Vector{-3.5, 4, 1.4, 1}) {
		t.Errorf("%v, %v", v, err)
	}
	for text, want := range map[string]string{
		"a_E": "name=value", "q=1": "unknown parameter", "a_E=NaN": "finite", "a_E=x": "not a value",
		"dist=12": "whole, 0 to 9", "loop=2": "source | standard",
	} {
		if _, err := space.Set(space.Default(), []string{text}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestActiveTakesOnlyAndFreeze(t *testing.T) {
	for _, c := range []struct {
		only, freeze []string
		want         []int
	}{
		{nil, nil, []int{0, 1, 2}},
		{nil, []string{"C"}, []int{0, 1}},
		{[]string{"loop", "a_E"}, nil, []int{0, 3}},
	} {
		if got, err := space.Active(c.only, c.freeze); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v %v: %v, %v", c.only, c.freeze, got, err)
		}
	}
	if _, err := space.Active([]string{"zz"}, nil); err == nil {
		t.Error("unknown name taken")
	}
	if _, err := space.Active(nil, []string{"zz"}); err == nil {
		t.Error("unknown name taken")
	}
}

func TestCoordinatesInvertValues(t *testing.T) {
	for _, p := range space[:3] {
		lo, hi := p.Bounds()
		for i := range 11 {
			u := lo + (hi-lo)*float64(i)/10
			x := p.Value(u)
			if x < p.Min || x > p.Max || math.Abs(p.Coordinate(x)-u) > 1e-4*(hi-lo) {
				t.Errorf("%s: coordinate %v, value %v, back %v", p.Name, u, x, p.Coordinate(x))
			}
		}
		if p.Value(lo-5) != p.Min || p.Value(hi+5) != p.Max {
			t.Errorf("%s: values beyond the bounds are not clipped", p.Name)
		}
	}
}
