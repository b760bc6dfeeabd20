// Package games lists the games: the one file to edit for a new game.
package games

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"selfplaylab/engines"
	"selfplaylab/engines/chess"
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
		chess.Game(),
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

// Open returns the named game under rules as engines.ParseRules reads them.
func Open(name, rules string) (engines.Variant, error) {
	game, err := Find(name)
	if err != nil {
		return engines.Variant{}, err
	}
	return game.OpenText(rules)
}

// Recorded is a game as a record names it.
type Recorded struct {
	Game       string
	Version    int
	Rules      string
	Parameters []string
	Revision   string // of the program that made the record, for people
	// Space is that of the program that was tuned, in place of the game's own; nil
	// for none.
	Space params.Space
}

// Rule returns the game of a record under its rules, whether or not this
// program's players still play it as then. Its parameters must be the same, or those
// from before late ones came.
func (r Recorded) Rule() (engines.Variant, error) {
	game, err := Find(r.Game)
	if err != nil {
		return engines.Variant{}, err
	}
	if r.Space != nil {
		game = game.ForEngine(r.Space)
	}
	if !slices.Equal(r.Parameters, game.Space.Names()) {
		was, ok := game.Compat(r.Parameters)
		if !ok {
			return engines.Variant{}, fmt.Errorf("has other parameters of %s than this program: %s", game.Name, strings.Join(r.Parameters, ", "))
		}
		game = was
	}
	return game.OpenText(r.Rules)
}

// Open is Rule for a program that plays the game as the one that made the
// record: its error says what changed.
func (r Recorded) Open() (engines.Variant, error) {
	v, err := r.Rule()
	if err == nil && r.Version != v.Game.Version {
		err = fmt.Errorf("was made with version %d of %s, this program has version %d: its games would differ; use the program that made it "+
			"(revision %s) or start a new run",
			r.Version, r.Game, v.Game.Version, r.Revision)
	}
	return v, err
}
