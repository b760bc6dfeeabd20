package quadratic

import "math"

// A tuning of weights of which only the ratios matter begins with a walk. Such weights choose
// among moves: most directions among them hardly matter, and the first fits know too little
// for steps along the others. So the centre first moves along what won, as SPSA's does (Spall, IEEE
// Transactions on Automatic Control 37, 1992), and what is recommended is a step of a fit from
// the mean of the later half of the way (Polyak and Juditsky, SIAM J. Control and Optimization 30,
// 1992). Strides shrink with the games played, whatever the budget: after a thousand games they are
// about what SPSA derives from a budget of so many. Longer strides at first find the way sooner, and leave
// the centre farther astray where directions matter little: nothing leads back from there. A short
// way is mostly noise: of one of fewer than trusted pairs a share is recommended. Trials are
// scattered around the way, more than those of other tunings around the recommendation: else
// noise that moves the centre would look like curvature (TestWalkClaims). Where every direction
// matters, a walk costs more than it finds. docs/comparison.md has the measurements.
const (
	walkPairs   = 2000 // of a walk
	fewWalking  = 6    // parameters at least: of fewer, the first fits know enough
	width       = .2   // of the probes along every axis: a tenth of its range
	scatter     = 1.5  // of trials around the way, in that of others around the recommendation
	stride      = .18  // of a probe, at first, when both games of a pair are won
	strideScale = 90   // pairs; strides shrink with the square root of the pairs played
	lag         = 30   // one part in lag of the pairs played may be in flight
	settling    = 1000 // pairs; of fewer, fewer than the later half say where the way has come to
	trusted     = 150  // pairs; of fewer, only a share of the way is recommended
)

// walk is the way of the centre after so many trials told.
type walk [][]float64

// walkLength is the pairs of a tuner's walk, each a trial; 0 without one.
func (t *Tuner) walkLength() int {
	for _, g := range t.declared() {
		if len(g) == len(t.axes) && len(g) >= fewWalking {
			return walkPairs
		}
	}
	return 0
}

// inFlight is how many trials of a walk may be under way at a time, by the pairs before: so the
// centre of a trial does not depend on when workers answer.
func inFlight(before int) int { return 1 + before/lag }

// centre is what a trial of the walk is drawn around.
func (w walk) centre(id, before int) []float64 { return w[max(0, id+1-inFlight(before))] }

// follow moves the centre by the result of a trial.
func (w *walk) follow(o *observation, before int) {
	last := (*w)[len(*w)-1]
	next := make([]float64, len(last))
	share := stride / math.Sqrt(1+float64(before)/strideScale) * o.pairs * (2*o.mean - 1)
	for j, y := range last {
		next[j] = min(max(y+float64(share*(o.x[j]-o.than[j])/2), -1), 1)
	}
	*w = append(*w, next)
}

// mean is that of the later half of the way. Short ways are still under way there: of them it is
// that of the last part, a share of pairs/settling.
func (w walk) mean() []float64 {
	m := make([]float64, len(w[0]))
	late := w[len(w)-max(1, min(len(w)/2, len(w)*len(w)/settling)):]
	for _, y := range late {
		for j := range m {
			m[j] += y[j] / float64(len(late))
		}
	}
	return m
}

// arrive returns the state after a fit during the walk. It recommends, of a short way only a share;
// its probes are those of its claims, and of the trials after the walk.
func (t *Tuner) arrive(s state) state {
	s.m = t.walk.mean()
	end := t.advance(s) // its centre is nobody else's: that of the mean, or new
	share := min(float64(len(t.walk)-1)/trusted, 1)
	for j, start := range t.walk[0] {
		end.m[j] = start + float64(share*(end.m[j]-start))
	}
	return end
}
