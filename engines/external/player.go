package external

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"selfplaylab/engines"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/params"
)

var _ engines.Player = (*Player)(nil)

// Player is an external engine as an engines.Player and an io.Closer. It keeps one process
// across games. It starts another after a fault that ended the first, and for every game if the
// engine's file or protocol requires that. It serves one game at a time; one goroutine at a
// time may use it.
type Player struct {
	engine   *Engine
	variant  engines.Variant
	protocol protocol.Protocol
	options  process.Options
	path     string
	files    []readFile
	hash     string // of files, or the recorded hash

	ctx     context.Context // its end ends the process, too
	session *protocol.Session
	client  protocol.Client
	link    *protocol.Link // nil without a process
	offer   protocol.Offer
	space   params.Space
	vector  params.Vector
	admits  engines.Limits // the last limits that the program can keep, zero for none
	starts  int
	ended   int // number of processes that ended by themselves
	killed  int // number of processes that were killed for a fault
	closed  bool
}

// Open starts the program for games under the variant's rules, greets it and sets the engine
// file's options. It is the place of all refusals: of a game, rules or options that the engine
// lacks, of values out of range, and of a program that does not exist. A program that fails at
// once is a Fault. ctx bounds the life of the player's processes, which are killed when it
// ends. The caller must close the player.
func (e *Engine) Open(ctx context.Context, v engines.Variant, options process.Options) (*Player, error) {
	words, err := protocol.Find(e.Protocol)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	options.Patience.Start, options.Patience.Ready = cmp.Or(e.Startup, options.Patience.Start), cmp.Or(e.Ready, options.Patience.Ready)
	p := &Player{engine: e, variant: v, protocol: words, options: options, ctx: ctx}
	if p.path, err = e.Program(); err != nil {
		return nil, refused(err)
	}
	if p.files, err = e.reads(); err != nil {
		return nil, refused(err)
	}
	p.hash = hashOf(p.files)
	if p.session, err = protocol.NewSession(v); err != nil {
		return nil, refused(fmt.Errorf("engine %s: %w", e.Name, err))
	}
	if err := p.patiently(p.start); err != nil {
		return nil, refused(err, ctx)
	}
	if err := p.needsNoPositions(); err != nil {
		p.Close()
		return nil, refused(err)
	}
	return p, nil
}

// needsNoPositions returns an error if the games' openings
// need positions and the protocol cannot set them up.
func (p *Player) needsNoPositions() error {
	if p.client.Capabilities().Positions {
		return nil
	}
	position, err := protocol.NeedsPositions(p.variant, p.session)
	if err != nil || position == "" {
		return err
	}
	return fmt.Errorf("engine %s: it does not accept positions, but openings of %s by %s start from positions such as %q: use rules with "+
		"a fixed start",
		p.engine.Name, p.variant.Game.Name, p.variant.Rules, position)
}

// start starts a process and prepares it for games. It must be the program that was opened.
func (p *Player) start() (err error) {
	if p.starts > 0 {
		if err := p.changed(); err != nil {
			return err
		}
	}
	p.session.Used, p.admits = false, engines.Limits{}
	if p.client, err = p.protocol.Connect(&p.engine.EngineFile, p.variant, p.session); err != nil {
		return err
	}
	env := append(slices.Clone(p.engine.Env), p.protocol.Environment(p.offer.Name, p.settings())...)
	c := process.Command{Name: p.engine.Name, Path: p.path, Args: p.engine.Args, Dir: p.engine.Dir, Env: env, Memory: p.engine.Memory}
	if p.link, err = protocol.Start(p.ctx, c, p.options); err != nil {
		return fmt.Errorf("engine %s: starting %s: %w", p.engine.Name, p.path, err)
	}
	p.starts++
	if err := p.prepare(); err != nil {
		p.drop("")
		return err
	}
	return nil
}

// patiently starts the program by f, and again while it is late. Only thinking costs time, so a
// late start loses no game: after options.Starts of them in a row, if more than one, the error
// is a Refusal.
func (p *Player) patiently(f func() error) error {
	for n := 1; ; n++ {
		err := f()
		switch fault, late := lateStart(err); {
		case !late:
			return err
		case n < p.options.Starts:
		case n == 1:
			fault.Detail += p.moreTime()
			return fault
		default:
			return &Refusal{fmt.Errorf("late %d times in a row: %s%s", n, fault.Detail, p.moreTime())}
		}
	}
}

