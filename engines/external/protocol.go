package external

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// Protocol is a way to speak with programs.
type Protocol struct {
	Name, Doc string
	Games     []string // that it carries
	Dialects  []string // that an engine file may name; nil if there is but one
	// Fresh tells that its programs need a process for every game.
	Fresh bool

	open func(e *Engine, v engines.Variant, d *desk) (protocolClient, error)
}

// speaker speaks one protocol with one program. Its methods are called in the
// order greet, then set and newGame, then choose; after a fault that ended the
// program a new speaker starts over.
type protocolClient interface {
	// greet exchanges the first words.
	greet(ctx context.Context, l *link) (Offer, error)
	// set gives options their values, all of them offered or of an open list.
	set(ctx context.Context, l *link, values []Setting) error
	// newGame starts a game at the desk's position.
	newGame(ctx context.Context, l *link, seed uint64) error
	// choose asks for a move in the desk's position. The decision may be illegal.
	choose(ctx context.Context, l *link, limits engines.Limits) (engines.Decision, error)
	// farewell is what to say at the end.
	farewell() string
}

// limiter is a speaker that cannot carry every limit.
type limiter interface {
	// admits reports why limits cannot be asked for.
	admits(limits engines.Limits) error
}

// startOnly is a speaker that may be unable to set positions up.
type startOnly interface {
	// startsOnly reports whether games can begin at the variant's own start only.
	startsOnly() bool
}

// openingsTried is how many openings are looked at before a protocol without
// positions is taken.
const openingsTried = 4

// needsPositions returns a position that the variant's openings start from, "" if
// that is always its own start.
func needsPositions(v engines.Variant, d *desk) (string, error) {
	if v.Opening == nil {
		return "", nil
	}
	for i := range uint64(openingsTried) {
		open := v.Opening(rand.New(rand.NewPCG(i, 0)), 2)
		if err := d.reset(open.Position); err != nil {
			return "", err
		}
		if !d.atStart {
			return d.start, nil
		}
	}
	return "", d.reset("")
}

// witness is a speaker whose program can be asked how it sees the game.
type stateChecker interface {
	// differs says in what the program's view of the desk's position differs from
	// the referee's, "" if in nothing it can be asked about.
	differs(ctx context.Context, l *link) (string, error)
}

// enver is a speaker whose program takes parameters from its environment only, so
// that other values need another process.
type envSetter interface {
	// env returns NAME=VALUE of those of values that go there; offer is what the
	// program said when it was first started.
	env(offer *Offer, values []Setting) []string
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

// protocols is the one list of them.
func protocols() []Protocol {
	all := []string{"quoridor", "gobang", "connectfour", "mills"}
	return []Protocol{
		{Name: "ugi", Doc: "Universal Game Interface, all games in their own notation", Games: all, Dialects: ugiDialectNames(), open: openUGI},
		{Name: "gomocup", Doc: "Gomocup's (Piskvork's) text protocol", Games: []string{"gobang"}, Dialects: []string{"plain", "yixin"}, open: openGomocup},
		{Name: "uci-mill", Doc: "UCI as Sanmill speaks it", Games: []string{"mills"}, open: openMill},
		{Name: "qtp", Doc: "the Quoridor text protocol, in the dialects a handshake game finds", Games: []string{"quoridor"}, Dialects: qtpDialectNames(), open: openQTP},
		{Name: "getpoint", Doc: "the course's getPoint libraries behind the project's C host, a process a game", Games: []string{"connectfour"}, Fresh: true, open: openUGI},
	}
}

// Protocols lists what the package speaks.
func Protocols() []Protocol { return protocols() }

func findProtocol(name string) (Protocol, error) {
	var names []string
	for _, p := range protocols() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Protocol{}, fmt.Errorf("unknown protocol %q; known: %s", name, strings.Join(names, ", "))
}

// desk keeps the game that a program is asked about.
type desk struct {
	ref      engines.Referee
	position string // as Reset took it
	atStart  bool   // position is the variant's own start
	start    string // text of the position
	initial  string // text of the variant's own start
	moves    []engines.Move
	texts    []string // of moves
	used     bool     // the process was asked for a move
}

func newDesk(v engines.Variant) (*desk, error) {
	d := &desk{ref: v.NewReferee()}
	if err := d.ref.Reset(""); err != nil {
		return nil, err
	}
	d.initial = d.ref.String()
	return d, d.reset("")
}

// reset starts a game at a position as Referee.Reset takes it.
func (d *desk) reset(position string) error {
	if err := d.ref.Reset(position); err != nil {
		return err
	}
	d.position, d.start = position, d.ref.String()
	d.atStart = d.start == d.initial
	d.moves, d.texts = d.moves[:0], d.texts[:0]
	return nil
}

// follow brings the referee to the end of history, which starts at the position
// of reset, playing only what is new.
func (d *desk) follow(history []engines.Move) error {
	if len(history) < len(d.moves) || !slices.Equal(history[:len(d.moves)], d.moves) {
		if err := d.reset(d.position); err != nil {
			return err
		}
	}
	for _, m := range history[len(d.moves):] {
		d.texts = append(d.texts, d.ref.MoveString(m))
		d.moves = append(d.moves, m)
		d.ref.Play(m)
	}
	return nil
}

// rulesOf returns the rules of a variant as a map.
func rulesOf(v engines.Variant) (engines.Rules, error) { return engines.ParseRules(v.Rules) }

// admit checks that an engine plays a game by the variant's rules, as far as its
// file says so. declared tells that the file names the very rules.
func (e *Engine) admit(v engines.Variant) (declared bool, err error) {
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
	return false, fmt.Errorf("engine %s does not play %s; it plays %s: add %q to games in %s if it does", e.Name, v.Game.Name, e.gameNames(), v.Game.Name, e.File)
}

func (e *Engine) gameNames() string {
	var names []string
	for _, g := range e.Games {
		names = append(names, g.Game)
	}
	return strings.Join(names, ", ")
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

// checkSettings reports the first value that the program does not take.
func checkSettings(engine string, offer *Offer, values []Setting) error {
	for _, s := range values {
		o, ok := offer.Find(s.Name)
		if !ok {
			if offer.Open {
				continue
			}
			return fmt.Errorf("engine %s offers no option %q%s", engine, s.Name, params.Suggest(s.Name, offer.names()))
		}
		if err := o.Check(s.Value); err != nil {
			return fmt.Errorf("engine %s: %w", engine, err)
		}
	}
	return nil
}
