// Package replay reads the recorded games of runs: one game, recorded or played again by its
// players (game.go, gamepage.go), all games in other programs' files (gamefile.go), and the tree of
// their openings (openings.go).
package replay

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
)

// Game is a recorded game with its settings.
type Game struct {
	Run   *runs.Recorded
	Row   datasets.GameRow
	Trial schedule.Trial
	// Custom are the custom players that took part, for Play.
	Custom []player.Custom
}

// Find finds a recorded game of a run by TRIAL:PAIR:GAME or by its number in the run,
// from 0.
func Find(r *runs.Recorded, name string) (*Game, error) {
	if err := r.Shown(); err != nil {
		return nil, err
	}
	row, err := findGame(r.Log, name)
	if err != nil {
		return nil, err
	}
	result, err := r.Config.NewResult(r.Head)
	if err != nil {
		return nil, err
	}
	for t, err := range r.Log.Trials(datasets.Filter{To: row.Trial + 1}) {
		if err == nil { // a trial may depend on the results before it
			err = result.Add(schedule.Finished{Trial: t, Replayed: true})
		}
		if err != nil {
			return nil, err
		}
		if t.Trial == row.Trial {
			trial, err := result.Trial(t)
			return &Game{Run: r, Row: row, Trial: trial}, err
		}
	}
	return nil, fmt.Errorf("%s: trial %d is not recorded", r.Log.Dir, row.Trial)
}

func findGame(log *datasets.Log, name string) (datasets.GameRow, error) {
	wrong := func() error {
		return engines.ParseError("game", name, "want TRIAL:PAIR:GAME, such as 0:12:1, or a game's number from 0")
	}
	var at [3]int64
	fields := strings.Split(name, ":")
	if len(fields) != 1 && len(fields) != 3 {
		return datasets.GameRow{}, wrong()
	}
	for i, text := range fields {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return datasets.GameRow{}, wrong()
		}
		at[i] = n
	}
	filter := datasets.Filter{}
	if len(fields) == 3 {
		if log.NumTrials == 0 {
			return datasets.GameRow{}, fmt.Errorf("%s: no game is recorded", log.Dir)
		}
		if at[0] >= log.NumTrials {
			return datasets.GameRow{}, fmt.Errorf("%s has no trial %d: it holds trials 0 to %d", log.Dir, at[0], log.NumTrials-1)
		}
		filter = datasets.Filter{From: at[0], To: at[0] + 1}
	}
	number := int64(0)
	for g, err := range log.Games(filter) {
		if err != nil {
			return g, err
		}
		if len(fields) == 1 && number == at[0] || len(fields) == 3 && int64(g.Pair) == at[1] && int64(g.Game) == at[2] {
			return g, nil
		}
		number++
	}
	if len(fields) == 1 {
		return datasets.GameRow{}, fmt.Errorf("%s has no game %d: it holds %d games, counted from 0", log.Dir, at[0], log.NumGames)
	}
	return datasets.GameRow{}, fmt.Errorf("%s has no game %s: trial %d holds %d pairs, of games 0 and 1", log.Dir, name, at[0], number/2)
}

// Place names the game in its run.
func (r *Game) Place() string {
	return fmt.Sprintf("trial %d, pair %d, game %d", r.Row.Trial, r.Row.Pair, r.Row.Game)
}

// Seed returns the seed of the game's pair.
func (r *Game) Seed() uint64 {
	return play.PairSeed(r.Run.Log.Meta.Seed, r.Trial.Stream, r.Trial.Openings, int(r.Row.Pair))
}

// Repeatable reports whether the players must repeat the game.
func (r *Game) Repeatable() bool { return runs.Repeatable(r.Trial.Seats[:]...) }

// Play asks the players for every move again and calls show with each ply. The error is a
// *play.Divergence if they differ from the record.
func (r *Game) Play(ctx context.Context, show func(play.Ply)) (err error) {
	if err := r.Run.Playable(); err != nil {
		return err
	}
	game, err := schedule.GameOf(r.Row)
	if err != nil {
		return err
	}
	w := play.NewWorker(r.Run.Head.Variant, r.Run.PlaySetup())
	w.Custom = r.Custom
	defer func() { err = errors.Join(err, w.Close()) }()
	err = w.Replay(ctx, play.Job{
		Trial: r.Row.Trial, Seats: r.Trial.Seats, Stream: r.Trial.Stream, Openings: r.Trial.Openings, Book: r.Trial.Book,
	}, int(r.Row.Pair), int(r.Row.Game), game, show)
	if d, ok := errors.AsType[*play.Divergence](err); ok || err == nil {
		if d == nil {
			return nil
		}
		return d
	}
	return fmt.Errorf("%s: %w", r.Place(), err)
}

// Recorded calls show with every ply as recorded, without asking the players, and with its
// Decision if the run recorded decisions. Only the rules of the game must be known.
func (r *Game) Recorded(show func(play.Ply)) error {
	if _, err := r.Run.Head.Game(); err != nil {
		return err
	}
	if err := r.Run.Shown(); err != nil {
		return err
	}
	known, err := r.decisions()
	if err != nil {
		return err
	}
	ref := r.Run.Head.Variant.NewReferee()
	return schedule.Retrace(ref, r.Row, func(s play.Step) error {
		side := ref.Turn()
		p := play.Ply{
			Number: s.Ply + 1, Side: side, ByA: int32(side) == r.Row.Game, Opening: s.Opening, Move: s.Text, Illegal: s.Penalty,
		}
		if d, ok := known[int32(s.Ply)]; ok {
			p.Decision = decisionOf(d, s.Move)
		}
		after := r.Run.Head.Variant.NewReferee()
		if err := after.Reset(ref.String()); err != nil {
			return err
		}
		if s.Penalty {
			after.Penalty()
		} else {
			after.Play(s.Move)
		}
		p.Position, p.Board = after.String(), after.Board()
		show(p)
		return nil
	})
}

// decisions returns the recorded decisions of the game, by ply.
func (r *Game) decisions() (map[int32]datasets.MoveRow, error) {
	for p, err := range r.Run.Log.Played(datasets.Filter{From: r.Row.Trial, To: r.Row.Trial + 1}) {
		if err != nil {
			return nil, err
		}
		if p.Pair == r.Row.Pair && p.Game == r.Row.Game {
			return byPly(p.Decisions), nil
		}
	}
	return nil, nil
}

func decisionOf(d datasets.MoveRow, m engines.Move) engines.Decision {
	return engines.Decision{Move: m, Score: d.Score, Nodes: d.Nodes, Depth: int(d.Depth), Mate: int(d.Mate)}
}

// byPly returns the decisions of a game by their plies.
func byPly(rows []datasets.MoveRow) map[int32]datasets.MoveRow {
	known := map[int32]datasets.MoveRow{}
	for _, row := range rows {
		known[row.Ply] = row
	}
	return known
}
