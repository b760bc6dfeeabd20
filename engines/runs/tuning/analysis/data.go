package analysis

import (
	"fmt"
	"math"
	"slices"

	"selfplaylab/reports/text"
)

// Analysis is what a tuning's own games show without further games, by a quadratic fitted
// near the tuned values. Strengths are in Elo; intervals are at the run's confidence
// and do not know that strength may be no quadratic.
type Analysis struct {
	Games        int64         `json:"games"`        // that count, by their distance
	Level        float64       `json:"level"`        // confidence of all intervals
	Target       string        `json:"target"`       // "win", or "margin": then strengths are in Elo of graded points
	Importance   []importance  `json:"importance"`   // what costs most to change first
	Interactions []interaction `json:"interactions"` // the surest first
	Ratios       [][]string    `json:"ratios"`       // groups that matter only by their ratios
	Scales       []scale       `json:"scales"`       // the same, with those that only the games show
	Slices       []slice       `json:"slices"`       // along the parameters that matter most
	Regions      []region      `json:"regions"`      // of the optimum, of each two of these
	// How far the tuned values are expected to be below the best ones, and what more games
	// would gain. Nil where the tuner makes no such fit.
	ExpectedGain *ExpectedGain `json:"outlook"`
}

// importance is what one parameter is worth.
type importance struct {
	Parameter string `json:"parameter"`
	Loss      span   `json:"loss"`  // one step away from the tuned value, mean of both sides
	Slope     span   `json:"slope"` // what a step upwards would still gain
}

// interaction is what a step of both gains beyond the sum of what each gains alone.
type interaction struct {
	Parameters [2]string `json:"parameters"`
	span
	Sure bool `json:"sure"` // its interval, taken alone, leaves out 0
}

// ExpectedGain is what more games are expected to gain.
type ExpectedGain struct {
	Regret    float64 `json:"lacking"`
	Deviation float64 `json:"deviation"` // standard deviation of the regret under the model
	More      int     `json:"more"`      // games
	Gain      float64 `json:"gain"`      // expected from them
	Steps     []step  `json:"steps"`     // of other numbers of games
}

// step is the expected gain from a number of further games.
type step struct {
	More      int     `json:"more"`
	Gain      float64 `json:"gain"`
	Deviation float64 `json:"deviation"`
}

// String says it in a sentence.
func (o *ExpectedGain) String() string {
	at := slices.IndexFunc(o.Steps, func(s step) bool { return s.More == o.More })
	return fmt.Sprintf("Expected gain from %s more games: %+.1f ± %.1f Elo (of an estimated %.1f ± %.1f left)", text.Count(o.More), o.Gain,
		o.Steps[at].Deviation, o.Regret, o.Deviation)
}

// scale is a group of parameters that act only by their ratios: what is lost where
// all grow by a tenth of themselves, and where each does so alone, summed.
type scale struct {
	Parameters []string `json:"parameters"`
	Declared   bool     `json:"declared"` // by the game, not found in its games
	Held       bool     `json:"held"`     // the tuner kept their common scale
	Together   span     `json:"together"`
	Alone      span     `json:"alone"`
}

// slice is the fitted strength along one parameter, relative to the tuned values,
// all others as tuned, where the later half of the trials was played.
type slice struct {
	Parameter string  `json:"parameter"`
	Points    []along `json:"points"`
}

// along is a point of a slice.
type along struct {
	Value float64 `json:"value"`
	span
}

// region is where the optimum of two parameters lies, under the model.
type region struct {
	Parameters  [2]string  `json:"parameters"`
	Middle      [2]float64 `json:"middle"`     // in their units
	Deviations  [2]float64 `json:"deviations"` // in steps
	Correlation float64    `json:"correlation"`
	AtBound     float64    `json:"at_bound"` // share of what is possible that lies at the end of a range
}

// ByMargins reports whether strengths are in Elo of graded points.
func (s *Analysis) ByMargins() bool { return s.Target == TargetMargin }

const (
	maxLeading = 3 // parameters or interactions that are named
	// worthNaming is the largest half-width of an interval, as a share of the estimate, of
	// what is named.
	worthNaming = 0.5
)

// Leading are the parameters that matter most, each with its interval: those that were
// shown to matter, by an interval that says how much.
func (s *Analysis) Leading() (list []string) {
	for _, w := range s.Importance {
		if len(list) < maxLeading && w.Loss.worthNaming() {
			list = append(list, fmt.Sprintf("%s (%s Elo a step)", w.Parameter, w.Loss))
		}
	}
	return list
}

