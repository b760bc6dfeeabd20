package tuning

import (
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
)

// asking is a method with settings, to be given a space and a budget.
type asking struct {
	Words string // as typed

	name     string
	settings []config.Said
	pairs    int
}

// ParseMethod reads a method as the flags of tune say it: its name, then its own
// flags and --pairs, as in "spsa --gains classic --pairs 8".
func ParseMethod(words string) (*asking, error) {
	list := strings.Fields(words)
	if len(list) == 0 {
		return nil, config.Wrap("method", fmt.Errorf("%q: want the name of a method", words))
	}
	a := &asking{Words: strings.Join(list, " "), name: list[0]}
	m, err := find(Methods(), a.name)
	if err != nil {
		return nil, err
	}
	if m.Info().SetPairs == nil {
		return nil, config.Errorf("method", "%q: has no budget in games to compare it at", a.Words)
	}
	fields := config.Fields(m)
	for i := 1; i < len(list); i++ {
		flag, value, ok := strings.Cut(list[i], "=")
		name, isFlag := strings.CutPrefix(flag, "--")
		if !isFlag {
			return nil, config.Errorf("method", "%q: %s: want flags of that method, as --name value", a.Words, list[i])
		}
		if !ok {
			if i++; i == len(list) {
				return nil, config.Errorf("method", "%q: %s wants a value", a.Words, flag)
			}
			value = list[i]
		}
		if err := a.add(fields, strings.ReplaceAll(name, "-", "_"), value); err != nil {
			return nil, config.Wrap("method", fmt.Errorf("%q: %w", a.Words, err))
		}
	}
	return a, nil
}

// add takes one setting.
func (a *asking) add(fields []config.Field, name, value string) error {
	if name == "pairs" {
		_, err := fmt.Sscan(value, &a.pairs)
		if err != nil || a.pairs < 1 {
			return fmt.Errorf("--pairs %s: want a whole number of at least 1", value)
		}
		return nil
	}
	i := slices.IndexFunc(fields, func(f config.Field) bool { return f.Name == name })
	if i < 0 {
		names := []string{"pairs"}
		for _, f := range fields {
			names = append(names, f.Name)
		}
		return fmt.Errorf("--%s: is no setting of %s%s", strings.ReplaceAll(name, "_", "-"), a.name, params.Suggest(name, names))
	}
	if err := fields[i].Set(value); err != nil {
		return fmt.Errorf("--%s: %w", strings.ReplaceAll(name, "_", "-"), err)
	}
	a.settings = append(a.settings, config.Said{Name: name, Values: []string{value}})
	return nil
}

// Tuner makes the tuner that tune would use for a space, from a start and with a
// budget in pairs.
func (a *asking) Tuner(space params.Space, start params.Vector, pairs int, seed uint64) (params.Tuner, error) {
	m, err := find(Methods(), a.name)
	if err != nil {
		return nil, err
	}
	fields := config.Fields(m)
	for _, s := range a.settings {
		f := fields[slices.IndexFunc(fields, func(f config.Field) bool { return f.Name == s.Name })]
		for _, text := range s.Values {
			if err := f.Set(text); err != nil {
				return nil, err
			}
		}
	}
	t := &analysis.Task{Game: &engines.Game{Name: "problem", Title: "problem", Space: space}, Start: start, Pairs: a.pairs}
	info := m.Info()
	if info.Tuned != nil {
		if t.Active, err = info.Tuned(space); err != nil {
			return nil, err
		}
	} else {
		on, err := space.Active(nil, nil)
		if err != nil {
			return nil, err
		}
		for _, i := range on {
			t.Active = append(t.Active, space[i].Name)
		}
		if t.Active, err = withChoices(m, space, t.Active); err != nil {
			return nil, err
		}
	}
	info.SetPairs(t, pairs)
	if err := m.Check(t); err != nil {
		return nil, err
	}
	return m.Tuner(t, seed)
}
