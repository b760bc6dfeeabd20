package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"selfplaylab/params"
	"selfplaylab/params/quadratic"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// fit is a quadratic fitted to the trials of a tuning.
type fit struct {
	*History
	model *quadratic.Model
	z     float64 // standard errors to an end of an interval
	elo   float64 // Elo between two players for one of the model's

	data *Analysis
}

// New returns the fit that a tuner made of a history.
func New(h *History, model *quadratic.Model) *fit {
	return &fit{History: h, model: model, z: math.Sqrt2 * math.Erfinv(h.Level), elo: eloOf(h)}
}

// eloOf returns the Elo between two players for one of the tuner's.
func eloOf(h *History) float64 {
	if h.Opponent != "" {
		return 2 // scores are half the difference of two scores
	}
	return 1
}

// around fits the strength near a vector to trials of any tuner, as far as the vectors of reach.
func around(h *History, centre params.Vector, list []Trial, reach ...params.Vector) (*fit, error) {
	var trials []params.Trial
	var scores []params.Score
	for i := range list {
		t := &list[i]
		trials = append(trials, params.Trial{ID: i, A: t.A, B: t.B, Pairs: t.Pairs.N()})
		scores = append(scores, t.Score())
	}
	model, err := quadratic.Around(quadratic.Settings{Space: h.Space(), Start: h.Start, Active: h.Indices()}, centre, trials, scores, reach...)
	if err != nil {
		return nil, err
	}
	if want := 2 * len(model.Params); len(trials) < want {
		return nil, fmt.Errorf("%s for %s of slopes and curvatures alone", text.Plural(len(trials), "trial"), text.Plural(want, "unknown"))
	}
	return New(h, model), nil
}

// claim makes a claim of an estimate.
func (f *fit) claim(e quadratic.Estimate, shown bool) Claim {
	return Claim{f.interval(e), int64(f.model.Games), shown}
}

// claims makes claims of estimates of one kind: of all, or of the surest among a number of them.
func (f *fit) claims(list []quadratic.Estimate, of int) (claims []Claim) {
	for k, shown := range quadratic.Shown(list, of, f.Level) {
		claims = append(claims, f.claim(list[k], shown))
	}
	return claims
}

// interval returns an estimate in Elo, cut at the largest value of a match: a quadratic of games in
// a small region, where one side always won, has no bound a step away.
func (f *fit) interval(e quadratic.Estimate) span {
	elo, half := f.elo*e.Value, f.elo*f.z*e.SE
	cut := func(x float64) float64 { return min(max(x, -rating.MaxElo), rating.MaxElo) }
	return span{cut(elo), cut(elo - half), cut(elo + half)}
}

// ranked lists the parameters by their loss a step, the largest first.
func (f *fit) ranked() []quadratic.ParamModel {
	list := slices.Clone(f.model.Params)
	slices.SortStableFunc(list, func(a, b quadratic.ParamModel) int { return cmp.Compare(b.Loss.Value, a.Loss.Value) })
	return list
}

const (
	maxPairwise = 6  // parameters that are shown two by two
	slicePoints = 15 // of a slice, and of a side of a surface
	pairTried   = 40 // trials shown in each
	// atBound is the share of probability at the end of a range above which an ellipse does not
	// describe a region.
	atBound = 0.1
)

// mostImportant returns the parameters that are shown in pairs, the largest loss first.
func (f *fit) mostImportant() []quadratic.ParamModel {
	list := f.ranked()
	return list[:min(len(list), maxPairwise)]
}

// Optima returns the recommendation with its intervals.
func (f *fit) Optima() []Optimum {
	list := []Optimum{}
	for _, p := range f.model.Params {
		low, high, _ := f.model.Optimum(p.Index, f.Level)
		list = append(list, Optimum{Param: p.Index, Value: p.Best, Low: low, High: high})
	}
	return list
}

// Found describes the method behind the optima.
func (f *fit) Found() string {
	return fmt.Sprintf("Best by its games: the recommendation, with the range that contains the best value with %s probability under the "+
		"model, the other parameters as tuned. "+
		"Unimportant parameters get intervals almost as wide as their range. If an interval does not contain the recommended value, the "+
		"tuning had not converged, or strength is not quadratic.", text.Level(f.Level))
}

// span is where the later half of the trials was played, in coordinates of a
// parameter; the recommendation lies in it.
func (f *fit) span(p quadratic.ParamModel) (lo, hi float64) {
	param := f.Space()[p.Index]
	lo = param.Coordinate(p.Best)
	hi = lo
	for i := len(f.Trials) / 2; i < len(f.Trials); i++ {
		a, b := param.Coordinate(f.Trials[i].A[p.Index]), param.Coordinate(f.Trials[i].B[p.Index])
		lo, hi = min(lo, a, b), max(hi, a, b)
	}
	return lo, hi
}

// values are evenly over a parameter's span, in the coordinate tuners move; none where
// that is too narrow.
func (f *fit) values(p quadratic.ParamModel) (list []float64) {
	lo, hi := f.span(p)
	if !(hi-lo > 1e-6) {
		return nil
	}
	param := f.Space()[p.Index]
	for i := range slicePoints {
		u := lo + float64((hi-lo)*float64(i)/float64(slicePoints-1))
		list = append(list, min(max(param.Value(u), param.Min), param.Max))
	}
	return list
}

// with returns the model's recommendation with one value changed.
func (f *fit) with(index int, x float64) params.Vector {
	v := f.model.Best.Clone()
	v[index] = x
	return v
}

// axisName names an axis of a figure.
func axisName(p params.Param) string {
	if p.Unit == "" {
		return p.Name
	}
	return p.Name + " (" + p.Unit + ")"
}

// inUnits returns a coordinate as a value, with the length of a step: of its natural
// logarithm where that is tuned.
func inUnits(p params.Param, u float64) (value, step float64) {
	step = p.Step
	if !(step > 0) {
		step = 1 // as params.Param.Coordinate has it
	}
	if p.Log {
		return math.Exp(u * step), step
	}
	return u * step, step
}
