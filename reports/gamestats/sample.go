package gamestats

// maxKept is the largest number of different things in a sample.
const maxKept = 1 << 16

// sample counts things by their hashes in bounded memory.
// Up to maxKept different things it holds all.
// Beyond maxKept it keeps only things whose hash ends in a
// number of zero bits, one bit more each time it is full.
// Whether a thing is kept depends on the thing and not on its frequency,
// so kept counts are complete, and each stands for 2^bits things.
// (Wegman's adaptive sampling: Flajolet, "On adaptive sampling", Computing 43, 1990. The
// number of different things is then known to about 1.2/sqrt(maxKept/2), half a percent.)
// The zero value is empty.
type sample[T any] struct {
	kept map[uint64]*T
	bits uint
}

// at returns the value under a hash, a new zero T for
// a new thing, and nil for a thing outside the sample.
func (s *sample[T]) at(hash uint64) *T {
	if s.kept == nil {
		s.kept = map[uint64]*T{}
	}
	if !s.takes(hash) {
		return nil
	}
	if t := s.kept[hash]; t != nil {
		return t
	}
	t := new(T)
	s.kept[hash] = t
	for len(s.kept) > maxKept {
		s.bits++
		for h := range s.kept {
			if !s.takes(h) {
				delete(s.kept, h)
			}
		}
	}
	if !s.takes(hash) {
		return nil
	}
	return t
}

// scatter spreads a hash over all its bits, by the
// finaliser of splitmix64 (Steele, Lea and Flood 2014).
func scatter(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// takes reports whether the sample keeps a hash.
func (s *sample[T]) takes(hash uint64) bool { return hash&(1<<s.bits-1) == 0 }

// whole reports whether everything is in the sample.
func (s *sample[T]) whole() bool { return s.bits == 0 }

// different returns the estimated number of different things.
func (s *sample[T]) different() int { return len(s.kept) << s.bits }
