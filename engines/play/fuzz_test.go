package play

import "testing"

// FuzzAdjudication reads rules of resigning and drawing: an accepted text is written as a text
// that reads as the same rule.
func FuzzAdjudication(f *testing.F) {
	f.Add("score=600,moves=3")
	f.Add("score=5,moves=8,after=40,even=2")
	f.Fuzz(func(t *testing.T, text string) {
		var r, resignAgain Resign
		if r.UnmarshalText([]byte(text)) == nil {
			if err := resignAgain.UnmarshalText([]byte(r.String())); err != nil || r != resignAgain {
				t.Errorf("%q is %+v, written %q, which is %+v, %v", text, r, r, resignAgain, err)
			}
		}
		var d, drawAgain DrawRule
		if d.UnmarshalText([]byte(text)) == nil {
			if err := drawAgain.UnmarshalText([]byte(d.String())); err != nil || d != drawAgain {
				t.Errorf("%q is %+v, written %q, which is %+v, %v", text, d, d, drawAgain, err)
			}
		}
	})
}
