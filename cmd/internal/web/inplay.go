package web

import (
	"context"
	"errors"
	"strings"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
)

// InPlay is a game that is being played or, of a run that others play, the one that
// came in last.
type InPlay struct {
	table.Shown
	Names [2]string  `json:"names"` // by side
	Moves string     `json:"moves"`
	Score play.Score `json:"score"`           // of the last decision, by who made it
	Left  [2]float64 `json:"left"`            // seconds on the clocks; 0 without
	Drawn int        `json:"opened"`          // plies that were given
	Whole string     `json:"whole,omitempty"` // the name of a game that is over
}

// errNothingSeen is told for a moment after somebody began to look.
var errNothingSeen = errors.New("no move was made since you began to look")

// errNotHere is told of a run that is over, or played by another program.
var errNotHere = errors.New("this program is not playing the run")

// errElsewhere is told before the first pair of other machines is in: what they send
// is pairs that are over. Their games while they are played would be messages of
// their own, for every move, to be thrown away where nobody looks.
var errElsewhere = errors.New("the games are played on other machines, and are shown when their pair is in: none is yet")

// wordsOf writes moves as the game does; one that is not legal is what a penalty
// leaves.
func wordsOf(ref engines.Referee, position string, moves []engines.Move) (string, error) {
	if err := ref.Reset(position); err != nil {
		return "", err
	}
	var words []string
	for _, move := range moves {
		words = append(words, ref.MoveString(move))
		if ref.Legal(move) {
			ref.Play(move)
		} else {
			ref.Penalty()
		}
	}
	return strings.Join(words, " "), nil
}

// latestOf is the last game of the last trial that is finished.
func latestOf(l *runs.Live, result runs.Result) (InPlay, bool) {
	f, ok := l.Latest()
	if !ok {
		return InPlay{}, false
	}
	names, _ := seatsOf(result, f.Trial, nil)
	g := f.Games[0]
	if g.Game == 1 {
		names[0], names[1] = names[1], names[0]
	}
	return InPlay{Shown: table.Shown{Position: g.Position}, Names: names, Moves: g.Moves, Drawn: int(g.OpeningPlies), Whole: gameName(g)}, true
}

// inPlay returns the game that one of the workers of a run plays, or else its latest
// game if other machines play it; why says why there is none.
func inPlay(ctx context.Context, l *runs.Live, h *runs.Head, latest InPlay, some bool) (out InPlay, why, err error) {
	if l.Ended() || h.Variant.Game == nil {
		return out, errNotHere, nil
	}
	at, _, playing := l.Progress()
	elsewhere := playing && len(at.Workers) > 0
	switch seen := l.Window.Look(); {
	case len(seen.Moves) > 0:
		out = InPlay{Names: seen.Names, Score: seen.Score, Drawn: seen.Opening}
		out.Position = seen.Position
		for side, left := range seen.Left {
			out.Left[side] = left.Seconds()
		}
		if out.Moves, err = wordsOf(h.Variant.NewReferee(), seen.Position, seen.Moves); err != nil {
			return out, nil, err
		}
	case elsewhere && some:
		out = latest
	case elsewhere:
		return out, errElsewhere, nil
	default:
		return out, errNothingSeen, nil
	}
	shown, err := table.Ask(ctx, table.Question{Op: "show", Game: h.Meta.Game, Rules: h.Meta.Rules, Position: out.Position, Moves: out.Moves})
	if err != nil {
		return out, nil, err
	}
	out.Shown = shown.(table.Shown)
	out.Legal = nil // nobody plays here
	return out, nil, nil
}
