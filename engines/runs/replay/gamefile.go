package replay

import (
	"cmp"
	"fmt"
	"iter"
	"time"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/gamefile"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
)

// Written is a recorded game as files of other programs take it.
type Written struct {
	Row     datasets.GameRow
	Game    gamefile.Game
	Opening uint64 // the seed of the pair, equal in all games of one drawn opening, whatever their trial and run
}

// Games iterates over the recorded games of a run that a filter chooses, as files of other
// programs take them: with the decisions and clocks, as far as the run kept them.
func Games(r *runs.Recorded, filter datasets.Filter) iter.Seq2[Written, error] {
	return func(yield func(Written, error) bool) {
		result, err := r.Config.NewResult(r.Head)
		if err = cmp.Or(err, r.Head.Unavailable, r.Shown()); err != nil {
			yield(Written{}, err)
			return
		}
		next, stop := iter.Pull2(r.Log.Trials(datasets.Filter{To: filter.To}))
		defer stop()
		row, trial := datasets.TrialRow{Trial: -1}, schedule.Trial{}
		for p, err := range r.Log.Played(filter) {
			for err == nil && row.Trial < p.Trial { // a trial may depend on the results before it
				ok := false
				if row, err, ok = next(); err == nil && !ok {
					err = fmt.Errorf("%s: trial %d is not recorded", r.Log.Dir, p.Trial)
				}
				if err == nil {
					err = result.Add(schedule.Finished{Trial: row, Replayed: true})
				}
				if err == nil {
					trial, err = result.Trial(row)
				}
				if part, ok := result.Part(row); err == nil && ok && part.Seats[0].Name != part.Seats[1].Name {
					trial.Seats[0].Name, trial.Seats[1].Name = part.Seats[0].Name, part.Seats[1].Name
				}
			}
			w := Written{Row: p.GameRow, Opening: play.PairSeed(r.Log.Meta.Seed, trial.Stream, trial.Openings, int(p.Pair))}
			if err == nil {
				w.Game, err = FileGame(r.Head, p.GameRow, trial.Seats, p.Decisions)
			}
			if !yield(w, err) || err != nil {
				return
			}
		}
	}
}

// FileGame returns a game of a run between two seats, A and B, with its recorded decisions, as files
// of other programs take it.
func FileGame(h *runs.Head, row datasets.GameRow, seats [2]player.Config, decisions []datasets.MoveRow) (gamefile.Game, error) {
	m, known := h.Meta, byPly(decisions)
	g := gamefile.Game{
		Variant: h.Variant, Event: fmt.Sprintf("%s of %s", m.Kind, h.Variant.Game.Name),
		Round: row.Name(),
		Date:  m.Created, Program: m.Program, Position: row.Position, Reason: engines.Reason(row.Reason), Margin: row.Margin,
	}
	var left [2]time.Duration
	var made [2]int
	for side := range g.Players {
		seat := seats[side^int(row.Game)]
		g.Players[side], g.Limits[side] = seat.Name, seat.Limits
		left[side] = seat.Limits.Clock.Start()
	}
	var err error
	if g.Outcome, err = engines.ParseOutcome(row.Outcome); err != nil {
		return g, err
	}
	ref := h.Variant.NewReferee()
	err = schedule.Retrace(ref, row, func(s play.Step) error {
		side := ref.Turn()
		to := gamefile.Move{Text: s.Text, Side: side, Opening: s.Opening, Penalty: s.Penalty}
		if d, ok := known[int32(s.Ply)]; ok && !s.Opening {
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
