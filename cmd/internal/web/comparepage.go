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
	"selfplaylab/reports/rating"
	"selfplaylab/reports/text"
)

// maxCompared bounds the runs of a comparison.
const maxCompared = 12

// comparison is a run of a comparison.
type comparison struct {
	ID         string    `json:"id"`
	Name       string    `json:"name"`
	Called     string    `json:"called"`
	Status     status    `json:"status"`
	Settings   []setting `json:"settings"`
	Charts     []chart   `json:"charts"`
	Difference string    `json:"difference"` // from the baseline, the first run; "" if there is none

	game  string
	pairs rating.Pairs // of its question
	level float64
}

// dataCompare answers with the settings and results of runs, the baseline first.
func (s *site) dataCompare(r *http.Request) (any, error) {
	ids := r.URL.Query()["run"]
	if len(ids) > maxCompared {
		return nil, fmt.Errorf("%d runs: at most %d can be compared", len(ids), maxCompared)
	}
	list := []comparison{}
	for _, id := range ids {
		c, err := s.compared(id)
		if err != nil {
			return nil, coded{http.StatusNotFound, fmt.Errorf("%s: %w", id, err)}
		}
		// Elo of two games has no common scale.
		if len(list) > 0 && list[0].game == c.game && list[0].pairs.N() > 0 && c.pairs.N() > 0 {
			c.Difference = rating.Compare(c.pairs, list[0].pairs, list[0].level).String()
		}
		list = append(list, c)
	}
	return list, nil
}

func (s *site) compared(id string) (c comparison, err error) {
	m, err := s.model(id)
	if err != nil {
		return c, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c = comparison{ID: id, Charts: m.curves(), level: m.charts.level, game: m.view.Log.Meta.Game}
	if p := m.charts.question(); p != nil {
		c.pairs = p.pairs
	}
	var failed, unnamed error
	c.Name, c.Called, unnamed = s.names(id)
	c.Status, err = m.status()
	c.Settings, failed = settingsOf(m.view.Recorded)
	return c, errors.Join(err, failed, unnamed)
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
