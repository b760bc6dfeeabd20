package figure

import "math"

// TrialScore is one trial for [BinScores].
type TrialScore struct {
	Iteration float64 // counts from the start of the tuning
	Score     float64 // mean points a game, in any unit
	Pairs     int     // game pairs behind it, the weight of the trial
}

// BinScores groups trials, given by increasing iteration, into at most bins bins of equal
// numbers of trials. A bin becomes a point: the mean iteration, the mean score weighted by
// pairs, its 95 % interval (normal, from the spread of the trials within the bin; none for a
// bin of fewer than 2 trials), and N, the pairs in the bin.
func BinScores(trials []TrialScore, bins int) []Point {
	bins = min(bins, len(trials))
	var out []Point
	for i := range bins {
		out = append(out, binScore(trials[i*len(trials)/bins:(i+1)*len(trials)/bins]))
	}
	return out
}

// binScore returns the point of one bin, which has at least one trial.
func binScore(trials []TrialScore) Point {
	var p Point
	var weight, score, square float64
	for _, t := range trials {
		p.X += t.Iteration / float64(len(trials))
		p.N += t.Pairs
		weight += float64(t.Pairs)
		score += float64(float64(t.Pairs) * t.Score)
	}
	p.Y = score / weight
	for _, t := range trials {
		d := float64(float64(t.Pairs) * (t.Score - p.Y))
		square += float64(d * d)
	}
	p.Lo, p.Hi = p.Y, p.Y
	if n := float64(len(trials)); n >= 2 {
		half := 1.959964 * math.Sqrt(square*n/(n-1)) / weight
		p.Lo, p.Hi = p.Y-half, p.Y+half
	}
	return p
}
