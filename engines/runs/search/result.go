package search

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/schedule"
	"selfplaylab/reports/gamestats"
	"selfplaylab/reports/text"
)

// result is the runs.Result: the searches so far, by position and player.
type result struct {
	Head   *runs.Head
	Config *searchConfig

	done  int                // searches
	moves []datasets.MoveRow // of all searches; nil in a list, which does not need them
}

func (s *searchConfig) NewResult(h *runs.Head) (runs.Result, error) {
	return &result{Head: h, Config: s}, nil
}

func (r *result) Add(f schedule.Finished) error {
	if r.done >= r.Config.total() || f.Trial.Games > 0 {
		return fmt.Errorf("%s: trial %d is not a search of this run", r.Head.Dir, f.Trial.Trial)
	}
	r.done++
	r.moves = append(r.moves, f.Moves...)
	return nil
}

func (r *result) Trial(row datasets.TrialRow) (schedule.Trial, error) {
	return schedule.Trial{}, fmt.Errorf("trial %d is a search: it has no games", row.Trial)
}

func (r *result) Part(datasets.TrialRow) (runs.Part, bool) { return runs.Part{}, false }

func (r *result) Files() (map[string][]byte, error) { return nil, nil }

func (r *result) finished() bool { return r.done == r.Config.total() }

func (r *result) Summary() (runs.Summary, error) {
	var names []string
	for _, p := range r.Config.Players {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	s := runs.Summary{What: strings.Join(names, ", "), Finished: r.finished(), Result: text.Count(r.Config.total()) + " searches"}
	s.Question = text.Unmarked(r.question())
	if n := r.done; !s.Finished {
		s.Result = fmt.Sprintf("unfinished, %s of %s searches", text.Count(n), text.Count(r.Config.total()))
	}
	return s, nil
}

// question returns the question of the run.
func (r *result) question() string {
	var names []string
	for _, p := range r.Config.Players {
		if name := "`" + p.Name + "`"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return fmt.Sprintf("How do %s search at %s?", strings.Join(names, ", "), r.Head.ShortTitle())
}

func (r *result) Progress(string, [5]int) runs.Progress {
	p := runs.Progress{Phase: kindName, Unit: "searches", Games: int64(r.done), Planned: int64(r.Config.total())}
	if n := r.done; n > 0 {
		p.Note = r.Config.Players[(n-1)%len(r.Config.Players)].Name
	}
	return p
}

// sums adds the searches up, one row a player, in the order of the players.
func (t *result) sums() []gamestats.Search {
	players := t.Config.Players
	rows := make([]gamestats.Search, len(players))
	for k, p := range players {
		rows[k] = gamestats.Search{Player: p.Name, Limits: p.Limits.String()}
	}
	for n, one := range t.moves {
		k := n % len(players)
		first := slices.IndexFunc(rows, func(r gamestats.Search) bool { return r.Limits == rows[k].Limits }) // at most k
		reference := t.moves[n-k+first]
		r := &rows[k]
		r.Positions++
		r.Nodes += one.Nodes
		r.Depth += int64(one.Depth)
		r.Seconds += float64(one.Micros) / 1e6
		if one.Move == reference.Move {
			r.SameMove++
		}
		if engines.SameScore(one.Score, reference.Score) {
			r.SameScore++
		}
	}
	return rows
}

func (t *result) JSON() (runs.Object, error) {
	players := []runs.Object{}
	for _, r := range t.sums() {
		var depth any // null before the first search
		if r.Positions > 0 {
			depth = r.Mean(float64(r.Depth))
		}
		players = append(players, runs.Object{
			{"player", r.Player}, {"limits", r.Limits}, {"positions", r.Positions}, {"nodes", r.Nodes}, {"depth", depth}, {"seconds", r.Seconds},
			{"same_score", r.SameScore}, {"same_move", r.SameMove},
		})
	}
	return runs.Object{
		{"game", t.Head.Meta.Game}, {"rules", t.Head.Meta.Rules}, {"positions", t.Config.Positions}, {"opening_plies", t.Config.OpeningPlies},
		{"players", players}, {"repeatable", t.Config.repeatable()}, {"run", t.Head.Dir},
	}, nil
}
