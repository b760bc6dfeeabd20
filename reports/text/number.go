package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number returns x with the given number of decimals, thousands separated by commas, a real
// minus sign, and no sign on zero.
func Number(x float64, decimals int) string {
	s := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	whole, rest, _ := strings.Cut(s, ".")
	var b strings.Builder
	if x < 0 && strings.Trim(s, "0.") != "" {
		b.WriteString("−")
	}
	for i, d := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if rest != "" {
		b.WriteString("." + rest)
	}
	return b.String()
}

// Signed returns x with a sign, as Elo is written. A value that rounds to zero has none.
func Signed(x float64, decimals int) string {
	s := fmt.Sprintf("%+.*f", decimals, x)
	if strings.Trim(s, "+-0.") == "" {
		return s[1:]
	}
	return s
}

// Fixed returns x as Signed does, but without a plus.
func Fixed(x float64, decimals int) string { return strings.TrimPrefix(Signed(x, decimals), "+") }

// PlusMinus returns an estimate with half its interval: "+12.3 ± 4.5".
func PlusMinus(x, half float64, decimals int) string {
	return fmt.Sprintf("%s ± %.*f", Signed(x, decimals), decimals, half)
}

// Ends returns an interval: "from -1.0 to +25.7".
func Ends(low, high float64, decimals int) string {
	return "from " + Signed(low, decimals) + " to " + Signed(high, decimals)
}

// Digits returns x with a number of significant digits. Whole numbers are never cut: 0.1250,
// 12.50, 3,000.
func Digits(x float64, digits int) string { return Number(x, Decimals(x, digits)) }

// Decimals returns the number of decimals, at most 12, that show a number of this size with the
// given number of significant digits; 0 for whole thousands.
func Decimals(size float64, digits int) int {
	if size == 0 || math.IsNaN(size) || math.IsInf(size, 0) {
		return 0
	}
	return min(max(digits-1-int(math.Floor(math.Log10(math.Abs(size)))), 0), 12)
}

// Count returns n with separated thousands: "12,345".
func Count[T int | int32 | int64](n T) string { return Number(float64(n), 0) }

// Plural returns n with its noun: "1 pair", "2,000 pairs", "3 plies".
func Plural[T int | int32 | int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, y := strings.CutSuffix(noun, "y"); y {
		return Count(n) + " " + stem + "ies"
	}
	return Count(n) + " " + noun + "s"
}

// Capital returns a clause with a capital first letter. The clause must begin with an ASCII letter.
func Capital(clause string) string { return strings.ToUpper(clause[:1]) + clause[1:] }

// Percent returns a share of 0.123 as "12.3 %".
func Percent(x float64) string { return Number(100*x, 1) + " %" }

// Level returns a confidence of 0.95 as "95 %".
func Level(level float64) string { return fmt.Sprintf("%.4g %%", 100*level) }

// Span returns a time in seconds in a readable unit: 12 s, 3.5 min, 2.1 h, 40 days, 3.2 years.
func Span(seconds float64) string {
	units := []struct {
		name string
		size float64 // seconds of the unit
		max  float64 // largest value in this unit
	}{{"s", 1, 90}, {"min", 60, 90}, {"h", 3600, 48}, {"days", 86400, 730}, {"years", 365.25 * 86400, 1000}}
	if math.IsNaN(seconds) || seconds < 0 {
		return "unknown"
	}
	for _, u := range units {
		if x := seconds / u.size; x < u.max {
			if x < 10 && u.name != "s" {
				return fmt.Sprintf("%.1f %s", x, u.name)
			}
			return fmt.Sprintf("%.0f %s", x, u.name)
		}
	}
	return "more than 1,000 years"
}

// Figures returns the value of a parameter with a number of significant figures. Whole numbers
// are never cut: -4.93, 12, 4183 and not 4.18e+03.
func Figures(x float64, figures int) string {
	if s := strconv.FormatFloat(x, 'g', figures, 64); !strings.Contains(s, "e+") {
		return s
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// Significant returns x with three significant figures.
func Significant(x float64) string {
	if x >= 1000 {
		return Number(x, 0)
	}
	return fmt.Sprintf("%.3g", x)
}
