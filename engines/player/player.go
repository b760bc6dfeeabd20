// Package player is who sits down to play: what a player is, under which
// limits it plays and what people call it, as plain data that every kind of run
// keeps, compares and opens in the same way. It plays nothing.
package player

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/levels"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/params/paramfile"
)

// Config is one player of a game: the game's own player with these values, or
// an external engine. All players of a run play the run's game under its rules,
// so neither is repeated here. The zero Limits leave the player to itself.
type Config struct {
	Name   string         `toml:"name" json:"name"`               // what people call it; it decides nothing
	Player string         `toml:"player" json:"player"`           // as the user gave it: a preset, a file or a program, with overrides
	Values params.Vector  `toml:"values" json:"values,omitempty"` // of the game's space; empty for a program with its own values
	Limits engines.Limits `toml:"limits" json:"limits"`           // of each decision
	Engine *Engine        `toml:"engine,omitempty" json:"engine,omitempty"`
	Custom *Custom        `toml:"custom,omitempty" json:"custom,omitempty"`
}

// Ask is a player as a user writes it, to be read by Parse: it has no name yet.
func Ask(text string) Config { return Config{Player: text} }

// AskAll is Ask of several players.
func AskAll(texts ...string) (list []Config) {
	for _, text := range texts {
		list = append(list, Ask(text))
	}
	return list
}

// Asked is what users wrote of players that were not read yet.
func Asked(list []Config) (texts []string) {
	for _, e := range list {
		texts = append(texts, e.Player)
	}
	return texts
}

// Text writes the player as Parse reads it, without its name: values by the names of the
// space. A player that was not read yet is as the user wrote it.
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

// Parse reads [NAME:]PRESET, [NAME:]FILE.toml, [NAME:]FORM:FILE, [NAME:]engine:FILE.toml or [NAME:]level:N, then any
// ,name=value overrides, then @BUDGET for limits of its own; without it the limits
// are those that an engine's file gives, or else those given. (What a user asks of all
// players comes before the file's: see runs.Seat.) Overrides alone are
// of the game's default preset. The name is by default the text itself, the budget
// included, with the name of an engine in place of its file. Limits that the game's
// own player does not keep are refused: an *LimitsError. Programs are not started,
// and say what they refuse later: see Seat.
func Parse(game *engines.Game, text string, limits engines.Limits, custom ...Custom) (Config, error) {
	if strings.TrimSpace(text) == "" {
		return Config{}, fmt.Errorf("want a preset of %s or a parameter file", game.Name)
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return Config{}, fmt.Errorf("player %q holds characters that cannot be shown", text)
	}
	e := Config{Name: text, Player: text, Limits: limits}
	i := budgetAt(text)
	if i >= 0 {
		var err error
		if e.Limits, err = engines.ParseLimits(text[i+1:]); err != nil {
			return Config{}, err
		}
		if e.Limits.IsZero() {
			return Config{}, fmt.Errorf("want a budget after the @, such as depth=3")
		}
		e.Player = text[:i]
	}
	named := false
	name, rest, ok := cutName(e.Player)
	if ok && !hasPrefix(e.Player) && !formats.HasForm(e.Player) {
		e.Name, e.Player, named = strings.TrimSpace(name), rest, true
		if e.Name == "" {
			return Config{}, fmt.Errorf("want a name before the colon, as in deep:%s@depth=5", game.DefaultPreset)
		}
	}
	var err error
	if strings.HasPrefix(e.Player, EnginePrefix) {
		var described *external.Engine
		if e.Engine, described, err = parseEngine(game, e.Player); err != nil {
			return Config{}, err
		}
		if i < 0 && !described.Limits.IsZero() {
			e.Limits = described.Limits
		}
		if !named {
			e.Name = strings.Join(append([]string{described.Name}, e.Engine.Set...), ",")
			if i >= 0 {
				e.Name += text[i:]
			}
		}
		return e, nil
	}
	if strings.HasPrefix(e.Player, customPrefix) {
		if !named {
			e.Name = strings.TrimPrefix(text, customPrefix)
		}
		err := e.parseCustom(game, custom)
		return e, err
	}
	if level, ok := strings.CutPrefix(e.Player, levels.Prefix); ok {
		l, err := levels.Find(game, level)
		if err == nil && i >= 0 {
			err = fmt.Errorf("a level has limits of its own: %s; leave @%s out", l.Limits, text[i+1:])
		}
		e.Values, e.Limits = l.Values, l.Limits
		return e, err
	}
	edited := false
	if e.Values, edited, err = read(game, e.Player); err != nil {
		return Config{}, err
	}
	if edited {
		e.Name += paramfile.EditedMark
	}
	if err := game.CheckLimits(e.Limits); err != nil {
		return Config{}, &LimitsError{Own: i >= 0, Err: err}
	}
	return e, nil
}

