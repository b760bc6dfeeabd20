package web

import (
	"cmp"
	"net/http"

	"selfplaylab/engines/games"
	"selfplaylab/engines/runs/kinds"
)

// form shows the fields of a new run of a kind.
func (s *site) form(w http.ResponseWriter, r *http.Request) {
	all, query := kinds.Kinds(), r.URL.Query()
	kind, err := kinds.Find(cmp.Or(query.Get("kind"), all[0].Name))
	if err != nil {
		s.show(w, r, "error", page{Title: "No such run", Here: "new", Data: err.Error()})
		return
	}
	first, more := fieldsOf(kind, query.Get)
	s.show(w, r, "new", page{Title: "New " + kind.Name, Here: "new", Data: map[string]any{
		"Kind": kind.Name, "Kinds": all, "Command": commandLine(kind, kind.New()), "Short": kind.Short, "First": first, "More": more,
		"Games": games.Names(),
	}})
}

// actCommand answers with the command line of a form and what is wrong with it.
func (s *site) actCommand(w http.ResponseWriter, r *http.Request) {
	kind, c, err := readForm(r, s.programs)
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	out := map[string]string{"command": commandLine(kind, c)}
	if s.may(r) { // it reads files that are named
		if _, err := c.Plan(); err != nil {
			out["error"] = err.Error()
		}
	}
	reply(w, out)
}

// actStart starts the run of a form.
func (s *site) actStart(w http.ResponseWriter, r *http.Request) {
	kind, c, err := readForm(r, s.programs)
	var dir, id string
	if err == nil {
		dir, err = s.jobs.start(kind, c)
	}
	if err == nil {
		id, err = s.library.id(dir)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	reply(w, map[string]string{"id": id})
}
