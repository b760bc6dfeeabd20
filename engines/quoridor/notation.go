package quoridor

import (
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// String returns the position as "PAWN0 PAWN1 WALLS0 WALLS1 TURN h:LIST v:LIST".
func (b *Board) String() string {
	return fmt.Sprintf("%s %s %d %d %d h:%s v:%s", squareName(int(b.pawn[0])), squareName(int(b.pawn[1])),
		b.walls[0], b.walls[1], b.turn, wallList(b.h, false), wallList(b.v, true))
}

// wallList returns the names of the walls of m, in order of file, then row.
func wallList(m uint64, vertical bool) string {
	if m == 0 {
		return "-"
	}
	var names []string
	for file := range 8 {
		for row := range 8 {
			slot := row*8 + file
			if vertical {
				slot = transpose(slot)
			}
			if m>>slot&1 != 0 {
				names = append(names, slotName(file, row))
			}
		}
	}
	return strings.Join(names, ",")
}

// SetText sets the position from the text of String. After an error the board is unchanged.
func (b *Board) SetText(text string) error {
	f := strings.Fields(text)
	if len(f) != 7 {
		return fmt.Errorf("want 7 fields, such as %q", "e1 e9 10 10 0 h:- v:-")
	}
	n := newBoard(b.standard)
	for side := range 2 {
		file, row, ok := parseSquare(f[side], size)
		if !ok {
			return fmt.Errorf("pawn %q: want a square a1 to i9", f[side])
		}
		n.pawn[side] = uint8(row*size + file)
		walls, err := strconv.Atoi(f[2+side])
		if err != nil || walls < 0 || walls > wallsEach {
			return fmt.Errorf("walls in hand %q: want 0 to %d", f[2+side], wallsEach)
		}
		n.walls[side] = uint8(walls)
	}
	if n.pawn[0] == n.pawn[1] {
		return fmt.Errorf("both pawns on %s", f[0])
	}
	switch f[4] {
	case "0", "1":
		n.turn = engines.Side(f[4][0] - '0')
	default:
		return fmt.Errorf("side to move %q: want 0 or 1", f[4])
	}
	placed := 0
	for i, prefix := range []string{"h:", "v:"} {
		list, ok := strings.CutPrefix(f[5+i], prefix)
		if !ok {
			return fmt.Errorf("walls %q: want %sLIST, or %s- for none", f[5+i], prefix, prefix)
		}
		count, err := n.placeList(list, prefix == "v:")
		if err != nil {
			return err
		}
		placed += count
	}
	if used := 2*wallsEach - int(n.walls[0]) - int(n.walls[1]); placed > used {
		return fmt.Errorf("%d walls on the board, but only %d have left the hands", placed, used)
	}
	*b = n
	return nil
}

// placeList places a list of walls and returns their number.
// It refuses walls that overlap or cross.
func (b *Board) placeList(list string, vertical bool) (int, error) {
	if list == "-" {
		return 0, nil
	}
	count := 0
	for name := range strings.SplitSeq(list, ",") {
		file, row, ok := parseSquare(name, 8)
		if !ok {
			return 0, fmt.Errorf("wall %q: want a1 to h8", name)
		}
		slot := row*8 + file
		switch {
		case !vertical && b.hFree>>slot&1 != 0:
			b.placeH(slot)
		case vertical && b.vFree>>transpose(slot)&1 != 0:
			b.placeV(transpose(slot))
		default:
			return 0, fmt.Errorf("wall %s overlaps or crosses another", name)
		}
		count++
	}
	return count, nil
}

// ParseMove reads a pawn's square ("e2"), a wall ("e3h", "e3v") or "pass".
func (b *Board) ParseMove(text string) (engines.Move, error) {
	if text == "pass" {
		return pass, nil
	}
	if file, row, ok := parseSquare(text, size); ok {
		return pawnMove | engines.Move(row*size+file), nil
	}
	if len(text) == 3 {
		if file, row, ok := parseSquare(text[:2], 8); ok {
			switch slot := row*8 + file; text[2] {
			case 'h':
				return hWall | engines.Move(slot), nil
			case 'v':
				return vWall | engines.Move(transpose(slot)), nil
			}
		}
	}
	return 0, engines.ParseError("move", text, "want a square (e2), a wall (e3h, e3v; a1 to h8) or pass")
}

// MoveString returns m in the form of ParseMove.
func (b *Board) MoveString(m engines.Move) string {
	switch i := index(m); kind(m) {
	case pawnMove:
		return squareName(i)
	case hWall:
		return slotName(i&7, i>>3) + "h"
	case vWall:
		return slotName(i>>3, i&7) + "v"
	}
	return "pass"
}

// slotName returns the name of a wall slot or square, such as e3.
func slotName(file, row int) string { return string([]byte{byte('a' + file), byte('1' + row)}) }

// squareName returns the name of a square.
func squareName(sq int) string { return slotName(sq%size, sq/size) }

// parseSquare reads a file letter and a rank, both below limit.
func parseSquare(text string, limit int) (file, row int, ok bool) {
	if len(text) != 2 {
		return 0, 0, false
	}
	file, row = int(text[0])-'a', int(text[1])-'1'
	return file, row, file >= 0 && file < limit && row >= 0 && row < limit
}
