package web

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/datasets"
	"selfplaylab/engines/match"
)

// Fault is a game that was lost by a fault while a page could look.
type Fault struct {
	Game   string `json:"game"` // TRIAL:PAIR:GAME
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

// mostFaults is how many of the latest faults a page is told.
const mostFaults = 8

// Fault takes a game that was lost by a fault.
func (l *live) Fault(g datasets.GameRow, detail string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, Fault{nameOf(g), g.Reason, detail})
	if len(l.faults) > mostFaults {
		l.faults = l.faults[1:]
	}
}

func (l *live) faulted() []Fault {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Fault{}, l.faults...)
}

// Crew is who played in a session of the run, from one machine.
type Crew struct {
	Host    string  `json:"host"`
	CPU     string  `json:"cpu"`
	Workers int     `json:"workers"`
	Games   int64   `json:"games"`
	Rate    float64 `json:"rate"` // games a second; 0 if not known
}

// mostCrew is how many of the latest are told.
const mostCrew = 12

// crewOf lists who played the last sessions, the latest first. What a session's own
// machine played is what the others did not.
func crewOf(sessions []datasets.Session) []Crew {
	list := []Crew{}
	for i := len(sessions) - 1; i >= 0 && len(list) < mostCrew; i-- {
		s := sessions[i]
		rate := func(games int64) float64 {
			if s.Seconds <= 0 {
				return 0
			}
			return float64(games) / s.Seconds
		}
		own := Crew{s.Host, s.CPU, s.Workers, s.Games, 0}
		others := []Crew{}
		for _, m := range s.Machines {
			own.Games -= m.Games
			others = append(others, Crew{m.Host, m.CPU, m.Workers, m.Games, cmp.Or(m.Speed, rate(m.Games))})
		}
		own.Rate = rate(own.Games)
		list = append(append(list, own), others...)
	}
	return list[:min(len(list), mostCrew)]
}

// InPlay is a game that is being played.
type InPlay struct {
	table.Shown
	Names [2]string   `json:"names"` // by side
	Moves string      `json:"moves"`
	Score match.Score `json:"score"`  // of the last decision, by who made it
	Left  [2]float64  `json:"left"`   // seconds on the clocks; 0 without
	Drawn int         `json:"opened"` // plies that were given
}

// errNothingSeen is told for a moment after somebody began to look.
var errNothingSeen = errors.New("no move was made since you began to look")

// dataLive shows the game that one of the run's workers plays.
func (s *Server) dataLive(w http.ResponseWriter, r *http.Request) {
	m, ok := s.opened(w, r)
	if !ok {
		return
	}
	l, meta := m.live, m.rec.Log.Meta
	v := m.rec.Head.Variant
	m.mu.Unlock()
	if l == nil || l.ended() || v.Game == nil {
		fail(w, http.StatusNotFound, errors.New("this program is not playing the run"))
		return
	}
	view := l.window.Look()
	if len(view.Moves) == 0 {
		reply(w, map[string]string{"waits": errNothingSeen.Error()})
		return
	}
	ref := v.NewReferee()
	var words []string
	err := ref.Reset(view.Position)
	for _, move := range view.Moves {
		if err != nil {
			break
		}
		words = append(words, ref.MoveString(move))
		if ref.Legal(move) {
			ref.Play(move)
		} else {
			ref.Penalty()
		}
	}
	q := table.Question{Op: "show", Game: meta.Game, Rules: meta.Rules, Position: view.Position, Moves: strings.Join(words, " ")}
	shown, other := table.Ask(r.Context(), q)
	if err = errors.Join(err, other); err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	out := InPlay{Shown: shown.(table.Shown), Names: view.Names, Moves: q.Moves, Score: view.Score, Drawn: view.Opening}
	for side, left := range view.Left {
		out.Left[side] = left.Seconds()
	}
	out.Legal = nil // nobody plays here
	reply(w, out)
}
