// Package fit finds the weights of an evaluation that best predict the results of recorded
// games. It plays no games: only games can show that better predictions play better.
package fit

import (
	"errors"
	"math"
	"slices"

	"selfplaylab/params"
	"selfplaylab/params/regression"
)

// Weight is a fitted parameter.
type Weight struct {
	Name string `json:"name"` // of the parameter
	// Start is the value before the fit, Value the fitted one, clipped to the range. The
	// interval Low..High may exceed the range; it is the whole range if not Identified.
	Start      float64 `json:"start"` // times Result.Factor
	Value      float64 `json:"value"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Identified bool    `json:"identified"` // false if the games do not determine it; Value is then Start
}

// Result is the outcome of a fit, with fields as in its JSON.
type Result struct {
	Games     int           `json:"games"`     // in the fit
	LeftOut   int           `json:"left_out"`  // games of files that could not be read
	Positions int           `json:"positions"` // in the fit, held-out ones included; all of them if there are no games
	Clusters  int           `json:"clusters"`  // openings, each with all of its games
	Weights   []Weight      `json:"weights"`   // in the order of the space
	Excluded  []string      `json:"excluded"`  // requested, but not linear
	Values    params.Vector `json:"values"`    // of all parameters, fitted ones included, each within its range
	// Factor multiplies the start's weights and all parameters in their unit, if only ratios
	// matter, so that the fitted weights use their ranges; otherwise it is 1.
	Factor float64 `json:"factor"`
	regression.Fit
}

// IsInsufficient reports whether err says that the games are too few or too uniform for a fit.
func IsInsufficient(err error) bool {
	return errors.Is(err, regression.ErrFew) || errors.Is(err, regression.ErrFlat)
}

// Fit fits the weights to the games of the set. The error satisfies IsInsufficient if the games
// do not suffice. Add may be called again afterwards.
func (s *Set) Fit() (*Result, error) {
	if err := s.load(); err != nil {
		return nil, err
	}
	s.gather()
	s.data.Pass = s.options.Pass
	space, o := s.variant.Game.Space, s.options
	p := s.problem(o.Start)
	if o.Score > 0 {
		if err := s.mix(&p); err != nil {
			return nil, err
		}
	}
	f, err := p.Run()
	if err != nil {
		return nil, err
	}
	r := &Result{Games: s.games, Positions: s.data.Rows(), Clusters: s.data.Clusters(), Excluded: s.exclude,
		Factor: s.factor(f.Weights), Fit: *f}
	r.Values = s.scaled(o.Start, r.Factor)
	for k, name := range s.fitted {
		i, w := space.Index(name), f.Weights[k]
		low, high := space[i].Min, space[i].Max // of a weight that is not identified
		if w.Identified {
			r.Values[i] = space[i].Clip(rounded(space[i], w.Value*r.Factor))
			low, high = w.Low*r.Factor, w.High*r.Factor
		}
		r.Weights = append(r.Weights, Weight{name, o.Start[i] * r.Factor, r.Values[i], low, high, w.Identified})
	}
	return r, nil
}

// problem returns the regression around a start.
func (s *Set) problem(start params.Vector) regression.Problem {
	p := regression.Problem{Data: s.data, Ridge: s.options.Ridge, Confidence: s.options.Confidence}
	for _, name := range s.fitted {
		i := s.variant.Game.Space.Index(name)
		q := s.variant.Game.Space[i]
		p.Start, p.Units = append(p.Start, start[i]), append(p.Units, q.Max-q.Min)
		if s.free {
			q.Min, q.Max = math.Inf(-1), math.Inf(1)
		}
		p.Low, p.High = append(p.Low, q.Min), append(p.High, q.Max)
	}
	return p
}

// fullRange is the share of its range that the weight nearest its bound takes, if the weights
// are multiplied to use their ranges.
const fullRange = .9

// factor returns the number by which to multiply the weights if only their ratios matter: 1 if
// they fit into their ranges and use at least half of them. At a small scale whole weights lose
// digits; at a large one some end at a bound.
func (s *Set) factor(list []regression.Weight) float64 {
	used := 0.0
	for k, name := range s.fitted {
		p := s.variant.Game.Space[s.variant.Game.Space.Index(name)]
		switch x := list[k].Value; {
		case x > 0 && p.Max > 0:
			used = max(used, x/p.Max)
		case x < 0 && p.Min < 0:
			used = max(used, x/p.Min)
		}
	}
	if !s.free || used == 0 || used >= fullRange/2 && used <= fullRange {
		return 1
	}
	return fullRange / used
}

// scaled multiplies the fitted parameters of a vector, and all parameters in their unit.
func (s *Set) scaled(v params.Vector, factor float64) params.Vector {
	w := v.Clone()
	if factor == 1 {
		return w
	}
	for _, name := range slices.Concat(s.fitted, s.points) {
		i := s.variant.Game.Space.Index(name)
		p := s.variant.Game.Space[i]
		w[i] = p.Clip(rounded(p, v[i]*factor))
	}
	return w
}

// rounded keeps as many digits as tuners do, so that all processors find the same values.
func rounded(p params.Param, x float64) float64 {
	p.Log = false
	return p.Value(p.Coordinate(x))
}

// Between returns the values halfway between the fitted ones and other ones, which are first
// brought to the same scale if only ratios matter. It returns a new vector.
func (s *Set) Between(r *Result, other params.Vector) (params.Vector, error) {
	if s.free {
		p := s.problem(other)
		scale, _, err := p.Calibrate()
		if err != nil {
			return nil, err
		}
		other = s.scaled(other, scale*r.Factor/r.Scale)
	}
	v := r.Values.Clone()
	for i, p := range s.variant.Game.Space {
		if v[i] != other[i] && p.Labels == nil {
			v[i] = p.Clip(rounded(p, (v[i]+other[i])/2))
		}
	}
	return v, nil
}
