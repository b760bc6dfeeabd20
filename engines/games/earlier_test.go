package games

import (
	"context"
	"slices"
	"strings"
	"testing"

	"selfplaylab/engines"
)

// TestRecordsBeforeAddedParametersPlay reads and plays records from before parameters were
// added. Other records that lack parameters are errors.
func TestRecordsBeforeAddedParametersPlay(t *testing.T) {
	tried := 0
	for _, g := range Games() {
		var before []string
		for _, p := range g.Space {
			if !p.Added {
				before = append(before, p.Name)
			}
		}
		if len(before) == len(g.Space) {
			continue
		}
		tried++
		r := Recorded{Game: g.Name, Version: g.Version, Rules: "", Parameters: before}
		v, err := r.Open()
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Game.Space.Names(); !slices.Equal(got, before) || len(v.Game.Presets) == 0 {
			t.Errorf("%s: parameters %v, %d presets", g.Name, got, len(v.Game.Presets))
		}
		now, err := g.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range v.Game.Presets {
			full, err := g.Preset(p.Name)
			if err != nil {
				t.Fatal(err)
			}
			was, got := choice(t, v, p.Vector), choice(t, now, full.Vector)
			if was != got {
				t.Errorf("%s, %s: chose %+v, now %+v", g.Name, p.Name, was, got)
			}
		}
		if v.Evaluate != nil {
			if _, err := v.Evaluate("", nil, v.Game.Presets[0].Vector); err != nil {
				t.Error(err)
			}
		}
		r.Parameters = before[1:]
		if _, err := r.Open(); err == nil || !strings.Contains(err.Error(), "has other parameters") {
			t.Errorf("%s without %s: %v", g.Name, before[0], err)
		}
		r.Parameters = append(slices.Clone(before), "more")
		if _, err := r.Open(); err == nil {
			t.Errorf("%s with a parameter that it does not have is opened", g.Name)
		}
	}
	if tried < 3 {
		t.Errorf("%d games have late parameters", tried)
	}
}

// choice returns a player's first move.
func choice(t *testing.T, v engines.Variant, vector []float64) engines.Decision {
	t.Helper()
	p := v.NewPlayer()
	if err := p.Configure(vector); err != nil {
		t.Fatal(err)
	}
	if err := p.Reset("", 7); err != nil {
		t.Fatal(err)
	}
	limits := v.Game.Limits
	if limits.Playouts > 0 {
		limits.Playouts = 200
	}
	d, err := p.Choose(context.Background(), nil, limits)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
