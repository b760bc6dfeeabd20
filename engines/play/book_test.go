package play

import (
	"strings"
	"testing"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
)

func TestParseBook(t *testing.T) {
	v := open(t, nil)
	text := "\ufeff# all of them\n\ne2 e8\te3\r\n  e2 e8 d1h # a wall\ne5 e6 9 9 1 h:a1,e4 v:- | \n|\ne5 e6 9 9 1 h:a1,e4 v:- | e6v\n"
	book, err := ParseBook("book.txt", []byte(text), v)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		position string
		moves    int
	}{{"", 3}, {"", 3}, {"e5 e6 9 9 1 h:a1,e4 v:-", 0}, {"", 0}, {"e5 e6 9 9 1 h:a1,e4 v:-", 1}}
	if len(book) != len(want) {
		t.Fatalf("%d openings, want %d", len(book), len(want))
	}
	for i, o := range book {
		if o.Position != want[i].position || len(o.Moves) != want[i].moves {
			t.Errorf("opening %d: %+v", i, o)
		}
	}
}

func TestBadBooks(t *testing.T) {
	v := open(t, nil)
	for _, c := range []struct{ name, text, want string }{
		{"illegal", "e2 e8\n\ne2 e2", `b.txt:3: move 2, e2, is not legal`},
		{"unreadable", "e2 e8\nhello", `b.txt:2: move 1:`},
		{"position", "x y z | e2", `b.txt:1:`},
		{"twice", "e2 e8\n# no\ne2 e8", `b.txt:3: duplicate: the same position as line 1`},
		{"transposed", "e2 e8 a1h h8h\ne2 e8 a1h h8h\n", `b.txt:2: duplicate`},
		{"empty", "", "b.txt: holds no opening"},
		{"comments", "# one\n  # two\n", "b.txt: holds no opening"},
		{"over", "e8 a5 10 10 0 h:- v:- | e9", "b.txt:1: the game is over (1-0, goal) after 1 moves"},
		{"goes on after the end", "e8 a5 10 10 0 h:- v:- | e9 a4", "b.txt:1: the game is over (1-0, goal) after 1 moves"},
		{"binary", "\x00\xff\xfe", "b.txt:1: move 1"},
	} {
		if _, err := ParseBook("b.txt", []byte(c.text), v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// FuzzParseBook: what is taken starts games that go on.
func FuzzParseBook(f *testing.F) {
	games := games.Games()
	f.Add(0, "e2 e8\ne5 e6 9 9 1 h:a1,e4 v:- | e6v # x")
	f.Add(1, "h8 h9\n| ")
	f.Add(2, "3 3 3")
	f.Add(3, "a1 d1\n#")
	f.Fuzz(func(t *testing.T, game int, text string) {
		v, err := games[uint(game)%uint(len(games))].Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		book, err := ParseBook("b", []byte(text), v)
		if err != nil {
			return
		}
		ref := v.NewReferee()
		seen := map[string]bool{}
		for _, o := range book {
			var r record
			if err := (&table{ref: ref}).open(&r, o); err != nil {
				t.Fatal(err)
			}
			if outcome, _ := ref.Result(); outcome != engines.Ongoing || seen[ref.String()] {
				t.Fatalf("%q gave an opening that is over or twice", text)
			}
			seen[ref.String()] = true
		}
	})
}
