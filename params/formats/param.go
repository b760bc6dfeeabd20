package formats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"selfplaylab/params"
)

// Table is a [[param]] table, as in an engine file. Fields without a value take the defaults of
// params.Param.
type Table struct {
	Name    string   `toml:"name"`    // required
	Unit    string   `toml:"unit"`    // for display, such as "cp"
	Doc     string   `toml:"doc"`     // one line for people
	Min     *float64 `toml:"min"`     // inclusive; required without Choices
	Max     *float64 `toml:"max"`     // inclusive; required without Choices
	Default any      `toml:"default"` // a number, or one of Choices
	Choices []string `toml:"choices"` // names of the values, in place of min, max and step
	Step    *float64 `toml:"step"`    // DefaultStep where it is left out
	Whole   bool     `toml:"whole"`   // takes whole values only
	Log     bool     `toml:"log"`     // tuners move ln(value)
	Frozen  bool     `toml:"frozen"`  // left out of tuning unless named
	Ratio   string   `toml:"ratio"`   // the ratio group, see params.Param.Ratio
}

// Param returns the table as a Sound parameter. An error names the parameter and the field.
func (t Table) Param() (params.Param, error) {
	if len(t.Choices) > 0 {
		return t.choice()
	}
	x, ok := number(t.Default)
	if t.Min == nil || t.Max == nil || !ok {
		return params.Param{}, fmt.Errorf("param %q: want min, max and default, or choices and default", t.Name)
	}
	p := params.Param{
		Name: t.Name, Unit: t.Unit, Doc: t.Doc, Min: *t.Min, Max: *t.Max, Default: x,
		Whole: t.Whole, Log: t.Log, Frozen: t.Frozen, Ratio: t.Ratio,
	}
	switch {
	case t.Step == nil:
		p.Step = DefaultStep(p)
	case *t.Step == 0: // some formats have a column for it and read 0 as no step
		return params.Param{}, fmt.Errorf("param %q: step 0: want a change worth trying, or leave it out", p.Name)
	default:
		p.Step = *t.Step
	}
	return p, Sound(p)
}

// choice reads a table with choices. Choices have no order, so they are tuned as numbers only
// if the user names them.
func (t Table) choice() (params.Param, error) {
	p := params.Param{Name: t.Name, Unit: t.Unit, Doc: t.Doc, Labels: t.Choices, Whole: true, Frozen: true, Step: 1,
		Max: float64(len(t.Choices) - 1)}
	text, _ := t.Default.(string)
	i := slices.Index(t.Choices, text)
	switch {
	case t.Min != nil || t.Max != nil || t.Step != nil || t.Whole || t.Log || t.Ratio != "":
		return p, fmt.Errorf("param %q: choices take the place of min, max, step, whole, log and ratio; leave those out", t.Name)
	case len(t.Choices) < 2 || len(slices.Compact(slices.Sorted(slices.Values(t.Choices)))) < len(t.Choices):
		return p, fmt.Errorf("param %q: choices %q: want at least two, each once", t.Name, t.Choices)
	case slices.ContainsFunc(t.Choices, func(c string) bool { return !printable(c, ",=|") }):
		return p, fmt.Errorf("param %q: choices %q: want names without commas, equals signs and bars", t.Name, t.Choices)
	case i < 0:
		return p, fmt.Errorf("param %q: default %v: want one of the choices %s", t.Name, t.Default, strings.Join(t.Choices, ", "))
	}
	p.Default = float64(i)
	return p, Sound(p)
}

// printable reports whether a text displays as written in rows, files and pages, and has none
// of the characters in without.
func printable(text, without string) bool {
	const longest = 200 // as long as texts in a run's metadata
	return text != "" && utf8.RuneCountInString(text) <= longest && strings.TrimSpace(text) == text && !strings.ContainsAny(text, without) &&
		strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) < 0
}

// number reads a number of TOML.
func number(x any) (float64, bool) {
	switch x := x.(type) {
	case float64:
		return x, true
	case int64:
		return float64(x), true
	}
	return 0, false
}

