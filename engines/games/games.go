// Package games lists the games of the program. To add a game, edit only this file.
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

// games is the list, made on first use, because reading all presets takes some milliseconds.
var games = sync.OnceValue(func() []*engines.Game {
	return []*engines.Game{
		quoridor.Game(),
		gobang.Game(),
		connectfour.Game(),
		mills.Game(),
		chess.Game(),
	}
})

// Games returns every game, in the order of display. All callers share them: do not change
// them.
func Games() []*engines.Game {
	included.Lock()
	defer included.Unlock()
	return slices.Concat(games(), included.list)
}

// included holds the games of Include.
var included struct {
	sync.Mutex
	list []*engines.Game
}

// Include adds games of other modules to those that this program finds by name: in runs to resume,
// in records, on pages and in messages of a cluster. A game that is included already is left as it
// is. It is an error if another game has the name. The games must not be changed afterwards.
func Include(list ...*engines.Game) error {
	for _, g := range list {
		if g.Name == "" || strings.ContainsAny(g.Name, "./ ") || g.New == nil {
			return fmt.Errorf("game %q: want a name without dots, slashes and spaces, and New; package gametest checks games", g.Name)
		}
		known := Games()
		switch i := slices.IndexFunc(known, func(o *engines.Game) bool { return o.Name == g.Name }); {
		case i >= 0 && known[i] != g:
			return fmt.Errorf("game %q: another game of this program has this name", g.Name)
		case i < 0:
			included.Lock()
			included.list = append(included.list, g)
			included.Unlock()
		}
	}
	return nil
}

// Names returns the names of the games, in the order of Games.
func Names() []string {
	var names []string
	for _, g := range Games() {
		names = append(names, g.Name)
	}
	return names
}

// Label returns a game's name for lists, given the name or source in a record.
func Label(source string) string { return referee.Label(source) }

// loaded holds the games that Load made of referee programs, by source.
var loaded sync.Map

// Load returns the named game, as Find does, or starts a referee program named by its file or
// command. Only call it with a text of a user who may start programs on this machine.
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

// Find returns the named game, or a referee program's game by its source if Load has loaded it.
// It starts no program. The error lists or suggests the known games.
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

// Open returns the named game under rules, a text in the form of engines.ParseRules.
func Open(name, rules string) (engines.Variant, error) {
	game, err := Find(name)
	if err != nil {
		return engines.Variant{}, err
	}
	return game.OpenText(rules)
}

// Recorded describes a game as a record does.
type Recorded struct {
	Game       string   // name or source
	Version    int      // of its rules and players, when the record was made
	Rules      string   // canonical text of the rules
	Parameters []string // names of the game's parameters at that time
	Revision   string   // of the program that made the record, for error messages
	// Space is the space of the tuned external engine, which replaces the game's; nil for none.
	Space params.Space
}

// game finds the record's game. It never starts a referee program that the user has not started
// before, because a record may come from anywhere.
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

// Rule returns the record's game under its rules, even if this program's players play it
// differently now. It is an error unless the game has the recorded parameters, or had them
// before later ones were added.
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
				game.Name, strings.Join(differing(r.Parameters, game.Space.Names()), ", "), r.Revision)
		}
		game = was
	}
	return game.OpenText(r.Rules)
}

// differing returns the names of a list that another lacks, or if there are none, all of the list.
func differing(names, others []string) []string {
	left := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
	if len(left) == 0 {
		return names
	}
	return left
}

// Open returns the record's game as Rule does, for a program that must play it as the recording
// one did: another version of the game is an error. The error says what changed.
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
