package runs

// pairsInFlight are those in flight for a core: they use some 90 % of the time of a
// thousand cores where steps build on each other, by simulation of the cluster's schedule
// (see engines/schedule/cluster/README.md).
const pairsInFlight = 10

// minPairs is how many pairs a core should have of a run without order, so that
// waiting for the last ones matters little.
const minPairs = 20

// FeedsUnordered is the answer of a run whose pairs wait for nothing.
func FeedsUnordered(pairs int64) (cores int, limit string) {
	return int(max(1, pairs/minPairs)), "no game waits for another; with more, each core has fewer than 20 pairs, and many wait for the last"
}

// FeedsOrdered is that of a run whose steps build on each other, with the number of
// pairs in flight.
func FeedsOrdered(inFlight int) (cores int, limit string) {
	return max(1, inFlight/pairsInFlight),
		"steps build on each other, and few pairs are under way at a time; more pairs an iteration, or more iterations, feed more"
}
