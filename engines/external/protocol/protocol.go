package protocol

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// Protocol is a way to speak with programs. All that is known of one stands in its
// file, and in one line of All.
type Protocol struct {
	Name     string
	Games    []string // that it carries; nil for every game
	Dialects []string // that an engine file may name; nil if there is but one
	// Connect makes a client for games under the variant's rules. It refuses what can be
	// refused before the program is started.
	Connect func(e *EngineFile, v engines.Variant, d *Session) (Client, error)
	// Fresh tells that its programs need a process for every game.
	Fresh bool
	// Rows names the format (params/formats) in which its programs print parameters.
	Rows string

	// setting is the line that sets an option: a format of its name and value.
	setting string
	// complaint is the line by which a server reports an error: a format of its text.
	complaint string
	// env, if not nil, returns NAME=VALUE for the parameters that a program of this
	// name takes from its environment; nil if it takes none there.
	env func(name string, values []Setting) []string

	// serve offers our player; nil where we do not serve the protocol.
	serve func(*server) (dialogue, error)
}

// Carries reports whether the protocol carries a game.
func (p *Protocol) Carries(game string) bool {
	return p.Games == nil || slices.Contains(p.Games, game)
}

// Serves reports whether our players are offered in the protocol.
func (p *Protocol) Serves() bool { return p.serve != nil }

// ErrFresh is the error of NewGame where the program needs another process for another game.
var ErrFresh = errors.New("the program needs a fresh process for another game")

// EngineFile is what a protocol reads of an engine's file.
type EngineFile struct {
	File    string   // where it was read from
	Name    string   // for tables; the file's name if it gives none
	Dialect string   // of the protocol; "" lets the handshake find it or means the plain one
	Games   []Played // what it plays; never empty
	// Memory bounds the data of the process in bytes, on Linux; 0 for no bound.
	Memory int64
	// Params are the parameters that its file lists; if there are none, those that the
	// program offers count.
	Params params.Space
}

// Played is a game an engine plays.
type Played struct {
	Game string
	// Rules are the only ones it plays, as engines.ParseRules reads them; "" if the
	// protocol tells it the rules or they are the game's defaults.
	Rules string
}

// Setting is an option's value.
type Setting struct{ Name, Value string }

// Client speaks one protocol with one program. Its methods are called in the order
// Greet, then Set and NewGame, then Choose. After a fault that ended the program, a
// new client starts over.
type Client interface {
	// Greet exchanges the first words.
	Greet(ctx context.Context, l *Link) (Offer, error)
	// Capabilities says what the program can do; asked after Greet.
	Capabilities() capabilities
	// Set gives options their values, all of them offered.
	Set(ctx context.Context, l *Link, values []Setting) error
	// NewGame starts a game at the session's position.
	NewGame(ctx context.Context, l *Link, seed uint64) error
	// Choose asks for a move in the session's position. The decision may be illegal.
	Choose(ctx context.Context, l *Link, limits engines.Limits) (engines.Decision, error)
	// Quit is the text that ends the program.
	Quit() string
}

// capabilities say what a client's program supports.
type capabilities struct {
	// Positions tells that games may start from any position; else they start from
	// the variant's own.
	Positions bool
	// Limits reports why limits cannot be asked for; nil where all can.
	Limits func(engines.Limits) error
	// Differs says in what the program's view of the session's position differs from the
	// referee's, "" if in nothing it can be asked about; nil where it cannot be asked.
	Differs func(context.Context, *Link) (string, error)
}

// openingsTried is how many openings are looked at before a protocol without
// positions is taken.
const openingsTried = 4

// NeedsPositions returns a position that the variant's openings start from, "" if
// that is always its own start.
func NeedsPositions(v engines.Variant, d *Session) (string, error) {
	if v.Opening == nil {
		return "", nil
	}
	for i := range uint64(openingsTried) {
		open := v.Opening(rand.New(rand.NewPCG(i, 0)), 2)
		if err := d.Reset(open.Position); err != nil {
			return "", err
		}
		if !d.atStart {
			return d.start, nil
		}
	}
	return "", d.Reset("")
}

