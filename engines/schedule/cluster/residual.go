package cluster

import (
	"fmt"
	"hash/fnv"
	"math"

	"selfplaylab/engines/play"
)

// maxStrata bounds the number of pairings of vectors with stored scores.
const maxStrata = 1 << 14

// scores are the results of pairs by players and by worker. They show a worker whose games end
// differently from the others' games with the same players, as the residuals of fishtest do. A
// distance proves nothing, so it leads to more checks, never to a refusal.
type scores struct {
	strata map[uint64]*stratum
	trial  int64  // of the last pairs
	key    uint64 // of its stratum
}

// stratum holds the pairs of the same players. A pair counts A's half points, 0 to 4.
type stratum struct {
	total    count
	square   float64 // sum of squares
	byWorker map[string]count
}

// count is a number of pairs and their half points.
type count struct{ pairs, points float64 }

// add counts the pairs of a job that a worker played.
func (s *scores) add(worker string, j *play.Job, pairs []play.Pair) {
	if s.strata == nil {
		s.strata = map[uint64]*stratum{}
	}
	if s.key == 0 || s.trial != j.Trial {
		h := fnv.New64a()
		for _, seat := range j.Seats {
			fmt.Fprintf(h, "%q %v %+v %+v\n", seat.Name, seat.Values, seat.Limits, seat.Engine)
		}
		s.trial, s.key = j.Trial, h.Sum64()
	}
	t := s.strata[s.key]
	if t == nil {
		if len(s.strata) == maxStrata {
			return
		}
		t = &stratum{byWorker: map[string]count{}}
		s.strata[s.key] = t
	}
	c := t.byWorker[worker]
	for i := range pairs {
		half := pairs[i].Half()
		x := float64(half[0] + half[1])
		c.pairs, c.points = c.pairs+1, c.points+x
		t.total.pairs, t.total.points = t.total.pairs+1, t.total.points+x
		t.square += x * x
	}
	t.byWorker[worker] = c
}

// residuals returns, for each worker, the distance of its score from the score of all others
// with the same players, in standard errors; above 0 if A scored more.
func (s *scores) residuals() map[string]float64 {
	distance, variance := map[string]float64{}, map[string]float64{}
	for _, t := range s.strata {
		mean := t.total.points / t.total.pairs
		spread := t.square/t.total.pairs - float64(mean*mean)
		for worker, c := range t.byWorker {
			others := count{t.total.pairs - c.pairs, t.total.points - c.points}
			if others.pairs == 0 {
				continue
			}
			distance[worker] += c.points - float64(c.pairs*(others.points/others.pairs))
			variance[worker] += spread * c.pairs * (1 + c.pairs/others.pairs)
		}
	}
	list := map[string]float64{}
	for worker, v := range variance {
		if v > 0 {
			list[worker] = distance[worker] / math.Sqrt(v)
		}
	}
	return list
}
