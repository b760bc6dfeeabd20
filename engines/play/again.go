package play

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/reports/board"
)

// Ply is one move of a replayed game. Replay passes it to show.
type Ply struct {
	Number   int              // from 1
	Side     engines.Side     // that moved
	ByA      bool             // A moved, otherwise B
	Opening  bool             // the opening gave the move
	Move     string           // as recorded
	Decision engines.Decision // of the player in this replay; zero for moves of the opening
	Illegal  bool             // the player's own move was illegal, and the penalty chose Move
	Position string           // text of the position after the move
	Board    board.Board      // drawing of the position after the move
}

// Divergence is the first difference between a replayed game and its record. It is an error.
type Divergence struct {
	Ply            int    // counts from 1; 0 if all moves agree but something else differs
	What           string // "move", "end", "illegal actions" or "work"
	Recorded, Here string // values of What in the record and in the replay
}

// Error returns the ply and both values.
func (d *Divergence) Error() string {
	if d.Ply == 0 {
		return fmt.Sprintf("diverges: recorded %s %s, here %s", d.What, d.Recorded, d.Here)
	}
	return fmt.Sprintf("diverges at ply %d: recorded %s %s, here %s", d.Ply, d.What, d.Recorded, d.Here)
}

const work = "work"

// errDiverged ends a game at the first different move.
var errDiverged = errors.New("diverged")

// Replay plays a finished game of a job's pair again, with its players, limits and seeds. It
// calls show with every ply that agrees with the record. pair is the pair's number in its
// trial, number the game's in its pair. The error is a *Divergence if the players differ from
// the record, else ctx's or an error in the record.
func (w *Worker) Replay(ctx context.Context, j Job, pair, number int, game Game, show func(Ply)) (err error) {
	defer engines.CatchReferee(&err)
	defer context.AfterFunc(ctx, w.end)()
	if number < 0 || number > 1 {
		return fmt.Errorf("game %d of a pair: want 0 or 1", number)
	}
	a := again{
		recorded: strings.Fields(game.Moves), game: game, number: number, show: show, shown: w.variant.NewReferee(),
		repeatable: j.Repeatable(),
	}
	open, err := a.opening()
	if err != nil {
		return fmt.Errorf("the record: %w", err)
	}
	t := table{ref: w.ref, adjudication: w.setup.Adjudication, stall: w.setup.Stall, margin: w.setup.Margin, watch: a.watch}
	seed := PairSeed(w.setup.Seed, j.Stream, j.Openings, pair)
	for side := range t.seats {
		index := side ^ number
		if err := w.sit(index, j.Seats[index]); err != nil {
			return err
		}
		t.seats[side] = w.seats[index].seat(sideSeed(seed, side), false)
	}
	r, err := t.play(ctx, open, nil, nil)
	switch {
	case a.diverged != nil:
		return a.diverged
	case err != nil:
		return err
	}
	return a.end(&r)
}

// again compares a game with its record.
type again struct {
	game       Game
	number     int // number of the game in its pair
	repeatable bool
	recorded   []string
	show       func(Ply)
	shown      engines.Referee // the position after the moves shown
	plies      int
	diverged   *Divergence
}

// opening reads the recorded opening and shows its plies.
func (a *again) opening() (engines.Opening, error) {
	open := engines.Opening{Position: a.game.Position}
	if err := a.shown.Reset(open.Position); err != nil {
		return open, err
	}
	if n := a.game.Opening; n < 0 || n > len(a.recorded) {
		return open, fmt.Errorf("an opening of %d plies in a game of %d", n, len(a.recorded))
	}
	for _, text := range a.recorded[:a.game.Opening] {
		side := a.shown.Turn()
		m, err := engines.PlayText(a.shown, text)
		if err != nil {
			return open, err
		}
		open.Moves = append(open.Moves, m)
		a.tell(Ply{Side: side, Opening: true})
	}
	return open, nil
}

// watch compares a decision with the recorded one.
func (a *again) watch(side engines.Side, d engines.Decision, m engines.Move) error {
	legal := a.shown.Legal(d.Move)
	here := "no move"
	if m != 0 {
		here = a.shown.MoveString(m)
	}
	if recorded := a.next(); m != 0 && here != recorded {
		a.diverged = &Divergence{Ply: a.plies + 1, What: "move", Recorded: recorded, Here: here}
		return errDiverged
	}
	switch {
	case m == 0: // the illegal answer ended the game, and no move was recorded
		return nil
	case legal:
		a.shown.Play(m)
	default:
		a.shown.Penalty()
	}
	a.tell(Ply{Side: side, Decision: d, Illegal: !legal})
	return nil
}

