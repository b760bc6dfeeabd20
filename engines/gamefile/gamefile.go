// Package gamefile reads and writes finished games in the formats of other programs: PGN, and
// SGF and PSQ for gobang. Callers fill in a [Game] or receive one; the package knows no
// records.
package gamefile

import (
	"fmt"
	"math"
	"strings"
	"time"

	"selfplaylab/engines"
)

// Game is a finished game. Arrays are by side.
type Game struct {
	Variant engines.Variant // the game and its rules

	Event   string            // name of the run or match
	Round   string            // number of the game in it
	Date    time.Time         // zero if unknown
	Program string            // name and version of the program that writes the file
	Players [2]string         // names, the first side first
	Limits  [2]engines.Limits // of each decision; zero if unknown

	Position string          // initial position in the form of Referee.Reset; "" is the game's own
	Moves    []Move          // in order, opening included
	Outcome  engines.Outcome // Ongoing if the game was not finished
	Reason   engines.Reason  // why the game ended
	Margin   *float64        // winning margin of the first side; nil if the game has none
}

// Move is one of a game's moves.
type Move struct {
	Text    string       // in the game's notation
	Side    engines.Side // that moved
	Opening bool         // given by the opening, not chosen
	Penalty bool         // chosen by the penalty after an illegal answer
	// Known is set if the decision was recorded, with its time if it was measured.
	Known    bool
	Decision engines.Decision
	Took     time.Duration  // 0 if not recorded
	Left     *time.Duration // time on the clock after the move; nil without a clock
}

// comment returns the record of a decision in the form of chess match runners: score/depth and
// seconds.
func (g *Game) comment(m *Move) string {
	var parts []string
	switch {
	case m.Opening:
		parts = append(parts, "book")
	case m.Penalty:
		parts = append(parts, "penalty for an illegal answer")
	}
	if m.Known && !math.IsNaN(m.Decision.Score) {
		score := fmt.Sprintf("%+.6g", m.Decision.Score)
		switch files := g.Variant.Files; {
		case files != nil:
			score = files.Score(m.Decision)
		case m.Decision.Mate != 0:
			score = g.Variant.Game.Describe(m.Decision)
		}
		if m.Decision.Depth > 0 {
			score += fmt.Sprintf("/%d", m.Decision.Depth)
		}
		parts = append(parts, score)
	}
	if m.Took > 0 {
		parts = append(parts, fmt.Sprintf("%.3fs", m.Took.Seconds()))
	}
	return strings.Join(parts, " ")
}

// texts returns the moves as files write them.
func (g *Game) texts() ([]string, error) {
	list := make([]string, len(g.Moves))
	for i := range g.Moves {
		list[i] = g.Moves[i].Text
	}
	if g.Variant.Files == nil {
		return list, nil
	}
	ref := g.Variant.NewReferee()
	if err := ref.Reset(g.Position); err != nil {
		return nil, err
	}
	moves := make([]engines.Move, len(list))
	for i, text := range list {
		m, err := engines.PlayText(ref, text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		moves[i] = m
	}
	return g.Variant.Files.Moves(g.Position, moves)
}

// start returns the initial position as text, and whether it is the game's own.
func (g *Game) start() (text string, initial bool, err error) {
	ref := g.Variant.NewReferee()
	if err := ref.Reset(""); err != nil {
		return "", false, err
	}
	own := ref.String()
	if err := ref.Reset(g.Position); err != nil {
		return "", false, err
	}
	text, initial = ref.String(), ref.String() == own
	if files := g.Variant.Files; files != nil && !initial {
		text, err = files.Start(g.Position)
	}
	return text, initial, err
}
