package schedule

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
)

// Splits of positions, by opening.
const (
	TrainSplit = "train"
	ValidSplit = "valid"
	TestSplit  = "test"
)

// splitOf decides by a position after an opening: 80, 10 and 10 % of openings. It
// depends on the game and the position's text alone and will not change.
func splitOf(game, position string) string {
	h := fnv.New64a()
	io.WriteString(h, game+" "+position)
	switch engines.Mix(h.Sum64()) % 10 {
	case 8:
		return ValidSplit
	case 9:
		return TestSplit
	}
	return TrainSplit
}

// Positions chooses positions of recorded games.
type Positions struct {
	Filter   datasets.Filter
	Openings bool // those within the opening too
	Every    int  // only every n-th of a game, from the opening's end on, or from the start with Openings; at least 1
	Dedup    bool // each only where it comes first in the run, by its key
}

// Rows replays the games of a run by the rules of its game, and iterates over the
// positions in which a player moved, with what became of them. count, if not
// nil, is called with the split of every row.
func (p Positions) Rows(log *datasets.Log, v engines.Variant, count func(split string)) iter.Seq2[datasets.PositionRow, error] {
	r := positions{Positions: p, log: log, ref: v.NewReferee(), same: v.Game.Version == log.Meta.GameVersion, count: count}
	if p.Dedup {
		r.seen = map[uint64]struct{}{}
	}
	return r.rows()
}

// positions makes rows of recorded games.
type positions struct {
	Positions
	log   *datasets.Log
	ref   engines.Referee
	same  bool                // this program has the run's version of the game
	seen  map[uint64]struct{} // keys, with Dedup
	count func(split string)
}

// errEnough ends the replay of a game whose reader wants no more.
var errEnough = errors.New("enough")

// rows iterates over the positions of the run's games.
func (p *positions) rows() iter.Seq2[datasets.PositionRow, error] {
	return func(yield func(datasets.PositionRow, error) bool) {
		for g, err := range p.log.Played(p.Filter) {
			if err == nil {
				err = p.game(g, func(row datasets.PositionRow) bool { return yield(row, nil) })
			}
			if err == errEnough {
				return
			}
			if err != nil {
				yield(datasets.PositionRow{}, err)
				return
			}
		}
	}
}

// game gives take the positions of one game.
func (p *positions) game(g datasets.Played, take func(datasets.PositionRow) bool) error {
	first := int(g.OpeningPlies)
	split, err := p.split(g.GameRow)
	if err != nil {
		return err
	}
	if p.Positions.Openings {
		first = 0
	}
	decisions := g.Decisions
	err = Retrace(p.ref, g.GameRow, func(s play.Step) error {
		var d *datasets.MoveRow
		if len(decisions) > 0 && int(decisions[0].Ply) == s.Ply {
			d, decisions = &decisions[0], decisions[1:]
		}
		if d != nil && p.same && d.Key != p.ref.Key() {
			return fmt.Errorf("ply %d: the table of moves is of another position: its key is %d, here %d", s.Ply, d.Key, p.ref.Key())
		}
		if s.Ply < first || (s.Ply-first)%p.Every != 0 || p.met(p.ref.Key()) {
			return nil
		}
		row := p.row(g.GameRow, s, split)
		if d != nil {
			row.Score, row.Nodes, row.Mate = &d.Score, &d.Nodes, &d.Mate
		}
		if p.count != nil {
			p.count(split)
		}
		if !take(row) {
			return errEnough
		}
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		return errEnough
	case err != nil:
		return fmt.Errorf("%s: %w", p.log.Dir, err)
	}
	return nil
}

// met reports whether a position was met before, with Dedup.
func (p *positions) met(key uint64) bool {
	if p.seen == nil {
		return false
	}
	_, met := p.seen[key]
	p.seen[key] = struct{}{}
	return met
}

// split decides about a game by the position after its opening.
func (p *positions) split(g datasets.GameRow) (string, error) {
	text := ""
	err := Retrace(p.ref, g, func(s play.Step) error {
		if !s.Opening {
			text = p.ref.String()
			return errEnough
		}
		return nil
	})
	if err == nil { // all of it is opening
		text = p.ref.String()
	}
	if err != nil && !errors.Is(err, errEnough) {
		return "", fmt.Errorf("%s: %w", p.log.Dir, err)
	}
	return splitOf(p.log.Meta.Game, text), nil
}

// row describes the position on the referee's board, before a step.
func (p *positions) row(g datasets.GameRow, s play.Step, split string) datasets.PositionRow {
	side := p.ref.Turn()
	row := datasets.PositionRow{
		Seed: p.log.Meta.Seed, Trial: g.Trial, Phase: g.Phase, Pair: g.Pair, Game: g.Game, Ply: int32(s.Ply),
		Split: split, Position: p.ref.String(), Key: p.ref.Key(), Side: int32(side),
		Player: datasets.PlayerB, Move: s.Text, Penalty: s.Penalty,
		Outcome: g.AScore, PliesLeft: g.Plies - int32(s.Ply), Reason: g.Reason,
	}
	if int32(side) == g.Game {
		row.Player = datasets.PlayerA
	} else {
		row.Outcome = 1 - g.AScore
	}
	if s.Opening {
		row.Player = datasets.PlayerOpening
	}
	return row
}
