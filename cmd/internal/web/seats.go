package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/play"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/manual"
	"selfplaylab/engines/runs/tuning"
	"selfplaylab/params"
)

// Tuned is a player that a run of the folder left.
type Tuned struct {
	Name   string `json:"name"`
	Values string `json:"values"` // name=value,...
}

// mostTuned bounds the list of them.
const maxTuned = 50

// dataPlayers lists the tuned players of a game, the newest first.
func (s *Server) dataPlayers(w http.ResponseWriter, r *http.Request) {
	game, err := games.Find(r.URL.Query().Get("game"))
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	rows, _, _, _, err := s.library.list(0)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	list := []Tuned{}
	for _, row := range rows {
		if row.Kind != tuning.Name || row.State != runs.Finished || row.Game != game.Name || len(list) == maxTuned {
			continue
		}
		file, err := params.ReadFile(filepath.Join(s.library.root, filepath.FromSlash(row.ID), tuning.TunedName), game.Name, game.Space)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			fail(w, http.StatusInternalServerError, err)
			return
		}
		list = append(list, Tuned{"tuned: " + row.Name, valuesOf(game, file.Vector)})
	}
	reply(w, map[string]any{"players": list, "engines": s.programs.of(game.Name)})
}

// valuesOf writes a vector as overrides.
func valuesOf(game *engines.Game, v params.Vector) string {
	var words []string
	for i, p := range game.Space {
		words = append(words, p.Name+"="+p.Format(v[i]))
	}
	return strings.Join(words, ",")
}

// Record is a game as the board that it was played on tells it.
type Record struct {
	Game     string          `json:"game"`
	Rules    string          `json:"rules"`
	Position string          `json:"position"`
	Moves    string          `json:"moves"`
	Opening  int             `json:"opening"`
	Illegal  [2]int          `json:"illegal"` // actions that were not allowed, by side
	Outcome  engines.Outcome `json:"outcome"`
	Reason   engines.Reason  `json:"reason"`
	First    string          `json:"first"` // a preset, =name=value,..., engine:NAME or "" for a person
	Second   string          `json:"second"`
	Limits   string          `json:"limits"`
}

// asked is the game as it is kept.
func (r Record) asked() (*manual.Config, error) {
	v, err := games.Open(r.Game, r.Rules)
	if err != nil {
		return nil, err
	}
	a := &manual.Config{Variant: v, Game: play.Game{
		Position: r.Position, Opening: r.Opening, Moves: r.Moves, Plies: len(strings.Fields(r.Moves)), Outcome: r.Outcome, Reason: r.Reason, Illegal: r.Illegal,
	}}
	limits, err := engines.ParseLimits(r.Limits)
	if err != nil {
		return nil, err
	}
	for i, text := range []string{r.First, r.Second} {
		if a.Seats[i], err = seatOf(v.Game, text, runs.Budget(v.Game, limits)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func seatOf(game *engines.Game, text string, limits engines.Limits) (manual.Seat, error) {
	if text == "" {
		return manual.Seat{}, nil
	}
	if strings.HasPrefix(text, player.EnginePrefix) {
		return manual.Seat{Player: text, Limits: limits}, nil
	}
	name, values, tuned := text, "", false
	if values, tuned = strings.CutPrefix(text, "="); tuned {
		name = game.DefaultPreset
	}
	preset, err := game.Preset(name)
	if err != nil {
		return manual.Seat{}, err
	}
	s := manual.Seat{Player: preset.Name, Values: preset.Vector, Limits: limits}
	if tuned {
		s.Player = "tuned"
		s.Values, err = game.Space.Set(preset.Vector, strings.Split(values, ","))
	}
	return s, err
}

// actSave keeps a game that was played on a board as a run.
func (s *Server) actSave(w http.ResponseWriter, r *http.Request) {
	var record Record
	err := json.Unmarshal([]byte(r.FormValue("record")), &record)
	var id string
	if err == nil {
		id, err = s.keep(r, record)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("the game is not kept: %w", err))
		return
	}
	reply(w, map[string]string{"id": id})
}

func (s *Server) keep(r *http.Request, record Record) (id string, err error) {
	a, err := record.asked()
	if err != nil {
		return "", err
	}
	plan, err := a.Plan()
	if err != nil {
		return "", err
	}
	game, err := runs.CreateIn(s.options.Root, plan, manual.Name, runs.Origin{CommandLine: "selfplay serve (a game on the board)"})
	if err != nil {
		return "", err
	}
	if err := game.Play(r.Context(), runs.Options{Workers: 1}); err != nil {
		return "", err
	}
	return s.library.id(game.Head.Dir)
}
