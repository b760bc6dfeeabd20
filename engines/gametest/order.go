package gametest

import "fmt"

// How the default preset is compared with the bad one: in orderPairs pairs one of two
// players of equal strength scores minScore about once in a thousand times, and no more
// often clearScore in the first pairs (20 of 24 games: 0.08 %), after which no more are played.
const (
	orderPairs = 50
	minScore   = 0.65 // of the points

	firstPairs = 12
	clearScore = 0.8 // of the first pairs
)

// order: the default preset beats the one that tuners should recover from, under
// the game's own limits. (With scores, it finds what breaks no other promise: a
// player whose evaluator has a sign turned around, or that reads its parameters
// in a wrong order, plays legally, repeats itself, and loses.)
func (s *subject) order() error {
	bad, err := s.game.Preset(s.game.WeakPreset)
	if err != nil {
		return nil // there is none, or the promise "presets" says so
	}
	if err := s.playable(); err != nil {
		return err
	}
	score := 0.0
	for _, pairs := range []int{firstPairs, orderPairs} {
		games, err := s.pairs(s.vector(), bad.Vector.Clone(), pairs, 1, s.game.Limits)
		if err != nil {
			return err
		}
		points := 0.0
		for _, g := range games {
			points += g.AScore
		}
		if score = points / float64(len(games)); score >= clearScore {
			return nil
		}
	}
	if score < minScore {
		return fmt.Errorf("preset %s scores %.1f %% in %d games against %s; want %v %% at least: look for a sign turned around",
			s.game.DefaultPreset, 100*score, 2*orderPairs, s.game.WeakPreset, 100*minScore)
	}
	return nil
}
