package web

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"selfplaylab/engines/runs"
)

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
	text, err := toml.Marshal(rec.Config)
	if err != nil {
		return nil, err
	}
	var spec map[string]any
	if err := toml.NewDecoder(bytes.NewReader(text)).Decode(&spec); err != nil {
		return nil, err
	}
	more := flatten("", spec, m.Parameters)
	slices.SortFunc(more, func(a, b setting) int { return strings.Compare(a.Name, b.Name) })
	return append(list, more...), nil
}

// flatten names the values of nested tables, and those of a vector by their
// parameters.
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
			words := []string{}
			for _, v := range x {
				words = append(words, fmt.Sprint(v))
			}
			list = append(list, setting{name, strings.Join(words, ", ")})
		default:
			list = append(list, setting{name, fmt.Sprint(value)})
		}
	}
	return list
}
