package tuning

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/runs/config"
	"selfplaylab/engines/runs/tuning/analysis"
	"selfplaylab/params"
)

// NewTuner makes a tuner for a space from a start, with a budget in pairs.
type NewTuner func(space params.Space, start params.Vector, pairs int, seed uint64) (params.Tuner, error)

// ParseMethod reads a method in the words of tune's flags: the name, then the method's flags and
// --pairs, as in "spsa --c-end 5 --pairs 8". It makes the tuners of tune.
func ParseMethod(words string) (NewTuner, error) {
	list := strings.Fields(words)
	if len(list) == 0 {
		return nil, config.Wrap("method", fmt.Errorf("%q: want the name of a method", words))
	}
	settings, each := map[string]any{}, 0
	for i := 1; i < len(list); i++ {
		flag, value, given := strings.Cut(list[i], "=")
		if !given && i+1 < len(list) {
			i++
			value = list[i]
		}
		name, isFlag := strings.CutPrefix(flag, "--")
		if !isFlag || value == "" {
			return nil, config.Errorf("method", "%q: %s: want flags of that method, as --name value", words, flag)
		}
		settings[name] = value
	}
	var err error
	if text, given := settings["pairs"]; given {
		if each, err = strconv.Atoi(text.(string)); err != nil || each < 1 {
			return nil, config.Errorf("method", "%q: --pairs %s: want a whole number of at least 1", words, text)
		}
		delete(settings, "pairs")
	}
	find := func() (Method, error) {
		m, err := find(Methods(), list[0])
		if err != nil {
			return nil, err
		}
		if err = config.Table(m, settings); err == nil && m.Info().SetPairs == nil {
			err = errors.New("has no budget in games to compare it at")
		}
		if err != nil {
			err = config.Wrap("method", fmt.Errorf("%q: %w", words, err))
		}
		return m, err
	}
	if _, err := find(); err != nil {
		return nil, err
	}
	return func(space params.Space, start params.Vector, pairs int, seed uint64) (params.Tuner, error) {
		m, err := find()
		if err != nil {
			return nil, err
		}
		t := &analysis.Task{Game: &engines.Game{Name: "problem", Title: "problem", Space: space}, Start: start, Pairs: each}
		if t.Active, err = new(Config).active(m, t.Game); err != nil {
			return nil, err
		}
		m.Info().SetPairs(t, pairs)
		if err := m.Check(t); err != nil {
			return nil, err
		}
		return m.Tuner(t, seed)
	}, nil
}
