package cli

import (
	"fmt"
	"math"
)

// Span writes a time in seconds as people say it: 12 s, 3.5 min, 2.1 h, 40 days,
// years.
func Span(seconds float64) string {
	units := []struct {
		name string
		size float64 // in seconds
		most float64 // shown in it, in its own unit
	}{{"s", 1, 90}, {"min", 60, 90}, {"h", 3600, 48}, {"days", 86400, 730}, {"years", 365.25 * 86400, 1000}}
	if math.IsNaN(seconds) || seconds < 0 {
		return "unknown"
	}
	for _, u := range units {
		if x := seconds / u.size; x < u.most {
			if x < 10 && u.name != "s" {
				return fmt.Sprintf("%.1f %s", x, u.name)
			}
			return fmt.Sprintf("%.0f %s", x, u.name)
		}
	}
	return "more than 1,000 years"
}
