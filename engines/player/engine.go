package player

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/external/process"
	"selfplaylab/engines/external/protocol"
	"selfplaylab/params"
	"selfplaylab/params/formats"
)

// changedError reports a program that differs from the one with which the run began.
type changedError struct {
	Player, File string
	What         string // the part that changed: the program, its name or its options
	Was, Is      string
}

// Error names the program and the change.
func (c *changedError) Error() string {
	return fmt.Sprintf("%s (%s) is not what the run began with: %s: %s then, %s now", c.Player, c.File, c.What, c.Was, c.Is)
}

// readEngine reads an engine file that supports a game, with NAME=VALUE for its options. Seat
// reports all other errors.
func readEngine(game *engines.Game, file string, set []string) (*Engine, *external.Engine, error) {
	if file == "" {
		return nil, nil, errors.New("want an engine file after engine:, such as engine:rapfi.toml")
	}
	described, err := external.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(described.Games, func(p protocol.Played) bool { return p.Game == game.Name }) {
		return nil, nil, &external.Refusal{Err: fmt.Errorf("engine %s does not play %s: its file %s names other games", described.Name,
			game.Name, file)}
	}
	e := &Engine{Set: set}
	if e.File, err = filepath.Abs(file); err != nil {
		return nil, nil, fmt.Errorf("engine file %s: %w", file, err)
	}
	for _, s := range e.Set {
		if name, _, ok := strings.Cut(s, "="); !ok || strings.TrimSpace(name) == "" {
			return nil, nil, engines.ParseError("option", s, "want name=value")
		}
	}
	return e, described, nil
}

// read reads the engine file. The parameters of Space replace its own.
func (e *Engine) read() (*external.Engine, error) {
	described, err := external.ReadFile(e.File)
	if err != nil || e.Space == "" {
		return described, err
	}
	space, err := formats.Read("toml", []byte(e.Space))
	if err != nil {
		return nil, err
	}
	return described, described.SetParams(space)
}

// lateStarts is the number of late starts in a row that end a run.
const lateStarts = 3

