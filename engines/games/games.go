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
	"selfplaylab/engines/external/referee"
	"selfplaylab/engines/gobang"
	"selfplaylab/engines/mills"
	"selfplaylab/engines/quoridor"
	"selfplaylab/params"
)

// games is the list. It is made on first use, because reading all presets takes some
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

// Label is a game's name for lists, of the name or source in a record.
func Label(source string) string { return referee.Label(source) }

// loaded are the games that Load made of other programs, by source.
var loaded sync.Map

// Load is Find that also starts a referee program, named by its file or command. Call it only
// with a text of a user who may start programs here.
func Load(source string) (*engines.Game, error) {
	if !referee.IsSource(source) {
		g, err := Find(source)
		if err != nil && strings.ContainsAny(source, "./") {
			err = fmt.Errorf("%w; a program that keeps the rules is given by its FILE.toml or its command, such as \"python3 %s\"", err, source)
		}
		return g, err
	}
	g, err := referee.Open(source)
	if err != nil {
		return nil, err
	}
	if slices.Contains(Names(), g.Name) {
		return nil, fmt.Errorf("%s: the name %s is that of a game of this program; write another as name in the game's file", source, g.Name)
	}
	if was, ok := loaded.Load(g.Source); ok && was.(*engines.Game).Version == g.Version {
		return was.(*engines.Game), nil
	}
	if err := referee.Trust(g.Source); err != nil {
		return nil, fmt.Errorf("%s: cannot note that its program may be started to read records: %w; set HOME to a folder that can be written to",
			source, err)
	}
	loaded.Store(g.Source, g)
	return g, nil
}

// Find returns the named game. The error lists the known games. A referee program's game is
// found by its source once it is loaded.
func Find(name string) (*engines.Game, error) {
	for _, g := range Games() {
		if g.Name == name {
			return g, nil
		}
	}
	if g, ok := loaded.Load(name); ok {
		return g.(*engines.Game), nil
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
	// Space is the space of the external engine that was tuned, in place of the game's; nil
	// for none.
	Space params.Space
}

// game finds the record's game. It never starts a referee program that the user has not
// started before, because a record may come from anywhere.
func (r Recorded) game() (*engines.Game, error) {
	game, err := Find(r.Game)
	switch {
	case err == nil || !referee.IsSource(r.Game):
		return game, err
	case !referee.Trusted(r.Game):
		return nil, fmt.Errorf("the rules are those of a program that was never started here, %s; look at it, and allow it with: "+
			"selfplay show --game %q", r.Game, r.Game)
	}
	return Load(r.Game)
}

// Rule returns the game of a record under its rules, whether or not this program's players
// still play it as then. The parameters must be the same, or those before later ones were
// added.
func (r Recorded) Rule() (engines.Variant, error) {
	game, err := r.game()
	if err != nil {
		return engines.Variant{}, err
	}
	if r.Space != nil {
		game = game.ForEngine(r.Space)
	}
	if !slices.Equal(r.Parameters, game.Space.Names()) {
		was, ok := game.Compat(r.Parameters)
		if !ok {
			return engines.Variant{}, fmt.Errorf("has other parameters of %s than this program: %s; use the program that made it (revision %s)",
				game.Name, strings.Join(r.Parameters, ", "), r.Revision)
		}
		game = was
	}
	return game.OpenText(r.Rules)
}

// Open is Rule for a program that plays the game as the recording one did. The error names
// what changed.
func (r Recorded) Open() (engines.Variant, error) {
	v, err := r.Rule()
	if err == nil && v.Game.Source != "" && r.Version != v.Game.Version {
		return v, fmt.Errorf("was made with another version of the referee %s: its games may differ; put back the old one, or state in the "+
			"game's file that the rules are the same (version = %d)", r.Game, r.Version)
	}
	if err == nil && r.Version != v.Game.Version {
		err = fmt.Errorf("was made with version %d of %s, this program has version %d: its games would differ; use the program that made it "+
			"(revision %s) or start a new run",
			r.Version, r.Game, v.Game.Version, r.Revision)
	}
	return v, err
}
