// Package player describes players as plain data: values or program, limits and name. All kinds
// of runs store, compare and open players in this form.
package player

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
)

// Config is one player of a game: the game's own player with these values, an external engine,
// or Go code of the caller. All players of a run play the run's game under its rules, so a
// Config repeats neither. Zero Limits set no limit.
type Config struct {
	Name   string         `toml:"name" json:"name"`                         // shown to people; it decides nothing
	Player string         `toml:"player" json:"player"`                     // as written by the user: preset, file or program, with overrides
	Values params.Vector  `toml:"values" json:"values,omitempty"`           // in the game's space; empty for a program that keeps its own
	Limits engines.Limits `toml:"limits" json:"limits"`                     // limits of each decision
	Engine *Engine        `toml:"engine,omitempty" json:"engine,omitempty"` // nil unless a program plays
	// nil unless Go code of the caller plays
	Custom *Custom `toml:"custom,omitempty" json:"custom,omitempty"`
}

// EnginePrefix begins the text of a player that is an external engine.
const EnginePrefix = "engine:"

// customPrefix begins the text of a player that is the caller's own Go code.
const customPrefix = "custom:"

// Engine is the program that plays for a player, with its identity at its start. A run records
// it and rejects a program that has changed.
type Engine struct {
	File string   `toml:"file" json:"file"`         // absolute path of the engine file
	Set  []string `toml:"set" json:"set,omitempty"` // name=value, in place of values of the file or the program
	// Space has the parameters to tune as [[param]] tables, in place of those in the file or
	// program; "" for none.
	Space string `toml:"space,multiline,omitempty" json:"space,omitempty"`

	// Seat fills in the other fields.
	Name    string   `toml:"name" json:"name"`                 // as the program reports it; "" for none
	Program string   `toml:"program" json:"program"`           // SHA-256 of the program: external.Engine.Hash
	Options []string `toml:"options" json:"options,omitempty"` // every option value, as name=value
	Key     string   `toml:"key" json:"key"`                   // SHA-256 of everything that decides its play, except the player's values
	// Repeats is set if the engine file says that the engine repeats its decisions and a trial
	// confirmed it.
	Repeats bool `toml:"repeats" json:"repeats"`
}

// Custom is a player made by Go code of the library's caller, named custom:NAME in texts. A run
// records its name and Repeatable. Only a program that provides the same player again can
// resume the run or replay its games.
type Custom struct {
	Name string `toml:"name" json:"name"` // with a version, because the name stands for the code; without , and @
	// Repeatable promises the same decision after the same history with the same seed, values
	// and limits.
	Repeatable bool `toml:"repeatable" json:"repeatable"`
	// Values are its initial values of the game's parameters. A player with nil Values has no
	// parameters, and Configure is never called on it.
	Values params.Vector `toml:"-" json:"-"`
	// New returns a new player. Several players play at the same time, each in one goroutine.
	New func(engines.Variant) (engines.Player, error) `toml:"-" json:"-"`
}

// LimitsError is the error for limits that a player does not support.
type LimitsError struct {
	Own bool  // the limits were in the player's own text, not given to all players
	Err error // names the limit and the supported ones
}

func (l *LimitsError) Error() string { return l.Err.Error() }
func (l *LimitsError) Unwrap() error { return l.Err }

// Ask returns a player that has only a user's text. Parse must read it before it can play.
func Ask(text string) Config { return Config{Player: text} }

// AskAll returns a player for each text, as Ask does.
func AskAll(texts ...string) (list []Config) {
	for _, text := range texts {
		list = append(list, Ask(text))
	}
	return list
}

// Asked returns the texts of players, as users wrote them.
func Asked(list []Config) (texts []string) {
	for _, e := range list {
		texts = append(texts, e.Player)
	}
	return texts
}

