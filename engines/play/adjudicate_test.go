package play

import "testing"

func TestParseAdjudication(t *testing.T) {
	for _, text := range []string{"", "score=300,moves=4", "score=-0.05,moves=1"} {
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
		"score=300,moves=4,moves=5", "score=300,moves=4,after=3", "score=x,moves=4", "score=3,moves=1.5", ",",
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
