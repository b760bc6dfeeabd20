package protocol

import (
	"math/rand/v2"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
)

// Session holds the game of a program.
type Session struct {
	ref      engines.Referee
	position string // in the form of Referee.Reset
	atStart  bool   // position is the variant's own start
	start    string // text of the position
	initial  string // text of the variant's own start
	moves    []engines.Move
	texts    []string // of moves
	Used     bool     // a move was requested from the process
	Said     string   // the program's last answer, in its own notation
}

// Illegal returns the fault of an answer that is not a legal move in the session's position;
// nil for a legal one.
func (s *Session) Illegal(l *Link, m engines.Move) error {
	if s.ref.Legal(m) {
		return nil
	}
	here := ""
	if text := s.ref.MoveString(m); text != s.Said {
		here = " (" + text + " here)"
	}
	return l.Complain(engines.IllegalMove, "answered %q%s, which is not legal in %q", process.Shorten(s.Said), here, s.ref.String())
}

// NewSession returns a session at the variant's own start.
func NewSession(v engines.Variant) (*Session, error) {
	d := &Session{ref: v.NewReferee()}
	if err := d.ref.Reset(""); err != nil {
		return nil, err
	}
	d.initial = d.ref.String()
	return d, d.Reset("")
}

// Reset starts a game at a position in the form of Referee.Reset.
func (s *Session) Reset(position string) error {
	if err := s.ref.Reset(position); err != nil {
		return err
	}
	s.position, s.start = position, s.ref.String()
	s.atStart = s.start == s.initial
	s.moves, s.texts = s.moves[:0], s.texts[:0]
	return nil
}

// Follow moves the referee to the end of history, which starts at the position of Reset.
// It plays only the new moves.
func (s *Session) Follow(history []engines.Move) error {
	if len(history) < len(s.moves) || !slices.Equal(history[:len(s.moves)], s.moves) {
		if err := s.Reset(s.position); err != nil {
			return err
		}
	}
	for _, m := range history[len(s.moves):] {
		s.texts = append(s.texts, s.ref.MoveString(m))
		s.moves = append(s.moves, m)
		s.ref.Play(m)
	}
	return nil
}

// moveOf reads the move of an answer. Text that is not a move is a fault. A program's word for
// having no move may be the name of a legal move: in one game, drawing a card is "draw".
func (s *Session) moveOf(l *Link, text string) (engines.Move, error) {
	m, err := s.ref.ParseMove(text)
	switch {
	case text == "":
		return 0, l.Garbage("an answer without a move to %q", s.ref.String())
	case err == nil && s.ref.Legal(m):
	case strings.EqualFold(text, resigns):
		return 0, l.Complain(engines.Resigned, "resigns")
	case noMove(text):
		return 0, l.Complain(engines.IllegalMove, "says %q, that it has no move, in %q", process.Shorten(text), s.ref.String())
	case err != nil:
		return 0, l.Garbage("answered with no move: %v", err)
	}
	return m, nil
}

// NeedsPositions returns a position from which the variant's
// openings start, "" if that is always its own start.
func NeedsPositions(v engines.Variant, d *Session) (string, error) {
	if v.Opening == nil {
		return "", nil
	}
	for i := range uint64(openingsTried) {
		open := v.Opening(rand.New(rand.NewPCG(i, 0)), 2)
		if err := d.Reset(open.Position); err != nil {
			return "", err
		}
		if !d.atStart {
			return d.start, nil
		}
	}
	return "", d.Reset("")
}

// openingsTried is the number of openings examined before a protocol without positions is accepted.
const openingsTried = 4

// noMove reports whether an answer means that the program has no move.
func noMove(text string) bool {
	switch strings.ToLower(text) {
	case "0000", "none", "(none)", "null", "draw", resigns:
		return true
	}
	return false
}

// resigns is the answer that resigns a game: a word
// of QTP, as of GTP, that other protocols use too.
const resigns = "resign"

// cutWord returns the first word of a line and the rest after it. Spaces and tabs separate words.
func cutWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}
