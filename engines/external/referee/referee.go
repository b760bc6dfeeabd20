// Package referee makes a game of a program that knows the rules: a referee, written in
// any language, which answers a line of JSON by a line of JSON. docs/game.md says how to
// write one.
//
// A question names a position and a move, and the answer depends on nothing else. So one
// process serves any number of games, an answer is asked for again at any time, and
// every answer is asked for twice: two that differ end the run. What a referee does
// wrong is an *engines.RefereeFault, by which no player loses.
package referee

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// Open returns the game of a file FILE.toml or of a command. It starts no program: the
// first question does.
func Open(text string) (*engines.Game, error) {
	f, err := read(text)
	if err != nil {
		return nil, err
	}
	timeout, err := time.ParseDuration(f.Timeout)
	if err != nil || timeout <= 0 {
		return nil, fmt.Errorf("%s: timeout %q: want a duration such as 10s", text, f.Timeout)
	}
	g := &engines.Game{
		Name: f.Name, Source: f.source, Title: f.Title, Doc: cmp.Or(f.Doc, "A game whose rules the program `"+f.source+"` keeps."),
		Version: f.Version, Options: f.options(), OpeningPlies: *f.Opening,
	}
	addPlayer(g)
	if f.Limits != "" {
		if g.Limits, err = engines.ParseLimits(f.Limits); err == nil {
			err = g.CheckLimits(g.Limits)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: limits: %w", text, err)
		}
	}
	g.New = sharing(f, timeout)
	return g, nil
}

// sharing makes variants. Those of equal rules share processes and answers.
func sharing(f *file, timeout time.Duration) func(engines.Rules) (engines.Variant, error) {
	var mu sync.Mutex
	open := map[string]*rules{}
	return func(chosen engines.Rules) (engines.Variant, error) {
		mu.Lock()
		defer mu.Unlock()
		key := fmt.Sprint(chosen)
		r := open[key]
		if r == nil {
			r = newRules(f, chosen, timeout)
			open[key] = r
		}
		return engines.Variant{
			NewReferee: func() engines.Referee {
				return engines.NewReferee[state](state{rules: r}, engines.Bounds{MaxPlies: f.Plies})
			},
			NewPlayer: func() engines.Player { return newPlayer(r) },
			Opening:   r.opening,
			Evaluate:  r.evaluate,
			Verify:    r.verify,
		}, nil
	}
}

// triesPerPly is how often an opening of some length is drawn until one is found in
// which the game goes on.
const triesPerPly = 20

// opening draws a start: a seed for the referee's chance, then moves.
func (r *rules) opening(draw *rand.Rand, plies int) engines.Opening {
	start := state{rules: r, at: r.start(1 + int64(draw.Uint32()>>1))}
	open := engines.Opening{}
	if start.at.Position != r.start(0).Position {
		open.Position = start.at.Position
	}
	for n := plies; n > 0; n-- {
		for range triesPerPly {
			at := start
			open.Moves = open.Moves[:0]
			for len(open.Moves) < n && at.Outcome() == engines.Ongoing {
				m := at.at.moves[draw.IntN(len(at.at.moves))]
				at.Play(m)
				open.Moves = append(open.Moves, m)
			}
			if at.Outcome() == engines.Ongoing {
				return open
			}
		}
	}
	open.Moves = nil
	return open
}

// verifiedGames is how many random games verify plays.
const verifiedGames = 4

// verify plays random games and asks about every position of them again: other processes
// and the other order must give the same answers.
func (r *rules) verify() (err error) {
	defer engines.CatchReferee(&err)
	draw := rand.New(rand.NewPCG(1, 1))
	for range verifiedGames {
		seed := 1 + int64(draw.Uint32()>>1)
		path := []state{{rules: r, at: r.start(seed)}}
		if path[0].Outcome() != engines.Ongoing {
			return r.fault(question{Seed: &seed}, "the game is over before its first move: result %q", path[0].at.Result)
		}
		var moves []engines.Move
		for at := path[0]; at.Outcome() == engines.Ongoing && len(moves) < r.file.Plies; path = append(path, at) {
			moves = append(moves, at.at.moves[draw.IntN(len(at.at.moves))])
			at.Play(moves[len(moves)-1])
		}
		for i := len(moves) - 1; i >= 0; i-- {
			path[i].Play(moves[i])
			if err := r.recognises(path[i].at.Position); err != nil {
				return err
			}
		}
	}
	return nil
}

// recognises checks that a position of the referee's own comes back as it is.
func (r *rules) recognises(position string) error {
	a, err := r.read(position)
	if _, refused := err.(*refusal); refused {
		return r.fault(question{Position: position}, "it does not know a position of its own: %v", err)
	}
	if err == nil && a.Position != position {
		return r.fault(question{Position: position}, "it calls a position of its own %q", a.Position)
	}
	return err
}

// state is a position that a referee has described.
type state struct {
	rules  *rules
	at     *answer // nil before the first question, which is about the initial position
	before *answer // the last move; nil for none
}

// here is the answer about the position.
func (s *state) here() *answer {
	if s.at == nil {
		s.at = s.rules.start(0)
	}
	return s.at
}

