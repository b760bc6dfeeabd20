package protocol

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// Protocol describes a protocol. Each protocol has a file and a line of All.
type Protocol struct {
	Name     string   // as in engine files
	Games    []string // games that it supports; nil for every game
	Dialects []string // for engine files; nil if there is only one
	// Connect returns a client for games under the variant's rules. It refuses everything that
	// can be refused before the program starts.
	Connect func(e *EngineFile, v engines.Variant, d *Session) (Client, error)
	// Fresh means that its programs need a process for every game.
	Fresh bool
	// Rows names the format (params/formats) in which its programs print parameters.
	Rows string

	// setting is the line that sets an option: a format of its name and value.
	setting string
	// complaint is the line by which a server reports an error: a format of its text.
	complaint string
	// env, if not nil, returns NAME=VALUE for the parameters that a program
	// of this name takes from its environment; nil if it takes none there.
	env func(name string, values []Setting) []string

	// serve offers a player of this program; nil if the protocol is not served.
	serve func(*server) (dialogue, error)
}

// Carries reports whether the protocol supports a game.
func (p *Protocol) Carries(game string) bool {
	return p.Games == nil || slices.Contains(p.Games, game)
}

// Serves reports whether this program offers its players in the protocol.
func (p *Protocol) Serves() bool { return p.serve != nil }

// ErrFresh is the error of NewGame if the program needs a new process for another game.
var ErrFresh = errors.New("the program needs a fresh process for another game")

// Client speaks one protocol with one program. The order of calls is Greet, then Set and
// NewGame, then Choose. After a fault that ended the program a new client is needed. One
// goroutine at a time may use it.
type Client interface {
	// Greet exchanges the first words, and returns the program's description of itself.
	Greet(ctx context.Context, l *Link) (Offer, error)
	// Capabilities returns the abilities of the program. It is called after Greet.
	Capabilities() capabilities
	// Set sends values of options. All of them must be offered.
	Set(ctx context.Context, l *Link, values []Setting) error
	// NewGame starts a game at the session's position.
	NewGame(ctx context.Context, l *Link, seed uint64) error
	// Choose requests a move in the session's position. The decision may be illegal.
	Choose(ctx context.Context, l *Link, limits engines.Limits) (engines.Decision, error)
	// Quit returns the text that ends the program.
	Quit() string
}

// capabilities are the abilities of a client's program.
type capabilities struct {
	// Positions means that games may start from any
	// position; else they start from the variant's own.
	Positions bool
	// Limits returns the reason why limits are not supported; nil supports all.
	Limits func(engines.Limits) error
	// Differs returns the difference between the program's view of
	// the session's position and the referee's, "" without one.
	// It is nil if the protocol has no such question.
	Differs func(context.Context, *Link) (string, error)
}

// Commands returns the lines that set those values of a
// vector that are not defaults, for a program of this name.
func (p *Protocol) Commands(name string, s params.Space, v params.Vector) (lines []string) {
	var values []Setting
	for i, param := range s {
		if v[i] != param.Default {
			values = append(values, Setting{param.Name, param.Format(v[i])})
		}
	}
	if env := p.Environment(name, values); env != nil {
		return env
	}
	return text.Each(values, func(x Setting) string { return fmt.Sprintf(p.setting, x.Name, x.Value) })
}

// Environment returns NAME=VALUE for the parameters that a program
// of this name reads from its environment; nil if it reads none.
func (p *Protocol) Environment(name string, values []Setting) []string {
	if p.env == nil {
		return nil
	}
	return p.env(name, values)
}

// unscored returns a decision without a score.
// Its score is not 0, the score of an even position, by which games
// of two programs without scores would be adjudicated as drawn.
func unscored() engines.Decision { return engines.Decision{Score: math.NaN()} }
