// Package params describes tunable parameters: a Space of named numbers, the Vectors in it,
// and the Tuner interface, by which an optimiser proposes trials and learns their scores. It
// knows no game, match or clock.
package params

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Param describes one tunable number, in the units of its game. A Param is not changed
// once its space is in use.
type Param struct {
	Name string `toml:"name"` // as in code, flags, files and charts; unique in its space
	Doc  string `toml:"doc"`  // the meaning, in one line
	Unit string `toml:"unit"` // "" if it has none

	Min     float64 `toml:"min"`     // inclusive, below Max unless there is a single label
	Max     float64 `toml:"max"`     // inclusive
	Default float64 `toml:"default"` // played unless another value is given; in the range
	// Step is a change worth trying, the natural scale of the parameter for tuners. Values
	// between steps are allowed. It is in natural units, or for a Log parameter in units of
	// ln(value); 0 counts as 1.
	Step float64 `toml:"step"`

	// Ratio names a group of parameters of which only the ratios matter, such as the weights of
	// an evaluation whose sign alone decides; "" for none. If a whole group is tuned, its
	// common scale drifts by chance.
	Ratio string `toml:"ratio,omitempty"`

	Whole  bool `toml:"whole"`  // takes whole values only
	Log    bool `toml:"log"`    // tuners move ln(value); needs Min > 0
	Frozen bool `toml:"frozen"` // left out of tuning unless named
	// Added marks a parameter that was added after games of its game were published. At its
	// default the player must play as before the parameter existed, so that these games repeat.
	// The default is not part of a player's identity.
	Added  bool     `toml:"-"`
	Labels []string `toml:"-"` // names of the values 0, 1, ... by index; implies Whole, Min 0, Max len-1
}

// Space is an ordered list of parameters. Every Vector of the space has their order.
type Space []Param

// Vector holds one value for each Param of a Space, in natural units.
type Vector []float64

// Preset is a named, documented Vector of a game.
type Preset struct {
	Name, Doc string // unique in its game; Doc is one line
	Vector    Vector // complete: one value for each parameter
	// Added marks a preset that was added after games of its game were published.
	// Tournaments and pools leave it out if the user names no players, so that those
	// games repeat.
	Added bool
}

// Clone returns a copy that shares no memory with v.
func (v Vector) Clone() Vector { return slices.Clone(v) }

// Essence returns the values of a vector that identify a player: all except those of added
// parameters at their defaults. Values beyond the space count; with a nil space all count. The
// caller owns the result.
func (s Space) Essence(v Vector) Vector {
	kept := make(Vector, 0, len(v))
	for i, x := range v {
		if i >= len(s) || !s[i].Added || x != s[i].Default {
			kept = append(kept, x)
		}
	}
	return kept
}

// Default returns a new vector of the parameters' defaults.
func (s Space) Default() Vector {
	v := make(Vector, len(s))
	for i, p := range s {
		v[i] = p.Default
	}
	return v
}

// Index returns the position of the named parameter, or -1 if s has none.
func (s Space) Index(name string) int {
	return slices.IndexFunc(s, func(p Param) bool { return p.Name == name })
}

// Texts returns the values of a vector of s as overrides, NAME=VALUE, in order.
func (s Space) Texts(v Vector) (list []string) {
	for i, x := range v {
		list = append(list, s[i].Name+"="+s[i].Format(x))
	}
	return list
}

// Names returns the names of the parameters in order, as a new list.
func (s Space) Names() []string {
	names := make([]string, len(s))
	for i, p := range s {
		names[i] = p.Name
	}
	return names
}

// Lookup returns the position of the named parameter. Its error names the nearest parameters.
func (s Space) Lookup(name string) (int, error) {
	if i := s.Index(name); i >= 0 {
		return i, nil
	}
	return -1, fmt.Errorf("unknown parameter %q%s", name, Suggest(name, s.Names()))
}

// Check returns an error unless p allows x: finite, whole if p is, inside [Min, Max]. The error
// names the parameter and the allowed values.
func (p Param) Check(x float64) error {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return fmt.Errorf("%s = %v is not a finite number; allowed: %s", p.Name, x, p.Range())
	case p.Whole && x != math.Trunc(x):
		return fmt.Errorf("%s = %v is not a whole number; allowed: %s", p.Name, x, p.Range())
	case x < p.Min || x > p.Max:
		return fmt.Errorf("%s = %v is out of range; allowed: %s", p.Name, x, p.Range())
	}
	return nil
}

// Switch reports whether p has at most two whole values, as on and off.
func (p Param) Switch() bool { return p.Whole && math.Floor(p.Max)-math.Ceil(p.Min) < 2 }

// Range describes the allowed values for people, such as "whole, 0 to 9".
func (p Param) Range() string {
	if len(p.Labels) > 0 {
		return strings.Join(p.Labels, " | ")
	}
	kind := ""
	if p.Whole {
		kind = "whole, "
	}
	return kind + FormatValue(p.Min) + " to " + FormatValue(p.Max)
}

// Format returns x as files and tables show it: a label, or the shortest decimal that reads
// back as the same float64.
func (p Param) Format(x float64) string {
	if i := int(x); len(p.Labels) > 0 && float64(i) == x && i >= 0 && i < len(p.Labels) {
		return p.Labels[i]
	}
	return FormatValue(x)
}

// Parse reads a value as Format writes it: a label or a number. An error names the parameter
// and the allowed values.
func (p Param) Parse(text string) (float64, error) {
	if i := slices.Index(p.Labels, text); i >= 0 {
		return float64(i), nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%s = %q is not a value; allowed: %s", p.Name, text, p.Range())
	}
	return x, p.Check(x)
}

// Clip returns the allowed value nearest to x, rounded first if p is Whole. x must not be NaN.
func (p Param) Clip(x float64) float64 {
	if p.Whole {
		x = math.Round(x)
	}
	return min(max(x, p.Min), p.Max) + 0 // -0 becomes 0
}

// Check returns the first reason why v is no point of s: another number of values, or a value
// that its Param does not allow.
func (s Space) Check(v Vector) error {
	if len(v) != len(s) {
		return fmt.Errorf("vector of %d values for a space of %d parameters", len(v), len(s))
	}
	for i, p := range s {
		if err := p.Check(v[i]); err != nil {
			return err
		}
	}
	return nil
}

// Set returns a copy of v with assignments of the form name=value applied. An unknown name, a
// value that is not allowed or a name set twice is an error.
func (s Space) Set(v Vector, assignments []string) (Vector, error) {
	v = v.Clone()
	set := map[int]bool{}
	for _, a := range assignments {
		name, text, ok := strings.Cut(a, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not of the form name=value", a)
		}
		i, err := s.Lookup(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if set[i] {
			return nil, fmt.Errorf("%s is set twice", s[i].Name)
		}
		set[i] = true
		if v[i], err = s[i].Parse(strings.TrimSpace(text)); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// FormatValue returns x as the shortest decimal that reads back as x; -0 is "0".
func FormatValue(x float64) string { return strconv.FormatFloat(x+0, 'g', -1, 64) } // + 0: -0 is 0
