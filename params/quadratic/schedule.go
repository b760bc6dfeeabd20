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

// batchPairs is the size of a batch, by the pairs before it. Between the two shares it grows
// with their root: the longer a tuning is, the less of its time is spent with fits.
func (t *Tuner) batchPairs(before int) int {
	d := len(t.axes)
	coarse := int(min(float64(before)/coarseShare, float64(d)*math.Sqrt(float64(4*before))/3))
	return max(minBatch, 2*d, before/batchShare, coarse)
}

// TrialPairs is the size of a trial, by the pairs before it, where no budget ends it. Trials of fits
// grow, so that a fit of N pairs has 250 ln(1 + N/250) rows, not N: a third fewer after 16,000 games
// than with 500. (The regret was compared, in 240 runs, with a share of 200, not of this one: no
// more of it was to be seen.) Those of a walk grow more slowly.
func (t *Tuner) TrialPairs(before int) int {
	if t.stage != fitting {
		return 1 + before/walkShare
	}
	return 1 + max(0, before-t.from)/rowShare
}

// One part in lag of the pairs played may be in flight in a walk, at most maxInFlight trials: the
// centre of a trial does not depend on when workers answer.
const lag, maxInFlight = 30, 1024

// inFlight is how many trials of a walk may be under way.
func (t *Tuner) inFlight() int {
	return min(1+t.ahead/lag/t.TrialPairs(t.ahead), maxInFlight)
}

// stage is how trials are drawn.
type stage int

const (
	sounding stage = iota // wide probes against the start
	walking
	leaving // a walk is over, but for the trials in flight
	fitting
)

// refill draws the trials that the scores told so far allow. It runs after every score: no trial
// depends on how many scores arrive between two calls of Ask.
func (t *Tuner) refill() {
	if t.stage == sounding && len(t.queue) == 0 && t.told > 0 {
		if decided, isSteep := t.walk.sounded(); decided {
			t.stage = walking
			switch {
			case isSteep && len(t.axes) <= maxFit:
				t.data = nil // too far out
				t.beginFits()
			case isSteep:
				t.walk.probe = narrow
			}
		}
	}
	if t.stage == walking && t.walk.isOver() && len(t.axes) <= maxFit {
		t.stage = leaving
	}
	if t.stage == leaving && len(t.queue) == 0 {
		t.latest.m = t.walk.mean
		for range settlingFits {
			t.latest = t.advance(t.latest)
		}
		t.beginFits()
	}
	t.fill()
}

// settlingFits are how many fits follow a walk before the first batch: its games lie all around.
const settlingFits = 4

// beginFits begins the stage of fits around the latest state.
func (t *Tuner) beginFits() {
	t.stage, t.from, t.walk = fitting, t.ahead, nil
	t.shown, t.best, t.vectored = t.latest, t.latest.m, nil
}

// fill draws trials: soundings and those of fits by whole batches.
func (t *Tuner) fill() {
	switch {
	case t.stage == walking:
		for len(t.queue) < t.inFlight() {
			t.draw()
		}
	case len(t.queue) > 0 || t.stage == leaving:
	case t.stage == sounding:
		for range soundingBatch {
			t.draw()
		}
	default:
		for end := t.ahead + t.batchPairs(t.ahead); t.ahead < end; {
			t.draw()
		}
	}
}
