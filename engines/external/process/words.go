package process

import (
	"errors"
	"fmt"
	"strings"
)

// SplitWords splits a command line at blanks outside quotes.
func SplitWords(line string) ([]string, error) {
	var f []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inWord {
				f = append(f, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	if inWord {
		f = append(f, word.String())
	}
	if len(f) == 0 || f[0] == "" {
		return nil, errors.New("no program; want such as \"python3 play.py\"")
	}
	return f, nil
}
