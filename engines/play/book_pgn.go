package play

import (
	"fmt"
	"strings"
)

// isPGN reports whether a book is one of PGN: its first word is a tag.
func isPGN(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "[") }

// pgnLines reads the games of a PGN book. Comments, variations, annotations, numbers
// and results are passed over; of the tags only FEN counts.
func pgnLines(text string) (book []bookLine, err error) {
	var game bookLine
	number, closed := 0, true // closed: the game before has ended
	depth := 0                // of variations
	comment := false
	for line := range strings.Lines(text) {
		number++
		if tag := strings.TrimSpace(line); !comment && depth == 0 && strings.HasPrefix(tag, "[") {
			if !closed && len(game.moves) > 0 {
				book, game, closed = append(book, game), bookLine{}, true
			}
			if closed {
				game, closed = bookLine{line: number}, false
			}
			if value, ok := strings.CutPrefix(tag, `[FEN "`); ok {
				game.position = strings.TrimSuffix(value, `"]`)
			}
			continue
		}
		for _, word := range pgnWords(line, &comment, &depth) {
			switch {
			case word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*":
				if !closed {
					book, closed = append(book, game), true
				}
			default:
				game.moves = append(game.moves, word)
			}
		}
	}
	if comment || depth > 0 {
		return nil, fmt.Errorf("a comment or variation that does not end")
	}
	if !closed {
		book = append(book, game)
	}
	return book, nil
}

// pgnWords returns the moves and results on a line.
func pgnWords(line string, comment *bool, depth *int) (words []string) {
	var b strings.Builder
	end := func() {
		word := b.String()
		if rest := strings.TrimLeft(word, "0123456789"); strings.HasPrefix(rest, ".") { // the number of a move
			word = strings.TrimLeft(rest, ".")
		}
		if word != "" && !strings.HasPrefix(word, "$") {
			words = append(words, word)
		}
		b.Reset()
	}
	for _, c := range line {
		switch {
		case *comment:
			*comment = c != '}'
		case c == '{':
			*comment = true
		case c == '(':
			*depth++
		case c == ')':
			*depth = max(*depth-1, 0)
		case *depth > 0:
		case c == ';':
			end()
			return words
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			end()
		default:
			b.WriteRune(c)
		}
	}
	end()
	return words
}
