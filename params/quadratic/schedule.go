package quadratic

import (
	"math"
	"slices"
)

// schedule says how large trials are and where batches end, by the ID of a trial,
// the number of axes and the walk alone: neither workers nor budgets show in it. A fit follows
// each batch.
type schedule struct {
	axes  int
	walk  int   // pairs of the walk that it begins with
	ids   []int // first ID of every batch planned so far
	pairs []int // pairs planned before that trial
}

// A batch is one part in batchShare of all pairs before it where parameters are few. A
// fit of many takes long, and fewer games tell it little: then batches have two pairs for
// each of them at first, and up to one part in coarseShare later. (Of 40 tunings of twelve
// parameters with 1,000 games from Quoridor's bad start, five ended below the +310 Elo of
// `final`, the least at +158, with the first fit after four pairs, fits after every twentieth
// more games and steps of a whole probe; none, the least at +358, with these batches and
// the shorter steps of today. The two changes were not measured apart.)
const (
	minBatch    = 4
	batchShare  = 20
	coarseShare = 10
	walkShare   = 2 // in a walk, whose trials wait for no fit
	rowShare    = 250
)

// batchPairs is the size of a batch, by the pairs before it. Between the two shares it grows
// with their root: the longer a tuning is, the less of its time is spent with fits.
func (s *schedule) batchPairs(before int) int {
	if s.walks(before) {
		return min(max(2*s.axes, before/walkShare), s.walk-before)
	}
	coarse := int(min(float64(before)/coarseShare, float64(s.axes)*math.Sqrt(float64(4*before))/3))
	return max(minBatch, 2*s.axes, before/batchShare, coarse)
}

// trialPairs is the size of a trial, by the pairs before it, where no budget ends it: after a walk
// of single pairs trials grow, so that a fit of N pairs has 250 ln(1 + N/250) rows, not N: a third
// fewer after 16,000 games than with 500. The regret was compared, in 240 runs, with a share of 200,
// not of this one: no more of it was to be seen.
func (s *schedule) trialPairs(before int) int { return 1 + max(0, before-s.walk)/rowShare }

// walks reports whether a trial belongs to the walk, by the pairs before it.
func (s *schedule) walks(before int) bool { return before < s.walk }

// extend plans one more batch.
func (s *schedule) extend() {
	if len(s.ids) == 0 {
		s.ids, s.pairs = []int{0}, []int{0}
		return
	}
	k, p := s.ids[len(s.ids)-1], s.pairs[len(s.pairs)-1]
	for end := p + s.batchPairs(p); p < end; k++ {
		p += s.trialPairs(p)
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
		p += s.trialPairs(p)
	}
	return p
}
