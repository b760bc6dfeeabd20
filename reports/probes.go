package reports

import "math"

// Probes shows the score of a tuner's trials by iteration: binned means with
// their intervals and a line at one half.
type Probes struct {
	Title, Subtitle string

	XLabel string // "" is "iteration"
	YLabel string // "" is "score of the trial"

	// Bins are the points: X an iteration, Y a score in [0, 1]. See [BinScores].
	Bins []Point
	// Level names the interval in the legend; "" is "95 % interval".
	Level string
}

// SVG implements [Figure].
func (p Probes) SVG() ([]byte, error) { return svgOf(p) }

// PNG implements [Figure].
func (p Probes) PNG() ([]byte, error) { return pngOf(p) }

// TrialScore is one trial for [BinScores].
type TrialScore struct {
	Iteration float64
	Score     float64 // mean points a game, in [0, 1]
	Pairs     int     // game pairs behind it; trials are weighted by it
}

// BinScores groups trials, given by increasing iteration, into at most bins
// bins of equal numbers of trials: mean iteration, mean score weighted by pairs,
// and its 95 % interval (normal, from the spread of the trials within the bin;
// none for a bin of fewer than 2 trials). N is the pairs in the bin.
func BinScores(trials []TrialScore, bins int) []Point {
	bins = min(bins, len(trials))
	var out []Point
	for i := range bins {
		out = append(out, binScore(trials[i*len(trials)/bins:(i+1)*len(trials)/bins]))
	}
	return out
}

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
