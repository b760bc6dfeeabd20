package gobang

import "testing"

// FuzzLessons: whatever stands in a learned table is refused, or is a lesson for every
// combination.
func FuzzLessons(f *testing.F) {
	f.Add(learnedText[:300]) // the whole is too long to change much of it
	f.Add("1 2 3\n-1 x\n")
	want, err := parseLessons(learnedText)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if list, err := parseLessons(text); err == nil && len(list) != len(want) {
			t.Errorf("%d lessons, want %d", len(list), len(want))
		}
	})
}
