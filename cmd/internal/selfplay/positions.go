package selfplay

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/schedule"
)

// Splits of positions, by opening.
const (
	trainSplit = "train"
	validSplit = "valid"
	testSplit  = "test"
)

// splitOf returns the split of a game by the position after its opening: 80, 10 and 10 % of
// openings. It depends on the game and the position's text alone and will not change.
func splitOf(game, position string) string {
	h := fnv.New64a()
	io.WriteString(h, game+" "+position)
	switch engines.Mix(h.Sum64()) % 10 {
	case 8:
		return validSplit
	case 9:
		return testSplit
	}
	return trainSplit
}

// positions makes rows of the positions of recorded games.
type positions struct {
	filter   datasets.Filter
	openings bool // positions within the opening, too
	every    int  // only every n-th position of a game, from the opening's end on, or from the start with openings; at least 1
	log      *datasets.Log
	ref      engines.Referee
	same     bool                // this program has the run's version of the game
	seen     map[uint64]struct{} // keys of positions so far, to skip repeated ones; nil to keep them
	count    map[string]int64    // rows by split
}

// errEnough ends the replay of a game whose reader wants no more.
var errEnough = errors.New("enough")

// rows replays the games of a run by the rules of its game, and iterates over the positions in
// which a player moved, with what became of them.
func (p *positions) rows() iter.Seq2[datasets.PositionRow, error] {
	return func(yield func(datasets.PositionRow, error) bool) {
		for g, err := range p.log.Played(p.filter) {
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

// game calls take with the positions of one game.
func (p *positions) game(g datasets.Played, take func(datasets.PositionRow) bool) error {
	first := int(g.OpeningPlies)
	split, err := p.split(g.GameRow)
	if err != nil {
		return err
	}
	if p.openings {
		first = 0
	}
	decisions := g.Decisions
	err = schedule.Retrace(p.ref, g.GameRow, func(s play.Step) error {
		var d *datasets.MoveRow
		if len(decisions) > 0 && int(decisions[0].Ply) == s.Ply {
			d, decisions = &decisions[0], decisions[1:]
		}
		if d != nil && p.same && d.Key != p.ref.Key() {
			return fmt.Errorf("ply %d: the table of moves is of another position: its key is %d, here %d", s.Ply, d.Key, p.ref.Key())
		}
		if s.Ply < first || (s.Ply-first)%p.every != 0 || p.met(p.ref.Key()) {
			return nil
		}
		row := p.row(g.GameRow, s, split)
		if d != nil {
			row.Score, row.Nodes, row.Mate = &d.Score, &d.Nodes, &d.Mate
		}
		p.count[split]++
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

// met reports whether a position to be skipped was met before.
func (p *positions) met(key uint64) bool {
	if p.seen == nil {
		return false
	}
	_, met := p.seen[key]
	p.seen[key] = struct{}{}
	return met
}

// split returns the split of a game, by the position after its opening.
func (p *positions) split(g datasets.GameRow) (string, error) {
	text := ""
	err := schedule.Retrace(p.ref, g, func(s play.Step) error {
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
