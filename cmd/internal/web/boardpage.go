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
	"selfplaylab/datasets"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/view"
	"selfplaylab/params/paramfile"
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
var errStartsEngine = coded{http.StatusForbidden, errors.New("starting an engine needs the token: open the address that was printed at start")}

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

// tunedView is a player that a run of the folder found.
type tunedView struct {
	Name   string `json:"name"`
	Values string `json:"values"` // name=value,...
}

// maxTuned bounds their list.
const maxTuned = 50

// dataPlayers lists the tuned players and the engines of a game, the newest first.
func (s *site) dataPlayers(r *http.Request) (any, error) {
	game, err := games.Find(r.URL.Query().Get("game"))
	if err != nil {
		return nil, err
	}
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
		list = append(list, s.found(row, kind, game)...)
	}
	return map[string]any{"players": list, "engines": s.programs.of(game.Name)}, nil
}

// found is the player of a finished run, or the candidate if the run kept its start; none
// if it left no file that is whole: one bad file does not hide the players of other runs.
func (s *site) found(row runRow, kind runs.Kind, game *engines.Game) []tunedView {
	dir := filepath.Join(s.library.root, filepath.FromSlash(row.ID))
	for _, f := range []struct{ prefix, name string }{{"candidate: ", kind.CandidateFile}, {"tuned: ", kind.PlayerFile}} {
		path := filepath.Join(dir, f.name)
		data, err := datasets.ReadFile(path)
		if err != nil {
			continue
		}
		file, err := paramfile.Decode(path, data, game.Name, game.Space)
		if err != nil {
			continue
		}
		name := f.prefix + row.Name
		if file.Edited {
			name += paramfile.EditedMark
		}
		return []tunedView{{name, strings.Join(game.Space.Texts(file.Vector), ",")}}
	}
	return nil
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
