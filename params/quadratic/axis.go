package quadratic

import (
	"fmt"
	"math"
	"slices"

	"selfplaylab/params"
)

// axis is one tuned parameter: its index in the space, and the linear map from its coordinate
// (params.Param.Coordinate) to [-1, 1].
type axis struct {
	index int
	param params.Param
	mid   float64 // centre of the allowed range, in the parameter's steps
	half  float64 // half of this range, above 0
}

// newAxis returns an error for a parameter that no quadratic can tune.
func newAxis(index int, p params.Param) (axis, error) {
	lo, hi := p.Bounds()
	half := (hi - lo) / 2
	switch {
	case len(p.Labels) > 0:
		return axis{}, fmt.Errorf("%s chooses among names (%s) and stays as it is: nothing lies between them; --method grid compares them", p.Name, p.Range())
	case !(half > 0) || math.IsInf(half, 0):
		return axis{}, fmt.Errorf("%s has no range to tune in (%s) and stays as it is", p.Name, p.Range())
	case p.Switch():
		return axis{}, fmt.Errorf("%s is a switch between two values at most (%s) and stays as it is; --method grid compares them", p.Name, p.Range())
	}
	if !(p.Step > 0) {
		p.Step = 1 // as its coordinates have it
	}
	return axis{index: index, param: p, mid: lo + half, half: half}, nil
}

func (a *axis) coordinate(x float64) float64 { return (a.param.Coordinate(x) - a.mid) / a.half }

// value is the inverse of coordinate, not rounded to whole numbers.
func (a *axis) value(y float64) float64 { return a.param.Value(a.mid + float64(a.half*y)) }

// exact returns value without rounding it to a few digits, which is most of its cost.
func (a *axis) exact(y float64) float64 {
	u := a.mid + float64(a.half*y)
	if a.param.Log {
		return math.Exp(u * a.param.Step)
	}
	return u * a.param.Step
}

// probes returns the values of one parameter at y + w and y - w. Near a bound the centre moves
// instead of one of the probes, and the probes are shortened at random: otherwise the same pair
// would be proposed repeatedly, and two points show no curvature.
//
// The probes of a whole parameter are at least half a unit from the centre. They are rounded by
// one common random number from [0, 1), so that their difference is correct on average and its
// sign always is.
func (a *axis) probes(y, w, common float64) (up, down float64) {
	least := a.finest(y)
	if math.Abs(y)+math.Abs(w) > 1 {
		_, chance := math.Modf(common * scatter)
		w *= math.Pow(chance, shortening)
	}
	w = math.Copysign(min(max(math.Abs(w), least), 1), w)
	y = min(max(y, -1+math.Abs(w)), 1-math.Abs(w))
	return a.at(y+w, common), a.at(y-w, common)
}

const (
	scatter    = 1 << 20 // makes a second random number of one
	shortening = 1       // of probes at bounds, as a power of a random number
)

// at returns the value at y, rounded by a common random number.
func (a *axis) at(y, common float64) float64 {
	x := a.value(y)
	if a.param.Whole {
		x = a.param.Clip(math.Floor(x + common))
	}
	return x
}

// finest returns the smallest distance of a probe from the centre y that changes the value:
// half a unit of a whole parameter, otherwise a few of the digits to which values are rounded.
func (a *axis) finest(y float64) float64 {
	x := a.exact(min(max(y, -1), 1))
	if a.param.Whole {
		x = min(max(x, a.param.Min), a.param.Max-.5)
		return a.coordinate(x+.5) - a.coordinate(x)
	}
	digit := 4 * math.Pow(10, -params.Digits)
	if !a.param.Log {
		digit *= math.Abs(x)
	}
	return digit / a.param.Step / a.half
}

// ray returns the change of the coordinate, to first order, when the value grows by a fraction
// of itself: 1 for twice the value.
func (a *axis) ray(y float64) float64 {
	if a.param.Log {
		return 1 / a.param.Step / a.half
	}
	return a.value(y) / a.param.Step / a.half
}

// declaredRatios returns the groups that a space declares and that are tuned completely. A
// parameter that is not tuned holds the scale of its group.
func declaredRatios(space params.Space, axes []axis) (groups [][]int) {
	var names []string
	whole := map[string]int{}
	for _, p := range space {
		whole[p.Ratio]++
	}
	for j := range axes {
		name := axes[j].param.Ratio
		if name == "" {
			continue
		}
		n := slices.Index(names, name)
		if n < 0 {
			n, names, groups = len(names), append(names, name), append(groups, nil)
		}
		groups[n] = append(groups[n], j)
	}
	return slices.DeleteFunc(groups, func(g []int) bool {
		return len(g) < max(2, whole[axes[g[0]].param.Ratio])
	})
}
