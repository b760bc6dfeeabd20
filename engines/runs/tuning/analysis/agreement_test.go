package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
)

// TestAgreementKeepsErrorRate expects right intervals to disagree no more often than promised, over
// all parameters together, and different values to be found.
func TestAgreementKeepsErrorRate(t *testing.T) {
	const params_, tunings, repeats = 6, 4, 3000
	space := params.Space{}
	for i := range params_ {
		space = append(space, params.Param{Name: string(rune('a' + i)), Min: -1000, Max: 1000, Step: 2})
	}
	task := &Task{Game: &engines.Game{Space: space}, Active: space.Names()}
	var histories []*History
	for range tunings {
		histories = append(histories, &History{Task: task, Level: .95, Best: space.Default()})
	}
	r := rand.New(rand.NewPCG(1, 2))
	z := math.Sqrt2 * math.Erfinv(.95)
	once := func(apart float64) (any bool) {
		optima := make([][]Optimum, tunings)
		for k, c := range histories {
			for i := range space {
				se := 1 + float64(i)
				value := se * r.NormFloat64()
				if i == 0 && k == 0 {
					value += apart
				}
				c.Best[i] = value
				optima[k] = append(optima[k], Optimum{Param: i, Value: value, Low: value - z*se, High: value + z*se})
			}
		}
		for i, a := range CompareOptima(histories, optima) {
			if math.Abs(*a.Promised-(1+float64(i))/2) > 1e-9 {
				t.Fatalf("promised %v steps", *a.Promised)
			}
			any = any || a.Disagree
		}
		return any
	}
	wrong, found := 0, 0
	for range repeats {
		if once(0) {
			wrong++
		}
		if once(8) {
			found++
		}
	}
	if rate := (rating.Proportion{K: wrong, N: repeats}).Wilson(.999); rate.High < .04 || rate.Low > .05 {
		t.Errorf("disagreement where there is none: %d of %d", wrong, repeats)
	}
	if found < repeats*9/10 {
		t.Errorf("eight errors apart, found out %d of %d times", found, repeats)
	}
}