// moreTime is the remedy for a program that starts late.
func (p *Player) moreTime() string {
	return fmt.Sprintf(`; to give it longer, write startup = "60s" (to its greeting) or ready = "5m" (for options and new games) in %s`,
		p.engine.File)
}

// lateStart returns the fault of a program that is late with anything but a decision.
func lateStart(err error) (fault *engines.Fault, late bool) {
	fault, ok := errors.AsType[*engines.Fault](err)
	return fault, ok && fault.Reason == engines.Stall
}

// prepare greets a new process and sets the options of
// the engine file, then the vector if there is one.
func (p *Player) prepare() error {
	offer, err := p.client.Greet(p.ctx, p.link)
	if err != nil {
		return err
	}
	space := p.engine.Params
	if len(space) == 0 {
		space = offer.Space()
	}
	if p.starts > 1 && !slices.Equal(space.Names(), p.space.Names()) {
		return fmt.Errorf("engine %s: offers other parameters than when it was first started", p.engine.Name)
	}
	p.offer, p.space = offer, space
	if err := protocol.CheckSettings(p.engine.Name, &p.offer, p.engine.Options); err != nil {
		return err
	}
	for _, param := range p.engine.Params {
		set := func(x float64) protocol.Setting { return protocol.Setting{Name: param.Name, Value: param.Format(x)} }
		// The default and both ends of a tuning's range.
		err := protocol.CheckSettings(p.engine.Name, &p.offer, []protocol.Setting{set(param.Default), set(param.Min), set(param.Max)})
		switch o, _ := p.offer.Option(param.Name); {
		case len(param.Labels) == 0 && o.Named():
			err = fmt.Errorf("engine %s: %w", p.engine.Name, p.offer.Untunable(o.Name))
		case err == nil && o.Type == "spin" && !param.Whole:
			err = fmt.Errorf("engine %s: option %s takes whole numbers only: add whole = true, or int in rows", p.engine.Name, o.Name)
		}
		if err != nil {
			return fmt.Errorf("%w; fix the [[param]] in %s, or the file of --space", err, p.engine.File)
		}
	}
	return p.client.Set(p.ctx, p.link, append(append([]protocol.Setting(nil), p.engine.Options...), p.settings()...))
}

// settings returns the vector's values as options; none before Configure.
func (p *Player) settings() []protocol.Setting {
	var list []protocol.Setting
	for i, x := range p.vector {
		list = append(list, protocol.Setting{Name: p.space[i].Name, Value: p.space[i].Format(x)})
	}
	return list
}

// drop ends the process, if there is one, with a farewell; "" kills it.
func (p *Player) drop(farewell string) {
	if p.link == nil {
		return
	}
	p.link.Close(farewell)
	p.link = nil
}

// alive reports whether there is a running process.
func (p *Player) alive() bool { return p.link != nil && p.link.Alive() }

// Space returns the tunable parameters: of the engine's file, or else of the program.
func (p *Player) Space() params.Space { return p.space }

// Offer returns the program's description of itself.
func (p *Player) Offer() protocol.Offer { return p.offer }

// CPUTime returns the processor time of the process and its descendants; 0 if unknown.
func (p *Player) CPUTime() time.Duration {
	if !p.alive() {
		return 0
	}
	return p.link.CPUTime()
}

// Thought returns the time that the last decision took, without the time for setting up its
// position.
func (p *Player) Thought() time.Duration {
	if p.link == nil {
		return 0
	}
	return p.link.Thought
}

// Identity returns the program's name and settings.
func (p *Player) Identity() identity {
	id := identity{Name: p.offer.Name, Author: p.offer.Author, SHA256: p.hash}
	vector := p.vector
	if vector == nil {
		vector = p.space.Default()
	}
	for _, s := range p.engine.Options {
		id.Options = append(id.Options, s.Name+"="+s.Value)
	}
	id.Options = append(id.Options, p.space.Texts(vector)...)
	return id
}

