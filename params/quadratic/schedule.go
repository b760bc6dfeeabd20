package quadratic

import "math"

// A batch of fits is one part in batchShare of all pairs before it where parameters are few. A
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
	rowShare    = 250  // trials of fits
	walkShare   = 1000 // trials of a walk
)

// batchPairs returns the size of a batch of fits, by the parameters and the pairs before it. Between
// the two shares it grows with their root: the longer a tuning is, the less of its time is spent with
// fits.
func batchPairs(parameters, before int) int {
	coarse := int(min(float64(before)/coarseShare, float64(parameters)*math.Sqrt(float64(4*before))/3))
	return max(minBatch, 2*parameters, before/batchShare, coarse)
}

// rowPairs returns the size of a trial of fits, by the pairs of fits before it. Trials grow, so that a
// fit of N pairs has 250 ln(1 + N/250) rows, not N: a third fewer after 16,000 games
// than with 500. (The regret was compared, in 240 runs, with a share of 200, not of this one: no
// more of it was to be seen.)
func rowPairs(before int) int { return 1 + max(0, before)/rowShare }

// walkPairs returns the size of a trial of a walk, by the pairs before it.
func walkPairs(before int) int { return 1 + before/walkShare }

// inFlight returns how many trials of a walk may be under way, by the pairs before them: one part in
// lag of these pairs, at most maxInFlight trials. So the centre of a trial does not depend on when
// workers answer.
func inFlight(before int) int { return min(1+before/lag/walkPairs(before), maxInFlight) }

const lag, maxInFlight = 30, 1024
