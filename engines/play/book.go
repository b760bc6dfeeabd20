package play

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/params/tomlx"
)

// BookOrder is the order in which a book is played. The zero value is the file's order, each
// opening once.
// in random order; from the start again after the last opening
// in random order; from the start again after the last opening
type BookOrder struct{ Shuffle, Repeat bool }

// MarshalText returns the text that UnmarshalText reads.
func (b BookOrder) MarshalText() ([]byte, error) {
	var words []string
	if b.Shuffle {
		words = append(words, "shuffle")
	}
	if b.Repeat {
		words = append(words, "repeat")
	}
	return []byte(strings.Join(words, ",")), nil
}

// UnmarshalText reads shuffle, repeat or both with a comma; "" is the file's order. Other words
// are an error.
func (b *BookOrder) UnmarshalText(text []byte) error {
	*b = BookOrder{}
	if len(text) == 0 {
		return nil
	}
	for word := range strings.SplitSeq(string(text), ",") {
		switch word {
		case "shuffle":
			b.Shuffle = true
		case "repeat":
			b.Repeat = true
		default:
			return fmt.Errorf("%q: want shuffle, repeat or shuffle,repeat", text)
		}
	}
	return nil
}

// bookSeed separates the shuffling of a book from other draws ("book" in ASCII).
const bookSeed = 0x626f6f6b

// Of returns a book's openings in this order, as a new list. Shuffling depends on the seed
// alone.
func (b BookOrder) Of(book []engines.Opening, seed uint64) []engines.Opening {
	if !b.Shuffle {
		return book
	}
	book = slices.Clone(book)
	rand.New(rand.NewPCG(seed, bookSeed)).Shuffle(len(book), func(i, j int) { book[i], book[j] = book[j], book[i] })
	return book
}

// ParseBook reads a file of openings for a game. A line holds one opening:
//
//	moves                in the game's notation, separated by spaces
//	POSITION | moves     from another position than the initial one
//	POSITION             as in EPD; "|" alone is the initial position
//
// Moves may be written as engines.PlayWritten reads them. Text after # is a comment. Files in
// the forms of gamefile.Openings (PGN, SGF, PSQ, Gomocup's offsets) are read as such, one
// opening per game. If plies is not 0, only the first plies moves of each opening are taken,
// so that whole games can serve as openings.
//
// Errors give the file (name) and the line: unreadable lines, illegal moves, finished games,
// rules other than v's, and a file without openings. Openings that lead to the position of an
// earlier one are left out and counted as duplicates, because pairs from one position are not
// independent.
func ParseBook(name string, data []byte, v engines.Variant, plies int) (book []engines.Opening, duplicates int, err error) {
	if data = tomlx.WithoutMark(data); bytes.IndexByte(data, 0) >= 0 {
		return nil, 0, fmt.Errorf("%s: not a plain text: want UTF-8, not a packed file", name)
	}
	ref := v.NewReferee()
	reached := map[string]bool{}
	for line, err := range bookLines(v, gamefile.Plain(string(data))) {
		if err != nil {
			return nil, 0, fmt.Errorf("%s:%w", name, err)
		}
		stated, err := line.Variant(v)
		if err == nil && stated.Rules != v.Rules {
			err = fmt.Errorf("the file states the rules %s, and the run has %s", stated.Rules, v.Rules)
		}
		var o engines.Opening
		if err == nil {
			o, err = parseOpening(ref, line, plies)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w", name, line.Line, err)
		}
		if at := ref.String(); reached[at] {
			duplicates++
		} else {
			reached[at] = true
			book = append(book, o)
		}
	}
	if len(book) == 0 {
		return nil, 0, fmt.Errorf("%s: holds no opening; want one a line, moves of %s separated by spaces", name, v.Game.Name)
	}
	return book, duplicates, nil
}

// bookLines yields the lines of a book one by one, because some have millions, or the games of
// a file of games.
func bookLines(v engines.Variant, text string) iter.Seq2[gamefile.Text, error] {
	return func(yield func(gamefile.Text, error) bool) {
		if read := gamefile.Openings(v, text); read != nil {
			list, err := read(v, text)
			if err != nil {
				yield(gamefile.Text{}, err)
			}
			for _, game := range list { // none after an error
				if !yield(game, nil) {
					return
				}
			}
			return
		}
		number := 0
		for line := range strings.Lines(text) {
			number++
			text := strings.TrimSpace(uncommented(line))
			if text == "" {
				continue
			}
			position, moves, found := strings.Cut(text, "|")
			if !found {
				position, moves = "", text
			}
			if !yield(gamefile.Text{Line: number, Position: strings.TrimSpace(position), Moves: strings.Fields(moves)}, nil) {
				return
			}
		}
	}
}

// uncommented cuts a line at a # that starts a word outside quotes.
func uncommented(line string) string {
	quoted := false
	for i := range len(line) {
		quoted = quoted != (line[i] == '"')
		if line[i] == '#' && !quoted && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

// startsWithPosition reports whether words that were not read as moves may be a position: they
// begin with no move of the initial position.
func startsWithPosition(ref engines.Referee, words []string) bool {
	if ref.Reset("") != nil {
		return false
	}
	_, err := ref.ParseMove(words[0])
	return err != nil
}

// parseOpening reads one opening and leaves it on the referee's board. If the words are no
// moves, they may be a position.
func parseOpening(ref engines.Referee, line gamefile.Text, plies int) (engines.Opening, error) {
	o, words := engines.Opening{Position: line.Position}, line.Moves
	if err := ref.Reset(o.Position); err != nil {
		return o, err
	}
	moves, err := engines.PlayWritten(ref, words, plies)
	if o.Moves = moves; err != nil && o.Position == "" && len(words) > 1 && startsWithPosition(ref, words) {
		o.Position = strings.Join(words, " ")
		if noPosition := ref.Reset(o.Position); noPosition != nil {
			return o, fmt.Errorf("it begins with no move and is no position: %w; %w", errors.Unwrap(err), noPosition)
		}
		words, err = nil, nil
	}
	if err != nil {
		return o, err
	}
	if outcome, why := ref.Result(); outcome != engines.Ongoing {
		return o, fmt.Errorf("the game is over (%s, %s) after %d moves; an opening has fewer, and --opening-plies N takes the first N",
			outcome, why, len(o.Moves))
	}
	return o, nil
}

// SetUp sets up an opening that a line names: moves, POSITION | moves, or POSITION.
func SetUp(ref engines.Referee, name string) error {
	position, moves, both := strings.Cut(name, " | ")
	if !both {
		position, moves = "", name
		if ref.Reset(name) == nil && name != "" { // a position alone
			return nil
		}
	}
	if err := ref.Reset(position); err != nil {
		return err
	}
	for text := range strings.FieldsSeq(moves) {
		if _, err := engines.PlayText(ref, text); err != nil {
			return err
		}
	}
	return nil
}