// changed returns an error unless the program is still the one that was opened.
func (p *Player) changed() error {
	now, err := p.engine.reads()
	if err != nil || contains(now, p.hash) {
		return err
	}
	was := p.files[max(0, slices.IndexFunc(p.files, func(f readFile) bool { return !slices.Contains(now, f) }))]
	state, remedy := "none now", "begin another run"
	if i := slices.IndexFunc(now, func(f readFile) bool { return f.path == was.path }); i >= 0 {
		state = now[i].sum + " now"
	}
	if info, err := os.Stat(was.path); err == nil {
		state += " (changed " + info.ModTime().Format(time.DateTime) + ")"
	}
	if name, err := filepath.Rel(p.engine.Dir, was.path); err == nil && was != p.files[0] {
		remedy = fmt.Sprintf("if the program writes it itself, begin another run with writes = [%q] in %s", name, p.engine.File)
	}
	return fmt.Errorf("engine %s: %s is not what the run began with: SHA-256 %s then, %s; put the old file back and resume the run; or %s",
		p.engine.Name, was.path, was.sum, state, remedy)
}

// Recognise makes the player use a recorded hash if its files contain the recorded ones.
func (p *Player) Recognise(hash string) {
	if contains(p.files, hash) {
		p.hash = hash
	}
}

// Retire closes the player, and removes files from the identity that the program has written since
// it was opened, or has open for writing.
func (p *Player) Retire() error {
	program := p.files[0]
	p.files = slices.DeleteFunc(p.files, func(f readFile) bool {
		info, err := os.Stat(f.path)
		return f != program && err == nil && p.link != nil && p.link.Writes(info)
	})
	err := p.Close()
	now, err2 := p.engine.reads()
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	p.files = slices.DeleteFunc(p.files, func(f readFile) bool { return f != program && !slices.Contains(now, f) })
	if !contains(p.files, p.hash) {
		p.hash = hashOf(p.files)
	}
	return nil
}

// Files returns the paths of the files of its identity, the program first.
func (p *Player) Files() []string {
	var list []string
	for _, f := range p.files {
		list = append(list, f.path)
	}
	return list
}

// Configure implements engines.Player.
// vector is a point of Space; it is empty for a program without parameters.
func (p *Player) Configure(vector []float64) error {
	if err := p.space.Check(vector); err != nil {
		return fmt.Errorf("engine %s: %w", p.engine.Name, err)
	}
	p.vector = params.Vector(vector).Clone()
	if !p.alive() {
		return nil // Reset starts a process and sets the values
	}
	if len(p.protocol.Environment(p.offer.Name, p.settings())) > 0 {
		p.drop(p.client.Quit())
		return nil
	}
	return p.set(p.settings())
}

// set sends values to a running program. The next Reset starts a program that is late with them again.
func (p *Player) set(values []protocol.Setting) error {
	err := p.client.Set(p.ctx, p.link, values)
	if _, late := lateStart(err); late {
		return nil
	}
	return err
}

// Assign sets options and parameters by assignments of the form name=value,
// and returns the vector that results from the parameters' defaults.
// An option is set at once and in every later process.
// The vector takes effect by Configure.
// Assign must be called between games.
func (p *Player) Assign(assignments []string) (params.Vector, error) {
	var values []protocol.Setting
	var rest []string
	known := p.space.Names()
	for _, o := range p.offer.Options {
		if p.space.Index(o.Name) < 0 {
			known = append(known, o.Name)
		}
	}
	for _, a := range assignments {
		name, value, ok := strings.Cut(a, "=")
		name = strings.TrimSpace(name)
		_, offered := p.offer.Option(name)
		switch tuned := p.space.Index(name) >= 0; {
		case !ok || tuned:
			rest = append(rest, a)
		case offered:
			values = append(values, protocol.Setting{Name: name, Value: strings.TrimSpace(value)})
		default:
			return nil, fmt.Errorf("engine %s has no option or parameter %q%s", p.engine.Name, name, params.Suggest(name, known))
		}
	}
	x, err := p.space.Set(p.space.Default(), rest)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", p.engine.Name, err)
	}
	if err := protocol.CheckSettings(p.engine.Name, &p.offer, values); err != nil || len(values) == 0 {
		return x, err
	}
	own := *p.engine
	own.Options = append(slices.Clone(own.Options), values...)
	p.engine = &own
	if p.files, err = own.reads(); err != nil {
		return nil, err
	}
	p.hash = hashOf(p.files)
	if !p.alive() {
		return x, nil
	}
	return x, p.set(append(values, p.settings()...))
}

