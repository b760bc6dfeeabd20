package web

import (
	"net/http"
	"slices"
	"strings"

	"selfplaylab/engines/games"
	"selfplaylab/engines/runs"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/kinds"
	"selfplaylab/engines/runs/tuning"
)

// asked reads a form into the question of a kind.
func asked(kind string, values map[string][]string) (runs.Config, error) {
	k, err := kinds.Find(kind)
	if err != nil {
		return nil, err
	}
	a := k.New()
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
	return a, config.Table(a, table)
}

// command is what asks the same on a command line: what differs from the defaults.
func command(kind string, a runs.Config) (string, error) {
	k, err := kinds.Find(kind)
	if err != nil {
		return "", err
	}
	words := []string{"selfplay", kind}
	if kind == "tune" {
		words = words[1:]
	}
	for _, said := range config.Differences(a, k.New()) {
		for _, v := range said.Values {
			words = append(words, "--"+strings.ReplaceAll(said.Name, "_", "-"), runs.Quote(v))
		}
	}
	return strings.Join(words, " "), nil
}

func kindNames() (names []string) {
	for _, k := range kinds.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// filled puts the names of games and methods into a help text.
func filled(help string) string {
	var methods []string
	for _, m := range tuning.Methods() {
		methods = append(methods, m.Info().Name)
	}
	return strings.NewReplacer("{games}", strings.Join(games.Names(), ", "), "{methods}", strings.Join(methods, ", ")).Replace(help)
}

// usual are the fields that most people set.
var usual = map[string]bool{"game": true, "a": true, "b": true, "pairs": true, "start": true, "iters": true, "sprt": true, "limits": true, "seed": true, "method": true}

// question reads a form of a kind of runs. No page names a program to start: an
// objective is refused, and engines are those that the server was started with.
func question(r *http.Request, p *programs) (kind string, a runs.Config, err error) {
	if err := r.ParseForm(); err != nil {
		return "", nil, err
	}
	values := map[string][]string{}
	for name, texts := range r.PostForm {
		if name != "kind" {
			values[name] = texts
		}
	}
	if err := p.admit(values); err != nil {
		return "", nil, err
	}
	kind = r.PostForm.Get("kind")
	a, err = asked(kind, values)
	return kind, a, err
}
