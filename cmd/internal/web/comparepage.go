package web

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/engines/runs"
	"selfplaylab/reports"
	"selfplaylab/reports/figure"
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// maxCompared bounds the runs of a comparison.
const maxCompared = 12

// comparison is several runs side by side.
type comparison struct {
	Runs   []compared `json:"runs"`   // the baseline first
	Panels string     `json:"panels"` // the tuned parameters of all runs as HTML; "" without any
	Rest   string     `json:"rest"`   // the further ones, where they are many
}

// compared is a run of a comparison.
type compared struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	Called     string    `json:"called"`
	Status     status    `json:"status"`
	Settings   []setting `json:"settings"`
	Values     []setting `json:"values"` // start, tuned value and interval of each tuned parameter
	Charts     []chart   `json:"charts"`
	Difference string    `json:"difference"` // from the baseline, or why there is none

	game, rules string
	panels      []figure.Panel
	question    *part // nil without trials
	level       float64
}

// dataCompare answers with the settings and results of runs, the baseline first.
func (s *site) dataCompare(r *http.Request) (any, error) {
	ids := r.URL.Query()["run"]
	if len(ids) > maxCompared {
		return nil, fmt.Errorf("%d runs: at most %d can be compared", len(ids), maxCompared)
	}
	c := comparison{Runs: []compared{}}
	for _, id := range ids {
		one, err := s.compared(id)
		if err != nil {
			return nil, coded{http.StatusNotFound, fmt.Errorf("%s: %w", id, err)}
		}
		if len(c.Runs) > 0 {
			one.Difference = one.difference(c.Runs[0])
		}
		c.Runs = append(c.Runs, one)
	}
	return c, c.draw()
}

// difference compares the result with another run's: Elo differ only on the scale of one game
// and one opponent.
func (c compared) difference(base compared) string {
	a, b := c.question, base.question
	switch {
	case a == nil || b == nil || a.pairs.N() == 0 || b.pairs.N() == 0:
		return "no result to compare"
	case c.game != base.game || c.rules != base.rules:
		return "not comparable: another game or other rules"
	case a.opponent != b.opponent:
		return "not comparable: another opponent"
	}
	return rating.Compare(a.pairs, b.pairs, base.level).String()
}

func (s *site) compared(id string) (c compared, err error) {
	m, err := s.model(id)
	if err != nil {
		return c, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	meta := m.view.Log.Meta
	c = compared{ID: id, Charts: m.curves(), level: m.charts.level, game: meta.Game, rules: meta.Rules, Values: []setting{}}
	if p := m.charts.question(); p != nil {
		c.question = &part{opponent: p.opponent, pairs: p.pairs}
	}
	var failed, unnamed error
	c.Name, c.Called, unnamed = s.names(id)
	c.Status, err = m.status()
	c.Status.Head = "" // is not shown here
	c.Settings, failed = settingsOf(m.view.Recorded)
	v, wrong := m.view.Verdict()
	for _, block := range v.More {
		if panels, ok := block.(reports.Panels); ok {
			c.panels = slices.Concat(panels.List, panels.Rest)
		}
	}
	for _, p := range c.panels {
		c.Values = append(c.Values, setting{p.Name, p.Note})
	}
	return c, errors.Join(err, failed, unnamed, wrong)
}

// maxPanels is how many parameters a comparison shows before the others are unfolded.
const maxPanels = 12

// draw draws a panel for each parameter of one game, with a path of each run in the colour of its place.
func (c *comparison) draw() error {
	var list []figure.Panel
	places := map[[3]string]int{} // by game, rules and name
	for i, run := range c.Runs {
		for _, p := range run.panels {
			key := [3]string{run.game, run.rules, p.Name}
			k, known := places[key]
			if !known {
				k, places[key] = len(list), len(list)
				list = append(list, figure.Panel{Name: p.Name, Min: p.Min, Max: p.Max, Log: p.Log, Ends: p.Ends})
			}
			of := &list[k]
			if p.Min < of.Min {
				of.Min, of.Ends[0] = p.Min, p.Ends[0]
			}
			if p.Max > of.Max {
				of.Max, of.Ends[1] = p.Max, p.Ends[1]
			}
			of.X, of.Log = max(of.X, p.X), of.Log && p.Log
			if !slices.Contains(of.Starts, p.Starts[0]) {
				of.Starts = append(of.Starts, p.Starts[0])
			}
			for len(of.Paths) < i {
				of.Paths = append(of.Paths, nil)
			}
			of.Paths = append(of.Paths, p.Paths[0])
		}
	}
	key := "The height is the range, the dashed line the start; each run has the colour of its name above."
	html := func(list []figure.Panel) (string, error) {
		if len(list) == 0 {
			return "", nil
		}
		drawn, err := reports.Panels{Name: "values", Title: "Tuned parameters", Key: key, List: list}.HTML()
		return string(drawn), err
	}
	n := min(maxPanels, len(list))
	var failed, err error
	c.Panels, failed = html(list[:n])
	c.Rest, err = html(list[n:])
	return errors.Join(failed, err)
}

// setting is a value of a run's config.
type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// settingsOf lists the values of run.toml that decide a run's games, each with a name.
func settingsOf(rec *runs.Recorded) ([]setting, error) {
	m := rec.Log.Meta
	list := []setting{
		{"game", m.Game}, {"rules", m.Rules}, {"kind", m.Kind}, {"seed", fmt.Sprint(m.Seed)}, {"program", m.Program},
	}
	data, err := toml.Marshal(rec.Config)
	if err != nil {
		return nil, err
	}
	var spec map[string]any
	if err := toml.NewDecoder(bytes.NewReader(data)).Decode(&spec); err != nil {
		return nil, err
	}
	more := flatten("", spec, m.Parameters)
	slices.SortFunc(more, func(a, b setting) int { return strings.Compare(a.Name, b.Name) })
	return append(list, more...), nil
}

// flatten names the values of nested tables, and the values of a vector by their parameters.
func flatten(prefix string, table map[string]any, parameters []string) (list []setting) {
	for key, value := range table {
		name := prefix + key
		switch x := value.(type) {
		case map[string]any:
			list = append(list, flatten(name+".", x, parameters)...)
		case []any:
			if len(x) == len(parameters) && key == "values" {
				for i, v := range x {
					list = append(list, setting{prefix + parameters[i], fmt.Sprint(v)})
				}
				continue
			}
			words := text.Each(x, func(v any) string { return fmt.Sprint(v) })
			list = append(list, setting{name, strings.Join(words, ", ")})
		default:
			list = append(list, setting{name, fmt.Sprint(value)})
		}
	}
	return list
}
