package schedule

import (
	"errors"
	"fmt"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
	"selfplaylab/params"
)

// Pairing is two players by their index. The points of A are recorded; both play both colours.
type Pairing struct{ A, B int } // indices in Tournament.Players

// RoundRobin returns the pairings of n players in which every player meets every other once.
func RoundRobin(n int) []Pairing { return Neighbours(n, n) }

// Gauntlet returns the pairings of one player with each of the others.
func Gauntlet(n, player int) []Pairing {
	var list []Pairing
	for i := range n {
		if i != player {
			list = append(list, Pairing{player, i})
		}
	}
	return list
}

// Neighbours returns the pairings of every player with the next reach players in the list. It
// rates a list from weak to strong at the lowest cost.
func Neighbours(n, reach int) []Pairing {
	var list []Pairing
	for i := range n {
		for j := i + 1; j < n && j <= i+reach; j++ {
			list = append(list, Pairing{i, j})
		}
	}
	return list
}

// Tournament is a Source of pairings, played in rounds. Each round plays a few pairs of every
// pairing, so that a tournament that is stopped early has the same number of games of every
// pairing. A round of a pairing is one trial, in the phase named after both players, with the
// openings of the round's number. Nothing waits for the end of a round.
type Tournament struct {
	Players  []player.Config // with different names
	Pairings []Pairing       // in the order of play within a round
	Pairs    int             // pairs of each pairing; at least 1
	Round    int             // pairs of each pairing in one round; at least 1
	// InOrder takes the openings of the setup's book one after the other in the rounds of each
	// pairing; otherwise each pair's seed draws one of them.
	InOrder bool
	// Space is the space of the players' values; nil if all are external engines.
	Space params.Space

	queue
	streams []uint64 // streams of openings, by pairing
}

// Check reports the first error in a tournament, nil if there is none.
func (t *Tournament) Check() error {
	if len(t.Players) < 2 {
		return fmt.Errorf("a tournament of %d: want at least 2 players", len(t.Players))
	}
	if err := player.CheckNames(t.Players); err != nil {
		return err
	}
	for _, p := range t.Pairings {
		if p.A == p.B || min(p.A, p.B) < 0 || max(p.A, p.B) >= len(t.Players) {
			return fmt.Errorf("pairing of players %d and %d of %d", p.A+1, p.B+1, len(t.Players))
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

// Rounds returns the number of rounds; the last may be shorter.
func (t *Tournament) Rounds() int { return (t.Pairs + t.Round - 1) / t.Round }

// Games returns the number of games of the whole tournament.
func (t *Tournament) Games() int64 { return 2 * int64(t.Pairs) * int64(len(t.Pairings)) }

// Phase returns the name of the phase in which a pairing is played and recorded.
func (t *Tournament) Phase(p Pairing) string {
	return t.Players[p.A].Name + " v " + t.Players[p.B].Name
}

// Of returns the index of a trial's pairing. Trials are numbered round by round, and within a
// round in the order of Pairings.
func (t *Tournament) Of(trial int64) int { return int(trial % int64(len(t.Pairings))) }

// Trial returns trial n, counted from 0.
func (t *Tournament) Trial(n int) Trial {
	round, i := n/len(t.Pairings), n%len(t.Pairings)
	p := t.Pairings[i]
	if t.streams == nil {
		for _, p := range t.Pairings {
			// Openings and seeds depend on the players' identities, not on their names.
			t.streams = append(t.streams, engines.Seed(t.Players[p.A].Identity(t.Space), t.Players[p.B].Identity(t.Space)))
		}
	}
	trial := Trial{
		Phase: t.Phase(p), Stream: t.streams[i], Seats: [2]player.Config{t.Players[p.A], t.Players[p.B]},
		Pairs: min(t.Round, t.Pairs-round*t.Round), Openings: uint64(round), Book: -1,
	}
	if t.InOrder {
		trial.Book = round * t.Round
	}
	return trial
}

// Ask implements Source.
func (t *Tournament) Ask(inFlight int) []Trial {
	ahead := max(window*chunk/t.Round, ahead(inFlight, t.Round))
	var trials []Trial
	for ; t.begun < t.Rounds()*len(t.Pairings) && t.begun < t.done+ahead; t.begun++ {
		trials = append(trials, t.Trial(t.begun))
	}
	return trials
}
