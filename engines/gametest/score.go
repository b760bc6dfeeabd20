package gametest

import (
	"errors"
	"fmt"
	"slices"

	"selfplaylab/engines"
)

// Numbers by which scores are compared with results.
const (
	scoreGames = 20
	scoreFrom  = 0.5 // part of the game from which scores count; chance decides before
	scoreSpots = 6   // positions of a game
	minRanked  = 0.6 // least share of correctly ranked pairs of positions; correct scores reach 0.67 to 0.81, depending on the game
)

// scores checks the sign of scores: more often than not, a position whose side to move wins has
// a higher score than one whose side loses.
func (s *subject) scores() (err error) {
	var won, lost []float64
	defer func() { err = errors.Join(err, s.unit(won, lost)) }()
	for number := range uint64(scoreGames) {
		w, l, err := s.scored(number)
		if err != nil {
			return err
		}
		won, lost = append(won, w...), append(lost, l...)
	}
	if len(won)*len(lost) == 0 {
		return nil // every game was drawn, or its end was seen early
	}
	if share := ranked(won, lost); share < minRanked {
		return fmt.Errorf("of %d positions about to be won and %d about to be lost, the won one has the higher score in %.1f %% of pairs; "+
			"want %v %% at least: look for a sign turned around",
			len(won), len(lost), 100*share, 100*minRanked)
	}
	return nil
}

// unit checks that scores have the unit that the game declares: chances lie between 0 and 1,
// and scores of other units do not all.
func (s *subject) unit(won, lost []float64) error {
	all := append(slices.Clone(won), lost...)
	chances := !slices.ContainsFunc(all, func(x float64) bool { return x < 0 || x > 1 })
	zero := !slices.ContainsFunc(all, func(x float64) bool { return x != 0 })
	switch declared := s.game.Unit == engines.UnitChance; {
	case declared && !chances:
		return fmt.Errorf("its Unit is %q, but its scores are not between 0 and 1: from %v to %v", s.game.Unit, slices.Min(all), slices.Max(all))
	case !declared && chances && !zero:
		return fmt.Errorf("its Unit is %q, but all %d scores lie between 0 and 1, for either side: want engines.UnitChance, or a sign",
			s.game.Unit,
			len(all))
	}
	return nil
}

// scored returns the scores of positions in the second half of a game, by whether the side to
// move won it. It leaves out scores of proven ends.
func (s *subject) scored(number uint64) (won, lost []float64, err error) {
	l, err := s.ownGame(number)
	if err != nil || l.outcome == engines.Draw {
		return nil, nil, err
	}
	p, err := s.player(s.vector(), l.start, number)
	if err != nil {
		return nil, nil, err
	}
	from := l.opening + int(scoreFrom*float64(len(l.moves)-l.opening))
	stride := (len(l.moves)-from)/scoreSpots | 1 // odd, so that the sides alternate
	for ply := from; ply < len(l.moves); ply += stride {
		ref, err := s.at(l.start, l.moves[:ply])
		if err != nil {
			return nil, nil, err
		}
		d, err := s.ask(p, ref, l.moves[:ply:ply], s.game.Limits)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case d.Mate != 0:
		case l.outcome == engines.Win(ref.Turn()):
			won = append(won, d.Score)
		default:
			lost = append(lost, d.Score)
		}
	}
	return won, lost, nil
}

// ranked returns the share of pairs in which the value from high is larger; ties count half.
func ranked(high, low []float64) float64 {
	n := 0.0
	for _, h := range high {
		for _, l := range low {
			switch {
			case h > l:
				n++
			case h == l:
				n += 0.5
			}
		}
	}
	return n / float64(len(high)*len(low))
}