func (s *state) Moves(buf []engines.Move) []engines.Move { return append(buf, s.here().moves...) }
func (s *state) Legal(m engines.Move) bool               { return slices.Contains(s.here().moves, m) }
func (s *state) Turn() engines.Side                      { return engines.Side(s.here().Turn - 1) }
func (s *state) Outcome() engines.Outcome                { return s.here().outcome }
func (s *state) Penalty() engines.Move                   { return 0 }
func (s *state) String() string                          { return s.here().Position }

func (s *state) Play(m engines.Move) {
	s.before = s.here()
	s.at = s.rules.after(s.before, m)
}

func (s *state) Reason() engines.Reason {
	return engines.Reason(cmp.Or(s.here().Reason, map[bool]string{true: "draw", false: "win"}[s.at.outcome == engines.Draw]))
}

func (s *state) Key() uint64 {
	h := fnv.New64a()
	h.Write([]byte(s.here().Position))
	return h.Sum64()
}

// SetText asks the referee about a position. A referee may stumble over what it did not
// write, which is an error like its refusal.
func (s *state) SetText(text string) (err error) {
	s.before = nil
	s.at, err = s.rules.read(text)
	return err
}

func (s *state) ParseMove(text string) (engines.Move, error) {
	if !isWord(text) {
		return 0, engines.ParseError("move", text, "want one word of at most 64 characters that begins with a letter or digit")
	}
	return s.rules.moves.number(text), nil
}

func (s *state) MoveString(m engines.Move) string { return s.rules.moves.text(m) }

// Board shows the referee's drawing, and what the last move changed in it.
func (s *state) Board(last engines.Move) board.Board {
	b := draw(s.rules.file, s.here())
	if last != 0 && s.before != nil {
		b.Last = changes(draw(s.rules.file, s.before), b, s.before.Turn-1)
	}
	if s.at.outcome == engines.Ongoing && len(b.Places) > 0 {
		b.Caption = b.Sides[s.Turn()].Name + " to move"
	}
	return b
}

// empty are the characters of a board's text that stand for an empty place.
const empty = ".-_ "

// draw makes squares of a text whose lines are equally long, and shows others as they are.
func draw(f *file, at *answer) board.Board {
	b := board.Board{Title: f.Title, Kind: board.Squares}
	b.Sides[0] = board.Side{Name: f.Sides[0], Letter: f.Letters[:1], Tone: board.Black}
	b.Sides[1] = board.Side{Name: f.Sides[1], Letter: f.Letters[1:], Tone: board.White}
	lines := strings.Split(strings.TrimRight(at.Board, "\n"), "\n")
	uneven := func(line string) bool { return len(line) != len(lines[0]) || strings.ContainsFunc(line, notASCII) }
	if at.Board == "" || len(lines[0]) > 26 || slices.ContainsFunc(lines, uneven) {
		b.Caption = cmp.Or(strings.TrimRight(at.Board, "\n"), at.Position)
		return b
	}
	b.Width, b.Height = len(lines[0]), len(lines)
	b.Files, b.Ranks = board.Letters(b.Width), board.Falling(b.Height)
	b.FillGrid(func(x, y int) string { return b.Files[x] + b.Ranks[y] })
	for y, line := range lines {
		for x := range len(line) {
			if letter := line[x : x+1]; !strings.Contains(empty, letter) {
				b.Pieces = append(b.Pieces, board.Piece{At: board.At{X: x, Y: y}, Side: f.side(letter), Kind: "piece", Letter: letter})
			}
		}
	}
	return b
}

// changes finds out what the mover did from one board to the next: where a piece of its
// own arrived, and which others went or changed.
func changes(before, after board.Board, mover int) *board.Move {
	m := &board.Move{}
	var moved board.Piece
	for _, free := range []bool{true, false} { // a piece on a free place comes first: others may have been turned over
		for _, p := range after.Pieces {
			if old, taken := before.PieceAt(p.At); m.To == nil && p.Side == mover && taken != free && old != p {
				m.To, moved = &p.At, p
			}
		}
	}
	for _, p := range after.Pieces {
		old, taken := before.PieceAt(p.At)
		switch {
		case old == p || !taken && m.To != nil && *m.To == p.At:
		case taken:
			m.Taken = append(m.Taken, p.At)
		default:
			m.Also = append(m.Also, p.At)
		}
	}
	for _, old := range before.Pieces {
		_, still := after.PieceAt(old.At)
		switch {
		case still:
		case m.To != nil && m.From == nil && old.Side == mover && old.Letter == moved.Letter:
			m.From = &old.At
		default:
			m.Taken = append(m.Taken, old.At)
		}
	}
	return m
}

func notASCII(c rune) bool { return c < ' ' || c > '~' }

// side is whose piece a letter is: the second side's if it is that side's or a small
// letter.
func (f *file) side(letter string) int {
	switch {
	case letter == f.Letters[:1]:
		return 0
	case letter == f.Letters[1:], letter != strings.ToUpper(letter):
		return 1
	}
	return 0
}
