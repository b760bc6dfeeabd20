package schedule

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
)

// Recorded iterates over the trials that filter chooses in a log, with their games. It ends
// after an error.
func Recorded(log *datasets.Log, filter datasets.Filter) iter.Seq2[Finished, error] {
	return func(yield func(Finished, error) bool) {
		games, stop := iter.Pull2(log.Games(filter))
		defer stop()
		moves, end := iter.Pull2(log.Moves(filter)) // nothing is read before the first call
		defer end()
		for row, err := range log.Trials(filter) {
			f := Finished{Trial: row, Replayed: true}
			for err == nil && len(f.Games) < int(row.Games) {
				g, gameErr, ok := games()
				if err = gameErr; err == nil && !ok {
					err = fmt.Errorf("%s: the games of trial %d are missing", log.Dir, row.Trial)
				}
				f.Games = append(f.Games, g)
			}
			if err == nil && row.Games == 0 && row.Decisions > 0 {
				f.Moves, err = searches(row, moves)
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// searches returns the decisions of a trial without games.
func searches(row datasets.TrialRow, moves func() (datasets.MoveRow, error, bool)) (list []datasets.MoveRow, err error) {
	for len(list) < int(row.Decisions) {
		m, err, ok := moves()
		if err == nil && (!ok || m.Trial != row.Trial) {
			err = fmt.Errorf("the searches of trial %d are missing", row.Trial)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// replay gives src the recorded trials and returns the trials left to play.
func (r *Runner) replay(ctx context.Context, src Source) ([]Trial, error) {
	if r.Replayed == nil {
		return r.ask(src), nil
	}
	if r.next == nil {
		r.next, r.stop = iter.Pull2(r.Replayed)
	}
	if err := r.replayAll(ctx, src); err != nil {
		return nil, err
	}
	waiting := r.ask(src)
	for len(waiting) > 0 && r.Replayed != nil {
		f, err, ok := r.takeRecorded(ctx)
		if err != nil {
			return nil, err
		}
		if !ok {
			r.played()
			break
		}
		over, err := r.again(src, waiting[0], f)
		if over || err != nil {
			return nil, err
		}
		waiting = append(waiting[1:], r.ask(src)...)
	}
	return waiting, nil
}

// again gives src a recorded trial that it proposed, and reports whether it ends the phase.
func (r *Runner) again(src Source, proposed Trial, f Finished) (over bool, err error) {
	row := f.Trial
	if row.Trial != r.trials || row.Phase != proposed.Phase || !slices.Equal(row.A, proposed.Seats[0].Values) ||
		!slices.Equal(row.B, proposed.Seats[1].Values) ||
		row.Openings != proposed.Openings || int(row.Pairs) > proposed.Pairs {
		return false, fmt.Errorf("trial %d: %w", row.Trial, ErrDiverged)
	}
	side, tooMany := r.tooMany(row.Phase, [2]int{int(row.FaultsA), int(row.FaultsB)}, int(row.Games))
	over = src.Done(row.PairCounts())
	if int(row.Pairs) < proposed.Pairs && !tooMany && !over {
		return false, fmt.Errorf("trial %d: %w (it has %d of %d pairs)", row.Trial, ErrDiverged, row.Pairs, proposed.Pairs)
	}
	if err := src.Tell(row, r.margin(f.Games)); err != nil {
		return false, err
	}
	if err := r.done(f); err != nil {
		return false, err
	}
	if tooMany {
		e := r.faultError(side, row.Phase, [2]int{}, 0)
		e.Name, e.Trial, e.Pair = proposed.Seats[side].Name, row.Trial, int(row.Pairs)-1
		e.Seed = play.PairSeed(r.Setup.Seed, proposed.Stream, proposed.Openings, e.Pair)
		return false, e
	}
	return over, nil
}

// replayAll gives src the recorded trials that it takes without having proposed them.
func (r *Runner) replayAll(ctx context.Context, src Source) error {
	for {
		f, err, ok := r.takeRecorded(ctx)
		if err != nil {
			return err
		}
		if !ok {
			r.played()
			return nil
		}
		taken, err := src.Replay(f.Trial, r.margin(f.Games))
		if err != nil {
			return err
		}
		if !taken {
			r.unread = &f
			return nil
		}
		if f.Trial.Trial != r.trials {
			return fmt.Errorf("trial %d: %w", f.Trial.Trial, ErrDiverged)
		}
		if err := r.done(f); err != nil {
			return err
		}
	}
}
