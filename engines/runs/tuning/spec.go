// Package tuning is the tuning of a player: a list of phases that test its parameters,
// tune them, verify the result on new openings and rate it. A new tuner is a folder in
// params, a file here and a line in methods.go.
package tuning

import (
	"slices"

	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/tuning/analysis"
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

// Spec is the [spec] table of a tuning's run.toml.
type Spec struct {
	Method   string         `toml:"method"`
	Start    player.Config  `toml:"start"`    // who is tuned: the values are where it starts
	Active   []string       `toml:"active"`   // names of the parameters tuned
	Pairs    int            `toml:"pairs"`    // game pairs of an iteration, or of a point of a grid
	Settings map[string]any `toml:"settings"` // of the method
	// Stops are budgets, in games as the method counts them, after which the tuned
	// values are verified and rated, too, before the tuning goes on: increasing, and
	// all below the method's own.
	Stops   []int           `toml:"stops,omitempty"`
	Against *player.Config  `toml:"against"`          // the opponent; nil for none
	Others  []player.Config `toml:"others,omitempty"` // more opponents: with the first a pool
	// Seeds is the number of independent tunings, 0 for one; SelectPairs are those of
	// each pairing of the match among their results.
	Seeds       int      `toml:"seeds,omitempty"`
	SelectPairs int      `toml:"select_pairs,omitempty"`
	Program     *Program `toml:"program,omitempty"` // an external engine that is tuned; nil for the game's own player
	// Objective stands in the place of the game; nil for one of the catalogue.
	Objective *Objective `toml:"objective"`

	ScreenPairs int `toml:"screen_pairs"` // of each parameter; 0 for none
	// Verification: tuned against start on fresh openings, at least VerifyMin
	// pairs, then until the interval excludes an even score, at most VerifyPairs;
	// 0 for none. A test decides in place of the interval and VerifyMin.
	VerifyPairs  int       `toml:"verify_pairs"`
	VerifyMin    int       `toml:"verify_min"`
	VerifyGain   float64   `toml:"verify_gain,omitempty"` // give up once so much is out of reach; 0 for never
	VerifySPRT   runs.Test `toml:"verify_sprt"`
	AgainstPairs int       `toml:"against_pairs"` // of start and of tuned against the opponent
	RatePairs    int       `toml:"rate_pairs"`    // of each pairing of the rating; 0 for none
	// Of an objective by value: pairs of each step of a parameter from the tuned values,
	// and of the best vector seen, measured again; 0 for none, as in older runs.
	EffectPairs int `toml:"effect_pairs,omitempty"`
	BestPairs   int `toml:"best_pairs,omitempty"`
	// Pool are more players of the rating, in addition to the presets.
	Pool []player.Config `toml:"pool,omitempty"`
	MarginTarget
	runs.Terms

	methods func() []Method
	method  Method
	task    *analysis.Task
}

// players are all that play, but for the presets of the rating.
func (s *Spec) players() []player.Config {
	return slices.Concat([]player.Config{s.Start}, s.opponents(), s.Pool)
}

// named is the player that is tuned with other values, under a name.
func (s *Spec) named(name string, values params.Vector) player.Config {
	e := s.Start.With(values)
	e.Name = name
	return e
}

// tuned is the player with tuned values.
func (s *Spec) tuned(values params.Vector) player.Config { return s.named("tuned", values) }

// start is the player as it was, under the name that tables have for it.
func (s *Spec) start() player.Config {
	e := s.Start
	e.Name = "start"
	return e
}

// tuneGames is the number of games of the tuner's trials, of each of several tunings.
func (s *Spec) tuneGames() int64 {
	n := 2 * int64(s.method.Pairs(s.task))
	if s.Against != nil {
		n *= 2 // A and B each play the opponent
	}
	return n
}

// allTuneGames is tuneGames of all tunings.
func (s *Spec) allTuneGames() int64 { return s.tuneGames() * int64(s.tunings()) }

// tunings is how many there are.
func (s *Spec) tunings() int { return max(1, s.Seeds) }

// stages is how often the tuned values are verified.
func (s *Spec) stages() int { return len(s.Stops) + 1 }

// until is the budget of the tuner at the end of a stage, in games as its method
// counts them.
func (s *Spec) until(stage int) int {
	if stage < len(s.Stops) {
		return s.Stops[stage]
	}
	return 2 * s.method.Pairs(s.task)
}

// tunedBy is the number of games of the tuner's trials by the end of a stage.
func (s *Spec) tunedBy(stage int) int64 {
	n := int64(s.until(stage))
	if s.Against != nil {
		n *= 2
	}
	return n
}
