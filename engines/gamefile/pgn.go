package gamefile

import (
	"fmt"
	"io"
	"strings"
	"time"

	"selfplaylab/engines"
)

// pgnWidth is the length of the longest line of moves that PGN's standard allows in exports.
const pgnWidth = 79

// writePGN writes tags and moves, with the record of each decision as a comment. White is the
// side that moves first.
func writePGN(w io.Writer, g *Game) error {
	start, initial, err := g.start()
	if err != nil {
		return err
	}
	texts, err := g.texts()
	if err != nil {
		return err
	}
	var b strings.Builder
	tag := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "[%s \"%s\"]\n", name, escaped(value, `"`))
		}
	}
	tag("Event", g.Event)
	tag("Site", "?")
	tag("Date", g.Date.Format("2006.01.02"))
	tag("Round", g.Round)
	tag("White", g.Players[0])
	tag("Black", g.Players[1])
	tag("Result", pgnResult(g.Outcome))
	tag("Game", g.Variant.Game.Name)
	tag("Rules", g.Variant.Rules)
	if g.Variant.Files != nil {
		for _, t := range g.Variant.Files.Tags {
			tag(t[0], t[1])
		}
	}
	if !initial {
		tag("SetUp", "1")
		tag("FEN", start)
	}
	for side, name := range []string{"White", "Black"} {
		tag(name+"Limits", g.Limits[side].String())
	}
	if first, second := timeControl(g.Limits[0]), timeControl(g.Limits[1]); first == second {
		tag("TimeControl", first)
	} else {
		tag("WhiteTimeControl", first)
		tag("BlackTimeControl", second)
	}
	tag("Termination", termination(g.Reason))
	tag("Reason", string(g.Reason))
	if g.Margin != nil {
		tag("Margin", fmt.Sprint(*g.Margin))
	}
	if took := g.took(); took > 0 {
		tag("GameDuration", time.Time{}.Add(took).Format(time.TimeOnly))
	}
	tag("PlyCount", fmt.Sprint(len(g.Moves)))
	tag("Annotator", g.Program)
	number := 1
	if !initial {
		number = FirstNumber(g.Variant, g.Position)
	}
	b.WriteString("\n" + pgnMoves(g, texts, number) + "\n\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// FirstNumber returns the number of the first move after a position, in files that number the moves
// of both sides together: a FEN ends with it. It is 1 where the position does not state it.
func FirstNumber(v engines.Variant, position string) int {
	number := 1
	if v.Files == nil {
		return number
	}
	if start, err := v.Files.Start(position); err == nil {
		_, _ = fmt.Sscan(start[strings.LastIndexByte(start, ' ')+1:], &number) // else it stays 1
	}
	return number
}

// timeControl returns the clock or the time of a move in the form of PGN's tags.
func timeControl(l engines.Limits) string {
	switch {
	case l.Time > 0:
		return fmt.Sprintf("%v/move", l.Time.Seconds())
	case l.Clock.IsZero():
		return "-"
	}
	return l.Clock.String()
}

// termination returns a reason in the words of PGN's tags.
func termination(r engines.Reason) string {
	switch r {
	case engines.NoReason:
		return "unterminated"
	case engines.OutOfTime, engines.OutOfClock:
		return "time forfeit"
	case engines.IllegalMove:
		return "illegal move"
	case engines.Adjudicated, engines.PlyBound:
		return "adjudication"
	}
	if r.Fault() {
		return "abandoned"
	}
	return "normal"
}

// took returns the time of all decisions, as far as it was recorded.
func (g *Game) took() (sum time.Duration) {
	for i := range g.Moves {
		sum += g.Moves[i].Took
	}
	return sum
}

// escaped escapes a value before the character that ends it.
func escaped(s, end string) string {
	return strings.NewReplacer(`\`, `\\`, end, `\`+end, "\n", " ").Replace(s)
}

// pgnResult returns a result as PGN writes it.
func pgnResult(o engines.Outcome) string {
	if o == engines.Draw {
		return "1/2-1/2"
	}
	return o.String()
}

// pgnMoves returns the movetext, from the number of its first move on. A number counts one move
// of each side: a side that moves twice in a row begins another number.
func pgnMoves(g *Game, texts []string, number int) string {
	var b strings.Builder
	line := 0
	word := func(text string) {
		switch {
		case line == 0:
		case line+1+len(text) > pgnWidth:
			b.WriteByte('\n')
			line = 0
		default:
			b.WriteByte(' ')
			line++
		}
		b.WriteString(text)
		line += len(text)
	}
	open := false // the first side has made its move of the number
	for i := range g.Moves {
		m := &g.Moves[i]
		switch {
		case m.Side == engines.First:
			if open {
				number++
			}
			word(fmt.Sprintf("%d.", number))
			open = true
		case !open:
			word(fmt.Sprintf("%d...", number))
		}
		word(texts[i])
		if m.Side == engines.Second {
			number++
			open = false
		}
		if text := g.pgnComment(m); text != "" {
			for _, part := range strings.Fields("{" + text + "}") {
				word(part)
			}
		}
	}
	word(pgnResult(g.Outcome))
	return b.String()
}

// pgnComment returns the comment with the clock, as [%clk h:mm:ss.mmm].
func (g *Game) pgnComment(m *Move) string {
	text := g.comment(m)
	if m.Left != nil {
		left := m.Left.Round(time.Millisecond)
		text = fmt.Sprintf("[%%clk %d:%02d:%06.3f] %s", int(left.Hours()), int(left.Minutes())%60, (left % time.Minute).Seconds(), text)
	}
	return strings.TrimSpace(text)
}
