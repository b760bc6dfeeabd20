package quadratic

import "slices"

// schedule says how large trials are and where batches end, by the ID of a trial
// alone: neither workers nor budgets show in it. A fit follows each batch.
type schedule struct {
	ids   []int // first ID of every batch planned so far
	pairs []int // pairs planned before that trial
}

const (
	firstBatch = 4  // pairs of the first batches
	batchShare = 20 // later ones are one part in so many of all pairs before them
	rowShare   = 500
)

// trialPairs is the size of a trial after so many pairs: trials grow, so that a
// fit of N pairs has 500 ln(1 + N/500) rows, not N.
func trialPairs(before int) int { return 1 + before/rowShare }

// TrialPairs is the size of the trial after so many pairs, where no budget ends it.
func TrialPairs(before int) int { return trialPairs(before) }

// extend plans one more batch.
func (s *schedule) extend() {
	if len(s.ids) == 0 {
		s.ids, s.pairs = []int{0}, []int{0}
		return
	}
	k, p := s.ids[len(s.ids)-1], s.pairs[len(s.pairs)-1]
	for end := p + max(firstBatch, p/batchShare); p < end; k++ {
		p += trialPairs(p)
	}
	s.ids, s.pairs = append(s.ids, k), append(s.pairs, p)
}

// first returns the first trial of batch b.
func (s *schedule) first(b int) int {
	for len(s.ids) <= b {
		s.extend()
	}
	return s.ids[b]
}

// batch returns the number of the batch that trial id is in.
func (s *schedule) batch(id int) int {
	for len(s.ids) == 0 || s.ids[len(s.ids)-1] <= id {
		s.extend()
	}
	b, found := slices.BinarySearch(s.ids, id)
	if !found {
		b--
	}
	return b
}

// before returns the pairs planned before trial id.
func (s *schedule) before(id int) int {
	b := s.batch(id)
	p := s.pairs[b]
	for range id - s.ids[b] {
		p += trialPairs(p)
	}
	return p
}
