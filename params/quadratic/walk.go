package quadratic

import "math"

// walk is the first-order stage. If a wide probe loses little, games cannot show the second
// order: 16 parameters have 136 terms of it. A step in the direction of the winners learns
// more.
//
// Steps are those of dual averaging (Nesterov, Mathematical Programming 120, 2009) with the
// gain of DoG, distance over gradients (Ivgi, Hinder and Carmon, ICML 2023). The distance is
// the length of the walk, or that to an optimum anywhere in the ranges, as far as its slope is
// beyond chance. The mean of the walk is recommended. Coordinates are in [-1, 1]; a result is
// A's points a game, from -1 to 1.
type walk struct {
	ratios bool // of weights of which only the ratios matter; see newWalk

	start, anchor, iterate, mean []float64

	sum      []float64 // of results times the shifts of the trials, since the anchor
	slope    []float64 // the same since the start
	scale    float64   // of the gain: the squared lengths of the slopes of single pairs
	distance float64
	typical  float64 // distance of an optimum that may be anywhere
	leading  float64
	trust    float64 // share of the slope's square that is beyond chance, from 0 to 1

	pairs                 float64
	nextAnchor, nextWidth float64 // numbers of pairs at which anchor and width are reviewed next

	probe  float64 // half-width of the probes
	widest float64 // its maximum
	lost   loss
}

const (
	nearby      = .08  // a parameter's minimum distance in the gain
	anywhere    = .5   // the same in addition, if nothing of the slope is chance
	beyond      = 2    // standard deviations of the slope's square by chance that count as chance, too
	early       = 5    // scale, for each parameter, below which no slope counts
	calm        = 12   // scale, for each parameter, assumed before the first trial, so that the first steps are short
	stride      = .036 // of ratios, at first, if both games of a pair are won
	strideScale = 90   // in pairs; steps of ratios shrink with the square root of the number of pairs
	leading     = .1   // share of the iterate in the centre of a trial; the mean has the rest
	ratioLeads  = .8   // the same for ratios
	firstAnchor = 250  // in pairs
	anchorRate  = 1.3  // growth of the number of pairs between anchors
	minReview   = 20   // pairs between two reviews of the width
	reviewShare = 10   // one part in this number of the pairs
	soundEvery  = 20   // one trial in this number is a sounding
	wide        = .5   // maximum for probes of fewParams parameters: a quarter of the range
	fewParams   = 16
	wideGrowth  = .1   // power of the number of parameters by which probes of more are wider
	narrow      = .2   // probes of ratios and of steep problems, at first
	minProbe    = .005 // minimum of all probes
	ratioPairs  = 2000 // length of a walk of ratios, in pairs
	trusted     = 150  // pairs from which the whole distance of a walk of ratios is recommended
)

// newWalk begins a walk. Weights of which only the ratios matter choose among moves: most
// directions among them hardly matter, and the first fits cannot yet step along the others.
// Tunings of such weights therefore begin with a walk, however steep. It is narrower, and its
// whole length counts as distance.
func newWalk(start []float64, ratios bool) *walk {
	d := len(start)
	widest := wide * math.Pow(max(float64(d)/fewParams, 1), wideGrowth)
	w := &walk{
		ratios: ratios, start: start, sum: make([]float64, d), slope: make([]float64, d), nextAnchor: firstAnchor, probe: widest, widest: widest,
		leading: leading, distance: nearby * math.Sqrt(float64(d)), typical: anywhere * math.Sqrt(float64(d)),
	}
	for _, to := range []*[]float64{&w.anchor, &w.iterate, &w.mean} {
		*to = append(*to, start...)
	}
	if ratios {
		w.probe, w.widest, w.leading, w.trust, w.typical = narrow, narrow, ratioLeads, 1, 0
	}
	return w
}

// recommended returns the mean. With few pairs, a walk of ratios is mostly noise, so only a
// share of it is recommended.
func (w *walk) recommended() []float64 {
	if !w.ratios || w.pairs >= trusted {
		return w.mean
	}
	m := make([]float64, len(w.mean))
	for j, start := range w.start {
		m[j] = start + float64(w.pairs/trusted*(w.mean[j]-start))
	}
	return m
}

// centre returns the coordinate of an axis around which the next trial is drawn.
func (w *walk) centre(j int) float64 {
	return w.mean[j] + float64(w.leading*(w.iterate[j]-w.mean[j]))
}

// halfWidth returns the half-width of a probe around a centre. Near a bound it narrows, to half
// at most, before the centre moves.
func (w *walk) halfWidth(centre float64) float64 {
	return min(w.probe, max(1-math.Abs(centre), w.probe/2))
}

