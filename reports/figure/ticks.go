package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"selfplaylab/reports/text"
)

// signed adds plus signs to numbers greater than zero.
func signed(ticks []plot.Tick) []plot.Tick {
	for i, t := range ticks {
		ticks[i].Label = plus(t.Value, t.Label)
	}
	return ticks
}

// ticks returns at most most marks of an axis, or a few more if fewer than two would remain.
// gonum's tickers know neither the length of the axis nor separated thousands, and number only
// whole decades.
func ticks(a plot.Axis, most int, whole bool) []plot.Tick {
	if isLog(a) {
		return logTicks(a.Min, a.Max, most)
	}
	return linearTicks(a.Min, a.Max, most, whole)
}

// minor returns the marks without a number that show a logarithmic axis.
func minor(a plot.Axis) (list []plot.Tick) {
	if !isLog(a) || a.Max/a.Min >= 1e7 {
		return nil
	}
	for _, t := range decades(a.Min, a.Max, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 1) {
		list = append(list, plot.Tick{Value: t.Value})
	}
	return list
}

// plain returns v with four significant digits, without trailing zeros.
func plain(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e12) {
		return strings.Replace(strconv.FormatFloat(v, 'g', 4, 64), "-", "−", -1)
	}
	s := text.Number(v, text.Decimals(v, 4))
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// common returns a format with the same decimals for all values up to largest: three
// significant digits for the largest.
func common(largest float64) func(float64) string {
	decimals := text.Decimals(largest, 3)
	if decimals > 6 || largest >= 1e12 {
		return plain
	}
	return func(v float64) string { return text.Number(v, decimals) }
}

// linearTicks returns marks from lo to hi at multiples of 1, 2 or 5 times a power of ten: as
// many as fit, at most most. With whole, no step is below 1.
func linearTicks(lo, hi float64, most int, whole bool) []plot.Tick {
	if lo == hi { // of a constant surface: no step would ever pass hi
		return nil
	}
	digit, exp := roundStep((hi-lo)/float64(max(most, 1)), whole)
	for range 3 { // a step can fit once more than counted, because of its offset
		ticks := multiples(lo, hi, digit, exp)
		if len(ticks) <= max(most, 2) {
			return ticks
		}
		switch digit {
		case 1:
			digit = 2
		case 2:
			digit = 5
		default:
			digit, exp = 1, exp+1
		}
	}
	return multiples(lo, hi, digit, exp)
}

// roundStep returns the smallest of 1, 2, 5 times a power of ten that is at least raw.
func roundStep(raw float64, whole bool) (digit int64, exp int) {
	if whole && raw < 1 {
		return 1, 0
	}
	exp = int(math.Floor(math.Log10(raw)))
	for _, d := range []int64{1, 2, 5} {
		if decimal(d, exp) >= raw*(1-1e-9) {
			return d, exp
		}
	}
	return 1, exp + 1
}

// decimal returns k times ten to the exp, correctly rounded: 3 * 0.1 would print as
// 0.30000000000000004.
func decimal(k int64, exp int) float64 {
	v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", k, exp), 64)
	if err != nil {
		return math.Inf(1) // out of range; callers bound their axes far inside
	}
	return v
}

// multiples returns marks from lo to hi at multiples of digit times ten to the exp, with a
// common number of decimals.
func multiples(lo, hi float64, digit int64, exp int) []plot.Tick {
	step := decimal(digit, exp)
	first, last := int64(math.Ceil(lo/step-1e-9)), int64(math.Floor(hi/step+1e-9))
	greatest := max(math.Abs(lo), math.Abs(hi))
	var ticks []plot.Tick
	for k := first; k <= last; k++ {
		v := decimal(k*digit, exp)
		if slack := 1e-6 * (hi - lo); v < lo-slack || v > hi+slack {
			continue // a whole step may be much longer than the axis
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: tickLabel(v, greatest, exp)})
	}
	return ticks
}

// tickLabel returns the label of a multiple of ten to the exp on an axis up to greatest.
func tickLabel(v, greatest float64, exp int) string {
	switch {
	case v == 0:
		return "0"
	case greatest >= 1e12 || exp < -6:
		s := strconv.FormatFloat(v, 'e', -1, 64)
		mantissa, e, _ := strings.Cut(s, "e")
		n, err := strconv.Atoi(e)
		if err != nil {
			return s
		}
		return strings.ReplaceAll(fmt.Sprintf("%se%d", mantissa, n), "-", "−")
	case greatest >= 1e9 && exp >= 6:
		return text.Number(v/1e9, max(0, 9-exp)) + "B"
	case greatest >= 1e7 && exp >= 4:
		return text.Number(v/1e6, max(0, 6-exp)) + "M"
	}
	return text.Number(v, max(0, -exp))
}

// logTicks returns marks for a logarithmic axis over [lo, hi], both positive: every power of
// ten, or every few if there are too many; with the digits 2 and 5 between them if there are
// few; and linear marks within a decade.
func logTicks(lo, hi float64, most int) []plot.Tick {
	for _, digits := range [][]int64{{1, 2, 5}, {1, 3}, {1}} {
		ticks := decades(lo, hi, digits, 1)
		if len(ticks) <= most && len(ticks) >= 3 {
			return ticks
		}
	}
	if hi/lo < 100 {
		return linearTicks(lo, hi, most, false)
	}
	every := 1
	for len(decades(lo, hi, []int64{1}, every)) > max(most, 2) {
		every++
	}
	return decades(lo, hi, []int64{1}, every)
}

// logLabel shortens millions if the axis reaches far beyond them.
func logLabel(v, greatest float64, exp int) string {
	switch {
	case greatest >= 1e7 && v >= 1e9 && v < 1e12:
		return text.Number(v/1e9, 0) + "B"
	case greatest >= 1e7 && v >= 1e6 && v < 1e9:
		return text.Number(v/1e6, 0) + "M"
	}
	return tickLabel(v, v, exp)
}

// decades returns marks at digits times each power of ten from lo to hi whose exponent is a
// multiple of every.
func decades(lo, hi float64, digits []int64, every int) []plot.Tick {
	var ticks []plot.Tick
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	for exp := first; exp <= last; exp++ {
		if exp%every != 0 {
			continue
		}
		for _, d := range digits {
			v := decimal(d, exp)
			if v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
				ticks = append(ticks, plot.Tick{Value: v, Label: logLabel(v, hi, exp)})
			}
		}
	}
	return ticks
}
