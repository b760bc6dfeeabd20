package tuning

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplaylab/params/quadratic"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// Analysis is what a tuning's own games tell at no further game, by a quadratic fitted
// near the tuned values. Strengths are in Elo; intervals are at the run's confidence
// and do not know that strength may be no quadratic.
type Analysis struct {
	Games        int64         `json:"games"`        // that count, by their distance
	Target       string        `json:"target"`       // "win", or "margin": then strengths are in Elo of graded points
	Importance   []Importance  `json:"importance"`   // what costs most to change first
	Interactions []Interaction `json:"interactions"` // the surest first
	Ratios       [][]string    `json:"ratios"`       // groups that matter only by their ratios
	Scales       []Scale       `json:"scales"`       // the same, with those that only the games show
	Slices       []Slice       `json:"slices"`       // along the parameters that matter most
	Regions      []Region      `json:"regions"`      // of the optimum, of each two of these
	// What is expected to be lacking of the best that the quadratic holds possible, and
	// what so many more games would gain of it. Nil where the tuner makes no such fit.
	Outlook *ExpectedGain `json:"outlook"`
}

// Span is an estimate in Elo with its interval, within what a match could show
// (rating.MaxElo).
type Span struct {
	Elo  float64 `json:"elo"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Importance is what one parameter is worth.
type Importance struct {
	Parameter string `json:"parameter"`
	Loss      Span   `json:"loss"`  // one step away from the tuned value, mean of both sides
	Slope     Span   `json:"slope"` // what a step upwards would still gain
}

// Interaction is what a step of both gains beyond the sum of what each gains alone.
type Interaction struct {
	Parameters [2]string `json:"parameters"`
	Span
	Sure bool `json:"sure"` // its interval, taken alone, leaves out 0
}

// ExpectedGain is what more games would buy.
type ExpectedGain struct {
	Lacking   float64 `json:"lacking"`
	Deviation float64 `json:"deviation"` // of what is lacking, over what the model holds possible
	More      int     `json:"more"`      // games
	Gain      float64 `json:"gain"`      // expected of so many more
	Steps     []Step  `json:"steps"`     // of other numbers of games
}

// Step is what so many more games would gain.
type Step struct {
	More      int     `json:"more"`
	Gain      float64 `json:"gain"`
	Deviation float64 `json:"deviation"`
}

// String says it in a sentence.
func (o *ExpectedGain) String() string {
	at := slices.IndexFunc(o.Steps, func(s Step) bool { return s.More == o.More })
	return fmt.Sprintf("another %s games: %+.1f ± %.1f Elo expected, of %.1f ± %.1f lacking under the model", text.Count(o.More), o.Gain, o.Steps[at].Deviation, o.Lacking, o.Deviation)
}

// Scale is a group of parameters that act only by their ratios: what is lost where
// all grow by a tenth of themselves, and where each does so alone, summed.
type Scale struct {
	Parameters []string `json:"parameters"`
	Declared   bool     `json:"declared"` // by the game, not found in its games
	Held       bool     `json:"held"`     // the tuner kept their common scale
	Together   Span     `json:"together"`
	Alone      Span     `json:"alone"`
}

// Slice is the fitted strength along one parameter, relative to the tuned values,
// all others as tuned, where the later half of the trials was played.
type Slice struct {
	Parameter string  `json:"parameter"`
	Points    []Along `json:"points"`
}

// Along is a point of a Slice.
type Along struct {
	Value float64 `json:"value"`
	Span
}

// Region is where the optimum of two parameters lies, under the model.
type Region struct {
	Parameters  [2]string  `json:"parameters"`
	Middle      [2]float64 `json:"middle"`     // in their units
	Deviations  [2]float64 `json:"deviations"` // in steps
	Correlation float64    `json:"correlation"`
	AtBound     float64    `json:"at_bound"` // share of what is possible that lies at the end of a range
}

// usualMore is the number of further games that an outlook is about.
const defaultMore = 10_000

// says is what is known, as data; with an outlook where the model is the tuner's.
func (k *known) says(outlook bool) *Analysis {
	s := &Analysis{Games: int64(k.model.Games), Target: k.target(), Importance: []Importance{}, Interactions: []Interaction{}, Ratios: k.model.Ratios, Scales: []Scale{}, Slices: []Slice{}, Regions: []Region{}}
	span := k.interval
	for _, g := range k.model.Scales {
		s.Scales = append(s.Scales, Scale{g.Names, g.Declared, g.Held, span(g.Together), span(g.Alone)})
	}
	s.Slices, s.Regions = k.along(), k.regions()
	for _, p := range k.ranked() {
		s.Importance = append(s.Importance, Importance{Parameter: p.Name, Loss: span(p.Loss), Slope: span(p.Slope)})
	}
	for _, c := range k.model.Cross[:min(len(k.model.Cross), maxCrossShown)] {
		s.Interactions = append(s.Interactions, Interaction{Parameters: [2]string{c.A, c.B}, Span: span(c.Elo), Sure: k.sure(c.Elo)})
	}
	if s.Ratios == nil {
		s.Ratios = [][]string{}
	}
	if outlook {
		lacking := k.model.Lacking()
		s.Outlook = &ExpectedGain{Lacking: k.elo * lacking.Value, Deviation: k.elo * lacking.SE, More: defaultMore, Gain: k.elo * k.model.Gain(defaultMore)}
		for _, more := range []int{1000, defaultMore, 5 * defaultMore, 20 * defaultMore} {
			gain := k.model.Gains(more)
			s.Outlook.Steps = append(s.Outlook.Steps, Step{more, k.elo * gain.Value, k.elo * gain.SE})
		}
	}
	return s
}

// interval is an estimate in Elo as data, cut at what a match could show: a quadratic
// of games in a small region, where one side always won, knows no bound a step away.
func (k *known) interval(e quadratic.Estimate) Span {
	elo, half := k.value(e)
	cut := func(x float64) float64 { return min(max(x, -rating.MaxElo), rating.MaxElo) }
	return Span{cut(elo), cut(elo - half), cut(elo + half)}
}

// cut reports whether something of it was.
func (s Span) cut() bool { return s.Low == -rating.MaxElo || s.High == rating.MaxElo }

// point is it in a figure.
func (s Span) point(x float64) figure.Point {
	return figure.Point{X: x, Y: s.Elo, Lo: s.Low, Hi: s.High}
}

// along are slices along the parameters that matter most.
func (k *known) along() []Slice {
	list := []Slice{}
	for _, p := range k.mattering() {
		slice := Slice{Parameter: p.Name}
		for _, x := range k.values(p, pairPoints) {
			slice.Points = append(slice.Points, Along{x, k.interval(k.model.Elo(k.with(p.Index, x)))})
		}
		if len(slice.Points) > 0 {
			list = append(list, slice)
		}
	}
	return list
}

// regions are those of each two of these parameters.
func (k *known) regions() []Region {
	list := []Region{}
	shown := k.mattering()
	for j := range shown {
		for i := range j {
			a, b := shown[i], shown[j]
			r, ok := k.model.Region(a.Index, b.Index)
			if !ok {
				continue
			}
			x, _ := inUnits(k.Space()[a.Index], r.First)
			y, _ := inUnits(k.Space()[b.Index], r.Second)
			region := Region{
				Parameters: [2]string{a.Name, b.Name}, Middle: [2]float64{x, y}, Deviations: [2]float64{math.Sqrt(r.XX), math.Sqrt(r.YY)}, AtBound: r.AtBound,
			}
			if r.XX > 0 && r.YY > 0 {
				region.Correlation = r.Correlation()
			}
			list = append(list, region)
		}
	}
	return list
}

// ratios tells of groups that the games show to act only by their ratios and whose
// scale nothing held; ok is false where there are none.
func (k *known) ratios() (block reports.Block, ok bool) {
	var parts []string
	for _, g := range k.model.Scales {
		if g.Held || g.Declared {
			continue
		}
		parts = append(parts, fmt.Sprintf("`%s` act only by their ratios: a tenth more of all costs %s Elo, of each alone %s in sum; their common scale was not held, and is decided by chance.",
			strings.Join(g.Names, "`, `"), k.text(g.Together), k.text(g.Alone)))
	}
	return reports.Text("By the fit, " + strings.Join(parts, " ")), len(parts) > 0
}

// ByMargins reports whether strengths are in Elo of graded points.
func (s *Analysis) ByMargins() bool { return s.Target == targetMargin }