// Reset implements engines.Player.
// It starts a process if there is none, or if every game needs a new one.
//
// Its error is a Fault, a Refusal or the context's.
func (p *Player) Reset(position string, seed uint64) error {
	return refused(p.reset(position, seed), p.ctx)
}

// reset is Reset without the conversion of its error.
func (p *Player) reset(position string, seed uint64) error {
	if p.closed {
		return errors.New("engine " + p.engine.Name + ": it was closed")
	}
	if err := p.session.Reset(position); err != nil {
		return fmt.Errorf("engine %s: %w", p.engine.Name, err)
	}
	return p.patiently(func() error { return p.newGame(seed) })
}

// newGame starts a game, and a process for it if that is needed.
func (p *Player) newGame(seed uint64) error {
	if p.alive() && p.fresh() {
		p.drop(p.client.Quit())
	}
	if !p.alive() {
		p.countEnd()
		p.drop("")
		if err := p.start(); err != nil {
			return err
		}
	}
	err := p.client.NewGame(p.ctx, p.link, seed)
	if !errors.Is(err, protocol.ErrFresh) {
		return err
	}
	p.drop(p.client.Quit())
	if err := p.start(); err != nil {
		return err
	}
	return p.client.NewGame(p.ctx, p.link, seed)
}

// countEnd counts the end of the process by its cause.
func (p *Player) countEnd() {
	switch {
	case p.link == nil:
	case p.link.Ended():
		p.ended++
	default:
		p.killed++
	}
}

// fresh reports whether a game needs a process that has played no game.
func (p *Player) fresh() bool {
	return (p.engine.Restart || p.protocol.Fresh) && p.session.Used
}

// Choose implements engines.Player.
// A program's mistake is an engines.Fault; with an illegal move the decision is returned, too.
// A question about something it lacks is a Refusal.
// When ctx ends the program is killed, and the next Reset starts another.
func (p *Player) Choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	d, err := p.choose(ctx, history, limits)
	return d, refused(err, ctx, p.ctx)
}

// choose is Choose without the conversion of its error.
func (p *Player) choose(ctx context.Context, history []engines.Move, limits engines.Limits) (engines.Decision, error) {
	if p.link == nil {
		return engines.Decision{}, errors.New("engine " + p.engine.Name + ": call Reset before Choose")
	}
	if limits.IsZero() {
		limits = p.engine.Limits
	}
	limits.Margin = cmp.Or(limits.Margin, p.engine.TimeMargin)
	if limits != p.admits {
		if err := p.Admits(limits); err != nil {
			return engines.Decision{}, err
		}
		p.admits = limits
	}
	if err := p.session.Follow(history); err != nil {
		return engines.Decision{}, fmt.Errorf("engine %s: %w", p.engine.Name, err)
	}
	p.session.Used = true
	p.link.Thought = 0
	d, err := p.client.Choose(ctx, p.link, limits)
	if err != nil {
		return engines.Decision{}, err
	}
	if elapsed := p.link.Thought; late(elapsed, limits.Longest(), max(limits.Margin, 0)) {
		return engines.Decision{}, p.link.Complain(limits.TimeoutReason(), "took %v of %v for move %d", elapsed.Round(time.Millisecond),
			limits.Longest().Round(time.Microsecond), len(history)+1)
	}
	return d, p.session.Illegal(p.link, d.Move)
}

// Admits returns the reason why the program cannot keep limits; nil if it can.
func (p *Player) Admits(limits engines.Limits) error {
	if limits.Overlook > 0 {
		return fmt.Errorf("engine %s: limits %q: only the toolkit's own players overlook moves; leave overlook out", p.engine.Name, limits)
	}
	admits := p.client.Capabilities().Limits
	if admits == nil {
		return nil
	}
	err := admits(limits)
	if _, fault := errors.AsType[*engines.Fault](err); err == nil || fault { // a fault names the engine
		return err
	}
	return fmt.Errorf("engine %s: %w", p.engine.Name, err)
}

// Close asks the program to leave, and kills it if it does not in time.
// The player cannot be used afterwards.
// It returns nil.
func (p *Player) Close() error {
	p.closed = true
	if p.link != nil {
		p.drop(p.client.Quit())
	}
	return nil
}
