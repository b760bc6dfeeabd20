package player

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// findCustom returns the named custom player and its values, with PARAMETER=VALUE applied.
func findCustom(game *engines.Game, custom []Custom, name string, sets []string) (*Custom, params.Vector, error) {
	if i := slices.IndexFunc(custom, func(c Custom) bool { return strings.ContainsAny(c.Name, ",@") }); i >= 0 {
		return nil, nil, fmt.Errorf("custom player %q: a Name has no , and no @, which end it in a player's text", custom[i].Name)
	}
	i := slices.IndexFunc(custom, func(c Custom) bool { return c.Name == name })
	if i < 0 {
		return nil, nil, fmt.Errorf("no custom player %q%s: give it in the field Custom of what is asked", name, params.Suggest(name, customNames(custom)))
	}
	c := custom[i]
	switch {
	case slices.Contains(customNames(custom[i+1:]), name):
		return nil, nil, fmt.Errorf("custom player %q is given twice: a name stands for one player", name)
	case name == "" || c.New == nil:
		return nil, nil, fmt.Errorf("custom player %q: want a Name, and New, which makes the player", name)
	}
	if err := game.Space.Check(c.Values); err != nil && c.Values != nil {
		return nil, nil, fmt.Errorf("custom player %q: Values: %w", name, err)
	}
	if sets == nil {
		return &c, c.Values, nil
	}
	if c.Values == nil {
		return nil, nil, fmt.Errorf("custom player %q has no parameters: take out %s", name, strings.Join(sets, ","))
	}
	values, err := game.Space.Set(c.Values, sets)
	return &c, values, err
}

// customNames returns the names of custom players.
func customNames(custom []Custom) (names []string) {
	for _, c := range custom {
		names = append(names, c.Name)
	}
	return names
}

// Provide adds the code of c's custom player to c, if c was read from a record: the player in
// custom with the same name and Repeatable. It does nothing for other players.
func (c *Config) Provide(custom []Custom) {
	if c.Custom == nil || c.Custom.New != nil {
		return
	}
	i := slices.IndexFunc(custom, func(given Custom) bool { return given.Name == c.Custom.Name && given.Repeatable == c.Custom.Repeatable })
	if i >= 0 {
		c.Custom = &custom[i]
	}
}

// open calls New and configures the player it returns.
func (c *Custom) open(v engines.Variant, values params.Vector) (engines.Player, error) {
	if c.New == nil {
		return nil, fmt.Errorf("custom player %q is Go code that this program does not have: only a program that gives it "+
			"(runs.Options.Custom) can play these games", c.Name)
	}
	p, err := c.New(v)
	if err == nil && p == nil {
		err = errors.New("its New returned neither a player nor an error")
	}
	if err == nil && len(values) > 0 {
		err = p.Configure(values)
	}
	if err != nil {
		return nil, fmt.Errorf("custom player %q: %w", c.Name, err)
	}
	return p, nil
}
