package mcts

import (
	"math/bits"

	"selfplaylab/engines"
)

// Rand is a stream of random numbers for random games: splitmix64 (Steele,
// Lea and Flood 2014), eight bytes of state and a handful of instructions.
// The zero value is the stream of seed 0.
type Rand struct{ state uint64 }

// NewRand returns the stream of a seed.
func NewRand(seed uint64) Rand { return Rand{seed} }

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return engines.Mix(r.state)
}

// Below returns a number in [0, n), for n > 0. Its bias is less than n in 2^64, too small to
// notice; in return it costs one multiplication (Lemire 2019).
func (r *Rand) Below(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}
