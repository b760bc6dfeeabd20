package web

import (
	"cmp"
	"net/http"

	"selfplaylab/engines/games"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
)

// form shows what may be asked of a kind of runs.
func (s *site) form(w http.ResponseWriter, r *http.Request) {
	kind := cmp.Or(r.URL.Query().Get("kind"), kinds.Kinds()[0].Name)
	k, err := kinds.Find(kind)
	if err != nil {
		s.show(w, r, "error", page{Title: "No such run", Here: "new", Data: err.Error()})
		return
	}
	type field struct{ Name, Arg, Help, Value, Default string }
	var first, more []field
	for _, f := range config.Fields(k.New()) {
		one := field{Name: f.Name, Arg: f.Arg, Help: filled(f.Help)}
		if texts := f.Texts(); len(texts) == 1 {
			one.Default = texts[0]
		}
		one.Value = r.URL.Query().Get(f.Name)
		if usual[f.Name] || one.Value != "" {
			first = append(first, one)
		} else {
			more = append(more, one)
		}
	}
	s.show(w, r, "new", page{Title: "New " + kind, Here: "new", Data: map[string]any{
		"Kind": kind, "Kinds": kindNames(), "Short": k.Short, "First": first, "More": more, "Games": games.Names(),
	}})
}

func (s *site) actCommand(w http.ResponseWriter, r *http.Request) {
	kind, a, err := question(r, s.programs)
	if err == nil {
		var text string
		if text, err = command(kind, a); err == nil {
			out := map[string]string{"command": text}
			if s.may(r) { // it reads files that are named
				if _, err := a.Plan(); err != nil {
					out["error"] = err.Error()
				}
			}
			reply(w, out)
			return
		}
	}
	fail(w, http.StatusBadRequest, err)
}

func (s *site) actStart(w http.ResponseWriter, r *http.Request) {
	kind, a, err := question(r, s.programs)
	if err == nil {
		var dir, id string
		if dir, err = s.jobs.start(kind, a); err == nil {
			if id, err = s.library.id(dir); err == nil {
				reply(w, map[string]string{"id": id})
				return
			}
		}
	}
	fail(w, http.StatusBadRequest, err)
}