// Joint are the surest interactions, each with its interval, of parameters that were
// both shown to matter.
func (s *Analysis) Joint() (list []string) {
	matters := func(name string) bool {
		return slices.ContainsFunc(s.Importance, func(w importance) bool { return w.Parameter == name && w.Loss.Low > 0 })
	}
	for _, i := range s.Interactions {
		if len(list) < maxLeading && i.Sure && i.worthNaming() && matters(i.Parameters[0]) && matters(i.Parameters[1]) {
			list = append(list, fmt.Sprintf("%s with %s (%s Elo)", i.Parameters[0], i.Parameters[1], i.span))
		}
	}
	return list
}

// worthNaming reports whether the interval is narrow enough to say how large the value is.
func (s span) worthNaming() bool {
	return !s.cut() && math.Abs(s.Elo) > 0 && s.High-s.Low <= 2*worthNaming*math.Abs(s.Elo)
}

// String is the estimate with half its interval.
func (s span) String() string { return fmt.Sprintf("%.1f ± %.1f", s.Elo, (s.High-s.Low)/2) }

// furtherGames is the number of games that the expected gain is about.
const furtherGames = 10_000

// Analysis returns the fit as data, with the expected gain where the model is the tuner's.
func (f *Fit) Analysis(expectedGain bool) *Analysis {
	s := &Analysis{Games: int64(f.model.Games), Level: f.Level, Target: f.target(), Importance: []importance{}, Interactions: []interaction{},
		Ratios: f.model.Ratios, Scales: []scale{}, Slices: []slice{}, Regions: []region{}}
	span := f.interval
	for _, g := range f.model.Scales {
		s.Scales = append(s.Scales, scale{g.Names, g.Declared, g.Held, span(g.Together), span(g.Alone)})
	}
	s.Slices, s.Regions = f.along(), f.regions()
	for _, p := range f.ranked() {
		if slices.Contains(f.Idle, p.Name) {
			continue
		}
		s.Importance = append(s.Importance, importance{Parameter: p.Name, Loss: span(p.Loss), Slope: span(p.Slope)})
	}
	for _, c := range f.model.Cross[:min(len(f.model.Cross), maxCrossShown)] {
		s.Interactions = append(s.Interactions, interaction{Parameters: [2]string{c.A, c.B}, span: span(c.Elo), Sure: f.sure(c.Elo)})
	}
	if s.Ratios == nil {
		s.Ratios = [][]string{}
	}
	if expectedGain {
		lacking := f.model.Lacking()
		s.ExpectedGain = &ExpectedGain{Regret: f.elo * lacking.Value, Deviation: f.elo * lacking.SE, More: furtherGames,
			Gain: f.elo * f.model.Gain(furtherGames)}
		for _, more := range []int{1000, furtherGames, 5 * furtherGames, 20 * furtherGames} {
			gain := f.model.Gains(more)
			s.ExpectedGain.Steps = append(s.ExpectedGain.Steps, step{more, f.elo * gain.Value, f.elo * gain.SE})
		}
	}
	return s
}

// along are slices along the parameters that matter most.
func (f *Fit) along() []slice {
	list := []slice{}
	for _, p := range f.mostImportant() {
		slice := slice{Parameter: p.Name}
		for _, x := range f.values(p, pairPoints) {
			slice.Points = append(slice.Points, along{x, f.interval(f.model.Elo(f.with(p.Index, x)))})
		}
		if len(slice.Points) > 0 {
			list = append(list, slice)
		}
	}
	return list
}

// regions are those of each two of these parameters.
func (f *Fit) regions() []region {
	list := []region{}
	shown := f.mostImportant()
	for j := range shown {
		for i := range j {
			a, b := shown[i], shown[j]
			r, ok := f.model.Region(a.Index, b.Index)
			if !ok {
				continue
			}
			x, _ := inUnits(f.Space()[a.Index], r.First)
			y, _ := inUnits(f.Space()[b.Index], r.Second)
			region := region{
				Parameters: [2]string{a.Name, b.Name}, Middle: [2]float64{x, y}, Deviations: [2]float64{math.Sqrt(r.XX), math.Sqrt(r.YY)},
				AtBound: r.AtBound,
			}
			if r.XX > 0 && r.YY > 0 {
				region.Correlation = r.Correlation()
			}
			list = append(list, region)
		}
	}
	return list
}