// refuseOwn reports the first of values that is not for an engine's file to set.
func refuseOwn(engine string, values []Setting, ours ...string) error {
	for _, s := range values {
		for _, name := range ours {
			if strings.EqualFold(s.Name, name) {
				return fmt.Errorf("engine %s: option %s is set by the game that is played; take it out of options", engine, s.Name)
			}
		}
	}
	return nil
}

// Commands returns the lines that give a program of this name the values of a vector
// that are not the defaults.
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

// Environment returns NAME=VALUE for the parameters that a program of this name takes
// from its environment; nil if it takes none there.
func (p *Protocol) Environment(name string, values []Setting) []string {
	if p.env == nil {
		return nil
	}
	return p.env(name, values)
}

// Session keeps the game that a program is asked about.
type Session struct {
	ref      engines.Referee
	position string // as Reset took it
	atStart  bool   // position is the variant's own start
	start    string // text of the position
	initial  string // text of the variant's own start
	moves    []engines.Move
	texts    []string // of moves
	Used     bool     // the process was asked for a move
	Said     string   // its last answer, in its own notation
}

// Illegal is the fault of an answer that is no legal move in the session's position; nil
// for one that is.
func (s *Session) Illegal(l *Link, m engines.Move) error {
	if s.ref.Legal(m) {
		return nil
	}
	here := ""
	if text := s.ref.MoveString(m); text != s.Said {
		here = " (" + text + " here)"
	}
	return l.Complain(engines.IllegalMove, "answered %q%s, which is not legal in %q", process.Shorten(s.Said), here, s.ref.String())
}

// NewSession returns a session at the variant's own start.
func NewSession(v engines.Variant) (*Session, error) {
	d := &Session{ref: v.NewReferee()}
	if err := d.ref.Reset(""); err != nil {
		return nil, err
	}
	d.initial = d.ref.String()
	return d, d.Reset("")
}

// Reset starts a game at a position as Referee.Reset takes it.
func (s *Session) Reset(position string) error {
	if err := s.ref.Reset(position); err != nil {
		return err
	}
	s.position, s.start = position, s.ref.String()
	s.atStart = s.start == s.initial
	s.moves, s.texts = s.moves[:0], s.texts[:0]
	return nil
}

// Follow brings the referee to the end of history, which starts at the position
// of reset, playing only what is new.
func (s *Session) Follow(history []engines.Move) error {
	if len(history) < len(s.moves) || !slices.Equal(history[:len(s.moves)], s.moves) {
		if err := s.Reset(s.position); err != nil {
			return err
		}
	}
	for _, m := range history[len(s.moves):] {
		s.texts = append(s.texts, s.ref.MoveString(m))
		s.moves = append(s.moves, m)
		s.ref.Play(m)
	}
	return nil
}

// admit checks that an engine plays a game by the variant's rules, as far as its
// file says so. declared tells that the file names the very rules.
func (e *EngineFile) admit(v engines.Variant) (declared bool, err error) {
	var others []string
	for _, g := range e.Games {
		switch {
		case g.Game != v.Game.Name:
			continue
		case g.Rules == "":
			return false, nil
		}
		own, err := v.Game.OpenText(g.Rules)
		if err != nil {
			return false, fmt.Errorf("%s: games: %w", e.File, err)
		}
		if own.Rules == v.Rules {
			return true, nil
		}
		others = append(others, own.Rules)
	}
	if len(others) > 0 {
		return false, fmt.Errorf("engine %s plays %s by %s only, not by %s: %s", e.Name, v.Game.Name,
			strings.Join(others, " or "), v.Rules, firstDifference(others[0], v.Rules))
	}
	names := strings.Join(text.Each(e.Games, func(p Played) string { return p.Game }), ", ")
	return false, fmt.Errorf("engine %s does not play %s; it plays %s: add %q to games in %s if it does", e.Name, v.Game.Name, names,
		v.Game.Name, e.File)
}

// firstDifference names the first rule in which two canonical texts differ.
func firstDifference(theirs, ours string) string {
	a, b := strings.Split(theirs, ","), strings.Split(ours, ",")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && !strings.HasPrefix(a[i], "preset=") {
			return fmt.Sprintf("it has %s, the game here %s", a[i], b[i])
		}
	}
	return "the rules differ"
}

