package play

import (
	"testing"

	"selfplaylab/engines"
)

// TestResignAfterLowScores ends a game after one side's low scores; with both=yes only if the
// opponent's were high as long.
func TestResignAfterLowScores(t *testing.T) {
	for _, c := range []struct {
		rule   string
		scores []float64 // of the first side and the second in turn
		want   engines.Outcome
	}{
		{"score=3,moves=2", []float64{0, -3, 1, -4}, engines.FirstWins},
		{"score=3,moves=2", []float64{0, -3, 1, 0, 0, -4}, engines.Ongoing},
		{"score=3,moves=2,both=yes", []float64{0, -3, 1, -4}, engines.Ongoing},
		{"score=3,moves=2,both=yes", []float64{0, -3, 3, -4}, engines.Ongoing},
		{"score=3,moves=2,both=yes", []float64{3, -3, 3, -4}, engines.FirstWins},
		{"score=3,moves=2,both=yes", []float64{-3, 3, -3, 5}, engines.SecondWins},
		{"score=-0.1,moves=1,both=yes", []float64{.8, .1}, engines.Ongoing},
		{"score=-0.1,moves=1,both=yes", []float64{.9, .1}, engines.FirstWins},
	} {
		rule, err := parseResign(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		a, r := Adjudication{Resign: rule}, record{}
		for i, score := range c.scores {
			a.note(&r, engines.Side(i%2), score)
		}
		if got, _ := a.judge(&r); got != c.want {
			t.Errorf("%s after %v: %v, want %v", c.rule, c.scores, got, c.want)
		}
	}
}

func TestAdjudicationReadsBack(t *testing.T) {
	for _, text := range []string{"", "score=300,moves=4", "score=-0.05,moves=1", "score=300,moves=4,both=yes"} {
		if r, err := parseResign(text); err != nil || r.String() != text {
			t.Errorf("%q: %v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "score=10,moves=8,after=0", "score=0.02,moves=8,after=60,even=0.5"} {
		if d, err := parseDraw(text); err != nil || d.String() != text {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
	for _, text := range []string{
		"score=300", "moves=4", "300", "score=300,moves=0", "score=300,moves=-1", "score=NaN,moves=1", "score=Inf,moves=1",
		"score=300,moves=4,moves=5", "score=300,moves=4,after=3", "score=x,moves=4", "score=3,moves=1.5", ",", "score=3,moves=1,both=maybe",
		"score=-300,moves=4", "score=-0.5,moves=1",
	} {
		if _, err := parseResign(text); err == nil {
			t.Errorf("resign %q was taken", text)
		}
	}
	for _, text := range []string{"score=-1,moves=4", "score=1,moves=4,after=-2", "score=1", "score=1,moves=2,even=x"} {
		if _, err := parseDraw(text); err == nil {
			t.Errorf("draw %q was taken", text)
		}
	}
}

func parseResign(text string) (r Resign, err error) {
	err = r.UnmarshalText([]byte(text))
	return r, err
}

func parseDraw(text string) (d DrawRule, err error) {
	err = d.UnmarshalText([]byte(text))
	return d, err
}
