package play

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"selfplaylab/engines"
)

// Adjudication ends games by rules of the match, with reason engines.Adjudicated. The zero
// value ends none. The game's own rules come first, then Resign, Draw and MaxPlies.
type Adjudication struct {
	// MaxPlies draws a game that reaches this number of plies, opening included; 0 is off.
	MaxPlies int      `json:"max_plies"`
	Resign   Resign   `json:"resign"`
	Draw     DrawRule `json:"draw"`
}

// Resign ends a game as lost by a player whose score was at most -Score in Moves successive
// decisions. Scores are in the player's own unit (see engines.Decision). For a player that
// gives a chance of winning, Score is negative and -Score is the bound: -0.05 means 5 %. Moves
// 0 is off.
//
// With Both, the opponent's score must have been at least Score as long, or 1 + Score for a
// chance of winning.
type Resign struct {
	Score float64 // in the player's unit
	Moves int     // successive decisions of the player
	Both  bool    // the opponent must agree
}

// DrawRule ends a game as drawn if both players' scores were within Score of Even in Moves
// successive decisions of each, and the game has at least After plies, opening included. Moves
// 0 is off.
type DrawRule struct {
	Score float64 // distance from Even
	Moves int     // successive decisions of each player
	After int     // plies of the game
	Even  float64 // score of an even position: 0.5 for a player that gives the chance of winning
}

// note counts a decision's score for both rules.
func (a *Adjudication) note(r *record, side engines.Side, score float64) {
	count := func(n *int, in bool) { // a NaN score compares false and resets the count
		if *n++; !in {
			*n = 0
		}
	}
	count(&r.lost[side], score <= -a.Resign.Score)
	won := a.Resign.Score
	if won < 0 {
		won++
	}
	count(&r.won[side], score >= won)
	count(&r.even[side], math.Abs(score-a.Draw.Even) <= a.Draw.Score)
}

// judge returns the outcome of an unfinished game, Ongoing if no rule ends it.
func (a *Adjudication) judge(r *record) (engines.Outcome, engines.Reason) {
	if n := a.Resign.Moves; n > 0 {
		for side, lost := range r.lost {
			if lost >= n && (!a.Resign.Both || r.won[side^1] >= n) {
				return engines.Win(engines.Side(side).Other()), engines.Adjudicated
			}
		}
	}
	if d := &a.Draw; d.Moves > 0 && min(r.even[0], r.even[1]) >= d.Moves && len(r.moves) >= d.After {
		return engines.Draw, engines.Adjudicated
	}
	if a.MaxPlies > 0 && len(r.moves) >= a.MaxPlies {
		return engines.Draw, engines.Adjudicated
	}
	return engines.Ongoing, engines.NoReason
}

// String returns the text that UnmarshalText reads; "" if off.
func (r Resign) String() string {
	if r.Moves == 0 {
		return ""
	}
	text := fmt.Sprintf("score=%v,moves=%d", r.Score, r.Moves)
	if r.Both {
		text += ",both=yes"
	}
	return text
}

// MarshalText returns the text that UnmarshalText reads.
func (r Resign) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a text such as "score=300,moves=4", with ",both=yes" if the opponent must
// agree; "" is off.
func (r *Resign) UnmarshalText(text []byte) error {
	const want = "want score=S,moves=N and maybe both=yes: a player whose own score is at most -S in N of its moves in a row loses; " +
		"with both, if the opponent's is at least S as long"
	*r = Resign{}
	err := parseRule("resign rule", string(text), want, []string{"score", "moves"},
		map[string]any{"score": &r.Score, "moves": &r.Moves, "both": &r.Both})
	if err == nil && r.Score <= -0.5 { // it would end even games
		err = engines.ParseError("resign rule", string(text), fmt.Sprintf("a negative score is a chance of winning, such as -0.05 for 5 %%; "+
			"a player at %v or below loses by score=%v", r.Score, -r.Score))
	}
	return err
}

// String returns the text that UnmarshalText reads; "" if off.
func (d DrawRule) String() string {
	if d.Moves == 0 {
		return ""
	}
	text := fmt.Sprintf("score=%v,moves=%d,after=%d", d.Score, d.Moves, d.After)
	if d.Even != 0 {
		text += fmt.Sprintf(",even=%v", d.Even)
	}
	return text
}

// MarshalText returns the text that UnmarshalText reads.
func (d DrawRule) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a text such as "score=10,moves=8,after=60", with ",even=0.5" for players
// that give a chance of winning; "" is off.
func (d *DrawRule) UnmarshalText(text []byte) error {
	const want = "want score=S,moves=N with any of after=PLIES, even=E: a game is a draw when both players' scores are within S of E (0) " +
		"in N moves in a row of either"
	*d = DrawRule{}
	err := parseRule("draw rule", string(text), want, []string{"score", "moves"},
		map[string]any{"score": &d.Score, "moves": &d.Moves, "after": &d.After, "even": &d.Even})
	if err == nil && d.Score < 0 {
		err = engines.ParseError("draw rule", string(text), "score must be 0 or more")
	}
	return err
}

// parseRule reads name=value fields into *int, *float64 and *bool (yes or no) targets. All
// needed fields must be given. A rule's moves must be at least 1.
func parseRule(what, text, want string, needed []string, fields map[string]any) error {
	if text == "" {
		return nil
	}
	seen := map[string]bool{}
	for field := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		var err error
		switch to := fields[key].(type) {
		case *int:
			*to, err = strconv.Atoi(value)
			if err == nil && (*to < 0 || *to == 0 && key == "moves") {
				return engines.ParseError(what, text, key+" must be a whole number, moves at least 1")
			}
		case *float64:
			*to, err = strconv.ParseFloat(value, 64)
			if err == nil && (math.IsNaN(*to) || math.IsInf(*to, 0)) {
				return engines.ParseError(what, text, key+" must be a finite number")
			}
		case *bool:
			if *to = value == "yes"; !*to && value != "no" {
				return engines.ParseError(what, text, key+" must be yes or no")
			}
		default:
			return engines.ParseError(what, text, want)
		}
		switch {
		case err != nil:
			return engines.ParseError(what, text, want)
		case seen[key]:
			return engines.ParseError(what, text, key+" is set twice")
		}
		seen[key] = true
	}
	for _, key := range needed {
		if !seen[key] {
			return engines.ParseError(what, text, want)
		}
	}
	return nil
}
