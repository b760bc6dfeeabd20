package engines

import "fmt"

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

// PlayTexts reads moves and makes them. It is an error if one of them is not legal or comes
// after the end of the game.
func PlayTexts(ref Referee, texts []string) (moves []Move, err error) {
	for i, text := range texts {
		if o, why := ref.Result(); o != Ongoing {
			return nil, fmt.Errorf("move %d: %s comes after the end of the game (%s, %s)", i+1, text, o, why)
		}
		m, err := PlayText(ref, text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		moves = append(moves, m)
	}
	return moves, nil
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
