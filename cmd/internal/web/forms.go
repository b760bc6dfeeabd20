package web

import (
	"net/http"
	"slices"
	"strings"

	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
)

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

// commandLine is the command line with the same config: its values that are not the
// defaults.
func commandLine(kind runs.Kind, c runs.Config) string {
	words := kind.Words()
	for _, given := range config.Differences(c, kind.New()) {
		words = append(words, given.Words()...)
	}
	return runs.CommandText(words...)
}

// readForm reads a form of a kind of runs. No page names a program to start: an
// objective is refused, and engines are those that the server was started with.
func readForm(r *http.Request, p *programs) (kind runs.Kind, c runs.Config, err error) {
	if err := r.ParseForm(); err != nil {
		return kind, nil, err
	}
	if kind, err = kinds.Find(r.PostForm.Get("kind")); err != nil {
		return kind, nil, err
	}
	values := map[string][]string{}
	for name, texts := range r.PostForm {
		if name != "kind" {
			values[name] = texts
		}
	}
	if err := p.admit(values); err != nil {
		return kind, nil, err
	}
	c, err = readConfig(kind, values)
	return kind, c, err
}

// field is a field of a form.
type field struct{ Name, Arg, Help, Value, Default string }

// mainFields are those that most people set.
var mainFields = []string{"game", "a", "b", "pairs", "start", "iters", "sprt", "limits", "seed", "method"}

// fieldsOf are the fields of a kind, the main ones and those with values first.
func fieldsOf(kind runs.Kind, value func(name string) string) (first, more []field) {
	for _, f := range config.Fields(kind.New()) {
		one := field{Name: f.Name, Arg: f.Arg, Help: kind.Help(f.Help), Value: value(f.Name)}
		if texts := f.Texts(); len(texts) == 1 {
			one.Default = texts[0]
		}
		if slices.Contains(mainFields, f.Name) || one.Value != "" {
			first = append(first, one)
		} else {
			more = append(more, one)
		}
	}
	return first, more
}
