package player

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// customPrefix begins the text of a player that is the caller's own Go code.
const customPrefix = "custom:"

// Custom is a player made by Go code of the caller of the library. Players' texts
// name it as custom:NAME. A run records its name and what it states; only a program
// that gives the same player again can resume the run or replay its games.
type Custom struct {
	Name string `toml:"name" json:"name"` // of the player and its version, without , and @: it stands for the code
	// Repeatable states that the player makes the same decision again after the same
	// history, with the same seed, values and limits.
	Repeatable bool `toml:"repeatable" json:"repeatable"`
	// Values are those that it starts with, of the game's parameters; nil for a player
	// without parameters, whose Configure is never called.
	Values params.Vector `toml:"-" json:"-"`
	// New makes a player; several play at a time, each in one goroutine.
	New func(engines.Variant) (engines.Player, error) `toml:"-" json:"-"`
}

// parseCustom reads custom:NAME[,name=value...] for e.
func (e *Config) parseCustom(game *engines.Game, custom []Custom) error {
	name, rest, more := strings.Cut(strings.TrimPrefix(e.Player, customPrefix), ",")
	if i := slices.IndexFunc(custom, func(c Custom) bool { return strings.ContainsAny(c.Name, ",@") }); i >= 0 {
		return fmt.Errorf("custom player %q: a Name has no , and no @, which end it in a player's text", custom[i].Name)
	}
	i := slices.IndexFunc(custom, func(c Custom) bool { return c.Name == name })
	if i < 0 {
		return fmt.Errorf("no custom player %q%s: give it in the field Custom of what is asked", name, params.Suggest(name, customNames(custom)))
	}
	c := custom[i]
	switch {
	case slices.Contains(customNames(custom[i+1:]), name):
		return fmt.Errorf("custom player %q is given twice: a name stands for one player", name)
	case name == "" || c.New == nil:
		return fmt.Errorf("custom player %q: want a Name, and New, which makes the player", name)
	}
	if err := game.Space.Check(c.Values); err != nil && c.Values != nil {
		return fmt.Errorf("custom player %q: Values: %w", name, err)
	}
	e.Custom, e.Values = &c, c.Values
	if !more {
		return nil
	}
	if c.Values == nil {
		return fmt.Errorf("custom player %q has no parameters: take out %s", name, rest)
	}
	var err error
	e.Values, err = game.Space.Set(c.Values, strings.Split(rest, ","))
	return err
}

func customNames(custom []Custom) (names []string) {
	for _, c := range custom {
		names = append(names, c.Name)
	}
	return names
}

// Provide gives e the code of its custom player, where it was read from a record.
func (e *Config) Provide(custom []Custom) {
	if e.Custom == nil || e.Custom.New != nil {
		return
	}
	i := slices.IndexFunc(custom, func(c Custom) bool { return c.Name == e.Custom.Name && c.Repeatable == e.Custom.Repeatable })
	if i >= 0 {
		e.Custom = &custom[i]
	}
}

// open makes the player.
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
