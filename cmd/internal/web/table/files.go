package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/games"
)

// writtenFile is a file to save.
type writtenFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// write returns the game as a file of the question's format.
func (s *seat) write(q Question) (writtenFile, error) {
	format, err := gamefile.Find(q.Format, s.v.Game.Name)
	if err != nil {
		return writtenFile{}, err
	}
	if q.Record == nil {
		return writtenFile{}, errors.New("a file of a game needs its players and its outcome")
	}
	limits, err := engines.ParseLimits(q.Record.Limits)
	if err != nil {
		return writtenFile{}, err
	}
	g := gamefile.Game{
		Variant: s.v, Limits: [2]engines.Limits{limits, limits}, Event: "a game of " + s.v.Game.Name, Date: q.Record.Date, Program: "selfplaylab", Players: q.Record.Players,
		Position: q.Position, Outcome: q.Record.Outcome, Reason: q.Record.Reason,
	}
	if outcome, reason := s.ref.Result(); outcome != engines.Ongoing {
		g.Outcome, g.Reason = outcome, reason
	}
	for i, text := range s.texts {
		m := gamefile.Move{Text: text, Side: s.turns[i], Opening: i < q.Record.Opening, Penalty: s.penalties[i]}
		if i < len(q.Record.Left) && q.Record.Left[i] != nil {
			m.Left = new(time.Duration(*q.Record.Left[i] * float64(time.Second)))
		}
		g.Moves = append(g.Moves, m)
	}
	var b strings.Builder
	err = format.Write(&b, &g)
	return writtenFile{s.v.Game.Name + "." + format.Name, b.String()}, err
}

// readGame is a game of a file.
type readGame struct {
	Game     string   `json:"game"`
	Rules    string   `json:"rules"`
	Position string   `json:"position"`
	Moves    []string `json:"moves"`
	Turns    []int    `json:"turns"` // side of each move
	record
}

// read returns the games of the file Name with the content Text. The game and rules that the file states
// replace the chosen ones.
func read(q Question) ([]readGame, error) {
	v, err := games.Open(q.Game, q.Rules)
	for _, f := range gamefile.Formats() { // one of another game
		if f.Name == gamefile.Ending(q.Name) && f.Games != nil && !slices.Contains(f.Games, q.Game) {
			v, err = games.Open(f.Games[0], "")
		}
	}
	if err != nil {
		return nil, err
	}
	texts, err := gamefile.Parse(v, q.Name, []byte(q.Text))
	if err != nil {
		return nil, err
	}
	var list []readGame
	for _, t := range texts {
		g, err := readText(v, t)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", q.Name, t.Line, err)
		}
		list = append(list, g)
	}
	return list, nil
}

// readText returns a game by its stated rules, completed by v.
func readText(v engines.Variant, t gamefile.Text) (g readGame, err error) {
	if t.Game != "" && t.Game != v.Game.Name {
		if v, err = games.Open(t.Game, ""); err != nil {
			return g, err
		}
	}
	if v, err = t.Variant(v); err != nil {
		return g, err
	}
	s, err := Question{Position: t.Position, Moves: strings.Join(t.Moves, " ")}.sit(v)
	if err != nil {
		return g, err
	}
	g = readGame{
		Game: v.Game.Name, Rules: v.Rules, Position: t.Position, Moves: s.texts, Turns: s.sides(),
		record: record{Players: t.Players, Opening: t.Book, Outcome: t.Outcome, Reason: t.Reason},
	}
	if outcome, reason := s.ref.Result(); outcome != engines.Ongoing {
		g.Outcome, g.Reason = outcome, reason
	}
	return g, nil
}
