// Package play plays pairs of games with colours swapped as a pure function of plain data. A
// Job names the players and seeds, a Pair holds the result. Both survive JSON, so any process
// of the same build can play any job. The package judges no strength, stores no record and
// knows no schedule.
package play

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/player"
)

// Setup holds the settings that all games of a run share.
type Setup struct {
	Game    string `json:"game"`        // name of the game
	Version int    `json:"version"`     // version of the game's rules and players
	Rules   string `json:"rules"`       // canonical text of the rules
	Seed    uint64 `json:"seed,string"` // root of all randomness of the run

	OpeningPlies int               `json:"opening_plies"`  // plies of drawn openings; unused with a book
	Book         []engines.Opening `json:"book,omitempty"` // nil to draw openings
	// BookRepeats starts the book again after its last opening; otherwise a job beyond it is an
	// error.
	BookRepeats bool `json:"book_repeats,omitempty"`

	Adjudication Adjudication `json:"adjudication"` // the zero value ends no game early
	// Stall is the time after which a player without an answer forfeits. 0 means a wide margin
	// above its time limit, or no bound for a player without a time limit.
	Stall time.Duration `json:"stall"`
	// Margin is the allowed time overrun of a decision, unless the player's limits set it.
	// engines.NoMargin allows none; 0 means the margin of the engine file, or
	// engines.DefaultMargin.
	Margin time.Duration `json:"margin,omitempty"`

	Notes bool `json:"notes"`          // pairs contain a Note of every decision; games are unchanged
	Times bool `json:"times"`          // notes contain times
	Logs  bool `json:"logs,omitempty"` // all games contain a Log; games are unchanged
}

// Job requests some pairs of one trial: A, the first seat, plays B, the second, with both
// colours.
type Job struct {
	Trial    int64            `json:"trial"`           // number of the trial in its run; games do not depend on it
	Seats    [2]player.Config `json:"seats"`           // players A and B
	Stream   uint64           `json:"stream,string"`   // of openings and seeds, see Stream
	Openings uint64           `json:"openings,string"` // as params.Trial.Openings
	// Book is the index in the book of the opening of the trial's pair 0; the next pairs take
	// the next openings. Drawn lets each pair's seed choose.
	Book int `json:"book"`
	From int `json:"from"` // first pair of the trial to play
	To   int `json:"to"`   // pair before which to stop
	// Given holds the openings of these pairs for workers without the book; see Give.
	Given []engines.Opening `json:"given,omitempty"`
}

// Repeatable reports whether both players choose the same moves again, so that the games of the
// job repeat.
func (j *Job) Repeatable() bool { return j.Seats[0].Repeatable() && j.Seats[1].Repeatable() }

// Give stores the openings of a job's pairs in the job, so that a worker without the book can
// play it. It does nothing for a setup without a book.
func (s *Setup) Give(j *Job) error {
	if s.Book == nil {
		return nil
	}
	given := make([]engines.Opening, 0, j.To-j.From)
	for n := j.From; n < j.To; n++ {
		open, err := s.opening(engines.Variant{}, j, n, PairSeed(s.Seed, j.Stream, j.Openings, n))
		if err != nil {
			return err
		}
		given = append(given, open)
	}
	j.Given = given
	return nil
}

// Drawn is the value of Job.Book that lets every pair's seed draw an opening of the book.
const Drawn = -1

// Pair is two games from one opening: A plays first in one, second in the other.
type Pair struct {
	Number int     `json:"number"` // counts from 0 in the trial
	Games  [2]Game `json:"games"`  // A plays first in game 0
	// Compared and Differs compare the players. Until the games differ, both face the same
	// positions with the same seeds. Compared counts the decisions that both made in the same
	// position; Differs is set if the last of them differed.
	Compared int64 `json:"compared"`
	Differs  bool  `json:"differs"`
}

// Half returns A's half points in each game: 0, 1 or 2.
func (p *Pair) Half() [2]int {
	return [2]int{p.Games[0].Outcome.Points(engines.First), p.Games[1].Outcome.Points(engines.Second)}
}

// Faulted returns the number of games that A and B lost by their own fault.
func (p *Pair) Faulted() (n [2]int) {
	for i := range p.Games {
		if loser, ok := p.Games[i].Faulted(i); ok {
			n[loser]++
		}
	}
	return n
}

