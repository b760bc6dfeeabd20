package rating

import "testing"

// TestThinKeepsEvenlySpacedValues expects every value of a short series,
// evenly spaced values of the whole of a long one, and always the last.
func TestThinKeepsEvenlySpacedValues(t *testing.T) {
	const maxSteps = 800
	for _, n := range []int{0, 1, 2, 5, maxSteps, maxSteps + 1, 3*maxSteps + 7, 100_003} {
		c := Thin[Pairs]{Most: maxSteps + 1}
		all := make([]Pairs, n+1)
		for i := range n {
			all[i+1] = all[i]
			all[i+1][i*i%5]++
			c.Add(float64(i+1), all[i+1])
		}
		var at []int
		x, tallies := c.All()
		for i, p := range tallies {
			if p != all[p.N()] || x[i] != float64(p.N()) {
				t.Fatalf("%d pairs: %v after %d, want %v", n, p, p.N(), all[p.N()])
			}
			at = append(at, p.N())
		}
		switch {
		case n == 0 && len(at) == 0:
			continue
		case n == 0 || at[len(at)-1] != n || len(at) > maxSteps+1:
			t.Fatalf("%d pairs: %d steps, the last of %v", n, len(at), at)
		case n > 2 && n <= maxSteps && len(at) != n, n > maxSteps && len(at) < maxSteps/2:
			t.Errorf("%d pairs: %d steps", n, len(at))
		}
		for i := 2; i < len(at)-1; i++ {
			if at[i]-at[i-1] != at[1]-at[0] {
				t.Fatalf("%d pairs: not evenly spaced: %v", n, at)
			}
		}
	}
}