// Text returns the player in the form that Parse reads, without its name. space gives the names
// of the values. For a player that was not read yet it returns the user's text.
func (c Config) Text(space params.Space) string {
	if c.Name == "" {
		return c.Player
	}
	var words []string
	if c.Engine != nil {
		words = append([]string{EnginePrefix + c.Engine.File}, c.Engine.Set...)
	}
	if c.Custom != nil {
		words = append(words, customPrefix+c.Custom.Name)
	}
	text := strings.Join(append(words, space.Texts(c.Values)...), ",")
	if !c.Limits.IsZero() {
		text += "@" + c.Limits.String()
	}
	return text
}

// With returns a copy of the player with other values.
func (c Config) With(values params.Vector) Config {
	c.Values = values
	return c
}

// Check returns an error unless the player's values fit the game's space. An external player
// may have no values. The error names the player.
func (c Config) Check(game *engines.Game) error {
	if c.External() && len(c.Values) == 0 {
		return nil
	}
	if err := game.Space.Check(c.Values); err != nil {
		return fmt.Errorf("player %q: %w", c.Name, err)
	}
	return nil
}

// Repeatable reports whether the player chooses the same move again after the same history with
// the same seed. It does not under a time limit, nor if MayVary.
func (c Config) Repeatable() bool {
	return c.Limits.Repeatable() && !c.MayVary()
}

// External reports whether the player is an external engine or a custom player. Such a player
// may have no values.
func (c Config) External() bool { return c.Engine != nil || c.Custom != nil }

// MayVary reports whether the player may decide differently in the same position, for other
// reasons than time: an external engine that did not repeat its decisions in a trial, or a
// custom player without Repeatable.
func (c Config) MayVary() bool {
	return c.Engine != nil && !c.Engine.Repeats || c.Custom != nil && !c.Custom.Repeatable
}

// SamePlayer reports whether the players differ at most in values and limits: both are the
// game's own, or the same program with the same options, or the same custom player.
func (c Config) SamePlayer(other Config) bool {
	if c.Custom != nil || other.Custom != nil {
		return c.Custom != nil && other.Custom != nil && c.Custom.Name == other.Custom.Name
	}
	if c.Engine == nil || other.Engine == nil {
		return c.Engine == other.Engine
	}
	return c.Engine.File == other.Engine.File && c.Engine.Key == other.Engine.Key && slices.Equal(c.Engine.Set, other.Engine.Set)
}

// Same reports whether two players differ at most in their names.
func (c Config) Same(other Config) bool {
	return c.Limits == other.Limits && slices.Equal(c.Values, other.Values) && c.SamePlayer(other)
}

// Identity hashes the player's values (reduced by Space.Essence), limits and program key, but
// not its name. Seeds are derived from it, so the hash must never change.
func (c Config) Identity(space params.Space) uint64 {
	h := fnv.New64a()
	h.Write([]byte(c.Limits.String()))
	parts := []uint64{h.Sum64()}
	for _, x := range space.Essence(c.Values) {
		parts = append(parts, math.Float64bits(x))
	}
	if c.Engine != nil {
		h.Write([]byte(c.Engine.Key))
		parts = append(parts, h.Sum64())
	}
	if c.Custom != nil {
		h.Write([]byte(customPrefix + c.Custom.Name))
		parts = append(parts, h.Sum64())
	}
	return engines.Seed(parts...)
}

// CheckNames reports the first name that is empty or shared by two players. The error suggests
// a free name.
func CheckNames(list []Config) error {
	seen, taken := map[string]bool{}, func(name string) bool {
		return slices.ContainsFunc(list, func(e Config) bool { return e.Name == name })
	}
	for i, e := range list {
		switch {
		case strings.TrimSpace(e.Name) == "":
			return fmt.Errorf("player %d has no name", i+1)
		case seen[e.Name]:
			free, again := "second", e.Player
			for n := 3; taken(free); n++ {
				free = fmt.Sprint("player", n)
			}
			if !e.Limits.IsZero() {
				again += "@" + e.Limits.String()
			}
			return fmt.Errorf("two players are named %q: give one another name, such as %s:%s", e.Name, free, again)
		}
		seen[e.Name] = true
	}
	return nil
}
