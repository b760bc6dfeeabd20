package gametest

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// board checks that a position can be drawn. The picture agrees with the referee, shows the
// last move, and differs between two positions of games from one start exactly if their texts
// differ. Drawing changes nothing.
func (s *subject) board() error {
	texts := map[string]string{} // of pictures, by start
	for p := range s.spots(spotsAGame) {
		before := look(p.ref)
		b := p.ref.Board()
		if err := before.differs(look(p.ref), "after Board"); err != nil {
			return err
		}
		if err := errors.Join(drawn(b), agrees(b, p.ref), s.marked(b, p)); err != nil {
			return fmt.Errorf("%v: %w", p, err)
		}
		key, err := bare(b)
		if err != nil {
			return err
		}
		key = p.line.start + key
		if other, ok := texts[key]; ok && other != before.text {
			return fmt.Errorf("%q and %q look the same", other, before.text)
		}
		texts[key] = before.text
	}
	return nil
}

// bare returns a picture without words and history.
func bare(b board.Board) (string, error) {
	b.Caption, b.Last = "", nil
	b.Lines = slices.DeleteFunc(slices.Clone(b.Lines), func(l board.Line) bool { return l.Kind == board.Row })
	text, err := json.Marshal(b)
	return string(text), err
}

// drawn checks that a board can be drawn and encoded.
func drawn(b board.Board) error {
	if text := b.Text(); strings.Count(strings.TrimSpace(text), "\n") < 1 || !strings.HasSuffix(text, "\n") {
		return fmt.Errorf("its Board in letters is %q; want several lines", text)
	}
	data, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("its Board: %w", err)
	}
	var again board.Board
	if err := json.Unmarshal(data, &again); err != nil || !reflect.DeepEqual(b, again) {
		return fmt.Errorf("its Board comes back from JSON changed (error %v; leave empty lists nil): %s", err, data)
	}
	return sketched(b)
}

// sketched checks the SVG: it is XML, has a name for people, and a group for every piece.
func sketched(b board.Board) error {
	var svg strings.Builder
	if err := b.SVG(&svg, board.Options{}); err != nil {
		return err
	}
	title, groups := "", [2]int{}
	for d := xml.NewDecoder(strings.NewReader(svg.String())); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("its Board as SVG: %w", err)
		}
		e, ok := token.(xml.StartElement)
		switch {
		case ok && e.Name.Local == "title":
			if err := d.DecodeElement(&title, &e); err != nil {
				return err
			}
		case ok && len(e.Attr) > 0 && e.Attr[0].Name.Local == "data-side":
			groups[e.Attr[0].Value[0]-'0']++
		}
	}
	if title != b.Sentence() || b.Title == "" || groups != pieces(b) {
		return fmt.Errorf("its Board as SVG is called %q and shows %v pieces; want %q, the game's Title in it, and %v", title, groups,
			b.Sentence(), pieces(b))
	}
	return nil
}

// pieces counts the pieces on a board by side.
func pieces(b board.Board) (n [2]int) {
	for _, p := range b.Pieces {
		n[p.Side&1]++
	}
	return n
}

// agrees compares a board with the referee, and its parts with each other.
func agrees(b board.Board, ref engines.Referee) error {
	o, why := ref.Result()
	outcome := o.String()
	if o == engines.Ongoing {
		outcome = ""
	}
	if b.Turn != int(ref.Turn()) || b.Outcome != outcome || b.Reason != string(why) {
		return fmt.Errorf("its Board says turn %d, outcome %q by %q; the referee %d, %q by %q", b.Turn, b.Outcome, b.Reason, ref.Turn(),
			outcome, why)
	}
	places, taken := map[board.At]bool{}, map[board.At]bool{}
	for _, p := range b.Places {
		if places[p.At] || p.X < 0 || p.Y < 0 || p.X >= b.Width || p.Y >= b.Height || p.Name == "" {
			return fmt.Errorf("its Board of %d x %d has the place %+v twice, off the board or without a name", b.Width, b.Height, p)
		}
		places[p.At] = true
	}
	for _, p := range b.Pieces {
		if !places[p.At] || taken[p.At] || p.Side < 0 || p.Side > 1 || p.Kind == "" {
			return fmt.Errorf("its Board has the piece %+v on none of its %d places, on one taken, of no side or of no kind", p, len(places))
		}
		taken[p.At] = true
	}
	return errors.Join(letters(b), labelled(b))
}

