package protocol

import (
	"fmt"
	"strings"

	"selfplaylab/engines"
	"selfplaylab/params"
	"selfplaylab/reports/text"
)

// EngineFile is the part of an engine's file that protocols read.
type EngineFile struct {
	File    string   // path of the file
	Name    string   // for tables; by default the file's name
	Dialect string   // of the protocol; "" for the plain dialect, or the one found by the handshake
	Games   []Played // never empty
	// Memory bounds the data of the process in bytes, on Linux; 0 for no bound.
	Memory int64
	// Params are the parameters of its file. Without any, the program's own count.
	Params params.Space
}

// Played is a game that an engine plays.
type Played struct {
	Game string // name of the game
	// Rules are the only rules it plays, in the form of engines.ParseRules.
	// "" means rules set by the protocol, or the game's defaults.
	Rules string
}

// Setting is an option with its value.
type Setting struct{ Name, Value string } // both as sent to the program

// admit returns an error unless the engine's file says that it plays a game by
// the variant's rules. declared means that the file names these very rules.
func (e *EngineFile) admit(v engines.Variant) (declared bool, err error) {
	var known []string
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
		known = append(known, own.Rules)
	}
	if len(known) > 0 {
		return false, fmt.Errorf("engine %s plays %s by %s only, not by %s: %s", e.Name, v.Game.Name,
			strings.Join(known, " or "), v.Rules, firstDifference(known[0], v.Rules))
	}
	names := strings.Join(text.Each(e.Games, func(p Played) string { return p.Game }), ", ")
	return false, fmt.Errorf("engine %s does not play %s; it plays %s: add %q to games in %s if it does", e.Name, v.Game.Name, names,
		v.Game.Name, e.File)
}

// firstDifference returns the first rule in which two canonical texts differ.
func firstDifference(theirs, ours string) string {
	a, b := strings.Split(theirs, ","), strings.Split(ours, ",")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && !strings.HasPrefix(a[i], "preset=") {
			return fmt.Sprintf("it has %s, the game here %s", a[i], b[i])
		}
	}
	return "the rules differ"
}

// isDefault reports whether a variant has its game's default rules.
func isDefault(v engines.Variant) (bool, error) {
	own, err := v.Game.Open(nil)
	if err != nil {
		return false, err
	}
	return own.Rules == v.Rules, nil
}

// CheckSettings returns an error for the first value that the program does not take.
func CheckSettings(engine string, offer *Offer, values []Setting) error {
	for _, s := range values {
		o, ok := offer.Option(s.Name)
		if !ok {
			return fmt.Errorf("engine %s offers no option %q%s", engine, s.Name, params.Suggest(s.Name, offer.names()))
		}
		if err := o.check(s.Value); err != nil {
			return fmt.Errorf("engine %s: %w", engine, err)
		}
	}
	return nil
}

// refuseOwn returns an error for the first of values that only this program may set.
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
