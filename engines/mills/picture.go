package mills

import (
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// Board returns the picture of the position, with the side to move and the men in hand.
func (p *position) Board(last engines.Move) board.Board {
	b := board.Board{
		Title: "Mills", Kind: board.Network, Width: 7, Height: 7,
		Files: board.Letters(7), Ranks: board.Falling(7),
		Sides: [2]board.Side{
			{Name: "White", Letter: sideLetters[:1], Tone: board.White},
			{Name: "Black", Letter: sideLetters[1:], Tone: board.Black},
		},
		Lines:   edges(p.laws.spokes()),
		Caption: p.caption(),
	}
	for i := range points {
		b.Places = append(b.Places, board.Place{At: pictured(i), Name: pointNames[i]})
		switch p.letter(i) {
		case sideLetters[0]:
			b.Pieces = append(b.Pieces, board.Piece{At: pictured(i), Side: 0, Kind: "man"})
		case sideLetters[1]:
			b.Pieces = append(b.Pieces, board.Piece{At: pictured(i), Side: 1, Kind: "man"})
		case 'x':
			b.Marks = append(b.Marks, board.Mark{At: pictured(i), Kind: board.Forbidden})
		}
	}
	for side, back := range p.back {
		if m := engines.Move(back); back != noStepToUndo && p.men[side]>>departure(m)&1 != 0 {
			b.Lines = append(b.Lines, board.Line{From: pictured(departure(m)), To: pictured(arrival(m)), Kind: board.Banned})
		}
	}
	for side, hand := range p.hand {
		if p.placing() {
			b.Counters = append(b.Counters, board.Counter{Side: side, Name: "in hand", Value: int(hand)})
		}
	}
	p.showLast(&b, last)
	return b
}

// pictured returns the place of a point in the picture.
func pictured(point int) board.At {
	name := pointNames[point]
	return board.At{X: int(name[0] - 'a'), Y: int('7' - name[1])}
}

// edges returns the lines of three points along which men step.
func edges(spokes uint32) (list []board.Line) {
	for ring := range 3 {
		for corner := 0; corner < 8; corner += 2 {
			list = append(list, board.Line{From: pictured(8*ring + corner), To: pictured(8*ring + (corner+2)%8), Kind: board.Edge})
		}
	}
	for p := range 8 {
		if spokes>>p&1 != 0 {
			list = append(list, board.Line{From: pictured(p), To: pictured(16 + p), Kind: board.Edge})
		}
	}
	return list
}

// showLast adds the last move and the mills that it closed.
func (p *position) showLast(b *board.Board, last engines.Move) {
	if last == 0 || arrival(last) >= points {
		return
	}
	b.Last = &board.Move{To: new(pictured(arrival(last)))}
	if departure(last) < points {
		b.Last.From = new(pictured(departure(last)))
	}
	for rest := last >> takenShift; rest != 0; rest >>= fieldBits {
		b.Last.Taken = append(b.Last.Taken, pictured(int(rest&fieldMask)-1))
	}
	for side, men := range p.men {
		if men>>arrival(last)&1 != 0 {
			b.Lines = append(b.Lines, closed(p.men[side], arrival(last), p.laws.spokes())...)
		}
	}
}

// closed returns the complete lines of a set of men through a point.
func closed(men uint32, point int, spokes uint32) (list []board.Line) {
	sides, radials := fullLines(men, spokes)
	for i := range points {
		ring, p := i/8*8, i%8
		if ends := [2]int{ring + (p+7)%8, ring + (p+1)%8}; sides>>i&1 != 0 && (point == i || point == ends[0] || point == ends[1]) {
			list = append(list, board.Line{From: pictured(ends[0]), To: pictured(ends[1]), Kind: board.Row})
		}
		if radials>>i&1 != 0 && point%8 == p {
			list = append(list, board.Line{From: pictured(i), To: pictured(i + 16), Kind: board.Row})
		}
	}
	return list
}

// caption returns the side to move and the men in hand, or the result.
func (p *position) caption() string {
	hands := ""
	if p.placing() {
		hands = fmt.Sprintf(", in hand W %d, B %d", p.hand[0], p.hand[1])
		if p.closed != 0 {
			hands += "; x is closed until placing ends"
		}
	}
	if p.Outcome() != engines.Ongoing {
		return fmt.Sprintf("ended %s (%s)%s", p.Outcome(), p.Reason(), hands)
	}
	return fmt.Sprintf("%c to move%s", sideLetters[p.turn], hands)
}
