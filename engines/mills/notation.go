package mills

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// sideLetters are the sides' letters, first and second.
const sideLetters = "WB"

// String returns the position: 24 characters in point order with a stroke between rings (.
// free, W first, B second, x closed), side to move, and the men in hand of first and second.
// Where the rules restrict re-forming, the step follows that each side may not make, or -.
func (p *position) String() string {
	var b strings.Builder
	for i := range points {
		if i > 0 && i%8 == 0 {
			b.WriteByte('/')
		}
		b.WriteByte(p.letter(i))
	}
	fmt.Fprintf(&b, " %c %d %d", sideLetters[p.turn], p.hand[0], p.hand[1])
	if p.laws&noReform != 0 {
		for _, step := range p.back {
			text := "-"
			if step != noStepToUndo {
				text = p.MoveString(engines.Move(step))
			}
			b.WriteString(" " + text)
		}
	}
	return b.String()
}

// letter returns the character of a point.
func (p *position) letter(point int) byte {
	switch bit := uint32(1) << point; {
	case p.men[0]&bit != 0:
		return sideLetters[0]
	case p.men[1]&bit != 0:
		return sideLetters[1]
	case p.closed&bit != 0:
		return 'x'
	}
	return '.'
}

// positionForm describes the text of a position.
const positionForm = "want 24 points by rings such as W......./......../........ then the side to move (W or B) and the men in hand of " +
	"W and B"

// SetText sets the position from the text of String and keeps the rules.
// It accepts only positions that obey the rules' arithmetic.
// After an error the receiver is unchanged.
func (p *position) SetText(text string) error {
	fields := strings.Fields(text)
	if len(fields) != 4 && (len(fields) != 6 || p.laws&noReform == 0) {
		return fmt.Errorf("wrong number of fields (%d); %s", len(fields), positionForm)
	}
	q := position{laws: p.laws, most: p.most}
	if err := q.setBoard(fields[0]); err != nil {
		return err
	}
	side := strings.Index(sideLetters, fields[1])
	if len(fields[1]) != 1 || side < 0 {
		return fmt.Errorf("side to move %q; want W or B", fields[1])
	}
	q.turn = engines.Side(side)
	for i := range q.hand {
		n, err := strconv.ParseUint(fields[2+i], 10, 8)
		if err != nil || n > uint64(p.most) {
			return fmt.Errorf("%q men in hand of %c; want 0 to %d", fields[2+i], sideLetters[i], p.most)
		}
		q.hand[i] = uint8(n)
	}
	if err := q.check(); err != nil {
		return err
	}
	if len(fields) == 6 {
		if err := q.setBack(fields[4:]); err != nil {
			return err
		}
	}
	*p = q
	return nil
}

// setBoard reads the points.
func (p *position) setBoard(text string) error {
	if len(text) != points+2 || text[8] != '/' || text[17] != '/' {
		return fmt.Errorf("board %q; %s", text, positionForm)
	}
	for i := range points {
		bit := uint32(1) << i
		switch c := text[i+i/8]; c {
		case '.':
		case 'x':
			p.closed |= bit
			p.hash ^= closedKeys[i]
		case sideLetters[0], sideLetters[1]:
			side := strings.IndexByte(sideLetters, c)
			p.men[side] |= bit
			p.hash ^= manKeys[side][i]
		default:
			return fmt.Errorf("%q on point %s; want . W B or x", c, pointNames[i])
		}
	}
	return nil
}

// check returns an error for a position that the rules exclude: too many men,
// the wrong side to place, or closed points that do not match the men lost.
func (p *position) check() error {
	for side := range p.men {
		if n := p.number(engines.Side(side)); n > int(p.most) {
			return fmt.Errorf("%c has %d men on the board and in hand; at most %d", sideLetters[side], n, p.most)
		}
	}
	if p.number(engines.First) < 3 && p.number(engines.Second) < 3 {
		return fmt.Errorf("both sides have fewer than three men; the game ends when one has")
	}
	if p.closed != 0 && p.laws&closedPoints == 0 {
		return fmt.Errorf("closed points (x) under the rule closed_points=no; write them free (.)")
	}
	if !p.placing() {
		if p.closed != 0 {
			return fmt.Errorf("closed points (x) with no men in hand; they are free (.) once placing has ended")
		}
		return nil
	}
	if ahead := int(p.hand[1]) - int(p.hand[0]); ahead != int(p.turn) {
		return fmt.Errorf("%c to place with %d and %d men in hand; W places with equal hands, B with one more than W", sideLetters[p.turn],
			p.hand[0], p.hand[1])
	}
	lost := 2*int(p.most) - p.number(engines.First) - p.number(engines.Second)
	if closed := count(p.closed); p.laws&closedPoints != 0 && closed != lost {
		return fmt.Errorf("%d closed points (x) and %d men lost of %d a side; while placing, each man lost leaves its point closed", closed,
			lost, p.most)
	}
	return nil
}

// setBack reads the steps that each side may not make to re-form a mill.
func (p *position) setBack(fields []string) error {
	for side, text := range fields {
		if text == "-" {
			continue
		}
		m, err := p.ParseMove(text)
		if err != nil {
			return err
		}
		bad := departure(m) == fromHand || hasCapture(m) || p.placing()
		if bad || p.men[side]>>departure(m)&1 == 0 {
			return fmt.Errorf("step %q not to be made by %c; want a step of one of its men, or -", text, sideLetters[side])
		}
		p.back[side] = uint16(m)
	}
	return nil
}

// ParseMove reads a placement such as d6 or a step such as
// d6-d5, either with captures such as d6xb4 or d6-d5xb4.
// The move need not be legal.
func (p *position) ParseMove(text string) (engines.Move, error) {
	const want = "want a placement such as d6 or a step such as d6-d5, a mill with its capture such as d6xb4 or d6-d5xb4"
	parts := strings.Split(text, "x")
	left, right, isStep := strings.Cut(parts[0], "-")
	from, to := fromHand, slices.Index(pointNames[:], left)
	if isStep {
		from, to = to, slices.Index(pointNames[:], right)
	}
	if from < 0 || to < 0 || from == to || len(parts)-1 > maxTaken {
		return 0, engines.ParseError("move", text, want)
	}
	taken := make([]int, 0, maxTaken)
	for _, part := range parts[1:] {
		point := slices.Index(pointNames[:], part)
		if point < 0 || slices.Contains(taken, point) {
			return 0, engines.ParseError("move", text, want)
		}
		taken = append(taken, point)
	}
	slices.Sort(taken)
	m := turnOf(from, to)
	for _, point := range taken {
		m = take(m, point)
	}
	return m, nil
}

// MoveString returns m in the form of ParseMove. Bits that are no point are "?".
func (p *position) MoveString(m engines.Move) string {
	text := pointName(arrival(m))
	if departure(m) != fromHand {
		text = pointName(departure(m)) + "-" + text
	}
	for rest := m >> takenShift; rest != 0; rest >>= fieldBits {
		text += "x" + pointName(int(rest&fieldMask)-1)
	}
	return text
}

// pointName returns the name of a point, "?" for a number that is none.
func pointName(point int) string {
	if point < 0 || point >= points {
		return "?"
	}
	return pointNames[point]
}
