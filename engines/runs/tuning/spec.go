// Package tuning is the tuning of a player: a list of phases that test its parameters,
// tune them, verify the result on new openings and rate it. A new tuner is a folder in
// params, a file here and a line in methods.go.
package tuning

import (
	"slices"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// Name of the kind, in run.toml and experiment files.
const Name = "tune"

// The default lengths of a verification follow the game's own pairs, which are
// about a second's worth, and the tuning: as long as a third of it.
const (
	minVerified   = 60  // times the game's own pairs
	maxVerified   = 300 // times the game's own pairs
	verifiedShare = 3   // of the tuning's pairs: one in this many
)

// maxAgainst bounds the pairs of start and of tuned against an opponent.
const maxAgainst = 1_000_000

// maxSeeds bounds the tunings of a run: all pairings of their results are played.
const maxSeeds = 20

// players are all that play, but for the presets of the rating.
func (s *Config) players() []player.Config {
	list := slices.Concat([]player.Config{s.Start}, s.Against, s.Pool)
	for _, text := range s.VerifyLimits {
		if l, err := engines.ParseLimits(text); err == nil { // else checkOtherLimits refuses it
			e := s.Start
			e.Limits = l
			list = append(list, e)
		}
	}
	return list
}

// named is the player that is tuned with other values, under a name.
func (s *Config) named(name string, values params.Vector) player.Config {
	e := s.Start.With(values)
	e.Name = name
	return e
}

// tuned is the player with tuned values.
func (s *Config) tuned(values params.Vector) player.Config { return s.named("tuned", values) }

// start is the player as it was, under the name that tables have for it.
func (s *Config) start() player.Config {
	e := s.Start
	e.Name = "start"
	return e
}

// tuneGames is the number of games of the tuner's trials, of each of several tunings.
func (s *Config) tuneGames() int64 {
	n := 2 * int64(s.method.Pairs(s.task))
	if len(s.Against) > 0 {
		n *= 2 // A and B each play the opponent
	}
	return n
}

// allTuneGames is tuneGames of all tunings.
func (s *Config) allTuneGames() int64 { return s.tuneGames() * int64(s.tunings()) }

// tunings is how many there are.
func (s *Config) tunings() int { return max(1, s.Seeds) }

// stages is how often the tuned values are verified.
func (s *Config) stages() int { return len(s.Stops) + 1 }

// until is the budget of the tuner at the end of a stage, in games as its method
// counts them.
func (s *Config) until(stage int) int {
	if stage < len(s.Stops) {
		return s.Stops[stage]
	}
	return 2 * s.method.Pairs(s.task)
}

// tunedBy is the number of games of the tuner's trials by the end of a stage.
func (s *Config) tunedBy(stage int) int64 {
	n := int64(s.until(stage))
	if len(s.Against) > 0 {
		n *= 2
	}
	return n
}
