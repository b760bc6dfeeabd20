package chess

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// String returns the position as the first four fields of a FEN: pieces, side to
// move, castling rights, and the square on which a capture en passant is legal.
// Under chess960 the castling rights are the files of the rooks, as in Shredder-FEN.
// The counters at the end of a FEN belong to the game, not to the position.
func (p *Position) String() string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		for file := range 8 {
			letter := p.letter(rank<<3 | file)
			if letter == 0 {
				empty++
				continue
			}
			writeCount(&b, &empty)
			b.WriteByte(letter)
		}
		writeCount(&b, &empty)
		if rank > 0 {
			b.WriteByte('/')
		}
	}
	target := "-"
	if p.target != noSquare {
		target = squareName(int(p.target))
	}
	fmt.Fprintf(&b, " %c %s %s", "wb"[p.turn&1], p.rights(), target)
	return b.String()
}

// writeCount writes the number of empty squares, unless it is 0, and resets it.
func writeCount(b *strings.Builder, n *int) {
	if *n > 0 {
		b.WriteByte('0' + byte(*n))
	}
	*n = 0
}

// letter returns the letter of the piece on a square, 0 for an empty square.
func (p *Position) letter(sq int) byte {
	kind := p.kindAt(sq)
	switch {
	case kind == noKind:
		return 0
	case p.sides[1]&bit(sq) != 0:
		return letters[6+kind]
	}
	return letters[kind]
}

