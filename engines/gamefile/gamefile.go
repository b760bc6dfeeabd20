// Package gamefile reads and writes finished games in the formats of other programs: PGN, and
// SGF and PSQ for gobang. Callers fill in or take a [Game]; the package knows no records.
package gamefile

import (
	"fmt"
	"math"
	"strings"
	"time"

	"selfplaylab/engines"
)

// Game is a finished game. Lists of two are by side.
type Game struct {
	Variant engines.Variant

	Event   string // what it was played for
	Round   string // which game of it
	Date    time.Time
	Program string // that writes, with its version
	Players [2]string
	Limits  [2]engines.Limits

	Position string // where it starts, as Referee.Reset takes it; "" is the initial position
	Moves    []Move
	Outcome  engines.Outcome
	Reason   engines.Reason
	Margin   *float64 // by how much the first side won; nil where the game has none
}

// Move is one of a game's moves.
type Move struct {
	Text    string // in the game's notation
	Side    engines.Side
	Opening bool // given, not chosen
	Penalty bool // what was left of an illegal answer
	// Known is set if the decision was recorded: Decision, and the time if it was kept.
	Known    bool
	Decision engines.Decision
	Took     time.Duration  // 0 where it was not kept
	Left     *time.Duration // on the clock after the move; nil without a clock
}

// comment returns the record of a decision as chess match runners write it: score/depth and
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

// texts are the moves as files write them.
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

// start is where the game starts as text, and whether that is the game's own
// initial position.
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