// tell moves the walk by a trial; sounding says that the trial was one.
func (w *walk) tell(o *observation, sounding bool) {
	d, result := float64(len(w.mean)), 2*o.mean-1
	squares := float64(o.pairs*result*result) + 4*o.square
	length := 0.0
	for j := range w.mean {
		length += float64(w.shift(o, j) * w.shift(o, j))
	}
	w.scale += float64(length * squares)
	w.pairs += o.pairs
	gain := w.distance / math.Sqrt(w.scale+calm*d)
	if w.ratios {
		gain = stride / math.Sqrt(1+w.pairs/strideScale)
	}
	share := min(2*o.pairs/(w.pairs+1), 1)
	way, slope := 0.0, 0.0
	for j := range w.mean {
		pull := o.pairs * result * w.shift(o, j)
		w.slope[j] += pull
		w.sum[j] += pull
		w.iterate[j] = min(max(w.anchor[j]+float64(gain*w.sum[j]), -1), 1)
		w.mean[j] += float64(share * (w.iterate[j] - w.mean[j]))
		way += float64((w.iterate[j] - w.start[j]) * (w.iterate[j] - w.start[j]))
		slope += float64(w.slope[j] * w.slope[j])
		w.anchorAt(j, gain, w.ratios)
	}
	if w.scale > early*d {
		w.trust = max(w.trust, 1-(1+float64(beyond*math.Sqrt(2/d)))*w.scale/slope)
	}
	far := w.trust * max(math.Sqrt(way), w.typical)
	if !w.ratios {
		far += nearby * math.Sqrt(d)
	}
	w.distance = max(w.distance, far)
	if w.pairs >= w.nextAnchor {
		w.nextAnchor *= anchorRate
		for j := range w.anchor {
			w.anchor[j] += float64(w.trust * (w.mean[j] - w.anchor[j]))
			w.anchorAt(j, gain, false)
		}
	}
	if sounding {
		w.lost.add(result, squares, o.pairs)
	}
}

// shift returns the difference of the trial's two points along an axis, relative to that of
// mirror images.
func (w *walk) shift(o *observation, j int) float64 {
	return min(max((o.x[j]-o.other[j])/(2*w.probe), -1), 1)
}

// anchorAt sets the sum of an axis to the distance of its iterate from the anchor. With moving
// the anchor becomes the iterate itself; steps are then those of stochastic gradients.
func (w *walk) anchorAt(j int, gain float64, moving bool) {
	if moving {
		w.anchor[j] = w.iterate[j]
	}
	w.sum[j] = (w.iterate[j] - w.anchor[j]) / gain
}

// loss is the loss of a probe against the centre, by soundings, as a result.
type loss struct{ sum, squares, pairs float64 }

func (l *loss) add(result, squares, pairs float64) {
	l.sum -= float64(pairs * result)
	l.squares += squares
	l.pairs += pairs
}

const (
	// steep is the loss of a wide probe, as a result (about 120 Elo), from which it is too wide
	// for a walk. On problems like an engine's, with 2 to 30 Elo to gain, probes lose .02 to
	// .2; on Nevergrad's problems and the weights of this project's games, .4 to .9. A walk
	// that begins by chance ends by itself, fits do not.
	steep = .33
	// allowed is the loss above which a walk narrows its probes. Below comfortable times this
	// loss, the walk widens them.
	allowed, comfortable = .3, .7
	narrowing, widening  = .8, 1.15
	supported            = 1.5 // loss along an axis, over all pairs, in deviations of a pair's result, from which fits know more
	assumed              = 2   // pairs without a loss that are assumed in addition to those played
	fade                 = .9  // share of earlier soundings that is kept at a review
)

// estimate returns the loss with its standard error.
func (l *loss) estimate() (mean, se float64) {
	n := l.pairs + assumed
	return l.sum / n, math.Sqrt(l.squares+.5) / n
}

// review sets the width of the probes by their loss, from time to time. Those of ratios keep
// their width.
func (w *walk) review() {
	if w.ratios || w.pairs < w.nextWidth {
		return
	}
	w.nextWidth = w.pairs + max(minReview, w.pairs/reviewShare)
	switch mean, se := w.lost.estimate(); {
	case mean-se/2 > allowed*w.unit():
		w.setProbe(max(w.probe*narrowing, minProbe))
	case mean < comfortable*allowed*w.unit():
		w.setProbe(min(w.probe*widening, w.widest))
	}
	w.lost.sum *= fade
	w.lost.squares *= fade
	w.lost.pairs *= fade
}

// setProbe changes the width of the probes, and their expected loss by its square.
func (w *walk) setProbe(width float64) {
	w.lost.sum *= (width / w.probe) * (width / w.probe)
	w.probe = width
}

// unit returns the loss of the widest probes relative to that of wide ones.
func (w *walk) unit() float64 { return (w.widest / wide) * (w.widest / wide) }

// isOver reports whether fits now know more than the walk: the probes have become narrow, or
// games show the loss of a probe along each axis.
func (w *walk) isOver() bool {
	if w.ratios {
		return w.pairs >= ratioPairs
	}
	mean, se := w.lost.estimate()
	deviation := se * math.Sqrt(w.lost.pairs+assumed)
	return w.probe < 2*w.widest/3 || (mean-se)*math.Sqrt(w.pairs) > supported*deviation*float64(len(w.mean))
}

// Soundings are probes against their centre: the first trials, and some of the walk's. They
// show the loss of a probe, and so whether to walk or to fit. Their widths differ by axis, so
// that fits can separate the curvatures; the mean square is that of a probe.
const (
	soundingBatch              = 8
	minSoundings, maxSoundings = 8, 60
	soundingErrors             = 2 // distance from steep, in standard errors, at which no more are necessary
	shortShare, longShare      = .5, 1.32
)

// sounded reports whether the soundings so far suffice, and if so whether probes are steep.
func (w *walk) sounded() (decided, isSteep bool) {
	mean, se := w.lost.estimate()
	size := math.Abs(mean) / w.unit()
	return w.lost.pairs >= maxSoundings || w.lost.pairs >= minSoundings && math.Abs(size-steep) > soundingErrors*se/w.unit(), size > steep
}
