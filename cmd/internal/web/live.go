package web

import (
	"errors"
	"net/http"
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

// dataLive shows the game that one of the run's workers plays.
func (s *Server) dataLive(w http.ResponseWriter, r *http.Request) {
	m, ok := s.opened(w, r)
	if !ok {
		return
	}
	l, meta, v := m.view.Live(), m.view.Log.Meta, m.view.Head.Variant
	latest, some := latestOf(l, m.view.Brief())
	m.mu.Unlock()
	if l.Ended() || v.Game == nil {
		reply(w, map[string]string{"waits": errNotHere.Error()}) // no fault: it may just have ended
		return
	}
	at, _, playing := l.Progress()
	elsewhere := playing && len(at.Workers) > 0
	out, position := InPlay{}, ""
	if view := l.Window.Look(); len(view.Moves) > 0 {
		position = view.Position
		words, err := wordsOf(v.NewReferee(), view.Position, view.Moves)
		if err != nil {
			fail(w, http.StatusInternalServerError, err)
			return
		}
		out = InPlay{Names: view.Names, Moves: words, Score: view.Score, Drawn: view.Opening}
		for side, left := range view.Left {
			out.Left[side] = left.Seconds()
		}
	} else if elsewhere && some {
		out, position = latest, latest.Position
	} else {
		why := errNothingSeen
		if elsewhere {
			why = errElsewhere
		}
		reply(w, map[string]string{"waits": why.Error()})
		return
	}
	shown, err := table.Ask(r.Context(), table.Question{Op: "show", Game: meta.Game, Rules: meta.Rules, Position: position, Moves: out.Moves})
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	out.Shown = shown.(table.Shown)
	out.Legal = nil // nobody plays here
	reply(w, out)
}

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
