package protocol

import (
	"bufio"
	"cmp"
	"context"
	"errors"
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

// ServeOptions say which of our players is offered, and how it starts out; what
// the protocol can set may change all of it but the game.
type ServeOptions struct {
	Game     *engines.Game
	Protocol string // the name of one that Serves

	Rules  engines.Rules // nil for the game's defaults
	Preset string        // "" for the game's default
	Vector params.Vector // instead of a preset
	Limits engines.Limits
	Level  string // of play, instead of all these: its number or name
	// Levels of play are offered, numbered from 1; FindLevel finds one by number or name.
	Levels    int
	FindLevel func(text string) (params.Vector, engines.Limits, error)
	// Rows has a Gomocup engine print its parameters at START, as rows for tuners.
	Rows bool
	// Margin is kept from every time limit, for pipes and waking up; 0 means 20 ms.
	// No more than half of the time is kept.
	Margin time.Duration
	Clock  process.Clock // nil for the machine's; what a search itself does with time is its own
}

// serverMargin is the default of ServeOptions.Margin.
const serverMargin = 20 * time.Millisecond

// longest is the longest line a server reads; longer ones are skipped whole.
const longest = 1 << 20

// forever stands for no limit of time, since no limit at all means the player's
// default.
const forever = 24 * time.Hour

// Serve plays for whoever speaks a protocol on in and out, until it is told to
// quit, in ends or ctx does. It ponders nothing, answers stop at once, and says
// what it does not understand in the protocol's words and goes on. Its error is
// about options or writing; a blocked read of in is left behind when it returns.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o ServeOptions) error {
	s, err := newServer(o)
	if err != nil {
		return fmt.Errorf("serving %s: %w", o.Protocol, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.out = bufio.NewWriter(out)
	return s.run(ctx, readCommands(ctx, in))
}

// server offers one of our players to another program.
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
	level   engines.Limits // of a level of play, which count instead of all others
	ref     engines.Referee
	start   string // position text; "" for the initial one
	history []engines.Move

	stale   bool // the player must be configured anew
	newGame bool // and a game begun
	begun   string

	cancel  func()       // of the search under way; nil if none
	found   chan finding // its result
	since   time.Time
	endless bool
}

// finding is what a search came to.
type finding struct {
	engines.Decision
	err error
}

// dialogue is the part of a server that a protocol makes.
type dialogue interface {
	// hear acts on a line. It reports whether that was the last one.
	hear(ctx context.Context, line string) (quit bool)
	// tell answers with a decision, which is a legal move, or an error.
	tell(d engines.Decision, elapsed time.Duration, err error)
}

func newServer(o ServeOptions) (*server, error) {
	if o.Game == nil {
		return nil, errors.New("no game")
	}
	s := &server{options: o, game: o.Game, clock: o.Clock, preset: o.Preset, vector: o.Vector, found: make(chan finding, 1)}
	if s.clock == nil {
		s.clock = process.Wall{}
	}
	s.options.Margin = cmp.Or(s.options.Margin, serverMargin)
	if s.preset == "" {
		s.preset = o.Game.PlayerPreset()
	}
	if s.vector == nil {
		p, err := o.Game.Preset(s.preset)
		if err != nil {
			return nil, err
		}
		s.vector = p.Vector.Clone()
	}
	if err := o.Game.Space.Check(s.vector); err != nil {
		return nil, err
	}
	if err := s.open(o.Rules); err != nil {
		return nil, err
	}
	if err := s.setLevel(cmp.Or(o.Level, "0")); err != nil {
		return nil, err
	}
	var err error
	s.talk, err = s.dialogue()
	return s, err
}

func (s *server) dialogue() (dialogue, error) {
	p, err := Find(s.options.Protocol)
	switch {
	case err != nil:
		return nil, err
	case !p.Carries(s.game.Name):
		return nil, fmt.Errorf("it carries %s, not %s", strings.Join(p.Games, ", "), s.game.Name)
	case !p.Serves():
		return nil, fmt.Errorf("our players are not offered in %s", p.Name)
	}
	s.protocol = p
	return p.serve(s)
}

// open sets the rules up and forgets the game.
func (s *server) open(rules engines.Rules) error {
	v, err := s.game.Open(rules)
	if err != nil {
		return err
	}
	s.variant, s.player, s.ref = v, v.NewPlayer(), v.NewReferee()
	s.stale, s.newGame = true, true
	return s.place("", nil)
}

// commandLine is a line, or the end of them.
type commandLine struct {
	text string
	long bool // more than longest bytes, skipped
}

// readCommands passes on lines until in ends. The goroutine ends with in, or
// with ctx as soon as its read returns.
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

// run is the one goroutine that decides: it hears lines and tells findings.
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

// finish lets a search under way end, at once if it would not by itself. Its error is
// the context's where that ended first, which also closes the input.
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

// abandon ends a search that nobody waits for.
func (s *server) abandon() {
	if s.cancel != nil {
		s.cancel()
		<-s.found
		s.cancel = nil
	}
}

// stop ends the search under way; its finding comes as usual.
func (s *server) stop() {
	if s.cancel != nil {
		s.cancel()
	}
}

func (s *server) searching() bool { return s.cancel != nil }

func (s *server) say(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

// complain writes an error as a line that no protocol takes for an answer.
func (s *server) complain(format string, args ...any) {
	s.say(s.protocol.complaint, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}

// place sets the position up by a text ("" for the start) and moves in notation.
// On an error the position before stays.
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

// put plays a move, in notation or as another program wrote it.
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

func (s *server) play(m engines.Move) {
	s.ref.Play(m)
	s.history = append(s.history, m)
}

// takeBack undoes the last move.
func (s *server) takeBack() error {
	return s.place(s.start, text.Each(s.history[:len(s.history)-1], s.ref.MoveString))
}

// search starts a search in the position. The finding comes to run. It is err if the
// question could not be read: whoever asked waits for an answer.
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
		if endless { // a search that has seen everything waits for stop, too
			<-ctx.Done()
		}
		s.found <- f
	}()
}

// ready configures the player and begins the game where that is due.
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

// think asks the player. A panic comes back as an error.
func think(ctx context.Context, p engines.Player, seed uint64, history []engines.Move, limits engines.Limits) (f finding) {
	defer func() {
		if r := recover(); r != nil {
			f = finding{err: fmt.Errorf("panic: %v\n%s", r, debug.Stack())}
		}
	}()
	f.Decision, f.err = engines.Decide(ctx, p, seed, history, limits)
	if ctx.Err() != nil && f.Move != 0 {
		f.err = nil // it was stopped, and this is the best so far
	}
	return f
}

// deliver tells a finding.
func (s *server) deliver(f finding) {
	s.cancel()
	s.cancel = nil
	if f.err != nil {
		s.newGame = true // what a failed player knows is not to be trusted
	}
	s.talk.tell(f.Decision, s.clock.Now().Sub(s.since), f.err)
}

// reserve takes the margin from a time limit.
func (s *server) reserve(t time.Duration) time.Duration {
	return max(t-min(s.options.Margin, t/2), time.Millisecond)
}

// share is what of a player's clock one move gets.
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
		s.vector, s.preset, s.stale = p.Vector.Clone(), value, true
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

// setLevel has a level of play decide, within limits of its own; 0 ends that.
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

// offered lists the options of UGI and UCI.
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

// sayOptions lists them, and the parameters as rows.
func (s *server) sayOptions() {
	for _, o := range s.offered() {
		s.say("%s", o)
	}
	for _, row := range s.rows() {
		s.say("info string %s", row)
	}
}

// rows are the parameters that have more than one value.
func (s *server) rows() (rows []string) {
	for i, p := range s.game.Space {
		if p.Min < p.Max {
			rows = append(rows, formats.Row(p, s.vector[i]))
		}
	}
	return rows
}

// name is what we call ourselves.
func (s *server) name() string { return "selfplaylab " + s.game.Name }

// benchPositions is how many positions bench searches.
const benchPositions = 8

// bench searches fixed positions under the default limits and returns the nodes
// and a hash of the moves chosen: equal programs give equal ones. Between two
// positions it looks whether ctx has ended.
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
