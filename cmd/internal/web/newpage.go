package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/levels"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/params"
)

// form shows the form of a new run: game, question and length.
func (s *site) form(w http.ResponseWriter, r *http.Request) {
	all, query := s.kinds.WithCommand(), r.URL.Query()
	kind, err := s.startable(cmp.Or(query.Get("kind"), all[0].Name))
	if err != nil {
		s.refuse(w, r, page{Title: "No such run", Here: "new"}, err)
		return
	}
	game, err := games.Find(query.Get("game"))
	if err != nil {
		game = games.Games()[0] // the form reports the error when it is filled in
	}
	players, budgets := examples(game)
	options, err := json.Marshal(table.Options(game))
	if err != nil {
		panic(err) // plain texts always marshal
	}
	s.show(w, r, "new", page{Title: "New run", Here: "new", Data: map[string]any{
		"Kind": kind, "Kinds": all, "Game": game, "Games": games.Games(), "Players": players, "Budgets": budgets,
		"Minutes": []int{1, 10, 60}, "Ask": questionOf(kind, query, players), "Options": string(options),
	}})
}

// startable returns a kind of runs that a form can start.
func (s *site) startable(name string) (runs.Kind, error) {
	all := s.kinds.WithCommand()
	if i := slices.IndexFunc(all, func(k runs.Kind) bool { return k.Name == name }); i >= 0 {
		return all[i], nil
	}
	return runs.Kind{}, fmt.Errorf("no form starts a run of kind %q%s", name, params.Suggest(name, all.Names()))
}

// actCommand answers with the command line of a form and its errors.
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

// formCost is the cost of a form's run on this machine.
type formCost struct {
	Command string  `json:"command"`
	Length  string  `json:"length"` // value of the field that makes it longer; "" as in the form
	Games   int64   `json:"games"`  // at most; 0 for a run without games
	Seconds float64 `json:"seconds"`
	Workers int     `json:"workers"` // games at a time
}

// actCost answers with the cost of a form's run. Of a run that is to take a number of
// minutes it chooses the length.
func (s *site) actCost(r *http.Request) (any, error) {
	var out formCost
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
		if plan, err = record.Lengthen(kind, c, int64(math.Ceil(60*minutes/pace))); err != nil {
			return out, err
		}
		for _, f := range config.Fields(c) {
			if f.Called(kind.LengthField(c)) {
				out.Length = f.Texts()[0]
			}
		}
	}
	out.Command, out.Workers = commandLine(kind, c), s.jobs.workers
	out.Games, err = record.Games(plan)
	out.Seconds = pace * float64(out.Games)
	return out, err
}

// actStart starts the run of a form.
func (s *site) actStart(r *http.Request) (any, error) {
	kind, c, err := s.readForm(r)
	if err != nil {
		return nil, err
	}
	dir, err := s.jobs.start(r.Context(), kind, c)
	if err != nil {
		return nil, err
	}
	id, err := s.library.id(dir)
	return map[string]string{"id": id}, err
}

// readConfig reads the values of a form into the config of a kind.
func readConfig(kind runs.Kind, values map[string][]string) (runs.Config, error) {
	c := kind.New()
	table := map[string]any{}
	for name, texts := range values {
		texts = slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return strings.TrimSpace(t) == "" })
		switch len(texts) {
		case 0:
		case 1:
			table[name] = texts[0]
		default:
			list := []any{}
			for _, t := range texts {
				list = append(list, t)
			}
			table[name] = list
		}
	}
	return c, config.Table(c, table)
}

// readForm reads the form of a kind of run. No page can name a program to start: it chooses among
// the engines given to the server.
func (s *site) readForm(r *http.Request) (kind runs.Kind, c runs.Config, err error) {
	if err := r.ParseForm(); err != nil {
		return kind, nil, err
	}
	if kind, err = s.startable(r.PostForm.Get("kind")); err != nil {
		return kind, nil, err
	}
	values := map[string][]string{}
	for name, texts := range r.PostForm {
		if name != "kind" && name != "minutes" {
			values[name] = texts
		}
	}
	if err := s.programs.admit(values); err != nil {
		return kind, nil, err
	}
	c, err = readConfig(kind, values)
	return kind, c, err
}

// formField is a field of a form. Of Choices, List, Lines and neither there is one at most.
type formField struct {
	Name, Arg, Help, Value, Default string

	Choices []string // all that it takes
	List    string   // the id of a list of examples
	Lines   bool     // it takes several values, a line each
}

// runForm is a form: the first questions, the length of the run, and the rest.
type runForm struct {
	First  []formField
	Length *formField // nil for none
	More   []formField
}

// questionOf sorts the fields of a kind, fields with values first. Fields for a player without a
// default begin with the given players.
func questionOf(kind runs.Kind, values url.Values, players []string) (q runForm) {
	c := kind.New()
	for _, f := range config.Fields(c) {
		if name := values.Get(f.Name); f.Called("method") && slices.Contains(kind.ChoicesOf(f), name) { // the choice decides which fields are long
			_ = f.Set(name) // the name is one of the choices
		}
	}
	first, length := map[string]formField{}, kind.LengthField(c)
	for _, f := range config.Fields(c) {
		one := formField{
			Name: f.Name, Arg: f.Arg, Help: kind.Help(f.Help), Value: strings.Join(values[f.Name], "\n"),
			Choices: kind.ChoicesOf(f), Lines: f.List(),
		}
		if texts := f.Texts(); len(texts) == 1 {
			one.Default = texts[0]
		}
		switch {
		case one.Choices != nil || one.Lines:
		case f.Bool():
			one.Choices = []string{"true", "false"}
		case alternatives.MatchString(f.Arg):
			one.Choices = strings.Split(f.Arg, "|")
		case f.Arg == "PLAYER" || f.Arg == "BUDGET":
			one.List = strings.ToLower(f.Arg) + "s"
		}
		switch {
		case f.Called("game"): // the form has the game above
		case f.Called(length):
			q.Length = &one
		case slices.ContainsFunc(kind.Command.Ask, f.Called):
			if f.Arg == "PLAYER" && !one.Lines && one.Value == "" && !strings.Contains(f.Help, "default:") && len(players) > 0 {
				one.Value, players = players[0], players[1:]
			}
			first[kind.Command.Ask[slices.IndexFunc(kind.Command.Ask, f.Called)]] = one
		case one.Value != "":
			q.First = append(q.First, one)
		default:
			q.More = append(q.More, one)
		}
	}
	for _, name := range slices.Backward(kind.Command.Ask) {
		if f, ok := first[name]; ok {
			q.First = slices.Insert(q.First, 0, f)
		}
	}
	return q
}

// alternatives lists the words that a field takes.
var alternatives = regexp.MustCompile(`^[a-z]+(\|[a-z]+)+$`)

// examples are players of a game, and budgets that it knows.
func examples(game *engines.Game) (players, budgets []string) {
	for _, p := range game.Presets {
		players = append(players, p.Name)
	}
	list, err := levels.Of(game)
	if err != nil {
		list = nil // the presets remain
	}
	for _, l := range list {
		players = append(players, levels.Prefix+l.Name)
	}
	for _, text := range []string{"depth=1", "depth=3", "nodes=10000", "playouts=1000", "time=100ms", "time=1s"} {
		if limits, err := engines.ParseLimits(text); err == nil && game.CheckLimits(limits) == nil {
			budgets = append(budgets, text)
		}
	}
	return players, budgets
}
