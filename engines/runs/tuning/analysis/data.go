package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/params/quadratic"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Analysis holds the evidence of a tuning's own games, without further games, by a quadratic fitted
// near the tuned values. Terminal, page and JSON are made of this one value, so none can contradict
// another. Intervals are at the run's confidence. They assume that strength is a quadratic there.
type Analysis struct {
	Games        int64         `json:"games"`        // that count, by their distance
	Level        float64       `json:"level"`        // confidence of all intervals
	Unit         string        `json:"unit"`         // of strengths
	Target       string        `json:"target"`       // "win", or "margin": then strengths are in Elo of margin points
	Parameters   int           `json:"parameters"`   // of the quadratic
	Importance   []importance  `json:"importance"`   // the largest loss first; without idle ones
	Idle         []string      `json:"idle"`         // no tested step of these parameters changed a decision
	Interactions []interaction `json:"interactions"` // the surest first
	Scales       []scale       `json:"scales"`       // groups that matter only by their ratios
	Slices       []slice       `json:"slices"`       // along the parameters that matter most
	Regions      []region      `json:"regions"`      // of the optimum, of each two of these
}

// span is a strength with its interval in Elo, cut at the largest value that a match could show
// (rating.MaxElo).
type span struct {
	Elo  float64 `json:"value"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Claim is the estimate of one strength by a fit.
type Claim struct {
	span
	N int64 `json:"n"` // games behind it, as Analysis.Games
	// Shown reports whether it differs from 0: a loss by its own interval, all else together with
	// the other estimates of its kind, see quadratic.Shown. Losses are tested alone because nearly
	// all losses shown alone are real; of slopes and interactions few are.
	Shown bool `json:"shown"`
}

// importance holds the worth of one parameter.
type importance struct {
	Parameter string  `json:"parameter"`
	Tuned     float64 `json:"tuned"`
	Step      string  `json:"step"`  // as people read it
	Loss      Claim   `json:"loss"`  // one step away from the tuned value, mean of both sides
	Slope     Claim   `json:"slope"` // gain from a step upwards
}

// interaction is the gain from a step of both parameters beyond the sum of the gains from each.
type interaction struct {
	Parameters [2]string `json:"parameters"`
	Claim
}

// scale is a group of parameters that act only by their ratios. Together is the loss if all grow by
// a tenth; Alone is the sum of the losses if each grows alone.
type scale struct {
	Parameters []string `json:"parameters"`
	Declared   bool     `json:"declared"` // by the game, not found in its games
	Together   Claim    `json:"together"`
	Alone      Claim    `json:"alone"`
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
	AtBound     float64    `json:"at_bound"` // share of the region's probability at the end of a range
}

// ByMargins reports whether strengths are in Elo of margin points.
func (a *Analysis) ByMargins() bool { return a.Target == TargetMargin }

const (
	maxLeading = 3 // parameters or interactions that are named
	// worthNaming is the largest half-width of an interval of a named estimate, as a share of the
	// estimate.
	worthNaming = 0.5
	lopsided    = 0.1 // largest difference of an interval's arms, as a share of both, with one number for both
)

// Leading lists the parameters that matter most, each with its interval. Each was shown to matter,
// by an interval that is narrow enough, see worthNaming.
func (a *Analysis) Leading() (list []string) {
	for _, w := range a.Importance {
		if len(list) < maxLeading && w.Loss.Shown && w.Loss.worthNaming() {
			list = append(list, fmt.Sprintf("%s (%s Elo a step)", w.Parameter, strings.TrimPrefix(w.Loss.String(), "+")))
		}
	}
	return list
}

// Joint returns the surest interactions, each with its interval, of parameters that were
// both shown to matter.
func (a *Analysis) Joint() (list []string) {
	matters := func(name string) bool {
		return slices.ContainsFunc(a.Importance, func(w importance) bool { return w.Parameter == name && w.Loss.Shown })
	}
	for _, i := range a.Interactions {
		if len(list) < maxLeading && i.Shown && i.worthNaming() && matters(i.Parameters[0]) && matters(i.Parameters[1]) {
			list = append(list, fmt.Sprintf("%s with %s (%s Elo)", i.Parameters[0], i.Parameters[1], i))
		}
	}
	return list
}

// worthNaming reports whether the interval is narrow enough to say how large the value is.
func (s span) worthNaming() bool {
	return !s.cut() && math.Abs(s.Elo) > 0 && s.High-s.Low <= 2*worthNaming*math.Abs(s.Elo)
}

// String writes the estimate with half its interval. It writes both ends if one is beyond the
// largest value of a match, or much farther than the other.
func (s span) String() string {
	if s.cut() || math.Abs(s.Low+s.High-2*s.Elo) > lopsided*(s.High-s.Low) {
		return fmt.Sprintf("%s, from %s to %s", rating.EloText(s.Elo), rating.EloText(s.Low), rating.EloText(s.High))
	}
	return text.PlusMinus(s.Elo, (s.High-s.Low)/2, 1)
}

// cut reports whether something of it was.
func (s span) cut() bool { return s.Low == -rating.MaxElo || s.High == rating.MaxElo }

// point is it in a figure.
func (s span) point(x float64) figure.Point {
	return figure.Point{X: x, Y: s.Elo, Lo: s.Low, Hi: s.High}
}

const maxInteractions = 8

// pairs counts the pairs of parameters.
func (a *Analysis) pairs() int { return a.Parameters * (a.Parameters - 1) / 2 }

// Analysis returns the fit as data.
func (f *fit) Analysis() *Analysis {
	if f.data != nil {
		return f.data
	}
	s := &Analysis{
		Games: int64(f.model.Games), Level: f.Level, Unit: "Elo", Target: f.target(), Parameters: len(f.model.Params),
		Importance: []importance{}, Idle: f.Idle,
		Interactions: []interaction{}, Scales: []scale{}, Slices: f.slices(), Regions: f.regions(),
	}
	for _, g := range f.model.Scales {
		claims := f.claims([]quadratic.Estimate{g.Together, g.Alone}, 2)
		s.Scales = append(s.Scales, scale{g.Names, g.Declared, claims[0], claims[1]})
	}
	active := slices.DeleteFunc(f.ranked(), func(p quadratic.ParamModel) bool { return slices.Contains(f.Idle, p.Name) })
	var slopes, together []quadratic.Estimate
	for _, p := range active {
		slopes = append(slopes, p.Slope)
	}
	for k, slope := range f.claims(slopes, len(slopes)) {
		p := active[k]
		loss := f.claim(p.Loss, f.interval(p.Loss).Low > 0)
		s.Importance = append(s.Importance, importance{p.Name, p.Best, f.Space()[p.Index].StepText(), loss, slope})
	}
	for _, c := range f.model.Cross {
		together = append(together, c.Elo)
	}
	for k, claim := range f.claims(together, s.pairs())[:min(len(together), maxInteractions)] {
		c := f.model.Cross[k]
		s.Interactions = append(s.Interactions, interaction{[2]string{c.A, c.B}, claim})
	}
	if s.Idle == nil {
		s.Idle = []string{}
	}
	f.data = s
	return s
}

// slices are along the parameters that matter most.
func (f *fit) slices() []slice {
	list := []slice{}
	for _, p := range f.mostImportant() {
		slice := slice{Parameter: p.Name}
		for _, x := range f.values(p) {
			slice.Points = append(slice.Points, along{x, f.interval(f.model.Elo(f.with(p.Index, x)))})
		}
		if len(slice.Points) > 0 {
			list = append(list, slice)
		}
	}
	return list
}

// regions returns the region of each pair of these parameters.
func (f *fit) regions() []region {
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
