package tuning

import (
	"fmt"
	"slices"

	"selfplaylab/engines/player"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// ratePrior is the weight, in games, of the belief that players are alike: with it a
// player who won or lost everything has a finite rating.
const ratePrior = 1

// jointRating rates start, tuned values and others by all games between them that the
// tuner did not learn from.
type jointRating struct {
	tuned  *selectPhase
	names  []player.Config    // rated players, once the values are final
	all    *rating.Tournament // nil for none
	others *rating.Tournament // without the games of start and tuned values against each other
}

// players lists who is rated: the start first, then the tuned values, the opponents,
// the pool and the presets, each unless it equals one before it.
func (j *jointRating) players() []player.Config {
	if j.names == nil && j.tuned.settled() {
		j.names = j.tuned.spec.rated(j.tuned.recommend())
	}
	return j.names
}

// rated lists who is rated with these tuned values.
func (c *Config) rated(tuned []float64) []player.Config {
	list := []player.Config{c.start()}
	add := func(name string, e player.Config) {
		if e.Name = name; !slices.ContainsFunc(list, e.Same) {
			list = append(list, e)
		}
	}
	add("tuned", c.Start.With(tuned))
	for _, e := range c.Against {
		add("opponent "+e.Name, e)
	}
	for _, p := range slices.Concat(c.Pool, c.GamePool) {
		add(p.Name, p)
	}
	for _, p := range c.task.Game.StandardPresets() {
		add("preset "+p.Name, c.Start.With(p.Vector))
	}
	return list
}

// addNamed counts games of two of the players. Games of a player that is listed under another name
// are left out.
func (j *jointRating) addNamed(a, b string, f schedule.Finished) {
	index := func(name string) int {
		return slices.IndexFunc(j.players(), func(e player.Config) bool { return e.Name == name })
	}
	if i, k := index(a), index(b); i >= 0 && k >= 0 {
		j.add(i, k, f)
	}
}

// add counts games of two of the players. In all phases but the verification, all of them
// play the same openings.
func (j *jointRating) add(a, b int, f schedule.Finished) {
	if j.all == nil {
		names := text.Each(j.players(), playerName)
		j.all, j.others = rating.NewTournament(names...), rating.NewTournament(names...)
	}
	for i := 0; i+1 < len(f.Games); i += 2 { // A moves first in the first of a pair
		first, second := f.Games[i].Half(), f.Games[i+1].Half()
		if f.Trial.Phase == phaseVerify {
			j.all.AddPair(a, b, first, second)
			continue
		}
		opening := [3]any{f.Trial.Phase, f.Trial.Openings, f.Games[i].Pair}
		j.all.AddShared(opening, a, b, first, second)
		if a+b != 1 { // not start and tuned
			j.others.AddShared(opening, a, b, first, second)
		}
	}
}

// fitRatings rates the players of a tournament, the start at 0.
func fitRatings(t *rating.Tournament) (*rating.Ratings, error) {
	r, err := rating.BradleyTerry{Anchor: "start", Prior: ratePrior}.Fit(t)
	if err != nil {
		return nil, fmt.Errorf("joint ratings: %w", err)
	}
	return r, nil
}
