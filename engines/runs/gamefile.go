package runs

import (
	"fmt"
	"iter"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
)

// Written is a recorded game as files of other programs take it.
type Written struct {
	Row  datasets.GameRow
	Game gamefile.Game
}

// Games iterates over the recorded games that a filter chooses, as files of other
// programs take them: with the decisions and clocks, as far as the run kept them.
func (r *Recorded) Games(filter datasets.Filter) iter.Seq2[Written, error] {
	return func(yield func(Written, error) bool) {
		told, err := r.Config.NewResult(r.Head)
		if err == nil && r.Head.Unavailable != nil {
			err = r.Head.Unavailable
		}
		if err != nil {
			yield(Written{}, err)
			return
		}
		trials := datasets.Filter{Phase: filter.Phase, From: filter.From, To: filter.To}
		moves := decisions{}
		if r.Log.Meta.RecordMoves != datasets.NoMoves {
			moves.next, moves.stop = iter.Pull2(r.Log.Moves(trials))
			defer moves.stop()
		}
		for f, err := range schedule.Recorded(r.Log, trials) {
			var trial schedule.Trial
			if err == nil {
				err = told.Add(f)
			}
			if err == nil {
				trial, err = told.Trial(f.Trial)
			}
			for i := 0; i < len(f.Games) && err == nil; i++ {
				row := f.Games[i]
				var known map[int32]datasets.MoveRow
				if known, err = moves.of(row); err != nil {
					break
				}
				if filter.Outcome != "" && row.Outcome != filter.Outcome || filter.Reason != "" && row.Reason != filter.Reason {
					continue
				}
				w := Written{Row: row}
				if w.Game, err = r.written(row, trial.Seats, known); err == nil && !yield(w, nil) {
					return
				}
			}
			if err != nil {
				yield(Written{}, err)
				return
			}
		}
	}
}

// decisions are the rows of moves, game by game.
type decisions struct {
	next func() (datasets.MoveRow, error, bool)
	stop func()
	row  datasets.MoveRow // read already
	held bool
}

// of returns the decisions of a game by ply, passing over those of games before it.
func (d *decisions) of(g datasets.GameRow) (map[int32]datasets.MoveRow, error) {
	known := map[int32]datasets.MoveRow{}
	if d.next == nil {
		return known, nil
	}
	for {
		if !d.held {
			row, err, ok := d.next()
			if err != nil || !ok {
				return known, err
			}
			d.row, d.held = row, true
		}
		if d.row.Trial != g.Trial || d.row.Pair != g.Pair || d.row.Game != g.Game {
			return known, nil
		}
		known[d.row.Ply] = d.row
		d.held = false
	}
}

// written is a game of two seats, A and B.
func (r *Recorded) written(row datasets.GameRow, seats [2]player.Config, known map[int32]datasets.MoveRow) (gamefile.Game, error) {
	m := r.Log.Meta
	g := gamefile.Game{
		Variant: r.Head.Variant, Event: fmt.Sprintf("%s of %s", m.Kind, r.Head.Variant.Game.Name), Round: fmt.Sprintf("%d:%d:%d", row.Trial, row.Pair, row.Game),
		Date: m.Created, Program: m.Program, Position: row.Position, Reason: engines.Reason(row.Reason), Margin: row.Margin,
	}
	var left [2]time.Duration
	var made [2]int
	for side := range g.Players {
		seat := seats[side^int(row.Game)]
		g.Players[side], g.Limits[side] = seat.Name, seat.Limits
		left[side] = seat.Limits.Clock.Base
	}
	var err error
	if g.Outcome, err = engines.ParseOutcome(row.Outcome); err != nil {
		return g, err
	}
	ref := r.Head.Variant.NewReferee()
	err = schedule.Retrace(ref, row, func(s play.Step) error {
		side := ref.Turn()
		to := gamefile.Move{Text: s.Text, Side: side, Opening: s.Opening, Penalty: s.Penalty}
		if d, is := known[int32(s.Ply)]; is && !s.Opening {
			to.Known = true
			to.Decision = decisionOf(d, s.Move)
			to.Took = time.Duration(d.Micros) * time.Microsecond
			if c := g.Limits[side].Clock; !c.IsZero() && m.RecordMoves == datasets.TimeMoves {
				made[side]++
				left[side] = c.After(left[side], to.Took, made[side])
				to.Left = new(left[side])
			}
		}
		g.Moves = append(g.Moves, to)
		return nil
	})
	return g, err
}
