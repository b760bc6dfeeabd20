package web

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/gamestats"
)

func (s *Server) games(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	if _, err := s.model(id); err != nil {
		w.WriteHeader(http.StatusNotFound)
		s.show(w, r, "error", page{Title: "These games cannot be shown", Here: "home", Data: err.Error()})
		return
	}
	s.show(w, r, "games", page{Title: "Games of " + runName(id), Here: "home", ID: id})
}

// Found is a game of a list.
type Found struct {
	Name    string `json:"name"` // TRIAL:PAIR:GAME
	First   string `json:"first"`
	Second  string `json:"second"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason"`
	Plies   int32  `json:"plies"`
	Opening string `json:"opening"`
	Phase   string `json:"phase"`
	Upset   bool   `json:"upset"`
}

// mostFound is how many games one answer lists.
const maxFound = 100

// wanted says which games to list.
type wanted struct {
	player, opening, reason, outcome string
	least, most                      int64
	upsets                           bool
	after                            int64 // games to leave out, of those that fit
}

func wantedOf(r *http.Request) wanted {
	q := r.URL.Query()
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(q.Get(name), 10, 64) // what is no number asks for nothing
		return n
	}
	return wanted{
		player: strings.ToLower(q.Get("player")), opening: q.Get("opening"), reason: q.Get("reason"), outcome: q.Get("outcome"),
		least: number("least"), most: number("most"), upsets: q.Get("upset") != "", after: number("after"),
	}
}

func (f wanted) takes(g datasets.GameRow, found Found) bool {
	switch {
	case f.least > 0 && int64(g.Plies) < f.least, f.most > 0 && int64(g.Plies) > f.most:
		return false
	case f.reason != "" && g.Reason != f.reason, f.outcome != "" && g.Outcome != f.outcome:
		return false
	case f.opening != "" && !strings.HasPrefix(found.Opening, f.opening):
		return false
	case f.upsets && !found.Upset:
		return false
	}
	return f.player == "" || strings.Contains(strings.ToLower(found.First+"\n"+found.Second), f.player)
}

func (s *Server) dataGames(w http.ResponseWriter, r *http.Request) {
	m, ok := s.opened(w, r)
	if !ok {
		return
	}
	dir, scores := m.dir, m.scores()
	m.mu.Unlock()
	list, more, reasons, err := findGames(r, dir, scores, wantedOf(r))
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	reply(w, map[string]any{"games": list, "more": more, "reasons": reasons})
}

// scores are those of X in every part of the run so far.
func (m *model) scores() map[string]float64 {
	score := map[string]float64{}
	for _, p := range m.charts.parts {
		score[p.name] = p.pairs.Score()
	}
	return score
}

// findGames lists games of a run that fit, whether there are more, and by what
// reasons those looked at ended. A game is an upset if the player won that scores
// less than half in its part of the run.
func findGames(r *http.Request, dir string, scores map[string]float64, f wanted) (list []Found, more bool, reasons []string, err error) {
	rec, err := kinds.Open(dir)
	if err != nil {
		return nil, false, nil, err
	}
	told, err := rec.Spec.NewResult(rec.Head)
	if err != nil {
		return nil, false, nil, err
	}
	list = []Found{}
	seen, skip := map[string]bool{}, f.after
	for t, err := range schedule.Recorded(rec.Log, datasets.Filter{}) {
		if err == nil {
			err = cmp.Or(r.Context().Err(), told.Add(schedule.Finished{Trial: t.Trial}))
		}
		if err != nil {
			return nil, false, nil, err
		}
		names, weaker := seatsOf(told, t.Trial, scores)
		for _, g := range t.Games {
			seen[g.Reason] = true
			found := foundOf(g, names, weaker)
			if !f.takes(g, found) {
				continue
			}
			if skip--; skip >= 0 {
				continue
			}
			if len(list) == maxFound {
				return list, true, slices.Sorted(maps.Keys(seen)), nil
			}
			list = append(list, found)
		}
	}
	return list, false, slices.Sorted(maps.Keys(seen)), nil
}

// seatsOf names the players of a trial, X first, and says which of them is the
// weaker by the run's results: -1 for neither.
func seatsOf(told runs.Result, row datasets.TrialRow, scores map[string]float64) (names [2]string, weaker int) {
	names, weaker = [2]string{"X", "the other"}, -1
	if t, err := told.Trial(row); err == nil {
		names = [2]string{t.Seats[0].Name, t.Seats[1].Name}
	}
	if p, ok := told.Part(row); ok {
		switch x, known := scores[p.Name]; {
		case known && x > 0.5:
			weaker = 1
		case known && x < 0.5:
			weaker = 0
		}
	}
	return names, weaker
}

func foundOf(g datasets.GameRow, names [2]string, weaker int) Found {
	first := int(g.Game)
	return Found{
		Name: gameName(g), First: names[first&1], Second: names[1-first&1], Outcome: g.Outcome,
		Reason: g.Reason, Plies: g.Plies, Opening: gamestats.OpeningName(g), Phase: g.Phase,
		Upset: weaker == 0 && g.AScore == 1 || weaker == 1 && g.AScore == 0,
	}
}

