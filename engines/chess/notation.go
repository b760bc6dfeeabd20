package chess

import (
	"strings"

	"selfplaylab/engines"
)

const moveForm = "want a move such as e2e4 or e7e8q, or a legal move such as Nf3, exd5, e8=Q or O-O"

var sideNames = [2]string{"White", "Black"}

// squareName returns the name of a square, such as e4.
func squareName(sq int) string { return string([]byte{'a' + byte(sq&7), '1' + byte(sq>>3&7)}) }

// parseSquare reads a square such as e4. It returns noSquare for other text.
func parseSquare(text string) int {
	if len(text) != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8' {
		return noSquare
	}
	return int(text[1]-'1')<<3 | int(text[0]-'a')
}

// MoveString returns m in UCI's form: e2e4, e7e8q.
// Castling is the king's move, or under chess960 the king's move to its rook.
func (p *Position) MoveString(m engines.Move) string {
	to := target(m)
	if special(m) == castles && !p.free {
		to, _ = castled(m)
	}
	text := squareName(origin(m)) + squareName(to)
	if kind := becomes(m); promotes(m) && kind > pawn && kind < king {
		text += string(letters[6+kind])
	}
	return text
}

// ParseMove reads a move in UCI's form or in SAN. A move in UCI's form need not be legal.
func (p *Position) ParseMove(text string) (engines.Move, error) {
	if m, ok := p.parseUCI(text); ok {
		return m, nil
	}
	if m, ok := p.parseSAN(text); ok {
		return m, nil
	}
	return 0, engines.ParseError("move", text, moveForm)
}

// parseUCI reads two squares, with or without a hyphen between them, and the letter of a
// promotion. Castling may have either form.
func (p *Position) parseUCI(text string) (engines.Move, bool) {
	if len(text) > 4 && text[2] == '-' {
		text = text[:2] + text[3:]
	}
	if len(text) != 4 && len(text) != 5 {
		return 0, false
	}
	from, to := parseSquare(text[:2]), parseSquare(text[2:4])
	if from == noSquare || to == noSquare || from == to {
		return 0, false
	}
	kind := p.kindAt(from)
	m := engines.Move(kind<<pieceShift|kind<<becomesShift) | between2(from, to)
	if len(text) == 5 {
		becomes := strings.IndexByte("pnbrqk", text[4]|0x20)
		if becomes < knight || becomes > queen || kind != pawn {
			return 0, false
		}
		m |= engines.Move(becomes) << becomesShift
	}
	if rook, ok := p.castlesWith(from, to); ok {
		return plain(king) | between2(from, rook) | castles<<specialShift, true
	}
	m = p.capturing(m, to)
	if kind == pawn {
		switch {
		case to == int(p.target) && to&7 != from&7:
			m = m&^(7<<takenShift) | pawn<<takenShift | enPassant<<specialShift
		case to-from == 16 || from-to == 16:
			m |= twoSteps << specialShift
		}
	}
	return m, true
}

// castlesWith returns the rook with which the king of the side to move castles by a move
// between two squares: to the rook's square, or two or more squares along its rank.
func (p *Position) castlesWith(from, to int) (rook int, ok bool) {
	own := p.castling & p.sides[p.turn&1]
	if own == 0 || p.of(p.turn, king) != bit(from) || from&56 != to&56 {
		return 0, false
	}
	if own&bit(to) != 0 {
		return to, true
	}
	for ; own != 0; own &= own - 1 {
		m := between2(from, first(own))
		if kingTo, _ := castled(m); kingTo == to && (to-from > 1 || from-to > 1) {
			return first(own), true
		}
	}
	return 0, false
}

// parseSAN reads a legal move in standard algebraic notation.
// It accepts a missing x, = or check, zeros for castling,
// and more of the piece's square than necessary.
func (p *Position) parseSAN(text string) (found engines.Move, ok bool) {
	short := shortSAN(spelled(text))
	if len(short) < 2 || strings.Trim(short, "KQRBNOabcdefgh12345678") != "" {
		return 0, false
	}
	var buf [maxMoves]engines.Move
	for _, m := range p.Moves(buf[:0]) {
		if p.named(m, short) {
			if ok {
				return 0, false
			}
			found, ok = m, true
		}
	}
	return found, ok
}

