package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/reports/rating"
)

// growing returns a tuning whose recommendation grows stronger: after n trials it wins strength(n)
// of its pairs against the start. One trial in twenty plays the recommendation against the start;
// the others are probes.
func growing(r *rand.Rand, trials int, strength func(n int) float64) *History {
	space := params.Space{{Name: "x", Max: 1e6, Step: 1}}
	h := &History{Task: &Task{Game: &engines.Game{Space: space}, Start: params.Vector{0}, Active: []string{"x"}}, Level: .95}
	for n := range trials {
		x := float64(n + 1)
		t := Trial{A: params.Vector{x + .5}, B: params.Vector{x - .25}, Pairs: rating.Pairs{2: 4}, Best: params.Vector{x}}
		if n%checkShare == checkShare-1 {
			t.A, t.B, t.Pairs = h.Trials[n-3].Best, h.Start, rating.Pairs{}
			for range 4 {
				t.Pairs.Add(half(r, strength(n)), half(r, strength(n)))
			}
		}
		h.Trials = append(h.Trials, t)
	}
	return h
}

// half draws the half points of a game without draws.
func half(r *rand.Rand, score float64) int {
	if r.Float64() < score {
		return 2
	}
	return 0
}

// TestMeasuredIntervalsHoldTogether simulates tunings of growing strength. In at most 5 % of the
// tunings may any interval miss the mean strength of its window.
func TestMeasuredIntervalsHoldTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("short: simulates hundreds of tunings")
	}
	const tunings, trials = 300, 8000
	strength := func(n int) float64 { return .5 + float64(.2*math.Sqrt(float64(n)/trials)) }
	missed, informative := 0, 0
	for seed := range uint64(tunings) {
		list := growing(rand.New(rand.NewPCG(seed, 1)), trials, strength).Measured()
		if len(list) != trials/checkShare {
			t.Fatalf("%d points for %d trials against the start", len(list), trials/checkShare)
		}
		wrong := false
		for k, m := range list {
			mean, n := 0.0, 0
			for i := checkShare * (k + 1); n < m.Pairs; i -= checkShare {
				mean, n = mean+4*strength(i-1), n+4
			}
			mean /= float64(n)
			wrong = wrong || mean < rating.Score(m.Low) || mean > rating.Score(m.High)
			if m.Few != (m.Pairs < rating.MinSequence) || m.Games != int64(2*4*checkShare*(k+1)) {
				t.Fatalf("point %d: %+v", k, m)
			}
		}
		if wrong {
			missed++
		}
		if list[len(list)-1].Low > 0 {
			informative++
		}
	}
	if missed > tunings/20 || informative < tunings*9/10 {
		t.Errorf("%d of %d tunings have an interval that misses, %d show the gain at the end", missed, tunings, informative)
	}
}

// TestMeasuredWindowBegins expects windows that follow each other, and begin between a quarter and half
// of the pairs.
func TestMeasuredWindowBegins(t *testing.T) {
	number := 0
	for pairs := 0; pairs < 1_000_000; pairs += 64 {
		w := windowAt(pairs)
		if w.number < number || w.number > number+1 || pairs >= w.to || w.number > 1 && (w.from > pairs/2 || w.from < pairs/4) {
			t.Fatalf("%d pairs: %+v after window %d", pairs, w, number)
		}
		number = w.number
	}
}
