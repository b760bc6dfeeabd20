package play

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// BookOrder is the order in which a book is played. The zero value is the file's, each
// opening once.
type BookOrder struct{ Shuffle, Repeat bool }

// MarshalText writes what UnmarshalText reads.
func (o BookOrder) MarshalText() ([]byte, error) {
	var words []string
	if o.Shuffle {
		words = append(words, "shuffle")
	}
	if o.Repeat {
		words = append(words, "repeat")
	}
	return []byte(strings.Join(words, ",")), nil
}

// UnmarshalText reads shuffle, repeat or both with a comma; "" is the file's order.
func (o *BookOrder) UnmarshalText(text []byte) error {
	*o = BookOrder{}
	if len(text) == 0 {
		return nil
	}
	for word := range strings.SplitSeq(string(text), ",") {
		switch word {
		case "shuffle":
			o.Shuffle = true
		case "repeat":
			o.Repeat = true
		default:
			return fmt.Errorf("%q: want shuffle, repeat or shuffle,repeat", text)
		}
	}
	return nil
}

// bookSeed keeps the draw of a book's order apart from others: "book".
const bookSeed = 0x626f6f6b

// Of returns a book's openings in this order; that of shuffle depends on the seed alone.
func (o BookOrder) Of(book []engines.Opening, seed uint64) []engines.Opening {
	if !o.Shuffle {
		return book
	}
	book = slices.Clone(book)
	rand.New(rand.NewPCG(seed, bookSeed)).Shuffle(len(book), func(i, j int) { book[i], book[j] = book[j], book[i] })
	return book
}

// ParseBook reads a file of openings for a game: one a line, moves in the game's
// notation separated by spaces, or "POSITION | moves" for a start other than the
// initial position; "|" alone is that position itself. What follows a # is a
// comment. Errors name the file (name) and the line: what is not readable, not
// legal, over, or the same position as an earlier line is refused, and so is a
// file without openings.
func ParseBook(name string, data []byte, v engines.Variant) ([]engines.Opening, error) {
	ref := v.NewReferee()
	var book []engines.Opening
	lines := map[string]int{} // by the position reached
	number := 0
	for line := range strings.Lines(string(params.WithoutMark(data))) {
		number++
		text := strings.TrimSpace(uncommented(line))
		if text == "" {
			continue
		}
		o, err := parseOpening(ref, text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		at := ref.String()
		if first, twice := lines[at]; twice {
			return nil, fmt.Errorf("%s:%d: duplicate: the same position as line %d (%s)", name, number, first, at)
		}
		lines[at] = number
		book = append(book, o)
	}
	if len(book) == 0 {
		return nil, fmt.Errorf("%s: holds no opening; want one a line, moves of %s separated by spaces", name, v.Game.Name)
	}
	return book, nil
}

// uncommented cuts a line at a # that starts a word.
func uncommented(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

// parseOpening reads one opening and leaves it on the referee's board.
func parseOpening(ref engines.Referee, text string) (engines.Opening, error) {
	var o engines.Opening
	moves := text
	if position, rest, found := strings.Cut(text, "|"); found {
		o.Position, moves = strings.TrimSpace(position), rest
	}
	if err := ref.Reset(o.Position); err != nil {
		return o, err
	}
	words := strings.Fields(moves)
	for i := 0; ; i++ {
		if outcome, why := ref.Result(); outcome != engines.Ongoing {
			return o, fmt.Errorf("the game is over (%s, %s) after %d moves", outcome, why, i)
		}
		if i == len(words) {
			return o, nil
		}
		m, err := ref.ParseMove(words[i])
		if err != nil {
			return o, fmt.Errorf("move %d: %w", i+1, err)
		}
		if !ref.Legal(m) {
			return o, fmt.Errorf("move %d, %s, is not legal in %s", i+1, words[i], ref)
		}
		ref.Play(m)
		o.Moves = append(o.Moves, m)
	}
}
