package mcts

import (
	"math"
	"math/bits"
)

// logBits is the size of the table of logarithms as a power of two: 16 KB, which fit the cache.
const logBits = 11

// logs[i] is ln(i) for i in 1..2^logBits-1.
var logs = newLogs()

// newLogs returns the table logs.
func newLogs() (t [1 << logBits]float64) {
	for i := 1; i < len(t); i++ {
		t[i] = slowLog(i)
	}
	return t
}

// slowLog returns ln(n) from ln 2 and the series of atanh((m-1)/(m+1)), m in [sqrt 1/2, sqrt 2].
// Every product is rounded before it is added: math.Log is assembly
// on some machines and fused on others, and its last bits differ.
func slowLog(n int) float64 {
	m, exponent := math.Frexp(float64(n))
	if m < math.Sqrt2/2 {
		m, exponent = 2*m, exponent-1
	}
	z := (m - 1) / (m + 1)
	square := float64(z * z)
	sum := 0.0
	for k := 25; k >= 1; k -= 2 {
		sum = 1/float64(k) + float64(sum*square)
	}
	return float64(float64(exponent)*math.Ln2) + float64(2*float64(z*sum))
}

// ln returns the natural logarithm of n > 0 to within 1e-15 of its size, the same on every
// architecture: the leading bits from the table, the rest by the series of ln(1 + x), x < 2^-10.
func ln(n uint32) float64 {
	if n < 1<<logBits {
		return logs[n]
	}
	shift := bits.Len32(n) - logBits
	top := n >> shift
	low := top << shift
	x := float64(n-low) / float64(low)
	series := 1 - float64(x*(1.0/2-float64(x*(1.0/3-float64(x*(1.0/4-float64(x*(1.0/5))))))))
	return logs[top] + (float64(float64(shift)*math.Ln2) + float64(x*series))
}
