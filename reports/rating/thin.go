package rating

import "slices"

// Thin keeps evenly spaced values of a long series: fewer than Most, and the last value.
// Whenever there are Most values, it drops every second one.
type Thin[T any] struct {
	Most int // at least 2; fixed before the first Add

	stride, seen int
	x            []float64
	values       []T
	lastX        float64
	last         T
}

// Add appends the value v at x, which must be above all x before.
func (t *Thin[T]) Add(x float64, v T) {
	t.stride = max(1, t.stride)
	t.lastX, t.last = x, v
	if t.seen++; t.seen%t.stride != 0 {
		return
	}
	t.x, t.values = append(t.x, x), append(t.values, v)
	if len(t.x) < t.Most {
		return
	}
	for i := range len(t.x) / 2 {
		t.x[i], t.values[i] = t.x[2*i+1], t.values[2*i+1]
	}
	t.x, t.values = t.x[:len(t.x)/2], t.values[:len(t.values)/2]
	t.stride *= 2
}

// All returns the kept values and the last one, with their x. The slices are valid until the
// next Add; do not change them.
func (t *Thin[T]) All() ([]float64, []T) {
	if t.seen == 0 || len(t.x) > 0 && t.x[len(t.x)-1] == t.lastX {
		return t.x, t.values
	}
	return append(slices.Clip(t.x), t.lastX), append(slices.Clip(t.values), t.last)
}
