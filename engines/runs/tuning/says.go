package tuning

import (
	"fmt"

	"selfplaylab/engines/runs/run"
	"selfplaylab/params/quadratic"
	"selfplaylab/reports/record"
)

// Says is what a tuning's own games tell at no further game, by a quadratic fitted
// near the tuned values. Strengths are in Elo; intervals are at the run's confidence
// and do not know that strength may be no quadratic.
type Says struct {
	Games        int64         `json:"games"`        // that count, by their distance
	Target       string        `json:"target"`       // "win", or "margin": then strengths are in Elo of graded points
	Importance   []Worth       `json:"importance"`   // what costs most to change first
	Interactions []Interaction `json:"interactions"` // the surest first
	Ratios       [][]string    `json:"ratios"`       // groups that matter only by their ratios
	// What is expected to be lacking of the best that the quadratic holds possible, and
	// what so many more games would gain of it. Nil where the tuner makes no such fit.
	Outlook *Outlook `json:"outlook"`
}

// Span is an estimate with its interval.
type Span struct {
	Elo  float64 `json:"elo"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Worth is what one parameter is worth.
type Worth struct {
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

// Outlook is what more games would buy.
type Outlook struct {
	Lacking   float64 `json:"lacking"`
	Deviation float64 `json:"deviation"` // of what is lacking, over what the model holds possible
	More      int     `json:"more"`      // games
	Gain      float64 `json:"gain"`      // expected of so many more
}

// String says it in a sentence.
func (o *Outlook) String() string {
	return fmt.Sprintf("another %s games: %+.1f Elo expected, of %.1f ± %.1f lacking under the model", record.Count(o.More), o.Gain, o.Lacking, o.Deviation)
}

// usualMore is the number of further games that an outlook is about.
const usualMore = 10_000

// says is what is known, as data; with an outlook where the model is the tuner's.
func (k *known) says(outlook bool) *Says {
	s := &Says{Games: int64(k.model.Games), Target: k.target(), Importance: []Worth{}, Interactions: []Interaction{}, Ratios: k.model.Ratios}
	span := func(e quadratic.Estimate) Span {
		elo, half := k.value(e)
		return Span{elo, elo - half, elo + half}
	}
	for _, p := range k.ranked() {
		s.Importance = append(s.Importance, Worth{Parameter: p.Name, Loss: span(p.Loss), Slope: span(p.Slope)})
	}
	for _, c := range k.model.Cross[:min(len(k.model.Cross), mostCrossShown)] {
		s.Interactions = append(s.Interactions, Interaction{Parameters: [2]string{c.A, c.B}, Span: span(c.Elo), Sure: k.sure(c.Elo)})
	}
	if s.Ratios == nil {
		s.Ratios = [][]string{}
	}
	if outlook {
		lacking := k.model.Lacking()
		s.Outlook = &Outlook{Lacking: k.elo * lacking.Value, Deviation: k.elo * lacking.SE, More: usualMore, Gain: k.elo * k.model.Gain(usualMore)}
	}
	return s
}

// Says is what the tuning's own games tell so far; nil for a method that fits no
// quadratic, and before there are games enough.
func (t *Told) Says() (*Says, error) {
	shown, err := t.shown()
	return shown.Says, err
}

// entry is Says as an entry of JSON.
func (s *Says) entry() run.Entry { return run.Entry{Name: "model", Value: s} }

// ByMargins reports whether strengths are in Elo of graded points.
func (s *Says) ByMargins() bool { return s.Target == targetMargin }
