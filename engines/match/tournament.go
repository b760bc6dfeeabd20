package match

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/params"
)

// Entrant is a player of a tournament with its own budget.
type Entrant struct {
	Name   string
	Vector params.Vector
	Limits engines.Limits
}

// Pairing is two entrants by their index. X is the one whose points are
// recorded; both play both colours.
type Pairing struct{ X, Than int }

// RoundRobin pairs every entrant of n with every other, once.
func RoundRobin(n int) []Pairing { return Neighbours(n, n) }

// Gauntlet pairs entrant who with each of the others.
func Gauntlet(n, who int) []Pairing {
	var list []Pairing
	for i := range n {
		if i != who {
			list = append(list, Pairing{who, i})
		}
	}
	return list
}

// Neighbours pairs every entrant with the next reach entrants of the list: what
// rates a list from weak to strong at the least cost.
func Neighbours(n, reach int) []Pairing {
	var list []Pairing
	for i := range n {
		for j := i + 1; j < n && j <= i+reach; j++ {
			list = append(list, Pairing{i, j})
		}
	}
	return list
}

// Tournament is a schedule of pairings, played in rounds: each round plays a
// few pairs of every pairing, so that one that is cut short is whole if coarse.
// Every round of a pairing is one trial, in the phase named after both players;
// its openings are those of the round's number.
type Tournament struct {
	Entrants []Entrant
	Pairings []Pairing
	Pairs    int // of each pairing; at least 1
	Round    int // pairs of each pairing in one round; at least 1
}

// Check reports the first thing wrong with a tournament.
func (t *Tournament) Check() error {
	if len(t.Entrants) < 2 {
		return fmt.Errorf("a tournament of %d: want at least 2 players", len(t.Entrants))
	}
	seen := map[string]bool{}
	for i, e := range t.Entrants {
		switch {
		case strings.TrimSpace(e.Name) == "":
			return fmt.Errorf("player %d has no name", i+1)
		case seen[e.Name]:
			return fmt.Errorf("two players are named %q: give one another name, such as second:%s", e.Name, e.Name)
		}
		seen[e.Name] = true
	}
	for _, p := range t.Pairings {
		if p.X == p.Than || min(p.X, p.Than) < 0 || max(p.X, p.Than) >= len(t.Entrants) {
			return fmt.Errorf("pairing of players %d and %d of %d", p.X+1, p.Than+1, len(t.Entrants))
		}
	}
	switch {
	case len(t.Pairings) == 0:
		return errors.New("a tournament without pairings")
	case t.Pairs < 1:
		return fmt.Errorf("%d pairs of games a pairing: want at least 1", t.Pairs)
	case t.Round < 1:
		return fmt.Errorf("rounds of %d pairs: want at least 1", t.Round)
	}
	return nil
}

// Rounds returns the number of rounds.
func (t *Tournament) Rounds() int { return (t.Pairs + t.Round - 1) / t.Round }

// Games returns the number of games of the whole tournament.
func (t *Tournament) Games() int64 { return 2 * int64(t.Pairs) * int64(len(t.Pairings)) }

// Phase names the phase in which a pairing is played and recorded.
func (t *Tournament) Phase(p Pairing) string {
	return t.Entrants[p.X].Name + " v " + t.Entrants[p.Than].Name
}

// Of returns the pairing that a trial belongs to. Trials are numbered round by
// round, and in a round in the order of Pairings.
func (t *Tournament) Of(trial int64) Pairing {
	return t.Pairings[trial%int64(len(t.Pairings))]
}

// Run plays the tournament as a campaign, which must be new or newly resumed.
// observe, if not nil, is called with each finished or replayed trial in
// schedule order. The campaign's limits are set for every pairing, and its
// FaultLimit is applied to each pairing by itself.
func (t *Tournament) Run(ctx context.Context, c *Campaign, observe func(datasets.TrialRow)) error {
	if err := t.Check(); err != nil {
		return err
	}
	records := make([]faultRecord, len(t.Pairings))
	for round := range t.Rounds() {
		for i, p := range t.Pairings {
			x, than := t.Entrants[p.X], t.Entrants[p.Than]
			src := &roundSource{trial: params.Trial{
				X: x.Vector, Than: than.Vector,
				Pairs: min(t.Round, t.Pairs-round*t.Round), Openings: uint64(round),
			}}
			c.Limits = [2]engines.Limits{x.Limits, than.Limits}
			c.faults, c.games = records[i].faults, records[i].games
			err := c.Run(ctx, t.Phase(p), src, observe)
			records[i] = faultRecord{c.faults, c.games}
			if err != nil {
				return fmt.Errorf("%s, round %d: %w", t.Phase(p), round+1, err)
			}
		}
	}
	return nil
}

// faultRecord is what a FaultLimit judges: in a tournament each pairing by itself.
type faultRecord struct {
	faults [2]int
	games  int
}

// roundSource is a Source of one trial.
type roundSource struct {
	trial       params.Trial
	asked, told bool
}

// Ask implements Source.
func (s *roundSource) Ask() []params.Trial {
	if s.asked {
		return nil
	}
	s.asked = true
	return []params.Trial{s.trial}
}

// Tell implements Source.
func (s *roundSource) Tell(t params.Trial, _ params.Score) error {
	if !s.asked || s.told || t.ID != s.trial.ID {
		return fmt.Errorf("match: score of trial %d out of order", t.ID)
	}
	s.told = true
	return nil
}
