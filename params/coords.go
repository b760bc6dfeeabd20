package params

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Digits is the number of significant decimal digits in the values that tuners propose. It is
// enough for any engine, and so few that last-bit differences between processors hardly ever
// show.
const Digits = 6

// Coordinate returns x in steps: x/Step, or ln(x)/Step for a Log parameter; a Step of 0 counts
// as 1. Tuners work in these units, because one step is a change worth trying. x must be inside
// the range: a Log parameter has no coordinate at 0 or below.
func (p Param) Coordinate(x float64) float64 {
	if p.Log {
		x = math.Log(x)
	}
	return x / p.step()
}

// Value is the inverse of Coordinate, rounded to Digits significant digits and clipped to [Min,
// Max]. It does not round to whole numbers; Clip does.
func (p Param) Value(u float64) float64 {
	x := u * p.step()
	if p.Log {
		x = math.Exp(x)
	}
	return min(max(round(x), p.Min), p.Max)
}

// Bounds returns the allowed range in steps: the coordinates of Min and Max.
func (p Param) Bounds() (lo, hi float64) { return p.Coordinate(p.Min), p.Coordinate(p.Max) }

// step returns Step, or 1 if it is not set.
func (p Param) step() float64 {
	if p.Step > 0 {
		return p.Step
	}
	return 1
}

// round returns x with Digits significant digits. An infinite x is returned unchanged.
func round(x float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', Digits, 64), 64)
	if err != nil { // infinite: the caller clips
		return x
	}
	return r
}

// Active returns the indices of the parameters to tune, increasing: the parameters named in
// only, or all that are not frozen if only is empty, without the ones in freeze. An error names
// an unknown parameter, or one in only whose range is a single value.
func (s Space) Active(only, freeze []string) ([]int, error) {
	on := make([]bool, len(s))
	for i, p := range s {
		on[i] = len(only) == 0 && !p.Frozen
	}
	for _, name := range only {
		i, err := s.Lookup(name)
		if err != nil {
			return nil, err
		}
		if s[i].Min == s[i].Max {
			return nil, fmt.Errorf("parameter %s has a single value, %s: nothing can be tuned", name, s[i].Format(s[i].Min))
		}
		on[i] = true
	}
	for _, name := range freeze {
		i, err := s.Lookup(name)
		if err != nil {
			return nil, err
		}
		on[i] = false
	}
	var active []int
	for i := range s {
		if on[i] {
			active = append(active, i)
		}
	}
	return active, nil
}

// StepText describes one step for people: an amount with its unit, or a factor if p is Log.
func (p Param) StepText() string {
	if p.Log {
		return fmt.Sprintf("× %.3g", math.Exp(p.step()))
	}
	return strings.TrimSpace(FormatValue(p.step()) + " " + p.Unit)
}
