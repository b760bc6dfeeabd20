package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// rareLiar is a worker in a run of many answers, of which the coordinator checks some.
type rareLiar struct {
	share  float64 // share of its pairs that are wrong, drawn at random
	honest int     // number of answers before the first wrong one
	spares bool    // the last pair of each answer is correct
	extra  int     // draws in idle time after each answer
}

// run plays 1,500 pairs in answers of 100. It reports whether a check found a wrong pair, the
// share of wrong ones, and the upper bound of this share by the drawn pairs.
func (l rareLiar) run(seed byte) (found bool, wrong, bound float64) {
	const pairs, size = 1500, 100
	d, now := newDispatcher(newSecret([32]byte{seed})), time.Unix(0, 0)
	d.begin(false)
	d.hear(greeting{ID: "liar", Slots: 1}, now)
	r := rand.New(rand.NewPCG(uint64(seed), 7))
	lies := 0
	for from := 0; from < pairs; from += size {
		w := d.newWork(now, play.Job{From: from, To: from + size})
		digests := make([]uint64, size) // 0 is correct
		for i := range digests {
			if from/size >= l.honest && !(l.spares && i == size-1) && r.Float64() < l.share {
				digests[i] = 1
				lies++
			}
		}
		d.answer(w.number, "liar", digests, 1, 1, now)
		for i := 0; i <= l.extra; i++ {
			now = now.Add(drawEvery)
			for c := d.nextCheck(1, 0, i, now); c != nil; c = d.nextCheck(1, 0, 0, now) {
				for _, x := range c.samples {
					found = found || x.digest != 0
				}
				d.pass(c)
			}
		}
	}
	return found, float64(lies) / pairs, d.members(now)[0].MayBeWrong
}

// TestRareLiarIsFoundOrBounded has a worker that falsifies some of its pairs, and never the
// last of an answer. In at least 95 % of runs it is found, or the bound by the drawn pairs
// holds.
func TestRareLiarIsFoundOrBounded(t *testing.T) {
	for _, share := range []float64{0.02, 0.05, 0.15, 0.5} {
		for _, extra := range []int{0, 20} {
			const runs = 200
			missed, held, bounds := 0, 0, 0.0
			for seed := range runs {
				found, wrong, bound := rareLiar{share: share, honest: 6, spares: true, extra: extra}.run(byte(seed))
				if !found {
					missed++
				}
				if found || wrong <= bound {
					held++
				}
				bounds += bound / runs
			}
			t.Logf("%2.0f %% wrong, %2d draws in idle time: unnoticed in %3d of %d runs, at most %.1f %% may be wrong on average", 100*share, extra,
				missed, runs, 100*bounds)
			if held < runs*95/100 {
				t.Errorf("%v %% wrong: the bound holds in %d of %d runs", 100*share, held, runs)
			}
			if extra > 0 && share >= 0.05 && missed > runs/20 {
				t.Errorf("%v %% wrong: unnoticed in %d of %d runs in spite of idle time", 100*share, missed, runs)
			}
		}
	}
}

// TestIdleTimeEvensTheChances draws pairs in idle time: first those of the lowest probability,
// in late answers, in proportion to the size of answers, until few pairs may be wrong.
func TestIdleTimeEvensTheChances(t *testing.T) {
	d, now := stage("worker")
	m := d.workers["worker"]
	times := 0
	for trial, size := range []int{10, 90, 1000} {
		w := d.newWork(now, play.Job{Trial: int64(trial), To: size})
		d.answer(w.number, "worker", make([]uint64, size), 1, 1, now)
		d.use(m, len(m.held))
		m.draws = nil
		for range 100 {
			d.drawMore()
			times++
		}
	}
	for d.mayBeWrong()[m] > sureEnough {
		d.drawMore()
		times++
	}
	for _, number := range d.old {
		if w := d.known[number]; w.rate < 0.2 {
			t.Errorf("%d pairs, %.2f draws of each", w.pairs, w.rate)
		}
	}
	before := len(m.draws)
	if d.drawMore(); len(m.draws) > before || times < 300 || times > 600 {
		t.Errorf("%d draws, and %d more", times, len(m.draws)-before)
	}
}

// TestScoreUnlikeTheOthersIsChecked has a worker whose games end differently from the others'
// games with the same players: its residual is large, and each of its answers is checked. Other
// residuals are small, also if the strength of the players changes from trial to trial.
func TestScoreUnlikeTheOthersIsChecked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s scores
	for trial := range int64(10) {
		j := play.Job{Trial: trial}
		j.Seats[0].Values = []float64{float64(trial)}
		for worker := range 5 {
			chance := 0.3 + 0.04*float64(trial)
			if worker == 4 {
				chance += 0.15
			}
			pairs := make([]play.Pair, 40)
			for i := range pairs {
				for k := range pairs[i].Games {
					won := r.Float64() < chance
					pairs[i].Games[k].Outcome = engines.FirstWins
					if won != (k == 0) {
						pairs[i].Games[k].Outcome = engines.SecondWins
					}
				}
			}
			s.add(fmt.Sprint(worker), &j, pairs)
		}
	}
	for worker, z := range s.residuals() {
		if (worker == "4") != (z > oddScore) || worker != "4" && math.Abs(z) > 3.5 {
			t.Errorf("worker %s: %.1f standard errors", worker, z)
		}
	}
	d, now := stage("odd")
	m := d.workers["odd"]
	m.passed, m.answers, m.residual = earlyChecks, 1<<20, -2*oddScore
	d.secret = rand.New(never{})
	w := d.newWork(now, play.Job{To: 1})
	if d.answer(w.number, "odd", make([]uint64, 1), 1, 1, now); !m.due {
		t.Error("its answer is not checked")
	}
}
