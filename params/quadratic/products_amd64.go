//go:build !purego

package quadratic

// dot8 computes dot8Slowly by the instructions that every processor of this kind has (SSE2):
// two of the sums at a time, each in the same order. The tag purego compiles the plain form.
//
//go:noescape
func dot8(s *[8]float64, a, b, quads []float64)
