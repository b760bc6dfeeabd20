package protocol

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/params/paramfile"
	"selfplaylab/reports/text"
)

// ServeOptions select the offered player, and its settings at the start. The protocol can
// change all of them except the game.
type ServeOptions struct {
	Game     *engines.Game // whose players are offered
	Protocol string        // the name of a protocol that Serves

	Rules  engines.Rules  // nil for the game's defaults
	Preset string         // "" for the game's default
	Vector params.Vector  // instead of a preset
	Limits engines.Limits // of decisions without limits in the request; zero for the player's own
	Level  string         // of play, its number or name; replaces preset, vector and limits
	// Levels is the number of levels of play, numbered from 1.
	// FindLevel finds one by number or name.
	Levels    int
	FindLevel func(text string) (params.Vector, engines.Limits, error)
	// Rows makes a Gomocup engine print its parameters at START, as rows for tuners.
	Rows bool
	// Margin is reserved from every time limit, for pipes and waking up; 0 means 20 ms.
	// It never exceeds half of the time.
	Margin time.Duration
	Clock  process.Clock // nil for the machine's; a search measures its own time
}

// serverMargin is the default of ServeOptions.Margin.
const serverMargin = 20 * time.Millisecond

// longest is the length of the longest line that a server reads. Longer ones are skipped.
const longest = 1 << 20

// forever replaces a missing time limit, because no limit at all means the player's default.
const forever = 24 * time.Hour

// server offers one of this program's players to another program. All its methods run on the
// goroutine of run.
type server struct {
	options  ServeOptions
	game     *engines.Game
	protocol Protocol
	clock    process.Clock
	talk     dialogue
	out      *bufio.Writer

	variant engines.Variant
	player  engines.Player
	vector  params.Vector
	preset  string
	seed    uint64
	level   engines.Limits // of a level of play; if set they replace all other limits
	ref     engines.Referee
	start   string // position text; "" for the initial one
	history []engines.Move

	stale   bool   // the player must be configured again
	newGame bool   // a game must be started
	begun   string // position text of the started game

	cancel  func()       // ends the running search; nil without one
	found   chan finding // its result
	since   time.Time
	endless bool
}

// finding is the result of a search.
type finding struct {
	engines.Decision
	err error
}

// dialogue is the part of a server that depends on the protocol.
type dialogue interface {
	// hear acts on a line. quit reports whether the line was the last.
	hear(ctx context.Context, line string) (quit bool)
	// tell answers with a decision, which is a legal move, or an error.
	tell(d engines.Decision, elapsed time.Duration, err error)
}

// open sets up the rules and forgets the game.
func (s *server) open(rules engines.Rules) error {
	v, err := s.game.Open(rules)
	if err != nil {
		return err
	}
	s.variant, s.player, s.ref = v, v.NewPlayer(), v.NewReferee()
	s.stale, s.newGame = true, true
	return s.place("", nil)
}

// commandLine is a line of input.
type commandLine struct {
	text string
	long bool // more than longest bytes, skipped
}

