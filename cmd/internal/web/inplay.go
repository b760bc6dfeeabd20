package web

import (
	"context"
	"errors"
	"strings"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/view"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/text"
)

// playView is a game that is being played or, if other machines play the run, the latest
// that arrived.
type playView struct {
	table.Shown
	Names [2]string  `json:"names"` // by side
	Start string     `json:"start"` // where the moves start
	Moves string     `json:"moves"`
	Score play.Score `json:"score"`           // of the last decision, from the mover's side
	Left  [2]float64 `json:"left"`            // seconds on the clocks; 0 for no clock
	Drawn int        `json:"opened"`          // plies of the opening
	Whole string     `json:"whole,omitempty"` // the name of a finished game
}

// errNothingSeen is the answer until the first move after the board was opened.
var errNothingSeen = errors.New("waiting for the next move")

// errNotHere is the answer for a finished run, or for a run of another process that has recorded no
// game yet.
var errNotHere = errors.New("this program is not playing the run")

// errElsewhere is the answer before the first pair of other machines arrives. They send finished
// pairs only: running games would cost a message per move, although few readers watch them.
var errElsewhere = errors.New("other machines play the games; they are shown once their pair is finished, and none is yet")

// latestOf returns the last game of the last trial that is finished, or that is recorded if
// another process plays the run.
func latestOf(v *view.View) (playView, bool, error) {
	f, ok := v.Live().Latest()
	if v.Live() == nil && v.State() == runs.Running {
		for last, err := range schedule.Recorded(v.Log, datasets.Filter{From: v.Trials() - 1}) {
			if err != nil {
				return playView{}, false, err
			}
			if ok = len(last.Games) > 0; ok {
				f = schedule.Finished{Trial: last.Trial, Games: last.Games[len(last.Games)-1:]}
			}
		}
	}
	if !ok {
		return playView{}, false, nil
	}
	names, _ := seatsOf(v.Brief(), f.Trial, nil)
	g := f.Games[0]
	if g.Game == 1 {
		names[0], names[1] = names[1], names[0]
	}
	return playView{Start: g.Position, Names: names, Moves: g.Moves, Drawn: int(g.OpeningPlies), Whole: g.Name()}, true, nil
}

// inPlay returns the games that workers of a run play, or its latest game if other machines or
// another process play it. why explains an empty list.
func inPlay(ctx context.Context, l *view.Live, h *runs.Head, latest playView, some bool) (list []playView, why, err error) {
	if l.Ended() && (l != nil || !some) || h.Variant.NewReferee == nil { // its games are played elsewhere
		return nil, errNotHere, nil
	}
	at, playing := l.Progress()
	elsewhere := l == nil || playing && at.Workers != nil && len(at.Workers()) > 0
	for i := 0; l != nil && i < len(l.Windows); i++ {
		seen := l.Windows[i].Look()
		if len(seen.Moves) == 0 {
			continue
		}
		out := playView{Names: seen.Names, Start: seen.Position, Score: seen.Score, Drawn: seen.Opening}
		for side, left := range seen.Left {
			out.Left[side] = left.Seconds()
		}
		ref := h.Variant.NewReferee()
		if err := ref.Reset(seen.Position); err != nil {
			return nil, nil, err
		}
		out.Moves = strings.Join(text.Each(seen.Moves, ref.MoveString), " ")
		list = append(list, out)
	}
	switch {
	case len(list) > 0:
	case elsewhere && some:
		list = append(list, latest)
	case elsewhere:
		return nil, errElsewhere, nil
	default:
		return nil, errNothingSeen, nil
	}
	for i := range list {
		out := &list[i]
		shown, err := table.Ask(ctx, table.Question{Op: "show", Game: h.Meta.Game, Rules: h.Meta.Rules, Position: out.Start, Moves: out.Moves})
		if err != nil {
			return nil, nil, err
		}
		out.Shown = shown.(table.Shown)
		out.Legal = nil // the run's players move, not the reader
	}
	return list, nil, nil
}
