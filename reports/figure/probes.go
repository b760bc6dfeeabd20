package figure

import (
	"fmt"
	"math"
)

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

// Draw implements [Chart].
func (p Probes) Draw(layout Layout) (*Drawing, error) {
	if err := p.check(); err != nil {
		return nil, failed("Probes", p.Title, err)
	}
	points := present(p.Bins)
	s, y := newDrawing(p.Title, p.Subtitle, layout)
	keys := []key{{"mean of the trials in a bin", markDot, blue}}
	if anyInterval(points) {
		keys = append(keys, key{or(p.Level, "95 % interval"), markBand, blue})
	}
	keys, ends := s.labelsOrKeys(keys, []end{{y: 0.5, label: "even", color: inkSoft}})
	y = s.legend(keys, y)
	r := &reach{}
	r.add(0.48, 0.52) // noise is not to fill the panel
	r.addPoints(points)
	f := s.frame(axes{
		top: y, height: layout.panelHeight(),
		x: reachX(points).scale(false, 0.02), y: r.within(0, 1).scale(false, 0.06),
		xLabel: or(p.XLabel, "iteration"), yLabel: or(p.YLabel, "score of the trial"), xWhole: true,
		yFormat: percentTick, right: endRoom(ends),
	})
	f.across(0.5, stroke{color: ink, width: 1})
	f.band(points, faded(blue, bandOpacity))
	f.line(points, stroke{color: faded(blue, 0.5), width: 1})
	for _, q := range points {
		if len(points) == 1 {
			f.bar(q.X, q.Lo, q.Hi, stroke{color: blue, width: 1.5})
		}
		f.dot(q, blue, tip("iteration "+plain(q.X), percent(q.Y), q, percent))
	}
	f.ends(ends)
	return s, nil
}

func (p Probes) check() error {
	if err := checkPoints("Bins", p.Bins, false, false); err != nil {
		return err
	}
	for i, q := range p.Bins {
		if q.Y < 0 || q.Y > 1 {
			return fmt.Errorf("bin %d: score %v is outside 0 to 1", i, q.Y)
		}
	}
	if len(present(p.Bins)) == 0 {
		return errEmpty
	}
	return checkIncreasing("Bins", present(p.Bins))
}
