package quadratic

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"selfplaylab/params"
)

// Around returns a model of the strength around a vector, which is its Best, by the trials of
// any tuner and the same regression as [Tuner.Model]. Along each parameter the neighbourhood is
// as wide as the trials' mean distance from the vector, and it contains the vectors of reach;
// games further away count less. Parameters that no trial moved are left out. The model lacks
// the most expensive parts, see [Model.Complete]. Of set only Space, Start and Active count. It
// is an error if no trial is near.
func Around(set Settings, centre params.Vector, trials []params.Trial, scores []params.Score, reach ...params.Vector) (*Model, error) {
	set.Pairs, set.Active = 0, moved(set.Active, trials)
	t, err := New(set)
	if err != nil {
		return nil, err
	}
	if err := set.Space.Check(centre); err != nil {
		return nil, fmt.Errorf("quadratic: a model around a vector: %w", err)
	}
	t.walk = nil // the trials are another tuner's
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
		m.Best = centre.Clone() // not rounded again
	}
	return m, err
}

// loose is more log-odds than a neighbourhood spans: another tuner's trials may be much further
// apart than probes that lose as little as [probeLoss].
const loose = 5

// moved returns the parameters that differ between the two points of some trial.
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

// spread returns the mean square distance of the trials' points from a centre along each axis,
// or that of a vector of reach if it is larger.
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
