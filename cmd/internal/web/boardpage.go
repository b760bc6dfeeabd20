package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"path/filepath"
	"strings"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/view"
)

// dataTable answers a question about a position: by a search, or at once.
func (s *site) dataTable(r *http.Request) (any, error) {
	question, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, coded{http.StatusRequestEntityTooLarge, err}
	}
	var q table.Question
	if json.Unmarshal(question, &q) == nil && q.Searches() {
		return s.dataMove(r, q)
	}
	return json.RawMessage(table.Answer(r.Context(), question)), nil
}

// errStartsEngine is the answer to users who may only look.
var errStartsEngine = coded{http.StatusForbidden, errors.New("starting an engine needs the token: open the address that was " +
	"printed at start")}

// dataMove asks a player, or an external engine; only who may start runs may start one.
func (s *site) dataMove(r *http.Request, q table.Question) (any, error) {
	work := func(ctx context.Context) (any, error) { return table.Ask(ctx, q) }
	if q.Op == "best" && strings.HasPrefix(q.Preset, player.EnginePrefix) {
		if !s.may(r) {
			return nil, errStartsEngine
		}
		one, err := s.programs.find(q.Preset)
		if err != nil {
			return nil, err
		}
		work = func(ctx context.Context) (any, error) {
			answer, err := s.programs.best(ctx, q)
			if err != nil { // players see no folders of the server
				err = errors.New(strings.ReplaceAll(err.Error(), one.file, one.name))
			}
			return answer, err
		}
	}
	return s.searches.answer(r, work)
}

// maxTuned bounds their list.
const maxTuned = 50

// dataPlayers lists the tuned players and the engines of a game.
func (s *site) dataPlayers(r *http.Request) (any, error) {
	game, err := games.Find(r.URL.Query().Get("game"))
	if err != nil {
		return nil, err
	}
	list, err := s.tuned(game)
	if err != nil {
		return nil, err
	}
	return map[string]any{"players": list, "engines": s.programs.of(game.Name)}, nil
}

// tuned lists the tuned players of a game, the newest first.
func (s *site) tuned(game *engines.Game) ([]tunedView, error) {
	finished, err := s.library.list(view.Query{State: runs.Finished}, 0, math.MaxInt)
	if err != nil {
		return nil, unreadable(err)
	}
	list := []tunedView{}
	for _, row := range finished.Rows {
		kind, err := s.kinds.Find(row.Kind)
		if err != nil || kind.PlayerFile == "" || row.Game != game.Name || len(list) == maxTuned {
			continue
		}
		list = append(list, foundPlayer(filepath.Join(s.library.root, filepath.FromSlash(row.ID)), row.Name, kind, game)...)
	}
	return list, nil
}

// dataSearch answers with the result of a search.
func (s *site) dataSearch(r *http.Request) (any, error) {
	one := s.searches.find(r.URL.Query().Get("name"))
	if one == nil {
		return map[string]string{"error": "This search has been stopped. Ask again."}, nil
	}
	one.expiry.Reset(maxSilence)
	return s.searches.wait(r, one, 0), nil
}

// dataStop ends a search that a page no longer needs.
func (s *site) dataStop(w http.ResponseWriter, r *http.Request) {
	if one := s.searches.find(r.URL.Query().Get("name")); one != nil {
		s.searches.drop(one)
	}
	w.WriteHeader(http.StatusNoContent)
}
