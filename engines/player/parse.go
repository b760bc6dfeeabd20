package player

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"selfplaylab/engines"
	"selfplaylab/engines/external"
	"selfplaylab/engines/levels"
	"selfplaylab/params"
	"selfplaylab/params/formats"
	"selfplaylab/params/paramfile"
)

// Parse reads the text of a player of a game:
//
//	[NAME:]PLAYER[,PARAMETER=VALUE...][@BUDGET]
//
// PLAYER is a preset, FILE.toml, FORM:FILE, engine:FILE.toml, level:N or custom:NAME. Values
// without a PLAYER change the game's default preset.
//
// A player without @BUDGET has the limits of its engine file or its level, else the given
// limits. Its default name is the text itself; an engine's is the name in its file.
//
// Parse reads files but starts no program; Config.Seat does. The error names the text and the
// remedy. It is a *LimitsError for limits that the game's own player does not support.
func Parse(game *engines.Game, text string, limits engines.Limits, custom ...Custom) (Config, error) {
	if strings.TrimSpace(text) == "" {
		return Config{}, fmt.Errorf("want a preset of %s or a parameter file", game.Name)
	}
	p, err := split(text)
	if err != nil {
		return Config{}, err
	}
	if p.named && p.name == "" {
		return Config{}, fmt.Errorf("want a name before the colon, as in deep:%s@depth=5", game.DefaultPreset)
	}
	s, err := p.open(game, custom)
	if err != nil {
		return Config{}, err
	}
	return p.config(game, s, limits)
}

// parts is a player's text, split at its separators.
type parts struct {
	text   string         // the whole text
	named  bool           // the text begins with NAME:
	name   string         // before the colon; it may be empty
	player string         // the text without name and budget
	prefix string         // EnginePrefix, customPrefix, levels.Prefix, or "" for a preset or file
	base   string         // preset, file, program, number or first value, without the prefix
	values []string       // as PARAMETER=VALUE; nil for none
	budget string         // with its @; "" for none
	limits engines.Limits // of the budget
}

// split splits a player's text. It opens no file and knows no game.
func split(text string) (parts, error) {
	p := parts{text: text, player: text}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return p, fmt.Errorf("player %q holds characters that cannot be shown", text)
	}
	if i := budgetAt(text); i >= 0 {
		p.player, p.budget = text[:i], text[i:]
		var err error
		if p.limits, err = engines.ParseLimits(p.budget[1:]); err != nil {
			return p, err
		}
		if p.limits.IsZero() {
			return p, errors.New("want a budget after the @, such as depth=3")
		}
	}
	if name, rest, ok := cutName(p.player); ok && prefixOf(p.player) == "" && !formats.HasForm(p.player) {
		p.named, p.name, p.player = true, strings.TrimSpace(name), rest
	}
	p.prefix = prefixOf(p.player)
	p.base, p.values = cutValues(strings.TrimPrefix(p.player, p.prefix))
	return p, nil
}

// budgetAt returns the index of the @ that begins the budget in a player's text, -1 if there is
// none. An @ in the path of a file begins no budget.
func budgetAt(text string) int {
	i := strings.LastIndex(text, "@")
	if i >= 0 && strings.ContainsAny(text[i:], `/\`) {
		return -1
	}
	return i
}

// cutName splits a text after the colon of a name. The colon of a drive does not end a name
// (C:\mine.toml).
func cutName(text string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(text, ":")
	return name, rest, ok && !strings.ContainsAny(name, `/\,=`) && !filepath.IsAbs(text)
}

// prefixOf returns the prefix of a player that is not a preset or parameter file of the game.
func prefixOf(text string) string {
	prefixes := []string{EnginePrefix, customPrefix, levels.Prefix}
	if i := slices.IndexFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) }); i >= 0 {
		return prefixes[i]
	}
	return ""
}

// source is the player that a text names, with its file read.
type source struct {
	engine *Engine        // nil unless it is an external engine
	custom *Custom        // nil unless it is Go code of the caller
	name   string         // the player's name in its file; "" for a player without one
	values params.Vector  // with the values of the text applied; nil for a program with its own
	edited bool           // a file written by a run was changed by hand
	limits engines.Limits // the player's own; zero for none
}

// open finds the preset, file, engine, level or custom player of the text.
func (p parts) open(game *engines.Game, custom []Custom) (s source, err error) {
	switch p.prefix {
	case EnginePrefix:
		var described *external.Engine
		if s.engine, described, err = readEngine(game, p.base, p.values); err == nil {
			s.name, s.limits = strings.Join(append([]string{described.Name}, s.engine.Set...), ","), described.Limits
		}
	case customPrefix:
		s.name = strings.TrimPrefix(p.player, customPrefix)
		s.custom, s.values, err = findCustom(game, custom, p.base, p.values)
	case levels.Prefix:
		var level levels.Level
		if level, err = levels.Find(game, strings.TrimPrefix(p.player, levels.Prefix)); err == nil && p.budget != "" {
			err = fmt.Errorf("a level has limits of its own: %s; leave %s out", level.Limits, p.budget)
		}
		s.values, s.limits = level.Values, level.Limits
	default:
		s.values, s.edited, err = readValues(game, p.base, p.values)
	}
	return s, err
}

// config returns the player that the text and its source describe. limits apply to a player
// without limits of its own.
func (p parts) config(game *engines.Game, s source, limits engines.Limits) (Config, error) {
	c := Config{Name: p.text, Player: p.player, Values: s.values, Limits: limits, Engine: s.engine, Custom: s.custom}
	switch {
	case p.named:
		c.Name = p.name
	case s.name != "":
		c.Name = s.name + p.budget
	}
	switch {
	case p.budget != "":
		c.Limits = p.limits
	case !s.limits.IsZero():
		c.Limits = s.limits
	}
	if s.edited {
		c.Name += paramfile.EditedMark
	}
	if p.prefix == "" {
		if err := game.CheckLimits(c.Limits); err != nil {
			return Config{}, &LimitsError{Own: p.budget != "", Err: err}
		}
	}
	return c, nil
}

// HasBudget reports whether a player's text contains limits, after an @.
func HasBudget(text string) bool { return budgetAt(text) >= 0 }

// GameOf returns the game of the parameter file in a player's text. It returns "" for a text
// without such a file, or with a file that Parse will reject.
func GameOf(text string) string {
	p, err := split(text)
	if err != nil || p.prefix != "" || !isFile(p.base) {
		return ""
	}
	game, err := paramfile.Game(p.base)
	if err != nil {
		return "" // Parse reports it
	}
	return game
}

// PlayedBy returns the first game in an engine file, with its rules. text is
// FILE[,NAME=VALUE...][@BUDGET]. It starts no program.
func PlayedBy(text string) (game, rules string, err error) {
	p, err := split(EnginePrefix + text)
	if err != nil {
		return "", "", err
	}
	described, err := external.ReadFile(p.base)
	if err != nil {
		return "", "", err
	}
	return described.Games[0].Game, described.Games[0].Rules, nil
}