// readCommands sends lines until in ends.
// Its goroutine ends with in, or with ctx as soon as its read returns.
func readCommands(ctx context.Context, in io.Reader) <-chan commandLine {
	lines := make(chan commandLine)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			line, err := readBounded(r)
			if err != nil && line.text == "" && !line.long {
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// readBounded reads a line of at most longest bytes.
func readBounded(r *bufio.Reader) (commandLine, error) {
	var text []byte
	var line commandLine
	for {
		part, more, err := r.ReadLine()
		if len(text)+len(part) > longest {
			line.long, text = true, nil
		}
		if !line.long {
			text = append(text, part...)
		}
		if err != nil || !more {
			line.text = strings.TrimPrefix(strings.TrimRight(string(text), "\r"), "\ufeff")
			return line, err
		}
	}
}

// run is the goroutine that decides: it receives lines and findings.
func (s *server) run(ctx context.Context, lines <-chan commandLine) error {
	defer s.abandon()
	for {
		if err := s.out.Flush(); err != nil {
			return fmt.Errorf("serving %s: writing: %w", s.options.Protocol, err)
		}
		select {
		case line, ok := <-lines:
			if !ok {
				return s.finish(ctx)
			}
			if line.long {
				s.complain("a line of more than a mebibyte")
			} else if s.talk.hear(ctx, line.text) {
				return s.finish(ctx)
			}
		case f := <-s.found:
			s.deliver(f)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// finish waits for a running search, and ends it if it would not end by itself.
// If the context ends first, it returns the context's error; the input then closes, too.
func (s *server) finish(ctx context.Context) error {
	if s.cancel != nil {
		if s.endless {
			s.cancel()
		}
		select {
		case f := <-s.found:
			s.deliver(f)
		case <-ctx.Done():
		}
	}
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("serving %s: writing: %w", s.options.Protocol, err)
	}
	return context.Cause(ctx)
}

// abandon ends a search whose result is not needed.
func (s *server) abandon() {
	if s.cancel != nil {
		s.cancel()
		<-s.found
		s.cancel = nil
	}
}

// stop ends the running search, whose finding still comes.
func (s *server) stop() {
	if s.cancel != nil {
		s.cancel()
	}
}

// searching reports whether a search is running.
func (s *server) searching() bool { return s.cancel != nil }

// say writes a line.
func (s *server) say(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

// complain writes an error as a line that is no answer in the protocol.
func (s *server) complain(format string, args ...any) {
	s.say(s.protocol.complaint, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}

// place sets up the position from a text ("" for the start) and moves in notation.
// After an error the position is unchanged.
func (s *server) place(start string, moves []string) error {
	ref := s.variant.NewReferee()
	if err := ref.Reset(start); err != nil {
		return err
	}
	history, err := engines.PlayTexts(ref, moves)
	if err != nil {
		return err
	}
	s.ref, s.start, s.history = ref, start, history
	return nil
}

// put plays a move, in notation or in another program's form.
func (s *server) put(text string) error {
	m, err := s.ref.ParseMove(text)
	if err != nil {
		return err
	}
	if o, _ := s.ref.Result(); !s.ref.Legal(m) || o != engines.Ongoing {
		return fmt.Errorf("illegal move %s: it is against the rules, or the game is over", process.Shorten(text))
	}
	s.play(m)
	return nil
}

// play plays a legal move.
func (s *server) play(m engines.Move) {
	s.ref.Play(m)
	s.history = append(s.history, m)
}

// takeBack takes back the last move.
func (s *server) takeBack() error {
	return s.place(s.start, text.Each(s.history[:len(s.history)-1], s.ref.MoveString))
}

// search starts a search in the position, whose finding goes to run.
// With err, because the question could not be read, the
// finding is err: the other program waits for an answer.
func (s *server) search(ctx context.Context, limits engines.Limits, endless bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	s.cancel, s.since, s.endless = cancel, s.clock.Now(), endless
	if o, why := s.ref.Result(); o != engines.Ongoing {
		err = cmp.Or(err, fmt.Errorf("the game is over: %v by %s", o, why))
	}
	if err == nil {
		err = s.ready()
	}
	if err != nil {
		s.found <- finding{err: err}
		return
	}
	history := append([]engines.Move(nil), s.history...)
	player, seed, limits := s.player, s.seed, limits
	if !s.level.IsZero() {
		limits = s.level
	}
	go func() {
		f := think(ctx, player, seed, history, limits)
		if endless { // a finished endless search waits for stop, too
			<-ctx.Done()
		}
		s.found <- f
	}()
}

// ready configures the player and begins the game if necessary.
func (s *server) ready() error {
	if s.stale {
		if err := s.player.Configure(s.vector); err != nil {
			return err
		}
		s.stale, s.newGame = false, true
	}
	if s.newGame || s.begun != s.start {
		if err := s.player.Reset(s.start, s.seed); err != nil {
			return err
		}
		s.newGame, s.begun = false, s.start
	}
	return nil
}

// think requests the player's decision. It returns a panic as an error.
func think(ctx context.Context, p engines.Player, seed uint64, history []engines.Move, limits engines.Limits) (f finding) {
	defer func() {
		if r := recover(); r != nil {
			f = finding{err: fmt.Errorf("panic: %v\n%s", r, debug.Stack())}
		}
	}()
	f.Decision, f.err = engines.Decide(ctx, p, seed, history, limits)
	if ctx.Err() != nil && f.Move != 0 {
		f.err = nil // the best move of a stopped search
	}
	return f
}

// deliver answers with a finding.
func (s *server) deliver(f finding) {
	s.cancel()
	s.cancel = nil
	if f.err != nil {
		s.newGame = true // the state of a failed player is unreliable
	}
	s.talk.tell(f.Decision, s.clock.Now().Sub(s.since), f.err)
}

// reserve subtracts the margin from a time limit.
func (s *server) reserve(t time.Duration) time.Duration {
	return max(t-min(s.options.Margin, t/2), time.Millisecond)
}

// share returns the part of a player's clock for one move.
func (s *server) share(c engines.Clock) time.Duration {
	c.Base = max(c.Base, time.Millisecond)
	return s.reserve(c.Share())
}

// set sets an option that every protocol offers under the same name.
func (s *server) set(name, value string) error {
	switch strings.ToLower(name) {
	case "game":
		if value != s.game.Name {
			return fmt.Errorf("this program plays %s only", s.game.Name)
		}
		return nil
	case "rules":
		rules, err := engines.ParseRules(value)
		if err != nil {
			return err
		}
		return s.open(rules)
	case "preset":
		p, err := s.game.Preset(value)
		if err != nil {
			return err
		}
		s.vector = p.Vector.Clone()
		s.preset = value
		s.stale = true
		return nil
	case "level":
		return s.setLevel(value)
	case "parameters":
		file, err := paramfile.Read(value, s.game.Name, s.game.Space)
		if err != nil {
			return err
		}
		s.vector, s.stale = file.Vector, true
		return nil
	case "seed":
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("seed %q: want a whole number from 0", process.Shorten(value))
		}
		s.seed, s.newGame = seed, true
		return nil
	}
	return s.setParam(name, value)
}

// setLevel selects a level of play, with its limits; 0 selects none.
func (s *server) setLevel(value string) error {
	if value == "0" {
		s.level = engines.Limits{}
		return nil
	}
	if s.options.FindLevel == nil {
		return fmt.Errorf("no levels of %s are offered", s.game.Name)
	}
	vector, limits, err := s.options.FindLevel(value)
	if err != nil {
		return err
	}
	s.vector, s.level, s.stale = vector, limits, true
	return nil
}

// setParam sets a parameter by its text.
func (s *server) setParam(name, value string) error {
	i, err := s.game.Space.Lookup(name)
	if err != nil {
		return err
	}
	x, err := s.game.Space[i].Parse(value)
	if err != nil {
		return err
	}
	v := s.vector.Clone()
	v[i] = x
	s.vector, s.stale = v, true
	return nil
}

// offered returns the options of UGI and UCI.
func (s *server) offered() []Option {
	list := []Option{
		{Name: "game", Type: "combo", Default: s.game.Name, Values: []string{s.game.Name}},
		{Name: "rules", Type: "string", Default: s.variant.Rules},
		{Name: "preset", Type: "combo", Default: s.preset},
		{Name: "parameters", Type: "string", Default: "<empty>"},
		{Name: "seed", Type: "string", Default: "0"},
	}
	if s.options.Levels > 0 {
		list = append(list, Option{Name: "level", Type: "spin", Default: "0", Ranged: true, Max: int64(s.options.Levels)})
	}
	for _, p := range s.game.Presets {
		list[2].Values = append(list[2].Values, p.Name)
	}
	for i, p := range s.game.Space {
		list = append(list, Option{Name: p.Name, Type: "string", Default: p.Format(s.vector[i])})
	}
	return list
}

// sayOptions writes the options, and the parameters as rows.
func (s *server) sayOptions() {
	for _, o := range s.offered() {
		s.say("%s", o)
	}
	for _, row := range s.rows() {
		s.say("info string %s", row)
	}
}

// rows returns the parameters with more than one value, as rows.
func (s *server) rows() (rows []string) {
	for i, p := range s.game.Space {
		if p.Min < p.Max {
			rows = append(rows, formats.Row(p, s.vector[i]))
		}
	}
	return rows
}

// name returns the name by which the server introduces itself.
func (s *server) name() string { return "selfplaylab " + s.game.Name }

// benchPositions is the number of positions of bench.
const benchPositions = 8

// bench searches fixed positions under the default limits,
// and returns the nodes and a hash of the chosen moves.
// Equal programs give equal values.
// It checks ctx between positions.
func (s *server) bench(ctx context.Context) (nodes int64, hash uint64, err error) {
	p := s.variant.NewPlayer()
	if err := p.Configure(s.vector); err != nil {
		return 0, 0, err
	}
	for i := range uint64(benchPositions) {
		if ctx.Err() != nil {
			return 0, 0, context.Cause(ctx)
		}
		open := s.variant.Opening(rand.New(rand.NewPCG(1, i)), s.game.OpeningPlies)
		if err := p.Reset(open.Position, i); err != nil {
			return 0, 0, err
		}
		d, err := p.Choose(ctx, open.Moves, s.game.Limits)
		if err != nil {
			return 0, 0, err
		}
		nodes += d.Nodes
		hash = engines.Seed(hash, uint64(d.Move))
	}
	return nodes, hash, nil
}
