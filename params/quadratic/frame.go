package quadratic

import (
	"math"
	"math/rand/v2"

	"selfplaylab/params"
)

// axis is one tuned parameter: its place in the space, and the linear map from
// its coordinate (params.Param.Coordinate) to [-1, 1].
type axis struct {
	index int
	param params.Param
	mid   float64 // of the allowed range, in the parameter's steps
	half  float64 // half of that range; above 0
}

func (a *axis) coordinate(x float64) float64 { return (a.param.Coordinate(x) - a.mid) / a.half }

// value is the inverse of coordinate, not yet rounded to whole numbers.
func (a *axis) value(y float64) float64 { return a.param.Value(a.mid + float64(a.half*y)) }

// probes returns the two values of one parameter at y + w and y - w. Near a
// bound the centre gives way, not one of the probes. A whole parameter's probes
// are half a unit from the centre at least, and are rounded by one common random
// number, so that their difference is right on average.
func (a *axis) probes(y, w, common float64) (up, down float64) {
	if a.param.Whole {
		if least := a.halfUnit(y); math.Abs(w) < least {
			w = math.Copysign(least, w)
		}
	}
	if math.Abs(w) > 1 {
		w = math.Copysign(1, w)
	}
	y = min(max(y, -1+math.Abs(w)), 1-math.Abs(w))
	up, down = a.value(y+w), a.value(y-w)
	if a.param.Whole {
		up, down = a.param.Clip(math.Floor(up+common)), a.param.Clip(math.Floor(down+common))
	}
	return up, down
}

// halfUnit is half a whole number at y, in units of y.
func (a *axis) halfUnit(y float64) float64 {
	x := a.value(min(max(y, -1), 1))
	return max(a.coordinate(x+.5)-a.coordinate(x), 0)
}

// signs fills z with random signs.
func signs(z []float64, r *rand.Rand) {
	for j := range z {
		z[j] = 1
		if r.Uint64()&1 == 0 {
			z[j] = -1
		}
	}
}