// cutName cuts a text after the colon of a name, which is not that of a drive (C:\mine.toml).
func cutName(text string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(text, ":")
	return name, rest, ok && !strings.ContainsAny(name, `/\,=`) && !filepath.IsAbs(text)
}

// hasPrefix reports whether a text says that it is no player of the game itself.
func hasPrefix(text string) bool {
	return slices.ContainsFunc([]string{EnginePrefix, customPrefix, levels.Prefix}, func(p string) bool { return strings.HasPrefix(text, p) })
}

// LimitsError is the error of limits that a player does not keep.
type LimitsError struct {
	Own bool // they stood in the player's own text, and were not given to all
	Err error
}

func (l *LimitsError) Error() string { return l.Err.Error() }
func (l *LimitsError) Unwrap() error { return l.Err }

// Values reads PRESET, FILE.toml, a file in another tool's form (.json, .params, .txt,
// .csv, or .toml with [[param]] tables) or FORM:FILE, followed by any number of
// ,name=value; overrides alone are of the game's default preset.
func Values(game *engines.Game, text string) (params.Vector, error) {
	values, _, err := read(game, text)
	return values, err
}

// read is Values; edited reports whether the file was changed after a run wrote it.
func read(game *engines.Game, text string) (values params.Vector, edited bool, err error) {
	base, rest, more := strings.Cut(text, ",")
	if strings.Contains(base, "=") && !isFile(base) {
		base, rest, more = game.DefaultPreset, text, true
	}
	switch {
	case inForm(base):
		if values, err = readForm(game, base); err != nil {
			return nil, false, err
		}
	case isFile(base):
		f, err := paramfile.Read(base, game.Name, game.Space)
		if err != nil {
			typed := filepath.Join(filepath.Dir(base), TypedName)
			if _, none := os.Stat(typed); none == nil {
				err = fmt.Errorf("%w\nan external engine was tuned there: %s holds what to type to play it with the tuned values", err, typed)
			}
			return nil, false, err
		}
		values, edited = f.Vector, f.Edited
	default:
		preset, err := game.Preset(base)
		if err != nil {
			return nil, false, fmt.Errorf("%w; a parameter file is named with its path, such as .%c%s.toml", err, filepath.Separator, base)
		}
		values = preset.Vector
	}
	if more {
		values, err = game.Space.Set(values, strings.Split(rest, ","))
	}
	return values, edited, err
}

