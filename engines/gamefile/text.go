package gamefile

import (
	"fmt"
	"maps"
	"strings"

	"selfplaylab/engines"
)

// Text is a game as a file states it, in texts. Its moves were not played.
type Text struct {
	Line     int             // line of the file at which the game begins
	Position string          // initial position, as in Game
	Moves    []string        // in the file's order
	Book     int             // number of first moves that the comment "book" marks
	Outcome  engines.Outcome // as stated; Ongoing if the file states none
	Reason   engines.Reason  // as files of this program state it; "" without an outcome
	Players  [2]string       // by side; "" if the file names none
	Game     string          // name of the game that the file states; "" for none
	Rules    engines.Rules   // the settings that the file states, which may be a part of the game's
	Err      error           // why the game cannot be read
}

// Variant returns the game and rules that the file states. Settings that it does not state are
// taken from v. Another game than v's is an error, as is Err.
func (t *Text) Variant(v engines.Variant) (engines.Variant, error) {
	if t.Err != nil {
		return v, t.Err
	}
	if t.Game != "" && t.Game != v.Game.Name {
		return v, fmt.Errorf("this is a game of %s, not of %s", t.Game, v.Game.Name)
	}
	if len(t.Rules) == 0 {
		return v, nil
	}
	rules, err := engines.ParseRules(v.Rules)
	if err != nil {
		return v, err
	}
	delete(rules, "preset") // it would only name defaults
	maps.Copy(rules, t.Rules)
	stated, err := v.Game.Open(rules)
	if err == nil && stated.Rules == v.Rules {
		stated = v
	}
	return stated, err
}

// game plays the moves of a text by its rules.
func (t *Text) game(v engines.Variant) (Game, error) {
	v, err := t.Variant(v)
	if err != nil {
		return Game{}, err
	}
	g := Game{Variant: v, Position: t.Position, Players: t.Players, Outcome: t.Outcome, Reason: t.Reason}
	ref := v.NewReferee()
	if err := ref.Reset(g.Position); err != nil {
		return g, err
	}
	for i, text := range t.Moves {
		m := Move{Text: text, Opening: i < t.Book, Side: ref.Turn()}
		if _, err := engines.PlayText(ref, text); err != nil {
			return g, fmt.Errorf("move %d: %w", i+1, err)
		}
		g.Moves = append(g.Moves, m)
	}
	if outcome, reason := ref.Result(); outcome != engines.Ongoing {
		g.Outcome, g.Reason = outcome, reason
	}
	return g, nil
}

// unusual matches characters that Plain replaces.
var unusual = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u00a0", " ", "\u200b", "", "\ufeff", "")

// Plain returns a text with the line ends, spaces and visible characters that readers expect.
func Plain(text string) string { return unusual.Replace(text) }

// parseResult reads a result as files write it, also with the sign for a half.
func parseResult(text string) (engines.Outcome, error) {
	text = strings.ReplaceAll(text, "½", "1/2")
	if text == "1/2-1/2" {
		text = engines.Draw.String()
	}
	return engines.ParseOutcome(text)
}
