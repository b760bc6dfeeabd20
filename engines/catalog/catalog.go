// Package catalog lists the games: the one file to edit for a new game.
package catalog

import (
	"fmt"
	"sync"

	"selfplaylab/engines"
	"selfplaylab/engines/connectfour"
	"selfplaylab/engines/gobang"
	"selfplaylab/engines/mills"
	"selfplaylab/engines/quoridor"
	"selfplaylab/params"
)

// games is the list. It is made on first use: reading all presets takes some
// milliseconds.
var games = sync.OnceValue(func() []*engines.Game {
	return []*engines.Game{
		quoridor.Game(),
		gobang.Game(),
		connectfour.Game(),
		mills.Game(),
	}
})

// Games returns every game, in the order they are shown. They are shared: do not
// change them.
func Games() []*engines.Game { return games() }

// Names returns the names of the games.
func Names() []string {
	var names []string
	for _, g := range Games() {
		names = append(names, g.Name)
	}
	return names
}

// Find returns the named game; its error names the games there are.
func Find(name string) (*engines.Game, error) {
	for _, g := range Games() {
		if g.Name == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("unknown game %q%s", name, params.Suggest(name, Names()))
}
