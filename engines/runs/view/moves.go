package view

import (
	"errors"
	"fmt"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports"
	"selfplaylab/reports/board"
	"selfplaylab/reports/gamestats"
)

// movesSection shows the recorded decisions of a run; ok is false for a run without any. result names
// their players.
func movesSection(r *runs.Recorded, result runs.Result) (s reports.Section, ok bool, err error) {
	if r.Log.Meta.RecordMoves == datasets.NoMoves {
		return s, false, nil
	}
	names := map[int64][2]string{}
	for row, err := range r.Log.Trials(datasets.Filter{}) {
		if err != nil {
			return s, false, err
		}
		if part, counts := result.Part(row); counts {
			names[row.Trial] = [2]string{part.Seats[0].Name, part.Seats[1].Name}
		}
	}
	var moves gamestats.Moves
	for p, err := range r.Log.Played(datasets.Filter{}) {
		if err != nil {
			return s, false, err
		}
		if players, counts := names[p.Trial]; counts {
			moves.Add(p, players)
		}
	}
	s.Title = "Move by move"
	for _, plot := range moves.Plots() {
		s.Blocks = append(s.Blocks, plot)
	}
	for i, t := range moves.Turns() {
		s.Blocks = append(s.Blocks, turn(r.Head, i, t)...)
	}
	return s, len(s.Blocks) > 0, nil
}

// turn shows a game that its loser had thought well of.
func turn(h *runs.Head, i int, t gamestats.Turn) []reports.Block {
	fig, ok := t.Graph()
	if !ok {
		return nil
	}
	blocks := []reports.Block{reports.Plot{Name: fmt.Sprintf("game-%d", i+1), Figure: fig, Caption: fmt.Sprintf(
		"`%s` lost this game, though it had thought better of its position than in any other lost game. `selfplay replay` shows it move by move.",
		t.Loser())}}
	boards := reports.Boards{Name: fmt.Sprintf("game-%d-board", i+1)}
	for _, at := range []struct {
		ply     int
		caption string
	}{{int(t.Ply), fmt.Sprintf("Before ply %d, when `%s` thought best of it.", t.Ply+1, t.Loser())},
		{int(t.Game.Plies), "The last position."}} {
		if b, err := boardAfter(h, t.Game, at.ply); err == nil { // reported elsewhere: the record does not fit the rules
			boards.Boards = append(boards.Boards, reports.Position{Board: b, Caption: at.caption})
		}
	}
	if len(boards.Boards) > 0 {
		blocks = append(blocks, boards)
	}
	return blocks
}

// errReached ends the way through a game.
var errReached = errors.New("the position is reached")

// boardAfter returns the board of a recorded game after a number of plies.
func boardAfter(h *runs.Head, g datasets.GameRow, plies int) (b board.Board, err error) {
	if h.Unavailable != nil {
		return b, h.Unavailable
	}
	ref := h.Variant.NewReferee()
	n := 0
	err = schedule.Retrace(ref, g, func(play.Step) error {
		if n == plies { // this step is not played yet
			return errReached
		}
		n++
		return nil
	})
	if err != nil && !errors.Is(err, errReached) {
		return b, err
	}
	return ref.Board(), nil
}
