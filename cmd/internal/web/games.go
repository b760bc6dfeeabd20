package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/engines/schedule"
)

// maxFound is how many games one answer lists.
const maxFound = 100

// wanted selects the games of a list.
type wanted struct {
	player, line, phase, reason, outcome string
	min, max                             int64
	upsets                               bool
	after                                int64 // number of matching games to skip
}

func wantedOf(r *http.Request) wanted {
	q := r.URL.Query()
	number := func(name string) int64 {
		n, _ := strconv.ParseInt(q.Get(name), 10, 64) // no number is no condition
		return n
	}
	return wanted{
		player: strings.ToLower(q.Get("player")), line: q.Get("line"), phase: q.Get("phase"), reason: q.Get("reason"), outcome: q.Get("outcome"),
		min: number("min"), max: number("max"), upsets: q.Get("upset") != "", after: number("after"),
	}
}

func (w wanted) takes(g datasets.GameRow, found found) bool {
	switch {
	case w.min > 0 && int64(g.Plies) < w.min, w.max > 0 && int64(g.Plies) > w.max:
		return false
	case w.reason != "" && g.Reason != w.reason, w.outcome != "" && g.Outcome != w.outcome:
		return false
	case !beginsWith(g, w.line), w.phase != "" && g.Phase != w.phase:
		return false
	case w.upsets && !found.Upset:
		return false
	}
	return w.player == "" || strings.Contains(strings.ToLower(found.First+"\n"+found.Second), w.player)
}

// beginsWith reports whether a game begins as a text: moves, or a start position, " | " and
// moves; "*" is any start position.
func beginsWith(g datasets.GameRow, line string) bool {
	if moves, any := strings.CutPrefix(line, "* | "); any {
		return strings.HasPrefix(g.Moves+" ", moves)
	}
	if g.Position == "" {
		return strings.HasPrefix(g.Moves+" ", line)
	}
	return strings.HasPrefix(g.Position+" | "+g.Moves+" ", line)
}

// findings holds the matching games of a run, with the reasons and phases of all its games.
type findings struct {
	Games   []found  `json:"games"`
	More    bool     `json:"more"`
	Reasons []string `json:"reasons"`
	Phases  []string `json:"phases"`
}

// findGames lists matching games of a run. A game is an upset if its winner scores less
// than half in that part of the run.
func findGames(ctx context.Context, kinds runs.Kinds, dir string, scores map[string]float64, f wanted) (findings, error) {
	all := findings{Games: []found{}, Reasons: []string{}, Phases: []string{}}
	rec, err := kinds.Open(dir)
	if err != nil {
		return all, unreadable(err)
	}
	if err := rec.Shown(); err != nil {
		return all, coded{http.StatusNotFound, err}
	}
	result, err := rec.Config.NewResult(rec.Head)
	if err != nil {
		return all, unreadable(err)
	}
	skip := f.after
	for t, err := range schedule.Recorded(rec.Log, datasets.Filter{}) {
		if err == nil {
			err = cmp.Or(ctx.Err(), result.Add(schedule.Finished{Trial: t.Trial}))
		}
		if err != nil {
			return all, unreadable(err)
		}
		if !slices.Contains(all.Phases, t.Trial.Phase) {
			all.Phases = append(all.Phases, t.Trial.Phase)
		}
		names, weaker := seatsOf(result, t.Trial, scores)
		for _, g := range t.Games {
			if at, known := slices.BinarySearch(all.Reasons, g.Reason); !known {
				all.Reasons = slices.Insert(all.Reasons, at, g.Reason)
			}
			found := foundOf(g, names, weaker)
			if !f.takes(g, found) {
				continue
			}
			if skip--; skip >= 0 {
				continue
			}
			if all.More = len(all.Games) == maxFound; all.More {
				return all, nil
			}
			all.Games = append(all.Games, found)
		}
	}
	return all, nil
}

func (s *site) games(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	if _, err := s.model(id); err != nil {
		s.refuse(w, r, page{Title: "These games cannot be shown", Here: "home"}, err)
		return
	}
	name, call, err := s.names(id)
	if err != nil {
		s.refuse(w, r, page{Title: "These games cannot be shown", Here: "home"}, err)
		return
	}
	s.show(w, r, "games", page{Title: "Games of " + name, Here: "home", ID: id, Data: call})
}

func (s *site) dataGames(r *http.Request) (any, error) {
	m, err := s.opened(r)
	if err != nil {
		return nil, err
	}
	dir, scores := m.dir, m.scores()
	m.mu.Unlock()
	return findGames(r.Context(), s.kinds, dir, scores, wantedOf(r))
}

// replay finds the game that a request names, and the games of its trial.
func (s *site) replay(r *http.Request) (*replay.Game, []datasets.GameRow, error) {
	q := r.URL.Query()
	dir, err := s.library.dir(q.Get("id"))
	if err != nil {
		return nil, nil, coded{http.StatusNotFound, err}
	}
	game, trial, err := findGame(s.kinds, dir, q.Get("game"))
	if err != nil {
		return nil, nil, coded{http.StatusNotFound, err}
	}
	return game, trial, nil
}

// dataGame answers with a game and its recorded scores.
func (s *site) dataGame(r *http.Request) (any, error) {
	game, trial, err := s.replay(r)
	if err != nil {
		return nil, err
	}
	shown, err := recorded(game, trial)
	if err != nil {
		return nil, coded{http.StatusNotFound, err}
	}
	return shown, nil
}

// dataGameAgain asks the players of a game again, move by move.
func (s *site) dataGameAgain(r *http.Request) (any, error) {
	game, trial, err := s.replay(r)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(game.Trial.Seats[:], player.Config.External) && !s.may(r) {
		return nil, errStartsEngine
	}
	return s.searches.answer(r, func(ctx context.Context) (any, error) { return repeatedGame(ctx, game, trial) })
}
