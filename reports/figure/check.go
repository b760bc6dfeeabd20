package figure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// MaxValue is the largest size of a drawn value. It keeps the arithmetic of axes far from
// overflow; no measurement comes near it.
const MaxValue = 1e90

// checkPoints rejects values that no axis can show. NaN passes, because it means "missing".
func checkPoints(field string, points []Point, logX, logY bool) error {
	for i, p := range points {
		if err := checkPoint(p, logX, logY); err != nil {
			return fmt.Errorf("%s[%d]: %w", field, i, err)
		}
	}
	return nil
}

func checkPoint(p Point, logX, logY bool) error {
	return cmp.Or(checkValue("X", p.X, logX), checkValue("Y", p.Y, logY), checkInterval(p.Lo, p.Hi))
}

// checkValue rejects a value that no axis can show; NaN passes. name is the field in the error.
func checkValue(name string, v float64, log bool) error {
	switch {
	case math.Abs(v) > MaxValue:
		return fmt.Errorf("%s is %v: want a finite value of ordinary size", name, v)
	case log && v <= 0:
		return fmt.Errorf("%s is %v: a logarithmic axis shows positive values only", name, v)
	case log && v < 1/MaxValue:
		return fmt.Errorf("%s is %v: too small for a logarithmic axis", name, v)
	}
	return nil
}

// checkInterval rejects a reversed interval, and ends that no axis can show. Infinite ends
// outside the interval pass.
func checkInterval(lo, hi float64) error {
	if lo > hi {
		return fmt.Errorf("interval from %v to %v is reversed", lo, hi)
	}
	for _, v := range []float64{lo, hi} {
		if !math.IsInf(v, 0) && math.Abs(v) > MaxValue {
			return fmt.Errorf("interval end %v is not of ordinary size", v)
		}
	}
	if math.IsInf(lo, 1) || math.IsInf(hi, -1) {
		return fmt.Errorf("interval from %v to %v holds no value", lo, hi)
	}
	return nil
}

// checkLine checks points as checkPoints does, and that they are in order of X.
func checkLine(field string, points []Point, logX, logY bool) error {
	if err := checkPoints(field, points, logX, logY); err != nil {
		return err
	}
	points = present(points)
	for i := 1; i < len(points); i++ {
		if points[i].X < points[i-1].X {
			return fmt.Errorf("%s[%d]: X falls from %v to %v: want increasing order", field, i, points[i-1].X, points[i].X)
		}
	}
	return nil
}

// errEmpty is the error of a figure without a single value.
var errEmpty = errors.New("nothing to draw: give at least one value that is not NaN")

// checkSome returns errEmpty for points without a single value.
func checkSome(points ...[]Point) error {
	for _, p := range points {
		if len(present(p)) > 0 {
			return nil
		}
	}
	return errEmpty
}

// checkMark checks a value as checkValue does, and that it is not missing.
func checkMark(field string, v float64, log bool) error {
	if math.IsNaN(v) {
		return fmt.Errorf("%s is NaN: want a number", field)
	}
	return checkValue(field, v, log)
}

// checkLevels checks the Y of every level.
func checkLevels(levels []Level, log bool) error {
	for i, l := range levels {
		if err := checkMark(fmt.Sprintf("Levels[%d].Y", i), l.Y, log); err != nil {
			return err
		}
	}
	return nil
}