// notInShort removes the characters that a move in SAN does not need.
var notInShort = strings.NewReplacer("x", "", ":", "", "=", "", "-", "", "0", "O")

// shortSAN returns a move in SAN without unnecessary characters.
func shortSAN(text string) string {
	return notInShort.Replace(strings.TrimSuffix(strings.TrimRight(text, "+#!?"), "e.p."))
}

// figurines are the letters of pieces drawn as chessmen.
var figurines = strings.NewReplacer("♔", "K", "♕", "Q", "♖", "R", "♗", "B", "♘", "N", "♙", "", "♚", "K", "♛", "Q", "♜", "R", "♝", "B", "♞", "N", "♟", "")

// spelled returns other spellings of SAN in its standard form: figurines, o-o, exd6ep, a8=q, Pe4.
func spelled(text string) string {
	text = strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(text, "+#!?"), "ch"), "ep")
	text = strings.TrimPrefix(text, "P")
	if strings.IndexByte(text, "♔"[0]) >= 0 {
		text = figurines.Replace(text)
	}
	if strings.HasPrefix(text, "o-o") {
		return strings.ToUpper(text)
	}
	if n := len(text); n >= 3 && strings.IndexByte("qrbn", text[n-1]) >= 0 && strings.IndexByte("=18", text[n-2]) >= 0 {
		text = text[:n-1] + strings.ToUpper(text[n-1:])
	}
	return text
}

// named reports whether a shortened SAN names a move.
// A pawn's move may have both squares; a piece's move
// may have its square, file, rank or none of these.
func (p *Position) named(m engines.Move, short string) bool {
	text := shortSAN(p.san(m, nil))
	switch {
	case special(m) == castles:
		return short == text
	case piece(m) == pawn:
		return short == text || strings.EqualFold(short, p.MoveString(m))
	}
	from, fits := strings.CutSuffix(short, text[1:])
	return fits && from != "" && from[0] == text[0] && strings.Contains(squareName(origin(m)), from[1:])
}

// SAN returns a legal move in standard algebraic notation.
func (p *Position) SAN(m engines.Move) string {
	var buf [maxMoves]engines.Move
	text := p.san(m, p.Moves(buf[:0]))
	after := *p
	after.Play(m)
	switch {
	case after.checkers() == 0:
		return text
	case after.Outcome() == engines.Win(p.turn):
		return text + "#"
	}
	return text + "+"
}

// san returns SAN without the mark of a check. list has the legal moves.
func (p *Position) san(m engines.Move, list []engines.Move) string {
	from, to := origin(m), target(m)
	if special(m) == castles {
		if to > from {
			return "O-O"
		}
		return "O-O-O"
	}
	var b strings.Builder
	if piece(m) != pawn {
		b.WriteByte(letters[piece(m)%noKind])
		b.WriteString(distinguishing(m, list))
	} else if captures(m) {
		b.WriteByte('a' + byte(from&7))
	}
	if captures(m) {
		b.WriteByte('x')
	}
	b.WriteString(squareName(to))
	if promotes(m) {
		b.WriteByte('=')
		b.WriteByte(letters[becomes(m)%noKind])
	}
	return b.String()
}

// distinguishing returns the file, rank or square by which a piece
// differs from others of its kind that can reach the same square.
func distinguishing(m engines.Move, list []engines.Move) string {
	from := origin(m)
	others := false
	sameFile := false
	sameRank := false
	for _, o := range list {
		if o != m && piece(o) == piece(m) && target(o) == target(m) && special(o) != castles {
			others = true
			sameFile = sameFile || origin(o)&7 == from&7
			sameRank = sameRank || origin(o)>>3 == from>>3
		}
	}
	name := squareName(from)
	switch {
	case !others:
		return ""
	case !sameFile:
		return name[:1]
	case !sameRank:
		return name[1:]
	}
	return name
}

const (
	letters = "PNBRQKpnbrqk" // of pieces, White's first
	initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"

	fenForm = "want a FEN such as " + initial + " 0 1, or the first four fields of it"
)