// Ply is a move of a recorded game with what its player said.
type Ply struct {
	Move    string      `json:"move"`
	Side    int         `json:"side"`
	Opening bool        `json:"opening,omitempty"`
	Illegal bool        `json:"illegal,omitempty"`
	Score   *play.Score `json:"score,omitempty"`
	Nodes   int64       `json:"nodes,omitempty"`
	Depth   int         `json:"depth,omitempty"`
	Mate    int         `json:"mate,omitempty"`
	Micros  int64       `json:"micros,omitempty"`
}

// Shown is a recorded game to walk through.
type Shown struct {
	Found
	Game     string    `json:"game"`
	Rules    string    `json:"rules"`
	Position string    `json:"position"`
	Plies    []Ply     `json:"moves"`
	Parts    int       `json:"parts"`             // the ply, from 0, at which the games of the pair part; -1 if they do not
	Other    string    `json:"other"`             // the other game of the pair
	Presets  [2]string `json:"players"`           // of the sides: what would ask them again
	Limits   [2]string `json:"limits"`            // of the sides
	Asked    bool      `json:"asked"`             // the players were asked again
	Differs  string    `json:"differs,omitempty"` // where they did something else
}

// dataGame tells a game with its scores: as recorded, or with ask=1 by asking its
// players again, move by move.
func (s *Server) dataGame(w http.ResponseWriter, r *http.Request) {
	dir, err := s.library.dir(r.URL.Query().Get("id"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	shown, err := s.tell(r, dir, r.URL.Query().Get("game"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	reply(w, shown)
}

func (s *Server) tell(r *http.Request, dir, which string) (*Shown, error) {
	rec, err := kinds.Open(dir)
	if err != nil {
		return nil, err
	}
	replay, err := rec.Find(which)
	if err != nil {
		return nil, err
	}
	var trial []datasets.GameRow
	for g, err := range rec.Log.Games(datasets.Filter{From: replay.Row.Trial, To: replay.Row.Trial + 1}) {
		if err != nil {
			return nil, err
		}
		trial = append(trial, g)
	}
	if r.URL.Query().Get("ask") == "" {
		return recorded(replay, trial)
	}
	shown := shownOf(replay, trial)
	shown.Asked = true
	return shown, s.askAgain(r, replay, shown)
}

// shownOf is a game without its moves; trial holds the games of its trial.
func shownOf(replay *runs.Replay, trial []datasets.GameRow) *Shown {
	seats, g, meta := replay.Trial.Seats, replay.Row, replay.Run.Log.Meta
	shown := &Shown{
		Found: foundOf(g, [2]string{seats[0].Name, seats[1].Name}, -1), Game: meta.Game, Rules: meta.Rules, Position: g.Position, Plies: []Ply{}, Parts: -1,
	}
	for side := range 2 {
		e := seats[side^int(g.Game&1)]
		shown.Presets[side], shown.Limits[side] = e.Player, e.Limits.String()
	}
	for _, other := range trial {
		if other.Pair == g.Pair && other.Game != g.Game {
			shown.Other, shown.Parts = gameName(other), parting(strings.Fields(g.Moves), strings.Fields(other.Moves))
		}
	}
	return shown
}

// parting is the first ply, from 0, at which two games differ; -1 if they do not.
func parting(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

// recorded is a game as its run keeps it.
func recorded(replay *runs.Replay, trial []datasets.GameRow) (*Shown, error) {
	shown := shownOf(replay, trial)
	if err := replay.Recorded(func(p play.Ply) { shown.Plies = append(shown.Plies, plyOf(p)) }); err != nil {
		return nil, err
	}
	return shown, notes(replay.Run, replay.Row, shown)
}

func plyOf(p play.Ply) Ply {
	return Ply{Move: p.Move, Side: int(p.Side), Opening: p.Opening, Illegal: p.Illegal}
}

// askAgain has the players repeat the game.
func (s *Server) askAgain(r *http.Request, replay *runs.Replay, shown *Shown) error {
	select {
	case s.tables <- struct{}{}:
		defer func() { <-s.tables }()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	err := replay.Play(r.Context(), func(p play.Ply) {
		ply := plyOf(p)
		if !p.Opening {
			score := play.Score(p.Decision.Score)
			ply.Score, ply.Nodes, ply.Depth, ply.Mate = &score, p.Decision.Nodes, p.Decision.Depth, p.Decision.Mate
		}
		shown.Plies = append(shown.Plies, ply)
	})
	if d, ok := errors.AsType[*play.Divergence](err); ok {
		shown.Differs = d.Error()
		return nil
	}
	return err
}

// notes adds what the players said of their moves, where the run kept it.
func notes(rec *runs.Recorded, g datasets.GameRow, shown *Shown) error {
	if rec.Log.Meta.RecordMoves == datasets.NoMoves {
		return nil
	}
	for row, err := range rec.Log.Moves(datasets.Filter{From: g.Trial, To: g.Trial + 1}) {
		if err != nil {
			return err
		}
		if row.Pair != g.Pair || row.Game != g.Game || int(row.Ply) >= len(shown.Plies) {
			continue
		}
		p, score := &shown.Plies[row.Ply], play.Score(row.Score)
		p.Score, p.Nodes, p.Depth, p.Mate, p.Micros = &score, row.Nodes, int(row.Depth), int(row.Mate), row.Micros
	}
	return nil
}
