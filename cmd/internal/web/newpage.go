package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"selfplaylab/cmd/internal/web/table"
	"selfplaylab/engines"
	"selfplaylab/engines/games"
	"selfplaylab/engines/levels"
	"selfplaylab/engines/player"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/record"
	"selfplaylab/params"
	"selfplaylab/reports/text"
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
	options, err := json.Marshal(table.Options(game))
	if err != nil {
		panic(err) // plain texts always marshal
	}
	players, err := s.choices(game)
	if err != nil {
		s.refuse(w, r, page{Title: "New run", Here: "new"}, err)
		return
	}
	s.show(w, r, "new", page{Title: "New run", Here: "new", Data: map[string]any{
		"Kind": kind, "Kinds": all, "Game": game, "Games": games.Games(), "Budgets": budgets(game),
		"Ask": questionOf(kind, query, game, players), "Options": string(options),
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
	out := formCommand{Command: commandLine(kind, c)}
	if s.may(r) { // it reads files that are named
		if err := out.plan(kind, c); err != nil {
			out.Error = err.Error()
		}
	}
	return out, nil
}

// formCommand is the command of a form's run, and of its plan the length and what it can show.
type formCommand struct {
	Command string  `json:"command"`
	Error   string  `json:"error,omitempty"`
	Games   int64   `json:"games"` // at most; 0 for a run without games
	Finds   float64 `json:"finds"` // Elo, see runs.Command; 0 for none
	Shows   string  `json:"shows"`
	Length  string  `json:"length"` // "" if the plan does not say
}

// plan plans the run.
func (f *formCommand) plan(kind runs.Kind, c runs.Config) error {
	plan, err := c.Plan()
	if err != nil {
		return err
	}
	for _, field := range config.Fields(plan.Config) {
		if field.Called(kind.LengthField(c)) {
			f.Length = strings.Join(field.Texts(), "")
		}
	}
	if f.Shows = kind.Command.Shows; kind.Command.Finds != nil {
		f.Finds = kind.Command.Finds(plan.Config)
	}
	f.Games, err = record.Games(plan)
	return err
}

// formCost is the time of a form's run on this machine.
type formCost struct {
	Seconds float64 `json:"seconds"` // 0 if it is not known before the games are played
	Workers int     `json:"workers"` // games at a time
}

// actCost answers with the cost of a form's run.
func (s *site) actCost(r *http.Request) (any, error) {
	var out formCost
	_, c, err := s.readForm(r)
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
	out.Workers = s.jobs.workers
	games, err := record.Games(plan)
	out.Seconds = pace * float64(games)
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
		if name != "kind" {
			values[name] = texts
		}
	}
	if err := s.programs.admit(values); err != nil {
		return kind, nil, err
	}
	c, err = readConfig(kind, values)
	return kind, c, err
}

// formField is a field of a form. Of Choices, Players, List, Lines and neither there is one at most; a field of Players may
// take several.
type formField struct {
	Name, Label, Arg, Help, Value, Default string

	Choices []string  // all that it takes
	Players []choices // the players of the game: one is chosen, or several with Lines
	List    string    // the id of a list of examples
	Lines   bool      // it takes several values, a line each
	None    string    // what plays if no player is chosen; "" if one must be
}

// runForm is a form: the first questions, the length of the run, and the rest.
type runForm struct {
	First  []formField
	Length *formField // nil for none
	More   []formField
}

// questionOf sorts the fields of a kind, fields with values first. Players of the question are chosen from a list; those
// without a default begin with the first ones.
func questionOf(kind runs.Kind, values url.Values, game *engines.Game, players []choices) (q runForm) {
	c := kind.New()
	for _, f := range config.Fields(c) {
		if name := values.Get(f.Name); f.Called("method") && slices.Contains(kind.ChoicesOf(f), name) { // the choice decides which fields are long
			_ = f.Set(name) // the name is one of the choices
		}
	}
	first, length, place := map[string]formField{}, kind.LengthField(c), 0
	for _, f := range config.Fields(c) {
		one := fieldOf(kind, f, values[f.Name])
		switch {
		case f.Called("game"): // the form has the game above
		case f.Called(length):
			q.Length = &one
		case slices.ContainsFunc(kind.Command.Ask, f.Called):
			if f.Arg == "PLAYER" {
				place = one.pick(game, players, values[f.Name], place)
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

// fieldOf returns the form's field of a field of a kind with given values.
func fieldOf(kind runs.Kind, f config.Field, values []string) formField {
	one := formField{
		Name: f.Name, Label: f.Label, Arg: f.Arg, Help: kind.Help(f.Help), Value: strings.Join(values, "\n"), Choices: kind.ChoicesOf(f), Lines: f.List(),
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
	return one
}

// noneChosen finds what a field's help says about a run without its value.
var noneChosen = regexp.MustCompile(`default: ([^()]*)\)$`)

// pick makes a field one of players. Given values are chosen, or else, if one must be, the preset at a place of the list; it
// returns the place of the next.
func (f *formField) pick(game *engines.Game, players []choices, given []string, place int) int {
	if m := noneChosen.FindStringSubmatch(f.Help); m != nil {
		f.None = m[1]
	}
	if len(given) == 0 && f.None == "" {
		given, place = []string{players[0].List[place%len(players[0].List)].Value}, place+1
	}
	f.List, f.Players = "", nil
	for _, group := range players {
		group.List = slices.Clone(group.List)
		for i := range group.List {
			one := &group.List[i]
			at := slices.Index(given, one.Value)
			if one.Chosen = at >= 0; at >= 0 {
				given = slices.Delete(slices.Clone(given), at, at+1)
			}
			one.Default = !f.Lines && f.None != "" && one.Value == game.DefaultPreset
		}
		f.Players = append(f.Players, group)
	}
	if len(given) > 0 { // written by hand or another page
		other := choices{Title: "Given"}
		for _, text := range given {
			other.List = append(other.List, choice{Value: text, Name: text, Chosen: true})
		}
		f.Players = slices.Insert(f.Players, 0, other)
	}
	return place
}

// alternatives lists the words that a field takes.
var alternatives = regexp.MustCompile(`^[a-z]+(\|[a-z]+)+$`)

// choice is a player of a list.
type choice struct {
	Value, Name, Doc string
	Chosen, Default  bool // Default: chosen by an empty value
}

// choices are players of one sort.
type choices struct {
	Title string
	List  []choice
}

// clauseEnd ends the first clause of a text.
var clauseEnd = regexp.MustCompile(`[.:;]( |$)`)

// choices lists the players of a game: presets, levels, what tunings found, and the server's engines.
func (s *site) choices(game *engines.Game) ([]choices, error) {
	presets, measured := choices{Title: "Presets"}, choices{Title: "Levels, with Elo above the first"}
	for _, p := range game.Presets {
		presets.List = append(presets.List, choice{Value: p.Name, Name: p.Name, Doc: clauseEnd.Split(p.Doc, 2)[0]})
	}
	list, err := levels.Of(game)
	if err != nil {
		return nil, err
	}
	for _, l := range list {
		measured.List = append(measured.List, choice{Value: levels.Prefix + l.Name, Name: fmt.Sprintf("%d %s %s", l.Number, l.Name, l.Chinese),
			Doc: fmt.Sprintf("%s Elo", text.Signed(l.Elo, 0))})
	}
	found, err := s.tuned(game)
	if err != nil {
		return nil, err
	}
	tuned, attached := choices{Title: "Found by tunings"}, choices{Title: "Engines"}
	for _, t := range found {
		tuned.List = append(tuned.List, choice{Value: t.file, Name: t.Name})
	}
	for _, name := range s.programs.of(game.Name) {
		attached.List = append(attached.List, choice{Value: player.EnginePrefix + name, Name: "engine: " + name})
	}
	return slices.DeleteFunc([]choices{presets, measured, tuned, attached}, func(c choices) bool { return len(c.List) == 0 }), nil
}

// budgets are examples of budgets that a game knows.
func budgets(game *engines.Game) (list []string) {
	for _, text := range []string{"depth=1", "depth=3", "nodes=10000", "playouts=1000", "time=100ms", "time=1s"} {
		if limits, err := engines.ParseLimits(text); err == nil && game.CheckLimits(limits) == nil {
			list = append(list, text)
		}
	}
	return list
}
