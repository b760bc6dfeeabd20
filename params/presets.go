package params

import (
	"fmt"
	"maps"
	"slices"
)

// decodePresets reads [[preset]] tables: name, doc, an optional base (an
// earlier preset; else the defaults), late (see Preset) and the values that differ from it. Every
// key is checked; errors carry file, line and remedy.
func decodePresets(filename string, data []byte, space Space) ([]Preset, error) {
	doc, err := presetTables(filename, data)
	if err != nil {
		return nil, err
	}
	var presets []Preset
	for _, p := range doc.Preset {
		base := space.Default()
		if p.Base != "" {
			found := false
			for _, q := range presets {
				if q.Name == p.Base {
					base, found = q.Vector, true
				}
			}
			if !found {
				return nil, fmt.Errorf("%s: preset %q: base %q is not an earlier preset", filename, p.Name, p.Base)
			}
		}
		v, err := space.Fill(filename, func() map[string]int { return p.lines }, base, p.Values)
		if err != nil {
			return nil, err
		}
		presets = append(presets, Preset{Name: p.Name, Doc: p.Doc, Vector: v, Added: p.Added})
	}
	return presets, nil
}

// MustPresets decodes the presets of an embedded file, as [[preset]] tables of the space's
// parameters. filename only names the file in errors. It panics on an error, because a test of
// the game finds such an error first.
func MustPresets(filename string, data []byte, space Space) []Preset {
	presets, err := decodePresets(filename, data, space)
	if err != nil {
		panic(err)
	}
	return presets
}

// Fill returns a copy of base with the values of a TOML table applied. Names are taken in
// order, so the first error does not depend on map order. lines returns the line of each key;
// it is called for an error only, because it reads the file again. An error names filename,
// line and the allowed range.
func (s Space) Fill(filename string, lines func() map[string]int, base Vector, values map[string]any) (Vector, error) {
	at := func(name string) string {
		if line := lines()[name]; line > 0 {
			return fmt.Sprintf("%s:%d", filename, line)
		}
		return filename
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, err := s.Lookup(name); err != nil {
			return nil, fmt.Errorf("%s: %w", at(name), err)
		}
	}
	v := base.Clone()
	for i, p := range s {
		raw, ok := values[p.Name]
		if !ok {
			continue
		}
		x, err := p.fromTOML(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at(p.Name), err)
		}
		v[i] = x
	}
	return v, nil
}

// fromTOML converts a value of a presets file, a number or a label, and checks it. raw is an
// int64, float64, string or bool. The error names the parameter and the allowed values.
func (p Param) fromTOML(raw any) (float64, error) {
	switch x := raw.(type) {
	case int64:
		return float64(x), p.Check(float64(x))
	case float64:
		return x, p.Check(x)
	case string:
		for i, label := range p.Labels {
			if label == x {
				return float64(i), nil
			}
		}
		return 0, fmt.Errorf("%s = %q; allowed: %s", p.Name, x, p.Range())
	}
	return 0, fmt.Errorf("%s has a value of another type; allowed: %s", p.Name, p.Range())
}
