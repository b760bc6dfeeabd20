package engines_test

import (
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/quoridor"
)

// TestSetUp is about moves, lost turns among them, and what is refused: through
// the one game that has lost turns.
func TestSetUp(t *testing.T) {
	v, err := quoridor.Game().Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	ref := v.NewReferee()
	moves := func(text string) (list []engines.Move) {
		for word := range strings.FieldsSeq(text) {
			m, err := ref.ParseMove(word)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, m)
		}
		return list
	}
	vector := quoridor.Game().Space.Default()
	for _, c := range []struct{ position, moves, want string }{
		{"", "e2 e8 d1h", ""},
		{"e5 e6 9 9 1 h:a1,e4 v:-", "e7", ""},
		{"", "e2 pass e3", ""},
		{"nowhere", "", `position "nowhere"`},
		{"", "e2 e8 e9", "move 3, e9, is not legal in e2 e8 10 10 0"},
		{"", "pass pass pass pass pass e2", "move 6, e2, is not legal"}, // the third violation ended it
	} {
		_, err := v.Evaluate(c.position, moves(c.moves), vector)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q after %q: got %v, want %q", c.moves, c.position, err, c.want)
		}
	}
}

func TestBoth(t *testing.T) {
	term := engines.Both("men", 5, 3, 20)
	if list, ok := term.Value.([]int); !ok || term.Name != "men" || len(list) != 3 || list[0] != 5 || list[1] != 3 || list[2] != 20 {
		t.Errorf("got %+v", term)
	}
}
