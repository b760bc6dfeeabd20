package quadratic

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"selfplaylab/params"
)

// Around returns how strong trials of any tuner show vectors to be in the neighbourhood
// of one, which is the model's Best, by the same regression as [Tuner.Model]. The neighbourhood
// is as wide as the trials lie around the vector on average, along each parameter, and
// holds the vectors of reach; games further away count less. Parameters that no trial moved are
// left out. The model lacks what takes most of the work, see [Model.Complete]. Of set, Space,
// Start and Active count. It is an error if no trial lies near.
func Around(set Settings, centre params.Vector, trials []params.Trial, scores []params.Score, reach ...params.Vector) (*Model, error) {
	set.Pairs, set.Active = 0, moved(set.Active, trials)
	t, err := New(set)
	if err != nil {
		return nil, err
	}
	if err := set.Space.Check(centre); err != nil {
		return nil, fmt.Errorf("quadratic: a model around a vector: %w", err)
	}
	t.walk = nil // the trials are others'
	for i, trial := range trials {
		t.observe(trial.A, trial.B, scores[i])
		t.told++
	}
	s := t.latest
	s.m, s.start, s.loose = t.coordinates(centre), nil, loose
	if err := s.setProbes(t.spread(s.m, reach), t.axes); err != nil {
		return nil, fmt.Errorf("quadratic: a model around a vector: %w", err)
	}
	first, err := newFit(&s, t.data, &vagueScales)
	if err != nil {
		return nil, fmt.Errorf("quadratic: a model of %d trials around a vector: %w", len(trials), err)
	}
	s.dispersion = first.dispersion
	t.shown, t.best, t.vectored = s, s.m, nil
	m, err := t.model()
	if err == nil {
		m.Best = centre.Clone() // not rounded anew
	}
	return m, err
}

// loose is more log-odds than a neighbourhood has: trials of others may lie much
// wider apart than probes that lose as little as [probeLoss].
const loose = 5

// moved are the parameters that differ between the two of some trial.
func moved(active []int, trials []params.Trial) (list []int) {
	for _, i := range active {
		for _, t := range trials {
			if t.A[i] != t.B[i] {
				list = append(list, i)
				break
			}
		}
	}
	return list
}

// spread is the mean square distance of the trials' points from a centre, along
// each axis, or that of a vector to be reached where it is larger.
func (t *Tuner) spread(centre []float64, reach []params.Vector) *mat.SymDense {
	covariance := mat.NewSymDense(len(centre), nil)
	for j, m := range centre {
		sum := 0.0
		for _, o := range t.data {
			sum += float64((o.x[j]-m)*(o.x[j]-m)) + float64((o.other[j]-m)*(o.other[j]-m))
		}
		wide := sum / float64(2*max(len(t.data), 1))
		for _, v := range reach {
			d := t.axes[j].coordinate(v[t.axes[j].index]) - m
			wide = max(wide, d*d)
		}
		covariance.SetSym(j, j, wide)
	}
	return covariance
}
