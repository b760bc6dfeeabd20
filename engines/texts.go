package engines

import (
	"fmt"
	"regexp"
	"strings"
)

// PlayText reads a move and makes it. It is an error if the move is not legal.
func PlayText(ref Referee, text string) (Move, error) {
	m, err := ref.ParseMove(text)
	if err == nil && !ref.Legal(m) {
		err = fmt.Errorf("%s is not legal in %s", text, ref)
	}
	if err != nil {
		return 0, err
	}
	ref.Play(m)
	return m, nil
}

// playNext is PlayText in a game that is not over.
func playNext(ref Referee, text string) (Move, error) {
	if o, why := ref.Result(); o != Ongoing {
		return 0, fmt.Errorf("%s comes after the end of the game (%s, %s)", text, o, why)
	}
	return PlayText(ref, text)
}

// PlayTexts reads moves and makes them. It is an error if one of them is not legal or comes
// after the end of the game.
func PlayTexts(ref Referee, texts []string) (moves []Move, err error) {
	for i, text := range texts {
		m, err := playNext(ref, text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// PlayWritten reads moves as people write them and makes them: in the other case, with move
// numbers ("1.", "3..."), and several in a word ("h8i9h9", or columns "4453"). most bounds the
// number of moves that are read; 0 reads all. It is an error if one of them is not legal or
// comes after the end of the game.
func PlayWritten(ref Referee, words []string, most int) (moves []Move, err error) {
	for _, word := range words {
		rest := moveNumber.ReplaceAllString(word, "")
		for whole := rest; rest != "" && (most == 0 || len(moves) < most); {
			first := firstMove(ref, rest)
			m, err := playNext(ref, first)
			switch {
			case err != nil && rest != whole:
				return nil, fmt.Errorf("move %d, in %s: %w", len(moves)+1, word, err)
			case err != nil:
				return nil, fmt.Errorf("move %d: %w", len(moves)+1, err)
			}
			moves, rest = append(moves, m), rest[len(first):]
		}
	}
	return moves, nil
}

// moveNumber matches the number before a move.
var moveNumber = regexp.MustCompile(`^\d+\.+`)

// firstMove returns the longest beginning of a word that is a move, in the case in which it is
// one; the word itself if there is none.
func firstMove(ref Referee, word string) string {
	for n := len(word); n > 0; n-- {
		for _, text := range []string{word[:n], strings.ToLower(word[:n])} {
			if _, err := ref.ParseMove(text); err == nil && len(text) == n {
				return text
			}
		}
	}
	return word
}

// PlayableTexts makes the moves of a player's line as far as it goes by the rules, and
// returns those in notation. It is an error if not even the first one does.
func PlayableTexts(ref Referee, line []Move) (texts []string, err error) {
	for _, m := range line {
		if o, _ := ref.Result(); o != Ongoing || !ref.Legal(m) {
			break
		}
		texts = append(texts, ref.MoveString(m))
		ref.Play(m)
	}
	if texts == nil {
		return nil, fmt.Errorf("the player's line begins with a move that is not legal: %d", line[0])
	}
	return texts, nil
}