// budgetAt is where the @ of a budget stands in a player's text; -1 for none. One
// in the path of a file is none.
func budgetAt(text string) int {
	i := strings.LastIndex(text, "@")
	if i >= 0 && strings.ContainsAny(text[i:], `/\`) {
		return -1
	}
	return i
}

// HasBudget reports whether a player's text gives limits of its own.
func HasBudget(text string) bool { return budgetAt(text) >= 0 }

func isFile(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".toml") || isForm(name)
}

// isForm reports whether a file is one of another tool's forms, by its name.
func isForm(name string) bool {
	return slices.Contains([]string{".json", ".params", ".txt", ".csv"}, strings.ToLower(filepath.Ext(name)))
}

// inForm reports whether a player's base is a file of parameters in another tool's form.
func inForm(base string) bool {
	return isForm(base) || formats.HasForm(base) || strings.HasSuffix(base, ".toml") && formats.HoldsTables(base)
}

// OtherRanges are the parameters of a file in another tool's form whose range or step is not
// the game's, which counts. There are none of a player, as in Config, that is no such file.
func OtherRanges(game *engines.Game, text string) (list params.Space) {
	base, _, _ := strings.Cut(text, ",")
	if !inForm(base) {
		return nil
	}
	f, _ := formats.ReadFile(base) // no parameters after an error, which Parse reports
	for _, p := range f.Space {
		if i := game.Space.Index(p.Name); i >= 0 && (p.Min != game.Space[i].Min || p.Max != game.Space[i].Max || p.Step != game.Space[i].Step) {
			list = append(list, p)
		}
	}
	return list
}

// readForm reads the values of a file in another tool's form (formats.All);
// what it does not name keeps its default. Its ranges and steps are not taken.
func readForm(game *engines.Game, path string) (params.Vector, error) {
	f, err := formats.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := game.Space.Default()
	for _, p := range f.Space {
		i, err := game.Space.Lookup(p.Name)
		if err == nil {
			err = game.Space[i].Check(p.Default)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: as parameters of %s: %w", path, game.Name, err)
		}
		values[i] = p.Default
	}
	return values, nil
}

// With returns the player with other values.
func (c Config) With(values params.Vector) Config {
	c.Values = values
	return c
}

// Check reports whether the player can play a game: its values must be of the
// game's space. A program may have none.
func (c Config) Check(game *engines.Game) error {
	if c.External() && len(c.Values) == 0 {
		return nil
	}
	if err := game.Space.Check(c.Values); err != nil {
		return fmt.Errorf("player %q: %w", c.Name, err)
	}
	return nil
}

// Open makes the player, ready to start a game. Whoever opens it gives it to
// Close when it is no longer needed. The process of a program ends with ctx; stall
// bounds a decision of it that no time limit bounds, 0 for the driver's patience.
func (c Config) Open(ctx context.Context, v engines.Variant, stall time.Duration) (engines.Player, error) {
	if c.Engine != nil {
		p, err := c.program(ctx, v, stall)
		if err != nil { // not the typed nil of p
			return nil, err
		}
		return p, nil
	}
	if c.Custom != nil {
		return c.Custom.open(v, c.Values)
	}
	player := v.NewPlayer()
	if err := player.Configure(c.Values); err != nil {
		return nil, fmt.Errorf("%s: %w", v.Game.Name, err)
	}
	return player, nil
}

// Close ends a player that holds something, such as a process.
func Close(p engines.Player) error {
	if c, ok := p.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// CPUTime is the processor time that a program and its descendants have used; 0 where
// that is not known.
func CPUTime(p engines.Player) time.Duration {
	if program, is := p.(*external.Player); is {
		return program.CPUTime()
	}
	return 0
}

// Repeatable reports whether the player must choose the same move again from
// the same history and seed: no clock bounds it, and a program was seen to.
func (c Config) Repeatable() bool {
	return c.Limits.Repeatable() && !c.MayVary()
}

// External reports whether the player is not the game's own, but an external engine or
// a custom player. It may have no values.
func (c Config) External() bool { return c.Engine != nil || c.Custom != nil }

// MayVary reports whether the player, clocks aside, may make another decision in the
// same place: an external engine that was not seen to repeat itself, or a custom
// player that does not state it.
func (c Config) MayVary() bool {
	return c.Engine != nil && !c.Engine.Repeats || c.Custom != nil && !c.Custom.Repeatable
}

// SamePlayer reports whether one player can sit for both players, with other
// values: both are the game's own, or the same program in the same way.
func (c Config) SamePlayer(other Config) bool {
	if c.Custom != nil || other.Custom != nil {
		return c.Custom != nil && other.Custom != nil && c.Custom.Name == other.Custom.Name
	}
	if c.Engine == nil || other.Engine == nil {
		return c.Engine == other.Engine
	}
	return c.Engine.File == other.Engine.File && c.Engine.Key == other.Engine.Key && slices.Equal(c.Engine.Set, other.Engine.Set)
}

// Same reports whether two players are the same player, whatever they are
// called.
func (c Config) Same(other Config) bool {
	return c.Limits == other.Limits && slices.Equal(c.Values, other.Values) && c.SamePlayer(other)
}

// Identity is a hash of what the player is: of its values and limits, and of the
// key of a program, not of its name. Of the values it takes what Space.Essence says. Seeds
// are drawn from it, so it will not change.
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

// CheckNames reports the first name that two players share, or that is empty. It
// suggests a name that none has, for the player as it was given.
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

// GameOf returns the game that the parameter file of a player's text is for; ""
// where the text names none, or one that Parse will complain about.
func GameOf(text string) string {
	if i := strings.LastIndex(text, "@"); i >= 0 {
		text = text[:i]
	}
	if strings.HasPrefix(text, customPrefix) {
		return ""
	}
	if _, rest, ok := cutName(text); ok {
		text = rest
	}
	file, _, _ := strings.Cut(text, ",")
	if !isFile(file) {
		return ""
	}
	game, err := paramfile.Game(file)
	if err != nil {
		return "" // told by whoever reads the values
	}
	return game
}
