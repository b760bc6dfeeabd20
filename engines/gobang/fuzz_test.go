package gobang

import "testing"

// FuzzLessons expects that any text of a learned table
// is refused or has a lesson for every combination.
func FuzzLessons(f *testing.F) {
	f.Add(learnedText[:300]) // mutations of a longer text would change too little
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

// FuzzNetwork expects that any text of a network is
// refused or is written again with the same numbers.
func FuzzNetwork(f *testing.F) {
	f.Add(0, "7 -7", 0)
	f.Add(900, "\n", 3)
	f.Fuzz(func(t *testing.T, at int, text string, cut int) {
		at = min(max(at, 0), len(networkText))
		n, err := parseNetwork(networkText[:at] + text + networkText[min(len(networkText), at+max(cut, 0)):])
		if err != nil {
			return
		}
		again, err := parseNetwork(n.String())
		if err != nil || *again != *n {
			t.Errorf("read again: %v", err)
		}
	})
}