// rights returns the castling rights as in a FEN, the king's side first.
func (p *Position) rights() string {
	var b strings.Builder
	for side := range p.sides {
		for rooks := p.castling & p.sides[side]; rooks != 0; {
			sq := 63 - bits.LeadingZeros64(rooks)
			rooks &^= bit(sq)
			letter := 'A' + byte(sq&7)
			if !p.free {
				letter = 'Q'
				if sq&7 == 7 {
					letter = 'K'
				}
			}
			b.WriteByte(letter + byte(side)*('a'-'A'))
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}

// SetText sets the position from a FEN, from its first four fields, or from a line of EPD.
// Of EPD's operations only hmvc, the halfmove clock, counts.
// Castling rights may have the form of Shredder-FEN or X-FEN.
// Only positions that obey the rules are accepted.
// After an error the receiver is unchanged.
func (p *Position) SetText(text string) error {
	fields := strings.Fields(text)
	if len(fields) < 4 {
		return fmt.Errorf("too few fields (%d); %s", len(fields), fenForm)
	}
	q := Position{free: p.free, target: noSquare}
	if err := q.setPieces(fields[0]); err != nil {
		return err
	}
	switch fields[1] {
	case "w":
	case "b":
		q.turn = engines.Second
		q.hash ^= turnKey
	default:
		return fmt.Errorf("side to move %q; want w or b", fields[1])
	}
	if err := q.check(); err != nil {
		return err
	}
	if err := q.setRights(fields[2]); err != nil {
		return err
	}
	if err := q.setTarget(fields[3]); err != nil {
		return err
	}
	n, _, err := counters(fields[4:])
	q.quiet = n
	if err == nil {
		*p = q
	}
	return err
}

// setPieces reads the first field of a FEN.
func (p *Position) setPieces(text string) error {
	rows := strings.Split(text, "/")
	if len(rows) != 8 {
		return fmt.Errorf("%d ranks in %q; %s", len(rows), text, fenForm)
	}
	for i, row := range rows {
		file := 0
		for _, c := range []byte(row) {
			kind := strings.IndexByte(letters, c)
			switch {
			case c >= '1' && c <= '8':
				file += int(c - '0')
				continue
			case kind < 0:
				return fmt.Errorf("%q in rank %q; want letters of %s and the numbers of empty squares", c, row, letters)
			case file > 7:
				return fmt.Errorf("rank %q has more than 8 squares", row)
			}
			p.put(engines.Side(kind/6), kind%6, (7-i)<<3|file)
			file++
		}
		if file != 8 {
			return fmt.Errorf("rank %q has %d squares; want 8", row, file)
		}
	}
	return nil
}

// maxMen is the largest number of pieces of a side.
const maxMen = 16

// check returns an error for a position that no game reaches: a wrong number of
// kings, too many men, pawns on the last ranks, or a king that could be captured.
func (p *Position) check() error {
	for side, men := range p.sides {
		name := sideNames[side]
		if n := bits.OnesCount64(men & p.kinds[king]); n != 1 {
			return fmt.Errorf("%s has %d kings; want one", name, n)
		}
		if n, pawns := bits.OnesCount64(men), bits.OnesCount64(men&p.kinds[pawn]); n > maxMen || pawns > 8 {
			return fmt.Errorf("%s has %d men, %d of them pawns; at most %d and 8", name, n, pawns, maxMen)
		}
	}
	if p.kinds[pawn]&(rank1|rank8) != 0 {
		return fmt.Errorf("a pawn stands on the first or last rank")
	}
	them := p.turn&1 ^ 1
	if p.attacked(first(p.of(them, king)), p.occupied(), p.sides[p.turn&1], p.turn) {
		return fmt.Errorf("%s is in check, but not to move", sideNames[them])
	}
	return nil
}

// setRights reads castling rights.
// K or Q means the outermost rook of a wing, and A to H the rook on this file.
func (p *Position) setRights(text string) error {
	if text == "-" {
		return nil
	}
	for _, c := range []byte(text) {
		side, upper := engines.First, c
		if c >= 'a' {
			side, upper = engines.Second, c-('a'-'A')
		}
		sq := p.rightful(side, upper)
		if sq == noSquare {
			return fmt.Errorf("castling right %q of %q: %s has no such rook with the king on its first rank", c, text, sideNames[side])
		}
		if at := first(p.of(side, king)); !p.free && (at&7 != 4 || sq&7 != 0 && sq&7 != 7) {
			return fmt.Errorf("castling right %q of %q is one of chess960; it needs the rule variant=chess960", c, text)
		}
		if p.castling&bit(sq) == 0 {
			p.castling |= bit(sq)
			p.hash ^= castlingKeys[sq&63]
		}
	}
	for side, men := range p.sides {
		at := first(men & p.kinds[king])
		for wing, rooks := range [2]uint64{p.castling & men >> at >> 1 << 1 << at, p.castling & men & (bit(at) - 1)} {
			if rooks&(rooks-1) != 0 {
				return fmt.Errorf("castling rights %q name two rooks of %s on the %s side", text, sideNames[side], [2]string{"king's", "queen's"}[wing])
			}
		}
	}
	return nil
}

// rightful returns the square of the rook for a letter of castling rights, or noSquare.
func (p *Position) rightful(side engines.Side, letter byte) int {
	own := uint64(rank1) << (56 * side)
	rooks, at := p.of(side, rook)&own, first(p.of(side, king))
	if own&bit(at) == 0 {
		return noSquare
	}
	switch {
	case letter == 'K' && rooks > bit(at):
		return 63 - bits.LeadingZeros64(rooks)
	case letter == 'Q' && rooks&(bit(at)-1) != 0:
		return first(rooks)
	case letter >= 'A' && letter <= 'H':
		if sq := at&56 | int(letter-'A'); rooks&bit(sq) != 0 {
			return sq
		}
	}
	return noSquare
}

// setTarget reads the square behind a pawn that has just moved two steps.
func (p *Position) setTarget(text string) error {
	if text == "-" {
		return nil
	}
	sq := parseSquare(text)
	rank, ahead := 5, 8
	if p.turn == engines.Second {
		rank, ahead = 2, -8
	}
	if sq == noSquare || sq>>3 != rank || p.of(p.turn^1, pawn)&bit(sq-ahead) == 0 || p.occupied()&(bit(sq)|bit(sq+ahead)) != 0 {
		return fmt.Errorf("square %q of a capture en passant; want - or the square behind a pawn that has just gone two steps", text)
	}
	p.openTarget(sq)
	return nil
}

// counters reads the fields after the position: the counters of a
// FEN, the operations of EPD, each ending with a semicolon, or both.
// quiet is the number of plies without progress, number the move number.
func counters(fields []string) (quiet, number uint16, err error) {
	number = 1
	if len(fields) == 0 {
		return quiet, number, nil
	}
	if n, err := strconv.ParseUint(fields[0], 10, 14); err == nil {
		quiet = uint16(n)
		if len(fields) == 1 {
			return quiet, number, nil
		}
		if n, err = strconv.ParseUint(strings.TrimSuffix(fields[1], ";"), 10, 16); err != nil {
			return 0, 0, fmt.Errorf("move number %q; %s", fields[1], fenForm)
		}
		number = uint16(max(n, 1))
		if fields = fields[2:]; len(fields) > 0 && fields[0] == ";" {
			fields = fields[1:]
		}
	}
	operations, err := parseOperations(strings.Join(fields, " "))
	if err != nil {
		return 0, 0, err
	}
	if clock, ok := operations["hmvc"]; ok {
		n, err := strconv.ParseUint(clock, 10, 14)
		if err != nil {
			return 0, 0, fmt.Errorf("operation hmvc %q; want the number of plies since the last capture or pawn move", clock)
		}
		quiet = uint16(n)
	}
	if n, err := strconv.ParseUint(operations["fmvn"], 10, 16); err == nil {
		number = uint16(max(n, 1))
	}
	return quiet, number, nil
}

// parseOperations reads the operations of a line of EPD: a name, operands and a semicolon each.
// A semicolon between quotes belongs to the operand.
func parseOperations(text string) (map[string]string, error) {
	operations := map[string]string{}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		end, quoted := -1, false
		for i, c := range text {
			if c == '"' {
				quoted = !quoted
			}
			if c == ';' && !quoted {
				end = i
				break
			}
		}
		if end < 0 {
			return nil, fmt.Errorf("%q after the position; want the counters of a FEN, or operations of EPD that each end with ;", text)
		}
		name, operand, _ := strings.Cut(strings.TrimSpace(text[:end]), " ")
		if name == "" || !isLetter(name[0]) {
			return nil, fmt.Errorf("operation %q; want a name, such as bm or id, then what it says", text[:end])
		}
		operations[name] = strings.Trim(strings.TrimSpace(operand), `"`)
		text = text[end+1:]
	}
	return operations, nil
}

// isLetter reports whether c is an ASCII letter.
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
