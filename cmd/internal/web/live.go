package web

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
)

// Fault is a game that was lost by a fault while a page could look.
type Fault struct {
	Game   string `json:"game"` // TRIAL:PAIR:GAME
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

// mostFaults is how many of the latest faults a page is told.
const maxFaults = 8

// Fault takes a game that was lost by a fault.
func (l *live) Fault(g datasets.GameRow, detail string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, Fault{nameOf(g), g.Reason, detail})
	if len(l.faults) > maxFaults {
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
const maxCrew = 12

// crewOf lists who played the last sessions, the latest first. What a session's own
// machine played is what the others did not.
func crewOf(sessions []datasets.Session) []Crew {
	list := []Crew{}
	for i := len(sessions) - 1; i >= 0 && len(list) < maxCrew; i-- {
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
	return list[:min(len(list), maxCrew)]
}

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
	l, meta := m.live, m.rec.Log.Meta
	v := m.rec.Head.Variant
	at, playing := l.progress()
	last, came := l.latest(m.brief)
	m.mu.Unlock()
	if l == nil || l.ended() || v.Game == nil {
		reply(w, map[string]string{"waits": errNotHere.Error()}) // no fault: it may just have ended
		return
	}
	elsewhere := playing && len(at.Workers) > 0
	out, position := InPlay{}, ""
	if view := l.window.Look(); len(view.Moves) > 0 {
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
	} else if elsewhere && came {
		out, position = last, last.Position
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

// latest is the last game of the last trial that is through.
func (l *live) latest(told runs.Result) (InPlay, bool) {
	if l == nil {
		return InPlay{}, false
	}
	l.mu.Lock()
	f := l.newest
	l.mu.Unlock()
	if len(f.Games) == 0 {
		return InPlay{}, false
	}
	names, _ := seatsOf(told, f.Trial, nil)
	g := f.Games[0]
	if g.Game == 1 {
		names[0], names[1] = names[1], names[0]
	}
	return InPlay{Shown: table.Shown{Position: g.Position}, Names: names, Moves: g.Moves, Drawn: int(g.OpeningPlies), Whole: nameOf(g)}, true
}