// Sound returns the first reason why a parameter cannot be tuned, or nil: its name is not
// printable, bounds, step or default are not finite or do not fit together, or the range is too
// narrow for float64. The error names the parameter.
func Sound(p params.Param) error {
	const largest = 1e80 // larger numbers overflow in differences, and no chart has an axis for them
	switch {
	case !printable(p.Name, ",=\"\\") || strings.HasPrefix(p.Name, "#") || strings.Contains(p.Name, "//"):
		return fmt.Errorf("name %q: want up to 200 printable characters without commas, equals signs and quotes", p.Name)
	case !(math.Abs(p.Min) <= largest && math.Abs(p.Max) <= largest):
		return fmt.Errorf("param %q: min %v, max %v: want finite numbers, at most %v", p.Name, p.Min, p.Max, largest)
	case p.Min > p.Max || p.Min == p.Max && !p.Frozen:
		return fmt.Errorf("param %q: min %v, max %v: want min below max", p.Name, p.Min, p.Max)
	case !resolved(p):
		return fmt.Errorf("param %q: min %v, max %v: too close for what is tried between to differ; tune the difference from min, or choose "+
			"a smaller unit", p.Name, p.Min, p.Max)
	case p.Whole && (p.Min != math.Trunc(p.Min) || p.Max != math.Trunc(p.Max)):
		return fmt.Errorf("param %q: min %v, max %v: want whole bounds of a whole parameter", p.Name, p.Min, p.Max)
	case p.Log && p.Min < 1/largest:
		return fmt.Errorf("param %q: min %v: want it above 0 on a logarithmic scale, at least %v", p.Name, p.Min, 1/largest)
	case math.IsNaN(p.Step) || math.IsInf(p.Step, 0) || p.Step < 0:
		return fmt.Errorf("param %q: step %v: want a change worth trying, or leave it out", p.Name, p.Step)
	case p.Ratio != "" && !printable(p.Ratio, ""):
		return fmt.Errorf("param %q: ratio %q: want a name of up to 200 printable characters", p.Name, p.Ratio)
	case !p.Log && !p.Frozen && p.Step > p.Max-p.Min:
		return fmt.Errorf("param %q: step %v is wider than the range, %s: want a change worth trying, or leave it out", p.Name, p.Step, p.Range())
	case p.Log && !p.Frozen && p.Step > math.Log(p.Max/p.Min):
		return fmt.Errorf("param %q: step %v of ln(value) is wider than the range, %s, of %.3g: want a change worth trying, or leave it out",
			p.Name, p.Step, p.Range(), math.Log(p.Max/p.Min))
	}
	if err := p.Check(p.Default); err != nil {
		return fmt.Errorf("param %q: default: %w", p.Name, err)
	}
	return nil
}

// SoundRatios reports the first error in the ratio groups of a space (params.Param.Ratio), and the
// index of its parameter. A group has at least two weights. Each is a number of more than two values,
// and at least one default is not 0, because 0 has no ratio to other values.
func SoundRatios(s params.Space) (int, error) {
	for i, p := range s {
		if p.Ratio == "" {
			continue
		}
		members, nonzero := 0, false
		for _, q := range s {
			if q.Ratio == p.Ratio {
				members++
				nonzero = nonzero || q.Default != 0
			}
		}
		switch {
		case p.Switch():
			return i, fmt.Errorf("param %q: ratio %q: %s has no ratio to other weights; leave ratio out", p.Name, p.Ratio, p.Range())
		case members < 2:
			return i, fmt.Errorf("param %q: ratio %q: no other param has it; give the same ratio to at least two weights, or leave it out", p.Name, p.Ratio)
		case !nonzero:
			return i, fmt.Errorf("param %q: ratio %q: the default of each of its weights is 0; want one that is not", p.Name, p.Ratio)
		}
	}
	return -1, nil
}

// resolved reports whether a range is wide enough for float64: a whole range is exact, and a
// real one holds thousands of values and has a width whose square is above 0.
func resolved(p params.Param) bool {
	const thousands, least = 1e-12, 1e-80
	largest := max(math.Abs(p.Min), math.Abs(p.Max))
	return p.Min == p.Max || p.Whole && largest <= 1<<53 || p.Max-p.Min >= max(thousands*largest, least)
}

// DefaultStep returns a twentieth of the range, as fishtest recommends for c_end, in the units
// of Param.Step; at least 1 for a whole parameter.
func DefaultStep(p params.Param) float64 {
	width := p.Max - p.Min
	if p.Log {
		return math.Log(p.Max/p.Min) / 20
	}
	if p.Whole {
		return math.Max(1, math.Round(width/20))
	}
	return width / 20
}
