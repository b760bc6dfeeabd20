package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/engines/games"
	"selfplaylab/engines/runs/config"
)

// form asks for a new run: which game, what to find out, how long.
func (s *site) form(w http.ResponseWriter, r *http.Request) {
	all, query := s.kinds.WithCommand(), r.URL.Query()
	kind, err := s.kinds.Find(cmp.Or(query.Get("kind"), all[0].Name))
	if err == nil && kind.Command == nil {
		err = errors.New("a run of kind " + kind.Name + " is not started here")
	}
	if err != nil {
		s.show(w, r, "error", page{Title: "No such run", Here: "new", Data: err.Error()})
		return
	}
	game, err := games.Find(query.Get("game"))
	if err != nil {
		game = games.Games()[0] // the form says what is wrong once it is filled in
	}
	players, budgets := examples(game)
	options, err := json.Marshal(table.Options(game))
	if err != nil {
		panic(err) // they are plain texts
	}
	s.show(w, r, "new", page{Title: "New run", Here: "new", Data: map[string]any{
		"Kind": kind, "Kinds": all, "Game": game, "Games": games.Games(), "Players": players, "Budgets": budgets,
		"Minutes": []int{1, 10, 60}, "Ask": questionOf(kind, query, players), "Options": string(options),
	}})
}

// actCommand answers with the command line of a form and what is wrong with it.
func (s *site) actCommand(r *http.Request) (any, error) {
	kind, c, err := s.readForm(r)
	if err != nil {
		return nil, err
	}
	out := map[string]string{"command": commandLine(kind, c)}
	if s.may(r) { // it reads files that are named
		if _, err := c.Plan(); err != nil {
			out["error"] = err.Error()
		}
	}
	return out, nil
}

// cost is what a form's run takes here.
type cost struct {
	Command string  `json:"command"`
	Length  string  `json:"length"` // value of the field that makes it longer; "" as in the form
	Games   int64   `json:"games"`  // at most; 0 for a run without games
	Seconds float64 `json:"seconds"`
	Workers int     `json:"workers"` // games at a time
}

// actCost answers with the cost of a form's run. Of a run that is to take a number of
// minutes it chooses the length.
func (s *site) actCost(r *http.Request) (any, error) {
	var out cost
	kind, c, err := s.readForm(r)
	if err != nil {
		return out, err
	}
	plan, err := c.Plan()
	if err != nil {
		return out, err
	}
	pace, err := s.pace.Seconds(r.Context(), plan, s.jobs.workers)
	if err != nil {
		return out, err
	}
	if text := r.PostForm.Get("minutes"); text != "" && pace > 0 {
		minutes, err := strconv.ParseFloat(text, 64)
		if err != nil || !(minutes > 0 && minutes <= 1e6) {
			return out, config.Errorf("minutes", "%q: want a number above 0", text)
		}
		if plan, err = kind.Lengthen(c, int64(math.Ceil(60*minutes/pace))); err != nil {
			return out, err
		}
		for _, f := range config.Fields(c) {
			if f.Name == kind.LengthField(c) {
				out.Length = f.Texts()[0]
			}
		}
	}
	out.Command, out.Workers = commandLine(kind, c), s.jobs.workers
	out.Games, err = plan.Games()
	out.Seconds = pace * float64(out.Games)
	return out, err
}

// actStart starts the run of a form.
func (s *site) actStart(r *http.Request) (any, error) {
	kind, c, err := s.readForm(r)
	if err != nil {
		return nil, err
	}
	dir, err := s.jobs.start(kind, c)
	if err != nil {
		return nil, err
	}
	id, err := s.library.id(dir)
	return map[string]string{"id": id}, err
}
