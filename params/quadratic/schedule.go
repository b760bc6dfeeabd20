package quadratic

import "math"

// A batch of fits is one part in batchShare of all pairs before it if there are few parameters.
// With many, a fit takes long and a few games tell it little: batches then have two pairs for
// each parameter at first, and up to one part in coarseShare later.
const (
	minBatch    = 4
	batchShare  = 20
	coarseShare = 10
	rowShare    = 250  // of trials of fits
	walkShare   = 1000 // of trials of a walk
)

// batchPairs returns the size of a batch of fits, by the numbers of parameters and of pairs
// before it. Between the two shares it grows with their root, so that a longer tuning spends a
// smaller part of its time in fits.
func batchPairs(parameters, before int) int {
	coarse := int(min(float64(before)/coarseShare, float64(parameters)*math.Sqrt(float64(4*before))/3))
	return max(minBatch, 2*parameters, before/batchShare, coarse)
}

// rowPairs returns the size of a trial of fits, by the number of pairs of fits before it.
// Trials grow, so that a fit of N pairs has 250 ln(1 + N/250) rows instead of N.
func rowPairs(before int) int { return 1 + max(0, before)/rowShare }

// walkPairs returns the size of a trial of a walk, by the number of pairs before it.
func walkPairs(before int) int { return 1 + before/walkShare }

// inFlight returns the number of trials of a walk that may be in flight, by the number of pairs
// before them: one part in lag of these pairs, at most maxInFlight trials. The centre of a
// trial therefore does not depend on the time of answers.
func inFlight(before int) int { return min(1+before/lag/walkPairs(before), maxInFlight) }

const lag, maxInFlight = 30, 1024