// isDefault reports whether a variant is its game under the default rules.
func isDefault(v engines.Variant) (bool, error) {
	own, err := v.Game.Open(nil)
	if err != nil {
		return false, err
	}
	return own.Rules == v.Rules, nil
}

// CheckSettings reports the first value that the program does not take.
func CheckSettings(engine string, offer *Offer, values []Setting) error {
	for _, s := range values {
		o, ok := offer.Find(s.Name)
		if !ok {
			return fmt.Errorf("engine %s offers no option %q%s", engine, s.Name, params.Suggest(s.Name, offer.names()))
		}
		if err := o.check(s.Value); err != nil {
			return fmt.Errorf("engine %s: %w", engine, err)
		}
	}
	return nil
}

// noMove is what programs say for having no move.
func noMove(text string) bool {
	switch strings.ToLower(text) {
	case "0000", "none", "(none)", "null", "draw", resigns:
		return true
	}
	return false
}

// resigns is what programs answer to give up a game: a word of QTP, as of GTP, that others use too.
const resigns = "resign"

// thinking is the request that asks for a decision.
func thinking(l *Link, text, hurry string, limits engines.Limits, move int, line func(string) (bool, error)) process.Request {
	r := process.Request{Move: move + 1, Text: text, Wait: l.Patience.Stall, Line: line}
	if limits.Timed() {
		r.Wait, r.Hurry, r.Grace = limits.Longest()+max(limits.Margin, 0), hurry, l.Patience.Grace
		if hurry == "" {
			r.Wait, r.Grace = r.Wait+r.Grace, 0
		}
	}
	return r
}

// unscored is a decision of which the program has told no score yet. None is not the score of
// an even position: by that, games of two programs without scores would be adjudicated as drawn.
func unscored() engines.Decision { return engines.Decision{Score: math.NaN()} }

// cutWord returns the first word of a line and what follows it. Words may be apart by spaces
// and tabs.
func cutWord(line string) (word, rest string) {
	line = strings.TrimSpace(line)
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}

// moveOf reads the move of an answer. What is no move at all is a fault. A legal move may have
// one of the names by which programs say that they have none: drawing a card is "draw".
func (s *Session) moveOf(l *Link, text string) (engines.Move, error) {
	m, err := s.ref.ParseMove(text)
	switch {
	case text == "":
		return 0, l.Garbage("an answer without a move to %q", s.ref.String())
	case err == nil && s.ref.Legal(m):
	case strings.EqualFold(text, resigns):
		return 0, l.Complain(engines.Resigned, "resigns")
	case noMove(text):
		return 0, l.Complain(engines.IllegalMove, "says %q, that it has no move, in %q", process.Shorten(text), s.ref.String())
	case err != nil:
		return 0, l.Garbage("answered with no move: %v", err)
	}
	return m, nil
}

// until returns a Request.Line that is done with the line that is word.
func until(word string, other func(line string) error) func(string) (bool, error) {
	return func(line string) (bool, error) {
		if strings.TrimSpace(line) == word {
			return true, nil
		}
		return false, other(line)
	}
}

// Link is a conversation with a program by which games are lost: its failures are faults of
// a player.
type Link struct{ *process.Link }

// Start starts a program, as process.Start does.
func Start(ctx context.Context, c process.Command, o process.Options) (*Link, error) {
	l, err := process.Start(ctx, c, o)
	if err != nil {
		return nil, err
	}
	return &Link{l}, nil
}

// Ask asks the program. Its error is a *engines.Fault where process.Link's is a failure.
func (l *Link) Ask(ctx context.Context, r process.Request) error { return asFault(l.Link.Ask(ctx, r)) }

// Garbage breaks the link for an answer that no protocol allows.
func (l *Link) Garbage(format string, args ...any) error {
	return asFault(l.Link.Fault(string(engines.Garbage), format, args...))
}

// Complain makes a fault that quotes stderr, and leaves the program running.
func (l *Link) Complain(reason engines.Reason, format string, args ...any) error {
	return asFault(l.Link.Complain(string(reason), format, args...))
}

// asFault makes the fault of a player of a failure; other errors stay as they are.
func asFault(err error) error {
	if f, is := errors.AsType[*process.Failure](err); is {
		return &engines.Fault{Reason: engines.Reason(f.Reason), Detail: f.Detail}
	}
	return err
}