// next returns the next recorded move.
func (a *again) next() string {
	if a.plies < len(a.recorded) {
		return a.recorded[a.plies]
	}
	return "the end (" + string(a.game.Reason) + ")"
}

// tell calls show with the ply just played.
func (a *again) tell(p Ply) {
	p.Number, p.Move = a.plies+1, a.recorded[a.plies]
	p.ByA = int(p.Side) == a.number
	p.Position, p.Board = a.shown.String(), a.shown.Board()
	a.plies++
	if a.show != nil {
		a.show(p)
	}
}

// end compares the end of the game with the record.
func (a *again) end(r *record) error {
	g := a.game
	x := engines.Side(a.number)
	here := r.outcome.String() + " by " + string(r.reason)
	if a.plies < len(a.recorded) {
		return &Divergence{Ply: a.plies + 1, What: "move", Recorded: a.next(), Here: "the end, " + here}
	}
	for _, v := range []struct{ what, recorded, here string }{
		{"end", g.Outcome.String() + " by " + string(g.Reason), here},
		{"illegal actions", fmt.Sprint(g.Illegal[0], " and ", g.Illegal[1]), fmt.Sprint(r.illegal[0], " and ", r.illegal[1])},
		{work, fmt.Sprint(g.Nodes[0], " and ", g.Nodes[1]), fmt.Sprint(r.nodes[x], " and ", r.nodes[x.Other()])},
	} {
		if v.what == work && !a.repeatable {
			continue // depends on time
		}
		if v.recorded != v.here {
			return &Divergence{What: v.what, Recorded: v.recorded, Here: v.here}
		}
	}
	return nil
}

// Step is a move of a recorded game.
type Step struct {
	Ply     int          // counts from 0
	Move    engines.Move // in the referee's numbering
	Text    string       // the move as recorded
	Opening bool         // the opening gave the move
	Penalty bool         // the player's own answer was illegal, and the penalty chose Move
}

// Retrace plays the moves of a finished game on a referee, without its players, and calls visit
// with each move before it is played. It returns visit's first error, or an error for an
// illegal move or an end other than the recorded one. The referee is at the end of the game
// afterwards.
func Retrace(ref engines.Referee, g Game, visit func(Step) error) (err error) {
	defer engines.CatchReferee(&err)
	if err := ref.Reset(g.Position); err != nil {
		return err
	}
	s := Step{}
	for text := range strings.FieldsSeq(g.Moves) {
		m, err := ref.ParseMove(text)
		if err != nil {
			return fmt.Errorf("ply %d: %w", s.Ply, err)
		}
		s.Move, s.Text = m, text
		s.Opening, s.Penalty = s.Ply < g.Opening, !ref.Legal(m)
		if s.Penalty && (s.Opening || g.Illegal[0]+g.Illegal[1] == 0) {
			return fmt.Errorf("ply %d: %s is not legal in %s", s.Ply, text, ref)
		}
		if err := visit(s); err != nil {
			return err
		}
		if !s.Penalty {
			ref.Play(m)
		} else if left := ref.Penalty(); left != m {
			return fmt.Errorf("ply %d: %s is not legal, nor what a penalty leaves", s.Ply, text)
		}
		s.Ply++
	}
	return checkEnd(ref, g, s.Ply)
}

// checkEnd compares the end of a retraced game with its record. After a fault, adjudication or
// resignation the game would continue by the rules. After penalties for illegal answers nothing
// is checked, because a forced pass may hide the end.
func checkEnd(ref engines.Referee, g Game, plies int) error {
	if g.Illegal[0]+g.Illegal[1] > 0 {
		return nil
	}
	const on = "goes on"
	here, want := on, fmt.Sprintf("has ended %s by %s", g.Outcome, g.Reason)
	switch {
	case g.Reason.Fault(), g.Reason == engines.Adjudicated, g.Reason == engines.Resigned, g.Reason == engines.Agreed:
		want = on
	}
	if outcome, reason := ref.Result(); outcome != engines.Ongoing {
		here = fmt.Sprintf("has ended %s by %s", outcome, reason)
	}
	if here != want {
		return fmt.Errorf("after its %d plies the game %s by these rules; recorded is %s by %s", plies, here, g.Outcome, g.Reason)
	}
	return nil
}
