package gamefile

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// Read reads the games of a file, in the form that the ending of its name says. Moves are
// in the game's own notation, as Write has them; all count as chosen. The outcome is that
// of the rules or, in a game that was not played to its end, that of the file.
func Read(v engines.Variant, name string, data []byte) ([]Game, error) {
	f, err := Find(strings.TrimPrefix(filepath.Ext(name), "."), v.Game.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if f.read == nil {
		return nil, fmt.Errorf("%s: games in the form of %s are written, not read", name, f.Name)
	}
	list, err := f.read(v, strings.TrimPrefix(string(data), "\ufeff")) // a byte order mark
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range list {
		list[i].Variant = v
		if err := list[i].settle(); err != nil {
			return nil, fmt.Errorf("%s: game %d: %w", name, i+1, err)
		}
	}
	return list, nil
}

// settle plays the moves, and sets sides and outcome by the rules.
func (g *Game) settle() error {
	ref := g.Variant.NewReferee()
	if err := ref.Reset(g.Position); err != nil {
		return err
	}
	for i := range g.Moves {
		m := &g.Moves[i]
		m.Side = ref.Turn()
		if _, err := engines.PlayText(ref, m.Text); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	if outcome, reason := ref.Result(); outcome != engines.Ongoing {
		g.Outcome, g.Reason = outcome, reason
	}
	if g.Outcome == engines.Ongoing {
		return fmt.Errorf("it has not ended after %d moves, and the file gives no result", len(g.Moves))
	}
	return nil
}

var (
	pgnTag     = regexp.MustCompile(`^\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$`)
	pgnComment = regexp.MustCompile(`(?s)\{.*?\}|;[^\n]*`)
	pgnNumber  = regexp.MustCompile(`^\d+\.+`)
)

// readPGN reads what writePGN writes: tags, then moves without variations.
func readPGN(_ engines.Variant, text string) (list []Game, err error) {
	var moves strings.Builder
	g := Game{}
	flush := func() {
		if moves.Len() > 0 {
			g.addMoves(pgnComment.ReplaceAllString(moves.String(), " "))
			list = append(list, g)
		}
		moves.Reset()
	}
	for line := range strings.Lines(text) {
		tag := pgnTag.FindStringSubmatch(strings.TrimSpace(line))
		switch {
		case tag == nil && strings.TrimSpace(line) == "":
		case tag == nil:
			moves.WriteString(line)
		default:
			if moves.Len() > 0 {
				flush()
				g = Game{}
			}
			if tag[1] == "FEN" {
				g.Position = tag[2]
			}
		}
	}
	flush()
	return list, nil
}

// addMoves adds the moves of a movetext without comments, and its result.
func (g *Game) addMoves(text string) {
	for word := range strings.FieldsSeq(text) {
		word = pgnNumber.ReplaceAllString(word, "")
		switch word {
		case "", "*":
		case "1-0", "0-1":
			g.Outcome, _ = engines.ParseOutcome(word)
		case "1/2-1/2":
			g.Outcome = engines.Draw
		default:
			g.Moves = append(g.Moves, Move{Text: word})
		}
	}
}

var sgfNode = regexp.MustCompile(`;\s*[BW]\[([a-z])([a-z])\]`)

// readSGF reads games that start on the empty board, each a tree of one line.
func readSGF(v engines.Variant, text string) (list []Game, err error) {
	k, err := gomokuOf(&Game{Variant: v})
	if err != nil {
		return nil, err
	}
	for _, tree := range strings.Split(text, "(;")[1:] {
		if strings.Contains(tree, "AB[") || strings.Contains(tree, "AW[") {
			return nil, fmt.Errorf("game %d starts with stones on the board: want games from the start", len(list)+1)
		}
		g := Game{}
		switch _, result, _ := strings.Cut(tree, "RE["); {
		case strings.HasPrefix(result, "B+"):
			g.Outcome = engines.FirstWins
		case strings.HasPrefix(result, "W+"):
			g.Outcome = engines.SecondWins
		case strings.HasPrefix(result, "0"), strings.HasPrefix(result, "Draw"):
			g.Outcome = engines.Draw
		}
		for _, m := range sgfNode.FindAllStringSubmatch(tree, -1) {
			g.Moves = append(g.Moves, Move{Text: k.text(int(m[1][0]-'a'), int(m[2][0]-'a'))})
		}
		list = append(list, g)
	}
	return list, nil
}

// text is the inverse of cell.
func (k gomoku) text(x, y int) string { return string(rune('a'+x)) + strconv.Itoa(k.size-y) }

var psqMove = regexp.MustCompile(`^(\d+),(\d+),-?\d+\s*$`)

// readPSQ reads one game.
func readPSQ(v engines.Variant, text string) ([]Game, error) {
	k, err := gomokuOf(&Game{Variant: v})
	if err != nil {
		return nil, err
	}
	g := Game{}
	for line := range strings.Lines(text) {
		if m := psqMove.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			x, _ := strconv.Atoi(m[1])
			y, _ := strconv.Atoi(m[2])
			g.Moves = append(g.Moves, Move{Text: k.text(x-1, y-1)})
		}
	}
	return []Game{g}, nil
}
