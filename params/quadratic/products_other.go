//go:build !amd64 || purego

package quadratic

func dot8(s *[8]float64, a, b, quads []float64) { dot8Slowly(s, a, b, quads) }
