package analysis

import (
	"slices"

	"selfplaylab/reports/rating"
)

// checkShare is the share of a tuner's trials that play its recommendation against the start: one in
// about this many.
const checkShare = 20

// firstSpan is the number of pairs of a tuning after which the first window may have an interval.
const firstSpan = checkShare * rating.MinSequence

// Measured is the measured strength of the latest recommendations of a tuning over the start, in Elo, by
// the trials that played both.
type Measured struct {
	Games int64   `json:"games"` // of the tuning so far
	Pairs int     `json:"pairs"` // of the latest recommendations against the start
	Elo   float64 `json:"elo"`
	Low   float64 `json:"low"` // of the interval; beyond every match with few pairs
	High  float64 `json:"high"`
	Few   bool    `json:"few"` // pairs for an interval
}

// window is a part of a tuning, from a number of pairs to the present.
type window struct {
	number   int // from 1
	from, to int // pairs of the tuning; the window is shown from half of to on, and until to
}

// windowAt returns the window shown at a number of pairs: it began between a quarter and half of them.
func windowAt(pairs int) window {
	w := window{number: 1, to: 2 * firstSpan}
	for w.to <= pairs {
		w.number++
		w.from, w.to = w.to/2, 2*w.to
	}
	return w
}

// sequence returns the confidence sequence of a window. Window k has the share 1 / (k (k+1)) of the
// whole chance to miss; the shares of all windows sum up to 1.
func (w window) sequence(level float64) rating.Sequence {
	return rating.Sequence{Alpha: (1 - level) / float64(w.number*(w.number+1)), Tightest: max((w.to-w.from)/checkShare, 1)}
}

// Measured returns the measured strength of the recommendations after each trial that played one of
// them against the start. All intervals hold together at the run's confidence, however often one looks: each is a confidence
// sequence for the mean strength of the window's recommendations (rating.Sequence, which allows the
// strength to change), and Bonferroni's inequality joins the windows. Before rating.MinSequence pairs
// there is no interval. It is nil without such trials, and for a tuning against opponents.
func (h *History) Measured() (list []Measured) {
	if h.Opponent != "" {
		return nil
	}
	type check struct {
		before int // pairs of the tuning
		pairs  rating.Pairs
	}
	var checks []check
	played := 0
	for k := range h.Trials {
		t := &h.Trials[k]
		before := played
		played += t.Pairs.N()
		if !slices.Equal(t.B, h.Start) || !h.recommended(t.A, k) {
			continue
		}
		checks = append(checks, check{before, t.Pairs})
		w := windowAt(played)
		var pairs rating.Pairs
		for _, c := range checks {
			if c.before >= w.from {
				pairs = pairs.Plus(c.pairs)
			}
		}
		e := w.sequence(h.Level).Estimate(pairs)
		list = append(list, Measured{2 * int64(played), e.N, e.Elo, e.EloRange.Low, e.EloRange.High, e.Few})
	}
	return list
}

// recommended reports whether a vector other than the start was recommended before a trial.
func (h *History) recommended(v []float64, before int) bool {
	if slices.Equal(v, h.Start) {
		return false
	}
	for k := before - 1; k >= 0; k-- {
		if slices.Equal(h.Trials[k].Best, v) {
			return true
		}
	}
	return false
}