// program starts the player's program and sends its options and values.
func (c Config) program(ctx context.Context, v engines.Variant, o process.Options) (*external.Player, error) {
	described, err := c.Engine.read()
	if err != nil {
		return nil, &external.Refusal{Err: err}
	}
	if c.Engine.Key != "" { // it started before, when the run began
		o.Starts = lateStarts
	}
	p, err := described.Open(ctx, v, o)
	if err != nil {
		return nil, err
	}
	if err := c.setUp(p, described); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// setUp sends options and values to a program, and checks that it is the recorded program.
func (c Config) setUp(p *external.Player, described *external.Engine) error {
	x, err := p.Assign(c.Engine.Set)
	if err != nil {
		return &external.Refusal{Err: err}
	}
	if err := p.Admits(c.Limits); err != nil {
		return &external.Refusal{Err: &LimitsError{Err: err}}
	}
	p.Recognise(c.Engine.Program)
	now := c.found(p, described)
	if was := c.Engine; was.Key != "" && was.Key != now.Key {
		return c.changed(now, p.Files())
	}
	switch {
	case len(c.Values) > 0:
		x = c.Values
	case slices.Equal(x, p.Space().Default()):
		return nil // the program already has these values
	}
	return p.Configure(x)
}

// found returns the identity of a running program.
func (c Config) found(p *external.Player, described *external.Engine) Engine {
	id := p.Identity()
	now := *c.Engine
	now.Name, now.Program, now.Options = id.Name, id.SHA256, nil
	parts := slices.Concat([]string{id.Name, id.SHA256, described.Protocol, described.Dialect}, described.Args, described.Env)
	for _, o := range described.Options {
		if !sets(now.Set, o.Name) {
			now.Options = append(now.Options, o.Name+"="+o.Value)
		}
	}
	now.Options = append(now.Options, now.Set...)
	for _, param := range p.Space() {
		if !sets(now.Set, param.Name) {
			now.Options = append(now.Options, param.Name+"="+param.Format(param.Default))
		}
	}
	now.Key = keyOf(append(parts, now.Options...))
	return now
}

// sets reports whether one of the assignments sets the named option. Names are compared without
// case, as in protocols.
func sets(assignments []string, name string) bool {
	return slices.ContainsFunc(assignments, func(a string) bool {
		set, _, _ := strings.Cut(a, "=")
		return strings.EqualFold(strings.TrimSpace(set), name)
	})
}

// keyOf returns a hash of texts in which their boundaries count.
func keyOf(parts []string) string {
	h := sha256.New()
	for _, text := range parts {
		fmt.Fprintf(h, "%d:%s\n", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// changed returns an error that names the first difference from the recorded program, nil if
// there is none.
func (c Config) changed(now Engine, files []string) error {
	was := c.Engine
	err := &changedError{Player: c.Name, File: was.File, What: "its command, dialect, environment or the order of its options", Was: "key " + was.Key,
		Is: "key " + now.Key}
	switch {
	case was.Program != now.Program:
		err.What, err.Was, err.Is = "the program, "+strings.Join(files, " with "), "SHA-256 "+was.Program, "SHA-256 "+now.Program
	case was.Name != now.Name:
		err.What, err.Was, err.Is = "its name", fmt.Sprintf("%q", was.Name), fmt.Sprintf("%q", now.Name)
	case without(was.Options, now.Options) != without(now.Options, was.Options):
		err.What, err.Was, err.Is = "its options", without(was.Options, now.Options), without(now.Options, was.Options)
	}
	return err
}

// without returns the options that are not in others as a list, or "none". An option that
// occurs more often than in others stays.
func without(options, known []string) string {
	left := slices.Clone(options)
	for _, o := range known {
		if i := slices.Index(left, o); i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
	}
	return cmp.Or(strings.Join(left, " "), "none")
}

// Seat starts the player's program, stores its identity in c.Engine and ends it. It does
// nothing for other players. The error is an *external.Refusal for a request that the program
// does not support, or an *engines.Fault for a program that fails at once.
func (c Config) Seat(ctx context.Context, v engines.Variant) error {
	if c.Engine == nil {
		return nil
	}
	described, err := c.Engine.read()
	if err != nil {
		return fmt.Errorf("player %q: %w", c.Name, err)
	}
	p, err := c.program(ctx, v, process.Options{})
	if err != nil {
		return fmt.Errorf("player %q: %w", c.Name, err)
	}
	if err := p.Retire(); err != nil {
		return fmt.Errorf("player %q: %w", c.Name, err)
	}
	*c.Engine = c.found(p, described)
	return nil
}

// FileLimits returns the limits in the player's engine file; none for other players.
func (c Config) FileLimits() (engines.Limits, error) {
	if c.Engine == nil {
		return engines.Limits{}, nil
	}
	described, err := c.Engine.read()
	if err != nil {
		return engines.Limits{}, err
	}
	return described.Limits, nil
}

// offer holds the tunable parameters of a program.
type offer struct {
	Protocol string
	Space    params.Space // the parameters of the engine's file, or else of the program; never empty
	// Differs lists parameters whose default in the file differs from the program's, as "NAME:
	// VALUE in the file, VALUE in the program".
	Differs []string
	// Bounded lists parameters whose range is the whole range of the program's option.
	Bounded []string

	program protocol.Offer
}

// Untunable returns the reason why an option of the program cannot be tuned; nil for a
// parameter, and for a name that the program does not offer.
func (o *offer) Untunable(name string) error {
	if o.Space.Index(name) >= 0 {
		return nil
	}
	return o.program.Untunable(name)
}

// Offer starts the player's program and returns its tunable parameters. c.Engine must not be
// nil. Options that set tunable parameters move from c.Engine to c.Values.
func (c *Config) Offer(ctx context.Context, v engines.Variant) (offer, error) {
	described, err := c.Engine.read()
	if err != nil {
		return offer{}, err
	}
	p, err := described.Open(ctx, v, process.Options{})
	if err != nil {
		return offer{}, err
	}
	o, err := c.take(p, described)
	return o, errors.Join(err, p.Close())
}

// take makes a program's parameters the player's.
func (c *Config) take(p *external.Player, described *external.Engine) (offer, error) {
	o := offer{Protocol: described.Protocol, Space: p.Space(), program: p.Offer()}
	if len(o.Space) == 0 {
		return o, &external.Refusal{Err: fmt.Errorf("engine %s offers nothing to tune: describe its parameters as [[param]] in %s, or by "+
			"tune --space FILE; its options are %s", c.Name, c.Engine.File, o.program.Kinds())}
	}
	for _, param := range described.Params {
		option, known := o.program.Option(param.Name)
		if x, err := param.Parse(option.Default); known && option.Default != "" && (err != nil || x != param.Default) {
			o.Differs = append(o.Differs, fmt.Sprintf("%s: %s in the file, %s in the program", param.Name, param.Format(param.Default),
				option.Default))
		}
	}
	for _, param := range o.Space {
		if option, _ := o.program.Option(param.Name); option.Ranged && param.Min == float64(option.Min) && param.Max == float64(option.Max) {
			o.Bounded = append(o.Bounded, param.Name)
		}
	}
	var options, values []string
	for _, s := range c.Engine.Set {
		name, _, _ := strings.Cut(s, "=")
		if o.Space.Index(strings.TrimSpace(name)) >= 0 {
			values = append(values, s)
		} else {
			options = append(options, s)
		}
	}
	x, err := o.Space.Set(o.Space.Default(), values)
	if err != nil {
		return o, &external.Refusal{Err: fmt.Errorf("engine %s: %w", c.Name, err)}
	}
	engine := *c.Engine
	engine.Set = options
	c.Engine, c.Values = &engine, x
	return o, nil
}

// Present returns an error if the program of an engine file cannot be found. data is the
// content of the file; errors name filename.
func Present(filename string, data []byte) error {
	described, err := external.Decode(filename, data)
	if err == nil {
		_, err = described.Program()
	}
	return err
}

// TypedName is the file in which the run of a tuned program stores the result of Typed.
const TypedName = "tuned-type.txt"

// Typed returns the lines to type to play a program with the player's values: the text of a
// player, then the commands of the protocol with a name. Values equal to the defaults are left
// out. e.Engine must not be nil.
func Typed(e Config, name string, space params.Space) ([]string, error) {
	seat, err := seating(strings.Join(append([]string{e.Engine.File}, e.Engine.Set...), ","), space, e.Values)
	if err != nil {
		return nil, err
	}
	p, err := protocol.Find(name)
	if err != nil {
		return nil, err
	}
	return append([]string{seat}, p.Commands(e.Engine.Name, space, e.Values)...), nil
}

// seating returns the text of a player with a vector: engine:FILE, then NAME=VALUE for every
// value that differs from its default.
func seating(file string, s params.Space, v params.Vector) (string, error) {
	if err := s.Check(v); err != nil {
		return "", err
	}
	text := EnginePrefix + file
	for i, p := range s {
		if v[i] != p.Default {
			text += "," + p.Name + "=" + p.Format(v[i])
		}
	}
	return text, nil
}

// Rows returns parameters with a vector's values, as programs of the named protocol print them.
func Rows(name string, space params.Space, values params.Vector) ([]byte, error) {
	p, err := protocol.Find(name)
	if err != nil {
		return nil, err
	}
	return formats.Write(p.Rows, space, values)
}

// Claims reports whether the engine file says that the engine repeats its decisions, and the
// player's limits allow it. The claim must still be tried.
func (c Config) Claims() bool {
	if c.Engine == nil || !c.Limits.Repeatable() {
		return false
	}
	described, err := c.Engine.read()
	return err == nil && described.Repeatable
}

// Refused reports whether an error of a player must not lose it the game: the program does not
// support the request, it is not the program of the run, or the game's referee failed.
func Refused(err error) bool {
	_, changed := errors.AsType[*changedError](err)
	_, referee := errors.AsType[*engines.RefereeFault](err)
	_, refusal := errors.AsType[*external.Refusal](err)
	return changed || referee || refusal
}
