package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/catalog"
	"selfplaylab/engines/match"
)

// Splits of positions, by opening.
const (
	trainSplit = "train"
	validSplit = "valid"
	testSplit  = "test"
)

// splitOf decides by a position after an opening: 80, 10 and 10 % of openings. It
// depends on the game and the position's text alone and will not change.
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

// exportPositions writes the positions of the games that the flags choose, and
// returns how many.
func (f *exportFlags) exportPositions(ctx context.Context, log *datasets.Log, out, stderr io.Writer) (int64, error) {
	v, err := rulesOf(log, stderr)
	if err != nil {
		return 0, err
	}
	splits := map[string]int64{}
	p := positions{flags: f, log: log, ref: v.NewReferee(), same: v.Game.Version == log.Meta.GameVersion, splits: splits}
	if f.dedup {
		p.seen = map[uint64]struct{}{}
	}
	n, err := exportRows(ctx, log, out, f.format, p.rows())
	if err != nil || n == 0 {
		return n, err
	}
	fmt.Fprintf(stderr, "%d positions: %d train, %d valid, %d test\n", n, splits[trainSplit], splits[validSplit], splits[testSplit])
	if len(splits) < 3 {
		fmt.Fprintln(stderr, "warning: too few openings for a part of every split; play more pairs, or openings of more plies")
	}
	return n, nil
}

// rulesOf opens the game of a run for its rules: another version of the player
// does not matter, and every move is checked.
func rulesOf(log *datasets.Log, stderr io.Writer) (engines.Variant, error) {
	m := log.Meta
	game, err := catalog.Find(m.Game)
	if err != nil {
		return engines.Variant{}, fmt.Errorf("%s: %w", log.Dir, err)
	}
	rules, err := engines.ParseRules(m.Rules)
	if err != nil {
		return engines.Variant{}, fmt.Errorf("%s: %w", log.Dir, err)
	}
	v, err := game.Open(rules)
	if err != nil {
		return v, fmt.Errorf("%s: %w", log.Dir, err)
	}
	if m.GameVersion != game.Version {
		fmt.Fprintf(stderr, "warning: the run was made with version %d of %s, this is version %d; every move and end is checked by its rules\n", m.GameVersion, game.Name, game.Version)
	}
	return v, nil
}

// positions makes rows of recorded games.
type positions struct {
	flags  *exportFlags
	log    *datasets.Log
	ref    engines.Referee
	same   bool                // this program has the run's version of the game
	seen   map[uint64]struct{} // keys, with --dedup
	splits map[string]int64    // rows of each
}

// errEnough ends the replay of a game whose reader wants no more.
var errEnough = errors.New("enough")

// rows iterates over the positions of the run's games.
func (p *positions) rows() iter.Seq2[datasets.PositionRow, error] {
	return func(yield func(datasets.PositionRow, error) bool) {
		for g, err := range p.log.Played(p.flags.filter) {
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
	if p.flags.openings {
		first = 0
	}
	decisions := g.Decisions
	err = match.Retrace(p.ref, g.GameRow, func(s match.Step) error {
		var d *datasets.MoveRow
		if len(decisions) > 0 && int(decisions[0].Ply) == s.Ply {
			d, decisions = &decisions[0], decisions[1:]
		}
		if d != nil && p.same && d.Key != p.ref.Key() {
			return fmt.Errorf("ply %d: the table of moves is of another position: its key is %d, here %d", s.Ply, d.Key, p.ref.Key())
		}
		if s.Ply < first || (s.Ply-first)%p.flags.every != 0 || p.met(p.ref.Key()) {
			return nil
		}
		row := p.row(g.GameRow, s, split)
		if d != nil {
			row.Score, row.Nodes = &d.Score, &d.Nodes
		}
		p.splits[split]++
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

// met reports whether a position was met before, with --dedup.
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
	err := match.Retrace(p.ref, g, func(s match.Step) error {
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
func (p *positions) row(g datasets.GameRow, s match.Step, split string) datasets.PositionRow {
	side := p.ref.Turn()
	row := datasets.PositionRow{
		Seed: p.log.Meta.Seed, Trial: g.Trial, Phase: g.Phase, Pair: g.Pair, Game: g.Game, Ply: int32(s.Ply),
		Split: split, Position: p.ref.String(), Key: p.ref.Key(), Side: int32(side),
		Player: datasets.PlayerThan, Move: s.Text, Penalty: s.Penalty,
		Outcome: g.XScore, PliesLeft: g.Plies - int32(s.Ply), Reason: g.Reason,
	}
	if int32(side) == g.Game {
		row.Player = datasets.PlayerX
	} else {
		row.Outcome = 1 - g.XScore
	}
	if s.Opening {
		row.Player = datasets.PlayerOpening
	}
	return row
}
