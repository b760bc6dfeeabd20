package engines

import (
	"reflect"
	"testing"
)

// FuzzLimits: limits and clocks that are read are written as what reads the same.
func FuzzLimits(f *testing.F) {
	for _, text := range []string{"depth=3", "nodes=1000", "time=100ms", "tc=60+0.6", "tc=40/1:30+1", "p1time=8000,p1inc=80", "st=5", "playouts=7,depth=2", "time=900ms"} {
		if _, err := ParseLimits(text); err != nil {
			f.Fatal(err) // such a text leads nowhere
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLimits(text)
		if err != nil {
			return
		}
		if again, err := ParseLimits(l.String()); err != nil || again != l {
			t.Errorf("%q is %+v, written %q, which is %+v, %v", text, l, l, again, err)
		}
	})
}

// FuzzRules: no text of rules makes its reader panic, and equal texts are equal rules.
func FuzzRules(f *testing.F) {
	f.Add("variant=standard,size=15")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseRules(text)
		b, again := ParseRules(text)
		if !reflect.DeepEqual(a, b) || (err == nil) != (again == nil) {
			t.Errorf("%q: %v, %v and %v, %v", text, a, err, b, again)
		}
	})
}