// letters checks that a board in letters has one letter for every piece, and different ones for
// the two sides.
func letters(b board.Board) error {
	if x, o := b.Sides[0].Letter, b.Sides[1].Letter; len(x) != 1 || len(o) != 1 || x == o {
		return fmt.Errorf("its Board has the letters %q and %q for its sides; want two, of one character each", x, o)
	}
	text := strings.TrimSuffix(b.Text(), b.Caption+"\n")
	labels := strings.Join(append(slices.Clone(b.Files), b.Ranks...), " ")
	var want [2]map[string]int
	for side := range want {
		want[side] = map[string]int{}
	}
	for _, p := range b.Pieces {
		want[p.Side&1][cmp.Or(p.Letter, b.Sides[p.Side&1].Letter)]++
	}
	for side := range want {
		for letter, n := range want[side] {
			if len(letter) != 1 || want[1-side][letter] > 0 {
				return fmt.Errorf("its Board has pieces of side %d with the letter %q; want one character, of that side only", side, letter)
			}
			if got := strings.Count(text, letter) - strings.Count(labels, letter); got != n {
				return fmt.Errorf("its Board in letters has %d times %s besides labels; want %d:\n%s", got, letter, n, text)
			}
		}
	}
	return nil
}

// labelled checks that labels name every place, and that the text of a move contains the name
// of its target; otherwise the board is upside down.
func labelled(b board.Board) error {
	for _, p := range b.Places {
		if b.Files != nil && !strings.HasPrefix(p.Name, b.Files[p.X]) || b.Ranks != nil && !strings.HasSuffix(p.Name, b.Ranks[p.Y]) {
			return fmt.Errorf("its Board has the place %q in column %d and row %d, with other labels (%v, %v)", p.Name, p.X, p.Y, b.Files, b.Ranks)
		}
		if b.Last != nil && b.Last.To != nil && b.Last.Also == nil && *b.Last.To == p.At && !strings.Contains(b.Last.Text, p.Name) {
			return fmt.Errorf("the last move of its Board, %s, goes to %s", b.Last.Text, p.Name)
		}
	}
	return nil
}

// marked checks the last move of a board: none at the start, later its effect on the board.
func (s *subject) marked(b board.Board, p spot) error {
	if len(p.history) == 0 {
		if b.Last != nil {
			return fmt.Errorf("its Board has a last move %+v before the first", *b.Last)
		}
		return nil
	}
	last := len(p.history) - 1
	ref, err := s.at(p.line.start, p.history[:last])
	if err != nil {
		return err
	}
	before, mover := ref.Board(), int(ref.Turn())
	if want := ref.MoveString(p.history[last]); b.Last == nil || b.Last.Text != want {
		return fmt.Errorf("the last move of its Board is %+v; want %s", b.Last, want)
	}
	return shown(before, b, mover)
}

// shown checks that the last move marks every difference between two successive boards: pieces
// that moved, appeared or were taken, and walls.
func shown(before, b board.Board, mover int) error {
	m := b.Last
	if m.To != nil {
		if piece, ok := b.PieceAt(*m.To); !ok || piece.Side != mover {
			return fmt.Errorf("the last move of its Board, %s, goes to %+v, where the mover has no piece", m.Text, *m.To)
		}
	}
	if m.Wall != nil != (len(b.Walls) > len(before.Walls)) || m.Wall != nil && !slices.Contains(b.Walls, *m.Wall) {
		return fmt.Errorf("the last move of its Board, %s, has the wall %+v; there were %d walls and are %d", m.Text, m.Wall, len(before.Walls),
			len(b.Walls))
	}
	for _, piece := range b.Pieces {
		if old, ok := before.PieceAt(piece.At); ok && old == piece {
			continue
		}
		if (m.To == nil || *m.To != piece.At) && !slices.Contains(m.Taken, piece.At) && !slices.Contains(m.Also, piece.At) {
			return fmt.Errorf("the last move of its Board, %s, does not go to %+v, where there is a new piece", m.Text, piece.At)
		}
	}
	for _, old := range before.Pieces {
		if old.Side == mover {
			continue
		}
		if piece, ok := b.PieceAt(old.At); (!ok || piece.Side != old.Side) && !slices.Contains(m.Taken, old.At) {
			return fmt.Errorf("the last move of its Board, %s, does not take %+v, whose piece is gone", m.Text, old.At)
		}
	}
	return nil
}
