package gametest

import "fmt"

// looks lists the numbers of pairs after which a high enough score shows that the default
// preset is better than the weak one. Play stops there. Two players of equal strength pass a
// look about once in a thousand times: 12 of 12 games 0.02 %, 20 of 24 0.08 %, 65 of 100 0.2 %.
var looks = []struct {
	pairs int
	score float64 // share of the points
}{{6, 1}, {12, 20.0 / 24}, {50, 0.65}}

// order checks that the default preset beats the weak preset under the game's own limits.
// Together with scores it finds faults that break no other promise: an evaluator with a wrong
// sign, or parameters in a wrong order.
func (s *subject) order() error {
	bad, err := s.game.Preset(s.game.WeakPreset)
	if err != nil {
		return nil // there is no weak preset, or the promise "presets" reports it
	}
	if err := s.playable(); err != nil {
		return err
	}
	score := 0.0
	for _, look := range looks {
		games, err := s.pairs(s.vector(), bad.Vector.Clone(), look.pairs, 1, s.game.Limits)
		if err != nil {
			return err
		}
		points := 0.0
		for _, g := range games {
			points += g.AScore
		}
		if score = points / float64(len(games)); score >= look.score {
			return nil
		}
	}
	last := looks[len(looks)-1]
	return fmt.Errorf("preset %s scores %.1f %% in %d games against %s; want %v %% at least: look for a sign turned around",
		s.game.DefaultPreset, 100*score, 2*last.pairs, s.game.WeakPreset, 100*last.score)
}