// Game is one finished game. Arrays of Illegal are by side, of Nodes by player.
type Game struct {
	Position string          `json:"position"`         // initial position, as text; "" is the game's own
	Opening  int             `json:"opening"`          // number of Moves that the opening gave
	Moves    string          `json:"moves"`            // in the game's notation, separated by one space
	Plies    int             `json:"plies"`            // number of Moves
	Outcome  engines.Outcome `json:"outcome"`          // by the side that won
	Reason   engines.Reason  `json:"reason"`           // why the game ended
	Illegal  [2]int          `json:"illegal"`          // illegal actions, by side
	Nodes    [2]int64        `json:"nodes"`            // units of work of A and B
	Chosen   int64           `json:"chosen"`           // number of moves chosen by a player
	Margin   *float64        `json:"margin,omitempty"` // winning margin of the first side; nil if the game has none
	Detail   string          `json:"detail"`           // the fault in words, for people; "" if there was none
	Notes    []Note          `json:"notes,omitempty"`  // one a decision, if Setup.Notes
	// Log has the lines exchanged with the players' programs, with their times: of games lost by
	// a fault, and of all if Setup.Logs.
	Log string `json:"log,omitempty"`
}

// Faulted returns the player that lost the game by its own fault: 0 for A, 1 for B. ok is false
// if nobody did. number is the game's number in its pair: 0 if A plays first.
func (g *Game) Faulted(number int) (loser int, ok bool) {
	if !g.Reason.Fault() {
		return 0, false
	}
	if g.Outcome == engines.Win(engines.Side(number)) {
		return 1, true
	}
	return 0, true
}

// Note is the record of a decision, as in datasets.MoveRow.
type Note struct {
	Ply     int           `json:"ply"`        // counts from 0, moves of the opening included
	Side    engines.Side  `json:"side"`       // that decided
	Key     uint64        `json:"key,string"` // key of the position before the move
	Score   Score         `json:"score"`      // in the player's own unit, for the player
	Nodes   int64         `json:"nodes"`      // units of work
	Depth   int           `json:"depth"`      // plies searched; 0 if unknown
	Mate    int           `json:"mate"`       // plies to a proven end, negative if lost; 0 for none
	Elapsed time.Duration `json:"elapsed"`    // 0 unless Setup.Times
}

// Score is a score that may be infinite or NaN, which numbers in JSON may not.
type Score float64

// MarshalJSON returns a number, or a text for infinity and NaN.
func (s Score) MarshalJSON() ([]byte, error) {
	x := float64(s)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return json.Marshal(strconv.FormatFloat(x, 'g', -1, 64))
	}
	return json.Marshal(x)
}

// UnmarshalJSON reads the texts of MarshalJSON.
func (s *Score) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return json.Unmarshal(data, (*float64)(s))
	}
	x, err := strconv.ParseFloat(text, 64)
	*s = Score(x)
	return err
}

// Stream returns the stream of openings and seeds for a name, such as the phase of a run.
// Different names have different streams, up to collisions of a 64-bit hash.
func Stream(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// PairSeed returns the seed of all randomness of one pair. It must never change, because
// recorded runs depend on it.
func PairSeed(run, stream, openings uint64, pair int) uint64 {
	return engines.Seed(run, stream, openings, uint64(pair))
}

// sideSeed returns the seed of the player on a side. It depends on the side and not on the
// player, so that a pair of equal players is even.
func sideSeed(pair uint64, side int) uint64 { return engines.Seed(pair, 1+uint64(side)) }

// draw returns the random generator for draws before the first move.
func draw(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, engines.Seed(seed, 0))) }

// opening returns the opening of the pair with the given seed.
func (s *Setup) opening(v engines.Variant, j *Job, pair int, seed uint64) (engines.Opening, error) {
	switch i := pair - j.From; {
	case i < len(j.Given):
		return j.Given[i], nil
	case s.Book == nil:
		return v.Opening(draw(seed), s.OpeningPlies), nil
	case j.Book == Drawn:
		return s.Book[draw(seed).IntN(len(s.Book))], nil
	case s.BookRepeats:
		return s.Book[(j.Book+pair)%len(s.Book)], nil
	case j.Book+pair >= len(s.Book):
		return engines.Opening{}, fmt.Errorf("pair %d of trial %d wants opening %d of a book of %d", pair, j.Trial, j.Book+pair+1, len(s.Book))
	}
	return s.Book[j.Book+pair], nil
}
