package web

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"

	"selfplaylab/datasets"
	"selfplaylab/engines/play"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/replay"
	"selfplaylab/reports/gamestats"
)

// found is a game of a list.
type found struct {
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

// runName returns the name of a run's folder.
func runName(id string) string { return filepath.Base(filepath.FromSlash(id)) }

// called returns the names of a run on pages: its id, and the user's name.
func called(id, name string) string {
	if name == "" || name == runName(id) {
		return id
	}
	return id + " · " + name
}

// seatsOf returns the players of a trial, A first, and the weaker one by the run's results: -1
// for neither.
func seatsOf(result runs.Result, row datasets.TrialRow, scores map[string]float64) (names [2]string, weaker int) {
	names, weaker = [2]string{"A", "B"}, -1
	if t, err := result.Trial(row); err == nil {
		names = [2]string{t.Seats[0].Name, t.Seats[1].Name}
	}
	if p, ok := result.Part(row); ok {
		switch x, known := scores[p.Name]; {
		case known && x > 0.5:
			weaker = 1
		case known && x < 0.5:
			weaker = 0
		}
	}
	return names, weaker
}

func foundOf(g datasets.GameRow, names [2]string, weaker int) found {
	first := int(g.Game)
	return found{
		Name: g.Name(), First: names[first&1], Second: names[1-first&1], Outcome: g.Outcome,
		Reason: g.Reason, Plies: g.Plies, Opening: gamestats.OpeningName(g), Phase: g.Phase,
		Upset: weaker == 0 && g.AScore == 1 || weaker == 1 && g.AScore == 0,
	}
}

// plyView is a move of a recorded game with its player's decision.
type plyView struct {
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

// gameView is a recorded game to walk through.
type gameView struct {
	found
	Game     string    `json:"game"`
	Rules    string    `json:"rules"`
	Position string    `json:"position"`
	Plies    []plyView `json:"moves"`
	Parts    int       `json:"parts"`             // the ply, from 0, at which the games of the pair diverge; -1 if they do not
	Other    string    `json:"other"`             // the other game of the pair
	Presets  [2]string `json:"players"`           // of the sides: to ask them again
	Limits   [2]string `json:"limits"`            // of the sides
	Asked    bool      `json:"asked"`             // the players decided again for this answer
	Differs  string    `json:"differs,omitempty"` // where they chose another move
	Log      string    `json:"log,omitempty"`     // words on the file with the lines of its engines
}

// shownOf returns a game without its moves; trial holds the games of its trial.
func shownOf(game *replay.Game, trial []datasets.GameRow) *gameView {
	seats, g, meta := game.Trial.Seats, game.Row, game.Run.Log.Meta
	shown := &gameView{
		found: foundOf(g, [2]string{seats[0].Name, seats[1].Name}, -1), Game: meta.Game, Rules: meta.Rules, Position: g.Position,
		Plies: []plyView{}, Parts: -1, Log: datasets.LogNote(game.Run.Log.Dir, "", g),
	}
	for side := range 2 {
		e := seats[side^int(g.Game&1)]
		shown.Presets[side], shown.Limits[side] = e.Player, e.Limits.String()
	}
	for _, other := range trial {
		if other.Pair == g.Pair && other.Game != g.Game {
			shown.Other, shown.Parts = other.Name(), parting(strings.Fields(g.Moves), strings.Fields(other.Moves))
		}
	}
	return shown
}

// parting returns the first ply, from 0, at which two games differ; -1 if they do not.
func parting(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

// recorded returns a game as its run recorded it.
func recorded(game *replay.Game, trial []datasets.GameRow) (*gameView, error) {
	shown := shownOf(game, trial)
	if err := game.Recorded(func(p play.Ply) { shown.Plies = append(shown.Plies, plyOf(p)) }); err != nil {
		return nil, err
	}
	return shown, notes(game.Run, game.Row, shown)
}

func plyOf(p play.Ply) plyView {
	return plyView{Move: p.Move, Side: int(p.Side), Opening: p.Opening, Illegal: p.Illegal}
}

// notes adds the recorded decisions, if the run has them.
func notes(rec *runs.Recorded, g datasets.GameRow, shown *gameView) error {
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
		p := &shown.Plies[row.Ply]
		p.Score, p.Nodes, p.Depth, p.Mate, p.Micros = shownScore(row.Score), row.Nodes, int(row.Depth), int(row.Mate), row.Micros
	}
	return nil
}

// shownScore returns a player's score; nil for none.
func shownScore(score float64) *play.Score {
	if math.IsNaN(score) {
		return nil
	}
	return new(play.Score(score))
}

// findGame finds a game of a run, and the games of its trial.
func findGame(kinds runs.Kinds, dir, name string) (*replay.Game, []datasets.GameRow, error) {
	recorded, err := kinds.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	game, err := replay.Find(recorded, name)
	if err != nil {
		return nil, nil, err
	}
	var trial []datasets.GameRow
	for g, err := range recorded.Log.Games(datasets.Filter{From: game.Row.Trial, To: game.Row.Trial + 1}) {
		if err != nil {
			return nil, nil, err
		}
		trial = append(trial, g)
	}
	return game, trial, nil
}

// repeatedGame has the players of a recorded game choose their moves again.
func repeatedGame(ctx context.Context, game *replay.Game, trial []datasets.GameRow) (*gameView, error) {
	shown := shownOf(game, trial)
	shown.Asked = true
	err := game.Play(ctx, func(p play.Ply) {
		ply := plyOf(p)
		if !p.Opening {
			ply.Score, ply.Nodes, ply.Depth, ply.Mate = shownScore(p.Decision.Score), p.Decision.Nodes, p.Decision.Depth, p.Decision.Mate
		}
		shown.Plies = append(shown.Plies, ply)
	})
	if d, ok := errors.AsType[*play.Divergence](err); ok {
		shown.Differs = d.Error()
		return shown, nil
	}
	return shown, err
}
